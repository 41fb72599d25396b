"""Find English times in folded text: where one may begin, its range, and what bounds it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from graphsvc.language.normalise import Folded
from graphsvc.language.times import calendar, en, en_events, en_relative, en_rules, walk
from graphsvc.language.times.appointments import appointed
from graphsvc.language.times.calendar import Interval, Reading, containing
from graphsvc.language.times.en_tense import tense_of
from graphsvc.language.times.frame import Frame, Tense
from graphsvc.language.times.zh_find import OTHER_DAY
from graphsvc.models.facts import Anchor, Granularity

_OPENING = re.compile(f"{en_rules.OPENERS}|{en_rules.FIGURE_OPENERS}|{en_relative.OPENERS}")
_LETTERS = re.compile(r"[a-z]{2}|\d")
_TO = re.compile(r"[ ]?(?:-{1,2}|~|—)[ ]?| (?:to|until|till|through|and) (?:the )?")
_NOW = re.compile(r"(?:now|today|the present|present)(?![a-z])")
_AT = re.compile(r",? at ")
# What is moved from one time to another has two, the old one and the new one, and lasts from none to the other.
_CHANGED = re.compile(
    r"(?<![a-z])(?:(?:mov|chang|postpon|reschedul)(?:e[sd]?|ing)|(?:shift|delay|push|defer|extend|advanc|switch|slip|swap)"
    r"[a-z]{0,4}|(?:bring|brought|put|pull)(?:ing)? (?:forward|back|off)|went|goes|go|slid)(?![a-z])"
    r"[^.,;:!?\n]{0,40}(?<![a-z])from (?:the )?$"
)
_CHANGED_CHARS = 70
_NEW_DAY = re.compile(r" to (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|[ ]?(?:am|pm|of|[-/])|[ ][a-z]{3,9}(?= ?\d))")
_TO_NEW = re.compile(r" to (?:the )?")
_BETWEEN = re.compile(r"(?<![\w-])between (?:the )?$")
_TILL_LATE = r"(?:(?:at )?around |about |at |the )?$"
_SINCE = re.compile(
    r"(?<![\w-])(?:(?:ever )?since|(?:starting|beginning|effective|commencing)(?: from| on| as of)?|as early as"
    r"|(?:any time )?from|as of|(?:no|not) earlier than|not before|on or after"
    rf"|>[ ]?=)[ ]{_TILL_LATE}"
)
_ONWARDS = re.compile(r" (?:on(?:wards?)?|and (?:on|after))(?=$|[.,;!?]| (?:we|i|you|they|he|she|it)\b)")
_FROM = re.compile(r"(?<![a-z])(?<!any time )from[ ](?:the )?$")
_UNTIL = re.compile(rf"(?<![\w-])(?:until|till|as late as|up to)[ ]{_TILL_LATE}")
_BY = re.compile(
    rf"(?<![\w-])(?:by|no later than|on or before|not later than|at the latest by|latest by)[ ]{_TILL_LATE}"
)
_BEFORE = re.compile(rf"(?<![\w-])(?<!not )(?<!on or )(?:before|prior to|(?<!no )(?<!not )earlier than)[ ]{_TILL_LATE}")
_AFTER = re.compile(rf"(?<![\w-])(?<!on or )(?:after|later than|greater than)[ ]{_TILL_LATE}")
_WEEK_OF = re.compile(r"(?<![a-z])(?:w/c|(?:the )?week (?:of|beginning|commencing|starting)) (?:the |on )?$")
_EDGE_WORDS = re.compile(r"(?:the )?(?:end|beginning|start) of ")
_OTHER_DAY_CHARS = 20
_BOUND_CHARS = 28
_WIDE = frozenset({Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR, Granularity.WEEK})


def find(text: str, folded: Folded, at: datetime) -> list[Reading]:
    """English times of a text, in order, none overlapping; places are those of the folded text."""
    line = folded.text
    if not _LETTERS.search(line):
        return []

    def capital(place: int) -> bool:
        return text[folded.offsets[place]].isupper()

    source, last = en.Source(line, at, capital), list[Reading]()

    def read(start: int) -> Reading | None:
        special = en_relative.recurring(source, start) or en_relative.offset(source, start)
        if special is not None:
            reading: Reading | None = _at_clock(source, special) or special
        else:
            reading = _date(source, start, last[0] if last else None)
        last[:] = [reading] if reading is not None else last
        return reading

    dated = list(walk.walk(line, _OPENING, read))
    taken = {one.start for one in dated}
    dated += [new for one in dated if (new := _new(line, one)) is not None and new.start not in taken]
    dated.sort(key=lambda one: one.start)
    return sorted([*dated, *en_events.find(line, dated)], key=lambda one: one.start)


def _date(source: en.Source, start: int, last: Reading | None) -> Reading | None:
    """One date, with the end of its range; an hour that people meet at is on the day of the `last` reading."""
    line, at = source.line, source.at
    parsed = source.parse(start)
    if parsed is None:
        return None
    if not parsed.frame.has_date() and OTHER_DAY.search(line, max(0, start - _OTHER_DAY_CHARS), start):
        return walk.undated(start, parsed.frame, parsed.end, at)
    tense = tense_of(line, start, parsed.end)
    if _is_changed(line, start):
        return _old(source, start, parsed, tense)
    frame = parsed.frame.settled(at, tense)
    if frame.half_unsaid:
        frame = appointed(frame, at, line, start, last)
    reading = walk.reading_of(start, parsed.end, frame.dated(at, tense), at)
    week = _WEEK_OF.search(line, max(0, start - 22), start)
    if week and reading.interval.begin and reading.interval.granularity is Granularity.DAY:
        whole = containing(reading.interval.begin, Granularity.WEEK)
        return replace(reading, start=week.start(), interval=whole)
    return _ranged(source, reading, frame) or _bounded(line, reading, at)


def _is_changed(line: str, start: int) -> bool:
    """Whether a time is what something was moved from."""
    return _CHANGED.search(line, max(0, start - _CHANGED_CHARS), start) is not None


def _old(source: en.Source, start: int, parsed: en.Parsed, tense: Tense) -> Reading:
    """The old time alone, where a new one follows: moved from 22 to 29 January, from 3 to 5 pm."""
    to = _TO_NEW.search(source.line, start, parsed.end)
    end = to.start() if to else parsed.end
    frame = replace(parsed.frame, last_day=None, last_month=None, last_hour=None, last_minute=None)
    frame = frame.settled(source.at, Tense.OPEN if tense is Tense.PAST else tense)
    return walk.reading_of(start, end, frame, source.at)


def _new(line: str, reading: Reading) -> Reading | None:
    """The new day, of the month that only the old one named: moved from January 22 to 29."""
    begin, day = reading.interval.begin, _NEW_DAY.match(line, reading.end)
    if begin is None or day is None or not _is_changed(line, reading.start):
        return None
    try:
        return Reading(*day.span(1), calendar.day(begin.date().replace(day=int(day[1]))), reading.anchor)
    except ValueError:
        return None


def _at_clock(source: en.Source, day: Reading) -> Reading | None:
    """A clock time of a day that was counted to: in three days at 5pm."""
    begin = day.interval.begin
    joint = _AT.match(source.line, day.end)
    if begin is None or joint is None or day.interval.granularity is not Granularity.DAY:
        return None
    parsed = source.parse(joint.end(), first=Frame().on(begin.date()))
    if parsed is None or parsed.frame.hour is None:
        return None
    reading = walk.reading_of(day.start, parsed.end, parsed.frame, source.at)
    same_day = reading.interval.begin is not None and reading.interval.begin.date() == begin.date()
    return reading if same_day else None


def _ranged(source: en.Source, first: Reading, frame: Frame) -> Reading | None:
    line, at = source.line, source.at
    to = _TO.match(line, first.end)
    if to is None or ("and" in to[0] and not _BETWEEN.search(line, max(0, first.start - 14), first.start)):
        return None
    now = _NOW.match(line, to.end())
    if now and first.interval.begin is not None and first.interval.begin < at:
        return walk.until_now(first, at, end=now.end())
    last = source.parse(to.end(), first=frame)
    if last is None:
        return None
    if last.frame.has_date() and not frame.has_date():
        if last.frame.is_wider_than_a_day():
            return None
        frame = frame.following(last.frame.settled(at, Tense.OPEN))
        first = walk.reading_of(first.start, first.end, frame, at)
    return walk.joined(first, frame, last.frame, last.end, at)


def _bounded(line: str, reading: Reading, at: datetime) -> Reading:
    """Since and until, before and after, by: until May ends where May begins, by May where it ends."""
    begin, until = reading.interval.begin, reading.interval.until
    if begin is None or until is None or reading.anchor not in {Anchor.ABSOLUTE, Anchor.SPEAKER}:
        return reading
    first = max(0, reading.start - _BOUND_CHARS)

    def stands(before: re.Pattern[str]) -> int | None:
        match = before.search(line, first, reading.start)
        return match.start() if match else None

    since = stands(_SINCE)
    onwards = _ONWARDS.match(line, reading.end)
    if since is not None and onwards:
        return walk.until_now(reading, at, end=onwards.end()).stretched(since, onwards.end())
    if since is not None and not (_FROM.search(line, first, reading.start) and not _is_clock(reading)):
        return walk.until_now(reading, at, end=reading.end).stretched(since, reading.end)
    for_end = _EDGE_WORDS.match(line, reading.start) is not None
    place = stands(_UNTIL)
    if place is not None:
        last = begin if (reading.interval.granularity in _WIDE and not for_end) or _is_clock(reading) else until
        return _ending(reading, at, place, last)
    place = stands(_BY)
    if place is not None:
        return _ending(reading, at, place, begin if _is_clock(reading) else until)
    place = stands(_BEFORE)
    if place is not None:
        return _ending(reading, at, place, until if for_end else begin)
    place = stands(_AFTER)
    if place is not None:
        return walk.after(reading, end=reading.end).stretched(place, reading.end)
    return reading


def _ending(reading: Reading, at: datetime, start: int, last: datetime) -> Reading:
    """From now to a bound that is ahead; without a beginning where it is behind."""
    interval = Interval(at if last > at else None, last, Granularity.RANGE)
    return Reading(start, reading.end, interval, reading.anchor)


def _is_clock(reading: Reading) -> bool:
    return reading.interval.granularity in {Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND}
