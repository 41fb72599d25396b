"""Draw candidates, decisions and traces for a terminal.

What a memory says is printed as text, never as markup; control characters are shown, not sent,
so that a stored text cannot steer the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from graphsvc.models.answer import Answer, AnswerStatus, Candidate, Evidence, Scores, SearchResult, Stage, Trace
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import PersonReference

STORED = "stored"  # the stage that counts what there is to narrow
_COLOURS = {
    AnswerStatus.ANSWERED: "green",
    AnswerStatus.CONFLICT: "magenta",
    AnswerStatus.AMBIGUOUS: "yellow",
    AnswerStatus.NOTHING_RELIABLE: "yellow",
    AnswerStatus.NOTHING_STORED: "red",
}
_VISIBLE = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"} | {0x7F: "␡"}
_VISIBLE |= dict.fromkeys((*range(128, 160), *range(8234, 8239), *range(8294, 8298)), "�")


def plain(text: str, style: str = "") -> Text:
    """Text for the terminal, as long as the original, so that spans stay true."""
    return Text(text.translate(_VISIBLE), style=style)


def funnel(stages: Sequence[Stage]) -> Text:
    """How many memories each stage left, `190 → 23 → 4`, relaxed ones marked; reading the question counts none."""
    names = [stage.name for stage in stages]
    stages = stages[names.index(STORED) if STORED in names else 0 :]
    steps = [f"{stage.name} {stage.remaining:,}{' (relaxed)' if stage.relaxed else ''}" for stage in stages]
    return Text(" → ".join(steps), style="dim")


def answer_panel(question: str, answer: Answer, memories: Mapping[MemoryId, Memory]) -> Panel:
    colour = _COLOURS[answer.status]
    parts: list[RenderableType] = [plain(question, "bold"), Text(answer.status.replace("_", " "), style=colour)]
    if answer.value is not None:
        value = answer.value
        shown = f"{value.normalised} ({value.text})" if value.normalised else value.text
        parts.append(Text.assemble(f"{value.type}: ", plain(shown, f"bold {colour}")))
    for number, evidence in enumerate(answer.evidence, 1):
        parts.append(_evidence(number, evidence, memories.get(evidence.memory_id)))
    parts += [plain(f"conflict: {one.left} ↔ {one.right}: {one.reason}", "magenta") for one in answer.conflicts]
    parts += [plain(f"missing: {one}", "yellow") for one in answer.missing]
    parts += _ambiguous(answer.ambiguous)
    parts += [plain(f"done without: {one}", "yellow") for one in answer.degraded]
    parts += [funnel(answer.stages), Text(f"{answer.step.replace('_', ' ')} · trace {answer.trace_id}", style="dim")]
    return Panel(Group(*parts), border_style=colour, title="answer", title_align="left")


def _ambiguous(people: Sequence[PersonReference]) -> list[Text]:
    return [plain(f"{one.name} may be {' or '.join(who.name for who in one.bearers)}", "yellow") for one in people]


def _evidence(number: int, evidence: Evidence, memory: Memory | None) -> RenderableType:
    text = plain(memory.text if memory else evidence.quote)
    if memory is not None:
        text.stylize("bold reverse", evidence.start, evidence.end)
    why = f"why: {'; '.join(evidence.reasons)}" if evidence.reasons else ""
    return _numbered(number, f"{evidence.probability:.2f}", _origin(evidence, memory), text, why)


def _numbered(number: int, score: str, origin: str, text: Text, why: str = "") -> RenderableType:
    """One memory: its numbers and where it comes from on a line, what it says below."""
    head = Text.assemble((f"{number}. {score} ", "bold"), plain(origin, "dim"))
    below = [Padding(one, (0, 0, 0, 3)) for one in (text, plain(why, "cyan")) if one]
    return Group(head, *below)


def _origin(evidence: Evidence, memory: Memory | None) -> str:
    parts = [] if memory is None else [memory.sender or "", memory.event_time.isoformat(timespec="minutes")]
    source = evidence.source
    if source is not None:
        page = f" p. {source.page}" if source.page is not None else ""
        parts.append(f"{source.file or ''}{page}")
    return " · ".join(part for part in (*parts, evidence.memory_id) if part)


def candidate_list(found: SearchResult) -> RenderableType:
    parts: list[RenderableType] = []
    for number, one in enumerate(found.candidates, 1):
        memory = one.memory
        origin = (memory.sender or "", memory.event_time.isoformat(timespec="minutes"), memory.id)
        scores = f"{one.probability:.2f} (score {one.score:.3f})"
        parts.append(_numbered(number, scores, " · ".join(part for part in origin if part), plain(memory.text)))
    parts += [] if found.candidates else [Text("nothing found", style="yellow")]
    parts += _ambiguous(found.ambiguous)
    parts += [plain(f"done without: {note}", "yellow") for note in found.degraded]
    return Group(*parts, funnel(found.stages), Text(f"trace {found.trace_id}", style="dim"))


def trace_view(trace: Trace) -> RenderableType:
    """Question, stages, scores by part, edges walked, and the decision with its features."""
    parts: list[RenderableType] = [_question(trace), _stages(trace), _scores(trace.candidates)]
    parts += [plain(line, "dim") for line in _paths(trace.candidates)]
    if trace.decision is not None:
        parts.append(_decision(trace))
    parts += [plain(f"done without: {note}", "yellow") for note in trace.degraded]
    return Panel(Group(*parts), title=f"trace {trace.id}", title_align="left")


def _question(trace: Trace) -> Text:
    question = trace.question
    read = [f"type {question.query_type}", question.validity.value, f"asked at {question.asked_at.isoformat()}"]
    read += [f"{person.name} as {person.role or 'anyone'}" for person in question.people]
    if question.window is not None:
        read.append(f"window {question.window.begin or '…'} to {question.window.until or '…'}")
    read += [f"label {'/'.join(part or '*' for part in (x.domain, x.entity, x.intent))}" for x in question.labels]
    read += [f"sense {x.surface}: {x.sense or 'unresolved'}" for x in question.senses]
    return Text.assemble(plain(question.text, "bold"), "\n", plain(" · ".join(read), "dim"))


def _stages(trace: Trace) -> Table:
    table = Table("stage", "remaining", "ms", "applied", title="stages", title_justify="left", box=SIMPLE)
    for stage in trace.stages:
        applied = f"{stage.applied} (relaxed)" if stage.relaxed else stage.applied
        table.add_row(stage.name, f"{stage.remaining:,}", f"{stage.ms:.2f}", plain(applied))
    table.add_row("all", "", f"{trace.total_ms:.2f}", "")
    return table


def _scores(candidates: Sequence[Candidate]) -> Table:
    table = Table("memory", "probability", "score", "parts", title="scores by part", title_justify="left", box=SIMPLE)
    for one in candidates:
        numbers = (f"{one.probability:.2f}", f"{one.score:.3f}")
        table.add_row(plain(one.memory.id), *numbers, plain(_parts(one.scores)))
    return table


def _parts(scores: Scores) -> str:
    """The parts that ran, then the boosts."""
    names = ("dense", "lexical", "late", "uncovered", "overlap")
    raw = [f"{name} {value:.3f}" for name in names if (value := getattr(scores, name)) is not None]
    return ", ".join((*raw, *(f"{name} {value:+.2f}" for name, value in scores.boosts.items())))


def _paths(candidates: Sequence[Candidate]) -> list[str]:
    return [
        "walked: " + ", ".join(f"{hop.source} –{hop.type}→ {hop.target} ({hop.weight:.2f})" for hop in one.path)
        for one in candidates
        if one.path
    ]


def _decision(trace: Trace) -> Text:
    decision = trace.decision
    assert decision is not None
    taken = "accepted" if decision.probability >= decision.threshold else "not accepted"
    head = f"{decision.method}: probability {decision.probability:.3f}, threshold {decision.threshold:.3f}: {taken}\n"
    features = ", ".join(f"{name} {'–' if x is None else f'{x:.3f}'}" for name, x in decision.features.items())
    return Text.assemble((head, "bold"), plain(features, "dim"))
