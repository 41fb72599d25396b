"""English times that count from somewhere: in 3 days, within 30 days of delivery, every Monday, just now.

"Recently" and "lately" are left open: they may mean days or months, and no interval is made up for them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.numerals import NUMBER_WORDS, parse_words
from graphsvc.language.times import en, walk
from graphsvc.language.times.calendar import (
    Interval,
    Reading,
    containing,
    counted,
    midnight,
    monday_of,
    shift,
    shift_workdays,
)
from graphsvc.language.times.en_build import weekday_number
from graphsvc.language.times.en_words import WEEKDAY
from graphsvc.language.times.frame import Frame, Tense, resolve
from graphsvc.models.facts import Anchor, Granularity

_UNITS = {
    "sec": Granularity.SECOND, "hr": Granularity.HOUR, "wk": Granularity.WEEK, "yr": Granularity.YEAR,
    "second": Granularity.SECOND, "minute": Granularity.MINUTE, "min": Granularity.MINUTE, "hour": Granularity.HOUR,
    "day": Granularity.DAY, "business day": Granularity.DAY, "working day": Granularity.DAY,
    "calendar day": Granularity.DAY, "week": Granularity.WEEK, "fortnight": Granularity.WEEK,
    "month": Granularity.MONTH, "quarter": Granularity.QUARTER, "year": Granularity.YEAR,
}  # fmt: skip
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_COUNT = (
    rf"(?P<n>\d{{1,4}}|half an?|(?:a )?couple of|a few|few|several|an?|{NUMBER_WORDS})(?: \(\d+\))?"
    r"(?P<halves> and a half)?[ -]?"
    rf"(?P<unit>{_UNIT})s?'?"
    r"(?P<half> and a half)?(?![a-z0-9_-])"
)
_EDGE = r"(?<![a-z0-9_.-])"
_AGO = re.compile(
    rf"{_EDGE}(?:about |around )?(?:{_COUNT}|(?P<few>\d{{1,3}})(?P<letter>[hdwmy])) (?:ago|earlier today)(?![a-z0-9_])"
    rf"(?P<day>,? (?:today|(?:on )?(?P<weekday>{WEEKDAY}))(?![a-z]))?"
)
_AHEAD = re.compile(
    rf"{_EDGE}in (?:about |around )?{_COUNT}(?:' time|'s time| time| from (?P<today>now|today))?(?! (?:of|row|advance))"
)
_JUST_NOW = re.compile(rf"{_EDGE}(?:just now|a moment ago)(?![a-z-])")
_FROM_NOW = re.compile(rf"{_EDGE}{_COUNT} (?:from|after) (?P<today>now|today)(?![a-z])")
_WINDOW = re.compile(
    rf"(?<!n't )(?<!will )(?<!can )(?<!could )(?<!would )(?<!should )(?<!to )"
    rf"{_EDGE}(?:the |these )?(?P<way>last|past|previous|next|coming|following) {_COUNT}"
)
_LATER = re.compile(rf"{_EDGE}{_COUNT} (?:later|hence)(?! (?:this|in|today|on|next)|[a-z])")
_NEXT_HOUR = re.compile(
    rf"{_EDGE}(?:the |this )?(?P<way>last|past|previous|next|coming) (?P<unit>hour|minute)(?![a-z])"
)
_WITHIN = re.compile(
    rf"{_EDGE}within (?:the next )?{_COUNT}(?P<of> (?:of|after|from|following|prior to|before)(?! now| today))?"
)
_FROM_EVENT = re.compile(
    rf"{_EDGE}{_COUNT} (?P<side>after|before|following|prior to|from|of)(?! (?:now|today|all|that))(?= \w)"
)
_EVENT_WORDS = re.compile(
    r"(?: (?:the|a|an|our|your|its|his|her|their|this))? [a-z][a-z'-]*"
    r"(?: (?!(?:the|an?|of|to|and|or|in|on|at|by|for|with|is|are|was|will|we|i|you|he|she|it|they)\b)[a-z][a-z'-]*)?"
)
_PARTS = "morning|afternoon|evening|night"
_EVERY = re.compile(
    rf"{_EDGE}(?:every|each)(?: other| second| single)? ?"
    rf"(?P<every>{WEEKDAY}|day|weekday|week|month|quarter|year|hour|{_PARTS}|weekend)s?(?![a-z0-9_-])"
    rf"|{_EDGE}(?:every|each) {_COUNT}"
    rf"|{_EDGE}(?P<days>(?:(?:{WEEKDAY}) )?(?:{_PARTS})s|(?:{WEEKDAY}|weekend)s)(?![a-z0-9_'-])"
    rf"|{_EDGE}(?:once|one|twice|thrice|(?:\d|two|three|four|five|six|several|a few|a couple of|many) times) "
    r"(?:an?|per|every|each) (?P<rate>hour|day|week|month|quarter|year)(?![a-z-])"
    rf"|{_EDGE}(?P<adverb>daily|weekly|biweekly|monthly|quarterly|annually|yearly|annual)(?![a-z-])"
)
_ADVERBS = {
    "daily": Granularity.DAY, "weekly": Granularity.WEEK, "biweekly": Granularity.WEEK, "monthly": Granularity.MONTH,
    "quarterly": Granularity.QUARTER, "annually": Granularity.YEAR, "yearly": Granularity.YEAR,
    "annual": Granularity.YEAR,
}  # fmt: skip
# Where a count or a recurrence may begin.
OPENERS = (
    rf"{_EDGE}(?:every|each|from now|just|now|so far|month to|quarter to|week to|mtd|qtd|wtd|couple|in|within"
    rf"|about|around|half|an?|the|these|last|past|previous|next|coming|following|a few"
    rf"|few|several|many|once|thrice|one|twice|{'|'.join(_ADVERBS)}|everyday"
    rf"|(?:{_PARTS}|weekend)s)(?![a-z])"
    + (
        rf"|{_EDGE}(?:\d{{1,4}}(?=[ -]?(?:\(\d+\) )?(?:{_UNIT}|times ))"
        rf"|{NUMBER_WORDS}(?=(?: and a half)?[ -](?:{_UNIT}))"
        rf"|(?:{WEEKDAY})(?:s| (?:{_PARTS})s))"
    )
)
_CLOCK = frozenset({Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_AT = re.compile(r" (?:at |in the )?")
_LETTERS = {"h": "hour", "d": "day", "w": "week", "m": "minute", "y": "year"}
_NOW_TO = re.compile(rf"{_EDGE}(?:from )?now (?:to|until|till|through|and) (?:the )?")
_TO_DATE = re.compile(
    rf"{_EDGE}(?:the )?(?:(?P<unit>month|quarter|week)[ -]to[ -]date|(?P<short>mtd|qtd|wtd)"
    r"|so far this (?P<this>week|month|quarter|year))(?![a-z])"
)
_SHORT = {"mtd": "month", "qtd": "quarter", "wtd": "week"}
_EVERY_UNITS = {
    "week": Granularity.WEEK, "month": Granularity.MONTH, "quarter": Granularity.QUARTER, "year": Granularity.YEAR,
    "hour": Granularity.HOUR, "morning": Granularity.HALF_DAY, "afternoon": Granularity.HALF_DAY,
    "evening": Granularity.HALF_DAY, "night": Granularity.HALF_DAY,
}  # fmt: skip


def offset(source: en.Source, start: int) -> Reading | None:
    """Counts from now become intervals; counts from an event keep none, unless the event is a date."""
    line, at = source.line, source.at
    just = _JUST_NOW.match(line, start)
    if just:
        return Reading(start, just.end(), walk.last_hour(at), Anchor.SPEAKER)
    ago = _AGO.match(line, start)
    if ago:
        return _moved(ago, at, sign=-1)
    special = _from_now_on(source, start) or _to_date(line, start, at)
    if special:
        return special
    within = _WITHIN.match(line, start)
    if within:
        return _within(line, within, at)
    hour = _NEXT_HOUR.match(line, start)
    if hour:
        other = shift(at, 1 if hour["way"] in {"next", "coming"} else -1, _UNITS[hour["unit"]])
        interval = Interval(min(at, other), max(at, other), Granularity.RANGE)
        return Reading(start, hour.end(), interval, Anchor.SPEAKER)
    ahead = _LATER.match(line, start) or _AHEAD.match(line, start) or _FROM_NOW.match(line, start)
    if ahead:
        return _moved(ahead, at, sign=1)
    window = _WINDOW.match(line, start)
    if window:
        sign = 1 if window["way"] in {"next", "coming", "following"} else -1
        return _stretch(window, at, sign=sign)
    return _from_event(source, start)


def _from_now_on(source: en.Source, start: int) -> Reading | None:
    """From now until Friday, from now until 3 min later."""
    now = _NOW_TO.match(source.line, start)
    if now is None:
        return None
    last = offset(source, now.end())
    if last is None:
        parsed = source.parse(now.end(), first=Frame())
        if parsed is None:
            return None
        interval, _ = resolve(parsed.frame.settled(source.at, Tense.COMING).dated(source.at, Tense.COMING), source.at)
        last = Reading(now.end(), parsed.end, interval, Anchor.SPEAKER)
    until = last.interval.begin if last.interval.granularity in _CLOCK else last.interval.until
    if until is None or until <= source.at:
        return None
    return Reading(start, last.end, Interval(source.at, until, Granularity.RANGE), Anchor.SPEAKER)


def _to_date(line: str, start: int, at: datetime) -> Reading | None:
    """Month to date, so far this year: from its beginning to now."""
    match = _TO_DATE.match(line, start)
    if match is None:
        return None
    unit = match["unit"] or match["this"] or _SHORT[match["short"]]
    whole = containing(at, _UNITS[unit])
    return Reading(start, match.end(), Interval(whole.begin, at, Granularity.RANGE), Anchor.SPEAKER)


def recurring(source: en.Source, start: int) -> Reading | None:
    """Every Monday at 9am: without an interval, as fine as what is said last."""
    match = _EVERY.match(source.line, start)
    if match is None:
        return None
    unit = _EVERY_UNITS.get(match["every"] or match["rate"] or "", Granularity.DAY)
    if match["adverb"]:
        unit = _ADVERBS[match["adverb"]]
    elif match["unit"]:
        unit = _UNITS[match["unit"]]
    elif match["days"] and not match["days"].endswith("days") and not match["days"].endswith("ends"):
        unit = Granularity.HALF_DAY
    end = match.end()
    joint = _AT.match(source.line, end)
    detail = source.parse(joint.end()) if joint else None
    if detail is not None and not detail.frame.has_date() and detail.frame.hour is not None:
        unit = Granularity.HOUR if detail.frame.minute is None else Granularity.MINUTE
        end = detail.end
    return Reading(start, end, Interval(None, None, unit), Anchor.RECURRING)


def _count(words: str, half: str | None) -> float | None:
    if words in {"a few", "few", "several"}:
        return 3.0
    if words.isdigit():
        count: float | None = float(words)
    elif words.startswith("half"):
        count = 0.5
    elif words.endswith("couple of"):
        count = 2.0
    elif words in {"a", "an"}:
        count = 1.0
    else:
        count = parse_words(words)
    return None if not count else count + (0.5 if half else 0)


def _move(moment: datetime, count: float, unit: str, *, sign: int) -> datetime:
    if unit in {"business day", "working day"}:
        return shift_workdays(moment, sign * int(count))
    if unit == "fortnight":
        count *= 2
    return shift(moment, sign * count, _UNITS[unit])


def _moved(match: re.Match[str], at: datetime, *, sign: int) -> Reading | None:
    """The unit counted to, or its day where one is named: a year ago today, two weeks ago on Monday."""
    groups = match.groupdict()
    letter = groups.get("letter")
    count, unit = (float(match["few"]), _LETTERS[letter]) if letter else (_matched_count(match), match["unit"])
    if count is None:
        return None
    moment = _move(at, count, unit, sign=sign)
    if groups.get("weekday"):
        moment = midnight(monday_of(moment.date())) + timedelta(days=weekday_number(match["weekday"]))
    exact = groups.get("day") or groups.get("today") == "today"
    interval = containing(moment, Granularity.DAY) if exact else counted(moment, count, _UNITS[unit])
    return Reading(match.start(), match.end(), interval, Anchor.SPEAKER)


def _matched_count(match: re.Match[str]) -> float | None:
    return _count(match["n"], match["half"] or match["halves"])


def _stretch(match: re.Match[str], at: datetime, *, sign: int) -> Reading | None:
    """The last three days to now; within three days from now; the next three days from tomorrow."""
    count = _matched_count(match)
    if count is None:
        return None
    moved, unit = _move(at, count, match["unit"], sign=sign), _UNITS[match["unit"]]
    interval = walk.past_window(at, moved, unit) if sign < 0 else walk.coming_window(at, moved, unit)
    if sign > 0 and match.groupdict().get("way") and unit not in _CLOCK:
        interval = replace(interval, begin=midnight(at.date() + timedelta(days=1)))
    return Reading(match.start(), match.end(), interval, Anchor.SPEAKER)


def _within(line: str, match: re.Match[str], at: datetime) -> Reading | None:
    if match["of"] is None:
        return _stretch(match, at, sign=1)
    words = _EVENT_WORDS.match(line, match.end())
    end = words.end() if words else match.end()
    return Reading(match.start(), end, Interval(None, None, _UNITS[match["unit"]]), Anchor.EVENT)


def _from_event(source: en.Source, start: int) -> Reading | None:
    line, at = source.line, source.at
    match = _FROM_EVENT.match(line, start)
    if match is None or match["side"] == "of":
        return None
    sign = -1 if match["side"] in {"before", "prior to"} else 1
    dated = source.parse(match.end() + 1)
    count = _matched_count(match)
    if dated is not None and count is not None:
        known, anchor = resolve(dated.frame.settled(at, Tense.OPEN), at)
        edge = known.begin
        if edge is None:
            return None
        moment = _move(edge, count, match["unit"], sign=sign)
        return Reading(start, dated.end, containing(moment, Granularity.DAY), anchor)
    words = _EVENT_WORDS.match(line, match.end())
    if words is None or match["side"] == "from":
        return None
    return Reading(start, words.end(), Interval(None, None, _UNITS[match["unit"]]), Anchor.EVENT)
