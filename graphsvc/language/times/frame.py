"""What an expression said about a time, field by field, and the interval it comes to.

Fields left open are filled from the moment of speaking. A month, a date, a holiday or a season without a year
is past or coming as its sentence is; where that does not tell, it is of the current year, but of the year before or
after where that one is less than a third of a year away. So is a day without a month, of the month and a third
of it. A quarter or half-year is of the current year, an hour without a half of the day is taken as
written, but where people are to meet at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval
from graphsvc.language.times.parts import MONTH_DAYS, PART_HOURS, YEAR_MONTHS, Part, Third, hour_of
from graphsvc.models.facts import Anchor, Granularity

_CLOSE_AHEAD = timedelta(days=60)


class Tense(StrEnum):
    """What a sentence says of its times; `OPEN` when it does not."""

    PAST = "past"
    COMING = "coming"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Frame:
    """The fields of one expression; `relative` when any was reckoned from the moment of speaking.

    `span` is a stretch of days that the fields have no name for, such as a season or the second week of May;
    `yearly` gives that of a year, of a holiday or season whose year was not said. `half_unsaid` marks an hour at
    which people are to meet and of which no half of the day was said.
    """

    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    last_month: int | None = None
    third: Third | None = None
    last_third: Third | None = None
    week: date | None = None
    weekday: int | None = None
    weekend: bool = False
    day: int | None = None
    last_day: int | None = None
    part: Part | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    last_hour: int | None = None
    last_minute: int | None = None
    span: Interval | None = None
    yearly: Callable[[int], Interval | None] | None = None
    half_unsaid: bool = False
    lunar: bool = False
    relative: bool = False

    def on(self, moment: date) -> Frame:
        """The frame set to one day."""
        return replace(self, year=moment.year, month=moment.month, day=moment.day, relative=True)

    def has_date(self) -> bool:
        fields = (self.year, self.half, self.quarter, self.month, self.week, self.weekday, self.day)
        return self.weekend or self.span is not None or any(field is not None for field in fields)

    def is_wider_than_a_day(self) -> bool:
        """Whether no clock time can belong to it."""
        wide = self.span is not None and self.span.granularity is not Granularity.DAY
        return wide or (self.has_date() and self.day is None and self.weekday is None and self.span is None)

    def listed_after(self, before: Frame) -> Frame:
        """A day or weekday in a list, in the month or week of the one before it."""
        if self.is_loose() and before.weekday is not None:
            return replace(self, week=before.week)
        if self.day is not None and self.month is None:
            return replace(self, month=before.month, year=before.year)
        return self

    def is_loose(self) -> bool:
        """A weekday of no stated week: the last one or the coming one, as the sentence is past or not."""
        return self.weekday is not None and self.week is None and self.day is None

    def settled(self, at: datetime, tense: Tense) -> Frame:
        """A loose weekday put into the week that the sentence means, today included."""
        today = at.date()
        if not self.is_loose() or self.weekday is None:
            return self
        ahead = (self.weekday - today.weekday()) % 7
        day = today + timedelta(days=ahead - 7 if tense is Tense.PAST and ahead else ahead)
        return replace(self, week=calendar.monday_of(day), relative=True)

    def dated(self, at: datetime, tense: Tense) -> Frame:
        """A month without a year, a day without a month, put where a past or coming sentence means it."""
        if tense is not Tense.OPEN and self.yearly is not None:
            return self.of_some_year(at, tense)
        if tense is not Tense.OPEN and self.day is not None and self.month is None and self.year is None:
            return self._day_dated(at, tense)
        if tense is Tense.OPEN or self.month is None or self.year is not None or (self.month, self.day) == (2, 29):
            return self
        here, today = (self.month, self.day or at.day), (at.month, at.day)
        if tense is Tense.PAST and self._is_close_ahead(at):
            return self
        year = at.year - (here > today) if tense is Tense.PAST else at.year + (here < today)
        return replace(self, year=year, relative=True)

    def _is_close_ahead(self, at: datetime) -> bool:
        """Whether a day is so soon that a past sentence hardly means that of a year ago, ten months back or more."""
        if self.month is None or self.day is None:
            return False
        ahead = _day_of(at.year, self.month, self.day)
        if ahead is not None and ahead < at.date():
            ahead = _day_of(at.year + 1, self.month, self.day)
        return ahead is not None and timedelta(0) < ahead - at.date() < _CLOSE_AHEAD

    def of_some_year(self, at: datetime, tense: Tense) -> Frame:
        """The latest begun or the first not over of what comes each year; today's is either."""
        spans = [self.yearly(at.year + shift) for shift in range(-2, 3)] if self.yearly else []
        for span in reversed(spans) if tense is Tense.PAST else spans:
            if span is None or span.begin is None or span.until is None:
                continue
            if span.begin <= at if tense is Tense.PAST else span.until > at:
                return replace(self, year=None, month=None, day=None, span=span, relative=True)
        return self

    def _day_dated(self, at: datetime, tense: Tense) -> Frame:
        """The last or the coming day of that number; today is either."""
        day = self.day or 1
        months = range(0, -3, -1) if tense is Tense.PAST else range(3)
        for shift in months:
            found = _day_in(calendar.add_months(at.replace(day=1), shift), day)
            if found and (found <= at.date() if tense is Tense.PAST else found >= at.date()):
                return replace(self, year=found.year, month=found.month, relative=True)
        return self

    def following(self, first: Frame) -> Frame:
        """The end of a range, with what only its beginning said: 下周三到周五, 3月5日到8日, 下午3点到5点."""
        filled = self
        if not self.has_date():
            filled = replace(
                filled,
                year=first.year,
                month=first.month,
                day=first.day,
                week=first.week,
                weekday=first.weekday,
                weekend=first.weekend,
                span=first.span,
            )
            if self.part is None:
                filled = replace(filled, part=first.part)
        elif self.is_loose():
            filled = replace(filled, week=first.week)
        elif self.day is not None and self.month is None:
            filled = replace(filled, month=first.month, year=first.year)
        elif self.year is None and self.week is None and self.span is None:
            filled = replace(filled, year=first.year)
        return replace(filled, relative=self.relative or first.relative)


