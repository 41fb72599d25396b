"""Walk a text once for each language, join the ends of ranges, and keep the longest readings."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from graphsvc.language.normalise import Folded, fold
from graphsvc.language.times import en_find, zh_find
from graphsvc.language.times.calendar import Reading, containing
from graphsvc.language.times.odd import odd_dates
from graphsvc.models.facts import Anchor, Granularity, TimeExpression

_TIMESTAMP = re.compile(
    r"(?<!\d)\d{4}-\d\d-\d\d(?:t|[ ])\d\d:\d\d(?P<second>:\d\d(?:\.\d{1,6})?)?"
    r"(?P<zone>[ ]?(?:z|[+-]\d\d:?\d\d))?(?![a-z0-9_:])"
)
_BESIDE = re.compile(r"[ ]?(?:,[ ]?)?(?:(?:at|on|in the|@|around)[ ])?")


def find_times(text: str, at: datetime) -> list[TimeExpression]:
    """Times in order of place, with spans of the text as written; `at` is aware, its zone is the reader's."""
    folded = fold(text)
    local = at.replace(tzinfo=None)
    readings = [*zh_find.find(folded.text, local), *en_find.find(text, folded, local)]
    readings += _timestamps(folded.text, at)
    readings += odd_dates(folded.text, readings, at)
    kept = _attached(folded.text, _longest(readings), local)
    return [_expression(text, folded, reading, at) for reading in kept]


def _expression(text: str, folded: Folded, reading: Reading, at: datetime) -> TimeExpression:
    start, end = folded.span(reading.start, reading.end)
    return TimeExpression(
        start=start,
        end=end,
        text=text[start:end],
        begin=_aware(reading.interval.begin, at),
        until=_aware(reading.interval.until, at),
        granularity=reading.interval.granularity,
        anchor=reading.anchor,
    )


def _aware(moment: datetime | None, at: datetime) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=at.tzinfo)


def _longest(readings: list[Reading]) -> list[Reading]:
    """Of readings that overlap, the longest; the earlier one where they are equal."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=lambda found: (found.start, -found.end)):
        if kept and reading.start < kept[-1].end:
            if reading.end - reading.start > kept[-1].end - kept[-1].start:
                kept[-1] = reading
            continue
        kept.append(reading)
    return kept


def _timestamps(line: str, at: datetime) -> list[Reading]:
    """ISO times with an offset of their own, brought to the reader's zone."""
    found = []
    for match in _TIMESTAMP.finditer(line):
        try:
            moment = datetime.fromisoformat(match[0][:10] + "T" + match[0][11:].replace(" ", "").replace("z", "+00:00"))
            local = moment.astimezone(at.tzinfo).replace(tzinfo=None) if match["zone"] else moment
        except (ValueError, OverflowError):
            continue
        grain = Granularity.SECOND if match["second"] else Granularity.MINUTE
        found.append(Reading(match.start(), match.end(), containing(local, grain), Anchor.ABSOLUTE))
    return found


def _attached(line: str, readings: list[Reading], at: datetime) -> list[Reading]:
    """A clock time beside a day of the other language belongs to that day: 明天 at 3pm, Friday下午."""
    kept: list[Reading] = []
    for reading in readings:
        if kept and _BESIDE.fullmatch(line, kept[-1].end, reading.start):
            joined = _on_day(kept[-1], reading, at) or _on_day(reading, kept[-1], at)
            if joined is not None:
                kept[-1] = joined.stretched(kept[-1].start, reading.end)
                continue
        kept.append(reading)
    return kept


def _on_day(day: Reading, clock: Reading, at: datetime) -> Reading | None:
    first, begin, until = day.interval.begin, clock.interval.begin, clock.interval.until
    if day.interval.granularity is not Granularity.DAY or day.dateless or not clock.dateless:
        return None
    if first is None or begin is None or until is None:
        return None
    apart = first.date() - at.date()
    moved = replace(clock.interval, begin=begin + apart, until=until + apart)
    return replace(clock, interval=moved, anchor=day.anchor, dateless=False)
