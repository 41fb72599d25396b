"""Order candidates so that the first of them cover the question together.

"Which came first, the flood or the election?" needs a memory of each; by score alone ten of one may come
first. Each place after the first goes to the candidate of most score and of most that the places above left
uncovered, after the maximal marginal relevance of Carbonell and Goldstein (1998), counted on question tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import best_matches, token_weights
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId

# Places are filled from so many candidates, which is where a part's own memory mostly stands.
MOST_COVERING = 60
# The first places, which are all that most callers read.
COVERED = 10
# The name of what a place above its score gave a candidate.
BOOST = "cover"
_STEP = 1e-4
_LEAST_SPAN = np.float32(1e-3)
# A middling match covers nothing: the share of the way from worst to best match is raised to this power.
_SHARPNESS = 4


def covered(
    candidates: Sequence[Candidate],
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
    query: EncodedQuery,
    *,
    gain: float,
    places: int,
) -> tuple[Candidate, ...]:
    """The best `MOST_COVERING` candidates in the order of `covering`, the others behind as they were.

    `kept` is what `Store.vectors` gives. What comes above its score is raised to its place.
    """
    head = candidates[:MOST_COVERING]
    states = [kept[one.memory.id][1] if one.memory.id in kept else None for one in head]
    rows = [row for row, one in enumerate(states) if one is not None]
    if query.states is None or len(rows) < 2:
        return tuple(candidates)
    known = best_matches(query, [one for one in states if one is not None])
    coverage = np.tile(known.min(axis=0), (len(head), 1))  # one without states covers no more than the worst
    coverage[rows] = known
    scores = np.array([one.score for one in head], np.float32)
    order = covering(scores, coverage, token_weights(query), gain=gain, places=places)
    return (*in_this_order([head[row] for row in order]), *candidates[len(head) :])


def in_this_order(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Candidates with scores that fall in the order given: one that stands too high for its own is raised to its place.

    What it gains stands among its boosts, so that its parts still add up.
    """
    placed: list[Candidate] = []
    for one in reversed(candidates):
        below = placed[-1] if placed else one
        placed.append(_raised(one, below.score + _STEP - one.score) if _order(one) > _order(below) else one)
    return tuple(reversed(placed))


def _order(candidate: Candidate) -> tuple[float, str]:
    return -candidate.score, candidate.memory.id


def _raised(candidate: Candidate, gained: float) -> Candidate:
    boosts = candidate.scores.boosts
    scores = candidate.scores.model_copy(update={"boosts": boosts | {BOOST: boosts.get(BOOST, 0.0) + gained}})
    return candidate.model_copy(update={"score": candidate.score + gained, "scores": scores})


def covering(scores: FloatArray, coverage: FloatArray, weights: FloatArray, *, gain: float, places: int) -> list[int]:
    """Rows best first: `places` chosen for score plus `gain` times new coverage, the others by score; ties by row.

    The row of most score stays first: whether it answers is what a decision looks at.

    `scores` is `(n,)`, `coverage` `(n, tokens)` and `weights` `(tokens,)`. A token is covered in [0, 1] by where its
    match stands between the candidates' worst and best, sharpened; it counts its weight times how far these are apart.
    """
    ordered: list[int] = np.argsort(-scores, kind="stable").tolist()
    if not ordered or not coverage.shape[1]:
        return ordered
    least = coverage.min(axis=0)
    span = np.maximum(coverage.max(axis=0) - least, _LEAST_SPAN)
    told = ((coverage - least) / span) ** _SHARPNESS
    counts = weights * span / max(float((weights * span).sum()), float(_LEAST_SPAN))
    held = np.zeros(coverage.shape[1], np.float32)
    left: NDArray[np.float32] = scores.astype(np.float32)
    chosen: list[int] = []
    for place in range(min(places, len(ordered))):
        worth = left + gain * (np.maximum(told - held, 0) @ counts) if place else left
        best = int(np.argmax(worth))
        chosen.append(best)
        left[best] = -np.inf
        held = np.maximum(held, told[best])
    taken = set(chosen)
    return chosen + [row for row in ordered if row not in taken]
