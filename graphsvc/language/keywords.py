"""Find the words of a closed list in a text, in both languages, and say where they stand.

A Han keyword must begin or end where a word of the text does, one of a single character must be
a word; a Latin one must be whole words, whose English endings do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.language.hanwords import cut
from graphsvc.language.normalise import HAN, fold
from graphsvc.language.segment import index_tokens
from ontology.model import Words

_HAN_RUN = re.compile(f"[{HAN}]+")
_LATIN = re.compile(rf"[^\W_{HAN}]+(?:['+#&-][^\W_{HAN}]+)*")
_HAS_HAN = re.compile(f"[{HAN}]")
_LONGEST_PHRASE = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A folded text as keywords are looked up in it: Han runs with their word limits, Latin words by stem."""

    text: str
    runs: tuple[tuple[int, str, frozenset[int]], ...]
    stems: tuple[str, ...]


def read(text: str) -> Reading:
    """Fold and cut a text once, for any number of lists."""
    folded = fold(text).text
    runs = []
    for run in _HAN_RUN.finditer(folded):
        limits, at = {0}, 0
        for word in cut(run.group()):
            at += len(word)
            limits.add(at)
        runs.append((run.start(), run.group(), frozenset(limits)))
    stems = tuple(_stem(word.group()) for word in _LATIN.finditer(folded))
    return Reading(folded, tuple(runs), stems)


def is_whole(start: int, end: int, limits: frozenset[int]) -> bool:
    """Whether a stretch of a Han run is a word or begins or ends like one."""
    if end - start == 1:
        return start in limits and end in limits
    return start in limits or end in limits


class KeywordIndex:
    """Keywords of many owners; a keyword of several owners counts for each by its share."""

    def __init__(self, owners: Mapping[str, Words]) -> None:
        self._owners: dict[str, list[str]] = {}
        for owner, words in owners.items():
            for key in dict.fromkeys(_key(word) for word in words.all):
                self._owners.setdefault(key, []).append(owner)
        self._mixed = [key for key in self._owners if not key.isascii() and not _HAN_RUN.fullmatch(key)]
        self._lengths = sorted({len(key) for key in self._owners if _HAS_HAN.search(key)}, reverse=True)

    def hits(self, reading: Reading) -> dict[str, float]:
        """By owner, how many different keywords of his occur; nothing for owners without any."""
        found: dict[str, float] = {}
        for key in set(self._found(reading)):
            owners = self._owners[key]
            for owner in owners:
                found[owner] = found.get(owner, 0.0) + 1.0 / len(owners)
        return found

    def _found(self, reading: Reading) -> Iterator[str]:
        for _, run, limits in reading.runs:
            yield from self._han(run, limits)
        # Keywords of both scripts, such as 4s店, lie across the runs.
        yield from (key for key in self._mixed if key in reading.text)
        for length in range(1, _LONGEST_PHRASE + 1):
            for start in range(len(reading.stems) - length + 1):
                phrase = " ".join(reading.stems[start : start + length])
                if phrase in self._owners:
                    yield phrase

    def _han(self, run: str, limits: frozenset[int]) -> Iterator[str]:
        """The longest keywords first; one inside a longer one is not counted again."""
        taken: set[int] = set()
        for length in self._lengths:
            for start in range(len(run) - length + 1):
                end = start + length
                key = run[start:end]
                if key in self._owners and is_whole(start, end, limits) and taken.isdisjoint(range(start, end)):
                    taken.update(range(start, end))
                    yield key


def _key(keyword: str) -> str:
    folded = fold(keyword).text.strip()
    if _HAS_HAN.search(folded):
        return folded
    return " ".join(_stem(word.group()) for word in _LATIN.finditer(folded)) or folded


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    tokens = index_tokens(word)
    return tokens[0] if tokens else word
