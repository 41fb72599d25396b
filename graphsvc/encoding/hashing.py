"""A deterministic encoder without weights, for tests: texts that share words come out alike.

Words and their character trigrams (single characters and pairs for Chinese) are hashed to
signed directions and summed. It knows no meaning, only spelling.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages
from graphsvc.encoding.late import MAX_TOKENS, pack

_TOKENS = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|[^\w\s]")
_WHOLE_WORD = 2.0  # a shared word says more than a shared trigram


class HashingEncoder:
    """Thread-safe; the same text gives the same bits on every machine."""

    def __init__(self, dimension: int = 256, state_dimension: int = 32) -> None:
        if dimension < 1 or state_dimension < 0 or state_dimension % 2:
            raise ValueError("dimension must be positive, and state_dimension even or 0")
        self._fingerprint = Fingerprint("hashing", "words-trigrams", "1", dimension, state_dimension)

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Vectors and, unless `state_dimension` is 0, packed token states."""
        vectors = np.zeros((len(texts), self._fingerprint.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self._vector(_tokens(text))
        if not self._fingerprint.state_dimension:
            return Passages(vectors)
        return Passages(vectors, tuple(pack(self._states(_tokens(text))) for text in texts))

    def encode_query(self, text: str) -> EncodedQuery:
        """The same vector a passage would get; every token weighs the same."""
        tokens = _tokens(text)
        if not self._fingerprint.state_dimension:
            return EncodedQuery(self._vector(tokens))
        weights = np.full(len(tokens), 1 / len(tokens), np.float32)
        return EncodedQuery(self._vector(tokens), self._states(tokens), weights, tuple(tokens))

    def _vector(self, tokens: Sequence[str]) -> FloatArray:
        total = np.zeros(self._fingerprint.dimension, np.float32)
        for feature, weight in _features(tokens):
            digest = int.from_bytes(hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest())
            total[(digest >> 1) % len(total)] += weight if digest & 1 else -weight
        if not total.any():  # every feature met its opposite
            total[0] = 1
        unit: FloatArray = total / np.linalg.norm(total)
        return unit

    def _states(self, tokens: Sequence[str]) -> FloatArray:
        rows = [self._state(token) for token in tokens[:MAX_TOKENS]]
        return np.stack(rows)

    def _state(self, token: str) -> FloatArray:
        size = self._fingerprint.state_dimension
        total = np.zeros(size, np.float32)
        for feature, weight in _features([token]):
            digest = hashlib.shake_128(feature.encode("utf-8", "replace")).digest(size)
            total += np.float32(weight) * (np.frombuffer(digest, np.uint8).astype(np.float32) - np.float32(127.5))
        unit: FloatArray = total / np.linalg.norm(total)
        return unit


def _tokens(text: str) -> list[str]:
    """Words, Chinese characters and marks; one empty token for a text without any."""
    return _TOKENS.findall(unicodedata.normalize("NFKC", text).casefold()) or [""]


def _features(tokens: Sequence[str]) -> Iterator[tuple[str, float]]:
    for token in tokens:
        yield token, _WHOLE_WORD
        padded = f"<{token}>"
        if len(padded) > 3:
            yield from ((padded[i : i + 3], 1.0) for i in range(len(padded) - 2))
    for first, second in pairwise(tokens):
        if len(first) == len(second) == 1:
            yield first + second, 1.0
