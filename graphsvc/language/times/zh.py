"""The grammar of Chinese dates and clock times: 去年, Q3, 下个月底, 周五, 3月5号, 下午, 三点一刻.

Each part of an expression is one rule that adds to a frame; rules stand in the order in which
parts follow each other, from the year to the minute, and none is used twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graphsvc.language.numerals import integer
from graphsvc.language.times.calendar import add_months, monday_of
from graphsvc.language.times.frame import Frame, Part, Third
from graphsvc.language.times.holidays import HOLIDAY_NAMES, holiday

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]

_N = "零〇一二三四五六七八九十两"
_DAY = r"(?:三十一|三十|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]|[12]\d|3[01]|0?[1-9])"
_MONTH = r"(?:十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])"
_HOUR = r"(?:二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九]|[01]?\d|2[0-4])"
_MINUTE = r"(?:[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九]|[0-5]?\d)"
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5} | {
    str(number): number - 1 for number in range(1, 7)
}
_YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2,
}  # fmt: skip
_DAYS = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1,
    "后天": 2, "大后天": 3,
    "前晚": -2, "昨晚": -1, "昨夜": -1, "今早": 0, "今晨": 0, "今晚": 0, "今夜": 0,
    "明早": 1, "明晨": 1, "明晚": 1, "后晚": 2,
}  # fmt: skip
_DAY_PARTS = {"早": Part.MORNING, "晨": Part.MORNING, "晚": Part.EVENING, "夜": Part.NIGHT}
_PARTS = {
    "凌晨": Part.SMALL_HOURS, "清晨": Part.MORNING, "清早": Part.MORNING, "早上": Part.MORNING, "早晨": Part.MORNING,
    "一早": Part.MORNING, "上午": Part.FORENOON, "中午": Part.NOON, "午间": Part.NOON, "下午": Part.AFTERNOON,
    "午后": Part.AFTERNOON, "傍晚": Part.DUSK, "晚上": Part.EVENING, "晚间": Part.EVENING, "夜里": Part.NIGHT,
    "夜间": Part.NIGHT, "半夜": Part.NIGHT, "深夜": Part.NIGHT, "早": Part.MORNING, "晚": Part.EVENING,
}  # fmt: skip
# 5日后 counts five days, 3月5日后 is after a date.
_COUNTED = re.compile("[后以之]")
_THIRDS = {
    "初": Third.EARLY, "上旬": Third.EARLY, "中": Third.MIDDLE, "中旬": Third.MIDDLE, "下旬": Third.LATE,
    "底": Third.END, "末": Third.END, "末尾": Third.END,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One part of an expression; `level` orders the parts."""

    level: int
    pattern: re.Pattern[str]
    build: Build


def _steps(text: str) -> int:
    """How far 上上, 上, 本, 下, 下下 are from here."""
    return text.count("下") - text.count("上")


