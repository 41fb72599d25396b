"""What an expression said about a time, field by field, and the interval it comes to.

Fields left open are filled from the moment of speaking. Rules: a month or a day without a year is
the one nearest to that moment, a quarter or half-year is of the current year, an hour without a
half of the day is taken as written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval
from graphsvc.models.facts import Anchor, Granularity


class Third(StrEnum):
    """A part of a month or a year; `END` is its last days, closer than `LATE`."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    END = "end"


class Part(StrEnum):
    """A part of the day."""

    SMALL_HOURS = "small_hours"
    MORNING = "morning"
    FORENOON = "forenoon"
    NOON = "noon"
    AFTERNOON = "afternoon"
    DUSK = "dusk"
    EVENING = "evening"
    NIGHT = "night"


# Hours from the day's midnight; a night runs into the next day.
_PART_HOURS = {
    Part.SMALL_HOURS: (0, 6),
    Part.MORNING: (5, 12),
    Part.FORENOON: (6, 12),
    Part.NOON: (11, 14),
    Part.AFTERNOON: (12, 18),
    Part.DUSK: (17, 20),
    Part.EVENING: (18, 24),
    Part.NIGHT: (22, 30),
}
# First and last day of a part of the month; the last one ends with the month.
_MONTH_DAYS = {Third.EARLY: (1, 11), Third.MIDDLE: (11, 21), Third.LATE: (21, None), Third.END: (25, None)}
_YEAR_MONTHS = {Third.EARLY: (1, 3), Third.MIDDLE: (6, 8), Third.LATE: (10, 13), Third.END: (12, 13)}


@dataclass(frozen=True, slots=True)
class Frame:
    """The fields of one expression; `relative` when any was reckoned from the moment of speaking."""

    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    last_month: int | None = None
    third: Third | None = None
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
    relative: bool = False

    def on(self, moment: date) -> Frame:
        """The frame set to one day."""
        return replace(self, year=moment.year, month=moment.month, day=moment.day, relative=True)

    def has_date(self) -> bool:
        fields = (self.year, self.half, self.quarter, self.month, self.week, self.weekday, self.day)
        return self.weekend or any(field is not None for field in fields)

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

    def settled(self, at: datetime, *, past: bool) -> Frame:
        """A loose weekday put into the week that the sentence means, today included."""
        if not self.is_loose() or self.weekday is None:
            return self
        today = at.date()
        ahead = (self.weekday - today.weekday()) % 7
        day = today + timedelta(days=ahead - 7 if past and ahead else ahead)
        return replace(self, week=calendar.monday_of(day), relative=True)

    def following(self, first: Frame) -> Frame:
        """The end of a range, with what only its beginning said: 下周三到周五, 3月5日到8日, 下午3点到5点."""
        filled = self
        if not self.has_date():
            filled = replace(
                filled, year=first.year, month=first.month, day=first.day, week=first.week, weekday=first.weekday
            )
            if self.part is None:
                filled = replace(filled, part=first.part)
        elif self.is_loose():
            filled = replace(filled, week=first.week)
        elif self.day is not None and self.month is None:
            filled = replace(filled, month=first.month, year=first.year)
        elif self.year is None and self.week is None:
            filled = replace(filled, year=first.year)
        return replace(filled, relative=self.relative or first.relative)


def resolve(frame: Frame, at: datetime) -> tuple[Interval, Anchor]:
    """The interval of a frame, read at a moment in local time; raises `ValueError` for 30 February."""
    base = _date_interval(frame, at)
    anchor = Anchor.ABSOLUTE if frame.year is not None and not frame.relative else Anchor.SPEAKER
    if frame.hour is not None:
        return _clock(frame, base), anchor
    if frame.part is not None and base.begin is not None and base.granularity is Granularity.DAY:
        first, last = _PART_HOURS[frame.part]
        begin, until = base.begin + timedelta(hours=first), base.begin + timedelta(hours=last)
        return Interval(begin, until, Granularity.HALF_DAY), anchor
    return base, anchor


def _date_interval(frame: Frame, at: datetime) -> Interval:
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
        first, last = _YEAR_MONTHS[frame.third]
        begin = datetime(year, first, 1)
        return Interval(begin, calendar.add_months(begin, last - first), Granularity.RANGE)
    if frame.year is not None:
        return calendar.year(year)
    return calendar.day(at.date())


def _days(frame: Frame, at: datetime) -> Interval:
    day = frame.day or 1
    if frame.month is None:
        first = _nearest([_day_in(calendar.add_months(at.replace(day=1), shift), day) for shift in (-1, 0, 1)], at)
    elif frame.year is None:
        first = _nearest([_day_of(at.year + shift, frame.month, day) for shift in (-1, 0, 1)], at)
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
        year = _nearest([date(at.year + shift, number, 15) for shift in (-1, 0, 1)], at).year
    whole = calendar.month(year, number)
    begin = datetime(year, number, 1)
    if frame.third is not None:
        first, last = _MONTH_DAYS[frame.third]
        until = whole.until if last is None else begin.replace(day=last)
        return Interval(begin.replace(day=first), until, Granularity.RANGE)
    if frame.last_month is not None:
        return Interval(begin, calendar.month(year, frame.last_month).until, Granularity.RANGE)
    return whole


def _nearest(days: list[date | None] | list[date], at: datetime) -> date:
    known = [day for day in days if day is not None]
    if not known:
        raise ValueError("no such day")
    return min(known, key=lambda day: abs((day - at.date()).days))


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
        until = base.begin + timedelta(hours=hour_of(frame.last_hour, frame.part))
        return Interval(begin, until if until > begin else until + timedelta(days=1), Granularity.RANGE)
    if frame.second is not None:
        return Interval(begin, begin + timedelta(seconds=1), Granularity.SECOND)
    if frame.minute is not None:
        return Interval(begin, begin + timedelta(minutes=1), Granularity.MINUTE)
    return Interval(begin, begin + timedelta(hours=1), Granularity.HOUR)


def hour_of(hour: int, part: Part | None) -> int:
    """The hour of 24 that a clock hour means in a part of the day; 晚上12点 is the next midnight."""
    if hour > 24:
        raise ValueError("no such hour")
    if part in {Part.AFTERNOON, Part.DUSK} and hour < 12:
        return hour + 12
    if part in {Part.EVENING, Part.NIGHT} and hour <= 12:
        late = hour in {12, 0} or hour < 5
        return 24 + hour % 12 if late else hour + 12
    if part is Part.NOON and hour < 4:
        return hour + 12
    if part in {Part.SMALL_HOURS, Part.MORNING} and hour == 12:
        return 0
    return hour
