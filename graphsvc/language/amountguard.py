"""Decide whether a number that was read is an amount at all.

Dates, clock times, ordinals, codes, phone numbers and idioms are full of numerals. Each rule here
looks only at the characters beside the number, in folded text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphsvc.language.hanwords import is_word
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS
from graphsvc.language.units import CURRENCIES, DURATIONS

_AGO = re.compile(r"[ ]?(?:之前|以前|前|之后|以后|后|ago|later)")
_JOINED_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyz_-/:@#&+第周期拜初")
_NUMBERED = """
no room level page chapter section version line step item figure table clause article floor suite gate flight
january february march april may june july august september october november december
jan feb mar apr jun jul aug sept sep oct nov dec
"""
_NUMBERED_WORDS = frozenset(_NUMBERED.split())
_WORD_BEFORE = re.compile(r"([a-z]+)[.]? $")
_LONGEST_NUMBERED = 10
_NOT_AFTER = re.compile(
    r"[ ]?(?:年|月|日(?!内)|号|点|时(?!候)|届|级|楼|室|(?:st|nd|rd|th|am|pm|a\.m|p\.m|o'clock)(?![a-z])"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)|[-/:.]\d|[-/_@:][a-z]|[./]?[a-z_]"
)
_CODE_GOES_ON = re.compile(r"[-/]\d|\.\d")
_SPACED_FIGURES_BEFORE = re.compile(r"\d[ ]$")
_SPACED_FIGURES_AFTER = re.compile(r"[ ]\d")
_WEEKDAY = re.compile(r"[一二三四五六日天末年岁几]")
_UNITS_ALONE = frozenset(HAN_UNITS) - {"十", "拾"}
_CLOCK_UNITS = frozenset({"分", "second", "minute"})
# 一个, 一种, 一次 and their like are articles more often than counts.
_ARTICLE_UNITS = frozenset(
    "个种类次遍趟部门家位名条层项款顿场片把双对块口股组班队笔批首集张人分度里本支只头间套份件轮卷"
)

_LONGEST_PLAIN = 9
_OTHER_SENSE = re.compile(
    r"(?:网|手机|信号|基站|显示|视频|分辨|屏|电视|[ ]?(?:video|display|monitor|tv|network|phone))"
)
_AFTER_CLOCK = re.compile(r"[点时分][ ]?$")
_LONGEST_IDIOM = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """An amount half read: a stretch of the folded text, its value or range, what was written of it."""

    start: int
    end: int
    body: str
    low: float
    high: float | None = None
    scaled: bool = False
    unit: str | None = None
    certain: bool = False


def stands(line: str, reading: Reading) -> bool:
    """Whether what was read is an amount and not part of a date, a code, an ordinal or an idiom."""
    start, end = reading.start, reading.end
    first = line[start]
    signed = reading.low < 0
    begins_bare = (first.isdigit() or first in HAN_DIGITS + HAN_UNITS) and not signed
    if begins_bare and _is_joined(line, start):
        return False
    if _CODE_GOES_ON.match(line, end) or _OTHER_SENSE.match(line, end):
        return False
    if reading.certain:
        return True
    if reading.unit is None:
        return _NOT_AFTER.match(line, end) is None and _bare_stands(line, reading)
    return _unit_stands(line, reading)


def _is_joined(line: str, start: int) -> bool:
    """Whether the number continues what stands before it: a code, an ordinal, a decimal, "room 302"."""
    before = line[max(0, start - 2) : start]
    if before[-1:] in _JOINED_BEFORE or (before[-1:] == "." and before[:1].isdigit()):
        return bool(before)
    if before[-1:] != " ":
        return False
    word = _WORD_BEFORE.search(line, max(0, start - _LONGEST_NUMBERED - 2), start)
    return word is not None and word[1] in _NUMBERED_WORDS


def _bare_stands(line: str, reading: Reading) -> bool:
    """A number without a unit: large enough in characters, or two figures or more that are no year or code."""
    body = reading.body
    if not body[0].isascii():
        return (
            reading.scaled
            and reading.low >= 100
            and body[0] not in _UNITS_ALONE
            and ("点" not in body or body[-1] in "万亿")
        )
    if reading.scaled or "," in body or "." in body:
        return True
    if not 1 < len(body) <= _LONGEST_PLAIN or body[0] == "0":
        return False
    if len(body) == 4 and 1900 <= reading.low <= 2100:
        return False
    if _SPACED_FIGURES_BEFORE.search(line, max(0, reading.start - 2), reading.start):
        return False
    return _SPACED_FIGURES_AFTER.match(line, reading.end) is None


def _unit_stands(line: str, reading: Reading) -> bool:
    start, end, body = reading.start, reading.end, reading.body
    if reading.unit in DURATIONS and _AGO.match(line, end):
        return False
    if reading.unit in _CLOCK_UNITS and (body == "十" or _AFTER_CLOCK.search(line, max(0, start - 2), start)):
        return False
    if reading.unit == "week" and _WEEKDAY.match(line, end):
        return False
    if body[0] in _UNITS_ALONE:
        return (
            reading.unit in CURRENCIES
            or reading.low < 0
            or line[start] not in _UNITS_ALONE
            or reading.unit in {"%", "‰"}
        )
    if body == "一" and reading.low == 1 and line[end - 1] in _ARTICLE_UNITS:
        return False
    return not (len(body) == 1 and body in HAN_DIGITS and _is_idiom(line, start, end))


def _is_idiom(line: str, start: int, end: int) -> bool:
    """五花八门, 五台山: a longer word of the dictionary runs across the number's border."""
    for first in range(max(0, start - 3), start + 1):
        for last in range(max(end, first + 3), first + _LONGEST_IDIOM + 1):
            crossing = first < start or last > end
            if crossing and last <= len(line) and line[last - 1] != "人" and is_word(line[first:last]):
                return True
    return False
