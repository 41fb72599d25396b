"""Sum up a long text in sentences of its own that hold every number, time, name and code it holds.

The first sentence stays, then those that bring the most values for their length until none is missing: the greedy
answer to weighted set cover, within a logarithm of the least (V. Chvátal, 1979). Nothing is worded anew, so nothing
can be said that the text does not say. A text so dense that hardly a sentence can go gets no summary.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from graphsvc.language.normalise import fold, fold_key
from graphsvc.language.sentences import sentences
from graphsvc.models.facts import Facts

LEAST_CHARS = 400
MOST_SHARE = 0.8
_FIGURES = re.compile(r"\d+(?:[.,:/\-]\d+)*")

Value = tuple[str, str]


class Summariser(Protocol):
    """Sums up a text in some of its own sentences; none where it is short, or no shorter for it."""

    def summarise(self, text: str, facts: Facts) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Passages:
    """A text as sentences, and which values each holds; sentences that share a value's span are one."""

    text: str
    spans: tuple[tuple[int, int], ...]
    held: tuple[frozenset[Value], ...]

    @classmethod
    def of(cls, text: str, facts: Facts) -> Passages:
        found = list(_values(text, facts))
        spans = _joined(sentences(text), [(start, end) for start, end, _ in found])
        starts = [start for start, _ in spans]
        held: list[set[Value]] = [set() for _ in spans]
        for start, _, value in found:
            held[max(bisect_right(starts, start) - 1, 0)].add(value)
        return cls(text, tuple(spans), tuple(frozenset(one) for one in held))

    @property
    def values(self) -> frozenset[Value]:
        return frozenset[Value]().union(*self.held)

    def covered(self, chosen: Iterable[int]) -> frozenset[Value]:
        return frozenset[Value]().union(*(self.held[one] for one in chosen))

    def completed(self, first: Sequence[int]) -> list[int]:
        """`first` and the sentences that bring what they lack, none that could go again; in order of the text."""
        chosen = list(dict.fromkeys(first))
        lacking = self.values - self.covered(chosen)
        while lacking:
            best = max(range(len(self.spans)), key=lambda one: (self._gain(one, lacking), -one))
            chosen.append(best)
            lacking -= self.held[best]
        for one in sorted(set(chosen) - set(first), key=lambda one: (-self._length(one), one)):
            if self.covered(set(chosen) - {one}) >= self.values:
                chosen.remove(one)
        return sorted(chosen)

    def worded(self, chosen: Sequence[int]) -> str | None:
        """The chosen sentences, neighbours as they stand in the text, others a line each; none where too long."""
        parts: list[tuple[int, int]] = []
        for place, one in enumerate(chosen):
            start, end = self.spans[one]
            if place and chosen[place - 1] == one - 1:
                start = parts.pop()[0]
            parts.append((start, end))
        summary = "\n".join(self.text[start:end] for start, end in parts)
        return summary if summary and len(summary) < MOST_SHARE * len(self.text) else None

    def _length(self, one: int) -> int:
        start, end = self.spans[one]
        return end - start

    def _gain(self, one: int, lacking: frozenset[Value]) -> float:
        return len(self.held[one] & lacking) / self._length(one)


@dataclass(frozen=True, slots=True)
class RuleSummariser:
    """Texts of up to `least_chars` characters need no summary."""

    least_chars: int = LEAST_CHARS

    def summarise(self, text: str, facts: Facts) -> str | None:
        """Always the same for the same; linear in sentences times those chosen."""
        if len(text) <= self.least_chars:
            return None
        passages = Passages.of(text, facts)
        return passages.worded(passages.completed([0])) if passages.spans else None


def _values(text: str, facts: Facts) -> Iterator[tuple[int, int, Value]]:
    """Each value with its span: what was read of the text, and every figure whether it was read or not."""
    for amount in facts.amounts:
        yield amount.start, amount.end, ("amount", f"{amount.value!r}|{amount.high!r}|{amount.unit}")
    for time in facts.times:
        yield time.start, time.end, ("time", fold_key(time.text))
    for mention in facts.mentions:
        yield mention.start, mention.end, ("name", mention.key)
    folded = fold(text)
    for found in _FIGURES.finditer(folded.text):
        start, end = folded.span(found.start(), found.end())
        yield start, end, ("figure", found.group())


def _joined(spans: Sequence[tuple[int, int]], values: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences, those that a value runs across joined into one."""
    starts = [start for start, _ in spans]
    inside: set[int] = set()
    for start, end in values:
        inside.update(range(bisect_right(starts, start) + 1, bisect_right(starts, end - 1) + 1))
    joined: list[tuple[int, int]] = []
    for place, (start, end) in enumerate(spans, 1):
        if place in inside and joined:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
