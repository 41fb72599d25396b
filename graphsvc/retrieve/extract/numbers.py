"""Amounts that could answer: those that were read, and the numbers before a noun, which no amount was read from.

A figure inside a name of a product, a code or a word of the dictionary is no number of anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.language.hanwords import is_word, word_class
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.dimensions import Dimension, dimensions_of
from graphsvc.retrieve.extract.figures import measured
from graphsvc.retrieve.extract.slot import Slot, marked, value_at
from graphsvc.retrieve.extract.wanted import Wanted

_RATIO = re.compile(r"(?<![\d/])\d{2,3}/\d{2,3}(?![\d/])")
_TIMES_COUNTED = re.compile(
    r"(?<![\w.,])(\d+|two|three|four|five|six|seven|eight|nine|ten|a dozen|twice"
    r"|once)(?: (times|attempts|tries))?\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w:/-]|\.\d|,\d)")
_SPELT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty)\b(?= [a-z])",
    re.IGNORECASE,
)
_HAN_BARE = re.compile(
    r"(?<![A-Za-z\d.,_-])(?<![第一二三四五六七八九十百千万:])(\d+|[一二两三四五六七八九十]+)(?=[\u4e00-\u9fff])"
)
_SHARE = re.compile(r"一大?半(?!天|年|月|个)|大半(?!天|年)|\bhalf\b(?= (?:of|the))", re.IGNORECASE)
# Nobody lives longer; a larger bare number is no age.
_OLDEST = 130
_MEASURE_AFTER = re.compile(r"\s*(m|km|cm|kg|g|l|ml|lb)\b")


def amounts(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    """Every amount whose unit may measure what is asked; bare numbers where counts or sums are asked for."""
    text = memory.text
    yield from _read(memory, wanted)
    if not wanted.dimensions or Dimension.NUMBER in wanted.dimensions:
        for found in _RATIO.finditer(text):
            yield Slot(value_at(memory, "amount", *found.span()), 0.9)
    if not wanted.dimensions - {Dimension.MONEY, Dimension.PERCENTAGE, Dimension.NUMBER}:
        for found in _SHARE.finditer(text):
            yield Slot(value_at(memory, "amount", *found.span()), 0.5)
    if wanted.dimensions <= {Dimension.COUNT, Dimension.OCCASIONS, Dimension.AGE, Dimension.MONEY}:
        taken = [(amount.start, amount.end) for amount in memory.facts.amounts]
        taken += [(time.start, time.end) for time in memory.facts.times]
        yield from _bare(memory, wanted, taken)


def _read(memory: Memory, wanted: Wanted) -> Iterator[Slot]:
    """The amounts that were read, save those that only belong to a time or a code."""
    text = memory.text
    inside_time = [(time.start, time.end) for time in memory.facts.times]
    for amount in memory.facts.amounts:
        covered = any(a <= amount.start and amount.end <= b for a, b in inside_time)
        if (covered and Dimension.DURATION not in wanted.dimensions) or _in_code(text, amount.start):
            continue
        unit = amount.unit
        end = amount.end
        if unit is None and (unit_after := _MEASURE_AFTER.match(text, end)):
            unit, end = unit_after.group(1), unit_after.end()
        fit = _amount_fit(dimensions_of(unit), wanted.dimensions)
        if unit is None and wanted.noun is not None and not _counts(text, end, wanted.noun):
            fit *= 0.6
        if fit > 0 and _possible(amount.value, unit, wanted.dimensions):
            yield Slot(value_at(memory, "amount", amount.start, end, measured(amount.value, unit)), fit)


def _amount_fit(told: frozenset[Dimension], asked: frozenset[Dimension]) -> float:
    if not asked or Dimension.NUMBER in asked:
        return 0.3 if told == {Dimension.DURATION} else 1.0 if not asked or told & asked else 0.7
    if told & asked:
        return 1.0
    if not told:
        return 0.75 if Dimension.MONEY in asked else 0.6
    return 0.0


def _counts(text: str, end: int, noun: str) -> bool:
    """Whether the counted noun follows within three words."""
    head = noun.rsplit(maxsplit=1)[-1][:4].casefold()
    return head in text[end : end + 28].casefold()


def _bare(memory: Memory, wanted: Wanted, taken: list[tuple[int, int]]) -> Iterator[Slot]:
    """Numbers no amount was read from: 11 koi, 3 pills, 4 times, 3针."""
    occasions = Dimension.OCCASIONS in wanted.dimensions
    busy = marked(memory.text, taken)
    patterns = (_TIMES_COUNTED,) if occasions else (_BARE, _SPELT, _HAN_BARE)
    for pattern in patterns:
        for found in pattern.finditer(memory.text):
            if any(busy[found.start() : found.end()]) or _in_word(found.group(), memory.text, found.start()):
                continue
            if occasions and found.group(2) is None and found.group(1).casefold() not in {"once", "twice"}:
                continue
            counted = wanted.noun is not None and _counts(memory.text, found.end(), wanted.noun)
            yield Slot(value_at(memory, "amount", *found.span()), 1.0 if occasions else 0.85 if counted else 0.35)


def _in_code(text: str, start: int) -> bool:
    """Whether a figure goes on after a letter: the 15 of R15, the 40719 of TX-40719."""
    return re.search(r"[A-Za-z]-?$", text[max(0, start - 2) : start]) is not None and text[start].isdigit()


def _in_word(number: str, text: str, start: int) -> bool:
    """Whether a Han numeral is the head of a word that counts nothing: 一半, 一直, 两边, 一起."""
    if number.isdigit() or number.isascii():
        return False
    end = start + len(number)
    longer = text[start : end + 1]
    return text[end] == "半" or (is_word(longer) and word_class(longer)[:1] not in {"m", "q"})


def _possible(number: float, unit: str | None, asked: frozenset[Dimension]) -> bool:
    return unit is not None or asked != {Dimension.AGE} or number <= _OLDEST