def _year(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    number = integer(match[1])
    if number is not None and number < 100:
        number += 2000 if number <= (at.year + 20) % 100 else 1900
    return replace(frame, year=number) if number is not None and 1000 <= number < 9999 else None


def _relative_year(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    return replace(frame, year=at.year + _YEARS[match[1]], relative=True)


def _half(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    year = at.year if frame.year is None else frame.year
    return replace(frame, year=year, half=1 if match[1] == "上" else 2, relative=frame.relative or frame.year is None)


def _quarter(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    number = integer(match[1] or match[2])
    if number is None or not 1 <= number <= 4:
        return None
    year = at.year if frame.year is None else frame.year
    return replace(frame, year=year, quarter=number, relative=frame.relative or frame.year is None)


def _relative_quarter(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    moment = add_months(at.replace(day=1), 3 * _steps(match[1]))
    return replace(frame, year=moment.year, quarter=(moment.month + 2) // 3, relative=True)


def _month(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    number, last = integer(match[1]), integer(match[2]) if match[2] else None
    if frame.quarter or frame.half:
        return None
    if last is not None and number is not None and last <= number:
        return None
    return replace(frame, month=number, last_month=last)


def _relative_month(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    moment = add_months(at.replace(day=1), _steps(match[1]))
    return replace(frame, year=moment.year, month=moment.month, relative=True)


def _third(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.month is None and (frame.year is None or frame.quarter or frame.half):
        return None
    if frame.last_month is not None or (frame.month is None and match[1].endswith("旬")):
        return None
    return replace(frame, third=_THIRDS[match[1]])


def _bare_third(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    monthly = match[1] == "月"
    if frame.month or frame.quarter or frame.half or (monthly and frame.year is not None):
        return None
    year, month = (at.year, at.month) if monthly else (frame.year or at.year, None)
    relative = frame.relative or frame.year is None
    return replace(frame, year=year, month=month, third=_THIRDS[match[2]], relative=relative)


def _week(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    monday = monday_of(at.date()) + timedelta(weeks=_steps(match[1]))
    name = match[2]
    if name is None:
        return replace(frame, week=monday, relative=True)
    if name == "末":
        return replace(frame, week=monday, weekend=True, relative=True)
    return replace(frame, week=monday, weekday=_WEEKDAYS[name], relative=True)


def _weekday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    if frame.day is not None:
        return frame
    if frame.week is None and (frame.month is not None or frame.year is not None):
        return None
    if match[1] == "末":
        return replace(frame, week=frame.week or monday_of(at.date()), weekend=True, relative=True)
    return replace(frame, weekday=_WEEKDAYS[match[1]], relative=True)


def _named_day(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    word = match[0]
    frame = frame.on((at + timedelta(days=_DAYS[word])).date())
    return replace(frame, part=_DAY_PARTS.get(word[-1], frame.part))


def _day(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.quarter or frame.half or frame.last_month or (frame.year is not None and frame.month is None):
        return None
    if frame.month is None and _COUNTED.match(match.string, match.end()):
        return None
    return replace(frame, day=integer(match[1]), last_day=integer(match[2]) if match[2] else None)


def _iso(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    return replace(frame, year=year, month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _iso_month(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    return replace(frame, year=int(match[1]), month=int(match[2]))


def _holiday(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    if frame.year is not None:
        found = holiday(match[1], frame.year)
    else:
        days = [day for day in (holiday(match[1], at.year + shift) for shift in (-1, 0, 1)) if day]
        found = min(days, key=lambda day: abs((day - at.date()).days), default=None)
    if found is None:
        return None
    relative = frame.relative or frame.year is None
    return replace(frame, year=found.year, month=found.month, day=found.day, relative=relative)


def _part(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.has_date() and frame.day is None and frame.weekday is None:
        return None
    return replace(frame, part=_PARTS[match[1]])


def _clock(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.has_date() and frame.day is None and frame.weekday is None:
        return None
    hour = integer(match[1])
    if hour is None or hour > 24:
        return None
    minute: int | None = None
    if match["half"]:
        minute = 30
    elif match["quarters"]:
        minute = 15 * (integer(match["quarters"]) or 0)
    elif match["minute"]:
        minute = integer(match["minute"])
    return replace(frame, hour=hour, minute=minute)


def _digital(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.has_date() and frame.day is None and frame.weekday is None:
        return None
    second = int(match[3]) if match[3] else None
    return replace(frame, hour=int(match[1]), minute=int(match[2]), second=second)


def _words(words: object) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))  # type: ignore[call-overload]


_WEEK = "(?:个?星期|个?礼拜|周)"
_RANGE = r"[ ]?(?:-|~|至|到)[ ]?"
_NOT_NUMBER = rf"(?<![\d{_N}第.])"
_NO_LETTER = r"(?<![\w.-])(?<![\d])"
# 5号楼, 3号线: a number of something, not a day.
_NOT_A_DAY = r"(?![楼线门机车店桌院位房仓厅码员球馆厂库井岛公文令电会键笔床梯路])"
RULES = (
    Rule(1, re.compile(rf"(?<![\w.-])({_words(_YEARS)})(?:度|里|间)?".replace(r"(?<![\w.-])", "")), _relative_year),
    Rule(1, re.compile(rf"(?<![\d.])((?:19|20)\d\d|[一二][零〇九][{_N}]{{2}})年(?:度|间)?(?![前后内以之])"), _year),
    Rule(1, re.compile(rf"{_NOT_NUMBER}(\d\d)年(?=[ ]?{_MONTH}月|第?[一二三四1-4]季|[上下]半年|q[1-4])"), _year),
    Rule(2, re.compile("([上下])半年度?(?![前后以之])"), _half),
    Rule(2, re.compile(r"(?:第([一二三四1-4])个?|(?<![\d一二三四])([一二三四1-4]))季度?(?![节])"), _quarter),
    Rule(2, re.compile(r"(?<![a-z0-9])q()([1-4])(?![a-z0-9])(?:季度)?"), _quarter),
    Rule(2, re.compile("(上上|上|本|这|下下|下)(?:一)?个?季度?(?![节])(?<=季度|.季)"), _relative_quarter),
    Rule(
        3,
        re.compile(r"(?<![a-z0-9_.-])((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.]([0-2]?\d|3[01])(?![\d]|[-/.]\d)"),
        _iso,
    ),
    Rule(
        3,
        re.compile(r"(?<![a-z0-9_.-])((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\d/-])(?![^\W\d_\u4e00-\u9fff])"),
        _iso_month,
    ),
    Rule(3, re.compile(r"(?<![a-z0-9_.-])((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![a-z0-9_.-])"), _iso),
    Rule(3, re.compile(rf"{_NOT_NUMBER}({_MONTH})(?:月(?:份)?)?{_RANGE}({_MONTH})月(?:份)?(?!{_DAY}[日号])"), _month),
    Rule(3, re.compile(rf"{_NOT_NUMBER}({_MONTH})月()(?:份|里)?(?![球饼亮])"), _month),
    Rule(3, re.compile("(上上|上|本|这|当|下下|下)(?:一)?个?月(?:份|里)?(?![球饼亮台光])"), _relative_month),
    Rule(4, re.compile("(初|上旬|中旬|下旬|底|末)"), _third),
    Rule(4, re.compile("(中)(?![国间心午文秋学东外小])"), _third),
    Rule(4, re.compile("(年|月)(初|底|末)(?![班])"), _bare_third),
    Rule(4, re.compile("(月)(中旬|上旬|下旬)"), _bare_third),
    Rule(5, re.compile(rf"(上上|上|本|这|下下|下)(?:一)?{_WEEK}(?:的)?([一二三四五六日天末1-6](?!个|次|周))?"), _week),
    Rule(6, re.compile(_words(_DAYS)), _named_day),
    Rule(6, re.compile(rf"{_NOT_NUMBER}({_DAY})[日号]?{_RANGE}({_DAY})[日号]{_NOT_A_DAY}"), _day),
    Rule(6, re.compile(rf"{_NOT_NUMBER}({_DAY})()[日号]{_NOT_A_DAY}(?![内期])"), _day),
    Rule(
        6,
        re.compile(rf"({_words(HOLIDAY_NAMES)})(?:节|日)?(?:假期|长假|期间)?(?![路街广大口]|[零一二三四五六七八九十])"),
        _holiday,
    ),
    Rule(7, re.compile(r"[ ]?[(]?(?:周|星期|礼拜)([一二三四五六日天末])[)]?(?![个次岁期边游刊报记年])"), _weekday),
    Rule(8, re.compile(rf"({_words(set(_PARTS) - {'早', '晚'})})"), _part),
    Rule(8, re.compile(rf"(早|晚)(?=[ ]?{_HOUR}(?:点|:|时))"), _part),
    Rule(
        9,
        re.compile(
            rf"{_NOT_NUMBER}({_HOUR})(?:点钟?|时(?![间候代期而常有长尚机光区空段刻]))"
            rf"(?:(?P<half>半)(?!个)|(?P<quarters>[一三13])刻|(?P<minute>{_MINUTE})(?:分(?!钟|之)钟?)|整|(?P<_m>))?"
        ),
        _clock,
    ),
    Rule(9, re.compile(r"(?<![a-z0-9_:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![a-z0-9_:]|\.\d)"), _digital),
)
_JOINT = re.compile(r"的|[ ]{1,2}|,[ ]?(?=[上下中凌早晚傍半深\d])|")
# 三点建议, 一点也不: a bare hour needs something that makes it one.
_BARE_HOUR_BEFORE = re.compile(r"(?:在|到|至|约|于|从|定|改|-|~)[ ]?$")
_BARE_HOUR_AFTER = re.compile(r"[ ]?(?:前|后|左右|钟|整|见|开会|开始|出发|集合|到|至|-|~|起床|下班|上班|多)")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A frame with the end of what was read."""

    frame: Frame
    end: int


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
        bare_hour = level == 0 and rule.build is _clock and match.lastgroup in {None, "_m"} and "钟" not in match[0]
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
