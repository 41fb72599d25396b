"""Plain rankings of the same texts, to hold the product against: BM25, vectors, and their mix.

BM25 is Okapi's with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza, *The Probabilistic Relevance
Framework*, 2009) over the product's own tokens, stop words left out of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.language.segment import index_tokens, query_tokens

METHODS = ("bm25", "dense", "mix")
K1 = 1.2
B = 0.75


class Baselines:
    """Ranks a fixed list of texts; `ids` names them."""

    def __init__(self, texts: Sequence[str], encoder: Encoder, ids: Sequence[str]) -> None:
        self._ids = list(ids)
        self._encoder = encoder
        self._vectors = encoder.encode_passages(texts).vectors
        counts = [Counter(index_tokens(text)) for text in texts]
        self._lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        self._postings: dict[str, tuple[list[int], list[int]]] = {}
        for row, count in enumerate(counts):
            for token, times in count.items():
                rows, frequencies = self._postings.setdefault(token, ([], []))
                rows.append(row)
                frequencies.append(times)

    def rank(self, question: str, method: str, allowed: Collection[str] | None = None) -> list[str]:
        """Ids best first by one of `METHODS`, among the allowed; ties keep the texts' order."""
        keep = [row for row, i in enumerate(self._ids) if allowed is None or i in allowed]
        if not keep:
            return []
        scores = self._scores(question, method, np.array(keep))
        return [self._ids[keep[place]] for place in np.argsort(-scores, kind="stable")]

    def _scores(self, question: str, method: str, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray:
        if method == "bm25":
            return self._bm25(question)[rows]
        dense: FloatArray = (self._vectors @ self._encoder.encode_query(question).vector)[rows]
        if method == "dense":
            return dense
        if method == "mix":
            return _min_max(dense) + _min_max(self._bm25(question)[rows])
        raise ValueError(f"{method!r} is none of {METHODS}")

    def _bm25(self, question: str) -> FloatArray:
        scores = np.zeros(len(self._ids), dtype=np.float32)
        norms = K1 * (1 - B + B * self._lengths / max(float(self._lengths.mean()), 1.0))
        for token in query_tokens(question):
            rows, frequencies = self._postings.get(token, ([], []))
            if rows:
                found = np.array(rows)
                times = np.array(frequencies, dtype=np.float32)
                idf = np.log1p((len(self._ids) - len(rows) + 0.5) / (len(rows) + 0.5))
                scores[found] += idf * times * (K1 + 1) / (times + norms[found])
        return scores


def _min_max(values: FloatArray) -> FloatArray:
    span = float(values.max() - values.min())
    scaled: FloatArray = (values - values.min()) / span if span > 0 else np.zeros_like(values)
    return scaled
