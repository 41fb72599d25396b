"""Find Chinese times in folded text: where one may begin, its range, what bounds it, and counts from events."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from graphsvc.language.times import walk, zh, zh_anaphora, zh_compound, zh_events, zh_near, zh_recurring, zh_relative
from graphsvc.language.times.appointments import appointed
from graphsvc.language.times.calendar import Interval, Reading
from graphsvc.language.times.frame import Frame, resolve
from graphsvc.language.times.parts import Part
from graphsvc.language.times.zh_openers import OPENING
from graphsvc.language.times.zh_tense import tense_of
from graphsvc.models.facts import Anchor, Granularity

_LETTERS = re.compile("[\u3400-\u9fff\\d]")
_TO = re.compile(r"[ ]?起?(?:-{1,2}|~|—{1,2}|一?直?至|(?:一直|直|持续)?到)[ ]?")
_NEXT_DAY = re.compile("(?:次日|翌日|第二天|隔天|隔日)的?")
_AND = re.compile(r"(?:和|与|跟)[ ]?")
_BETWEEN = re.compile(r"之?间")
# A clock time of a day that the text does not date: 次日上午9点.
OTHER_DAY = re.compile(
    r"(?:次日|翌日|第.天|那天|隔天|同日|同一天)的?$|[日号]的?$|[十廿初][一二三四五六七八九]?$"
    r"|\d[-/.]\d{1,2}[ -]$"
    r"|(?:next|following|same|that) day,? (?:at )?$"
)
# 次年5月, 那年年底, 次月5号 of a year or month that it does not date.
_OTHER_YEAR = re.compile("(?:[次翌同那]|第[二三四五六七八九十])(?:年|个?月)的?$")
_SINCE = re.compile(
    r"(?:开始)?(?:以来|(?:起)?(?:一直)?(?:[到至](?:现在|如今|目前|此刻|今[天日](?![早晚上中下凌的\d]))(?:为止)?|至今)"
    r"|起)(?![点床来立草飞])"
)
_UNTIL_NOW = re.compile(r"(?:一直)?[到至](?:现在|如今|目前|此刻|今(?![年晚早夜晨明后])(?![天日][早晚上中下凌的\d]))")
_FROM = re.compile("(?:从|自|自从|打)$")
_STARTS = re.compile("开始(?!的)")
_UP_TO = re.compile("(?:截[至止]到?|不晚于|不迟于|最迟|最晚|至迟|直[到至])$")
_COUNTED = r"(?!的?[,第]?[ ]?[\d一二两三四五六七八九十几半])"
_BEFORE = re.compile(rf"(?:之前|以前|前)(?![台院排面端夕往者任景锋途后]){_COUNTED}|为止|(?:为)?截止")
_WITHIN = re.compile(r"[之以]?内(?![容部存外])")
_AFTER = re.compile(rf"(?:之后|以后|后)(?![台面院续果来勤期悔者备]){_COUNTED}")
# 五点见; who gets up or flies at five may do so in the morning.
_MEETS = re.compile("[我们咱大家就再]{0,3}(?:见(?!过)|碰头|碰面|集合|出发|开会|接[你我他她]|开饭|吃饭|下班|下课|放学)")
# 晚饭6点半, 七点吃早饭: a meal is of its half of the day.
_MEALS = {
    "早": Part.EARLY_MORNING,
    "午": Part.NOON,
    "中": Part.NOON,
    "晚": Part.EVENING,
    "夜": Part.NIGHT,
    "宵": Part.NIGHT,
}
_MEAL_BEFORE = re.compile(r"(?:([早午中晚])[餐饭宴]|([夜宵])[宵夜])(?:[是在:]|定在|改到|时间)?[ ]?$")
_MEAL_AFTER = re.compile(r"[我你他她咱们大家再就才]{0,3}(?:吃|开)?(?:([早午中晚])[餐饭宴]|([夜宵])[宵夜])")
_MEAL_CHARS = 6
_NOON = 12
_OTHER_DAY_CHARS = 20


def find(line: str, at: datetime) -> list[Reading]:
    """Chinese times of folded text, in order, none overlapping."""
    if not _LETTERS.search(line):
        return []
    listed: dict[int, Frame] = {}
    known: list[zh_anaphora.Known] = []

    def read(start: int) -> Reading | None:
        reading = _anaphoric(line, start, at, known) or read_new(start)
        if reading is not None and reading.interval.begin is not None:
            known[:] = [known[-1].then(line, reading) if known else zh_anaphora.Known(reading, reading)]
        return reading

    def read_new(start: int) -> Reading | None:
        special = (
            zh_recurring.recurring(line, start, at)
            or zh_compound.compound(line, start, at)
            or zh_relative.offset(line, start, at)
            or zh_near.near(line, start, at)
        )
        if special is not None:
            return _at_clock(line, special, at) or zh_relative.opened(line, special)
        return _date(line, start, at, listed, known[-1].last if known else None)

    dated = _with_events(line, list(walk.walk(line, OPENING, read)))
    return sorted([*dated, *zh_events.find(line, dated)], key=lambda one: one.start)


def _anaphoric(line: str, start: int, at: datetime, known: list[zh_anaphora.Known]) -> Reading | None:
    """A time named by the one before it, with what bounds it: 2019年结婚，次年到2023年在北京."""
    found = zh_anaphora.read(line, start, at, known[-1]) if known else None
    return (_ranged(line, *found, at) or _bounded(line, found[0], at)) if found else None


def _date(line: str, start: int, at: datetime, listed: dict[int, Frame], last: Reading | None) -> Reading | None:
    """One date, with the end of its range; `listed` keeps the last frame, so that 9月10号、11号 share their month."""
    parsed = zh.parse(line, start, at)
    if parsed is None:
        return None
    before = listed.pop(start - 1, None) if line[start - 1 : start] in {"、", ",", "和"} else None
    frame = parsed.frame if before is None else parsed.frame.listed_after(before)
    first = max(0, start - _OTHER_DAY_CHARS)
    if (not frame.has_date() and OTHER_DAY.search(line, first, start)) or _OTHER_YEAR.search(line, first, start):
        return walk.undated(start, parsed.frame, parsed.end, at)
    tense = tense_of(line, start, parsed.end)
    frame = frame.settled(at, tense)
    frame = _of_meal(line, start, parsed.end, frame)
    if frame.last_hour is None and ":" not in line[start : parsed.end] and _MEETS.match(line, parsed.end):
        frame = appointed(frame, at, line, start, last)
    reading = walk.reading_of(start, parsed.end, frame.dated(at, tense), at)
    listed.clear()
    listed[parsed.end] = frame
    return _ranged(line, reading, frame, at) or _bounded(line, reading, at)


def _of_meal(line: str, start: int, end: int, frame: Frame) -> Frame:
    """The frame of an hour in the part of the day that a meal beside it is of."""
    if frame.hour is None or frame.part is not None or not 1 <= frame.hour < _NOON:
        return frame
    meal = _MEAL_BEFORE.search(line, max(0, start - _MEAL_CHARS), start) or _MEAL_AFTER.match(line, end)
    return frame if meal is None else replace(frame, part=_MEALS[meal[1] or meal[2]])


def _at_clock(line: str, day: Reading, at: datetime) -> Reading | None:
    """A clock time of a day that was counted to: 3天后下午3点."""
    begin = day.interval.begin
    if begin is None or day.interval.granularity is not Granularity.DAY:
        return None
    parsed = zh.parse(line, day.end + line.startswith("的", day.end), at, first=Frame().on(begin.date()))
    if parsed is None or (parsed.frame.hour is None and parsed.frame.part is None):
        return None
    reading = walk.reading_of(day.start, parsed.end, parsed.frame, at)
    same_day = reading.interval.begin is not None and reading.interval.begin.date() == begin.date()
    return reading if same_day else None


def _ranged(line: str, first: Reading, frame: Frame, at: datetime) -> Reading | None:
    to = _TO.match(line, first.end) or _AND.match(line, first.end)
    if to is None or _UNTIL_NOW.match(line, first.end):
        return None
    next_day = _NEXT_DAY.match(line, to.end())
    last = zh.parse(line, next_day.end() if next_day else to.end(), at, first=frame)
    if last is None:
        return None
    if next_day:
        return _to_next_day(first, last, at)
    between = _BETWEEN.match(line, last.end)
    if _AND.fullmatch(to[0]) and between is None:
        return None
    return walk.joined(first, frame, last.frame, between.end() if between else last.end, at)


def _to_next_day(first: Reading, last: zh.Parsed, at: datetime) -> Reading | None:
    """22:00-次日6:00, 夜间至次日上午: to that time of the day after the first one."""
    begin = first.interval.begin
    if begin is None or (last.frame.hour is None and last.frame.part is None):
        return None
    after = replace(last.frame.on((begin + timedelta(days=1)).date()), week=None, weekday=None, span=None)
    ends, _ = resolve(after, at)
    until = ends.begin if last.frame.hour is not None else ends.until
    return replace(first, end=last.end, interval=Interval(begin, until, Granularity.RANGE))


def _bounded(line: str, reading: Reading, at: datetime) -> Reading:
    """2018年起, 明年底前, 今晚八点以后."""
    since = _SINCE.match(line, reading.end)
    if since:
        return walk.until_now(reading, at, end=since.end())
    starts = _STARTS.match(line, reading.end)
    if starts and _FROM.search(line, max(0, reading.start - 2), reading.start):
        return walk.until_now(reading, at, end=starts.end())
    up_to = _UP_TO.search(line, max(0, reading.start - 3), reading.start)
    if up_to:
        return walk.up_to(reading, at).stretched(up_to.start(), reading.end)
    within = _WITHIN.match(line, reading.end)
    begin, until = reading.interval.begin, reading.interval.until
    if within and until and until > at and ((begin or at) <= at or len(within[0]) > 1):
        return walk.before(reading, at, end=within.end())
    if within and reading.anchor is Anchor.ABSOLUTE:
        return reading.stretched(reading.start, within.end())
    before = _BEFORE.match(line, reading.end)
    if before:
        return walk.before(reading, at, end=before.end())
    after = _AFTER.match(line, reading.end)
    return walk.after(reading, end=after.end()) if after else reading


def _with_events(line: str, readings: list[Reading]) -> list[Reading]:
    """Counts from events replace what was read inside them, and take in a dated event that stands before."""
    kept: list[Reading] = []
    index = 0
    for match in islice(zh_relative.EVENT.finditer(line), walk.budget(line)):
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
