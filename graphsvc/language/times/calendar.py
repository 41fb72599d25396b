"""Intervals of the calendar: half-open, in local wall-clock time, weeks from Monday."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from graphsvc.models.facts import Anchor, Granularity


@dataclass(frozen=True, slots=True)
class Interval:
    """[`begin`, `until`) without a zone; either may be open."""

    begin: datetime | None
    until: datetime | None
    granularity: Granularity


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of folded text read as a time; `dateless` when it named a clock time only."""

    start: int
    end: int
    interval: Interval
    anchor: Anchor
    dateless: bool = False

    def stretched(self, start: int, end: int) -> Reading:
        return replace(self, start=start, end=end)


_FINER = {
    Granularity.YEAR: Granularity.MONTH,
    Granularity.QUARTER: Granularity.MONTH,
    Granularity.MONTH: Granularity.DAY,
    Granularity.WEEK: Granularity.DAY,
    Granularity.DAY: Granularity.HOUR,
    Granularity.HOUR: Granularity.MINUTE,
}
# Days: 20 December said in January was last month, 5 January said in December is next month.
CLOSE_BY = 122
# Of a month as of a year, a third: the 5th said on the 28th is of the next month.
CLOSE_BY_DAYS = 10
UNKNOWN = Interval(None, None, Granularity.RANGE)


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def day(first: date) -> Interval:
    return Interval(midnight(first), midnight(first + timedelta(days=1)), Granularity.DAY)


def week(monday: date) -> Interval:
    return Interval(midnight(monday), midnight(monday + timedelta(days=7)), Granularity.WEEK)


def month(year: int, number: int) -> Interval:
    return Interval(datetime(year, number, 1), add_months(datetime(year, number, 1), 1), Granularity.MONTH)


def quarter(year: int, number: int) -> Interval:
    first = datetime(year, 3 * number - 2, 1)
    return Interval(first, add_months(first, 3), Granularity.QUARTER)


def half(year: int, number: int) -> Interval:
    first = datetime(year, 6 * number - 5, 1)
    return Interval(first, add_months(first, 6), Granularity.RANGE)


def year(number: int) -> Interval:
    return Interval(datetime(number, 1, 1), datetime(number + 1, 1, 1), Granularity.YEAR)


def monday_of(moment: date) -> date:
    return moment - timedelta(days=moment.weekday())


def nth_weekday(year: int, month: int, weekday: int, number: int) -> date | None:
    """The nth Monday (0) to Sunday (6) of a month, the last of them for -1; `None` where there is none."""
    first = date(year, month, 1)
    if number < 0:
        last = (add_months(midnight(first), 1) - timedelta(days=1)).date()
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    return found if found.month == month else None


def week_of_month(year: int, month: int, number: int) -> Interval:
    """The nth week of a month begins with its nth Monday, the last one (-1) with its last."""
    monday = nth_weekday(year, month, 0, number)
    if monday is None:
        raise ValueError("the month has no such week")
    return week(monday)


def week_of_year(year: int, number: int) -> Interval:
    """The week of ISO 8601, whose first one holds 4 January."""
    return week(date.fromisocalendar(year, number, 1))


def century(number: int) -> Interval:
    """The eighteenth century is written 1700 to 1799, as it is spoken of."""
    return Interval(datetime(100 * number - 100 or 1, 1, 1), datetime(100 * number, 1, 1), Granularity.RANGE)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day of another month, or its last day where there is none."""
    index = moment.year * 12 + moment.month - 1 + months
    target_year, target_month = divmod(index, 12)
    for last in (moment.day, 30, 29, 28):
        if last <= moment.day:
            try:
                return moment.replace(year=target_year, month=target_month + 1, day=last)
            except ValueError:
                if last == 28:
                    raise
    return moment.replace(year=target_year, month=target_month + 1, day=28)


def shift(moment: datetime, count: float, unit: Granularity) -> datetime:
    """Move by a count of units; halves of a month are 15 days, halves of a year six months."""
    if unit is Granularity.YEAR:
        return add_months(moment, round(12 * count))
    if unit is Granularity.QUARTER:
        return add_months(moment, round(3 * count))
    if unit is Granularity.MONTH:
        whole = int(count)
        return add_months(moment, whole) + timedelta(days=round(30 * (count - whole)))
    lengths = {
        Granularity.WEEK: timedelta(weeks=1),
        Granularity.DAY: timedelta(days=1),
        Granularity.HOUR: timedelta(hours=1),
        Granularity.MINUTE: timedelta(minutes=1),
        Granularity.SECOND: timedelta(seconds=1),
    }
    return moment + lengths[unit] * count


def shift_workdays(moment: datetime, count: int) -> datetime:
    """Move by Mondays to Fridays; public holidays are not known here."""
    weeks, rest = divmod(abs(count), 5)
    step = timedelta(days=1 if count >= 0 else -1)
    moment += 7 * weeks * step
    while rest:
        moment += step
        rest -= moment.weekday() < 5
    return moment


def grain_of(count: float, unit: Granularity) -> Granularity:
    """How fine a count speaks: half a year is a matter of months."""
    return unit if count == int(count) else _FINER.get(unit, unit)


def counted(moment: datetime, count: float, unit: Granularity, *, length: float = 1) -> Interval:
    """What a count from now comes to: the calendar unit around it, or from that very moment for hours and less.

    Half an hour is counted in half-hours; `length` is that of a unit that is not the calendar's, as 刻钟 has.
    """
    if unit in {Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND}:
        return Interval(moment, shift(moment, min(count, length), unit), unit)
    return containing(moment, grain_of(count, unit))


def containing(moment: datetime, unit: Granularity) -> Interval:
    """The calendar unit around a moment: "two weeks ago" is the week of that day."""
    if unit is Granularity.YEAR:
        return year(moment.year)
    if unit is Granularity.QUARTER:
        return quarter(moment.year, (moment.month + 2) // 3)
    if unit is Granularity.MONTH:
        return month(moment.year, moment.month)
    if unit is Granularity.WEEK:
        return week(monday_of(moment.date()))
    if unit is Granularity.DAY:
        return day(moment.date())
    floors = {
        Granularity.HOUR: (moment.replace(minute=0, second=0, microsecond=0), timedelta(hours=1)),
        Granularity.MINUTE: (moment.replace(second=0, microsecond=0), timedelta(minutes=1)),
        Granularity.SECOND: (moment.replace(microsecond=0), timedelta(seconds=1)),
    }
    begin, length = floors[unit]
    return Interval(begin, begin + length, unit)
