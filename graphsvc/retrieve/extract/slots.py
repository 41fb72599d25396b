"""Every value of a memory that could fill what is asked for, each with its place and what it measures.

Values come from the memory's facts; what those leave out (a bare number before the noun it counts,
one end of a range, a code beside its label) is read here, always as a span of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from graphsvc.language.amounts.units import DURATIONS
from graphsvc.models.facts import Anchor, Granularity, TimeExpression
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.figures import measured
from graphsvc.retrieve.extract.numbers import amounts
from graphsvc.retrieve.extract.people import people
from graphsvc.retrieve.extract.slot import Slot, marked, value_at
from graphsvc.retrieve.extract.wanted import Asks, Code, Wanted, When
from graphsvc.retrieve.extract.words import Reading

_CLOCKS = frozenset({Granularity.SECOND, Granularity.MINUTE, Granularity.HOUR})
_CLOCK = re.compile(
    r"\d{1,2}[:：]\d{2}|\d{1,2}\s*(?:am|pm|a\.m|p\.m)|[点時时]|o'clock|\bnoon\b|midnight", re.IGNORECASE
)
_DAY = re.compile(
    r"[号日月年]|周|星期|礼拜|天|[今明后昨前去]|底|初|\d{4}|\d+/\d+"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)|day|week|month|year"
    r"|tomorrow|tonight",
    re.IGNORECASE,
)
_END = re.compile(r"^(?:by|until|till|before|within|最晚|最迟|截[止至])|(?:以?前|之前|为止|截止|内)$", re.IGNORECASE)
_BEGIN = re.compile(r"^(?:since|from|starting|自|从|打)|(?:起|以来|开始|以后)$", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:\bto\b|到|至|-|–|~)\s*")
# So long from some moment on: 三天后, within a week.
_AWAY = re.compile(r"(?:后|内)$|^(?:in|within)\b", re.IGNORECASE)
_ELAPSED = re.compile(r"\d{1,2}(?::\d{2}){1,2}")
_CODE_LIKE = re.compile(
    r"(?<![A-Za-z0-9_.@-])(?=[\w.:-]*\d)[A-Za-z0-9][A-Za-z0-9]*(?:[-.:/][A-Za-z0-9]+)*(?![A-Za-z0-9_@-])"
)
_PHONE_LIKE = re.compile(r"(?<![A-Za-z0-9_.-])\+?\d[\d -]{4,16}\d(?![A-Za-z0-9_]|[.-]\d)")
_QUOTED = re.compile(r"[\"“「『']([^\"”」』']{2,30})[\"”」』']")
_ID_TYPES = {
    Code.PHONE: ("phone",),
    Code.EMAIL: ("email",),
    Code.IP: ("ip",),
    Code.URL: ("url",),
    Code.ANY: ("identifier",),
    Code.PLATE: ("identifier",),
    Code.VERSION: ("identifier",),
    Code.KEY: ("identifier",),
}


def slots(memory: Memory, wanted: Wanted, reading: Reading) -> list[Slot]:
    """All that could answer, in the text's order; empty where nothing typed is asked."""
    match wanted.asks:
        case Asks.TIME:
            found = [*_times(memory, wanted)]
        case Asks.AMOUNT:
            found = [*amounts(memory, wanted)]
        case Asks.PERSON:
            found = [*people(memory, reading)]
        case Asks.IDENTIFIER:
            found = [*_codes(memory, wanted)]
        case _:
            found = []
    best: dict[tuple[int, int], Slot] = {}
    for slot in found:
        span = slot.value.start, slot.value.end
        if span not in best or best[span].fit < slot.fit:
            best[span] = slot
    return sorted(best.values(), key=lambda slot: slot.value.start)


