"""What follows a number and belongs to it: its unit, 三块五's five, the half of 两年半, its sign."""

from __future__ import annotations

import re
from dataclasses import replace

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.units import CURRENCIES, DURATIONS, PARTS, UNITS
from graphsvc.language.hanwords import is_word
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS, parse_numeral

# A hyphen joins an English unit of two letters or more: a 30-day trial.
_UNIT = re.compile(
    r"(?:[ ]|-(?=[a-z]{2}))?(" + "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)) + r")(?![a-z])"
)
_HALF_BETWEEN = re.compile(r"个半(小时|钟头|月|星期|礼拜)")
_AND_A_HALF = re.compile(r"[ ]and a half(?![a-z])")
_MONEY_TAIL = re.compile(
    rf"(?P<cents>零[\d{HAN_DIGITS}])分?(?![\d{HAN_DIGITS}{HAN_UNITS}])"
    rf"|(?P<tenths>[\d{HAN_DIGITS}])(?:[毛角](?:(?P<more>[\d{HAN_DIGITS}])分)?|(?![\d二两三四五六七八九{HAN_UNITS}.个天只人位]))"
)
_MEASURED_TAILS = frozenset({"米", "公尺", "公斤", "千克", "斤", "吨", "公里", "升"})
_DECIMALS = re.compile(
    rf"(?:[{HAN_DIGITS.replace('两', '')}]{{1,2}}|\d{{1,2}})(?![\d{HAN_DIGITS.replace('两', '')}{HAN_UNITS}.几多半])"
)
# Units that begin no entry of the table, and what makes the digit an ordinal or a share.
_COUNTED_NEXT = frozenset("点号分钱毛角元块下声楼成折")
_HALF = re.compile(r"半(?![夜路场])")
_TENTHS = re.compile(r"成(?![为功立都本员果就交年分人群])")
_FLAT = re.compile(r"(?![台均时衡常稳安板民等原面行静淡])")
_CALENDAR_YEAR = re.compile(r"[级代初底末间度的]|[ ]?[\d" + HAN_DIGITS + r"十]{1,3}月|第|上半|下半|q\d")
_LONGEST_YEARS = 15
# Nouns that may fall below nothing; after others a dash is a dash.
_BALANCE = re.compile(r"(?:润|差|净|盈|亏|余额|同比|环比|增|降|涨|跌|收益|率|现金流)\D{0,3}-$")


def with_unit(line: str, reading: Reading) -> Reading:
    """The number with its unit, fractions of the unit included."""
    between = _HALF_BETWEEN.match(line, reading.end)
    if between:
        unit = UNITS.get("个" + between[1]) or UNITS[between[1]]
        return replace(reading, end=between.end(), low=reading.low + 0.5, unit=unit)
    tenths = _TENTHS.match(line, reading.end)
    if tenths and reading.low <= 10:
        return replace(reading.times(10, end=tenths.end(), scaled=False), unit="%")
    half = _AND_A_HALF.match(line, reading.end)
    if half and _unit_at(line, half.end()):
        reading = replace(reading, end=half.end(), low=reading.low + 0.5)
    match = _unit_at(line, reading.end)
    return reading if match is None else _measured(line, reading, match)


def _unit_at(line: str, at: int) -> re.Match[str] | None:
    match = _UNIT.match(line, at)
    if match is None or (match[0].startswith(" ") and len(match[1]) == 1 and match[1].isascii() and match[1] != "%"):
        return None
    if match[1] == "€" and line[match.end() : match.end() + 1].isdigit():
        return None
    if match[1] == "平" and not _FLAT.match(line, match.end()):
        return None
    return match


def _measured(line: str, reading: Reading, match: re.Match[str]) -> Reading:
    spelling, end = match[1], match.end()
    unit = UNITS[spelling]
    if spelling == "年" and _is_calendar_year(line, reading, end):
        return reading
    if unit == "折" and reading.low >= 10:
        return replace(reading, end=end, low=reading.low / 10, unit=unit)
    if spelling in PARTS:
        return replace(reading.times(PARTS[spelling][1], end=end, scaled=False), unit=unit)
    return _with_tail(line, replace(reading, end=end, unit=reading.unit or unit), spelling)


