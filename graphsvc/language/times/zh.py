"""The grammar of Chinese dates and clock times: 去年, Q3, 下个月底, 周五, 3月5号, 下午, 三点一刻.

Each part of an expression is one rule that adds to a frame; rules stand in the order in which
parts follow each other, from the year to the minute, and none is used twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.times import zh_build as build
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.zh_rules import RULES, Rule


@dataclass(frozen=True, slots=True)
class Parsed:
    """A frame with the end of what was read."""

    frame: Frame
    end: int


_JOINT = re.compile(r"的|[ ]{1,2}|-(?=\d\d?:\d\d)|,[ ]?(?=[上下中凌早晚傍半深\d]|周[一二三四五六日]|星期|礼拜)|")
_NOTHING = -1
# 三点建议, 一点也不: a bare hour needs something that makes it one.
_BARE_HOUR_BEFORE = re.compile(r"(?:在|到|至|约|于|从|定|改|时间|-|~)[ ]?$")
_NEVER_COUNTS = re.compile("[零0][点时]|24点|(?:1[3-9]|2[0-4])时")
_BARE_HOUR_AFTER = re.compile(
    r"[ ]?(?:[之以]?[前后](?![面者台])|许|过|后|左右|钟|整|见|开会|开始|出发|集合|到|至|-|~|起床|下班|上班|多)"
)
# 早餐7点, 退房12点: a time is what such an event has.
_EVENT_BEFORE = re.compile(
    r"(?:[早午晚中][餐饭]|早茶|夜宵|宵夜|退房|入住|开[门场演饭会课学播]|关门|打烊|停业|营业|[上下]班|[上下放]学|[上下]课|起飞|降落|到站|到达"
    r"|发车|(?:首|末|头)班车?|集合|报到|报名|签到|闹钟|交班|换班|起床|睡觉|熄灯|比赛|会议|聚会|聚餐|面试|考试|彩排|婚礼)"
    r"(?:是|时间|[:])?[ ]?$"
)
_LONGEST_EVENT = 7
# 六点吃饭, 八点上课; 一点 is mostly a little.
_DOES = re.compile(
    r"(?<!一点)[ ]?(?:[我你他她咱]们?|大家|就|才|准时|再)?"
    r"(?:吃[早午晚中]?[饭餐]|[上下]课|[上放]学|开[门场演饭学播]|关门|打烊|起飞|降落|发车"
    r"|到家|到站|睡|回[家来去]|出门|接(?!下来|着)|送(?!给)|来接|去接|交班|换班|上车|下车|上床|登机|熄灯|退房|入住|午休)"
)


# The levels of rules that have been read when a year, a month or a day is given.
_YEAR, _MONTH, _DAY = 1, 3, 7


def parse(
    line: str, start: int, at: datetime, *, first: Frame | None = None, within: Frame | None = None
) -> Parsed | None:
    """Read as many parts as follow each other.

    `first` is the beginning of a range whose end is read; `within` a year, month or day of which a part is read.
    """
    frame, level, end = Frame(), _NOTHING, start
    if within is not None:
        level = _DAY if within.day is not None else _MONTH if within.month is not None else _YEAR
        frame = within
    bare_hour = False
    while True:
        joint = _JOINT.match(line, end)
        at_part = joint.end() if joint and level != _NOTHING else end
        step = _step(line, at_part, frame, level, at)
        if step is None:
            break
        rule, match, frame = step
        bare_hour = (
            level == _NOTHING
            and rule.build is build.clock
            and match.lastgroup in {None, "_m"}
            and "钟" not in match[0]
            and not _NEVER_COUNTS.fullmatch(match[0])
        )
        level, end = rule.level, match.end()
    if end == start or (bare_hour and first is None and not _is_hour(line, start, end)):
        return None
    if first is not None:
        frame = frame.following(first)
    elif frame.third is not None and not frame.has_date():
        return None
    return Parsed(frame, end)


def _step(line: str, at_part: int, frame: Frame, level: int, at: datetime) -> tuple[Rule, re.Match[str], Frame] | None:
    for rule in RULES:
        if rule.level > level:
            match = rule.pattern.match(line, at_part)
            built = rule.build(frame, match, at) if match else None
            if match and built is not None:
                return rule, match, built
    return None


def _is_hour(line: str, start: int, end: int) -> bool:
    before = _BARE_HOUR_BEFORE.search(line, max(0, start - 3), start)
    if before is not None or _BARE_HOUR_AFTER.match(line, end) or _DOES.match(line, end):
        return True
    return _EVENT_BEFORE.search(line, max(0, start - _LONGEST_EVENT), start) is not None