def _times(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    when = wanted.when or When.POINT
    facts = memory.facts
    if when is When.DURATION:
        yield from _stretches(memory)
        return
    for time in facts.times:
        for start, end, begin in _ends(memory.text, time):
            text = memory.text[start:end]
            fit = _time_fit(time, text, when)
            if fit > 0:
                yield Slot(value_at(memory, "time", start, end, begin), fit)
    if when is When.RECURRING or not facts.times:
        for amount in facts.amounts:
            if amount.unit in DURATIONS and when is not When.CLOCK:
                kind = 0.4 if when is When.RECURRING else 0.15
                yield Slot(
                    value_at(memory, "time", amount.start, amount.end, measured(amount.value, amount.unit)), kind
                )


def _ends(text: str, time: TimeExpression) -> list[tuple[int, int, str | None]]:
    """A time as it stands, or the two ends that `from 12 May to 19 May` names."""
    begin = time.begin.isoformat() if time.begin else None
    if time.until is not None and _END.search(text[time.start : time.end]):
        # A deadline is its last day, not the moment of speaking that its stretch began with.
        midnight = time.until.time() == time.until.min.time()
        begin = (time.until - timedelta(days=1) if midnight else time.until).isoformat()
    whole = time.start, time.end, begin
    cut = _RANGE.search(text, time.start + 1, time.end - 1)
    if time.granularity is not Granularity.RANGE or cut is None or cut.end() >= time.end:
        return [whole]
    last = (time.until - timedelta(days=1)).isoformat() if time.until else None
    return [whole, (time.start, cut.start(), begin), (cut.end(), time.end, last)]


def _time_fit(time: TimeExpression, text: str, when: When) -> float:
    recurring = time.anchor is Anchor.RECURRING
    clock = time.granularity in _CLOCKS or bool(_CLOCK.search(text))
    ends, begins = bool(_END.search(text)), bool(_BEGIN.search(text))
    match when:
        case When.RECURRING:
            return 1.0 if recurring else 0.1
        case When.CLOCK:
            return 1.0 if clock else 0.25 if time.granularity is Granularity.HALF_DAY else 0.05
        case When.DATE:
            return 0.9 if _DAY.search(text) else 0.2
        case When.SINCE:
            return 1.0 if begins else 0.2 if ends else 0.6
        case When.DEADLINE:
            return 1.0 if ends else 0.7 if not recurring else 0.3
        case _:
            return 0.6 if recurring else 0.95 if time.granularity is not Granularity.YEAR else 0.85


def _stretches(memory: Memory) -> Iterator[Slot]:
    """Amounts of time; one inside a rhythm or a point ("every 3 months", "in 3 days") is a poor one."""
    for amount in memory.facts.amounts:
        if amount.unit in DURATIONS:
            inside = any(time.start <= amount.start and amount.end <= time.end for time in memory.facts.times)
            yield Slot(
                value_at(memory, "duration", amount.start, amount.end, measured(amount.value, amount.unit)),
                0.5 if inside else 1.0,
            )
    for time in memory.facts.times:
        if time.anchor in {Anchor.SPEAKER, Anchor.EVENT} and _AWAY.search(time.text):
            yield Slot(value_at(memory, "duration", time.start, time.end), 0.45)
    for found in _ELAPSED.finditer(memory.text):
        if re.search(r"\b(?:in|of|was|took|is|time)\s*$|[用时绩为是]\s*$", memory.text[: found.start()]):
            yield Slot(value_at(memory, "duration", *found.span()), 0.8)


def _codes(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    code = wanted.code or Code.ANY
    types = _ID_TYPES[code]
    text = memory.text
    for mention in memory.facts.mentions:
        if mention.type in types:
            yield Slot(value_at(memory, mention.type, mention.start, mention.end, mention.key), 1.0)
        elif code in {Code.ANY, Code.KEY, Code.PLATE} and mention.type in {"identifier", "phone"}:
            yield Slot(value_at(memory, mention.type, mention.start, mention.end, mention.key), 0.4)
    if code is Code.PHONE:
        for found in _PHONE_LIKE.finditer(text):
            yield Slot(value_at(memory, "phone", *found.span()), 0.7)
        return
    if code in {Code.EMAIL, Code.IP, Code.URL}:
        return
    busy = [(t.start, t.end) for t in memory.facts.times]
    busy += [(a.start, a.end) for a in memory.facts.amounts if a.unit is not None]
    busy += [(m.start, m.end) for m in memory.facts.mentions if m.type in {"email", "ip", "url"}]
    taken = marked(text, busy)
    for found in _CODE_LIKE.finditer(text):
        if not any(taken[found.start() : found.end()]):
            yield Slot(value_at(memory, "identifier", *found.span()), 0.7)
    if code is Code.KEY:
        for found in _QUOTED.finditer(text):
            yield Slot(value_at(memory, "identifier", *found.span(1)), 0.5)
