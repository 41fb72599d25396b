"""A deterministic encoder without weights, for tests: words and character pairs hashed to vectors.

Texts that share words lie near each other and nothing else is understood.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages, TokenStates
from graphsvc.encoding.late import pack

_WORD = re.compile(r"[\u3400-\u9fff]|\w+")


class HashingEncoder:
    """`dimension` and `state_dimension` are free; without states, give 0."""

    def __init__(self, dimension: int = 64, state_dimension: int = 16) -> None:
        self._fingerprint = Fingerprint("hashing", "words", "1", dimension, state_dimension)

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Unit vectors, and a state a word."""
        vectors = np.zeros((len(texts), self._fingerprint.dimension), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return Passages(vectors, self._all_states(texts))

    def encode_query(self, text: str) -> EncodedQuery:
        """The same as a passage; every word counts alike."""
        if not self._fingerprint.state_dimension:
            return EncodedQuery(self._vector(text))
        states = self._states(text)
        weights = np.full(len(states), 1 / max(len(states), 1), np.float32)
        return EncodedQuery(self._vector(text), states, weights)

    def _all_states(self, texts: Sequence[str]) -> tuple[TokenStates, ...] | None:
        if not self._fingerprint.state_dimension:
            return None
        return tuple(pack(self._states(text)) for text in texts)

    def _vector(self, text: str) -> FloatArray:
        words = _words(text)
        terms = [*words, *(left + right for left, right in pairwise(words))]
        return _unit(np.sum([_direction(term, self._fingerprint.dimension) for term in terms], axis=0))

    def _states(self, text: str) -> FloatArray:
        width = self._fingerprint.state_dimension
        words = _words(text)
        return (
            np.stack([_unit(_direction(word, width)) for word in words]) if words else np.zeros((0, width), np.float32)
        )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold()) or [text]


def _direction(term: str, dimension: int) -> FloatArray:
    seed = int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)


def _unit(vector: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(vector))
    scaled: FloatArray = (vector / length).astype(np.float32) if length else vector
    return scaled
