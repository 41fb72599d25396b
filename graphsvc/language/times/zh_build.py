"""How each part of a Chinese expression of time adds to a frame.

A builder gives nothing when the words make no date there, such as a month after a quarter.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from graphsvc.language.numerals import integer
from graphsvc.language.times.calendar import Interval, add_months, midnight, monday_of
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import holiday, holiday_of, nearest_holiday
from graphsvc.language.times.lunar import lunar_month
from graphsvc.language.times.parts import Part, Third
from graphsvc.models.facts import Granularity

WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5} | {
    str(number): number - 1 for number in range(1, 7)
}
YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2,
    "大后年": 3, "上一年": -1, "这一年": 0, "下一年": 1,
}  # fmt: skip
DAYS = {
    "大大前天": -4, "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "本日": 0,
    "明天": 1, "明日": 1, "后天": 2, "大后天": 3, "大大后天": 4,
    "前晚": -2, "昨晚": -1, "昨夜": -1, "今早": 0, "今晨": 0, "今晚": 0, "今夜": 0,
    "明早": 1, "明晨": 1, "明晚": 1, "后晚": 2,
}  # fmt: skip
_DAY_PARTS = {"早": Part.EARLY_MORNING, "晨": Part.EARLY_MORNING, "晚": Part.EVENING, "夜": Part.NIGHT}
_PART_NAMES = {
    Part.SMALL_HOURS: ("凌晨", "后半夜"),
    Part.DAWN: ("黎明", "拂晓", "破晓", "清晨"),
    Part.EARLY_MORNING: ("清早", "早上", "早晨", "早间", "一早", "大清早", "一大早", "早"),
    Part.FORENOON: ("上午", "午前"),
    Part.NOON: ("中午", "午间", "正午", "晌午"),
    Part.AFTERNOON: ("下午", "午后"),
    Part.DUSK: ("傍晚", "黄昏"),
    Part.EVENING: ("晚上", "晚间", "入夜", "晚"),
    Part.NIGHT: ("夜里", "夜间", "前半夜"),
    Part.LATE_NIGHT: ("半夜", "深夜", "午夜", "子夜"),
}
PARTS = {name: part for part, names in _PART_NAMES.items() for name in names}
# 36年 said in 2026 is still to come, 37年 was 1937.
_YEARS_AHEAD = 10
# 5日后 counts five days, 3月5日后 is after a date.
_COUNTED = re.compile("[后以之]")
THIRDS = {
    "初": Third.START, "上旬": Third.EARLY, "中": Third.MIDDLE, "中旬": Third.MIDDLE, "下旬": Third.LATE,
    "底": Third.END, "末": Third.END, "终": Third.END, "伊始": Third.OUTSET,
}  # fmt: skip


def _steps(text: str) -> int:
    """How far 上上, 上, 本, 下, 下下 are from here."""
    return text.count("下") - text.count("上")


def whole_year(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    number = integer(match[1])
    if number is not None and len(match[1]) < 3:
        number += at.year // 100 * 100
        if number > at.year + _YEARS_AHEAD:
            number -= 100
    least = 1 if match[0].startswith("公元") else 1000
    return replace(frame, year=number) if number is not None and least <= number < 9999 else None


def relative_year(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    return replace(frame, year=at.year + YEARS[match[1]], relative=True)


def half(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    year = at.year if frame.year is None else frame.year
    return replace(frame, year=year, half=1 if match[1] in "上前" else 2, relative=frame.relative or frame.year is None)


def quarter(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    number = {"首": 1, "头": 1, "末": 4}.get(match[1]) or integer(match[1] or match[2])
    if number is None or not 1 <= number <= 4:
        return None
    year = at.year if frame.year is None else frame.year
    return replace(frame, year=year, quarter=number, relative=frame.relative or frame.year is None)


def relative_quarter(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    moment = add_months(at.replace(day=1), 3 * _steps(match[1]))
    return replace(frame, year=moment.year, quarter=(moment.month + 2) // 3, relative=True)


def month(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.lunar and frame.year is not None and not match[2]:
        return lunar_of(frame, integer(match[1]) or 0)
    number, last = integer(match[1]), integer(match[2]) if match[2] else None
    if frame.quarter or frame.half or frame.span is not None:
        return None
    if last is not None and number is not None and last <= number:
        return None
    return replace(frame, month=number, last_month=last)


def near_months(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """三四月份, 3、4月: two months that follow each other."""
    number, last = integer(match[1]), integer(match[2])
    if frame.quarter or frame.half or frame.span is not None or number is None or last != number + 1:
        return None
    return replace(frame, month=number, last_month=last)


def lunar_of(frame: Frame, month: int) -> Frame | None:
    """A month of a year that is said to be of the lunar calendar; its days are read by `day`."""
    ends = lunar_month(frame.year or 0, month)
    if ends is None:
        return None
    return replace(frame, span=Interval(midnight(ends[0]), midnight(ends[1]), Granularity.MONTH))


def relative_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    moment = add_months(at.replace(day=1), _steps(match[1]))
    return replace(frame, year=moment.year, month=moment.month, relative=True)


def third(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.quarter is not None:
        return _edge_of_quarter(frame, match[1])
    if frame.month is None and (frame.year is None or frame.quarter or frame.half):
        return None
    if frame.last_month is not None or (frame.month is None and match[1].endswith("旬")):
        return None
    return replace(frame, third=THIRDS[match[1]])


def _edge_of_quarter(frame: Frame, word: str) -> Frame | None:
    """The first or last month of a quarter."""
    if frame.quarter is None or word not in {"初", "末", "底"}:
        return None
    month = 3 * frame.quarter - (2 if word == "初" else 0)
    return replace(frame, month=month, quarter=None)


def bare_third(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """年底, 岁末, 月初: of the current year or month, or of the year that was said."""
    monthly = match[1] == "月"
    if frame.month or frame.quarter or frame.half or (monthly and frame.year is not None):
        return None
    year, month = (at.year, at.month) if monthly else (frame.year or at.year, None)
    relative = frame.relative or frame.year is None
    return replace(frame, year=year, month=month, third=THIRDS[match[2]], relative=relative)


def week(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    monday = monday_of(at.date()) + timedelta(weeks=_steps(match[1]))
    name = match[2]
    if name is None:
        return replace(frame, week=monday, relative=True)
    if name == "末":
        return replace(frame, week=monday, weekend=True, relative=True)
    return replace(frame, week=monday, weekday=WEEKDAYS[name], relative=True)


def weekday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    if frame.day is not None:
        return frame
    if frame.week is None and (frame.month is not None or frame.year is not None):
        return None
    if match[1] == "末":
        return replace(frame, week=frame.week or monday_of(at.date()), weekend=True, relative=True)
    return replace(frame, weekday=WEEKDAYS[match[1]], relative=True)


def named_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    word = match[0]
    frame = frame.on((at + timedelta(days=DAYS[word])).date())
    return replace(frame, part=_DAY_PARTS.get(word[-1], frame.part))


def same_day(frame: Frame, _: re.Match[str], at: datetime) -> Frame | None:
    """去年今天, 上个月的今天, 上周的今天: the day of today's number."""
    if not frame.relative or frame.day is not None or frame.span is not None or frame.quarter or frame.half:
        return None
    if frame.week is not None:
        return replace(frame, weekday=at.weekday())
    return replace(frame, month=frame.month or at.month, day=at.day)