def _with_tail(line: str, reading: Reading, spelling: str) -> Reading:
    """三块五, 5元3角, 两年半: what follows the unit and still belongs to the number."""
    if spelling in {"元", "块"}:
        tail = _MONEY_TAIL.match(line, reading.end)
        if tail and (spelling == "块" or len(tail[0]) > 1):
            cents = 10 * _digit(tail["tenths"]) + _digit(tail["more"] or (tail["cents"] or "")[1:])
            return replace(reading, end=tail.end(), low=reading.low + cents / 100)
    if spelling in _MEASURED_TAILS and not {".", "点"} & set(reading.body) and reading.high is None:
        reading = _with_decimals(line, reading, liang=spelling == "斤")
    half = _HALF.match(line, reading.end)
    if half and (reading.unit in DURATIONS or spelling in {"块", "斤", "公斤", "米", "吨", "倍"}):
        return replace(reading, end=half.end(), low=reading.low + 0.5)
    return reading


def _with_decimals(line: str, reading: Reading, *, liang: bool) -> Reading:
    """一米七八, 两公斤三, 三斤二两: a digit or two after the unit that begin no word and count nothing else."""
    tail = _DECIMALS.match(line, reading.end)
    if tail is None:
        return reading
    end = tail.end()
    if liang and len(tail[0]) == 1 and line.startswith("两", end):
        return replace(reading, end=end + 1, low=reading.low + _digit(tail[0]) / 10)
    begins_word = any(is_word(line[end - 1 : end + more]) for more in (1, 2, 3) if end + more <= len(line))
    if begins_word or _unit_at(line, end) is not None or line[end : end + 1] in _COUNTED_NEXT:
        return reading
    part = "".join(str(int(_digit(digit))) for digit in tail[0])
    return replace(reading, end=end, low=reading.low + float(f"0.{part}"))


def _digit(text: str | None) -> float:
    parsed = parse_numeral(text) if text else None
    return parsed[0] if parsed else 0.0


def _is_calendar_year(line: str, reading: Reading, end: int) -> bool:
    """24年 and 10年3月 are years; 三年 and 3年 are durations."""
    if reading.body.startswith("0") or _CALENDAR_YEAR.match(line, end):
        return True
    return reading.body.isascii() and reading.low > _LONGEST_YEARS


def signed(line: str, reading: Reading) -> Reading:
    """-5%, 负5%, minus 20% and 零下五度; a hyphen between words is no sign."""
    start = reading.start
    before = line[max(0, start - 2) : start]
    if before == "零下" and reading.unit == "°C":
        return _negative(reading, 2)
    told = reading.unit is not None or reading.scaled
    if told and before.endswith("负") and before != "正负":
        return _negative(reading, 1)
    for word in ("minus ", "negative "):
        at = start - len(word)
        if told and at >= 0 and line.startswith(word, at) and not line[max(0, at - 1) : at].isalnum():
            return _negative(reading, len(word))
    if before.endswith("-") and (len(before) == 1 or before[0] in " \n\t(:为是到至" or _may_fall(line, reading)):
        return _negative(reading, 1)
    return reading


def _negative(reading: Reading, width: int) -> Reading:
    high = reading.high
    if high is None:
        return replace(reading, start=reading.start - width, low=-reading.low)
    return replace(reading, start=reading.start - width, low=-high, high=-reading.low)


def _may_fall(line: str, reading: Reading) -> bool:
    """Whether the dash after a Chinese word is a sign: beside degrees and shares, and after a balance."""
    if line[reading.start - 2].isascii():
        return False
    if reading.unit in {"°C", "%"}:
        return True
    money = reading.scaled or reading.unit in CURRENCIES
    return money and _BALANCE.search(line, max(0, reading.start - 8), reading.start) is not None
