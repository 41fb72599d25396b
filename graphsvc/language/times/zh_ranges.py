"""Parts of Chinese ranges that leave out what stands before them: 周一至五, 5月中旬至下旬, 5月上中旬, 下月初五.

Each gives only what it says; the frame of the beginning fills in the week, the month or the year.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphsvc.language.numerals import integer
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.zh_build import THIRDS, WEEKDAYS

_LUNAR_BEFORE = re.compile("[农阴旧]历的?[上下本这当一个]{1,4}月$")
_LUNAR_CHARS = 8
_JOINERS = ("[-~—至到]", "--", "——", "[ ][-~—至到][ ]")


def after_any(starts: Sequence[str], joiners: Sequence[str] = _JOINERS) -> str:
    """A pattern for the place behind the beginning of a range; each of `starts` has one width."""
    return "(?:" + "|".join(f"(?<={start}{joiner})" for start in starts for joiner in joiners) + ")"


def weekday_alone(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """The 五 of 周一至五."""
    return replace(frame, weekday=WEEKDAYS[match[1]], relative=True) if frame == Frame() else None


def third_alone(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """The end of 下月中旬至下旬, 1月初至月底, 2021年初到年底: a part of the month or year that the range begins in."""
    return replace(frame, third=THIRDS[match[1]]) if frame == Frame() else None


def thirds(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """上中旬, 中下旬: from one third of a month to the end of another."""
    if frame.month is None or frame.last_month is not None:
        return None
    return replace(frame, third=THIRDS[f"{match[1]}旬"], last_third=THIRDS[f"{match[2]}旬"])


def day_of_month(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """下月初五 is the fifth of next month, but for words of the lunar calendar."""
    if frame.month is None or not frame.relative or frame.third or frame.day:
        return None
    before = match.string[max(0, match.start() - _LUNAR_CHARS) : match.start()]
    if _LUNAR_BEFORE.search(before):
        return None
    return replace(frame, day=integer(match[1].removeprefix("初").replace("廿", "二十")))
