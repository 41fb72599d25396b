"""Members of classes that differ by a number or a place in a row: months, weekdays, years, ordinals, sizes, models.

"R20" asked for where only "R15" stands, 5月 where 6月 stands, "second day" where 第一天 stands: another one of the
same sort. Figures and words of both languages meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_HAN_DIGITS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_MONTHS_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ORDINALS_EN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FIGURE = r"(?:\d{1,2}|十[一二]?|[一二三四五六七八九])"
_MONTH_ZH = re.compile(rf"(?<![\d个.第])(?P<n>{_FIGURE})月(?!饼)")
_MONTH_EN = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b",
    re.IGNORECASE,
)
_WEEKDAY_ZH = re.compile(r"(?:周|星期|礼拜)(?P<n>[一二三四五六日天])")
_WEEKDAY_EN = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,])(?P<n>(?:19|20)\d\d)(?=年|(?![\d.,]\d)(?!\s*(?:元|块|公斤|kg|套|个|人))\b)")
_ORDINAL_ZH = re.compile(rf"第(?P<n>{_FIGURE})(?P<of>[天次个年周期批轮季章节名号场版台])?")
_ORDINAL_EN = re.compile(
    rf"\b(?P<word>{'|'.join(_ORDINALS_EN)})\s+(?!(?:of all|time i|thing)\b)(?P<of>[a-z]+)"
    r"|\b(?P<n>\d{1,2})(?:st|nd|rd|th)\s+(?!(?:of\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(?P<thing>[a-z]+)",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"(?<![A-Za-z0-9'’])(?P<n>XXL|XL|XS|S|M|L)(?:码|号|\s+size|-sized)|\bsize\s+(?P<m>XXL|XL|XS|S|M|L|\d{1,2})\b"
)
_MODEL = re.compile(
    r"(?<![A-Za-z0-9_.@/-])(?P<kind>[A-Z]{1,6})(?P<dash>[- ]?)(?P<n>\d{1,6}[A-Za-z]?)(?![A-Za-z0-9_@]|[.:]\d)"
)
# What a figure after capitals is no model of: an hour, a currency.
_NO_MODEL = frozenset({"AM", "PM", "USD", "EUR", "RMB", "CNY", "GBP", "HKD", "JPY", "AUD", "Q"})


@dataclass(frozen=True, slots=True)
class Member:
    """One member at `start:end`; members of one `kind` with another `name` exclude each other.

    `of` is what an ordinal counts, where it is said.
    """

    kind: str
    name: str
    start: int
    end: int
    of: str = ""


@lru_cache(maxsize=4096)
def members(text: str) -> tuple[Member, ...]:
    """Every member of a numbered class that a text names, in no particular order."""
    return tuple(_members(text))


def _members(text: str) -> Iterator[Member]:
    for found in _MONTH_ZH.finditer(text):
        yield Member("month", str(_number(found["n"])), *found.span())
    for found in _MONTH_EN.finditer(text):
        yield Member("month", str(_MONTHS_EN.index(found.group()[:3].casefold()) + 1), *found.span())
    for found in _WEEKDAY_ZH.finditer(text):
        yield Member("weekday", str("一二三四五六日".index(found["n"].replace("天", "日")) + 1), *found.span())
    for found in _WEEKDAY_EN.finditer(text):
        yield Member("weekday", str(_DAYS_EN.index(found.group()[:3].casefold()) + 1), *found.span())
    for found in _YEAR.finditer(text):
        yield Member("year", found["n"], *found.span())
    for found in _ORDINAL_ZH.finditer(text):
        yield Member("ordinal", str(_number(found["n"])), *found.span(), of=found["of"] or "")
    for found in _ORDINAL_EN.finditer(text):
        word = found["word"]
        number = str(_ORDINALS_EN.index(word.casefold()) + 1) if word else found["n"]
        yield Member("ordinal", number, *found.span("word" if word else "n"), of=found["of"] or found["thing"])
    for found in _SIZE.finditer(text):
        yield Member("size", (found["n"] or found["m"]).casefold(), *found.span())
    for found in _MODEL.finditer(text):
        if found["kind"] not in _NO_MODEL:
            yield Member(f"model {found['kind']}", found["n"].casefold(), *found.span())


def _number(figure: str) -> int:
    if figure.isdigit():
        return int(figure)
    if figure.startswith("十"):
        return 10 + _HAN_DIGITS.get(figure[1:], 0)
    return _HAN_DIGITS[figure]


# How surely another member is another thing; a month or weekday may only be when something was said.
_SURE = {"month": 0.6, "weekday": 0.6}
# The month belongs to the noun after it: 5月营业额, May turnover, turnover for May.
_ATTRIBUTE = re.compile(
    r"\s*(?:份|的)?\s*(?![\s,，。?？]|的时候|时|底|初|中旬|\d|[在到去就才])(?=[\u4e00-\u9fffA-Za-z])"
)
_NO_NOUN = re.compile(r"\s*(?:的时候|(?:did|do|does|is|are|was|were|will|what|who|when|how|where)\b)", re.IGNORECASE)
_OF_IT = re.compile(r"\b(?:for|of)\s+$", re.IGNORECASE)
_OPEN_END = re.compile(r"(?:从|自|打)\s*$|\b(?:since|from)\s+(?:\d{1,2}\s+)?$", re.IGNORECASE)


def another(question: str, text: str, region: tuple[int, int], value: tuple[int, int] | None) -> float:
    """How surely a text tells of another member than the question names, in [0, 1].

    `region` is where the value's matter stands: the question's own member elsewhere in the text speaks for it less
    surely. Members inside the value are what is asked for and no contrast.
    """
    worst = 0.0
    asked = members(question)
    for own in asked:
        if any(other.kind == own.kind and other.name != own.name for other in asked):
            continue
        told = [
            one
            for one in members(text)
            if one.kind == own.kind
            and _same_thing(own.of, one.of)
            and not (value is not None and value[0] < one.end and one.start < value[1])
            and _OPEN_END.search(text, 0, one.start) is None
        ]
        near = [one for one in told if region[0] <= one.start < region[1]]
        if any(one.name == own.name for one in (near or told)) or not told:
            continue
        sure = 1.0 if own.kind not in _SURE or _attribute(question, own) else _SURE[own.kind]
        worst = max(worst, 0.8 * sure if any(one.name == own.name for one in told) else sure)
    return worst


def _same_thing(asked: str, told: str) -> bool:
    """Ordinals of two things do not exclude each other; of two languages nothing can be told."""
    if not asked or not told or asked.isascii() != told.isascii():
        return True
    return asked[:4].casefold() == told[:4].casefold()


def _attribute(question: str, member: Member) -> bool:
    if _OF_IT.search(question, 0, member.start):
        return True
    return _ATTRIBUTE.match(question, member.end) is not None and _NO_NOUN.match(question, member.end) is None
