"""Chinese times that count from somewhere: 3天前, 两周后, 最近三个月, 验收合格后30日内, 每周三.

What counts from the moment of speaking becomes an interval; what counts from an event the text
does not date is kept as such, without one.
"""

from __future__ import annotations

import re
from datetime import datetime

from graphsvc.language.normalise import HAN
from graphsvc.language.numerals import parse_numeral
from graphsvc.language.times import zh
from graphsvc.language.times.calendar import UNKNOWN, Interval, Reading, containing, grain_of, shift, shift_workdays
from graphsvc.language.times.frame import Frame
from graphsvc.models.facts import Anchor, Granularity

_N = r"(?:[\d]{1,4}(?:\.5)?|[一二两三四五六七八九十百]{1,4}|半)"
_UNITS = {
    "个工作日": Granularity.DAY, "工作日": Granularity.DAY, "个自然日": Granularity.DAY, "自然日": Granularity.DAY,
    "天": Granularity.DAY, "日": Granularity.DAY,
    "个星期": Granularity.WEEK, "星期": Granularity.WEEK, "个礼拜": Granularity.WEEK, "礼拜": Granularity.WEEK,
    "周": Granularity.WEEK, "个月": Granularity.MONTH, "个季度": Granularity.QUARTER, "季度": Granularity.QUARTER,
    "年": Granularity.YEAR, "个小时": Granularity.HOUR, "小时": Granularity.HOUR, "个钟头": Granularity.HOUR,
    "分钟": Granularity.MINUTE, "秒钟": Granularity.SECOND, "秒": Granularity.SECOND,
    "月": Granularity.MONTH,
}  # fmt: skip
_UNIT = "|".join(sorted(set(_UNITS) - {"月"}, key=len, reverse=True))
_COUNT = (
    rf"(?<![\d.第零一二三四五六七八九十百几数多])(?P<n>{_N})(?P<half>个半)?[ ]?(?P<unit>{_UNIT}|(?<=半)月)(?P<more>半)?"
)
_OFFSET = re.compile(rf"{_COUNT}(?:多)?(?P<way>之前|以前|前|之后|以后|后|以内|之内|内|来)(?![台院排面端])")
_WINDOW = re.compile(
    rf"(?P<way>最近|过去|近|此前|未来|今后|接下来|往后)(?:的)?(?:这)?{_COUNT}(?:以内|之内|内|里|来|间)?"
)
_NOTICE = re.compile(rf"提前{_COUNT}")
_EVENT = re.compile(
    rf"(?P<side>之日起|日起|起算|之后|以后|后|之前|以前|前)(?:的|,|第)?[ ]?{_COUNT}(?P<within>以内|之内|内)?"
)
_EVENT_WORDS = re.compile(rf"[{HAN}]{{1,14}}$")
_BOUNDARY = re.compile(r"[在于应须需自从由按并且将会可的请要]")
_NO_EVENT = frozenset("然最今此其之往以先目从当提背落事稍幕年月日号天周")
_EVERY = re.compile(
    r"每(?:个|逢|隔)?[ ]?(?:(?P<week>(?:周|星期|礼拜)"
    r"(?P<weekday>[一二三四五六日天末](?:(?:、|和|至|到|-)(?:周|星期)?[一二三四五六日天])*)?)"
    r"|(?P<month>月(?:的)?(?:底|初|末|\d{1,2}[日号]|[一二三四五六七八九十]{1,3}[日号])?)|(?P<year>年)|(?P<quarter>季度)"
    r"|(?P<day>天|日|工作日|早|晚|早上|晚上)|(?P<hour>小时)|(?P<weeks>两周|两个星期))(?![节度])"
)
_EVERY_UNITS = {
    "month": Granularity.MONTH, "year": Granularity.YEAR, "quarter": Granularity.QUARTER,
    "day": Granularity.DAY, "hour": Granularity.HOUR, "weeks": Granularity.WEEK,
}  # fmt: skip
_YEAR_NUMBER = re.compile(r"(?:19|20)\d\d|\d{4}")
_CALENDAR_UNITS = frozenset({Granularity.WEEK, Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR})
_LONGEST_EVENT = 14


