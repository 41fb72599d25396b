"""Walk a text once for each language, join the ends of ranges, and keep the longest readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from graphsvc.language.normalise import Folded, fold
from graphsvc.language.times import en, en_relative, zh, zh_relative
from graphsvc.language.times.calendar import Interval, Reading, containing
from graphsvc.language.times.frame import Frame, resolve
from graphsvc.models.facts import Anchor, Granularity, TimeExpression

_ZH_OPENING = re.compile(
    r"[今昨农阴旧正冬黎拂午前明后大去上下本这当来第春元清端中七国除重圣双五六教情妇劳儿青建植万平腊早凌夜深]"
    r"|[傍晚半周星礼月年最过近此未接往提每]"
    r"|(?<![零〇一二三四五六七八九十两.\d])(?:[零〇一二三四五六七八九十两]{1,4}|\d{1,4})"
    r"(?=\d{4}|[ ]?[-~:/.]|[年月日号点时天周个多半小分秒工季星礼至到])|(?<![a-z0-9])q[1-4]"
)
_EN_OPENING = re.compile(f"{en.OPENERS}|{en.FIGURE_OPENERS}|{en_relative.OPENERS}")
_ZH_TO = re.compile(r"[ ]?起?(?:-{1,2}|~|—{1,2}|至|到)[ ]?")
# A clock time of a day that the text does not date: 次日上午9点.
_OTHER_DAY = re.compile(
    r"(?:次日|翌日|第.天|当天|当日|那天|隔天|同日|同一天)的?$|[日号]的?$|[十廿初][一二三四五六七八九]?$"
    r"|\d[-/.]\d{1,2}[ -]$"
    r"|(?:next|following|same|that) day,? (?:at )?$"
)
_EN_TO = re.compile(r"[ ]?(?:-|~|—)[ ]?| (?:to|until|till|through|and) ")
_ZH_SINCE = re.compile(r"(?:以来|至今|到现在|起至今)")
_ZH_PAST = re.compile(r"[^,。;!?\n]{0,15}?(?:了|过|已|刚|曾)")
_EN_PAST = re.compile(
    r"\b(?:was|were|did|had|went|met|said|sent|got|made|took|saw|came|left|paid|told|gave|bought|spoke|wrote|ate|"
    r"held|lost|ran|found|felt|kept|began|heard|sold|won|brought|thought|flew|drove|[a-z]{3,}ed)\b"
)
_TIMESTAMP = re.compile(
    r"(?<!\d)\d{4}-\d\d-\d\d(?:t|[ ])\d\d:\d\d(?P<second>:\d\d(?:\.\d{1,6})?)?"
    r"(?P<zone>[ ]?(?:z|[+-]\d\d:?\d\d))?(?![a-z0-9_:])"
)
_OTHER_DAY_CHARS = 20
_BESIDE = re.compile(r"[ ]?(?:,[ ]?)?(?:(?:at|on|in the|@|around)[ ])?")
_CLAUSE = 60
_SENTENCE_END = re.compile(r"[.!?;\n]")
_EN_SINCE = re.compile(r"(?<![\w-])(?:ever )?since (?:the )?$")
_EN_UNTIL = re.compile(r"(?<![\w-])(?:until|till) (?:the )?$")
_EN_BETWEEN = re.compile(r"(?<![\w-])between $")


class NoSuchTime(ValueError):
    """An expression that no calendar has, such as 30 February; nothing inside it is read either."""

    def __init__(self, end: int) -> None:
        super().__init__("no such time")
        self.end = end


def find_times(text: str, at: datetime) -> list[TimeExpression]:
    """Times in order of place, with spans of the text as written; `at` is aware, its zone is the reader's."""
    folded = fold(text)
    local = at.replace(tzinfo=None)
    readings = [*_with_events(folded.text, _chinese(folded.text, local)), *_english(text, folded, local)]
    readings += _timestamps(folded.text, at)
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


def _walk(line: str, opening: re.Pattern[str], read: Callable[[int], Reading | None]) -> Iterator[Reading]:
    """Readings that begin at an opening, each after the end of the one before."""
    at = 0
    while match := opening.search(line, at):
        try:
            reading = read(match.start())
        except NoSuchTime as missing:
            at = max(missing.end, match.end())
            continue
        except (ValueError, OverflowError):  # a count that leaves the calendar
            reading = None
        if reading is None:
            at = match.end()
        else:
            yield reading
            at = max(reading.end, match.end())


def _chinese(line: str, at: datetime) -> list[Reading]:
    listed: dict[int, Frame] = {}

    def read(start: int) -> Reading | None:
        special = zh_relative.recurring(line, start, at) or zh_relative.offset(line, start, at)
        return special or _chinese_date(line, start, at, listed)

    return list(_walk(line, _ZH_OPENING, read))


def _chinese_date(line: str, start: int, at: datetime, listed: dict[int, Frame]) -> Reading | None:
    """One date, with the end of its range; `listed` keeps the last frame, so that 9月10号、11号 share their month."""
    parsed = zh.parse(line, start, at)
    if parsed is None:
        return None
    before = listed.pop(start - 1, None) if line[start - 1 : start] in {"、", ",", "和"} else None
    frame = parsed.frame if before is None else parsed.frame.listed_after(before)
    if not frame.has_date() and _OTHER_DAY.search(line, max(0, start - _OTHER_DAY_CHARS), start):
        return _undated(start, parsed, at)
    frame = frame.settled(at, past=_ZH_PAST.match(line, parsed.end) is not None)
    reading = _reading(start, parsed.end, frame, at)
    listed.clear()
    listed[parsed.end] = frame
    to = _ZH_TO.match(line, parsed.end)
    last = zh.parse(line, to.end(), at, first=frame) if to else None
    if last is not None:
        reading = _joined(reading, last.frame, last.end, at) or reading
    since = _ZH_SINCE.match(line, reading.end)
    return _until_now(reading, at, end=since.end()) if since else reading


