"""Decide whether a number that was read is an amount at all.

Dates, clock times, ordinals, codes, phone numbers and idioms are full of numerals. Each rule here
looks only at the characters beside the number, in folded text.
"""

from __future__ import annotations

import re

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.units import CURRENCIES, DURATIONS
from graphsvc.language.hanwords import is_word
from graphsvc.language.normalise import Folded
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS
from graphsvc.language.patterns import STREET_ADDRESS

_AGO = re.compile(r"[ ]?(?:之前|以前|前|之后|以后|后|ago|later)")
_JOINED_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyz_-/:@#&第初双")
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
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)|[-/:.]\d|[-_@:][a-z]|/(?!(?:mo|month|yr|year|wk|week|day|night|hr|h|hour|person|head|unit)\b)[a-z]|[.]?[a-z_]"
)
# In the 1990s, his 20s, 90后: people and years, not seconds.
_DECADE_BEFORE = re.compile(r"(?:the|his|her|my|their|our|your|early|mid|late)[ -]$")
_DATE_AFTER = re.compile(r"[ ]?[年月号]")
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
_NAME_BEFORE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2,21}(?=[ ]$)")
_LONGEST_NAME = 23
_GIVING = re.compile(
    r"(?:[给付转借欠还送收发]|\b(?:pa(?:y|ys|id)|gi(?:ve|ves|ven)|gave|owe[sd]?|le(?:nd|nt)|se(?:nd|nt)|charged?|offer(?:ed)?"
    r"|costs?|lends?|sends?|usd|rmb)\b(?:[^.;!?\n]{1,24}\band)?)[ ]?$",
    re.IGNORECASE,
)


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
    if _is_decade(line, reading) or (reading.unit in CURRENCIES and _starts_a_date(line, reading)):
        return False
    if reading.unit is None:
        return _NOT_AFTER.match(line, end) is None and _bare_stands(line, reading)
    return _unit_stands(line, reading)


def is_inside_code(line: str, start: int) -> bool:
    """A cheap look before anything is read: figures that follow a Latin letter, or a dash behind another figure."""
    before = line[max(0, start - 2) : start]
    if not line[start].isascii() or not line[start].isdigit() or not before:
        return False
    return ("a" <= before[-1] <= "z") or (before[-1] == "-" and before[0].isdigit())


def is_model_number(text: str, folded: Folded, reading: Reading) -> bool:
    """Whether a plain number belongs to a name beside it: iPhone 15, Windows 11, ISO 9001, 10 Downing Street.

    A name is a word with a capital where no sentence begins. Whom something is given to has no number.
    """
    if reading.unit is None and STREET_ADDRESS.match(text, folded.offsets[reading.start]):
        return True
    if reading.unit or reading.scaled or reading.high is not None or "," in reading.body or not reading.body.isascii():
        return False
    start = folded.offsets[reading.start]
    name = _NAME_BEFORE.search(text, max(0, start - _LONGEST_NAME), start)
    if name is None:
        return False
    if not any(char.isupper() for char in name[0][1:]):
        before = text[max(0, name.start() - 3) : name.start()].rstrip(" \"'“(")
        if not name[0][0].isupper() or not before or before[-1] in ".!?:;\n。！？：；":
            return False
    return _GIVING.search(text, max(0, name.start() - 36), name.start()) is None


def _is_decade(line: str, reading: Reading) -> bool:
    """1990s, "in her 20s", 90后 and 00后."""
    body, end = reading.body, reading.end
    if not body.isdigit() or len(body) not in {2, 4} or body[-1] not in "05":
        return False
    if reading.unit is None:
        return len(body) == 2 and line.startswith("后", end)
    if reading.unit != "second" or line[end - 1] != "s" or not line[end - 2].isdigit():
        return False
    before = _DECADE_BEFORE.search(line, max(0, reading.start - 6), reading.start)
    return body[-1] == "0" and (len(body) == 4 or before is not None)


def _starts_a_date(line: str, reading: Reading) -> bool:
    """人民币2024年: the figures after a currency's name go with what follows them."""
    return line[reading.end - 1].isdigit() and _DATE_AFTER.match(line, reading.end) is not None


def _is_joined(line: str, start: int) -> bool:
    """Whether the number continues what stands before it: a code, an ordinal, a decimal, "room 302"."""
    before = line[max(0, start - 2) : start]
    if before[-1:] == "+":
        return before[:1].isalnum()
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
            and (body[0] not in _UNITS_ALONE or (len(body) > 1 and _nearly(line, reading.start)))
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
            or (_nearly(line, start) and reading.unit != "°C")
            or reading.low < 0
            or line[start] not in _UNITS_ALONE
            or reading.unit in {"%", "‰"}
        )
    if body == "一" and reading.low == 1 and line[end - 1] in _ARTICLE_UNITS:
        return False
    return not (len(body) == 1 and body in HAN_DIGITS and _is_idiom(line, start, end))


def _nearly(line: str, start: int) -> bool:
    """近百万, 上千人: a scale without a digit stands where it is called a bound; 成千上万 is none."""
    return line[start - 1 : start] in set("近上约超逾") and line[max(0, start - 3) : start] != "成千上"


def _is_idiom(line: str, start: int, end: int) -> bool:
    """五花八门, 五台山: a longer word of the dictionary runs across the number's border."""
    for first in range(max(0, start - 3), start + 1):
        for last in range(max(end, first + 3), first + _LONGEST_IDIOM + 1):
            crossing = first < start or last > end
            if crossing and last <= len(line) and line[last - 1] != "人" and is_word(line[first:last]):
                return True
    return False
