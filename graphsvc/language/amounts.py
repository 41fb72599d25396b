"""Find amounts: numbers with their scale, unit or currency, in Chinese, English and both.

80万, 八十万, ８０万, 800,000 and 0.8 million have one value. Dates, clock times, ordinals, codes
and the 一 of 一些 are not amounts: what is left out costs less than what is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from graphsvc.language.amountguard import Reading, stands
from graphsvc.language.normalise import Folded, fold
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS, NUMBER_WORDS, NUMERAL, parse_numeral, parse_words
from graphsvc.language.units import CURRENCIES, DURATIONS, SYMBOLS, UNITS
from graphsvc.models.facts import Amount

_SIGNS = "|".join(sorted(map(re.escape, SYMBOLS), key=len, reverse=True))
_START = re.compile(
    rf"(?P<symbol>(?<![a-z])(?:{_SIGNS})[ ]?)?(?:(?P<per>[百千万])分之)?(?P<number>{NUMERAL})|(?P<words>{NUMBER_WORDS})"
)
_SCALE = re.compile(
    r"[ ]?(?:(?P<k>k|thousand)|(?P<m>mn|million)|(?P<b>bn|billion)|(?P<t>trillion))(?![a-z0-9])"
    r"|(?P<money_m>m)(?![a-z0-9])|(?P<money_b>b)(?![a-z0-9])|(?P<w>w)(?![a-z0-9])"
)
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "money_m": 1e6, "money_b": 1e9, "w": 1e4}
_MORE = re.compile(r"[多余]([百千]?[万亿]{0,2})")
_BIG = {
    "": 1.0,
    "百": 1e2,
    "千": 1e3,
    "万": 1e4,
    "亿": 1e8,
    "百万": 1e6,
    "千万": 1e7,
    "万亿": 1e12,
    "百亿": 1e10,
    "千亿": 1e11,
}
_UNIT = re.compile(r"[ ]?(" + "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)) + r")(?![a-z])")
_HALF_BETWEEN = re.compile(r"个半(小时|钟头|月|星期|礼拜)")
_TO = re.compile(rf"[ ]?(-|~|到|至|—|to|and)[ ]?(?:{_SIGNS})?(?P<number>{NUMERAL})")
_MONEY_TAIL = re.compile(
    rf"(?P<cents>零[\d{HAN_DIGITS}])分?(?![\d{HAN_DIGITS}{HAN_UNITS}])"
    rf"|(?P<tenths>[\d{HAN_DIGITS}])(?:[毛角](?:(?P<more>[\d{HAN_DIGITS}])分)?|(?![\d二两三四五六七八九{HAN_UNITS}.个天只人位]))"
)
_HALF = re.compile(r"半(?![夜路场])")
_HALF_ALONE = re.compile(
    rf"(?<![{HAN_DIGITS}{HAN_UNITS}\d个上下前后])半(个小时|小时|天|年|个月|个钟头|斤|公斤|吨|米)(?![前后以之])"
)
_PART = re.compile(rf"分之({NUMERAL})")
_TENTHS = re.compile(r"成(?![为功立都本员果就交年分人])")
_CALENDAR_YEAR = re.compile(r"[级代初底末间度的]|[ ]?[\d" + HAN_DIGITS + r"十]{1,3}月|第|上半|下半|q\d")
_MONEY_WORD = re.compile(r"[价款钱薪资算费额本付花奖]\D{0,6}$")
_LONGEST_YEARS = 15


def _openings() -> frozenset[str]:
    """First characters of all that may belong to a number and stand behind it."""
    units = {unit[0] for unit in UNITS}
    return frozenset(units | set("kmbwt多余-~到至—成分个半") | {sign[0] for sign in SYMBOLS})


_MAY_FOLLOW = _openings()


def find_amounts(text: str) -> list[Amount]:
    """Amounts in order, with spans in the text as it was written."""
    folded = fold(text)
    readings = list(_readings(folded))
    readings = sorted([*readings, *_halves(folded.text, readings)], key=lambda reading: reading.start)
    return [_amount(text, folded, reading) for reading in readings]


def _amount(text: str, folded: Folded, reading: Reading) -> Amount:
    start, end = folded.span(reading.start, reading.end)
    high = None if reading.high is None else round(reading.high, 6)
    return Amount(start=start, end=end, text=text[start:end], value=round(reading.low, 6), high=high, unit=reading.unit)


def _readings(folded: Folded) -> Iterator[Reading]:
    line, at = folded.text, 0
    while match := _START.search(line, at):
        reading = _read_words(line, match) if match["words"] else _read_number(line, match)
        at = match.end()
        if reading is not None:
            at = max(at, reading.end)
            if stands(line, reading):
                yield reading


def _halves(line: str, readings: list[Reading]) -> list[Reading]:
    """半小时, 半年: half a unit, where no number stands before it."""
    taken = {at for reading in readings for at in (reading.start, reading.end - 1)}
    return [
        Reading(half.start(), half.end(), "半", 0.5, unit=UNITS[half[1]])
        for half in _HALF_ALONE.finditer(line)
        if half.start() not in taken
    ]


def _read_words(line: str, match: re.Match[str]) -> Reading | None:
    """An English numeral; a small one counts only beside a unit."""
    low = parse_words(match["words"])
    if low is None:
        return None
    reading = _with_unit(line, Reading(match.start(), match.end(), match["words"], low, scaled=low >= 12))
    return reading if reading.scaled or reading.unit else None


def _read_number(line: str, match: re.Match[str]) -> Reading | None:
    body = match["number"]
    bare = match["symbol"] is None and match["per"] is None and not _goes_on(line, match.end())
    if bare and len(body) == 1:
        return None
    parsed = parse_numeral(body)
    if parsed is None:
        return None
    low, high = parsed
    if bare:
        return Reading(match.start(), match.end(), body, low, high, scaled=any(char in body for char in "百千万亿佰仟"))
    scaled = any(char in body for char in "百千万亿佰仟")
    reading = Reading(match.start(), match.end(), body, low, high, scaled=scaled)
    if match["per"]:
        factor, unit = {"百": (1.0, "%"), "千": (1.0, "‰"), "万": (0.01, "%")}[match["per"]]
        return replace(reading, low=low * factor, high=high and high * factor, unit=unit, certain=True)
    part = _PART.match(line, reading.end)
    if part:
        share = parse_numeral(part[1])
        return replace(reading, end=part.end(), low=share[0] / low, certain=True) if share and low else None
    symbol = SYMBOLS[match["symbol"].strip()] if match["symbol"] else None
    reading = _with_scale(line, replace(reading, unit=symbol))
    reading = _with_range(line, reading)
    return _signed(line, _with_unit(line, reading))


def _goes_on(line: str, end: int) -> bool:
    """A cheap look at the next character before any pattern is tried."""
    follower = line[end : end + 1]
    if follower == " ":
        follower = line[end + 1 : end + 2]
    return follower in _MAY_FOLLOW


def _with_scale(line: str, reading: Reading) -> Reading:
    """多 makes a range up to the next round number; k, million, bn multiply; m and b only beside a currency."""
    more = _MORE.match(line, reading.end)
    if more and more[1] in _BIG:
        step = _step(reading)
        factor = _BIG[more[1]]
        upper = (reading.low + step) * factor
        return replace(reading, end=more.end(), low=reading.low * factor, high=upper, scaled=True)
    scale = _SCALE.match(line, reading.end)
    if scale is None or scale.lastgroup is None:
        return reading
    kind = scale.lastgroup
    if kind.startswith("money") and reading.unit not in CURRENCIES:
        return reading
    if kind == "w" and not (
        line.startswith(("元", "块", "人民币"), scale.end())
        or _MONEY_WORD.search(line, max(0, reading.start - 8), reading.start)
    ):
        return reading
    factor = _SCALES[kind]
    high = None if reading.high is None else reading.high * factor
    return replace(reading, end=scale.end(), low=reading.low * factor, high=high, scaled=True)


def _step(reading: Reading) -> float:
    """The place value of the last digit that is no zero: 30 steps by 10, 三万 by 10000."""
    step = 1.0
    while step * 10 <= reading.low and reading.low % (step * 10) == 0:
        step *= 10
    return step


def _with_range(line: str, reading: Reading) -> Reading:
    """3-5万, 80万到100万: the scale written once counts for both ends."""
    first = _with_unit(line, reading)
    to = _TO.match(line, first.end) or _TO.match(line, reading.end)
    if to is None or (to[1] == "and" and not line.endswith("between ", 0, reading.start)):
        return reading
    second = parse_numeral(to["number"])
    if second is None or second[1] is not None:
        return reading
    upper = _with_scale(line, Reading(to.start("number"), to.end(), to["number"], second[0], unit=reading.unit))
    low, high = reading.low, upper.low
    if not reading.scaled and high > second[0]:
        low *= high / second[0]
    shared = re.search("[万亿]+$", to["number"])
    if shared and not reading.scaled:
        low *= _BIG.get(shared[0], 1.0)
    whole = replace(reading, end=upper.end, body=upper.body, low=low, high=high)
    marked = _with_unit(line, whole)
    if (
        low >= high
        or not (marked.unit or upper.scaled or shared)
        or (first.unit and marked.unit not in {None, first.unit})
    ):
        return reading
    return replace(whole, unit=reading.unit or first.unit, scaled=True)


def _with_unit(line: str, reading: Reading) -> Reading:
    between = _HALF_BETWEEN.match(line, reading.end)
    if between:
        unit = UNITS["个" + between[1]] if "个" + between[1] in UNITS else UNITS[between[1]]
        return replace(reading, end=between.end(), low=reading.low + 0.5, unit=unit)
    tenths = _TENTHS.match(line, reading.end)
    if tenths and reading.low <= 10:
        high = None if reading.high is None else reading.high * 10
        return replace(reading, end=tenths.end(), low=reading.low * 10, high=high, unit="%")
    match = _UNIT.match(line, reading.end)
    if match is None or (match[0].startswith(" ") and len(match[1]) == 1 and match[1].isascii() and match[1] != "%"):
        return reading
    unit, end = UNITS[match[1]], match.end()
    if match[1] == "年" and _is_calendar_year(line, reading, end):
        return reading
    if unit == "折" and reading.low >= 10:
        return replace(reading, end=end, low=reading.low / 10, unit=unit)
    return _with_tail(line, replace(reading, end=end, unit=reading.unit or unit), match[1])


def _with_tail(line: str, reading: Reading, spelling: str) -> Reading:
    """三块五, 5元3角, 两年半: what follows the unit and still belongs to the number."""
    if spelling in {"元", "块"}:
        tail = _MONEY_TAIL.match(line, reading.end)
        if tail and (spelling == "块" or len(tail[0]) > 1):
            cents = 10 * _digit(tail["tenths"]) + _digit(tail["more"] or (tail["cents"] or "")[1:])
            return replace(reading, end=tail.end(), low=reading.low + cents / 100)
    half = _HALF.match(line, reading.end)
    if half and (reading.unit in DURATIONS or spelling in {"块", "斤", "公斤", "米", "吨", "倍"}):
        return replace(reading, end=half.end(), low=reading.low + 0.5)
    return reading


def _marks_sign(before: str, reading: Reading) -> bool:
    return reading.unit in {"°C", "%"} and not before.isascii()


def _digit(text: str | None) -> float:
    parsed = parse_numeral(text) if text else None
    return parsed[0] if parsed else 0.0


def _is_calendar_year(line: str, reading: Reading, end: int) -> bool:
    """24年 and 10年3月 are years; 三年 and 3年 are durations."""
    if reading.body.startswith("0") or _CALENDAR_YEAR.match(line, end):
        return True
    return reading.body.isascii() and reading.low > _LONGEST_YEARS


def _signed(line: str, reading: Reading) -> Reading:
    """-5% and 零下五度, where the sign is no hyphen between words."""
    before = line[max(0, reading.start - 2) : reading.start]
    if before == "零下" and reading.unit == "°C":
        return replace(reading, start=reading.start - 2, low=-reading.low)
    if before.endswith("-") and (len(before) == 1 or before[0] in " \n\t(:为是到至" or _marks_sign(before[0], reading)):
        return replace(reading, start=reading.start - 1, low=-reading.low, high=None)
    return reading
