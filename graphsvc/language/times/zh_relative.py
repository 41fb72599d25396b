"""Chinese times that count from somewhere: 3天前, 两周后, 最近三个月, 验收合格后30日内.

What counts from the moment of speaking becomes an interval; what counts from an event the text
does not date is kept as such, without one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.normalise import HAN
from graphsvc.language.numerals import integer, parse_numeral
from graphsvc.language.times import walk
from graphsvc.language.times.calendar import (
    UNKNOWN,
    Interval,
    Reading,
    containing,
    counted,
    grain_of,
    shift,
    shift_workdays,
)
from graphsvc.models.facts import Anchor, Granularity

# 3-5, 三到五
_N_TO_N = r"\d{1,3}[-~至到]\d{1,3}|[一二两三四五六七八九十]{1,3}[至到][一二两三四五六七八九十]{1,3}"
N = (
    rf"(?:{_N_TO_N}|"
    r"\d{1,4}(?:\.5)?|[一二三四五六七八九]?十几|几?[一二两三四五六七八九十百千]{1,4}|好?[几数][十百千]?|些|若干|[仨俩]|半)"
)
FEW = frozenset({"几", "数", "些", "好几", "若干"})
_PAIRS = {"俩": 2.0, "仨": 3.0}
UNITS = {
    "个交易日": Granularity.DAY, "交易日": Granularity.DAY, "刻钟": Granularity.MINUTE,
    "个工作日": Granularity.DAY, "工作日": Granularity.DAY, "个自然日": Granularity.DAY, "自然日": Granularity.DAY,
    "天": Granularity.DAY, "日": Granularity.DAY,
    "个星期": Granularity.WEEK, "星期": Granularity.WEEK, "个礼拜": Granularity.WEEK, "礼拜": Granularity.WEEK,
    "周": Granularity.WEEK, "个月": Granularity.MONTH, "个季度": Granularity.QUARTER, "季度": Granularity.QUARTER,
    "年": Granularity.YEAR, "个小时": Granularity.HOUR, "小时": Granularity.HOUR, "个钟头": Granularity.HOUR,
    "钟头": Granularity.HOUR, "分钟": Granularity.MINUTE, "分": Granularity.MINUTE, "秒钟": Granularity.SECOND,
    "秒": Granularity.SECOND, "月": Granularity.MONTH,
}  # fmt: skip
UNIT = "|".join(sorted(set(UNITS) - {"月", "分"}, key=len, reverse=True))
COUNT = (
    rf"(?<![\d.第零一二三四五六七八九十百几数好])(?<!(?<!差不)多)(?P<n>{N})(?P<half>个半)?[ ]?"
    r"(?P<many>(?:个)?[多来](?=[个月年天周小]))?"
    rf"(?P<unit>{UNIT}|(?<=[半多近仨俩])月|分(?=半))(?P<more>半钟?)?"
)
_OFFSET = re.compile(
    rf"{COUNT}(?P<over>多)?(?P<way>之前|以前|前|之后|以后|后|过后|以内|之内|内|以来|来)(?![台院排面端])"
)
_THAT_DAY = re.compile("的(?:今[天日]|这一?天)")
_OPEN_WAYS = ("之前", "以前", "之后", "以后", "过后")
_WINDOW = re.compile(
    rf"(?P<way>最近|过去|近(?<![将接附]近)|此前|之前|未来|今后|接下来|往后|之后)(?:的)?(?:这)?"
    rf"(?:{COUNT}|(?:(?<=近)|(?<=未来)|(?<=过去))(?P<few_months>[一二两三四五六七八九十])月)(?:以内|之内|以来|内|里|来|间)?"
)
_NOTICE = re.compile(rf"提前{COUNT}")
EVENT = re.compile(
    rf"(?P<side>之日起|日起|起算|之后|以后|后|之前|以前|前)(?:的|,|第)?[ ]?{COUNT}(?P<within>以内|之内|内)?"
)
_EVENT_WORDS = re.compile(rf"[{HAN}]{{1,14}}$")
_BOUNDARY = re.compile(r"[在于应须需自从由按并且将会可的请要]")
_NO_EVENT = frozenset("然最今此其之往以先目从当提背落事稍幕年月日号天周")
TO = re.compile(r"[ ]?(?:-{1,2}|~|—{1,2}|至|到)[ ]?")
_YEAR_NUMBER = re.compile(r"(?:19|20)\d\d|\d{4}")
# Minutes of a 刻.
_QUARTER = 15
_CALENDAR_UNITS = frozenset({Granularity.WEEK, Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR})
CLOCK_UNITS = frozenset({Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_LONGEST_EVENT = 14


def offset(line: str, start: int, at: datetime) -> Reading | None:
    """3天前, 半年后, 三个月内, 最近两周, 提前3天."""
    window = _WINDOW.match(line, start)
    if window:
        past = window["way"] in {"最近", "过去", "近", "此前", "之前"}
        reading = stretch(window, at, sign=-1 if past else 1)
        return reading if past or reading is None else _whole_units(window, reading)
    notice = _NOTICE.match(line, start)
    if notice:
        return Reading(start, notice.end(), unknown(UNITS[notice["unit"]]), Anchor.EVENT)
    return _counted(line, start, at)


def _whole_units(window: re.Match[str], reading: Reading) -> Reading:
    """未来两个月 are two months and no day more, where 两个月内 is a deadline with its last day."""
    until = reading.interval.until
    if until is None or "内" in window[0] or UNITS[window["unit"] or "月"] not in _CALENDAR_UNITS or _is_loose(window):
        return reading
    return replace(reading, interval=replace(reading.interval, until=until - timedelta(days=1)))


def opened(line: str, reading: Reading) -> Reading:
    """What 以前 and 以后 say beside 前 and 后: 3天前 is that day, 3天以前 all to its end, 3天以后 all from it on."""
    way, interval = line[reading.end - 2 : reading.end], reading.interval
    if way not in _OPEN_WAYS or interval.granularity is Granularity.RANGE or reading.anchor is not Anchor.SPEAKER:
        return reading
    if way.endswith("后"):
        return replace(reading, interval=Interval(interval.begin, None, Granularity.RANGE))
    last = interval.begin if interval.granularity in CLOCK_UNITS else interval.until
    return replace(reading, interval=Interval(None, last, Granularity.RANGE))


def _counted(line: str, start: int, at: datetime) -> Reading | None:
    match = _OFFSET.match(line, start)
    if match is None or (match["unit"] == "年" and not match["many"] and _YEAR_NUMBER.fullmatch(match["n"])):
        return None
    if match["unit"] in {"日", "季度"} and "内" not in match["way"]:
        return None
    way, unit = match["way"], UNITS[match["unit"]]
    if "内" in way or "来" in way:
        return stretch(match, at, sign=-1 if "来" in way else 1)
    sign = -1 if "前" in way else 1
    ends = _ends(match)
    if ends is not None:
        return Reading(start, match.end(), walk.around(at, *ends, unit, sign=sign), Anchor.SPEAKER)
    count, moved = _count(match), move(match, at, sign=sign)
    if count is None or moved is None:
        return None
    that_day = _THAT_DAY.match(line, match.end())
    if that_day:
        return Reading(start, that_day.end(), containing(moved, Granularity.DAY), Anchor.SPEAKER)
    length = _QUARTER if match["unit"] == "刻钟" else 1
    return Reading(start, match.end(), counted(moved, count * length, unit, length=length), Anchor.SPEAKER)


def event(line: str, match: re.Match[str], known: Reading | None) -> Reading | None:
    """A count from an event; a dated one, `known`, that ends where the match begins gives it an interval."""
    after = match["side"] not in {"前", "之前", "以前"}
    if known is not None:
        return _from_known(match, known, after=after)
    words = _event_words(line, match.start())
    if words is None:
        return None
    return Reading(words, match.end(), unknown(UNITS[match["unit"]]), Anchor.EVENT)


def unknown(unit: Granularity) -> Interval:
    """No interval, as fine as a unit."""
    return Interval(UNKNOWN.begin, UNKNOWN.until, unit)


def _count(match: re.Match[str]) -> float | None:
    """How many units, 几 as the most that it may be, 三个多月 as three."""
    if match.groupdict().get("few_months"):
        return integer(match["few_months"])
    if match["n"] == "半":
        return 0.5
    if match["n"] in FEW:
        return walk.few(UNITS[match["unit"]])
    if match["n"] in _PAIRS:
        return _PAIRS[match["n"]]
    parsed = _numeral(match["n"])
    if parsed is None or parsed[0] <= 0:
        return None
    return (parsed[1] or parsed[0]) + (0.5 if match["half"] or match["more"] else 0)


def _numeral(words: str) -> tuple[float, float | None] | None:
    """A count, or the two ends of one; none where they do not grow."""
    ends = TO.split(words)
    if len(ends) == 1:
        return parse_numeral(words)
    low, high = integer(ends[0]), integer(ends[1])
    return (low, high) if low is not None and high is not None and low < high else None


def _ends(match: re.Match[str]) -> tuple[float, float] | None:
    """The two counts of 两三天前, 三到五天前 and 几个月前; nothing where one is said."""
    if match["n"] in FEW:
        return 2.0, float(walk.few(UNITS[match["unit"]]))
    parsed = _numeral(match["n"])
    return (parsed[0], parsed[1]) if parsed and parsed[1] is not None else None


def move(match: re.Match[str], moment: datetime, *, sign: int) -> datetime | None:
    """A moment moved by a matched count; nothing where it is no count."""
    count = _count(match)
    if count is None:
        return None
    if match["unit"] and match["unit"].endswith(("工作日", "交易日")):
        return shift_workdays(moment, sign * int(count))
    if match["unit"] == "刻钟":
        count *= _QUARTER
    return shift(moment, sign * count, UNITS[match["unit"] or "月"])


def stretch(match: re.Match[str], at: datetime, *, sign: int) -> Reading | None:
    """The window of a matched count before or after now; as coarse as what is said where that is 三个多月."""
    moved = move(match, at, sign=sign)
    if moved is None:
        return None
    unit = UNITS[match["unit"] or "月"]
    over = match["many"] or match.groupdict().get("over")
    grain = (unit if over else grain_of(0.5, unit)) if _is_loose(match) and unit not in CLOCK_UNITS else None
    window = walk.past_window if sign < 0 else walk.coming_window
    return Reading(match.start(), match.end(), window(at, moved, unit, grain), Anchor.SPEAKER)


def _is_loose(match: re.Match[str]) -> bool:
    """三个多月, 三年多, 三年半: as coarse as what is said."""
    return bool(match["many"] or match.groupdict().get("over") or match["half"] or match["more"])


def _from_known(match: re.Match[str], known: Reading, *, after: bool) -> Reading | None:
    if not after and known.interval.granularity in _CALENDAR_UNITS:
        return None  # 今年前三个月 are the first months of the year, not those before it
    edge = known.interval.until if after else known.interval.begin
    moved = move(match, edge, sign=1 if after else -1) if edge else None
    if edge is None or moved is None:
        return None
    interval = Interval(min(edge, moved), max(edge, moved), Granularity.RANGE)
    return Reading(known.start, match.end(), interval, known.anchor)


def _event_words(line: str, end: int) -> int | None:
    """Where the words of the event begin: after the last joining word of its clause."""
    words = _EVENT_WORDS.search(line, max(0, end - _LONGEST_EVENT), end)
    if words is None or line[end - 1] in _NO_EVENT:
        return None
    start = words.start()
    for boundary in _BOUNDARY.finditer(line, start, end):
        if boundary.end() < end:
            start = boundary.end()
    return start if start < end else None
