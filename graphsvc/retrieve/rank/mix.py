"""Rank what the funnel left: vectors, words, and token states, each scaled inside the candidates.

The pool is the best of the two first legs; late interaction re-reads its top. Raw parts are
kept beside the mixed score, because a min-max score means nothing outside its own search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import late_scores
from graphsvc.models.answer import Leg
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.retrieve.config import MixWeights
from graphsvc.retrieve.rank.overlap import overlap
from graphsvc.store.base import Hit, Selection, Store
from graphsvc.store.filters import eq

ALL_LEGS = frozenset(Leg)
# How many of the words' best hits say how far the question's words reach.
_COVERAGE_FROM = 3
# A language's own mean is trusted half when it has this many candidates.
_LANGUAGE_PRIOR = 10.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate's raw parts and mixed score in [0, 1]."""

    id: MemoryId
    language: Language
    score: float
    dense: float | None = None
    lexical: float | None = None
    late: float | None = None
    uncovered: float | None = None


@dataclass(frozen=True, slots=True)
class RankRequest:
    """What to rank by; `min_similarity` is a floor on the cosine."""

    query: EncodedQuery
    tokens: tuple[str, ...]
    legs: frozenset[Leg] = ALL_LEGS
    min_similarity: float | None = None


def rank(store: Store, namespace: str, selection: Selection, request: RankRequest, weights: MixWeights) -> list[Ranked]:
    """The selection's candidates, best first; ties order by id."""
    return score(store, namespace, gather(store, namespace, selection, request, weights), request, weights)


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates before scoring: each one's language, and BM25 of those the words found.

    `covered` in [0, 1] is the share of the question's words that the best of them hold: where
    words hardly overlap, their order says little and counts little.
    """

    ids: tuple[MemoryId, ...]
    languages: Mapping[MemoryId, Language]
    lexical: Mapping[MemoryId, float] = field(default_factory=dict)
    covered: float = 0.0


def gather(store: Store, namespace: str, selection: Selection, request: RankRequest, weights: MixWeights) -> Pool:
    """The union of the two legs' best."""
    near: list[Hit] = []
    if Leg.DENSE in request.legs:
        near = _nearest(store, namespace, selection, request.query.vector, weights.leg_size)
    words: list[Hit] = []
    if Leg.LEXICAL in request.legs:
        words = store.match(selection, request.tokens, weights.leg_size)
    first = store.get(namespace, [hit.id for hit in words[:_COVERAGE_FROM]])
    covered = max((overlap(memory.text, request.tokens) or 0.0 for memory in first), default=0.0)
    languages = {hit.id: hit.language for hit in (*near, *words)}
    return Pool(tuple(languages), languages, {hit.id: hit.score for hit in words}, covered)


def _nearest(store: Store, namespace: str, selection: Selection, vector: FloatArray, k: int) -> list[Hit]:
    """The k nearest of each language: cosines of two languages do not compare."""
    hits = []
    for language in Language:
        spoken = store.select(namespace, eq("language", language.value), within=selection)
        hits += store.nearest(spoken, vector, k) if spoken.count else []
    return hits


def score(store: Store, namespace: str, pool: Pool, request: RankRequest, weights: MixWeights) -> list[Ranked]:
    """Score a pool by every leg that is asked for; best first, ties by id."""
    ids = pool.ids
    if not ids:
        return []
    kept = store.vectors(namespace, ids)
    dense = _cosines(ids, kept, request)
    lexical = np.array([pool.lexical.get(i, 0.0) for i in ids], dtype=np.float32)
    if request.min_similarity is not None:
        floor = np.nan_to_num(dense, nan=-2.0) >= request.min_similarity
        ids = tuple(i for i, keep in zip(ids, floor, strict=True) if keep)
        dense, lexical = dense[floor], lexical[floor]
    tongues = [pool.languages[i] for i in ids]
    near = _scaled(_level(dense, tongues), least=weights.dense_span)
    words = _scaled(lexical, floor=0.0) * pool.covered
    late, uncovered = _late(ids, kept, request, weights, first=near + words)
    read = _scaled(_level(late, tongues), least=weights.late_span)
    parts = [(weights.dense, near), (weights.lexical, words), (weights.late, read)]
    total = sum(weight for weight, part in parts if part.any()) or 1.0
    mixed = sum((weight * part for weight, part in parts), np.zeros(len(ids), dtype=np.float32)) / total
    ranked = [
        Ranked(
            id=i,
            language=pool.languages[i],
            score=float(mixed[row]),
            dense=_number(dense[row]),
            lexical=_number(lexical[row]) if Leg.LEXICAL in request.legs else None,
            late=_number(late[row]),
            uncovered=_number(uncovered[row]),
        )
        for row, i in enumerate(ids)
    ]
    return sorted(ranked, key=lambda one: (-one.score, one.id))


def _cosines(
    ids: Sequence[MemoryId],
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
    request: RankRequest,
) -> FloatArray:
    """Cosines of the candidates that have a vector; NaN where they have none or the leg is off."""
    cosines = np.full(len(ids), np.nan, dtype=np.float32)
    if Leg.DENSE in request.legs:
        rows = [row for row, i in enumerate(ids) if i in kept]
        if rows:
            cosines[rows] = np.stack([kept[ids[row]][0] for row in rows]) @ request.query.vector
    return cosines


def _late(
    ids: Sequence[MemoryId],
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
    request: RankRequest,
    weights: MixWeights,
    *,
    first: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Late-interaction score and worst-covered tokens of the pool's top; NaN where there are no states."""
    late = np.full(len(ids), np.nan, dtype=np.float32)
    uncovered = np.full(len(ids), np.nan, dtype=np.float32)
    if Leg.LATE not in request.legs or request.query.states is None:
        return late, uncovered
    top = np.argsort(-first, kind="stable")[: weights.late_size]
    found = [(int(row), kept[ids[row]][1]) for row in top if ids[row] in kept]
    rows = [row for row, states in found if states is not None]
    if rows:
        scores = late_scores(request.query, [states for _, states in found if states is not None])
        late[rows] = scores.score
        uncovered[rows] = scores.uncovered
    return late, uncovered


def _level(values: FloatArray, languages: Sequence[Language]) -> FloatArray:
    """Shift each language's scores to the common mean, the less the fewer they are.

    An encoder places languages in regions of their own, so that any passage in the question's
    language looks nearer than the best one in another.
    """
    known = np.isfinite(values)
    if not known.any():
        return values
    levelled = values.copy()
    common = float(values[known].mean())
    for language in set(languages):
        own = known & np.array([one is language for one in languages])
        if own.any():
            trust = own.sum() / (own.sum() + _LANGUAGE_PRIOR)
            levelled[own] -= trust * (float(values[own].mean()) - common)
    return levelled


def _scaled(values: FloatArray, *, floor: float | None = None, least: float = 0.0) -> FloatArray:
    """Min-max to [0, 1] over what is known; what is unknown counts as the least.

    Values closer together than `least` are not drawn apart: the lowest of them stays above 0.
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return np.zeros_like(values)
    high = float(known.max())
    low = min(float(known.min()), high - least) if floor is None else floor
    span = high - low
    if span <= 0:
        return np.where(np.isfinite(values), 1.0 if floor is None else 0.0, 0.0).astype(np.float32)
    scaled: FloatArray = np.nan_to_num((values - low) / span, nan=0.0).astype(np.float32)
    return scaled


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
