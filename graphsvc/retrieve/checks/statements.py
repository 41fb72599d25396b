"""Which clause of a memory answers a question, and with which values: the one nearest to the question's words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.change import words
from graphsvc.change.stated import Statement, build, clauses
from graphsvc.change.values import codes_of, is_clock, time_of, values_of
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.asked import CLOCK, asks_for_code
from ontology.model import ValueKind


@lru_cache(maxsize=512)
def asked_words(text: str) -> tuple[str, ...]:
    """The content words of a question."""
    return words.content_words(text)


@dataclass(frozen=True, slots=True)
class Located:
    """Where a memory says what is asked for: a clause, and the values that answer."""

    clause: tuple[int, int]
    values: tuple[Value, ...]


def statement(memory: Memory, question: Question, kind: ValueKind) -> Statement | None:
    """The statement of the asked-for kind that stands nearest to the question's words; None without a value."""
    found = locate(memory, question, kind)
    return None if found is None else build(memory, found.clause, found.values)


def locate(memory: Memory, question: Question, kind: ValueKind) -> Located | None:
    """The values of the asked-for kind that stand nearest to the question's words; None where there are none.

    Values in clauses that are equally near all belong to it: then the memory does not say one thing.
    """
    wording = question.text.casefold()
    said = values_of(memory, kind)
    if kind is ValueKind.IDENTIFIER and asks_for_code(question):
        said = sorted((*said, *codes_of(memory)), key=lambda value: value.start)
    found = [value for value in said if value.text.casefold() not in wording]
    if kind is ValueKind.TIME and CLOCK.search(question.text):
        found = [value for value in found if is_clock(time_of(memory, value))] or found
    head = words.HEADER.match(memory.text) if kind is ValueKind.PERSON else None
    found = [value for value in found if head is None or value.start >= head.end()]
    if not found:
        return None
    spans = clauses(memory.text)
    asked = asked_words(question.text)
    homes = [(value, _home(value, spans)) for value in found]
    near = {place: _nearness(memory.text, spans, place, asked) for place in {place for _, place in homes}}
    best = max(near.values())
    kept = [(value, place) for value, place in homes if near[place] == best]
    return Located(spans[kept[0][1]], tuple(value for value, _ in kept))


def _home(value: Value, spans: Sequence[tuple[int, int]]) -> int:
    """The number of the clause a value begins in; of one that begins in none, the last."""
    at = bisect_right(spans, value.start, key=lambda span: span[0]) - 1
    return at if at >= 0 and value.start < spans[at][1] else len(spans) - 1


def _nearness(text: str, spans: Sequence[tuple[int, int]], place: int, asked: Sequence[str]) -> float:
    """How many of the question's words stand in a clause, those just before it counted half."""
    own = words.words_in(text, spans[place])
    before = words.words_in(text, spans[place - 1]) if place else ()
    here = words.shared(asked, own)
    return len(here) + 0.5 * len(words.shared([word for word in asked if word not in here], before))
