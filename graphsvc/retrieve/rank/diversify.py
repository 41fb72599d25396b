"""On request, order candidates so that each says something the ones before it did not.

Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): pick next what is relevant and unlike all that was
picked. The best candidate stays first, and what only repeats another word for word goes last.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import FloatArray, TokenStates
from graphsvc.errors import FieldInvalid
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId

# Each pick looks at all that are left.
MOST_DIVERSIFIED = 100
# The nearest of different sentences come close to this; the same words written another way are above it.
_SAME_COSINE = 0.97


def diversified(
    candidates: Sequence[Candidate],
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
    diversity: float,
) -> tuple[Candidate, ...]:
    """The first `MOST_DIVERSIFIED` candidates in the order of `mmr`, the others behind as they were.

    `kept` is what `Store.vectors` gives. Scores stay what they are, so they no longer fall from first to last.
    Raises `FieldInvalid` for a diversity outside [0, 1].
    """
    if not 0.0 <= diversity <= 1.0:
        raise FieldInvalid(f"{diversity!r} is not between 0 and 1", where="diversity")
    head = candidates[:MOST_DIVERSIFIED]
    if not diversity or len(head) < 3:
        return tuple(candidates)
    scores = np.array([one.score for one in head], np.float32)
    alike = cosines([kept[one.memory.id][0] if one.memory.id in kept else None for one in head])
    order = mmr(scores, alike, diversity, texts=[fold_key(one.memory.text) for one in head])
    return (*(head[i] for i in order), *candidates[len(head) :])


def mmr(
    scores: FloatArray, alike: FloatArray, diversity: float, *, texts: Sequence[Hashable] | None = None
) -> list[int]:
    """An order of the candidates, as places in the input; the first stays first, ties go to the earlier place.

    `scores` float32 `(n,)`, `alike` their cosines `(n, n)`, NaN where unknown. Both are scaled to [0, 1] among the
    candidates, since cosines of one encoder lie close together; an unknown likeness counts as the mean. `diversity` 0
    keeps the order, 1 asks for unlikeness alone. Of candidates with one text and a cosine above .97 all but the first
    go last.
    """
    n = len(scores)
    if not diversity or n < 2:
        return list(range(n))
    relevance = _scaled(scores.astype(np.float64))
    likeness = _likeness(alike)
    twins = _twins(alike, texts) if texts is not None else np.zeros(n, np.bool_)
    order = [0]
    nearest = likeness[0].copy()
    left = ~twins
    left[0] = False
    while left.any():
        worth = (1.0 - diversity) * relevance - diversity * nearest
        best = int(np.where(left, worth, -np.inf).argmax())
        order.append(best)
        left[best] = False
        nearest = np.maximum(nearest, likeness[best])
    return [*order, *np.flatnonzero(twins).tolist()]


def cosines(vectors: Sequence[FloatArray | None]) -> FloatArray:
    """Cosines of unit vectors, float32 `(n, n)`; NaN in the rows and columns of those absent."""
    n = len(vectors)
    alike = np.full((n, n), np.nan, np.float32)
    known = [i for i, vector in enumerate(vectors) if vector is not None]
    if known:
        rows = np.stack([vector for vector in vectors if vector is not None])
        alike[np.ix_(known, known)] = rows @ rows.T
    return alike


def _likeness(alike: FloatArray) -> NDArray[np.float64]:
    """Cosines of different candidates scaled to [0, 1]; their mean where unknown."""
    n = len(alike)
    pairs = ~np.eye(n, dtype=np.bool_) & np.isfinite(alike)
    likeness = np.zeros((n, n), np.float64)
    if pairs.any():
        likeness[pairs] = _scaled(alike[pairs].astype(np.float64))
        likeness[~pairs] = likeness[pairs].mean()
    return likeness


def _twins(alike: FloatArray, texts: Sequence[Hashable]) -> NDArray[np.bool_]:
    """Which candidates repeat an earlier one: the same text, and vectors that agree."""
    twins = np.zeros(len(texts), np.bool_)
    firsts: dict[Hashable, list[int]] = {}
    for i, text in enumerate(texts):
        earlier = firsts.setdefault(text, [])
        if any(alike[i, j] > _SAME_COSINE for j in earlier):
            twins[i] = True
        else:
            earlier.append(i)
    return twins


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    span = values.max() - values.min()
    return (values - values.min()) / span if span > 0 else np.zeros_like(values)
