"""Values brought to one measure, and whether two of them can both be right.

Amounts agree when their ranges meet in one unit, times when their intervals meet, names when one may be the
other, codes when every figure is the same. What has no common measure is not compared.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from enum import StrEnum

from graphsvc.language.aliases import could_be, name_variants
from graphsvc.language.amounts.units import CURRENCIES
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Value
from graphsvc.models.facts import Amount, Anchor, Granularity, TimeExpression
from graphsvc.models.memory import Memory
from ontology.model import ValueKind


class Verdict(StrEnum):
    """How two values stand to each other."""

    SAME = "same"
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


_SHAPED = {
    ValueKind.PERSON: frozenset({"person", "organisation"}),
    ValueKind.IDENTIFIER: frozenset({"identifier", "ip", "phone", "email", "url"}),
}
PLACE = "place"
# Units of one measure, as multiples of its base; of currencies none, for rates change.
_SCALES = {
    "km": ("length", 1000.0), "m": ("length", 1.0), "cm": ("length", 0.01), "mm": ("length", 0.001),
    "t": ("mass", 1000.0), "kg": ("mass", 1.0), "斤": ("mass", 0.5), "g": ("mass", 0.001), "mg": ("mass", 1e-6),
    "l": ("volume", 1.0), "ml": ("volume", 0.001), "ha": ("area", 10000.0), "m2": ("area", 1.0),
    "week": ("days", 7.0), "day": ("days", 1.0), "hour": ("hours", 1.0), "minute": ("hours", 1 / 60),
    "year": ("months", 12.0), "quarter": ("months", 3.0), "month": ("months", 1.0),
    "TB": ("bytes", 1024.0), "GB": ("bytes", 1.0), "MB": ("bytes", 1 / 1024),
}  # fmt: skip
# Words that count whatever stands beside them; a bare number counts too.
_COUNTS = frozenset(
    {"个", "名", "位", "人", "台", "件", "箱", "套", "份", "只", "辆", "间", "张", "块", "次", "条", "家", "户"}
)
# A role before its bearer is taken for a person at times: 语文老师是陈静.
_ROLE = re.compile(r"\s*(?:现在|已经?|也)?(?:[是为由归]|换|改)|\s+(?:is|was|will be)\s+(?=[A-Z])")
_ABOUT = re.compile(
    r"(?:约|大概|大约|差不多|将近|近|about|around|roughly|approx\.?|nearly|almost|some|~)\s*$", re.IGNORECASE
)
# After a linking verb, a word of becoming or a colon: letters and figures in one piece, with a figure among them.
_SAID_TO_BE = re.compile(
    r"(?:\b(?:is|was|be|became|to)\s+|['’]s\s+|[:：=]\s*|[是为成]\s*)(?:now\s+|still\s+|就|了)?[\"'“‘「]?"
    r"(?P<code>(?=[a-z-]{0,20}\d)[a-z0-9]{1,40}(?:[-./_][a-z0-9]{1,40}){0,6})(?![\w%‰])",
    re.IGNORECASE,
)
_ROUGH = 0.1
_ANCHORED = frozenset({Anchor.ABSOLUTE, Anchor.SPEAKER})
_CLOCK = frozenset({Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_DATED = re.compile(
    r"[周年月日号]|[今明后昨前]天|星期|礼拜|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)


def values_of(memory: Memory, kind: ValueKind) -> list[Value]:
    """The values of a kind in a memory, in the text's order; only those that can be compared."""
    facts = memory.facts
    match kind:
        case ValueKind.TIME:
            return [_value(kind.value, t, t.begin.isoformat()) for t in facts.times if t.begin is not None]
        case ValueKind.AMOUNT:
            inside = [(t.start, t.end) for t in facts.times]
            return [
                _value(kind.value, a, f"{a.value:g} {a.unit or ''}".strip())
                for a in facts.amounts
                if not any(start <= a.start < end for start, end in inside)
            ]
        case ValueKind.PERSON | ValueKind.IDENTIFIER:
            return [
                _value(m.type, m, m.key)
                for m in facts.mentions
                if m.type in _SHAPED[kind] and not _ROLE.match(memory.text, m.end)
            ]
        case _:
            return []


def places_of(memory: Memory) -> list[Value]:
    return [_value(PLACE, m, m.key) for m in memory.facts.mentions if m.type == PLACE]


def codes_of(memory: Memory) -> list[Value]:
    """Codes by where they stand: figures, with letters or without, that are what something is said to be.

    "The gate code is 4711" has the shape of a count; only beside a question for a code is it read as one. What has
    a unit or tells a time is none.
    """
    facts = memory.facts
    taken = [(time.start, time.end) for time in facts.times]
    taken += [(mention.start, mention.end) for mention in facts.mentions]
    taken += [(one.start, one.end) for one in facts.amounts if one.unit is not None or one.high is not None]
    return [
        Value(
            type=ValueKind.IDENTIFIER.value,
            text=found["code"],
            start=found.start("code"),
            end=found.end("code"),
            normalised=fold_key(found["code"]),
        )
        for found in _SAID_TO_BE.finditer(memory.text)
        if not any(start < found.end("code") and found.start("code") < end for start, end in taken)
    ]


