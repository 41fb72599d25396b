"""The words of a namespace's memories by their spelling and by their sound, so that a slip finds what was meant.

Nothing is worked out before a question needs it: words are laid out by their letters or characters at the first slip
of that script, and what forms and sound a word has, where one first comes into question. Words are only added as the
vocabulary grows; how many memories hold a word is always asked anew, so a word whose last memory is gone is never
proposed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import process
from rapidfuzz.distance import OSA

from graphsvc.language.hanwords import is_common_word
from graphsvc.retrieve.ladder import sounds
from graphsvc.retrieve.ladder.english import forms, is_english
from graphsvc.store.vocabulary import Vocabulary, Words

SHORTEST_SPELT = 4
LONGEST_HAN = 4
_NAMESPACES_KEPT = 16
# How much longer a form may be than the token it is indexed under: run, running.
_LONGEST_ENDING = 4


@dataclass(frozen=True, slots=True)
class Near:
    """A word that is held by `count` memories, `distance` slips away."""

    word: str
    distance: int
    count: int


@dataclass(slots=True)
class _Latin:
    """Words of letters by length and first letter; the forms of those asked for, by the same of the form."""

    read: int = 0
    words: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    formed: dict[tuple[int, str], int] = field(default_factory=dict)
    spelt: dict[tuple[int, str], list[tuple[str, int]]] = field(default_factory=dict)

    def extend(self, words: Sequence[str]) -> None:
        for code in range(self.read, len(words)):
            word = words[code]
            if word.isascii() and word.isalpha():
                self.words.setdefault((len(word), word[0]), []).append(code)
        self.read = max(self.read, len(words))

    def like(self, length: int, first: str, words: Sequence[str]) -> list[tuple[str, int]]:
        """The forms of this length and first letter, with the word each is a form of, in the words' order."""
        for shorter in range(max(length - _LONGEST_ENDING, 1), length + 1):
            self._form(shorter, first, words)
        return sorted(self.spelt.get((length, first), ()), key=lambda one: one[1])

    def _form(self, length: int, first: str, words: Sequence[str]) -> None:
        """A form begins as its token does, and is never shorter."""
        codes = self.words.get((length, first), [])
        done = self.formed.get((length, first), 0)
        for code in codes[done:]:
            for form in forms(words[code]) or [words[code]]:
                if len(form) >= SHORTEST_SPELT:
                    self.spelt.setdefault((len(form), form[0]), []).append((form, code))
        self.formed[length, first] = len(codes)


@dataclass(slots=True)
class _Han:
    """Han words by length and by the character at each place; the sound of those that were compared."""

    read: int = 0
    words: dict[tuple[int, int, str], list[int]] = field(default_factory=dict)
    heard: dict[int, sounds.Sound | None] = field(default_factory=dict)

    def extend(self, words: Sequence[str]) -> None:
        for code in range(self.read, len(words)):
            word = words[code]
            if 2 <= len(word) <= LONGEST_HAN and not word.isascii():
                for place, char in enumerate(word):
                    self.words.setdefault((len(word), place, char), []).append(code)
        self.read = max(self.read, len(words))

    def sharing(self, stretch: str) -> Iterator[int]:
        """Words as long as the stretch that have one of its characters at the same place, each once."""
        found = (code for place, char in enumerate(stretch) for code in self.words.get((len(stretch), place, char), ()))
        return iter(dict.fromkeys(found))

    def sound(self, code: int, word: str) -> sounds.Sound | None:
        """How a common word sounds; None for what is none."""
        if code not in self.heard:
            self.heard[code] = sounds.sound_of(word) if is_common_word(word) else None
        return self.heard[code]


@dataclass(slots=True)
class _Index:
    edition: Hashable
    lock: threading.Lock = field(default_factory=threading.Lock)
    latin: _Latin = field(default_factory=_Latin)
    han: _Han = field(default_factory=_Han)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """One namespace's words at one moment."""

    _index: _Index
    _vocabulary: Vocabulary

    def spelt_like(self, typed: str, *, most: int) -> list[Near]:
        """Latin words at most `most` letters put in, left out, changed or swapped away; of each the nearest form.

        Only words that begin alike, the first two letters swapped at most: slips seldom begin a word.
        """
        best: dict[int, Near] = {}
        for length in range(len(typed) - most, len(typed) + most + 1):
            for first in dict.fromkeys(typed[:2]):
                bucket = self._spelt(length, first)
                written = [form for form, _ in bucket]
                near = process.extract(typed, written, scorer=OSA.distance, score_cutoff=most, limit=None)
                for form, apart, place in near:
                    code = bucket[place][1]
                    begins = first == typed[0] or form[1] == typed[0]
                    if begins and self._count(code) and (code not in best or apart < best[code].distance):
                        best[code] = Near(form, int(apart), self._count(code))
        return list(best.values())

    def sounding_like(self, stretch: str) -> list[Near]:
        """Common words of as many characters that share one at its place and sound the same, or nearly so."""
        asked = sounds.sound_of(stretch)
        words = self._vocabulary.words
        found = []
        with self._index.lock:
            self._index.han.extend(words)
            for code in self._index.han.sharing(stretch):
                count = self._count(code)
                sound = self._index.han.sound(code, words[code]) if count else None
                apart = None if sound is None else sounds.distance(asked, sound)
                if apart is not None:
                    found.append(Near(words[code], apart, count))
        return found

    def _spelt(self, length: int, first: str) -> list[tuple[str, int]]:
        words = self._vocabulary.words
        with self._index.lock:
            self._index.latin.extend(words)
            return [one for one in self._index.latin.like(length, first, words) if one[1] < len(words)]

    def _count(self, code: int) -> int:
        """0 also for a word that came after this moment: another question may have read further."""
        counts = self._vocabulary.counts
        return int(counts[code]) if code < len(counts) else 0


class NearWords:
    """Thread-safe; `words` is the store's port."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._lock = threading.Lock()
        self._indexes: OrderedDict[str, _Index] = OrderedDict()

    def warm_up(self) -> None:
        """Load the list of English words, half a second that the first slip would have to wait for."""
        is_english("warm")

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
        return Neighbourhood(index, vocabulary)
