"""Exact nearest neighbours inside a selection, and the best k of any scores.

The matrix is scanned in float32; what could be among the best is scored again in float64, so
equal vectors tie exactly and every cosine is right to 1e-7.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.store.sqlite.columns import Positions
from graphsvc.store.sqlite.partition import View
from graphsvc.store.sqlite.words import Floats

# Rounding of 384 float32 products stays far below this.
_SCAN_ERROR = 1e-5
# From this share on, scanning all rows costs less than gathering the selected ones.
_GATHER_SHARE = 3
_BLOCK = 8192


def nearest(view: View, positions: Positions | None, query: FloatArray, k: int) -> tuple[Positions, Floats]:
    """Positions of the k highest cosines and the cosines, best first; a query without direction finds none."""
    exact = query.astype(np.float64)
    length = float(np.sqrt(exact @ exact))
    if k <= 0 or not np.isfinite(length) or length == 0.0:
        return np.empty(0, np.int64), np.empty(0)
    exact /= length
    candidates = _scorable(view, positions)
    if len(candidates) > max(k, _BLOCK):
        candidates = _scan(view, candidates, exact.astype(np.float32), k)
    scores = np.concatenate(
        [np.empty(0), *(_cosines(view, candidates[i : i + _BLOCK], exact) for i in range(0, len(candidates), _BLOCK))]
    )
    best = best_of(scores, candidates, view.ids, k)
    return candidates[best], scores[best]


def _scorable(view: View, positions: Positions | None) -> Positions:
    if positions is None:
        return np.flatnonzero(view.scorable)
    return positions[view.scorable[positions]]


def _scan(view: View, candidates: Positions, query: FloatArray, k: int) -> Positions:
    """Those candidates that rounding leaves in reach of the best k."""
    if len(candidates) * _GATHER_SHARE > view.count:
        scores = (view.matrix @ query)[candidates]
    else:
        scores = view.matrix[candidates] @ query
    least = np.partition(scores, len(scores) - k)[len(scores) - k]
    within_reach: Positions = candidates[scores >= least - _SCAN_ERROR]
    return within_reach


def _cosines(view: View, positions: Positions, query: Floats) -> Floats:
    cosines: Floats = (view.matrix[positions].astype(np.float64) * query).sum(axis=1)
    return np.clip(np.round(cosines, 9), -1.0, 1.0)


def best_of(scores: Floats, positions: Positions, ids: Sequence[str], k: int) -> Positions:
    """Indices of the k highest scores, best first, ties by id."""
    if k <= 0 or not len(scores):
        return np.empty(0, np.int64)
    if len(scores) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = np.flatnonzero(scores > least)
        tied = np.flatnonzero(scores == least)
        if len(above) + len(tied) > k:
            tied = np.array(
                heapq.nsmallest(k - len(above), tied.tolist(), key=lambda i: ids[int(positions[i])]), dtype=np.int64
            )
        kept = np.concatenate([above, tied])
    else:
        kept = np.arange(len(scores), dtype=np.int64)
    order = sorted(kept.tolist(), key=lambda i: (-scores[i], ids[int(positions[i])]))
    return np.array(order, dtype=np.int64)
