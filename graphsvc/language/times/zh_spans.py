"""Stretches of days that Chinese names by count or by another calendar: 本月第二周, 九十年代, 正月初五, 秋天.

Weeks of a month begin with its Mondays, weeks of a year are those of ISO 8601, the seasons begin
with the solar terms of their names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from graphsvc.language.numerals import integer
from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval
from graphsvc.language.times.eras import cycle_year, era_year
from graphsvc.language.times.frame import Frame, resolve
from graphsvc.language.times.lunar import lunar, lunar_month, solar_term
from graphsvc.language.times.walk import few
from graphsvc.models.facts import Granularity

_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_SEASONS = {"春": ("立春", "立夏"), "夏": ("立夏", "立秋"), "秋": ("立秋", "立冬"), "冬": ("立冬", "立春")}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_UNITS = {
    "天": Granularity.DAY, "日": Granularity.DAY, "周": Granularity.WEEK, "星期": Granularity.WEEK,
    "月": Granularity.MONTH, "季度": Granularity.QUARTER,
}  # fmt: skip
# Years of a decade, tenths of a century: 初 and 前期 are its first three, 末 and 后期 its last three.
_PARTS = {"初": (0, 3), "前": (0, 3), "早": (0, 3), "中": (3, 7), "末": (7, 10), "后": (7, 10), "晚": (7, 10)}
# Parts of a season in its three months.
_THIRDS = {name: third for third, names in enumerate(("初早孟", "仲盛中", "深晚暮残末")) for name in names}
_FIRST_LUNAR_YEAR = 1900
_LAST_YEAR = 9999


def _is_open(frame: Frame) -> bool:
    """Whether nothing finer than a year has been said."""
    return not (frame.half or frame.quarter or frame.month or frame.week or frame.span or frame.third)


def reign_year(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """民国三年, 康熙二十年, 贞观元年."""
    number = 1 if match["number"] == "元" else integer(match["number"])
    year = era_year(match["era"], number) if number else None
    return replace(frame, year=year) if year else None


def cycle_year_of(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """辛丑年, 虎年: the nearest year of that name."""
    year = cycle_year(match[1] or match[2], at.year)
    return replace(frame, year=year, relative=True) if year and year > 0 else None


def lunar_mark(frame: Frame, _: re.Match[str], __: datetime) -> Frame:
    return replace(frame, lunar=True)


def century(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """18世纪, 二十世纪九十年代, 20世纪60年代前期; decades without a century are of the twentieth but for 00 and 10."""
    number = integer(match["century"]) if match["century"] else None
    decade = integer(match["decade"]) if match["decade"] else None
    if match["this"]:
        number = at.year // 100 + {"上": 0, "本": 1, "这": 1}[match["this"]]
    if number is None and decade is not None:
        number = 21 if decade <= at.year % 100 and decade <= 10 else 20
    if number is None or not 1 <= number <= 30 or (decade is not None and (decade % 10 or decade > 90)):
        return None
    whole = calendar.century(number)
    first, length = (whole.begin or datetime(1, 1, 1)).year, 10
    if decade is not None:
        first, length = 100 * (number - 1) + decade, 1
    begin, end = _PARTS.get((match["part"] or " ")[0], (0, 10))
    start = max(first + begin * length, 1)
    span = Interval(datetime(start, 1, 1), datetime(first + end * length, 1, 1), Granularity.RANGE)
    return replace(frame, span=span, year=start)


def half_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """上半月 is the first fifteen days."""
    if frame.month is None:
        frame = replace(frame, year=at.year, month=at.month, relative=True)
    whole, _ = resolve(frame, at)
    if whole.begin is None or whole.granularity is not Granularity.MONTH:
        return None
    middle = whole.begin.replace(day=16)
    ends = (whole.begin, middle) if match[1] in "上前" else (middle, whole.until)
    return _spanned(frame, Interval(*ends, Granularity.RANGE))


def season(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """春天 of the stated year, or else of the current one; winter runs into the next year. 初夏 is its first month."""
    if not _is_open(frame):
        return None
    year = frame.year or at.year
    if match["of"]:
        year += {"去": -1, "今": 0, "明": 1}[match["of"]]
    yearly = partial(_season, match["season"], match["early"] or match["late"])
    span, bare = yearly(year), frame.year is None
    if span is None:
        return None
    open_year = bare and not match["of"]
    return replace(frame, span=span, relative=frame.relative or bare, yearly=yearly if open_year else None)


def _season(name: str, part: str | None, year: int) -> Interval | None:
    """A season that begins in a year, or one of its three months; `None` outside the tables."""
    first, last = _SEASONS[name]
    begin, until = solar_term(first, year), solar_term(last, year + (name == "冬"))
    if begin is None or until is None:
        return None
    if part:
        begin += (until - begin) / 3 * _THIRDS[part]
        until = min(begin + timedelta(days=30), until)
    return Interval(calendar.midnight(begin), calendar.midnight(until), Granularity.RANGE)


def nth_week(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """本月第二周, 今年第37周, 八月的第一个周二, 去年最后一周."""
    number = _number(match)
    if number is None or frame.has_date() is False:
        return None
    whole, _ = resolve(frame, at)
    if whole.begin is None or whole.until is None:
        return None
    year, month = whole.begin.year, whole.begin.month
    if whole.granularity is Granularity.YEAR and not match["weekday"]:
        monday = calendar.monday_of((whole.until - timedelta(days=4)).date())
        return _spanned(frame, calendar.week(monday) if number < 0 else calendar.week_of_year(year, number))
    if whole.granularity is Granularity.YEAR and match["weekday"]:
        return _spanned(frame, calendar.day(_weekday_of_year(year, _WEEKDAYS[match["weekday"]], number)))
    if whole.granularity is not Granularity.MONTH or number > 5:
        return None
    if not match["weekday"]:
        return _spanned(frame, calendar.week_of_month(year, month, number))
    if match["weekday"] == "末":
        saturday = calendar.nth_weekday(year, month, 5, number)
        if saturday is None:
            return None
        begin = calendar.midnight(saturday)
        return _spanned(frame, Interval(begin, begin + timedelta(days=2), Granularity.RANGE))
    found = calendar.nth_weekday(year, month, _WEEKDAYS[match["weekday"]], number)
    return _spanned(frame, calendar.day(found)) if found else None


def _weekday_of_year(year: int, weekday: int, number: int) -> date:
    if number < 0:
        last = date(year, 12, 31)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, 1, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


def nth_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """2025年第一天, 本月最后一天, 春节第三天."""
    number = _number(match)
    if number is None or not frame.has_date():
        return None
    whole, _ = resolve(frame, at)
    if whole.begin is None or whole.until is None:
        return None
    moment = whole.until - timedelta(days=1) if number < 0 else whole.begin + timedelta(days=number - 1)
    return _spanned(frame, calendar.day(moment.date()))


def nth_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """今年第8个月, 下半年首月, 第三季度最后一个月."""
    number = _number(match)
    if number is None or not frame.has_date() or frame.month is not None:
        return None
    whole, _ = resolve(frame, at)
    if whole.begin is None or whole.until is None:
        return None
    first = calendar.add_months(whole.until, -1) if number < 0 else calendar.add_months(whole.begin, number - 1)
    if first.day != 1 or not whole.begin <= first < whole.until:
        return None
    return replace(frame, half=None, quarter=None, span=None, year=first.year, month=first.month)


def _number(match: re.Match[str]) -> int | None:
    """Which of them, -1 for the last."""
    if match["number"]:
        return integer(match["number"])
    return -1 if match["last"] else 1


def first_units(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """2022年前十一个月, 这个月前两天, 今年最后两周: so many units from one end of a calendar unit."""
    count = few(_UNITS[match["unit"]]) if match["count"] == "几" else integer(match["count"])
    if match["unit"] == "季度" and not frame.has_date():
        frame = replace(frame, year=at.year, relative=True)
    if not count or not frame.has_date():
        return None
    whole, _ = resolve(frame, at)
    if whole.begin is None or whole.until is None or whole.granularity is Granularity.DAY:
        return None
    unit = _UNITS[match["unit"]]
    if match["side"] in {"前", "头", "首"}:
        begin, until = whole.begin, calendar.shift(whole.begin, count, unit)
    else:
        begin, until = calendar.shift(whole.until, -count, unit), whole.until
    if begin < whole.begin or until > whole.until:
        return None
    return _spanned(frame, Interval(begin, until, Granularity.RANGE))


def lunar_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """农历八月十五, 正月初五, 闰四月: of the stated year, else the nearest."""
    if not _is_open(frame):
        return None
    month = _LUNAR_MONTHS.get(match["month"] or "正") or integer(match["month"])
    leap = "闰" in match[0]
    if month is None:
        return None
    if frame.year is not None and not frame.relative and _is_civil(frame.year, match):
        day = integer(match["day"].removeprefix("初").replace("廿", "二十")) if match["day"] else None
        return replace(frame, month=month, day=day)
    years = [frame.year] if frame.year is not None else [at.year, at.year - 1, at.year + 1]
    relative = frame.relative or frame.year is None
    if not match["day"]:
        months = [found for found in (lunar_month(year, month, leap=leap) for year in years) if found]
        if not months:
            return None
        begin, until = min(months, key=lambda ends: _distance(ends[0] + timedelta(days=15), at))
        span = Interval(calendar.midnight(begin), calendar.midnight(until), Granularity.MONTH)
        return replace(frame, span=span, relative=relative)
    day = integer(match["day"].removeprefix("初").replace("廿", "二十"))
    if day is None:
        return None
    days = [found for found in (lunar(year, month, day, leap=leap) for year in years) if found]
    if not days:
        return None
    found = min(days, key=lambda one: _distance(one, at))
    return replace(frame, year=found.year, month=found.month, day=found.day, relative=relative)


def _is_civil(year: int, match: re.Match[str]) -> bool:
    """二〇〇四年八月十五 is a day of the common calendar but for words of the other, and before its table."""
    return year < _FIRST_LUNAR_YEAR or not re.search("[农阴旧正冬腊闰初廿]", match[0])


def holidays(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """暑假 is July and August, 寒假 mid-January to the end of February, where no school says otherwise."""
    if not _is_open(frame):
        return None
    yearly, bare = partial(_school_holidays, match[1].startswith("暑")), frame.year is None
    span = yearly(frame.year or at.year)
    return replace(frame, span=span, relative=frame.relative or bare, yearly=yearly if bare else None)


def _school_holidays(summer: bool, year: int) -> Interval | None:
    if not 1 <= year <= _LAST_YEAR:
        return None
    if summer:
        return Interval(datetime(year, 7, 1), datetime(year, 9, 1), Granularity.RANGE)
    return Interval(datetime(year, 1, 15), datetime(year, 3, 1), Granularity.RANGE)


def _distance(day: date, at: datetime) -> int:
    return abs((day - at.date()).days)


def _spanned(frame: Frame, span: Interval) -> Frame:
    """The frame with a span in place of the fields the span was reckoned from."""
    return replace(
        frame,
        half=None,
        quarter=None,
        month=None,
        last_month=None,
        third=None,
        week=None,
        weekday=None,
        day=None,
        span=span,
        relative=frame.relative or frame.year is None,
    )
