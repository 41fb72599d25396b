"""The Chinese calendar from 1900 to 2039: days of lunar months, and the twenty-four solar terms.

Each year's code is the customary one: twelve bits for long months, the leap month in the lowest
four, its length in bit 16. The first new year is 31 January 1900. A solar term's day follows the
customary formula of its century, right but for a few years in which the term falls about midnight.
"""

from __future__ import annotations

from datetime import date, timedelta
from itertools import accumulate

_FIRST_YEAR = 1900
_FIRST_NEW_YEAR = date(1900, 1, 31)
_YEARS = (
    0x04BD8, 0x04AE0, 0x0A570, 0x054D5, 0x0D260, 0x0D950, 0x16554, 0x056A0, 0x09AD0, 0x055D2,
    0x04AE0, 0x0A5B6, 0x0A4D0, 0x0D250, 0x1D255, 0x0B540, 0x0D6A0, 0x0ADA2, 0x095B0, 0x14977,
    0x04970, 0x0A4B0, 0x0B4B5, 0x06A50, 0x06D40, 0x1AB54, 0x02B60, 0x09570, 0x052F2, 0x04970,
    0x06566, 0x0D4A0, 0x0EA50, 0x06E95, 0x05AD0, 0x02B60, 0x186E3, 0x092E0, 0x1C8D7, 0x0C950,
    0x0D4A0, 0x1D8A6, 0x0B550, 0x056A0, 0x1A5B4, 0x025D0, 0x092D0, 0x0D2B2, 0x0A950, 0x0B557,
    0x06CA0, 0x0B550, 0x15355, 0x04DA0, 0x0A5B0, 0x14573, 0x052B0, 0x0A9A8, 0x0E950, 0x06AA0,
    0x0AEA6, 0x0AB50, 0x04B60, 0x0AAE4, 0x0A570, 0x05260, 0x0F263, 0x0D950, 0x05B57, 0x056A0,
    0x096D0, 0x04DD5, 0x04AD0, 0x0A4D0, 0x0D4D4, 0x0D250, 0x0D558, 0x0B540, 0x0B6A0, 0x195A6,
    0x095B0, 0x049B0, 0x0A974, 0x0A4B0, 0x0B27A, 0x06A50, 0x06D40, 0x0AF46, 0x0AB60, 0x09570,
    0x04AF5, 0x04970, 0x064B0, 0x074A3, 0x0EA50, 0x06B58, 0x05AC0, 0x0AB60, 0x096D5, 0x092E0,
    0x0C960, 0x0D954, 0x0D4A0, 0x0DA50, 0x07552, 0x056A0, 0x0ABB7, 0x025D0, 0x092D0, 0x0CAB5,
    0x0A950, 0x0B4A0, 0x0BAA4, 0x0AD50, 0x055D9, 0x04BA0, 0x0A5B0, 0x15176, 0x052B0, 0x0A930,
    0x07954, 0x06AA0, 0x0AD50, 0x05B52, 0x04B60, 0x0A6E6, 0x0A4E0, 0x0D260, 0x0EA65, 0x0D530,
    0x05AA0, 0x076A3, 0x096D0, 0x04AFB, 0x04AD0, 0x0A4D0, 0x1D0B6, 0x0D250, 0x0D520, 0x0DD45,
)  # fmt: skip
# Month of the year and the constants of the twentieth and the twenty-first century.
_TERMS = {
    "小寒": (1, 6.11, 5.4055), "大寒": (1, 20.84, 20.12), "立春": (2, 4.6295, 3.87), "雨水": (2, 19.4599, 18.73),
    "惊蛰": (3, 6.3826, 5.63), "春分": (3, 21.4155, 20.646), "清明": (4, 5.59, 4.81), "谷雨": (4, 20.888, 20.1),
    "立夏": (5, 6.318, 5.52), "小满": (5, 21.86, 21.04), "芒种": (6, 6.5, 5.678), "夏至": (6, 22.2, 21.37),
    "小暑": (7, 7.928, 7.108), "大暑": (7, 23.65, 22.83), "立秋": (8, 8.35, 7.5), "处暑": (8, 23.95, 23.13),
    "白露": (9, 8.44, 7.646), "秋分": (9, 23.822, 23.042), "寒露": (10, 9.098, 8.318), "霜降": (10, 24.218, 23.438),
    "立冬": (11, 8.218, 7.438), "小雪": (11, 23.08, 22.36), "大雪": (12, 7.9, 7.18), "冬至": (12, 22.6, 21.94),
}  # fmt: skip
TERM_NAMES = tuple(_TERMS)


def lunar(year: int, month: int, day: int, *, leap: bool = False) -> date | None:
    """The date of a day of a lunar month; `None` outside the table, or for a day or leap month there is not."""
    if not _FIRST_YEAR <= year < _FIRST_YEAR + len(_YEARS) or not 1 <= month <= 12:
        return None
    code = _YEARS[year - _FIRST_YEAR]
    leap_month = code & 0xF
    if leap and leap_month != month:
        return None
    length = _leap_length(code) if leap else _month_length(code, month)
    if not 1 <= day <= length:
        return None
    days = _BEFORE[year - _FIRST_YEAR]
    days += sum(_month_length(code, number) for number in range(1, month + leap))
    if 0 < leap_month < month:
        days += _leap_length(code)
    return _FIRST_NEW_YEAR + timedelta(days=days + day - 1)


def lunar_month(year: int, month: int, *, leap: bool = False) -> tuple[date, date] | None:
    """First day of a lunar month and first day after it."""
    first = lunar(year, month, 1, leap=leap)
    if first is None:
        return None
    code = _YEARS[year - _FIRST_YEAR]
    return first, first + timedelta(days=_leap_length(code) if leap else _month_length(code, month))


def solar_term(name: str, year: int) -> date | None:
    """The day a solar term falls on, for the years 1901 to 2099."""
    if not 1901 <= year <= 2099:
        return None
    month, before, since = _TERMS[name]
    offset = year - (2000 if year >= 2000 else 1900)
    leaps = (offset - 1) // 4 if month <= 2 else offset // 4
    return date(year, month, int(offset * 0.2422 + (since if year >= 2000 else before)) - leaps)


def _month_length(code: int, number: int) -> int:
    return 30 if code & (0x10000 >> number) else 29


def _leap_length(code: int) -> int:
    if not code & 0xF:
        return 0
    return 30 if code & 0x10000 else 29


def _length(code: int) -> int:
    return sum(_month_length(code, number) for number in range(1, 13)) + _leap_length(code)


# Days from the first new year to each one.
_BEFORE = tuple(accumulate((_length(code) for code in _YEARS), initial=0))