def resolve(frame: Frame, at: datetime) -> tuple[Interval, Anchor]:
    """The interval of a frame, read at a moment in local time; raises `ValueError` for 30 February."""
    if frame.weekend and frame.week is not None and (frame.part is not None or frame.hour is not None):
        return _on_weekend(frame, at)
    base = _date_interval(frame, at)
    anchor = Anchor.ABSOLUTE if frame.year is not None and not frame.relative else Anchor.SPEAKER
    if frame.hour is not None:
        return _clock(frame, base), anchor
    if frame.part is not None and base.begin is not None and base.granularity is Granularity.DAY:
        first, last = PART_HOURS[frame.part]
        begin, until = base.begin + timedelta(hours=first), base.begin + timedelta(hours=last)
        return Interval(begin, until, Granularity.HALF_DAY), anchor
    return base, anchor


def _on_weekend(frame: Frame, at: datetime) -> tuple[Interval, Anchor]:
    """周末晚上: from the evening of Saturday to that of Sunday, since either may be meant."""
    (first, anchor), (last, _) = (resolve(replace(frame, weekend=False, weekday=day), at) for day in (5, 6))
    return Interval(first.begin, last.until, Granularity.RANGE), anchor


def _date_interval(frame: Frame, at: datetime) -> Interval:
    if frame.span is not None:
        return frame.span
    if frame.day is not None:
        return _days(frame, at)
    if frame.week is not None and frame.weekend:
        saturday = calendar.midnight(frame.week + timedelta(days=5))
        return Interval(saturday, saturday + timedelta(days=2), Granularity.RANGE)
    if frame.week is not None and frame.weekday is not None:
        return calendar.day(frame.week + timedelta(days=frame.weekday))
    if frame.week is not None:
        return calendar.week(frame.week)
    if frame.month is not None:
        return _months(frame, at)
    year = at.year if frame.year is None else frame.year
    if frame.quarter is not None:
        return calendar.quarter(year, frame.quarter)
    if frame.half is not None:
        return calendar.half(year, frame.half)
    if frame.third is not None:
        first, last = YEAR_MONTHS[frame.third]
        begin = datetime(year, first, 1)
        return Interval(begin, calendar.add_months(begin, last - first), Granularity.RANGE)
    if frame.year is not None:
        return calendar.year(year)
    return calendar.day(at.date())


