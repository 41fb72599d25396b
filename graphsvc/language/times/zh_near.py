"""Chinese times beside now that are no plain counts: 今明两天, 过两天, 前几天, 这几天, 年内, 从现在起, 上一小时, 刚才.

最近 without a count is left open: it may mean days or months, and no interval is made up for it.
"""

from __future__ import annotations

import re
from datetime import datetime

from graphsvc.language.normalise import HAN
from graphsvc.language.times import walk
from graphsvc.language.times.calendar import Interval, Reading, containing, midnight, shift
from graphsvc.language.times.zh_relative import CLOCK_UNITS, COUNT, FEW, UNIT, UNITS, move, stretch
from graphsvc.models.facts import Anchor, Granularity

_PASSING = re.compile(rf"再?过(?:了)?{COUNT}(?![了前])")
_JUST_BEFORE = re.compile(rf"前(?<![之以提目从]前)(?!半[年月])(?:的)?{COUNT}(?<!季度)")
_THESE_DAYS = re.compile(rf"这(?P<n>几|些|两)(?P<unit>{UNIT})")
_JUST_NOW = re.compile("刚(?:才|刚(?![好够及巧合满过]))")
_BOTH = re.compile("(?P<first>[去昨今明])[今明]?(?P<last>[今明后])[两二三]?(?P<unit>[年天日])")
_STEPS = {"去": -1, "昨": -1, "今": 0, "明": 1, "后": 2}
_REST = re.compile(
    r"(?<![\d零〇一二两三四五六七八九十几半数多本今去明后前当个每全上下])(?P<unit>[年月周])内(?![容部存外陆勤衣心地销需科])"
)
_FROM_NOW = re.compile("(?:从现在|自?即日|从即日|从此刻|从今天?)(?:起|开始)")
_JUST_AFTER = re.compile(rf"(?<![{HAN}])后(?!半[年月])(?:的)?{COUNT}(?<!季度)")
_THIS_HOUR = re.compile("(?P<way>上|下)(?:一个?|个)(?P<unit>小时|钟头|分钟|秒钟|天(?![到之]))")
_THESE = 3


def near(line: str, start: int, at: datetime) -> Reading | None:
    """Times about now, each by its own words."""
    just = _JUST_NOW.match(line, start)
    if just:
        return Reading(start, just.end(), walk.last_hour(at), Anchor.SPEAKER)
    both = _BOTH.match(line, start)
    if both:
        return _two_units(both, at)
    now = _FROM_NOW.match(line, start)
    if now:
        return Reading(start, now.end(), Interval(at, None, Granularity.RANGE), Anchor.SPEAKER)
    coming = _JUST_AFTER.match(line, start)
    if coming:
        return stretch(coming, at, sign=1)
    rest = _REST.match(line, start)
    if rest:
        whole = containing(at, UNITS[rest["unit"]])
        return Reading(start, rest.end(), Interval(at, whole.until, Granularity.RANGE), Anchor.SPEAKER)
    return _around(line, start, at) or _unit_beside(line, start, at)


def _around(line: str, start: int, at: datetime) -> Reading | None:
    """过两天 is open; 前几天 ends with yesterday; 这几天 are three days on either side of today."""
    passing = _PASSING.match(line, start)
    if passing:
        moved = move(passing, at, sign=1)
        unit = UNITS[passing["unit"]]
        if moved is None:
            return None
        begin = moved if unit in CLOCK_UNITS else containing(moved, Granularity.DAY).begin
        return Reading(start, passing.end(), Interval(begin, None, Granularity.RANGE), Anchor.SPEAKER)
    before = _JUST_BEFORE.match(line, start)
    if before:
        moved = move(before, at, sign=-1)
        if moved is None:
            return None
        unit = UNITS[before["unit"]]
        today = at if unit in CLOCK_UNITS else midnight(at.date())
        interval = Interval(walk.past_window(at, moved, unit).begin, today, Granularity.RANGE)
        return Reading(start, before.end(), interval, Anchor.SPEAKER)
    these = _THESE_DAYS.match(line, start)
    if these:
        unit = UNITS[these["unit"]]
        if unit in CLOCK_UNITS:
            return None
        away = _THESE if these["n"] in FEW else 1
        interval = Interval(
            containing(shift(at, -away, unit), Granularity.DAY).begin,
            containing(shift(at, away, unit), Granularity.DAY).until,
            Granularity.RANGE,
        )
        return Reading(start, these.end(), interval, Anchor.SPEAKER)
    return None


def _unit_beside(line: str, start: int, at: datetime) -> Reading | None:
    """上一小时, 下一分钟, 上一天."""
    hour = _THIS_HOUR.match(line, start)
    if hour:
        unit = UNITS[hour["unit"]]
        other = shift(at, -1 if hour["way"] == "上" else 1, unit)
        if unit is Granularity.DAY:
            return Reading(start, hour.end(), containing(other, unit), Anchor.SPEAKER)
        return Reading(start, hour.end(), Interval(min(at, other), max(at, other), Granularity.RANGE), Anchor.SPEAKER)
    return None


def _two_units(match: re.Match[str], at: datetime) -> Reading | None:
    """今明两天, 去今两年, 明后天: from the one to the end of the other."""
    first, last, unit = _STEPS[match["first"]], _STEPS[match["last"]], UNITS[match["unit"]]
    if last <= first:
        return None
    begin, until = containing(shift(at, first, unit), unit).begin, containing(shift(at, last, unit), unit).until
    return Reading(match.start(), match.end(), Interval(begin, until, Granularity.RANGE), Anchor.SPEAKER)
