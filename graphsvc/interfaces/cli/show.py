"""Draw candidates and answers for a terminal: what is said, on whose word, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from graphsvc.interfaces.cli import funnel
from graphsvc.interfaces.cli.prose import Prose, indented, labelled, plain
from graphsvc.models.answer import Answer, AnswerStatus, Conflict, Evidence, Part, SearchResult, Step, Value
from graphsvc.models.base import MemoryId
from graphsvc.models.composed import Composed
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.models.question import PersonReference
from graphsvc.retrieve.extract.compare import DIFFERENCE

Memories = Mapping[MemoryId, Memory]
# So much of a memory is shown on either side of what is quoted.
_AROUND = 120
_SHOWN_ID = 40
# A signal that adds less than is shown tells nobody anything.
_NAUGHT = re.compile(r" [+-]0\.00$")
_MIDNIGHT = re.compile(r"T00:00:00(?:Z|[+-]\d\d:\d\d)$")
_COLOURS = {
    AnswerStatus.ANSWERED: "green",
    AnswerStatus.CONFLICT: "magenta",
    AnswerStatus.AMBIGUOUS: "yellow",
    AnswerStatus.NOTHING_RELIABLE: "yellow",
    AnswerStatus.NOTHING_STORED: "red",
}
_STATUSES = {
    AnswerStatus.ANSWERED: "answered",
    AnswerStatus.CONFLICT: "conflict: the memories disagree",
    AnswerStatus.AMBIGUOUS: "ambiguous: it may mean more than one",
    AnswerStatus.NOTHING_RELIABLE: "nothing reliable: what was found must not be used as an answer",
    AnswerStatus.NOTHING_STORED: "nothing stored: there is nothing to search yet",
}
_STEPS = {
    Step.FIRST_ATTEMPT: "as it was asked",
    Step.REWRITTEN: "asked again in other words",
    Step.NEEDS_CONFIRMATION: "somebody has to confirm what is missing",
    Step.FOR_A_PERSON: "for a person to decide",
}


def answer_panel(question: str, answer: Answer, memories: Memories, *, read_as: str | None = None) -> Panel:
    """An answer in full; `read_as` is the question written out where it leant on its session."""
    colour = _COLOURS[answer.status]
    shown: list[RenderableType] = [Prose(plain(question, "bold"))]
    if read_as is not None and read_as != question:
        shown.append(Prose(plain(f"read as: {read_as}", "dim")))
    shown.append(Text(_STATUSES[answer.status], style=colour))
    if answer.value is not None:
        shown.append(Prose(_value(answer.value, f"bold {colour}")))
    shown += _numbered_evidence(answer, memories)
    shown += _composed(answer.composed)
    places = {one.memory_id: number for number, one in enumerate(answer.evidence, 1)}
    shown += [_part(number, part, places) for number, part in enumerate(answer.parts, 1)]
    shown += [_conflict(conflict, memories, places) for conflict in answer.conflicts]
    shown += _notes("missing", answer.missing) + _ambiguous(answer.ambiguous) + _notes("without", answer.degraded)
    shown += _calibration(answer)
    shown += [
        labelled("step", Text(_STEPS[answer.step], style="dim")),
        labelled("funnel", funnel.brief(answer)),
        labelled("trace", Text(answer.trace_id, style="dim")),
    ]
    return Panel(Group(*shown), border_style=colour, title="answer", title_align="left")


def candidate_list(found: SearchResult, *, read_as: str | None = None) -> RenderableType:
    """Ranked candidates, best first; `read_as` is the question written out where it leant on its session."""
    shown: list[RenderableType] = []
    if read_as is not None:
        shown.append(Prose(plain(f"read as: {read_as}", "dim")))
    for number, one in enumerate(found.candidates, 1):
        head = _head(number, f"{one.probability:.2f} (score {one.score:.3f})", origin(one.memory))
        shown += [head, indented(Prose(plain(one.memory.text))), *standing(one.memory)]
    shown += [] if found.candidates else [Text("nothing found", style="yellow")]
    shown += _ambiguous(found.ambiguous) + _notes("without", found.degraded)
    shown += [
        labelled("funnel", funnel.line(found.stages)),
        labelled("trace", Text(found.trace_id, style="dim")),
    ]
    return Group(*shown)


def origin(memory: Memory) -> str:
    """Who said it, when, and where it stands."""
    source = memory.source
    parts = [memory.sender or "", memory.event_time.isoformat(sep=" ", timespec="minutes")]
    if source is not None:
        page = f"p. {source.page}" if source.page is not None else ""
        section = f"§ {source.section}" if source.section else ""
        parts.append(" ".join(part for part in (source.file or "", page, section) if part))
    return " · ".join(part for part in (*parts, memory.id) if part)


def standing(memory: Memory, *, stale: bool = False) -> list[RenderableType]:
    """Where a memory stands that does not simply hold: what ended it and when, or whose overturned value it quotes."""
    lines: list[str] = []
    if memory.status is not MemoryStatus.ACTIVE:
        when = "" if memory.ended_at is None else f" {_in_its_zone(memory.ended_at, memory)}"
        by = f" by {', '.join(memory.ended_by)}" if memory.ended_by else ""
        lines.append(f"{memory.status.value}{when}{by}")
    if memory.stale_sources:
        lines.append(f"stale: quotes {', '.join(memory.stale_sources)}, overturned since")
    elif stale:
        lines.append("stale: quotes a value that was overturned since")
    return [indented(Prose(plain(line, "magenta"))) for line in lines]


def _in_its_zone(moment: datetime, memory: Memory) -> str:
    return moment.astimezone(memory.event_time.tzinfo).isoformat(sep=" ", timespec="minutes")


def value_text(value: Value) -> str:
    """A value as it was read, and as it is written where that differs; of a time, as written and when it begins."""
    normalised = value.normalised
    if normalised is None or normalised.casefold() == value.text.casefold():
        return value.text
    if value.type == DIFFERENCE:
        return f"{normalised} (to {value.text})"
    if value.type == "time":
        return f"{value.text} (from {_MIDNIGHT.sub('', normalised)})"
    return f"{normalised} ({value.text})"


def _value(value: Value, style: str) -> Text:
    return Text.assemble(f"{value.type.replace('_', ' ')}: ", plain(value_text(value), style))


def _head(number: int, score: str, told: str) -> RenderableType:
    """One memory's place and numbers, and where it comes from."""
    return Prose(Text.assemble((f"{number}. {score} ", "bold"), plain(told, "dim")))


