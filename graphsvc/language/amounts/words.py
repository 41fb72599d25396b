"""Amounts that are not led by a number in figures: fractions, half an hour, English numerals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.scale import with_scale
from graphsvc.language.amounts.tails import with_unit
from graphsvc.language.amounts.units import UNITS
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS, parse_words

_HALF_ALONE = re.compile(
    rf"(?<![{HAN_DIGITS}{HAN_UNITS}\d个上下前后])半(个小时|小时|天|年|个月|个钟头|斤|公斤|吨|米)(?![前后以之])"
)
_HALF_AN = re.compile(r"(?<![\w-])half an? (hour|day|year|month|mile|ton|kilo|minute)(?![\w-]| ago)")
_SLASHED = re.compile(r"(?<![\d/.])(\d{1,2})/(\d{1,3})(?=[ ]of\b|的)")
_PARTS = {
    "half": 2,
    "halve": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7, "nine": 9}
# "A third party" and "for three quarters" are no fractions: what is parted is named, or the plural leaves no doubt.
_SPOKEN = re.compile(
    rf"(?<![\w'-])(?P<count>{'|'.join(_COUNTS)})[ -](?:(?P<part>third|fifth|sixth|eighth|tenth)s"
    rf"|(?P<of>{'|'.join(_PARTS)})s?(?=[ ]of\b))(?![\w-])"
)
_VULGAR = re.compile(r"(?<![\d/])(\d{1,4})?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞])")
_ONE_DAY = re.compile(r"[ ](?:i|you|he|she|it|we|they|soon|when|maybe)\b")
_ARTICLE_UNITS = frozenset({"分", "件"})


def fractions(line: str) -> Iterator[Reading]:
    """1/3 of, two thirds, 1½ hours, 半小时: shares and halves, in no order."""
    for half in (*_HALF_ALONE.finditer(line), *_HALF_AN.finditer(line)):
        yield Reading(half.start(), half.end(), "半", 0.5, unit=UNITS[half[1]], certain=True)
    for found in _SLASHED.finditer(line):
        part, whole = int(found[1]), int(found[2])
        if 0 < part < whole:
            yield Reading(found.start(), found.end(), found[0], part / whole, certain=True)
    for found in _SPOKEN.finditer(line):
        share = _COUNTS[found["count"]] / _PARTS[found["part"] or found["of"]]
        if share < 1:
            yield Reading(found.start(), found.end(), found[0], share, certain=True)
    for found in _VULGAR.finditer(line):
        value = float(found[1] or 0) + unicodedata.numeric(found[2])
        yield with_unit(line, Reading(found.start(), found.end(), found[0], value, certain=True))


def read_words(line: str, match: re.Match[str]) -> Reading | None:
    """An English numeral; a small one counts only beside a unit."""
    low = parse_words(match["words"])
    if low is None:
        return None
    first = Reading(match.start(), match.end(), match["words"], low, scaled=low >= 12)
    reading = with_unit(line, with_scale(line, replace(first, end=match.end())))
    if reading.body == "one" and _is_article(line, reading):
        return None
    return reading if reading.scaled or reading.unit else None


def _is_article(line: str, reading: Reading) -> bool:
    """One day I will: some day; "one point" and "one item" are said of what follows."""
    if reading.unit in _ARTICLE_UNITS:
        return True
    if reading.unit != "day" or reading.low != 1:
        return False
    before = line[max(0, reading.start - 3) : reading.start].rstrip(" ")
    opens = not before[-1:].strip(".,;!?\n")
    return opens or _ONE_DAY.match(line, reading.end) is not None
