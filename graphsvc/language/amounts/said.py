"""Amounts as they are said: a dollar fifty, 5'11", a couple of thousand, 俩月, 今年八十了, 1,5 Mio EUR.

Each has a form of its own that leaves no doubt, so it is read before single numbers are. Works on folded
text; every pattern is bounded. A height in feet and inches becomes one value in metres.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.tails import with_unit
from graphsvc.language.amounts.units import SYMBOLS, UNITS
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS, NUMBER_WORDS, parse_numeral, parse_words

_METRES_PER_INCH = 0.0254
_OLDEST = 120
_MONEY = {"dollar": "USD", "buck": "USD", "euro": "EUR", "pound": "GBP", "quid": "GBP"}
_MONEY_WORD = rf"(?P<unit>{'|'.join(_MONEY)})s?"
# Only what may follow a whole price: "ten dollars twenty times" is none.
_PRICE_ENDS = (
    r"(?: cents?)?(?=[ ]?(?:$|[^\w\s'-])|[ ](?:each|per|an?|for|and|or|but|to|in|at|on|from|more|less|now|off)\b)"
)
_PRICE = re.compile(
    rf"(?:(?P<one>(?<![\w'-])(?:an?|one))|(?P<words>{NUMBER_WORDS})|(?<![\w.,'-])(?P<figures>\d{{1,4}}))"
    rf" {_MONEY_WORD} (?:and )?(?P<cents>{NUMBER_WORDS}|[1-9]\d(?!\d)){_PRICE_ENDS}"
)
_ROUND = {"hundred": 1e2, "thousand": 1e3, "grand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0}
_SOME = re.compile(
    rf"(?<![\w'-])(?:(?P<two>(?:a )?couple(?: of)?)|(?:a )?few|several) (?P<scale>{'|'.join(_ROUND)})(?![\w'-])"
)
# Several and a few are read as 几 is: any digit from two to nine.
_FEWEST, _MOST = 2.0, 9.0
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_SMALL = {word: value for value, word in enumerate(_WORDS)}
_FEET = re.compile(
    rf"""(?<![\w.'/-])(?:(?P<feet>\d)'[ ]?(?P<inches>\d{{1,2}})(?:"|''|(?![\d'"]|[ ]?[a-z]{{0,2}}\d))"""
    rf"|(?P<some>\d|{'|'.join(_SMALL)})[ -]?(?:ft|foot|feet)\.?(?:,? |-)"
    rf"(?P<more>\d{{1,2}}|{'|'.join(_SMALL)})"
    r"(?:(?:[ -]?(?:inch(?:es)?|in|ins)\b|[ ]?\")|(?=[ ]?(?:$|[,.;!?)])|[ ](?:tall|and)\b))"
    r")"
)
# The decimal comma of the continent, where the scale is German or the comma parts no three figures.
_COMMA = re.compile(
    rf"(?<![\w.,])(?:(?P<symbol>{'|'.join(map(re.escape, SYMBOLS))})[ ]?)?"
    r"(?:(?P<whole>\d{1,3}(?:\.\d{3})*)(?:,(?P<part>\d{1,3}))?[ ]?(?P<german>mio|mrd|millionen|milliarden)"
    r"|(?P<point>\d{1,4}\.\d{1,2})[ ]?(?P<scale>mio|mrd)"
    r"|(?P<units>\d{1,3}),(?P<tenths>\d{1,2})[ ]?(?P<english>million|billion|mn|bn))(?![a-z])(?:\.(?=[ ]?[a-z€]))?"
)
_COMMA_SCALES = {"mio": 1e6, "millionen": 1e6, "million": 1e6, "mn": 1e6}
# 俩 and 仨 hold their measure word; after a pronoun or kin they only say of how many: 你俩, 哥俩.
_PAIR = re.compile(r"(?P<count>[俩仨])(?:个)?(?P<unit>小时|钟头|星期|礼拜|月|人)?")
_PAIR_UNITS = {"月": "month", "人": "人"}
_PAIRED = frozenset("你我他她它您们咱哥姐弟妹兄娘爷父母子女婆媳夫妻老一")
_HAN_NEXT = re.compile("[\u4e00-\u9fff]")
_AGE = re.compile(
    rf"(?:今年|明年|虚岁|周岁|年近|年过|年满)(?:都|已经|已|就|才|刚|快|满|有|也|该|要|整整|正好|刚好)*"
    rf"(?P<age>[{HAN_DIGITS}{HAN_UNITS}]{{1,5}}|\d{{1,3}})(?=(?P<end>了|多了|出头))"
)
_TURNED = re.compile(
    rf"(?<![\w-])(?:turn(?:s|ed|ing)?|aged) (?P<age>\d{{1,3}}|{NUMBER_WORDS})"
    r"(?=[ ]?(?:$|[,.;!?)])|[ ](?:today|tomorrow|yesterday|last|next|this|in|on|and|or|but|when|now|soon|years old)\b)"
)


def as_said(line: str) -> Iterator[Reading]:
    """The amounts of these forms, in no order."""
    yield from _prices(line)
    yield from _rounded(line)
    yield from _heights(line)
    yield from _with_comma(line)
    yield from _pairs(line)
    yield from _ages(line)


def _prices(line: str) -> Iterator[Reading]:
    """A dollar fifty, two pounds twenty."""
    for found in _PRICE.finditer(line):
        whole = 1.0 if found["one"] else float(found["figures"]) if found["figures"] else parse_words(found["words"])
        cents = _small(found["cents"])
        if whole is not None and cents is not None and 0 < cents < 100:
            yield _certain(found, whole + cents / 100, _MONEY[found["unit"]])


def _rounded(line: str) -> Iterator[Reading]:
    """A couple of thousand dollars, several hundred."""
    for found in _SOME.finditer(line):
        factor = _ROUND[found["scale"]]
        high = None if found["two"] else _MOST * factor
        yield with_unit(line, replace(_certain(found, _FEWEST * factor), high=high, scaled=True))


def _heights(line: str) -> Iterator[Reading]:
    """5'11", 5'11, 6 ft 2, six foot two inches: in metres."""
    for found in _FEET.finditer(line):
        feet, inches = _small(found["feet"] or found["some"]), _small(found["inches"] or found["more"])
        if feet and inches is not None and inches < 12:
            yield _certain(found, (12 * feet + inches) * _METRES_PER_INCH, "m")


def _with_comma(line: str) -> Iterator[Reading]:
    """1,5 Mio EUR, 2,3 Mrd. Euro, 1,5 million."""
    for found in _COMMA.finditer(line):
        if found["point"]:
            value, scale = found["point"], found["scale"]
        elif found["german"]:
            value, scale = f"{found['whole'].replace('.', '')}.{found['part'] or 0}", found["german"]
        else:
            value, scale = f"{found['units']}.{found['tenths']}", found["english"]
        unit = SYMBOLS[found["symbol"]] if found["symbol"] else None
        reading = _certain(found, float(value) * _COMMA_SCALES.get(scale, 1e9), unit)
        yield with_unit(line, replace(reading, scaled=True))


def _pairs(line: str) -> Iterator[Reading]:
    """俩人, 仨月, 俩西瓜."""
    for found in _PAIR.finditer(line):
        unit = found["unit"]
        if unit is None and (
            line[found.start() - 1 : found.start()] in _PAIRED or not _HAN_NEXT.match(line, found.end())
        ):
            continue
        symbol = "个" if unit is None else _PAIR_UNITS.get(unit) or UNITS[unit]
        yield _certain(found, 2.0 if found["count"] == "俩" else 3.0, symbol)


def _ages(line: str) -> Iterator[Reading]:
    """今年八十了, turned forty."""
    for found in (*_AGE.finditer(line), *_TURNED.finditer(line)):
        parsed = parse_numeral(found["age"])
        age = parsed[0] if parsed and parsed[1] is None else parse_words(found["age"])
        if age is not None and 0 < age <= _OLDEST:
            yield Reading(*found.span("age"), found["age"], age, unit="岁", certain=True)


def _small(text: str) -> float | None:
    return float(text) if text.isdigit() else float(_SMALL[text]) if text in _SMALL else parse_words(text)


def _certain(found: re.Match[str], value: float, unit: str | None = None) -> Reading:
    return Reading(found.start(), found.end(), found[0], value, unit=unit, certain=True)
