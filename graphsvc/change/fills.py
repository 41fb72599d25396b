"""Which values of two clauses can fill one slot, and whether they are the same.

Dates fill the slot of dates and clock times that of clock times; amounts need one measure; codes one type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.change.values import Verdict, amount_of, compare, compare_amounts, is_clock, is_dated, meet, time_of
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Value
from graphsvc.models.facts import Amount, Anchor, Granularity, TimeExpression
from graphsvc.models.memory import Memory
from ontology.model import ValueKind

_CODES = frozenset({"identifier", "ip", "phone", "email", "url"})
_COARSE = frozenset({Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR})

# A day named by its place in the week or month only: told twice in one way, it is the same one.
_OF_CYCLE = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}[号日]|(?:on )?the \d{1,2}(?:st|nd|rd|th)"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
    re.IGNORECASE,
)
# A figure put in another's place without its unit is of its size.
_SCALE = 5.0


@dataclass(frozen=True, slots=True)
class Filled:
    """A value of the earlier clause and one of the later that stand in one slot."""

    earlier: Value
    later: Value
    same: bool


def filled(
    one: Memory, values: Sequence[Value], other: Memory, others: Sequence[Value], *, bare: bool = False
) -> tuple[Filled, ...]:
    """The pairs that can fill one slot; a value that the other side holds too is paired with nothing else.

    `bare` lets a number without a unit stand for one with any, as where a change leaves it out.
    """
    pairs = [
        Filled(a, b, verdict is Verdict.SAME)
        for a in values
        for b in others
        if (verdict := _verdict(one, a, other, b, bare=bare)) is not Verdict.INCOMPARABLE
    ]
    same_left = {(p.earlier.start, p.earlier.end) for p in pairs if p.same}
    same_right = {(p.later.start, p.later.end) for p in pairs if p.same}
    return tuple(
        p
        for p in pairs
        if p.same
        or ((p.earlier.start, p.earlier.end) not in same_left and (p.later.start, p.later.end) not in same_right)
    )


def _verdict(one: Memory, a: Value, other: Memory, b: Value, *, bare: bool) -> Verdict:
    if ValueKind.TIME.value in {a.type, b.type}:
        return _times(one, a, other, b) if a.type == b.type else Verdict.INCOMPARABLE
    if a.type in _CODES and b.type in _CODES:
        same = (a.normalised or a.text) == (b.normalised or b.text)
        alike = a.type == b.type and _shape(a.text) == _shape(b.text)
        return Verdict.SAME if same else Verdict.DIFFERENT if alike or a.type == b.type else Verdict.INCOMPARABLE
    if bare and a.type == ValueKind.AMOUNT.value == b.type:
        return _amounts(amount_of(one, a), amount_of(other, b))
    return compare(one, a, other, b)


def _amounts(one: Amount, other: Amount) -> Verdict:
    """A bare number counts whatever the other one does."""
    if (one.unit is None) != (other.unit is None):
        if not max(one.value, other.value) <= _SCALE * min(one.value, other.value):
            return Verdict.INCOMPARABLE
        return Verdict.SAME if one.value == other.value else Verdict.DIFFERENT
    return compare_amounts(one, other)


def _shape(text: str) -> tuple[bool, bool]:
    return any(char.isdigit() for char in text), any(char.isalpha() for char in text)


def _times(one: Memory, a: Value, other: Memory, b: Value) -> Verdict:
    """Of two clock times with days the days are compared first; one that comes round by its words."""
    first, second = time_of(one, a), time_of(other, b)
    if fold_key(first.text) == fold_key(second.text) and _OF_CYCLE.fullmatch(first.text):
        return Verdict.SAME
    if Anchor.RECURRING in (first.anchor, second.anchor) or None in (first.begin, second.begin):
        if not (first.anchor is second.anchor or first.begin is None or second.begin is None):
            return _of_week(first, second)
        same = fold_key(first.text) == fold_key(second.text)
        return Verdict.SAME if same else Verdict.DIFFERENT
    if is_dated(first) and is_dated(second):
        if (first.granularity in _COARSE) != (second.granularity in _COARSE):
            return Verdict.INCOMPARABLE
        return Verdict.SAME if meet(first, second) else Verdict.DIFFERENT
    if is_clock(first) and is_clock(second):
        return compare(one, a, other, b)
    return Verdict.INCOMPARABLE


def _of_week(first: TimeExpression, second: TimeExpression) -> Verdict:
    same = fold_key(first.text) == fold_key(second.text)
    return Verdict.SAME if same else Verdict.DIFFERENT


def tells(value: Value, text: str, span: tuple[int, int]) -> bool:
    """Whether a code stands where a value does, at the end of its clause; elsewhere it says which one is meant."""
    if value.type not in _CODES:
        return True
    after = text[value.end : span[1]].strip().rstrip("了。.!！吧哦\"'”’")
    return not after and text[span[1] : span[1] + 1] not in {":", "："}
