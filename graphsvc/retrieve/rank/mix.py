"""Mix what the funnel left: vectors, words, and token states, each scaled inside the candidates.

Raw parts are kept beside the mixed score, because a min-max score means nothing outside its own search. What a
turn leaves out and its talk says is counted apart, for the signals to weigh.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import FloatArray, TokenStates
from graphsvc.encoding.late import late_scores, token_weights
from graphsvc.models.answer import Leg
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.retrieve.config import MixWeights
from graphsvc.retrieve.rank.neighbours import read_together
from graphsvc.retrieve.rank.pool import Pool, RankRequest
from graphsvc.store.base import Store

_LEGS = (Leg.DENSE, Leg.LEXICAL, Leg.LATE)
# A language's own mean is trusted half when it has this many candidates.
_LANGUAGE_PRIOR = 10.0
Mask = NDArray[np.bool_]
Kept = Mapping[MemoryId, tuple[FloatArray, TokenStates | None]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate's raw parts and mixed score in [0, 1].

    `scaled` are the parts as they were mixed, `talk` how much better its talk covers the question than it does alone,
    in [0, 1]; `lent` is what edges brought it beside.
    """

    id: MemoryId
    language: Language
    score: float
    dense: float | None = None
    lexical: float | None = None
    late: float | None = None
    uncovered: float | None = None
    scaled: Mapping[Leg, float] = field(default_factory=dict)
    talk: float = 0.0
    lent: float = 0.0


@dataclass(frozen=True, slots=True)
class _Read:
    """What late interaction saw of each candidate; NaN where there are no states.

    `late` and `uncovered` are of the candidate alone; `beside` reads the turns next to it with it, `joint` its talk.
    """

    late: FloatArray
    uncovered: FloatArray
    beside: FloatArray
    joint: FloatArray


def score(store: Store, namespace: str, pool: Pool, request: RankRequest, weights: MixWeights) -> list[Ranked]:
    """Score a pool by every leg that is asked for; best first, ties by id."""
    ids = tuple(pool.memories)
    if not ids:
        return []
    kept = store.vectors(namespace, ids)
    dense = _cosines(ids, kept, request)
    if request.min_similarity is not None:
        floor = np.nan_to_num(dense, nan=-2.0) >= request.min_similarity
        ids, dense = tuple(i for i, keep in zip(ids, floor, strict=True) if keep), dense[floor]
    if not ids:
        return []
    found = np.array([i not in pool.along for i in ids])
    tongues = [pool.memories[i].language for i in ids]
    lexical = np.array([pool.lexical.get(i, 0.0) for i in ids], dtype=np.float32)
    read = _read(ids, kept, pool, request, weights)
    parts = {
        Leg.DENSE: _scaled(_level(dense, tongues, found), found, least=weights.dense_span),
        Leg.LEXICAL: _scaled(lexical, found, floor=0.0) * pool.covered,
        Leg.LATE: _scaled(_level(read.beside, tongues, found), found, least=weights.late_span),
    }
    mixed = _mixed(parts, weights)
    talk = np.clip(np.nan_to_num(read.joint - read.beside) / weights.late_span, 0.0, 1.0)
    # One pass from numpy to Python a column: a look-up of each single number costs more than the number.
    shares = list(zip(*(part.tolist() for part in parts.values()), strict=True))
    late, uncovered, near = _numbers(read.late), _numbers(read.uncovered), _numbers(dense)
    counted = _numbers(lexical) if Leg.LEXICAL in request.legs else [None] * len(ids)
    totals, lent = mixed.tolist(), talk.tolist()
    ranked = [
        Ranked(
            id=i,
            language=tongues[row],
            score=totals[row],
            dense=near[row],
            lexical=counted[row],
            late=late[row],
            uncovered=uncovered[row],
            scaled=dict(zip(parts, shares[row], strict=True)),
            talk=lent[row],
        )
        for row, i in enumerate(ids)
    ]
    return sorted(ranked, key=lambda one: (-one.score, one.id))


