"""Find amounts in a text, from left to right.

80万, 八十万, ８０万, 800,000 and 0.8 million have one value. Dates, clock times, ordinals, codes
and the 一 of 一些 are not amounts: what is left out costs less than what is made up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from graphsvc.language.amounts.guard import is_inside_code, is_model_number, stands
from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.said import as_said
from graphsvc.language.amounts.scale import BIG, with_scale
from graphsvc.language.amounts.tagged import Tagged
from graphsvc.language.amounts.tails import signed, with_unit
from graphsvc.language.amounts.units import CURRENCIES, SYMBOLS, UNITS
from graphsvc.language.amounts.words import fractions, read_words
from graphsvc.language.normalise import Folded, fold
from graphsvc.language.numerals import NUMBER_WORDS, NUMERAL, parse_numeral
from graphsvc.language.patterns import EXTENSION, codes, shaped
from graphsvc.models.facts import Amount

_SIGNS = "|".join(sorted(map(re.escape, SYMBOLS), key=len, reverse=True))
_NO_COUNT = r"(?<![一二两三四五六七八九十\d几半])(?<![一二两三四五六七八九十\d几半]个)"
_START = re.compile(
    rf"(?P<weekday>{_NO_COUNT}(?:星期|礼拜|周)[一二三四五六日天末])"
    rf"|(?P<symbol>(?<![a-z])(?:{_SIGNS})[ ]?(?P<minus>(?<=[¥$€£])-)?)?(?:(?P<per>[百千万])分之)?(?P<number>{NUMERAL})"
    rf"|(?P<words>{NUMBER_WORDS})"
)
_TO = re.compile(rf"[ ]?(?P<to>-|~|到|至|—|to|and)[ ]?(?:{_SIGNS})?(?P<number>{NUMERAL})")
_PART = re.compile(rf"分之({NUMERAL})")
_SHARED_SCALE = re.compile("[百千万亿]+$")
_BOTH_ENDS = re.compile(r"[ ]?(?:之间|左右|不等)")
# A text with more numbers than these is a table; the numbers that come after them are not read.
_MOST_NUMBERS = 50_000
_SCALE_SIGNS = frozenset("百千万亿佰仟")


def _openings() -> frozenset[str]:
    """First characters of all that may belong to a number and stand behind it."""
    units = {unit[0] for unit in UNITS}
    return frozenset(units | set("kmbwt多余来-~到至—成分个半a") | {sign[0] for sign in SYMBOLS})


_MAY_FOLLOW = _openings()


def find_amounts(text: str, folded: Folded | None = None) -> list[Amount]:
    """Amounts in order, with spans in the text as it was written; who has folded it already may say so."""
    folded = folded or fold(text)
    line = folded.text
    taken = _Taken(line)
    first: list[Reading] = []
    for forms in (as_said, fractions):
        read = taken.free(reading for reading in forms(line) if stands(line, reading))
        taken.add((reading.start, reading.end) for reading in read)
        first += read
    found = taken.free(reading for reading in _readings(line) if not is_model_number(text, folded, reading))
    tagged = Tagged(line)
    settled = (tagged.settle(reading) for reading in found)
    readings = sorted([*first, *filter(None, settled)], key=lambda reading: reading.start)
    return [_amount(text, folded, reading) for reading in _without_denominators(readings)]


class _Taken:
    """Stretches that hold no amount: addresses, numbers to call, codes, and what was read before."""

    def __init__(self, line: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.add(self._shapes(line))

    def add(self, spans: Iterable[tuple[int, int]]) -> None:
        """Merge more spans in; what overlaps becomes one."""
        starts: list[int] = []
        ends: list[int] = []
        for start, end in sorted([*zip(self._starts, self._ends, strict=True), *spans]):
            if ends and start < ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                starts.append(start)
                ends.append(end)
        self._starts, self._ends = starts, ends

    def free(self, readings: Iterable[Reading]) -> list[Reading]:
        """Those that lie outside all spans."""
        return [reading for reading in readings if not self._touches(reading.start, reading.end)]

    def _touches(self, start: int, end: int) -> bool:
        before = bisect_right(self._starts, end - 1) - 1
        return before >= 0 and self._ends[before] > start

    @staticmethod
    def _shapes(line: str) -> Iterator[tuple[int, int]]:
        for start, end, kind in (*shaped(line), *codes(line)):
            extension = EXTENSION.match(line, end) if kind == "phone" else None
            yield start, extension.end() if extension else end


def _without_denominators(readings: list[Reading]) -> Iterator[Reading]:
    """三块五一斤 is a price: the one 斤 it is asked for is no amount of its own."""
    end, unit = -1, None
    for reading in readings:
        if not (reading.body in {"一", "1"} and reading.start == end and unit in CURRENCIES and reading.low == 1):
            yield reading
        end, unit = reading.end, reading.unit


def _amount(text: str, folded: Folded, reading: Reading) -> Amount:
    start, end = folded.span(reading.start, reading.end)
    high = None if reading.high is None else round(reading.high, 6)
    return Amount(start=start, end=end, text=text[start:end], value=round(reading.low, 6), high=high, unit=reading.unit)


def _readings(line: str) -> Iterator[Reading]:
    at = 0
    left = _MOST_NUMBERS
    while left and (match := _START.search(line, at)):
        at = match.end()
        if match["weekday"] or (match["number"] and is_inside_code(line, match.start())):
            continue
        left -= 1
        reading = read_words(line, match) if match["words"] else _read_number(line, match)
        if reading is not None and match["words"]:
            reading = signed(line, _with_range(line, reading))
        if reading is not None:
            at = max(at, reading.end)
            if stands(line, reading):
                yield reading


def _read_number(line: str, match: re.Match[str]) -> Reading | None:
    body = match["number"]
    bare = match["symbol"] is None and match["per"] is None and not _goes_on(line, match.end())
    if bare and len(body) == 1:
        return None
    parsed = parse_numeral(body)
    if parsed is None:
        return None
    low, high = parsed
    reading = Reading(match.start(), match.end(), body, low, high, scaled=not _SCALE_SIGNS.isdisjoint(body))
    if bare:
        return signed(line, reading)
    if match["per"]:
        factor, unit = {"百": (1.0, "%"), "千": (1.0, "‰"), "万": (0.01, "%")}[match["per"]]
        return replace(reading.times(factor, end=reading.end), unit=unit, certain=True)
    part = _PART.match(line, reading.end)
    if part:
        share = parse_numeral(part[1])
        return replace(reading, end=part.end(), low=share[0] / low, certain=True) if share and low else None
    symbol = SYMBOLS[match["symbol"].rstrip(" -")] if match["symbol"] else None
    reading = with_unit(line, _with_range(line, with_scale(line, replace(reading, unit=symbol))))
    if match["minus"] and reading.high is None:
        return replace(reading, low=-reading.low)
    return signed(line, reading)


def _goes_on(line: str, end: int) -> bool:
    """A cheap look at the next character before any pattern is tried."""
    follower = line[end : end + 1]
    if follower == " ":
        follower = line[end + 1 : end + 2]
    return follower in _MAY_FOLLOW


def _with_range(line: str, reading: Reading) -> Reading:
    """3-5万, 80万到100万, between 20 and 30: the scale written once counts for both ends."""
    first = with_unit(line, reading)
    to = _TO.match(line, first.end) or _TO.match(line, reading.end)
    between = line.startswith("between ", max(0, reading.start - 8)) and reading.start >= 8
    if to is None or (to["to"] == "and" and not between):
        return reading
    second = parse_numeral(to["number"])
    if second is None or second[1] is not None or reading.high is not None:
        return reading
    upper = with_scale(line, Reading(to.start("number"), to.end(), to["number"], second[0], unit=reading.unit))
    low, high = reading.low, upper.low
    if not reading.scaled and high > second[0]:
        low *= high / second[0]
    shared = _SHARED_SCALE.search(to["number"][-2:])
    factor = BIG.get(shared[0], 1.0) if shared else 1.0
    if not reading.scaled and low * factor < high:
        low *= factor
    whole = replace(reading, end=upper.end, body=upper.body, low=low, high=high)
    marked = with_unit(line, whole)
    told = between or marked.unit or upper.scaled or shared or _BOTH_ENDS.match(line, upper.end)
    if low >= high or not told or (first.unit and marked.unit not in {None, first.unit}):
        return reading
    return replace(whole, unit=reading.unit or first.unit, scaled=True)
