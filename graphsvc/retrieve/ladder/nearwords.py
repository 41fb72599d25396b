"""The words of a namespace's memories by their spelling and by their sound, so that a slip finds what was meant.

Worked out once per vocabulary and only added to as it grows; how many memories hold a word is always
asked anew, so a word whose last memory is gone is never proposed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from graphsvc.language.hanwords import is_common_word
from graphsvc.retrieve.ladder import sounds
from graphsvc.retrieve.ladder.english import forms
from graphsvc.store.vocabulary import Vocabulary, Words

SHORTEST_SPELT = 4
LONGEST_HAN = 4
_NAMESPACES_KEPT = 16


@dataclass(frozen=True, slots=True)
class Near:
    """A word that is held by `count` memories, `distance` slips away."""

    word: str
    distance: int
    count: int


@dataclass(slots=True)
class _Index:
    edition: Hashable
    read: int = 0
    spelt: dict[tuple[int, str], list[tuple[str, int]]] = field(default_factory=dict)
    heard: dict[sounds.Sound, list[tuple[str, sounds.Sound, int]]] = field(default_factory=dict)

    def extend(self, vocabulary: Vocabulary) -> None:
        for code in range(self.read, len(vocabulary.words)):
            word = vocabulary.words[code]
            if word.isascii():
                for form in (forms(word) or [word]) if word.isalpha() else ():
                    if len(form) >= SHORTEST_SPELT:
                        self.spelt.setdefault((len(form), form[0]), []).append((form, code))
            elif 2 <= len(word) <= LONGEST_HAN and is_common_word(word):
                sound = sounds.sound_of(word)
                self.heard.setdefault(sounds.coarse(sound), []).append((word, sound, code))
        self.read = len(vocabulary.words)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """One namespace's words at one moment."""

    _index: _Index
    _counts: NDArray[np.int64]

    def spelt_like(self, typed: str, *, most: int) -> list[Near]:
        """Latin words at most `most` letters put in, left out, changed or swapped away; of each the nearest form.

        Only words that begin alike, the first two letters swapped at most: slips seldom begin a word.
        """
        best: dict[int, Near] = {}
        for length in range(len(typed) - most, len(typed) + most + 1):
            for first in dict.fromkeys(typed[:2]):
                bucket = self._index.spelt.get((length, first), [])
                written = [form for form, _ in bucket]
                near = process.extract(typed, written, scorer=OSA.distance, score_cutoff=most, limit=None)
                for form, apart, place in near:
                    code = bucket[place][1]
                    begins = first == typed[0] or form[1] == typed[0]
                    if begins and self._count(code) and (code not in best or apart < best[code].distance):
                        best[code] = Near(form, int(apart), self._count(code))
        return list(best.values())

    def sounding_like(self, stretch: str) -> list[Near]:
        """Common words of as many characters that sound the same, or nearly so; in no order."""
        asked = sounds.sound_of(stretch)
        found = []
        for word, sound, code in self._index.heard.get(sounds.coarse(asked), ()):
            apart = sounds.distance(asked, sound)
            if apart is not None and self._count(code):
                found.append(Near(word, apart, self._count(code)))
        return found

    def _count(self, code: int) -> int:
        """0 also for a word that came after this moment: another question may have read further."""
        return int(self._counts[code]) if code < len(self._counts) else 0


class NearWords:
    """Thread-safe; `words` is the store's port."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._lock = threading.Lock()
        self._indexes: OrderedDict[str, _Index] = OrderedDict()

    def known(self, namespace: str, tokens: list[str]) -> dict[str, int]:
        """As the port of words."""
        return self._words.known(namespace, tokens)

    def around(self, namespace: str) -> Neighbourhood:
        """The namespace's words as they are now."""
        vocabulary = self._words.vocabulary(namespace)
        with self._lock:
            index = self._indexes.get(namespace)
            if index is None or index.edition != vocabulary.edition:
                index = self._indexes[namespace] = _Index(vocabulary.edition)
            self._indexes.move_to_end(namespace)
            while len(self._indexes) > _NAMESPACES_KEPT:
                self._indexes.popitem(last=False)
            if index.read < len(vocabulary.words):
                index.extend(vocabulary)
        return Neighbourhood(index, vocabulary.counts)
