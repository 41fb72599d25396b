"""Stretches of days that English names by count or by their side: the last week of July, week 31, later this month."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval
from graphsvc.language.times.en_build import DAYS, ORDINALS, STEPS, month_number, stepped_month_year, weekday_number
from graphsvc.language.times.frame import Frame
from graphsvc.models.facts import Granularity

_UNITS = {
    "week": Granularity.WEEK, "month": Granularity.MONTH, "quarter": Granularity.QUARTER, "year": Granularity.YEAR,
}  # fmt: skip


def _spanned(frame: Frame, span: Interval) -> Frame:
    return replace(frame, span=span, relative=True)


def nth(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """The last week of July, the second Tuesday of next month, the first day of 2024."""
    number = -1 if match["nth"] == "last" else ORDINALS[match["nth"]]
    step = STEPS[match["step"]] if match["step"] else 0
    stated = int(match["year"]) if match["year"] else None
    if match["whole_year"]:
        found = _nth_of_year(frame, match["unit"], number, int(match["whole_year"]))
        return replace(found, year=int(match["whole_year"]), relative=False) if found else None
    if match["whole"] == "year":
        return _nth_of_year(frame, match["unit"], number, at.year + step)
    if match["whole"] == "month":
        moment = calendar.add_months(at.replace(day=1), step)
        return _of_month(frame, match["unit"], number, (moment.year, moment.month))
    month = month_number(match["month"])
    if stated is None and match["step"]:
        stated = stepped_month_year(month, step, at)
    found = _of_month(frame, match["unit"], number, (stated or _nearest_year(month, at), month))
    return found if found is None or stated is None or match["step"] else replace(found, year=stated, relative=False)


def _nearest_year(month: int, at: datetime) -> int:
    years = (at.year, at.year - 1, at.year + 1)
    return min(years, key=lambda year: abs((datetime(year, month, 15) - at).days))


def _nth_of_year(frame: Frame, unit: str, number: int, year: int) -> Frame | None:
    if unit == "day":
        return _spanned(frame, calendar.day(datetime(year, 12, 31) if number < 0 else datetime(year, 1, number)))
    if unit == "week" and number < 0:
        return _spanned(frame, calendar.week(calendar.monday_of(datetime(year, 12, 28).date())))
    if unit == "week":
        return _spanned(frame, calendar.week_of_year(year, number))
    return None


def _of_month(frame: Frame, unit: str, number: int, month: tuple[int, int]) -> Frame | None:
    if unit == "week":
        return _spanned(frame, calendar.week_of_month(*month, number))
    if unit == "day":
        whole = calendar.month(*month)
        if whole.begin is None or whole.until is None:
            return None
        moment = whole.until - timedelta(days=1) if number < 0 else whole.begin + timedelta(days=number - 1)
        return _spanned(frame, calendar.day(moment.date()))
    found = calendar.nth_weekday(*month, 5 if unit == "weekend" else weekday_number(unit), number)
    if found is None:
        return None
    if unit == "weekend":
        begin = calendar.midnight(found)
        return _spanned(frame, Interval(begin, begin + timedelta(days=2), Granularity.RANGE))
    return _spanned(frame, calendar.day(found))


def week_number(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """Week 31 of ISO 8601, of this year where none is named."""
    number = int(match["number"])
    if not 1 <= number <= 53:
        return None
    return _spanned(frame, calendar.week_of_year(int(match["year"]) if match["year"] else at.year, number))


def weekday_of_week(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    """Tuesday of next week, last week Friday."""
    step = STEPS[match["step"] or match["step_first"]]
    monday = calendar.monday_of(at.date()) + timedelta(weeks=step)
    return replace(frame, week=monday, weekday=weekday_number(match["day"] or match["day_last"]), relative=True)


def side_of_unit(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """Earlier this month is what is over of it, later this month what is left; of another unit, its half."""
    step = STEPS.get(match["step"], 0)
    unit = _UNITS[match["unit"]]
    whole = calendar.containing(calendar.shift(at, step, unit), unit)
    if whole.begin is None or whole.until is None:
        return None
    if step:
        middle = whole.begin + (whole.until - whole.begin) / 2
    else:
        middle = at if match["earlier"] == "earlier" else calendar.midnight(at.date())
    ends = (whole.begin, middle) if match["earlier"] == "earlier" else (middle, whole.until)
    return _spanned(frame, Interval(*ends, Granularity.RANGE)) if ends[0] < ends[1] else None


def year_to_date(frame: Frame, _: re.Match[str], at: datetime) -> Frame | None:
    begin = datetime(at.year, 1, 1)
    return _spanned(frame, Interval(begin, at, Granularity.RANGE)) if begin < at else None


def weekend(frame: Frame, _: re.Match[str], at: datetime) -> Frame:
    return replace(frame, week=calendar.monday_of(at.date()), weekend=True, relative=True)


def end_of_day(frame: Frame, _: re.Match[str], at: datetime) -> Frame:
    """The last minute of today."""
    return replace(frame.on(at.date()), hour=23, minute=59)


def end_of_named_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    """The end of tomorrow, EOD Friday: its last minute."""
    if match["named"]:
        return replace(frame.on((at + timedelta(days=DAYS[match["named"]])).date()), hour=23, minute=59)
    weekday = weekday_number(match["weekday"])
    today = at.date()
    if match["step"]:
        day = calendar.monday_of(today) + timedelta(weeks=STEPS[match["step"]], days=weekday)
    else:
        day = today + timedelta(days=(weekday - today.weekday()) % 7)
    return replace(frame.on(day), hour=23, minute=59)
