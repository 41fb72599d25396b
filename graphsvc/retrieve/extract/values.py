"""From an accepted memory to what answers: the sentence, and the typed value inside it.

Nothing is composed: a value is a span of the memory's own text, or there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphsvc.language.segment import sentences
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.figures import measured
from graphsvc.retrieve.rank.overlap import overlap
from ontology.model import ValueKind

_MENTIONS = {
    ValueKind.PERSON: {"person", "organisation"},
    ValueKind.IDENTIFIER: {"identifier", "ip", "phone", "email", "url"},
}


def quote(memory: Memory, tokens: Sequence[str]) -> tuple[int, int]:
    """The span of the sentence that shares most with the question's tokens, the first on a tie."""
    spans = sentences(memory.text)
    if not spans:
        return 0, len(memory.text)
    return max(spans, key=lambda span: (overlap(memory.text[slice(*span)], tokens) or 0.0, -span[0]))


def value(memory: Memory, kind: ValueKind, span: tuple[int, int], question: Question) -> Value | None:
    """The value of the asked-for kind in the quoted sentence, else anywhere in the memory."""
    found = [
        candidate for candidate in values(memory, kind) if candidate.text.casefold() not in question.text.casefold()
    ]
    inside = [candidate for candidate in found if span[0] <= candidate.start < span[1]]
    return next(iter(inside or found), None)


def values(memory: Memory, kind: ValueKind) -> Iterable[Value]:
    """Every value of a kind in a memory, in the text's order."""
    facts = memory.facts
    match kind:
        case ValueKind.TIME:
            for time in facts.times:
                begin = time.begin.isoformat() if time.begin else None
                yield Value(type=kind.value, text=time.text, start=time.start, end=time.end, normalised=begin)
        case ValueKind.AMOUNT:
            for amount in facts.amounts:
                normalised = measured(amount.value, amount.unit)
                yield Value(
                    type=kind.value, text=amount.text, start=amount.start, end=amount.end, normalised=normalised
                )
        case ValueKind.PERSON | ValueKind.IDENTIFIER:
            for mention in facts.mentions:
                if mention.type in _MENTIONS[kind]:
                    yield Value(
                        type=mention.type,
                        text=mention.text,
                        start=mention.start,
                        end=mention.end,
                        normalised=mention.key,
                    )
        case _:
            return


def has_value(memory: Memory, kind: ValueKind) -> float | None:
    """1 when the memory holds a value of the asked-for kind, 0 when not, None when none is asked for."""
    if kind is ValueKind.TIME:
        return float(bool(memory.facts.times))
    if kind is ValueKind.AMOUNT:
        return float(bool(memory.facts.amounts))
    if kind is ValueKind.IDENTIFIER:
        return float(any(map(str.isdigit, memory.text)) or any(True for _ in values(memory, kind)))
    return None
