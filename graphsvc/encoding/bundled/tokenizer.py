"""Cut text into the pieces of a Unigram vocabulary: the most probable segmentation, word by word.

Text is composed (NFC), mapped code point by code point, and its spaces become U+2581. No
piece holds that mark anywhere but at its start, so words can be cut one at a time. Special
tokens written in a text stay text.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.encoding.bundled.weights import Vocabulary

MARK = "\u2581"
UNKNOWN_PENALTY = 10.0  # below the least probable piece, as the vocabulary was trained
CACHED_WORDS = 16_384
CACHED_LENGTH = 24  # a spaceless script arrives as one long "word" that never comes twice


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


def _words(marked: str) -> Iterator[str]:
    for word in marked.split(MARK):
        yield MARK + word
