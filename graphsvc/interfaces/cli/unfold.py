"""Draw a trace for a terminal: how a question was read, what each stage left, and why the best was or was not used.

Everything is in short blocks, one a candidate, since a wide table folds badly at 80 columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from calibration.features import FEATURES, VETOES
from graphsvc.interfaces.cli import funnel
from graphsvc.interfaces.cli.prose import Prose, indented, labelled, plain
from graphsvc.interfaces.cli.show import origin, standing
from graphsvc.models.answer import Attempt, Candidate, Check, Decision, Hop, Leg, Scores, Trace
from graphsvc.models.question import Question

MOST_CANDIDATES = 5
MOST_HOPS = 8
_MOST_CHARS = 90
_UNITS = {Leg.DENSE: "cosine", Leg.LEXICAL: "BM25", Leg.LATE: "token states"}


def trace_view(trace: Trace) -> RenderableType:
    """The question, the funnel, attempts, candidates by score parts, edges, the decision, checks and times."""
    shown: list[RenderableType] = [_title(f"trace {trace.id}"), *_question(trace)]
    shown += [_title("funnel (bars on a log scale)"), funnel.picture(trace.stages, attempts=len(trace.attempts))]
    shown += _section("attempts", [*_attempts(trace.attempts)])
    shown += _section("candidates", [*_candidates(trace.candidates)])
    shown += _section("edges walked", _edges(trace))
    shown += _section("decision", _decision(trace.decision))
    shown += _section("checks", [_check(one) for one in trace.checks])
    shown += _section("done without", [indented(plain(note, "yellow")) for note in trace.degraded])
    shown.append(Text(f"\nin all {trace.total_ms:,.1f} ms", style="bold"))
    return Group(*shown)


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold underline")


def _section(title: str, parts: Sequence[RenderableType]) -> list[RenderableType]:
    return [_title(title), *parts] if parts else []


def _question(trace: Trace) -> Iterator[RenderableType]:
    question = trace.question
    yield Prose(plain(question.text, "bold"))
    yield labelled("  read as", *(plain(line) for line in _read(question)))
    asked = [f"at {question.asked_at.isoformat(sep=' ', timespec='minutes')}"]
    asked += [f"by {question.asked_by}"] if question.asked_by else []
    asked += [f"in {question.conversation_id}"] if question.conversation_id else []
    asked += [f"session {trace.session_id}"] if trace.session_id else []
    if trace.call is not None:
        for label, moment in (("as of", trace.call.as_of), ("as known at", trace.call.known_at)):
            asked += [f"{label} {moment.isoformat(sep=' ', timespec='minutes')}"] if moment else []
    yield labelled("  asked", plain(" · ".join(asked)))


def _read(question: Question) -> Iterator[str]:
    route = question.route.value.replace("_", " ")
    kind = f"type {question.query_type} ({question.query_type_probability:.2f})"
    yield f"{kind} · route {route} · what holds: {question.validity.value}"
    for part in question.parts:
        yield f"part “{part.text}”"
    for person in question.people:
        yield f"{person.name}: {'in any role' if person.role is None else person.role.value}"
    if question.window is not None:
        begin, until = (
            "…" if end is None else end.isoformat(sep=" ", timespec="minutes")
            for end in (question.window.begin, question.window.until)
        )
        yield f"from {begin} to {until}"
    told = [f"label {'/'.join(part or '*' for part in (x.domain, x.entity, x.intent))}" for x in question.labels]
    told += [f"sense {one.surface}: {one.sense or 'unresolved'}" for one in question.senses]
    told += [f"identifier {one}" for one in question.identifiers]
    told += [f"amount {one.text}" for one in question.amounts]
    told += [f"side {one}" for one in question.sides]
    told += ["asks for what is not so"] if question.negated else []
    if told:
        yield " · ".join(told)


def _attempts(attempts: Sequence[Attempt]) -> Iterator[RenderableType]:
    for number, one in enumerate(attempts, 1):
        verdict = "accepted" if one.accepted else "not accepted"
        head = f"{number}. {one.step.value.replace('_', ' ')}: {verdict}, best {one.probability:.2f}"
        yield Text(head, style="green" if one.accepted else "yellow")
        yield indented(Prose(plain(one.text)))
        for rewrite in one.rewrites:
            told = f"{rewrite.original or '+'} → {rewrite.replacement} ({rewrite.kind.value.replace('_', ' ')})"
            yield indented(Prose(plain(told, "dim")))


def _candidates(candidates: Sequence[Candidate]) -> Iterator[RenderableType]:
    for number, one in enumerate(candidates[:MOST_CANDIDATES], 1):
        yield Prose(Text.assemble((f"{number}. {one.probability:.2f} ", "bold"), plain(origin(one.memory), "dim")))
        yield indented(Prose(plain(_clipped(one.memory.text))))
        yield from standing(one.memory)
        yield from (indented(labelled(name, line)) for name, line in _parts(one))
    left = len(candidates) - MOST_CANDIDATES
    if left > 0:
        yield Text(f"   {left} more with --json", style="dim")


def _clipped(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= _MOST_CHARS else f"{told[:_MOST_CHARS]}…"


def _parts(one: Candidate) -> Iterator[tuple[str, Text]]:
    """The parts of a score by name: what the legs, the edges and the signals gave, and the rest that was seen."""
    scores = one.scores
    boosts = sorted(scores.boosts.items(), key=lambda boost: -abs(boost[1]))
    added = sum(scores.boosts.values())
    legs = one.score - scores.lent - added
    yield "score", plain(f"{one.score:.3f} = legs {legs:.3f} + lent {scores.lent:.3f} + signals {added:+.3f}")
    if legs_told := _legs(scores):
        yield "legs", plain(legs_told)
    for name, sign in (("for", 1), ("against", -1)):
        told = [f"{boost.replace('_', ' ')} {value:+.3f}" for boost, value in boosts if value * sign > 0]
        if told:
            yield name, plain(" · ".join(told), "green" if sign > 0 else "red")
    fit = [f"{part.replace('_', ' ')} {_number(value)}" for part, value in scores.fit.items()]
    if fit:
        yield "fit", plain(" · ".join(fit))
    rest = {"overlap": scores.overlap, "uncovered": scores.uncovered}
    seen = [f"{name} {value:.2f}" for name, value in rest.items() if value is not None]
    yield "words", plain(" · ".join((*seen, f"holder {scores.holder.value}")))
    if one.path:
        yield "by edge", plain(" ".join(map(_hop, one.path)))


def _legs(scores: Scores) -> str:
    """Each leg scaled in [0, 1] among the candidates, its raw score in brackets."""
    raw: Mapping[Leg, float | None] = {Leg.DENSE: scores.dense, Leg.LEXICAL: scores.lexical, Leg.LATE: scores.late}
    told = []
    for leg, value in raw.items():
        if value is not None:
            scaled = f"{scores.scaled[leg]:.2f} " if leg in scores.scaled else ""
            told.append(f"{leg.value} {scaled}({_UNITS[leg]} {value:.3f})")
    return " · ".join(told)


def _hop(hop: Hop) -> str:
    return f"{hop.source} –{hop.type.value}→ {hop.target} ({hop.weight:.2f})"


def _edges(trace: Trace) -> list[RenderableType]:
    if not trace.hops:
        return []
    counts = Counter(hop.type.value for hop in trace.hops)
    head = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    left = len(trace.hops) - MOST_HOPS
    lines = [plain(_hop(hop), "dim") for hop in trace.hops[:MOST_HOPS]]
    lines += [Text(f"{left} more with --json", style="dim")] if left > 0 else []
    lines += [Text("there were more edges than are walked or kept", style="yellow")] if trace.truncated else []
    return [indented(Prose(line)) for line in (plain(head), *lines)]


def _decision(decision: Decision | None) -> list[RenderableType]:
    if decision is None:
        return []
    taken = decision.probability >= decision.threshold
    head = f"{decision.method}: {decision.probability:.3f} {'reaches' if taken else 'does not reach'} the threshold"
    ruled_out = [name for name in VETOES if decision.features.get(name) == 1.0]
    shown: list[RenderableType] = [
        indented(Text(f"{head} {decision.threshold:.3f}", style="green" if taken else "yellow"))
    ]
    if ruled_out:
        shown.append(indented(Text(f"ruled out by {', '.join(ruled_out)}", style="red")))
    for label, told in _features(decision.features):
        shown.append(indented(labelled(label, plain(told))))
    return shown


def _features(values: Mapping[str, float | None]) -> Iterator[tuple[str, str]]:
    """The features by which way they speak as they grow; what is zero or unknown by name alone."""
    directions = {feature.name: feature.direction for feature in FEATURES}
    for label, direction in (("raise it", 1), ("lower it", -1), ("depend", 0)):
        told = {name: value for name, value in values.items() if value and directions.get(name, 0) == direction}
        if told:
            yield label, " · ".join(f"{name.replace('_', ' ')} {_number(value)}" for name, value in told.items())
    for label, wanted in (("zero", 0.0), ("unknown", None)):
        names = [name.replace("_", " ") for name, value in values.items() if value == wanted]
        if names:
            yield label, ", ".join(names)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _check(check: Check) -> RenderableType:
    verdict = "passed" if check.passed else "failed"
    head = Text(f"{check.name.value}: {verdict}", style="green" if check.passed else "yellow")
    about = f"looked at {', '.join(check.memories)}" if check.memories else ""
    lines = [indented(Prose(plain(told, "dim"))) for told in (check.detail, about) if told]
    return indented(Group(head, *lines))
