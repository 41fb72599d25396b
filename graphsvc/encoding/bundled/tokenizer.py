"""Cut text into the pieces of a Unigram vocabulary: the most probable segmentation, word by word.

Text is composed (NFC), mapped code point by code point, and its spaces become U+2581. No
piece holds that mark anywhere but at its start, so words can be cut one at a time. Special
tokens written in a text stay text.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.encoding.bundled.weights import Vocabulary

MARK = "\u2581"
UNKNOWN_PENALTY = 10.0  # below the least probable piece, as the vocabulary was trained
CACHED_WORDS = 16_384
CACHED_LENGTH = 24  # a spaceless script arrives as one long "word" that never comes twice
# What composes with the character before it though it is no combining mark: vowel signs, finals of Hangul.
_JOINED = re.compile(
    "[\u09be\u09d7\u0b3e\u0b56-\u0b57\u0bbe\u0bd7\u0cc2\u0cd5-\u0cd6\u0d3e\u0d57\u0dcf\u0ddf"
    "\u102e\u1161-\u1175\u11a8-\u11c2\u1b35\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930]"
)


class Tokenizer:
    """Pure and thread-safe."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._pieces = vocabulary.pieces
        self._code_points = {key: text.replace(" ", MARK) for key, text in vocabulary.code_points.items()}
        self._code_points[ord(" ")] = MARK
        self._code_points[0] = ""
        special = {vocabulary.begin, vocabulary.end, vocabulary.pad, vocabulary.unknown}
        special |= {i for i in range(len(self._pieces) - 1, 0, -1) if self._pieces[i] == "<mask>"}
        self._ids = {piece: i for i, piece in enumerate(self._pieces) if i not in special}
        self._scores = array("d", vocabulary.scores.tolist())
        self.begin, self.end = vocabulary.begin, vocabulary.end
        self._unknown = vocabulary.unknown
        least = float(vocabulary.scores.min())
        self._unknown_score = least - UNKNOWN_PENALTY
        self._surprise = -vocabulary.scores
        self._surprise[vocabulary.unknown] = -least
        self._reach: dict[str, int] = {}
        for piece in self._ids:
            if len(piece) > self._reach.get(piece[0], 0):
                self._reach[piece[0]] = len(piece)
        self._cut_cached = lru_cache(maxsize=CACHED_WORDS)(self._cut)

    def normalise(self, text: str) -> str:
        """The text as the vocabulary spells it: mapped, single marks for runs of spaces."""
        mapped = unicodedata.normalize("NFC", text).translate(self._code_points)
        while MARK + MARK in mapped:
            mapped = mapped.replace(MARK + MARK, MARK)
        return mapped

    def encode(self, text: str) -> list[int]:
        """Piece ids of the text, always led by a space, without begin and end; at least one."""
        ids: list[int] = []
        for word in _words(self.normalise(text).removeprefix(MARK)):
            ids.extend(self._cut_cached(word) if len(word) <= CACHED_LENGTH else self._cut(word))
        return ids

    def places(self, text: str, ids: list[int]) -> list[tuple[int, int]]:
        """Which characters of the text each of its pieces came from, `(start, end)`; `ids` is `encode(text)`.

        The mark of a space is not counted as part of the word behind it. Pieces may share a character that the
        code-point map spells with several.
        """
        starts, ends, marks = self._origins(text)
        lengths = [1 if i == self._unknown else len(self._pieces[i]) for i in ids]
        found = []
        for stop, length in zip(accumulate(lengths), lengths, strict=True):
            first = stop - length
            if length > 1 and marks[first]:
                first += 1
            found.append((starts[first], ends[stop - 1]))
        return found

    def _origins(self, text: str) -> tuple[list[int], list[int], list[bool]]:
        """Of each character of the marked text: where what it came from begins and ends, and whether it is a mark."""
        starts, ends, marks = [0], [0], [True]
        for start, end, composed in _composed(text):
            for char in composed.translate(self._code_points):
                is_mark = char == MARK
                if is_mark and marks[-1]:
                    continue
                starts.append(start)
                ends.append(end)
                marks.append(is_mark)
        return starts, ends, marks

    def spell(self, ids: list[int]) -> tuple[str, ...]:
        """The pieces behind the ids; an unknown one is spelt as the vocabulary spells it."""
        return tuple(self._pieces[i] for i in ids)

    def surprise(self, ids: list[int]) -> FloatArray:
        """-log p of each piece in the vocabulary's own training, float32 `(len(ids),)`.

        Pieces without a letter or digit weigh nothing beside others: a statement is not expected to hold the
        question's marks (LoCoMo, two conversations: late interaction alone .707 to .716 recall@10).
        """
        worth = self._surprise[np.asarray(ids, np.int64)]
        words = np.array([any(map(str.isalnum, self._pieces[i])) for i in ids])
        return np.where(words, worth, np.float32(0)) if words.any() else worth

    def _cut(self, word: str) -> tuple[int, ...]:
        """Viterbi over one word; an unknown character costs more than any piece."""
        size = len(word)
        best = [0.0] + [-np.inf] * size
        piece_at = [0] * (size + 1)
        came_from = [0] * (size + 1)
        lookup, scores, reach = self._ids, self._scores, self._reach
        for start in range(size):
            base = best[start]
            for stop in range(start + 1, min(size, start + reach.get(word[start], 0)) + 1):
                piece = lookup.get(word[start:stop])
                if piece is not None and base + scores[piece] > best[stop]:
                    best[stop], piece_at[stop], came_from[stop] = base + scores[piece], piece, start
            if base + self._unknown_score > best[start + 1]:
                best[start + 1], piece_at[start + 1] = base + self._unknown_score, self._unknown
                came_from[start + 1] = start
        ids: list[int] = []
        while size:
            ids.append(piece_at[size])
            size = came_from[size]
        return tuple(reversed(ids))


def _composed(text: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of the text that compose (NFC) apart from each other: start, end and composed form."""
    if unicodedata.is_normalized("NFC", text):
        yield from ((at, at + 1, char) for at, char in enumerate(text))
        return
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (unicodedata.combining(text[at]) or _JOINED.match(text[at])):
            yield start, at, unicodedata.normalize("NFC", text[start:at])
            start = at


def _words(marked: str) -> Iterator[str]:
    for word in marked.split(MARK):
        yield MARK + word
