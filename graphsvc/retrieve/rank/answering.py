"""Whether a candidate answers the question, or is only about the same thing, as a small net reads their token states.

It tells a decision more than any match of words does, and orders nothing: only the first candidates are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from calibration import answers
from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import token_weights, unpack
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId

FEATURE = "answers"
MOST_READ = 10
_FURTHEST = 4.0
# The net was fitted to passages of a few sentences; of longer ones it reads the beginning.
MOST_TOKENS = 128


@cache
def _nets() -> answers.Answers:
    return answers.load()


def answering(
    candidates: Sequence[Candidate],
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
    query: EncodedQuery,
) -> tuple[Candidate, ...]:
    """The same candidates; the first `MOST_READ` with log odds that they answer, within ±4, among their `fit`.

    `kept` is what `Store.vectors` gives. Where there are no states, or states of another length than the nets know,
    nothing is told.
    """
    states = query.states
    if states is None or states.shape[1] != _nets().dimension:
        return tuple(candidates)
    weights = token_weights(query)
    return tuple(
        _told(one, states, weights, kept) if place < MOST_READ else one for place, one in enumerate(candidates)
    )


def _told(
    one: Candidate,
    states: FloatArray,
    weights: FloatArray,
    kept: Mapping[MemoryId, tuple[FloatArray, TokenStates | None]],
) -> Candidate:
    found = kept.get(one.memory.id)
    odds = None if found is None or found[1] is None else odds_of(_nets(), states, weights, found[1])
    if odds is None:
        return one
    fit = {**one.scores.fit, FEATURE: odds}
    return one.model_copy(update={"scores": one.scores.model_copy(update={"fit": fit})})


def odds_of(nets: answers.Answers, states: FloatArray, weights: FloatArray, passage: TokenStates) -> float | None:
    """Log odds within ±4 that a passage answers a question's states `(n, d)`; None for states of another length."""
    if 2 * passage.codes.shape[1] != states.shape[1]:
        return None
    first = TokenStates(passage.codes[:MOST_TOKENS], passage.scales[:MOST_TOKENS])
    odds = float(nets.score(states, weights, [unpack(first)])[0])
    return max(-_FURTHEST, min(_FURTHEST, odds)) if np.isfinite(odds) else None
