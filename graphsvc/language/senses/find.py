"""Find the words of the sense inventory in a text, whole words only and none inside another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from graphsvc.encoding.base import Span
from graphsvc.language.keywords import Reading, is_whole, read
from graphsvc.language.normalise import fold
from ontology.model import Ontology, SenseWord

MOST_FOUND = 1_000  # of one text; what repeats more often is noise, and each costs a record
_LATIN = re.compile("[a-z]")


@dataclass(frozen=True, slots=True)
class Found:
    """A word of the inventory at `start` to `end` of the folded text."""

    start: int
    end: int
    word: SenseWord


class WordFinder:
    """The surfaces of one inventory. Thread-safe."""

    def __init__(self, ontology: Ontology) -> None:
        self._words = {fold(surface).text: word for word in ontology.sense_words for surface in word.surfaces.all}
        han = [surface for surface in self._words if not _LATIN.search(surface)]
        self._latin = _any_of([surface for surface in self._words if _LATIN.search(surface)])
        self._first = re.compile("[" + re.escape("".join(sorted({one[0] for one in han}))) + "]" if han else "(?!)")
        self._lengths = sorted({len(surface) for surface in han}, reverse=True)

    def find(self, reading: Reading) -> list[Found]:
        """The first thousand in the order of the text; where two overlap the longer one stays, of equals the first."""
        latin = (Found(hit.start(), hit.end(), self._words[hit.group()]) for hit in self._latin.finditer(reading.text))
        han = chain.from_iterable(self._in_run(*run) for run in reading.runs)
        found = [*islice(latin, MOST_FOUND), *islice(han, MOST_FOUND)]
        return sorted(found, key=lambda one: one.start)[:MOST_FOUND]

    def first_span(self, text: str, word: SenseWord) -> Span | None:
        """Where the word stands in the text first, in characters of the original; inside another word if need be."""
        folded = fold(text)
        whole = (folded.span(one.start, one.end) for one in self.find(read(text)) if one.word.id == word.id)
        inside = (
            folded.span(folded.text.index(surface), folded.text.index(surface) + len(surface))
            for surface, owner in self._words.items()
            if owner.id == word.id and surface in folded.text
        )
        return next(chain(whole, inside), None)

    def _in_run(self, offset: int, run: str, limits: frozenset[int]) -> list[Found]:
        hits = []
        for first in self._first.finditer(run):
            start = first.start()
            for length in self._lengths:
                word = self._words.get(run[start : start + length])
                if word is not None and start + length <= len(run) and is_whole(start, start + length, limits):
                    hits.append(Found(offset + start, offset + start + length, word))
                    break
            if len(hits) >= MOST_FOUND:
                break
        kept: list[Found] = []
        taken: set[int] = set()
        for one in sorted(hits, key=lambda one: (one.start - one.end, one.start)):
            places = range(one.start, one.end)
            if taken.isdisjoint(places):
                taken.update(places)
                kept.append(one)
        return kept


def _any_of(surfaces: Sequence[str]) -> re.Pattern[str]:
    """Latin words as wholes; a Han character may touch them, an address or a path may not."""
    choices = "|".join(re.escape(surface) for surface in sorted(surfaces, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<![a-z0-9_@/])(?:{choices})(?![a-z0-9_@/])")