def _days(frame: Frame, at: datetime) -> Interval:
    day = frame.day or 1
    if frame.month is None:
        first = _day_near(day, at)
    elif frame.year is None:
        first = date(year_of(frame.month, day, at), frame.month, day)
    else:
        first = date(frame.year, frame.month, day)
    if frame.last_day is None:
        return calendar.day(first)
    last = first.replace(day=frame.last_day)
    if last <= first:
        raise ValueError("the range ends before it begins")
    return Interval(calendar.midnight(first), calendar.midnight(last + timedelta(days=1)), Granularity.RANGE)


def _months(frame: Frame, at: datetime) -> Interval:
    number = frame.month or 1
    year = frame.year
    if year is None:
        year = year_of(number, None, at)
    whole = calendar.month(year, number)
    begin = datetime(year, number, 1)
    if frame.third is not None:
        first, last = MONTH_DAYS[frame.third]
        if frame.last_third is not None:
            _, last = MONTH_DAYS[frame.last_third]
        until = whole.until if last is None else begin.replace(day=last)
        return Interval(begin.replace(day=first), until, Granularity.RANGE)
    if frame.last_month is not None:
        return Interval(begin, calendar.month(year, frame.last_month).until, Granularity.RANGE)
    return whole


def year_of(month: int, day: int | None, at: datetime) -> int:
    """The year of a date without one: the current, or the one before or after where its date is close by.

    29 February is of the nearest leap year; raises `ValueError` for 31 June.
    """
    days = {year: _day_of(year, month, day or 15) for year in range(at.year - 4, at.year + 5) if 0 < year < 10_000}
    apart = {year: abs((found - at.date()).days) for year, found in days.items() if found is not None}
    if not apart:
        raise ValueError("no such day")
    nearest = min(apart, key=lambda year: apart[year])
    return at.year if at.year in apart and apart[nearest] > calendar.CLOSE_BY else nearest


def _day_near(day: int, at: datetime) -> date:
    """The day of that number in the current month, or in the month before or after where that one is close by."""
    days = [_day_in(calendar.add_months(at.replace(day=1), shift), day) for shift in (0, -1, 1)]
    known = [found for found in days if found is not None]
    if not known:
        raise ValueError("no such day")
    nearest = min(known, key=lambda found: abs((found - at.date()).days))
    close = abs((nearest - at.date()).days) <= calendar.CLOSE_BY_DAYS
    return nearest if close or days[0] is None else days[0]


def _day_in(first: datetime, day: int) -> date | None:
    return _day_of(first.year, first.month, day)


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _clock(frame: Frame, base: Interval) -> Interval:
    """A clock time on a day; the half of the day says which twelve hours are meant."""
    if base.begin is None or base.granularity is not Granularity.DAY or frame.hour is None:
        raise ValueError("a clock time needs a day")
    hour = hour_of(frame.hour, frame.part)
    begin = base.begin + timedelta(hours=hour, minutes=frame.minute or 0, seconds=frame.second or 0)
    if frame.last_hour is not None:
        until = base.begin + timedelta(hours=hour_of(frame.last_hour, frame.part), minutes=frame.last_minute or 0)
        return Interval(begin, until if until > begin else until + timedelta(days=1), Granularity.RANGE)
    if frame.second is not None:
        return Interval(begin, begin + timedelta(seconds=1), Granularity.SECOND)
    if frame.minute is not None:
        return Interval(begin, begin + timedelta(minutes=1), Granularity.MINUTE)
    return Interval(begin, begin + timedelta(hours=1), Granularity.HOUR)