def national_day(frame: Frame, _: re.Match[str], at: datetime) -> Frame | None:
    return _on_holiday(frame, "国庆", at)


def day(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.lunar and frame.span and frame.span.begin and not match[2]:
        found = frame.span.begin + timedelta(days=(integer(match[1]) or 1) - 1)
        return replace(frame, span=None, year=found.year, month=found.month, day=found.day)
    if (
        frame.quarter
        or frame.half
        or frame.last_month
        or frame.span
        or (frame.year is not None and frame.month is None)
    ):
        return None
    if frame.month is None and match[0].endswith("日") and _COUNTED.match(match.string, match.end()):
        return None
    return replace(frame, day=integer(match[1]), last_day=integer(match[2]) if match[2] else None)


def iso(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    year, month, day = int(match[1]) if match[1] else frame.year, int(match[2]), int(match[3])
    return replace(frame, year=year, month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def iso_month(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    year, month = match[1] or match[3], match[2] or match[4]
    return replace(frame, year=int(year), month=int(month))


def bare_year(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """A year in figures at one end of a range whose other end is a date."""
    return replace(frame, year=int(match[1] or match[2] or match[3]))


def named_holiday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    return _on_holiday(frame, match[1], at)


def _on_holiday(frame: Frame, name: str, at: datetime) -> Frame | None:
    """A holiday of the stated year, or else the nearest one, which the tense of its sentence may change."""
    bare = frame.year is None
    found = nearest_holiday(name, at.date()) if bare else holiday(name, frame.year or 0)
    if found is None:
        return None
    on = frame.on(found)
    return replace(on, relative=frame.relative or bare, yearly=partial(holiday_of, name) if bare else None)


def part(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.is_wider_than_a_day() and not frame.weekend:
        return None
    return replace(frame, part=PARTS[match[1]])


def clock(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.is_wider_than_a_day() and not frame.weekend:
        return None
    hour = integer(match[1])
    if hour is None or hour > 24:
        return None
    second = integer(match["second"]) if match["second"] else None
    return replace(frame, hour=hour, minute=_minute(match), second=second)


def _minute(match: re.Match[str]) -> int | None:
    """半, 一刻, 二十分 after an hour."""
    if match["half"]:
        return 30
    if match["quarters"]:
        return 15 * (integer(match["quarters"]) or 0)
    return integer(match["minute"] or match["few"]) if match["minute"] or match["few"] else None


def about_hour(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """差五分八点, 8点差5分, 8点过一刻."""
    if frame.is_wider_than_a_day():
        return None
    hour = integer(match["hour"] or match["next"])
    quarter = match["quarters"] or match["short_quarter"]
    minutes = 15 * (integer(quarter) or 0) if quarter else integer(match["minutes"] or match["short"])
    if hour is None or minutes is None or not 1 <= hour <= 24:
        return None
    if match["side"] == "过":
        return replace(frame, hour=hour, minute=minutes)
    return replace(frame, hour=hour - 1 or 12, minute=60 - minutes)


def about_clock(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """七八点: from the earlier hour to the end of the later."""
    first, last = integer(match[1]), integer(match[2])
    if first is None or last != first + 1 or frame.is_wider_than_a_day():
        return None
    return replace(frame, hour=first, last_hour=last + 1)


def digital(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.is_wider_than_a_day() and not frame.weekend:
        return None
    second = int(match[3]) if match[3] else None
    if int(match[1]) == 24 and match[2] != "00":
        return None
    return replace(frame, hour=int(match[1]), minute=int(match[2]), second=second)


def clock_range(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    first, last = integer(match[1]), integer(match[2])
    if first is None or last is None or last <= first or last > 24 or frame.is_wider_than_a_day():
        return None
    return replace(frame, hour=first, last_hour=last, last_minute=_minute(match))
