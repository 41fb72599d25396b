"""How each part of an English expression of time adds to a frame.

A builder takes the frame so far, the match of its pattern and the moment of speaking; it gives
nothing when the words make no date, such as 32 May or 15pm.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from graphsvc.language.times.calendar import Interval, add_months, midnight, monday_of
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import holiday, holiday_of, nearest_holiday
from graphsvc.language.times.parts import Part, Third
from graphsvc.models.facts import Granularity

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
ONE_TO_NINE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINAL_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TEEN_DAYS = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
# The days of a month in words, as ordinals or, from twenty-one on, as they are also spoken: May twenty nine.
DAY_WORDS = (
    {word: day for day, word in enumerate([*_ORDINAL_UNITS, *_TEEN_DAYS], 1)}
    | {f"twenty{dash}{unit}": 20 + n for n, unit in enumerate(_ORDINAL_UNITS, 1) for dash in " -"}
    | {f"twenty{dash}{unit}": 20 + n for n, unit in enumerate(ONE_TO_NINE, 1) for dash in " -"}
    | {"thirtieth": 30, "thirty first": 31, "thirty-first": 31, "thirty one": 31, "thirty-one": 31}
)
# '40 and below are of this century, '41 and above of the last.
_SHORT_YEARS = 40
_PARTS = {"morning": Part.MORNING, "afternoon": Part.AFTERNOON, "evening": Part.EVENING, "night": Part.EVENING}
DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1,
    "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
STEPS = {
    "last": -1, "past": -1, "previous": -1, "preceding": -1, "this": 0, "current": 0, "the current": 0,
    "next": 1, "coming": 1, "following": 1, "this coming": 1,
}  # fmt: skip
THIRDS = {
    "early": Third.EARLY, "beginning": Third.START, "start": Third.START, "mid": Third.MIDDLE, "middle": Third.MIDDLE,
    "late": Third.LATE, "end": Third.END,
}  # fmt: skip


# Days of a part of the week; its end has its Friday.
_WEEK_DAYS = {Third.START: (0, 2), Third.EARLY: (0, 3), Third.MIDDLE: (2, 5), Third.LATE: (3, 7), Third.END: (3, 7)}


def month_number(name: str) -> int:
    return next(index for index, month in enumerate(MONTHS, 1) if month.startswith(name.rstrip(".")[:3]))


def weekday_number(name: str) -> int:
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
    weekday = weekday_number(match[2])
    today = at.date()
    step = STEPS[match[1]]
    if step < 0:
        return frame.on(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    if "coming" in match[1]:
        return frame.on(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    return replace(frame, week=monday_of(today) + timedelta(weeks=step), weekday=weekday, relative=True)


def weekday(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    return replace(frame, weekday=weekday_number(match[1] or match[2]), relative=True)


def _day_of(words: str) -> int:
    return DAY_WORDS[words] if words in DAY_WORDS else int(re.sub("[a-z]", "", words))


def _full_year(match: re.Match[str]) -> int | None:
    """The year as it is written, '87 as 1987."""
    if match["year"]:
        return int(match["year"])
    short = match.groupdict().get("short_year")
    if not short:
        return None
    return int(short) + (1900 if int(short) > _SHORT_YEARS else 2000)


