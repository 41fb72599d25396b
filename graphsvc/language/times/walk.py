"""Go through a text from one opening to the next, and read a date with the end of its range.

What both languages share: a budget of openings, so that a text of nothing but dates costs no more
than its length allows; joined ends of ranges; what holds before, after, since and until a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval, Reading
from graphsvc.language.times.frame import Frame, Tense, resolve
from graphsvc.models.facts import Anchor, Granularity

# Openings read of any text, and one more for so many characters: prose in either language has fewer.
_OPENINGS = 2000
_CHARS_PER_OPENING = 250
_SUNDAY = 6
_CLOCK = frozenset({Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})


class NoSuchTime(ValueError):
    """An expression that no calendar has, such as 30 February; nothing inside it is read either."""

    def __init__(self, end: int) -> None:
        super().__init__("no such time")
        self.end = end


def budget(line: str) -> int:
    """How many openings of a text are read; those beyond it, in walls of dates, are not."""
    return _OPENINGS + len(line) // _CHARS_PER_OPENING


def walk(line: str, opening: re.Pattern[str], read: Callable[[int], Reading | None]) -> Iterator[Reading]:
    """Readings that begin at an opening, each after the end of the one before."""
    at = 0
    for _ in range(budget(line)):
        match = opening.search(line, at)
        if match is None:
            return
        try:
            reading = read(match.start())
        except NoSuchTime as missing:
            at = max(missing.end, match.end())
            continue
        except (ValueError, OverflowError):  # a count that leaves the calendar
            reading = None
        at = match.end() if reading is None else max(reading.end, match.end())
        if reading is not None:
            yield reading


def reading_of(start: int, end: int, frame: Frame, at: datetime) -> Reading:
    """The reading of a frame; raises `NoSuchTime`."""
    try:
        interval, anchor = resolve(frame, at)
    except (ValueError, OverflowError):
        raise NoSuchTime(end) from None
    return Reading(start, end, interval, anchor, dateless=not frame.has_date())


def joined(first: Reading, frame: Frame, last: Frame, end: int, at: datetime) -> Reading | None:
    """From the beginning of one to the end of the other, if that is a stretch of time at all.

    A year that only the end names is the beginning's too; an end without a year comes after its beginning.
    """
    try:
        if frame.year is None and frame.month is not None and last.year is not None and not last.relative:
            year = last.year - (frame.month > (last.month or 12))
            whole = reading_of(first.start, first.end, replace(frame, year=year), at)
            first = replace(whole, dateless=first.dateless)
        elif last.month is not None and last.year is not None and last.year == frame.year:
            last = replace(last, year=last.year + ((frame.month or 0) > last.month))
        elif last.year is None and last.month is not None and first.interval.begin is not None:
            after = last.month < first.interval.begin.month
            last = replace(last, year=first.interval.begin.year + after, relative=True)
        if last.yearly is not None and first.interval.begin is not None:
            last = last.of_some_year(first.interval.begin, Tense.COMING)
        if last.weekend and last.hour is not None:
            last = replace(last, weekend=False, weekday=_SUNDAY)
        interval, anchor = resolve(last.settled(at, Tense.OPEN) if last.is_loose() else last, at)
    except (ValueError, OverflowError):
        return None
    begin, opens, until = first.interval.begin, interval.begin, interval.until
    if begin is None or until is None or opens is None:
        return None
    if interval.granularity in _CLOCK:
        until = opens
        if until <= begin and not last.has_date():
            until += timedelta(days=1)
    if until <= begin or (opens < begin and interval.granularity not in _CLOCK):
        return None
    anchor = anchor if first.anchor is anchor else Anchor.SPEAKER
    return Reading(first.start, end, Interval(begin, until, Granularity.RANGE), anchor, dateless=first.dateless)


def until_now(reading: Reading, at: datetime, *, end: int) -> Reading:
    """From a date that is past to now; from one that is to come, without an end."""
    begin = reading.interval.begin
    if begin is None:
        return reading
    return replace(reading, end=end, interval=Interval(begin, at if begin < at else None, Granularity.RANGE))


def before(reading: Reading, at: datetime, *, end: int) -> Reading:
    """A bound ahead is a deadline, from now to the end of what is named; one behind ends where that begins."""
    begin, until = reading.interval.begin, reading.interval.until
    if begin is None or until is None:
        return reading
    if reading.interval.granularity in _CLOCK:
        until = begin
    interval = Interval(at, until, Granularity.RANGE) if until > at else Interval(None, begin, Granularity.RANGE)
    return replace(reading, end=end, interval=interval)


def up_to(reading: Reading, at: datetime) -> Reading:
    """截至昨天, 最迟周五: to the end of what is named, from now where that is ahead; to a clock time itself."""
    interval = reading.interval
    last = interval.begin if interval.granularity in _CLOCK else interval.until
    if last is None:
        return reading
    return replace(reading, interval=Interval(at if last > at else None, last, Granularity.RANGE))


def after(reading: Reading, *, end: int) -> Reading:
    """What comes after a day begins when it is over; after a clock time, at once."""
    interval = reading.interval
    edge = interval.begin if interval.granularity in _CLOCK else interval.until
    if edge is None:
        return reading
    return replace(reading, end=end, interval=Interval(edge, None, Granularity.RANGE))


def undated(start: int, frame: Frame, end: int, at: datetime) -> Reading:
    """A clock time of a day that the text speaks of and does not date."""
    interval, _ = resolve(frame, at)
    return Reading(start, end, Interval(None, None, interval.granularity), Anchor.EVENT)


def few(unit: Granularity) -> int:
    """How many 几天 and "a few days" are at most: a week of days, a month of weeks, half a year of months."""
    return {Granularity.DAY: 7, Granularity.WEEK: 4, Granularity.MONTH: 6, Granularity.YEAR: 5}.get(unit, 10)


def last_hour(at: datetime) -> Interval:
    """刚才, "just now": within the last hour."""
    return Interval(at - timedelta(hours=1), at, Granularity.RANGE)


def past_window(at: datetime, moment: datetime, unit: Granularity, grain: Granularity | None = None) -> Interval:
    """The last three days: from the beginning of the day that is three days back to now; of its `grain`, if any."""
    begin = moment if unit in _CLOCK else calendar.midnight(moment.date())
    if grain is not None:
        begin = calendar.containing(moment, grain).begin or begin
    return Interval(begin, at, Granularity.RANGE)


def coming_window(at: datetime, moment: datetime, unit: Granularity, grain: Granularity | None = None) -> Interval:
    """Within three days: from now to the end of the third day; or of its `grain`, if any."""
    until = moment if unit in _CLOCK else calendar.midnight(moment.date()) + timedelta(days=1)
    if grain is not None:
        until = calendar.containing(moment, grain).until or until
    return Interval(at, until, Granularity.RANGE)


def around(at: datetime, low: float, high: float, unit: Granularity, *, sign: int) -> Interval:
    """两三天前, a few days ago: whole units from the one count to the other."""
    ends = [calendar.containing(calendar.shift(at, sign * count, unit), unit) for count in (low, high)]
    first, last = ends[sign < 0], ends[sign > 0]
    return Interval(first.begin, last.until, Granularity.RANGE)
