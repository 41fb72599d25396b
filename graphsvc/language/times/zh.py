"""The grammar of Chinese dates and clock times: 去年, Q3, 下个月底, 周五, 3月5号, 下午, 三点一刻.

Each part of an expression is one rule that adds to a frame; rules stand in the order in which
parts follow each other, from the year to the minute, and none is used twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.times import zh_build as build
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import HOLIDAY_NAMES

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]

_N = "零〇一二三四五六七八九十两"
_DAY = r"(?:三十一|三十|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]|[12]\d|3[01]|0?[1-9])"
_MONTH = r"(?:十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])"
_HOUR = r"(?:二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九]|[01]?\d|2[0-4])"


@dataclass(frozen=True, slots=True)
class Rule:
    """One part of an expression; `level` orders the parts."""

    level: int
    pattern: re.Pattern[str]
    build: Build


@dataclass(frozen=True, slots=True)
class Parsed:
    """A frame with the end of what was read."""

    frame: Frame
    end: int


def _words(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _rule(level: int, pattern: str, builder: Build) -> Rule:
    return Rule(level, re.compile(pattern), builder)


_WEEK = "(?:个?星期|个?礼拜|周)"
_STEP = "(上上|上|本|这|下下|下)(?:一)?"
_RANGE = r"[ ]?(?:-{1,2}|~|—{1,2}|至|到)[ ]?"
_NOT_NUMBER = rf"(?<![\d{_N}第./])"
_NOT_MONTH_BEFORE = rf"{_NOT_NUMBER}(?<![农阴旧]历)(?<![近过])"
_FIGURES_BEFORE = r"(?<![a-z0-9_.-])"
# 5号楼, 3号线: a number of something, not a day.
_NOT_A_DAY = r"(?![楼线门机车店桌院位房仓厅码员球馆厂库井岛公文令电会键笔床梯路])"
_MINUTES = (
    r"(?P<minute>[0-5]\d(?!\d)|[二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九])(?:分(?!钟|之))?(?![个位名人台件天岁万千百块元条])"
    r"|(?P<few>[一二三四五六七八九\d])分(?!钟|之)"
)
RULES = (
    _rule(1, rf"({_words(build.YEARS)})(?:度|里|间)?", build.relative_year),
    _rule(1, rf"(?<![\d.])((?:19|20)\d\d|[一二][零〇九][{_N}]{{2}})年(?:度|间)?(?![前后内以之])", build.whole_year),
    _rule(
        1, rf"{_NOT_NUMBER}(\d\d)年(?=[ ]?{_MONTH}月|第?[一二三四1-4]季|[上下]半年|q[1-4]|[初底末])", build.whole_year
    ),
    _rule(2, "([上下])半年度?(?![前后以之])", build.half),
    _rule(2, r"(?:第([一二三四1-4])个?|(?<![\d一二三四前后])([一二三四1-4]))季度?(?!节)", build.quarter),
    _rule(2, r"(?<![a-z0-9])q()([1-4])(?![a-z0-9])(?:季度)?", build.quarter),
    _rule(2, rf"{_STEP}个?季度?(?!节)", build.relative_quarter),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.]([0-2]?\d|3[01])(?!\d|[-/.]\d)", build.iso),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\d/a-z_-])", build.iso_month),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![a-z0-9_.-])", build.iso),
    _rule(3, rf"{_NOT_MONTH_BEFORE}({_MONTH})(?:月份?)?{_RANGE}({_MONTH})月份?(?!{_DAY}[日号])", build.month),
    _rule(3, rf"{_NOT_MONTH_BEFORE}({_MONTH})月()(?:份|里)?(?![球饼亮])", build.month),
    _rule(3, "(上上|上|本|这|当|下下|下)(?:一)?个?月(?:份|里)?(?![球饼亮台光])", build.relative_month),
    _rule(4, "月?(初|上旬|中旬|下旬|底|末)", build.third),
    _rule(4, "(中)(?![国间心午文秋学东外小])", build.third),
    _rule(4, rf"(?<![大次那同每\d{_N}])(年|月)(初|底|末)(?!班)", build.bare_third),
    _rule(4, "(月)(中旬|上旬|下旬)", build.bare_third),
    _rule(5, rf"{_STEP}{_WEEK}(?:的)?([一二三四五六日天末1-6](?!个|次|周))?", build.week),
    _rule(6, _words(build.DAYS), build.named_day),
    _rule(
        6,
        rf"(?:农历|阴历|旧历|(?=[正冬腊]))(?P<month>[正冬腊]|{_MONTH})月(?:初)?(?P<day>廿[一二三四五六七八九]?|{_DAY})[日号]?",
        build.lunar_day,
    ),
    _rule(6, rf"大年初(?P<month>)(?P<day>{_DAY})", build.lunar_day),
    _rule(6, rf"{_NOT_NUMBER}({_DAY})[日号]?{_RANGE}({_DAY})[日号]{_NOT_A_DAY}", build.day),
    _rule(6, rf"{_NOT_NUMBER}({_DAY})()[日号]{_NOT_A_DAY}(?![内期])", build.day),
    _rule(
        6,
        rf"({_words(HOLIDAY_NAMES)})(?:节|日)?(?:假期|长假|期间)?(?![路街广大口零一二三四五六七八九十])",
        build.named_holiday,
    ),
    _rule(7, r"(?<!个)[ ]?[(]?(?:周|星期|礼拜)([一二三四五六日天末])[)]?(?![个次岁期边游刊报记年])", build.weekday),
    _rule(8, rf"({_words(set(build.PARTS) - {'早', '晚'})})", build.part),
    _rule(8, rf"(早|晚)(?=[ ]?{_HOUR}(?:点|:|时))", build.part),
    _rule(9, rf"{_NOT_NUMBER}({_HOUR}){_RANGE}({_HOUR})点(?!钟?[\d半一二三四五六七八九十])", build.clock_range),
    _rule(
        9,
        rf"{_NOT_NUMBER}({_HOUR})(?:点钟?|时(?![间候代期而常有长尚机光区空段刻]))"
        rf"(?:(?P<half>半)(?!个)|(?P<quarters>[一三13])刻|{_MINUTES}|整|(?P<_m>))?",
        build.clock,
    ),
    _rule(9, r"(?<![a-z0-9_:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?时?(?![a-z0-9_:]|\.\d)", build.digital),
)
_JOINT = re.compile(r"的|[ ]{1,2}|,[ ]?(?=[上下中凌早晚傍半深\d])|")
# 三点建议, 一点也不: a bare hour needs something that makes it one.
_BARE_HOUR_BEFORE = re.compile(r"(?:在|到|至|约|于|从|定|改|-|~)[ ]?$")
_BARE_HOUR_AFTER = re.compile(r"[ ]?(?:前|后|左右|钟|整|见|开会|开始|出发|集合|到|至|-|~|起床|下班|上班|多)")


def parse(line: str, start: int, at: datetime, *, first: Frame | None = None) -> Parsed | None:
    """Read as many parts as follow each other; `first` is the beginning of a range whose end is read."""
    frame, level, end = Frame(), 0, start
    bare_hour = False
    while True:
        joint = _JOINT.match(line, end)
        at_part = joint.end() if joint and level else end
        step = _step(line, at_part, frame, level, at)
        if step is None:
            break
        rule, match, frame = step
        bare_hour = (
            level == 0 and rule.build is build.clock and match.lastgroup in {None, "_m"} and "钟" not in match[0]
        )
        level, end = rule.level, match.end()
    if level == 0 or (bare_hour and first is None and not _is_hour(line, start, end)):
        return None
    if first is not None:
        frame = frame.following(first)
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
    before = _BARE_HOUR_BEFORE.search(line, max(0, start - 2), start)
    return before is not None or _BARE_HOUR_AFTER.match(line, end) is not None