def offset(line: str, start: int, at: datetime) -> Reading | None:
    """3天前, 半年后, 三个月内, 最近两周, 提前3天."""
    window = _WINDOW.match(line, start)
    if window:
        past = window["way"] in {"最近", "过去", "近", "此前"}
        return _stretch(window, at, sign=-1 if past else 1)
    notice = _NOTICE.match(line, start)
    if notice:
        return Reading(start, notice.end(), _unknown(_UNITS[notice["unit"]]), Anchor.EVENT)
    match = _OFFSET.match(line, start)
    if match is None or (match["unit"] == "年" and _YEAR_NUMBER.fullmatch(match["n"])):
        return None
    if match["unit"] in {"日", "星期", "礼拜"} and "内" not in match["way"]:
        return None
    way = match["way"]
    if "内" in way or way == "来":
        return _stretch(match, at, sign=-1 if way == "来" else 1)
    count, moved = _count(match), _move(match, at, sign=-1 if "前" in way else 1)
    if count is None or moved is None:
        return None
    return Reading(start, match.end(), containing(moved, grain_of(count, _UNITS[match["unit"]])), Anchor.SPEAKER)


def event(line: str, match: re.Match[str], known: Reading | None) -> Reading | None:
    """A count from an event; a dated one, `known`, that ends where the match begins gives it an interval."""
    after = match["side"] not in {"前", "之前", "以前"}
    if known is not None:
        return _from_known(match, known, after=after)
    words = _event_words(line, match.start())
    if words is None:
        return None
    return Reading(words, match.end(), _unknown(_UNITS[match["unit"]]), Anchor.EVENT)


def events(line: str) -> list[re.Match[str]]:
    """Places where something may be counted from an event."""
    return list(_EVENT.finditer(line))


def recurring(line: str, start: int, at: datetime) -> Reading | None:
    """每周三下午3点, 每月5号: without an interval, as fine as what is said last."""
    match = _EVERY.match(line, start)
    if match is None:
        return None
    unit = next((grain for name, grain in _EVERY_UNITS.items() if match[name]), Granularity.WEEK)
    if match["weekday"] or (match["month"] and match["month"] != "月"):
        unit = Granularity.DAY
    end = match.end()
    detail = zh.parse(line, end, at, first=Frame())
    if detail is not None and detail.frame.hour is not None:
        unit = Granularity.HOUR if detail.frame.minute is None else Granularity.MINUTE
        end = detail.end
    elif detail is not None and detail.frame.part is not None:
        unit, end = Granularity.HALF_DAY, detail.end
    elif detail is not None and match["year"] and detail.frame.month is not None:
        unit, end = Granularity.MONTH if detail.frame.day is None else Granularity.DAY, detail.end
    return Reading(start, end, _unknown(unit), Anchor.RECURRING)


def _unknown(unit: Granularity) -> Interval:
    return Interval(UNKNOWN.begin, UNKNOWN.until, unit)


def _count(match: re.Match[str]) -> float | None:
    if match["n"] == "半":
        return 0.5
    parsed = parse_numeral(match["n"])
    if parsed is None or parsed[0] <= 0:
        return None
    return parsed[0] + (0.5 if match["half"] or match["more"] else 0)


def _move(match: re.Match[str], moment: datetime, *, sign: int) -> datetime | None:
    count = _count(match)
    if count is None:
        return None
    if "工作日" in match["unit"]:
        return shift_workdays(moment, sign * int(count))
    return shift(moment, sign * count, _UNITS[match["unit"]])


def _stretch(match: re.Match[str], at: datetime, *, sign: int) -> Reading | None:
    other = _move(match, at, sign=sign)
    if other is None:
        return None
    interval = Interval(min(at, other), max(at, other), Granularity.RANGE)
    return Reading(match.start(), match.end(), interval, Anchor.SPEAKER)


def _from_known(match: re.Match[str], known: Reading, *, after: bool) -> Reading | None:
    if not after and known.interval.granularity in _CALENDAR_UNITS:
        return None  # 今年前三个月 are the first months of the year, not those before it
    edge = known.interval.until if after else known.interval.begin
    moved = _move(match, edge, sign=1 if after else -1) if edge else None
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
