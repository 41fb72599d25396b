"""Days with names: fixed dates, and festivals of the Chinese lunar calendar from 2000 to 2039.

Each year's code is the customary one: twelve bits for long months, the leap month in the lowest
four, its length in bit 16. The first new year is 5 February 2000.
"""

from __future__ import annotations

from datetime import date, timedelta

_FIRST_YEAR = 2000
_FIRST_NEW_YEAR = date(2000, 2, 5)
_YEARS = (
    0x0C960, 0x0D954, 0x0D4A0, 0x0DA50, 0x07552, 0x056A0, 0x0ABB7, 0x025D0, 0x092D0, 0x0CAB5,
    0x0A950, 0x0B4A0, 0x0BAA4, 0x0AD50, 0x055D9, 0x04BA0, 0x0A5B0, 0x15176, 0x052B0, 0x0A930,
    0x07954, 0x06AA0, 0x0AD50, 0x05B52, 0x04B60, 0x0A6E6, 0x0A4E0, 0x0D260, 0x0EA65, 0x0D530,
    0x05AA0, 0x076A3, 0x096D0, 0x04AFB, 0x04AD0, 0x0A4D0, 0x1D0B6, 0x0D250, 0x0D520, 0x0DD45,
)  # fmt: skip
_FIXED = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "植树节": (3, 12), "劳动节": (5, 1), "五一": (5, 1),
    "青年节": (5, 4), "儿童节": (6, 1), "六一": (6, 1), "建军节": (8, 1), "教师节": (9, 10), "国庆": (10, 1),
    "万圣节": (10, 31), "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12), "双12": (12, 12),
    "平安夜": (12, 24), "圣诞": (12, 25), "new year's day": (1, 1), "new year's eve": (12, 31),
    "valentine's day": (2, 14), "halloween": (10, 31), "christmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "boxing day": (12, 26),
}  # fmt: skip
_LUNAR = {
    "春节": (1, 1), "大年初一": (1, 1), "元宵": (1, 15), "端午": (5, 5), "七夕": (7, 7), "中元节": (7, 15),
    "中秋": (8, 15), "重阳": (9, 9), "腊八": (12, 8), "chinese new year": (1, 1), "spring festival": (1, 1),
    "lunar new year": (1, 1), "mid-autumn festival": (8, 15), "dragon boat festival": (5, 5),
}  # fmt: skip
_EVES = {"除夕": -1, "大年三十": -1}
HOLIDAY_NAMES = tuple(sorted({*_FIXED, *_LUNAR, *_EVES, "清明"}, key=len, reverse=True))


def holiday(name: str, year: int) -> date | None:
    """The day a holiday falls on, `None` outside the table."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name == "清明":
        return _clear_brightness(year)
    month, day = _LUNAR.get(name, (1, 1))
    first = lunar(year, month, day)
    return first + timedelta(days=_EVES.get(name, 0)) if first else None


def lunar(year: int, month: int, day: int) -> date | None:
    """The date of a day of a lunar month, leap months skipped."""
    if not _FIRST_YEAR <= year < _FIRST_YEAR + len(_YEARS):
        return None
    days = sum(_length(code) for code in _YEARS[: year - _FIRST_YEAR])
    code = _YEARS[year - _FIRST_YEAR]
    days += sum(_month_length(code, number) for number in range(1, month))
    if 0 < code & 0xF < month:
        days += _leap_length(code)
    return _FIRST_NEW_YEAR + timedelta(days=days + day - 1)


def _length(code: int) -> int:
    return sum(_month_length(code, number) for number in range(1, 13)) + _leap_length(code)


def _month_length(code: int, number: int) -> int:
    return 30 if code & (0x10000 >> number) else 29


def _leap_length(code: int) -> int:
    if not code & 0xF:
        return 0
    return 30 if code & 0x10000 else 29


def _clear_brightness(year: int) -> date | None:
    """清明 falls on 4 or 5 April in this century, by the customary formula."""
    if not 2000 <= year < 2100:
        return None
    offset = year - 2000
    return date(year, 4, int(offset * 0.2422 + 4.81) - offset // 4)
