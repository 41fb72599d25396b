"""What a word is in its sentence: the mean of the token states it was read with, and of those around it.

The states are those a passage or a question already came with, so a word's vector costs no
further pass of the network, only the knowledge of which characters each token stands for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import FloatArray, Span, TokenStates
from graphsvc.encoding.late import unpack

IntArray = NDArray[np.int64]
# The neighbourhood's share and reach in tokens: on half of CoarseWSD-20's words, 8 shots, with the sentence's vector,
# .896 without neighbours, .898 with them evenly weighted, .906 weighted by how little expected each piece is.
_AROUND = 0.7
_REACH = 3.0


def pool_words(
    states: TokenStates | FloatArray, places: Sequence[Span], spans: Sequence[Span], *, weights: FloatArray
) -> FloatArray:
    """float32 `(spans, 2 * state_dimension)`, unit length: the span's own mean, then that of its neighbours.

    `places` says which characters each token came from, in order, `weights` what each counts as a neighbour; tokens
    beyond those with a state are ignored. A row is zero where no token with a state covers the span.
    """
    rows = unpack(states) if isinstance(states, TokenStates) else states
    known = np.asarray(places[: len(rows)], np.int64).reshape(-1, 2)
    wanted = np.asarray(spans, np.int64).reshape(-1, 2)
    # Places may touch or share characters but never run backwards, so both columns are sorted.
    first = np.searchsorted(known[:, 1], wanted[:, 0], side="right")
    stop = np.searchsorted(known[:, 0], wanted[:, 1], side="left")
    ranges, owner = np.unique(np.stack([first, stop], axis=1), axis=0, return_inverse=True)
    pooled = _pool(rows[: len(known)], ranges, weights[: len(known)])
    return pooled[owner.reshape(-1)]


def _pool(rows: FloatArray, ranges: IntArray, weights: FloatArray) -> FloatArray:
    at = np.arange(len(rows))
    first, stop = ranges[:, :1], ranges[:, 1:]
    inside = (at >= first) & (at < stop)
    distance = np.where(at < first, first - at, at - stop + 1)
    around = np.where(inside, 0.0, weights * np.exp(-distance / _REACH))
    own = _unit(inside.astype(np.float32) @ rows)
    near = _AROUND * _unit(around.astype(np.float32) @ rows)
    return _unit(np.where(own.any(axis=1, keepdims=True), np.concatenate([own, near], axis=1), np.float32(0)))


def _unit(rows: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatArray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
