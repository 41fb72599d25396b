"""Days with names: fixed dates, nth weekdays of a month, festivals of the Chinese calendar, Easter."""

from __future__ import annotations

from datetime import date, timedelta

from graphsvc.language.times.calendar import CLOSE_BY, Interval, day, nth_weekday
from graphsvc.language.times.lunar import TERM_NAMES, lunar, solar_term

_FIXED = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "三八": (3, 8), "植树节": (3, 12), "愚人节": (4, 1),
    "劳动节": (5, 1), "五一": (5, 1), "青年节": (5, 4), "五四": (5, 4), "儿童节": (6, 1), "六一": (6, 1),
    "建党节": (7, 1), "建军节": (8, 1), "八一": (8, 1), "教师节": (9, 10), "国庆": (10, 1), "十一国庆": (10, 1),
    "万圣节": (10, 31), "光棍节": (11, 11), "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12),
    "双12": (12, 12), "平安夜": (12, 24), "圣诞": (12, 25),
    "学雷锋纪念日": (3, 5), "消费者权益日": (3, 15), "世界水日": (3, 22), "世界读书日": (4, 23), "读书日": (4, 23),
    "地球日": (4, 22), "航天日": (4, 24), "护士节": (5, 12), "无烟日": (5, 31), "环境日": (6, 5), "环保日": (6, 5),
    "七一": (7, 1), "抗战胜利纪念日": (9, 3), "烈士纪念日": (9, 30), "万圣夜": (10, 31), "记者节": (11, 8),
    "艾滋病日": (12, 1), "宪法日": (12, 4), "公祭日": (12, 13), "圣诞前夜": (12, 24), "劳动妇女节": (3, 8),
    "new year's day": (1, 1), "new year": (1, 1), "new year's": (1, 1), "new year's eve": (12, 31),
    "valentine's day": (2, 14), "saint patrick's day": (3, 17), "st patrick's day": (3, 17), "earth day": (4, 22),
    "april fool's day": (4, 1), "april fools": (4, 1), "april fools day": (4, 1), "groundhog day": (2, 2),
    "may day": (5, 1), "labour day": (5, 1), "international workers' day": (5, 1), "independence day": (7, 4),
    "juneteenth": (6, 19), "women's day": (3, 8), "halloween": (10, 31), "veterans day": (11, 11),
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "boxing day": (12, 26),
}  # fmt: skip
# Month, weekday (Monday is 0), which of them; -1 is the last.
_WEEKDAYS = {
    "母亲节": (5, 6, 2), "父亲节": (6, 6, 3), "感恩节": (11, 3, 4),
    "mother's day": (5, 6, 2), "father's day": (6, 6, 3), "thanksgiving day": (11, 3, 4), "thanksgiving": (11, 3, 4),
    "labor day": (9, 0, 1), "memorial day": (5, 0, -1), "martin luther king day": (1, 0, 3), "mlk day": (1, 0, 3),
    "presidents' day": (2, 0, 3), "presidents day": (2, 0, 3), "columbus day": (10, 0, 2),
}  # fmt: skip
_LUNAR = {
    "春节": (1, 1), "大年初一": (1, 1), "元宵": (1, 15), "端午": (5, 5), "七夕": (7, 7), "中元节": (7, 15),
    "中秋": (8, 15), "重阳": (9, 9), "腊八": (12, 8), "龙抬头": (2, 2), "上巳": (3, 3), "寒衣": (10, 1),
    "下元": (10, 15), "中元": (7, 15), "小年": (12, 23),
    "chinese new year": (1, 1), "spring festival": (1, 1), "lunar new year": (1, 1), "mid-autumn festival": (8, 15),
    "mid-autumn day": (8, 15), "dragon boat festival": (5, 5), "lantern festival": (1, 15),
}  # fmt: skip
_EVES = {"除夕": -1, "大年三十": -1}
# Days after a holiday of another name.
_AFTER = {"black friday": ("thanksgiving", 1), "cyber monday": ("thanksgiving", 4)}
_EASTER = {
    "easter": 0, "easter sunday": 0, "复活节": 0, "easter monday": 1, "good friday": -2, "palm sunday": -7,
    "ash wednesday": -46,
}  # fmt: skip
_NAMES = {*_FIXED, *_WEEKDAYS, *_LUNAR, *_EVES, *_AFTER, *_EASTER, *TERM_NAMES}
HOLIDAY_NAMES = tuple(sorted(_NAMES, key=len, reverse=True))


def holiday(name: str, year: int) -> date | None:
    """The day a holiday falls on, `None` outside the tables."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _WEEKDAYS:
        month, weekday, number = _WEEKDAYS[name]
        return nth_weekday(year, month, weekday, number)
    if name in _EASTER:
        return _easter(year) + timedelta(days=_EASTER[name])
    if name in _AFTER:
        other, days = _AFTER[name]
        base = holiday(other, year)
        return base + timedelta(days=days) if base else None
    if name in TERM_NAMES:
        return solar_term(name, year)
    month, day = _LUNAR.get(name, (1, 1))
    first = lunar(year, month, day)
    return first + timedelta(days=_EVES.get(name, 0)) if first else None


def holiday_of(name: str, year: int) -> Interval | None:
    """The day of a holiday as an interval, `None` outside the tables and the calendar."""
    try:
        found = holiday(name, year)
        return day(found) if found else None
    except (ValueError, OverflowError):
        return None


def nearest_holiday(name: str, at: date) -> date | None:
    """The holiday of the current year, or of the year before or after where that one is close by."""
    days = [day for day in (holiday(name, at.year + shift) for shift in (-1, 0, 1)) if day]
    nearest = min(days, key=lambda day: abs((day - at).days), default=None)
    if nearest is None or abs((nearest - at).days) <= CLOSE_BY:
        return nearest
    return holiday(name, at.year) or nearest


def _easter(year: int) -> date:
    """Western Easter by the anonymous Gregorian algorithm."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