def _value(kind: str, found: object, normalised: str) -> Value:
    start, end, text = (getattr(found, name) for name in ("start", "end", "text"))
    return Value(type=kind, text=text, start=start, end=end, normalised=normalised)


def compare(left: Memory, one: Value, right: Memory, other: Value) -> Verdict:
    """Whether two values of one kind can both be right."""
    if one.type == ValueKind.AMOUNT.value == other.type:
        return compare_amounts(
            amount_of(left, one), amount_of(right, other), rough=_rough(left, one) or _rough(right, other)
        )
    if one.type == ValueKind.TIME.value == other.type:
        return _compare_times(left, one, right, other)
    if one.type in _SHAPED[ValueKind.PERSON] and other.type in _SHAPED[ValueKind.PERSON]:
        return _verdict(one_name(one.normalised or one.text, other.normalised or other.text))
    if one.type == other.type:
        return _verdict((one.normalised or one.text) == (other.normalised or other.text))
    return Verdict.INCOMPARABLE


def compare_amounts(one: Amount, other: Amount, *, rough: bool = False) -> Verdict:
    """Amounts of one measure agree when their ranges meet; `rough` ones when they are within a tenth."""
    scales = _common(one.unit, other.unit)
    if scales is None:
        return Verdict.INCOMPARABLE
    (low, high), (bottom, top) = (
        (a.value * scale, (a.value if a.high is None else a.high) * scale)
        for a, scale in zip((one, other), scales, strict=True)
    )
    slack = max(abs(high), abs(top)) * (_ROUGH if rough else 1e-9)
    return _verdict(low <= top + slack and bottom <= high + slack)


def _common(one: str | None, other: str | None) -> tuple[float, float] | None:
    """The factors that bring two units to one measure; None where they share none."""
    if one == other:
        return 1.0, 1.0
    if one in _SCALES and other in _SCALES:
        (measure, scale), (also, factor) = _SCALES[one], _SCALES[other]
        return (scale, factor) if measure == also else None
    loose = _COUNTS | {None}
    if (one in loose and other in loose) or (None in (one, other) and (one or other) in CURRENCIES):
        return 1.0, 1.0
    return None


def amount_of(memory: Memory, value: Value) -> Amount:
    return next(a for a in memory.facts.amounts if (a.start, a.end) == (value.start, value.end))


def _rough(memory: Memory, value: Value) -> bool:
    return _ABOUT.search(memory.text[max(0, value.start - 10) : value.start]) is not None or bool(
        re.match(r"\s*(?:左右|上下|多|来|出头|or so)", memory.text[value.end : value.end + 6])
    )


def time_of(memory: Memory, value: Value) -> TimeExpression:
    return next(t for t in memory.facts.times if (t.start, t.end) == (value.start, value.end))


def is_clock(time: TimeExpression) -> bool:
    return time.granularity in _CLOCK


def _compare_times(left: Memory, one: Value, right: Memory, other: Value) -> Verdict:
    """Two clock times without a day are compared as such; else intervals, the coarser holding the finer."""
    first, second = time_of(left, one), time_of(right, other)
    recurring = Anchor.RECURRING in (first.anchor, second.anchor)
    dated = [not recurring and _DATED.search(time.text) is not None for time in (first, second)]
    if is_clock(first) and is_clock(second) and not all(dated):
        return _verdict(_clock(first.begin, left) == _clock(second.begin, right))
    if recurring or any(is_clock(time) and not known for time, known in zip((first, second), dated, strict=True)):
        return Verdict.INCOMPARABLE
    return _verdict(meet(first, second))


def _clock(moment: datetime | None, memory: Memory) -> timedelta | None:
    """The time of day in the memory's own zone; noon and midnight of a bare hour are not told apart."""
    if moment is None:
        return None
    local = moment.astimezone(memory.event_time.tzinfo)
    return timedelta(hours=local.hour, minutes=local.minute)


def is_dated(time: TimeExpression) -> bool:
    """Whether it names a day or more, not a bare time of day."""
    return not is_clock(time) or _DATED.search(time.text) is not None


def is_stretch(time: TimeExpression) -> bool:
    """Whether it names a stretch of the calendar of its own."""
    return time.anchor in _ANCHORED and is_dated(time) and (time.begin is not None or time.until is not None)


def meet(one: TimeExpression, other: TimeExpression) -> bool:
    """Whether two intervals share a moment; an open end reaches on for ever."""
    return not (
        (one.until is not None and other.begin is not None and one.until <= other.begin)
        or (other.until is not None and one.begin is not None and other.until <= one.begin)
    )


def one_name(one: str, other: str) -> bool:
    """Whether two folded names may be one person's or thing's."""
    if one == other or name_variants(one) & name_variants(other) or could_be(one, other) > 0:
        return True
    short, long = sorted((one, other), key=len)
    return short in long


def _verdict(same: bool) -> Verdict:
    return Verdict.SAME if same else Verdict.DIFFERENT
