"""Let a cross-encoder read the question beside the first candidates: one more part of the score, or none.

It may be slow or away. Then the order stays as it is, and the answer's `degraded` names `RERANKER`. Whoever calls
mixes the part in: this room knows texts and numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import FloatArray, Reranker
from graphsvc.errors import EncodingError
from graphsvc.models.answer import Candidate
from graphsvc.remote.deadline import Deadline, OutOfTime

RERANKER = "reranker"
# Late interaction has ordered them already; what lies deeper is rarely right, and each passage costs the same again.
MOST_RERANKED = 20
# A model in this process goes on with what nobody waits for any more; no more than this may pile up.
_MOST_RUNNING = 2
# Relevance is compared as log-odds, where a cross-encoder is about linear; 0.0001 is as good as none.
_LEAST_RELEVANCE = 1e-4
# Log-odds within 2 of each other (.5 against .12) are near-equals and are not drawn apart to the whole of [0, 1].
_LEAST_SPAN = 2.0


@dataclass(frozen=True, slots=True)
class Reranked:
    """`parts` float32 `(n,)` in [0, 1] for the first `n` passages, the best 1; empty when the re-ranker gave none."""

    parts: FloatArray
    degraded: tuple[str, ...] = ()


class TimedReranker:
    """A re-ranker that is waited for no longer than `limit_s`; thread-safe."""

    def __init__(self, reranker: Reranker, limit_s: float) -> None:
        self._reranker = reranker
        self._deadline = Deadline(limit_s, most_running=_MOST_RUNNING)

    @property
    def name(self) -> str:
        return self._reranker.name

    def rerank(self, question: str, passages: Sequence[str]) -> Reranked:
        """Read the first `MOST_RERANKED` passages, best first; never raises for a re-ranker that fails or is late."""
        read = tuple(passages[:MOST_RERANKED])
        if len(read) < 2:
            return Reranked(np.zeros(0, np.float32))
        try:
            relevance = self._deadline.run(lambda: self._reranker.score(question, read))
        except (EncodingError, OutOfTime):
            return _NONE
        if relevance.shape != (len(read),) or not np.isfinite(relevance).all():
            return _NONE
        return Reranked(scaled(relevance))

    def close(self) -> None:
        """Let go of the waiting threads."""
        self._deadline.close()


_NONE = Reranked(np.zeros(0, np.float32), degraded=(RERANKER,))


def scaled(relevance: FloatArray) -> FloatArray:
    """Relevance in [0, 1] to parts in [0, 1]: min-max of the log-odds, near-equals kept near."""
    inside = np.clip(relevance.astype(np.float64), _LEAST_RELEVANCE, 1.0 - _LEAST_RELEVANCE)
    odds = np.log(inside) - np.log1p(-inside)
    high = odds.max()
    low = min(odds.min(), high - _LEAST_SPAN)
    parts: FloatArray = ((odds - low) / (high - low)).astype(np.float32)
    return parts


def lifted(
    candidates: Sequence[Candidate], parts: FloatArray, weight: float, name: str = RERANKER
) -> tuple[Candidate, ...]:
    """The candidates with `weight` times their part added, best first, ties by id; without parts as they were.

    Only the first `len(parts)` were read. They were the best before and nothing is taken from them, so none of the
    others comes to stand before them. `name` is what the part goes by among the boosts.
    """
    if not len(parts) or not weight:
        return tuple(candidates)
    read = [_lift(one, weight * float(part), name) for one, part in zip(candidates, parts, strict=False)]
    order = sorted(read, key=lambda one: (-one.score, one.memory.id))
    return (*order, *candidates[len(read) :])


def _lift(candidate: Candidate, added: float, name: str) -> Candidate:
    boosts = candidate.scores.boosts | {name: round(added, 4)}
    scores = candidate.scores.model_copy(update={"boosts": boosts})
    return candidate.model_copy(update={"score": candidate.score + added, "scores": scores})
