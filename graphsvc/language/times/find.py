"""Walk a text once for each language, join the ends of ranges, and keep the longest readings."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

from graphsvc.language.normalise import Folded, fold
from graphsvc.language.times import en_find, zh_find
from graphsvc.language.times.calendar import Reading, containing, day, year
from graphsvc.language.times.frame import year_of
from graphsvc.language.times.odd import odd_dates
from graphsvc.language.times.place_names import in_place_name
from graphsvc.models.facts import Anchor, Granularity, TimeExpression

_TIMESTAMP = re.compile(
    r"(?<!\d)\d{4}-\d\d-\d\d(?:t|[ ])\d\d:\d\d(?P<second>:\d\d(?:\.\d{1,6})?)?"
    r"(?P<zone>[ ]?(?:z|[+-]\d\d:?\d\d))?(?![a-z0-9_:])"
)
_ALONE = re.compile(r"\s*((?P<year>(?:19|20)\d\d)|(?P<month>0\d|1[0-2]|[1-9](?=/))[-/](?P<day>[0-3]\d|[1-9]))\s*")
# In a sentence these are said of a state, which lasts: 我现在住在北京.
_NOW = re.compile(r"\s*(现在|此时此刻|此时|此刻|目前|当前|眼下|right now|now)[\s.。!?]*")
_LONGEST_ALONE = 16
# Zones that mean one offset alone; CST, IST and BST each mean several.
_ZONES = {
    "gmt": 0, "utc": 0, "z": 0, "cet": 1, "cest": 2, "eet": 2, "est": -5, "edt": -4, "pst": -8, "pdt": -7, "mst": -7,
    "mdt": -6, "jst": 9, "kst": 9, "hkt": 8, "aest": 10, "北京时间": 8,
}  # fmt: skip
_ZONE = re.compile(
    rf"[ ]?[(]?(?P<name>{'|'.join(sorted(_ZONES, key=len, reverse=True))})"
    r"(?:[ ]?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?)?[)]?(?![a-z0-9])"
)
_CLOCK = frozenset({Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_BESIDE = re.compile(r"[ ]?(?:,[ ]?)?(?:(?:at|on|in the|@|around)[ ])?")


def find_times(text: str, at: datetime) -> list[TimeExpression]:
    """Times in order of place, with spans of the text as written; `at` is aware, its zone is the reader's."""
    folded = fold(text)
    local = at.replace(tzinfo=None)
    readings = [*zh_find.find(folded.text, local), *en_find.find(text, folded, local)]
    readings += _timestamps(folded.text, at)
    readings += _alone(folded.text, local)
    readings += odd_dates(folded.text, readings, at)
    kept = [_zoned(folded.text, one, at) for one in _attached(folded.text, _longest(readings), local)]
    found = [_expression(text, folded, reading, at) for reading in kept]
    return [one for one in found if not in_place_name(text, one.start, one.end)]


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


def _zoned(line: str, reading: Reading, at: datetime) -> Reading:
    """A clock time with a zone of its own, 3pm EST, brought to the reader's; its day is that of its zone."""
    begin, until = reading.interval.begin, reading.interval.until
    zone = _ZONE.match(line, reading.end) if reading.interval.granularity in _CLOCK else None
    if zone is None or begin is None or until is None:
        return reading
    hours: float = _ZONES[zone["name"]]
    if zone["hours"]:
        hours += int(zone["sign"] + zone["hours"]) + int(zone["sign"] + (zone["minutes"] or "0")) / 60
    if not -24 < hours < 24:
        return reading
    stated = timezone(timedelta(hours=hours))
    try:
        moved = begin.replace(tzinfo=stated).astimezone(at.tzinfo).replace(tzinfo=None)
        interval = replace(reading.interval, begin=moved, until=moved + (until - begin))
    except OverflowError:
        return reading
    return replace(reading, end=zone.end(), interval=interval)


def _alone(line: str, at: datetime) -> list[Reading]:
    """A text of nothing but 2018, 09-01 or 2/29 names a year, or a day with its month first; so does one of 现在."""
    now = _NOW.fullmatch(line) if len(line) < _LONGEST_ALONE else None
    if now:
        return [Reading(*now.span(1), containing(at, Granularity.SECOND), Anchor.SPEAKER)]
    match = _ALONE.fullmatch(line) if len(line) < _LONGEST_ALONE else None
    if match is None:
        return []
    start, end = match.span(1)
    if match["year"]:
        return [Reading(start, end, year(int(match["year"])), Anchor.ABSOLUTE)]
    try:
        month, day_of_month = int(match["month"]), int(match["day"])
        found = date(year_of(month, day_of_month, at), month, day_of_month)
    except ValueError:
        return []
    return [Reading(start, end, day(found), Anchor.SPEAKER)]


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


def _on_day(named: Reading, clock: Reading, at: datetime) -> Reading | None:
    first, begin, until = named.interval.begin, clock.interval.begin, clock.interval.until
    if named.interval.granularity is not Granularity.DAY or named.dateless or not clock.dateless:
        return None
    if first is None or begin is None or until is None:
        return None
    apart = first.date() - at.date()
    moved = replace(clock.interval, begin=begin + apart, until=until + apart)
    return replace(clock, interval=moved, anchor=named.anchor, dateless=False)
