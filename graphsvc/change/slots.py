"""The statements of one memory, clause by clause: whose, which attribute, which value, said of which period.

A clause with several values states each of them; one with none states that it is so, or is not so.
"""

from __future__ import annotations

from graphsvc.change.fills import tells
from graphsvc.change.found import type_of
from graphsvc.change.reading import Part, Reading, read
from graphsvc.change.tied import stated
from graphsvc.change.values import is_stretch
from graphsvc.models.answer import Value
from graphsvc.models.change import SlotStatement, ValueType
from graphsvc.models.facts import Claim, HolderKind, Polarity, TimeExpression
from graphsvc.models.memory import Memory

SPEAKER = "speaker"


def statements_of(memory: Memory) -> tuple[SlotStatement, ...]:
    """The statements of a memory in the text's order; what is asked or supposed states nothing."""
    reading = read(memory)
    return tuple(one for part in reading.parts if stated(part) for one in _of_clause(reading, part))


def _of_clause(reading: Reading, part: Part) -> list[SlotStatement]:
    memory = reading.memory
    claim = part.claims[0] if part.claims else None
    subject = None if claim is None else claim.holder.start
    values = [v for v in part.values if v.start != subject and tells(v, memory.text, part.span)]
    if not (values or part.words):
        return []
    named = tuple(word for word in part.words if not any(word in value.text.casefold() for value in values))
    found: list[Value | None] = [*values] or [None]
    return [_statement(reading, part, claim, named, value) for value in found]


def _statement(
    reading: Reading, part: Part, claim: Claim | None, attribute: tuple[str, ...], value: Value | None
) -> SlotStatement:
    polarity = Polarity.AFFIRMED if claim is None else claim.polarity
    period = None if value is not None and type_of(value) is ValueType.TIME else _period(reading, part)
    yes_no = value is None and polarity is not Polarity.AFFIRMED
    return SlotStatement(
        start=part.span[0],
        end=part.span[1],
        holder=_holder(claim),
        attribute=attribute,
        type=ValueType.YES_NO if yes_no else type_of(value),
        value=None if value is None else value.normalised or value.text,
        value_start=None if value is None else value.start,
        value_end=None if value is None else value.end,
        polarity=polarity,
        begin=None if period is None else period.begin,
        until=None if period is None else period.until,
    )


def _holder(claim: Claim | None) -> str | None:
    """A folded name, whose relative and which, or `speaker`; nothing where the clause is of nobody in particular."""
    if claim is None:
        return None
    holder = claim.holder
    if holder.kind is HolderKind.SPEAKER:
        return SPEAKER
    if holder.kind is not HolderKind.OTHER:
        return None
    if holder.relation is None:
        return holder.key
    whose = holder.possessor_key or (SPEAKER if holder.possessor is HolderKind.SPEAKER else None)
    return holder.relation if whose is None else f"{whose}:{holder.relation}"


def _period(reading: Reading, part: Part) -> TimeExpression | None:
    """The stretch of the calendar the clause names for itself."""
    times = reading.memory.facts.times
    return next((time for time in times if part.span[0] <= time.start < part.span[1] and is_stretch(time)), None)
