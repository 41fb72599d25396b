"""How each part of an English expression of time adds to a frame.

A builder takes the frame so far, the match of its pattern and the moment of speaking; it gives
nothing when the words make no date, such as 32 May or 15pm.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.times.calendar import add_months, monday_of
from graphsvc.language.times.frame import Frame, Part, Third
from graphsvc.language.times.holidays import holiday

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_PARTS = {"morning": Part.MORNING, "afternoon": Part.AFTERNOON, "evening": Part.EVENING, "night": Part.EVENING}
DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1,
    "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
STEPS = {
    "last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "the current": 0, "next": 1, "coming": 1,
    "this coming": 1,
}  # fmt: skip
THIRDS = {
    "early": Third.EARLY, "beginning": Third.EARLY, "start": Third.EARLY, "mid": Third.MIDDLE, "middle": Third.MIDDLE,
    "late": Third.LATE, "end": Third.END,
}  # fmt: skip


def _number_of_month(name: str) -> int:
    return next(index for index, month in enumerate(MONTHS, 1) if month.startswith(name.rstrip(".")[:3]))


def _number_of_weekday(name: str) -> int:
    return next(index for index, day in enumerate(WEEKDAYS) if day.startswith(name.rstrip(".")[:3]))


def named_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    frame = frame.on((at + timedelta(days=DAYS[match[1]])).date())
    return replace(frame, part=_PARTS[match[2]] if match[2] else frame.part)


def tonight(frame: Frame, _: re.Match[str], at: datetime) -> Frame:
    return replace(frame.on(at.date()), part=Part.EVENING)


def this_part(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    if match[1] == "last":
        if match[2] not in {"night", "evening"}:
            return None
        return replace(frame.on((at - timedelta(days=1)).date()), part=Part.EVENING)
    return replace(frame.on(at.date()), part=_PARTS[match[2]])


def stepped_weekday(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    """Last Friday is the latest before today, this Friday is of this week, next Friday of the next."""
    weekday = _number_of_weekday(match[2])
    today = at.date()
    step = STEPS[match[1]]
    if step < 0:
        return frame.on(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    if "coming" in match[1]:
        return frame.on(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    return replace(frame, week=monday_of(today) + timedelta(weeks=step), weekday=weekday, relative=True)


def weekday(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    return replace(frame, weekday=_number_of_weekday(match[1]), relative=True)


def month_day(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    last = int(match["last"]) if match["last"] else None
    if last is not None and last <= int(match["day"]):
        return None
    year = int(match["year"]) if match["year"] else None
    return replace(frame, year=year, month=_number_of_month(match["month"]), day=int(match["day"]), last_day=last)


def month(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    third = THIRDS[match["third"]] if match["third"] else None
    year = int(match["year"]) if match["year"] else None
    frame = replace(frame, year=year, month=_number_of_month(match["month"]), third=third)
    if year is None and match["step"]:
        return replace(frame, year=_stepped_month_year(frame.month or 1, STEPS[match["step"]], at), relative=True)
    return frame


def _stepped_month_year(month: int, step: int, at: datetime) -> int:
    """Last March is the latest one over, next March the first to come."""
    if step < 0:
        return at.year if month < at.month else at.year - 1
    if step > 0:
        return at.year if month > at.month else at.year + 1
    return at.year


def unit(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """Last week, next quarter, the end of this year."""
    step, unit = STEPS[match["step"]] if match["step"] else 0, match["unit"]
    third = THIRDS[match["third"]] if match["third"] else None
    frame = replace(frame, relative=True, third=third)
    if unit in {"week", "weekend"}:
        monday = monday_of(at.date()) + timedelta(weeks=step)
        ends_week = third is Third.END and unit == "week"
        if third is not None and not ends_week:
            return None
        return replace(frame, week=monday, weekend=unit == "weekend" or ends_week, third=None)
    if unit == "month":
        moment = add_months(at.replace(day=1), step)
        return replace(frame, year=moment.year, month=moment.month)
    if unit == "quarter":
        moment = add_months(at.replace(day=1), 3 * step)
        quarter = (moment.month + 2) // 3
        if third is Third.END:
            return replace(frame, year=moment.year, month=3 * quarter)
        return replace(frame, year=moment.year, quarter=quarter, third=None)
    return replace(frame, year=at.year + step)


def quarter(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    number = match["number"]
    quarter = ORDINALS.get(number) or int(number[-1])
    year = match["year"] or match["early_year"]
    if year:
        return replace(frame, year=int(year), quarter=quarter)
    step = {"last": -1, "next": 1}.get(match["step"] or "", 0)
    return replace(frame, year=at.year + step, quarter=quarter, relative=True)


def half(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    half = 1 if match["number"] in {"first", "h1"} else 2
    if match["year"]:
        return replace(frame, year=int(match["year"]), half=half)
    step = {"last": -1, "next": 1}.get(match["step"] or "", 0)
    return replace(frame, year=at.year + step, half=half, relative=True)


def whole_year(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    third = THIRDS[match["third"]] if match["third"] else None
    return replace(frame, year=int(match["year"]), third=third)


def iso(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    return replace(frame, year=year, month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def slashed(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """5/20/2024 or 20/5/2024; where either reading would do, none is taken."""
    first, second, year = int(match[1]), int(match[2]), int(match[3])
    if first > 12 >= second or first == second:
        return replace(frame, year=year, month=second, day=first)
    if second > 12 >= first:
        return replace(frame, year=year, month=first, day=second)
    return None


def named_holiday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    if match["year"]:
        found = holiday(match["name"], int(match["year"]))
    else:
        days = [day for day in (holiday(match["name"], at.year + shift) for shift in (-1, 0, 1)) if day]
        found = min(days, key=lambda day: abs((day - at.date()).days), default=None)
    if found is None:
        return None
    return replace(frame, year=found.year, month=found.month, day=found.day, relative=not match["year"])


def part(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    bare_after_clock = frame.hour is not None and " " not in match[0].strip()
    if frame.part is not None or bare_after_clock or _is_wider_than_a_day(frame):
        return None
    return replace(frame, part=_PARTS[match[1]])


def clock(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if _is_wider_than_a_day(frame):
        return None
    hour = int(match["hour"])
    half = match["half"]
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    if hour > 23:
        return None
    minute = int(match["minute"]) if match["minute"] else None
    second = int(match["second"]) if match.groupdict().get("second") else None
    return replace(frame, hour=hour, minute=minute, second=second, part=None if half else frame.part)


def clock_range(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    first, last = int(match[1]), int(match[2])
    if not (1 <= first <= 12 and 1 <= last <= 12) or _is_wider_than_a_day(frame):
        return None
    until = last % 12 + (12 if match[3][0] == "p" else 0)
    begin = first % 12 + (12 if match[3][0] == "p" and first % 12 < last % 12 else 0)
    return replace(frame, hour=begin, last_hour=until, part=None)


def noon(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if _is_wider_than_a_day(frame):
        return None
    return replace(frame, hour=12 if match[0] == "noon" else 24, minute=0, part=None)


def _is_wider_than_a_day(frame: Frame) -> bool:
    return frame.has_date() and frame.day is None and frame.weekday is None