def _numbered_evidence(answer: Answer, memories: Memories) -> Iterator[RenderableType]:
    for number, evidence in enumerate(answer.evidence, 1):
        memory = memories.get(evidence.memory_id)
        told = evidence.memory_id if memory is None else origin(memory)
        yield _head(number, f"{evidence.probability:.2f}", told)
        yield indented(Prose(_quoted(evidence, memory)))
        if memory is not None:
            yield from standing(memory, stale=evidence.stale)
        telling = [reason for reason in evidence.reasons if not _NAUGHT.search(reason)]
        if telling:
            yield indented(Prose(plain(f"why: {'; '.join(telling)}", "dim")))


def _quoted(evidence: Evidence, memory: Memory | None) -> Text:
    """What is quoted, in marks, with some of what stands around it."""
    quote = Text.assemble("“", plain(evidence.quote, "bold"), "”")
    if memory is None:
        return quote
    before, after = memory.text[: evidence.start], memory.text[evidence.end :]
    if len(before) > _AROUND:
        before = f"…{before[-_AROUND:]}"
    if len(after) > _AROUND:
        after = f"{after[:_AROUND]}…"
    return Text.assemble(plain(before, "dim"), quote, plain(after, "dim"))


def _composed(composed: Composed | None) -> list[RenderableType]:
    """A model's wording, marked as such, with the quotes it rests on."""
    if composed is None:
        return []
    by = f"wording of the model {composed.model}, no evidence; by its own word {composed.confidence:.2f} sure"
    quotes = [f"“{one.quote}” {one.memory_id}" for one in composed.quotes]
    lines = [plain(composed.text, "italic"), *(plain(told, "dim") for told in (by, *quotes))]
    return [labelled("worded", *lines)]


def _part(number: int, part: Part, places: Mapping[MemoryId, int]) -> RenderableType:
    """A part of a compound question with its own answer; `places` number the evidence."""
    lines = [plain(part.question, "bold")]
    if part.value is not None:
        lines.append(_value(part.value, "bold green"))
    elif part.evidence:
        lines.append(plain(f"“{part.evidence[0].quote}”"))
    else:
        lines.append(Text("open: nothing reliable", style="yellow"))
    told = ", ".join(str(places.get(one.memory_id, one.memory_id)) for one in part.evidence)
    if told:
        lines.append(plain(f"evidence {told}", "dim"))
    return labelled(f"part {number}", *lines)


def _conflict(conflict: Conflict, memories: Memories, places: Mapping[MemoryId, int]) -> RenderableType:
    """What two memories disagree on, and each of them: by its number above, or quoted with who says it."""
    lines = [plain(conflict.reason, "magenta")]
    sides = (conflict.left, conflict.right)
    if all(side in places for side in sides):
        lines.append(Text(f"evidence {places[conflict.left]} against {places[conflict.right]}", style="dim"))
        return labelled("conflict", *lines, style="magenta")
    for side in sides:
        memory = memories.get(side)
        lines.append(plain(side if memory is None else origin(memory), "dim"))
        lines += [] if memory is None else [_excerpt(memory.text)]
    return labelled("conflict", *lines, style="magenta")


def _excerpt(text: str) -> Text:
    return plain(f"“{text if len(text) <= 2 * _AROUND else text[: 2 * _AROUND] + '…'}”")


def _notes(label: str, notes: Sequence[str]) -> list[RenderableType]:
    return [labelled(label, *(plain(note) for note in notes), style="yellow")] if notes else []


def _calibration(answer: Answer) -> list[RenderableType]:
    """By whose word something may be used, and what is shown for feedback alone."""
    shown = _notes("by rule", (answer.calibration,)) if answer.calibration else []
    if answer.target_error is not None:
        shown.append(
            labelled("target", Text(f"at most {answer.target_error:.1%} of what is used is wrong", style="dim"))
        )
    if answer.explored is not None:
        one = answer.explored
        told = f"“{one.quote}” {one.memory_id} ({one.probability:.2f}): not reliable, shown to be judged"
        shown.append(labelled("explored", plain(told), style="yellow"))
    return shown


def _ambiguous(people: Sequence[PersonReference]) -> list[RenderableType]:
    """Who a name may mean; those called alike are told apart by the entity that stands for them."""
    lines = []
    for person in people:
        names = [bearer.name for bearer in person.bearers]
        who = [
            f"{bearer.name} ({bearer.entity[:_SHOWN_ID]})" if names.count(bearer.name) > 1 else bearer.name
            for bearer in person.bearers
        ]
        lines.append(f"{person.name} may be {' or '.join(who)}")
    return _notes("ambiguous", lines)
