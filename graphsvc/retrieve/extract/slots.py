"""Every value of a memory that could fill what is asked for, each with its place and what it measures.

Values come from the memory's facts; what those leave out (a bare number before the noun it counts,
one end of a range, a code beside its label) is read here, always as a span of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graphsvc.language.amounts.units import DURATIONS
from graphsvc.models.answer import Value
from graphsvc.models.facts import Anchor, Granularity, TimeExpression
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.dimensions import Dimension, dimensions_of
from graphsvc.retrieve.extract.wanted import Asks, Code, Wanted, When
from graphsvc.retrieve.extract.words import Reading


@dataclass(frozen=True, slots=True)
class Slot:
    """A value and how well its kind fits, in (0, 1]."""

    value: Value
    fit: float


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
_RATIO = re.compile(r"(?<![\d/])\d{2,3}/\d{2,3}(?![\d/])")
_ELAPSED = re.compile(r"\d{1,2}(?::\d{2}){1,2}")
_TIMES_COUNTED = re.compile(
    r"(?<![\w.,])(\d+|two|three|four|five|six|seven|eight|nine|ten|a dozen|twice"
    r"|once)(?: (times|attempts|tries))?\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w:/-]|\.\d|,\d)")
_SPELT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty)\b(?= [a-z])",
    re.IGNORECASE,
)
_HAN_BARE = re.compile(r"(?<![\d.第一二三四五六七八九十百千万:])(\d+|[一二两三四五六七八九十]+)(?=[\u4e00-\u9fff])")
_MEASURE_AFTER = re.compile(r"\s*(m|km|cm|kg|g|l|ml|lb)\b")
_CODE_LIKE = re.compile(
    r"(?<![A-Za-z0-9_.@-])(?=[\w.:-]*\d)[A-Za-z0-9][A-Za-z0-9]*(?:[-.:/][A-Za-z0-9]+)*(?![A-Za-z0-9_@-])"
)
_PHONE_LIKE = re.compile(r"(?<![A-Za-z0-9_.-])\+?\d[\d -]{4,16}\d(?![A-Za-z0-9_]|[.-]\d)")
_QUOTED = re.compile(r"[\"“「『']([^\"”」』']{2,30})[\"”」』']")
_CAPITALISED = re.compile(r"(?<![\w.@])[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2}")
# What may stand capitalised at a sentence's head, or anywhere, and names no person.
_NO_NAME = re.compile(
    r"^(?:the|a|an|my|our|his|her|its|their|your|this|that|these|those|it|he|she|we|they|you|i|not|no|yes|if|when"
    r"|while|after"
    r"|before|since|because|so|but|and|or|for|from|to|in|on|at|by|with|of|as|there|here|then|now|today|tomorrow"
    r"|yesterday|once"
    r"|please|thanks|also|just|only|maybe|what|who|where|why|how|keep|do|don't|let's|let|we're|i'm|it's|he's|she's"
    r"|they're|i've"
    r"|all|both|each|every|some|any|most|one|two|three|last|next|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b"
    r"|^(?:January|February"
    r"|March|April|May|June|July|August|September|October|November|December)$",
    re.IGNORECASE,
)
_NAMED_FIT = {"place": 0.55, "organisation": 0.75, "person": 1.0}
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
            found = [*_amounts(memory, wanted)]
        case Asks.PERSON:
            found = [*_people(memory, reading)]
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


def _value(memory: Memory, kind: str, start: int, end: int, normalised: str | None = None) -> Value:
    return Value(type=kind, text=memory.text[start:end], start=start, end=end, normalised=normalised)


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
                yield Slot(_value(memory, "time", start, end, begin), fit)
    if when is When.RECURRING or not facts.times:
        for amount in facts.amounts:
            if amount.unit in DURATIONS and when is not When.CLOCK:
                kind = 0.4 if when is When.RECURRING else 0.15
                yield Slot(_value(memory, "time", amount.start, amount.end, f"{amount.value:g} {amount.unit}"), kind)


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
                _value(memory, "duration", amount.start, amount.end, f"{amount.value:g} {amount.unit}"),
                0.5 if inside else 1.0,
            )
    for time in memory.facts.times:
        if time.anchor in {Anchor.SPEAKER, Anchor.EVENT} and _AWAY.search(time.text):
            yield Slot(_value(memory, "duration", time.start, time.end), 0.45)
    for found in _ELAPSED.finditer(memory.text):
        if re.search(r"\b(?:in|of|was|took|is|time)\s*$|[用时绩为是]\s*$", memory.text[: found.start()]):
            yield Slot(_value(memory, "duration", *found.span()), 0.8)


def _amounts(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    text = memory.text
    taken = [(amount.start, amount.end) for amount in memory.facts.amounts]
    inside_time = [(time.start, time.end) for time in memory.facts.times]
    for amount in memory.facts.amounts:
        covered = any(a <= amount.start and amount.end <= b for a, b in inside_time)
        if covered and Dimension.DURATION not in wanted.dimensions:
            continue
        unit = amount.unit
        end = amount.end
        if unit is None and (measured := _MEASURE_AFTER.match(text, end)):
            unit, end = measured.group(1), measured.end()
        fit = _amount_fit(dimensions_of(unit), wanted.dimensions)
        if unit is None and wanted.noun is not None and not _counts(text, end, wanted.noun):
            fit *= 0.6
        if fit > 0:
            normalised = f"{amount.value:g} {unit or ''}".strip()
            yield Slot(_value(memory, "amount", amount.start, end, normalised), fit)
    if not wanted.dimensions or Dimension.NUMBER in wanted.dimensions:
        for found in _RATIO.finditer(text):
            yield Slot(_value(memory, "amount", *found.span()), 0.9)
    if wanted.dimensions <= {Dimension.COUNT, Dimension.OCCASIONS, Dimension.AGE, Dimension.MONEY}:
        yield from _bare(memory, wanted, [*taken, *inside_time])


def _amount_fit(told: frozenset[Dimension], asked: frozenset[Dimension]) -> float:
    if not asked or Dimension.NUMBER in asked:
        return 0.3 if told == {Dimension.DURATION} else 1.0 if not asked or told & asked else 0.7
    if told & asked:
        return 1.0
    if not told:
        return 0.75 if Dimension.MONEY in asked else 0.6
    return 0.0


def _counts(text: str, end: int, noun: str) -> bool:
    """Whether the counted noun follows within three words."""
    head = noun.rsplit(maxsplit=1)[-1][:4].casefold()
    return head in text[end : end + 28].casefold()


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> bytearray:
    """One byte for each character, 1 where a span covers it."""
    marks = bytearray(len(text))
    for start, end in spans:
        marks[start:end] = b"\x01" * (end - start)
    return marks


def _bare(memory: Memory, wanted: Wanted, taken: list[tuple[int, int]]) -> Iterator[Slot]:
    """Numbers no amount was read from: 11 koi, 3 pills, 4 times, 3针."""
    occasions = Dimension.OCCASIONS in wanted.dimensions
    marked = _marked(memory.text, taken)
    patterns = (_TIMES_COUNTED,) if occasions else (_BARE, _SPELT, _HAN_BARE)
    for pattern in patterns:
        for found in pattern.finditer(memory.text):
            if any(marked[found.start() : found.end()]):
                continue
            if occasions and found.group(2) is None and found.group(1).casefold() not in {"once", "twice"}:
                continue
            counted = wanted.noun is not None and _counts(memory.text, found.end(), wanted.noun)
            yield Slot(_value(memory, "amount", *found.span()), 1.0 if occasions else 0.85 if counted else 0.35)


def _people(memory: Memory, reading: Reading) -> Iterator[Slot]:
    text = memory.text
    for mention in memory.facts.mentions:
        fit = _NAMED_FIT.get(mention.type, 0.0)
        if fit and (fit == 1.0 or mention.text.isascii()):
            yield Slot(_value(memory, "person", mention.start, mention.end, mention.key), fit)
    facts = memory.facts
    spans = [(mention.start, mention.end) for mention in facts.mentions]
    known = _marked(text, [*spans, *((time.start, time.end) for time in facts.times)])
    for found in _CAPITALISED.finditer(text):
        name = re.sub(r"['’]s$", "", found.group())
        if not _NO_NAME.match(name) and not any(known[found.start() : found.end()]):
            yield Slot(
                _value(memory, "person", found.start(), found.start() + len(name), name.casefold()),
                0.5,
            )
    for index, _ in reading.kin:
        word = reading.words[index]
        if not any(known[word.start : word.end]):
            start = word.start
            if index and re.fullmatch(
                r"(?:my|our|his|her|their|the|your)|[\w]+'s|我|他|她|我们", reading.words[index - 1].text
            ):
                start = reading.words[index - 1].start
            yield Slot(_value(memory, "person", start, word.end, word.text), 0.6)


def _codes(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    code = wanted.code or Code.ANY
    types = _ID_TYPES[code]
    text = memory.text
    for mention in memory.facts.mentions:
        if mention.type in types:
            yield Slot(_value(memory, mention.type, mention.start, mention.end, mention.key), 1.0)
        elif code in {Code.ANY, Code.KEY, Code.PLATE} and mention.type in {"identifier", "phone"}:
            yield Slot(_value(memory, mention.type, mention.start, mention.end, mention.key), 0.4)
    if code is Code.PHONE:
        for found in _PHONE_LIKE.finditer(text):
            yield Slot(_value(memory, "phone", *found.span()), 0.7)
        return
    if code in {Code.EMAIL, Code.IP, Code.URL}:
        return
    busy = [(t.start, t.end) for t in memory.facts.times]
    busy += [(a.start, a.end) for a in memory.facts.amounts if a.unit is not None]
    busy += [(m.start, m.end) for m in memory.facts.mentions if m.type in {"email", "ip", "url"}]
    marked = _marked(text, busy)
    for found in _CODE_LIKE.finditer(text):
        if not any(marked[found.start() : found.end()]):
            yield Slot(_value(memory, "identifier", *found.span()), 0.7)
    if code is Code.KEY:
        for found in _QUOTED.finditer(text):
            yield Slot(_value(memory, "identifier", *found.span(1)), 0.5)
