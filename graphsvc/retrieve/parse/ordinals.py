"""Which of several, as a question or a memory says it: the second day, 第二天, the first quarter, 第三批.

Two that count the same thing and differ are two things: what was sold on the first day says nothing of the second.
"""

from __future__ import annotations

import re

from graphsvc.language.numerals import integer

_HAN = re.compile(
    r"第(?P<number>\d{1,4}|[一二两三四五六七八九十百]{1,5})(?P<of>个?[天日周月年季期批次轮届回场版章节条款名位台个])"
)
_LATIN = re.compile(
    r"\b(?P<number>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,3}(?:st|nd|rd|th)) "
    r"(?P<of>day|night|week|month|year|quarter|time|round|batch|draft|version|offer|visit|lesson|attempt|instalment)\b",
    re.IGNORECASE,
)
_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
# The same unit in both languages, so that a question in one tells apart a memory in the other.
_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "月": "month",
    "年": "year",
    "季": "quarter",
    "次": "time",
    "回": "time",
}
_UNITS |= {"轮": "round", "批": "batch", "版": "version"}


def ordinals(text: str) -> dict[str, frozenset[int]]:
    """The numbers a text gives of each unit it counts: {"day": {2}}."""
    found: dict[str, set[int]] = {}
    for one in (*_HAN.finditer(text), *_LATIN.finditer(text)):
        words, of = one["number"].casefold(), one["of"].removeprefix("个") or "个"
        number = _number(words)
        if number is not None:
            found.setdefault(_UNITS.get(of, of.casefold()), set()).add(number)
    return {unit: frozenset(numbers) for unit, numbers in found.items()}


def another(question: str, memory: str) -> bool:
    """Whether a memory speaks of another one of what the question counts, and not of that which it asks for."""
    asked, told = ordinals(question), ordinals(memory)
    return any(unit in told and not numbers & told[unit] for unit, numbers in asked.items())


def _number(words: str) -> int | None:
    if words in _WORDS:
        return _WORDS.index(words) + 1
    figures = re.match(r"\d+", words)
    return int(figures[0]) if figures else integer(words)