def _mixed(parts: Mapping[Leg, FloatArray], weights: MixWeights) -> FloatArray:
    """The weighted mean of the legs that told anything."""
    counts = {Leg.DENSE: weights.dense, Leg.LEXICAL: weights.lexical, Leg.LATE: weights.late}
    total = sum(counts[leg] for leg, part in parts.items() if part.any()) or 1.0
    mixed: FloatArray = np.sum([counts[leg] * parts[leg] for leg in _LEGS], axis=0) / total
    return mixed


def _cosines(ids: Sequence[MemoryId], kept: Kept, request: RankRequest) -> FloatArray:
    """Cosines of the candidates that have a vector; NaN where they have none or the leg is off."""
    cosines = np.full(len(ids), np.nan, dtype=np.float32)
    if Leg.DENSE in request.legs:
        rows = [row for row, i in enumerate(ids) if i in kept]
        if rows:
            cosines[rows] = np.stack([kept[ids[row]][0] for row in rows]) @ request.query.vector
    return cosines


def _read(ids: Sequence[MemoryId], kept: Kept, pool: Pool, request: RankRequest, weights: MixWeights) -> _Read:
    """Late interaction over the pool's first `late_size` and the turns that came along."""
    blank = np.full(len(ids), np.nan, dtype=np.float32)
    read = _Read(blank, blank.copy(), blank.copy(), blank.copy())
    if Leg.LATE not in request.legs or request.query.states is None:
        return read
    states = {row: kept[i][1] for row, i in enumerate(ids[: weights.late_size]) if i in kept}
    known = {row: one for row, one in states.items() if one is not None}
    if not known:
        return read
    rows = list(known)
    alone = late_scores(request.query, list(known.values()))
    read.late[rows], read.uncovered[rows] = alone.score, alone.uncovered
    scores = read_together(request.query, {ids[row]: one for row, one in known.items()}, pool.turns, own=alone.coverage)
    read.beside[rows] = scores.score
    talks = [pool.memories[ids[row]].conversation_id for row in rows]
    read.joint[rows] = _with_talk(scores.coverage, talks, weights.talk_keeps) @ token_weights(request.query)
    return read


def _with_talk(coverage: FloatArray, talks: Sequence[str | None], keeps: float) -> FloatArray:
    """Each row beside the best of its talk: what the others cover counts `keeps` of what it would in the row itself."""
    joint = coverage.copy()
    rows_of: dict[str, list[int]] = {}
    for row, talk in enumerate(talks):
        if talk is not None:
            rows_of.setdefault(talk, []).append(row)
    alone = [rows[0] for rows in rows_of.values() if len(rows) == 1]
    joint[alone] = np.maximum(coverage[alone], keeps * coverage[alone])
    for rows in rows_of.values():
        if len(rows) > 1:
            joint[rows] = np.maximum(coverage[rows], keeps * coverage[rows].max(axis=0))
    return joint


def _level(values: FloatArray, languages: Sequence[Language], found: Mask) -> FloatArray:
    """Shift each language's scores to the common mean of what was found, the less the fewer they are.

    An encoder places languages in regions of their own, so that any passage in the question's
    language looks nearer than the best one in another.
    """
    known = np.isfinite(values) & found
    if not known.any():
        return values
    levelled = values.copy()
    common = float(values[known].mean())
    for language in set(languages):
        spoken = np.array([one is language for one in languages])
        own = known & spoken
        if own.any():
            trust = own.sum() / (own.sum() + _LANGUAGE_PRIOR)
            levelled[spoken] -= trust * (float(values[own].mean()) - common)
    return levelled


def _scaled(values: FloatArray, found: Mask, *, floor: float | None = None, least: float = 0.0) -> FloatArray:
    """Min-max to [0, 1] over what was found; the unknown counts as the least, what came along keeps in bounds.

    Values closer together than `least` are not drawn apart: the lowest of them stays above 0.
    """
    known = values[np.isfinite(values) & found]
    if not known.size:
        return np.zeros_like(values)
    high = float(known.max())
    low = min(float(known.min()), high - least) if floor is None else floor
    span = high - low
    if span <= 0:
        return np.where(np.isfinite(values), 1.0 if floor is None else 0.0, 0.0).astype(np.float32)
    scaled: FloatArray = np.clip(np.nan_to_num((values - low) / span, nan=0.0), 0.0, 1.0).astype(np.float32)
    return scaled


def _numbers(values: FloatArray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values.tolist()]
