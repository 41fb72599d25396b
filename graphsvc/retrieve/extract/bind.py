"""How closely a value is bound to the words of the question: by clause first, then by distance."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from graphsvc.models.answer import Value
from graphsvc.models.facts import TimeExpression
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.numbered import members
from graphsvc.retrieve.extract.terms import Covered
from graphsvc.retrieve.extract.wanted import Part
from graphsvc.retrieve.extract.words import Reading

# A clause lends its topic to the one after it, less to the one before; shares of a word in the clause itself.
_BEFORE = 0.45
_AFTER = 0.25
_TOPIC = 0.8
_SENTENCE = 0.2
_ELSEWHERE = 0.08
# What each character of distance inside the clause takes off, up to a bound.
_PER_CHAR = 0.006
_FARTHEST = 40
# How many clauses back a topic is carried on.
_CHAIN = 3
# Values that are what their clause is about, and carry no topic on.
# "十二月", "5月": a month's name without a day.
_SHORT_MONTH = 3
# A weekday by its name alone, of no week.
_BARE_DAY = re.compile(r"(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:on )?[a-z]+days?).{0,4}", re.IGNORECASE)
_NOUNS = frozenset({"person", "choice", "place", "reason", "name"})
_TO = re.compile(
    r"(?:给|跟|向|找|交给|借给|卖给|送给|问|和|与|替|帮)了?\s*$|\b(?:to|for|with|from|of|about|ask|call)\s+(?:the "
    r"|my |our )?$",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:由|被|归|让|是)\s*$|\bby\s+(?:the |my |our )?$|\bit (?:was|is) $", re.IGNORECASE)


def bound(value: Value, covered: Covered, reading: Reading) -> float:
    """The share, in [0, 1], of the question's words found in the memory that stand by the value."""
    total = got = 0.0
    at = reading.clause_at(value.start)
    topic = topic_of(value, reading)
    for term, places in zip(covered.terms, covered.places, strict=True):
        if places:
            total += term.weight
            got += term.weight * _closest(value, places, (topic, at), reading)
    return got / total if total else 0.0


def topic_of(value: Value, reading: Reading) -> int:
    """The clause that names what the value is said of: its own, or one before where its own names nothing.

    "新鱼竿4.5米长，花了380元": what was spent is said of the rod.
    """
    at = reading.clause_at(value.start)
    if value.type in _NOUNS:
        return at
    first = at
    while first > 0 and reading.clauses[first - 1].sentence == reading.clauses[at].sentence and at - first < _CHAIN:
        end = value.start if first == at else reading.clauses[first].end
        if names_something(reading, reading.clauses[first].start, end):
            break
        first -= 1
    return first


def names_something(reading: Reading, start: int, end: int) -> bool:
    """Whether a stretch holds a noun, or an English word that may be one."""
    return any(word.noun or (word.content and word.text.isascii()) for word in reading.within(start, end))


def beside(value: Value, places: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The place before a value and the one after it, of places in order; no other is nearer."""
    at = bisect_left(places, (value.start,))
    return places[max(at - 1, 0) : at + 1]


def _closest(value: Value, places: Sequence[tuple[int, int]], chain: tuple[int, int], reading: Reading) -> float:
    """The share of the nearest of some places, in order: by clause, and inside the value's own by distance.

    Found by bisection: a long list of values has as many places as values.
    """
    topic, at = chain
    own = [
        1.0 - _PER_CHAR * min(max(value.start - end if end <= value.start else start - value.end, 0), _FARTHEST)
        for start, end in beside(value, places)
        if reading.clause_at(start) == at
    ]
    first, last = _sentence_of(at, reading)
    around = ((_TOPIC, topic, at - 1), (_BEFORE, at - 1, at - 1), (_AFTER, at + 1, at + 1), (_SENTENCE, first, last))
    other = next(
        (share for share, low, high in around if _any_in(places, max(low, first), min(high, last), reading)), _ELSEWHERE
    )
    return max((*own, other)) if own else other


def _sentence_of(at: int, reading: Reading) -> tuple[int, int]:
    """The first and the last clause of the sentence that a clause belongs to."""
    number = reading.clauses[at].sentence
    first = bisect_left(reading.clauses, number, key=lambda clause: clause.sentence)
    return first, bisect_left(reading.clauses, number + 1, key=lambda clause: clause.sentence) - 1


def _any_in(places: Sequence[tuple[int, int]], first: int, last: int, reading: Reading) -> bool:
    """Whether a place, of places in order, begins in a clause from `first` to `last`."""
    if first > last:
        return False
    at = bisect_left(places, (reading.clause_starts[first],)) if first else 0
    return at < len(places) and reading.clause_at(places[at][0]) <= last


def when_factor(value: Value, question: Question, memory: Memory, reading: Reading) -> float:
    """Above 1 where the value's clause names the time the question names, below 1 where it names another."""
    people = [(one.start, one.end) for one in question.mentions if one.type == "person"]
    asked = [
        time
        for time in question.times
        if time.begin is not None
        and time.until is not None
        and not any(a < time.end and time.start < b for a, b in people)
    ]
    if not asked:
        return 1.0
    clause = reading.clauses[reading.clause_at(value.start)]
    named = memory.facts.mentions
    told = [
        time
        for time in memory.facts.times
        if clause.start <= time.start < clause.end
        and time.begin is not None
        and not _inside(value, time)
        and not any(one.type == "person" and one.start < time.end and time.start < one.end for one in named)
    ]
    if not told:
        return 1.0
    return 1.3 if _meet(asked, told) else 0.45


def _inside(value: Value, time: TimeExpression) -> bool:
    return time.start < value.end and value.start < time.end


def _meet(asked: Iterable[TimeExpression], told: Iterable[TimeExpression]) -> bool:
    return any(_same_name(left.text, right.text) or _overlap(left, right) for left in asked for right in told)


def _overlap(left: TimeExpression, right: TimeExpression) -> bool:
    return (
        left.begin is not None
        and right.begin is not None
        and (right.until is None or left.begin < right.until)
        and (left.until is None or right.begin < left.until)
    )


def _same_name(asked: str, told: str) -> bool:
    """Whether both name the same month or weekday alone: its year or week is only guessed from when it was said."""
    left, right = members(asked), members(told)
    if any(one.kind == "year" for one in (*left, *right)):
        return False
    months = {one.name for one in left if one.kind == "month"}
    if months:
        return months == {one.name for one in right if one.kind == "month"} and _bare_month(asked, told)
    days = {one.name for one in left if one.kind == "weekday"}
    return bool(days) and days == {one.name for one in right} and _BARE_DAY.fullmatch(asked.strip()) is not None


def _bare_month(asked: str, told: str) -> bool:
    """No day is named on one side, or both texts are the same."""
    relative = re.search(r"[去前明后]年|last|next", asked) is not None
    return asked == told or (min(len(asked), len(told)) <= _SHORT_MONTH and not relative)


def part_factor(value: Value, part: Part | None, reading: Reading) -> float:
    """How well a person stands in the part asked for."""
    clause = reading.clauses[reading.clause_at(value.start)]
    before, after = reading.text[clause.start : value.start], reading.text[value.end : clause.end]
    if part is Part.OWNER:
        return 1.3 if re.match(r"['’]s|的", after) else 0.8
    to, by = _TO.search(before) is not None, _BY.search(before) is not None
    if part is Part.RECIPIENT:
        return 1.3 if to else 0.85
    if part is Part.AGENT:
        return 1.25 if by else 0.8 if to else 1.1 if not before.strip(" ,，、and") else 1.0
    return 1.0