def _undated(start: int, parsed: zh.Parsed | en.Parsed, at: datetime) -> Reading:
    """A clock time of a day that the text speaks of and does not date."""
    interval, _ = resolve(parsed.frame, at)
    return Reading(start, parsed.end, Interval(None, None, interval.granularity), Anchor.EVENT)


def _with_events(line: str, readings: list[Reading]) -> list[Reading]:
    """Counts from events replace what was read inside them, and take in a dated event that stands before."""
    kept: list[Reading] = []
    index = 0
    for match in zh_relative.events(line):
        while index < len(readings) and readings[index].end <= match.start():
            kept.append(readings[index])
            index += 1
        if index < len(readings) and readings[index].start < match.start():
            continue
        event = _event(line, match, kept[-1] if kept and kept[-1].end == match.start() else None)
        if event is None:
            continue
        if kept and kept[-1].start == event.start:
            kept.pop()
        kept.append(event.stretched(max(event.start, kept[-1].end if kept else 0), event.end))
        while index < len(readings) and readings[index].start < event.end:
            index += 1
    return [*kept, *readings[index:]]


def _event(line: str, match: re.Match[str], known: Reading | None) -> Reading | None:
    if known is not None and known.anchor not in {Anchor.ABSOLUTE, Anchor.SPEAKER}:
        return None
    try:
        return zh_relative.event(line, match, known)
    except (ValueError, OverflowError):
        return None


def _english(text: str, folded: Folded, at: datetime) -> list[Reading]:
    line = folded.text

    def capital(place: int) -> bool:
        return text[folded.offsets[place]].isupper()

    source = en.Source(line, at, capital)

    def read(start: int) -> Reading | None:
        special = en_relative.recurring(source, start) or en_relative.offset(source, start)
        return special or _english_date(source, start)

    return list(_walk(line, _EN_OPENING, read))


def _english_date(source: en.Source, start: int) -> Reading | None:
    line, at = source.line, source.at
    parsed = source.parse(start)
    if parsed is None:
        return None
    if not parsed.frame.has_date() and _OTHER_DAY.search(line, max(0, start - _OTHER_DAY_CHARS), start):
        return _undated(start, parsed, at)
    frame = parsed.frame.settled(at, past=_is_past(line, start, parsed.end))
    reading = _reading(start, parsed.end, frame, at)
    to = _EN_TO.match(line, parsed.end)
    if to and ("and" not in to[0] or _EN_BETWEEN.search(line, max(0, start - 10), start)):
        last = source.parse(to.end(), first=frame)
        if last is not None and last.frame.has_date() and not frame.has_date():
            reading = _reading(start, parsed.end, frame.following(last.frame.settled(at, past=False)), at)
        joined = _joined(reading, last.frame, last.end, at) if last else None
        if joined is not None:
            return joined
    return _open_ended(line, reading, at)


def _open_ended(line: str, reading: Reading, at: datetime) -> Reading:
    """Since and until: from then to now, from now to then; until May ends where May begins."""
    earliest = max(0, reading.start - 12)
    since = _EN_SINCE.search(line, earliest, reading.start)
    if since:
        return _until_now(reading, at, end=reading.end).stretched(since.start(), reading.end)
    until = _EN_UNTIL.search(line, earliest, reading.start)
    wide = reading.interval.granularity in {Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR, Granularity.WEEK}
    last = reading.interval.begin if wide else reading.interval.until
    if until and last is not None and last > at:
        interval = Interval(at, last, Granularity.RANGE)
        return replace(reading, start=until.start(), interval=interval)
    return reading


def _until_now(reading: Reading, at: datetime, *, end: int) -> Reading:
    begin = reading.interval.begin
    if begin is None or begin >= at:
        return reading
    return replace(reading, end=end, interval=Interval(begin, at, Granularity.RANGE))


def _reading(start: int, end: int, frame: Frame, at: datetime) -> Reading:
    try:
        interval, anchor = resolve(frame, at)
    except (ValueError, OverflowError):
        raise NoSuchTime(end) from None
    return Reading(start, end, interval, anchor, dateless=not frame.has_date())


def _joined(first: Reading, last: Frame, end: int, at: datetime) -> Reading | None:
    """From the beginning of one to the end of the other, if that is a stretch of time at all."""
    try:
        interval, anchor = resolve(last.settled(at, past=False), at)
    except (ValueError, OverflowError):
        return None
    begin, until = first.interval.begin, interval.until
    if begin is None or until is None or interval.begin is None or interval.begin < begin or until <= begin:
        return None
    if interval.granularity in {Granularity.HOUR, Granularity.MINUTE}:
        until = interval.begin
    anchor = anchor if first.anchor is anchor else Anchor.SPEAKER
    interval = Interval(begin, until, Granularity.RANGE)
    return Reading(first.start, end, interval, anchor, dateless=first.dateless)


def _is_past(line: str, start: int, end: int) -> bool:
    """Whether the sentence around a place speaks of what is over."""
    first = max(0, start - _CLAUSE)
    for stop in _SENTENCE_END.finditer(line, first, start):
        first = stop.end()
    stop_after = _SENTENCE_END.search(line, end, end + _CLAUSE)
    last = stop_after.start() if stop_after else end + _CLAUSE
    return _EN_PAST.search(line, first, last) is not None