def month_day(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    day, last = _day_of(match["day"]), _day_of(match["last"]) if match["last"] else None
    if last is not None and last <= day:
        return None
    return replace(frame, year=_full_year(match), month=month_number(match["month"]), day=day, last_day=last)


def day_of_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    """The 5th; Friday the 13th is of the nearest month whose 13th is one."""
    day = _day_of(match["day"])
    named = match.groupdict().get("weekday")
    if named:
        months = sorted(
            (add_months(at.replace(day=1), shift) for shift in range(-12, 13)), key=lambda first: abs(first - at)
        )
        for first in months:
            if day <= monthrange(first.year, first.month)[1]:
                found = first.replace(day=day)
                if found.weekday() == weekday_number(named):
                    return frame.on(found.date())
    return replace(frame, day=day, relative=True)


def day_of_stepped_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """The 15th of next month, the thirty-first day of the month."""
    first = add_months(at.replace(day=1), STEPS[match["step"]] if match["step"] else 0)
    day = _day_of(match["day"])
    if day > monthrange(first.year, first.month)[1]:
        return None
    return frame.on(first.replace(day=day).date())


def month(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    third = THIRDS[match["third"]] if match["third"] else None
    year = _full_year(match)
    frame = replace(frame, year=year, month=month_number(match["month"]), third=third)
    if year is None and match["step"]:
        return replace(frame, year=stepped_month_year(frame.month or 1, STEPS[match["step"]], at), relative=True)
    return frame


def stepped_month_year(month: int, step: int, at: datetime) -> int:
    """Last March is the latest one over, next March the first to come."""
    if step < 0:
        return at.year if month < at.month else at.year - 1
    if step > 0:
        return at.year if month > at.month else at.year + 1
    return at.year


def month_figure(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    """12-2015 is a month."""
    return replace(frame, year=int(match["year"]), month=int(match["month_figure"]))


def unit(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """Last week, next quarter, the end of this year, next year's first quarter."""
    step, unit = STEPS[match["step"]] if match["step"] else 0, match["unit"]
    third = THIRDS[match["third"]] if match["third"] else None
    frame = replace(frame, relative=True, third=third)
    if match["number"]:
        return replace(frame, year=at.year + step, quarter=ORDINALS[match["number"]]) if unit == "year" else None
    if match["further"]:
        step *= 2
    if unit in {"week", "weekend"}:
        monday = monday_of(at.date()) + timedelta(weeks=step)
        if third is not None and unit == "week":
            first, last = (midnight(monday + timedelta(days=day)) for day in _WEEK_DAYS[third])
            return replace(frame, span=Interval(first, last, Granularity.RANGE), third=None)
        return (
            replace(frame, week=monday, weekend=True, third=None) if unit == "weekend" else replace(frame, week=monday)
        )
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
    edge = match.groupdict().get("edge")
    if edge:
        month = 3 * quarter if edge == "end" else 3 * quarter - 2
        return replace(frame, year=int(year) if year else at.year, month=month, relative=not year)
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
    year, month, day = int(match[1]), int(match[3]), int(match[4])
    return replace(frame, year=year, month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def slashed(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """5/20/2024 or 20/5/2024; where either reading would do, the month is first but after a point: 5.6.2024."""
    first, second, year = int(match[1]), int(match[3]), int(match[4]) if match[4] else None
    if second > 12 or (first <= 12 and match[2] != "."):
        month, day = first, second
    else:
        month, day = second, first
    return replace(frame, year=year, month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def named_holiday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    name = match["name"]
    if match["step_year"]:
        found = holiday(name, at.year + STEPS[match["step_year"]])
    elif match["step"]:
        found = _stepped_holiday(name, STEPS[match["step"]], at)
    else:
        found = holiday(name, int(match["year"])) if match["year"] else nearest_holiday(name, at.date())
    if found is None:
        return None
    yearly = None if match["step_year"] or match["step"] or match["year"] else partial(holiday_of, name)
    relative = not match["year"]
    return replace(frame, year=found.year, month=found.month, day=found.day, relative=relative, yearly=yearly)


def _stepped_holiday(name: str, step: int, at: datetime) -> date | None:
    """Last Christmas is the latest one over, next Christmas the first to come, this one of the current year."""
    days = [found for found in (holiday(name, at.year + shift) for shift in (-1, 0, 1)) if found]
    if step < 0:
        return max((found for found in days if found < at.date()), default=None)
    if step > 0:
        return min((found for found in days if found > at.date()), default=None)
    return holiday(name, at.year)


def part(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    bare_after_clock = frame.hour is not None and " " not in match[0].strip()
    if frame.part is not None or bare_after_clock or frame.is_wider_than_a_day():
        return None
    return replace(frame, part=_PARTS[match[1]])
