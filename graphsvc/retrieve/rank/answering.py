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
    there = {one.memory.id: kept.get(one.memory.id, (None, None))[1] for one in candidates[:MOST_READ]}
    read = {name: passage for name, passage in there.items() if passage is not None}
    told = dict(zip(read, odds_of(_nets(), states, token_weights(query), list(read.values())), strict=True))
    return tuple(_with(one, told.get(one.memory.id)) for one in candidates)


def _with(one: Candidate, odds: float | None) -> Candidate:
    if odds is None:
        return one
    fit = {**one.scores.fit, FEATURE: odds}
    return one.model_copy(update={"scores": one.scores.model_copy(update={"fit": fit})})


def odds_of(
    nets: answers.Answers, states: FloatArray, weights: FloatArray, passages: Sequence[TokenStates]
) -> list[float | None]:
    """Log odds within ±4 that each passage answers a question's states `(n, d)`; None for states of another length."""
    alike = [2 * one.codes.shape[1] == states.shape[1] for one in passages]
    first = [
        unpack(TokenStates(one.codes[:MOST_TOKENS], one.scales[:MOST_TOKENS]))
        for one, fits in zip(passages, alike, strict=True)
        if fits
    ]
    told = iter(nets.score(states, weights, first).tolist())
    return [_within(next(told)) if fits else None for fits in alike]


def _within(odds: float) -> float | None:
    return max(-_FURTHEST, min(_FURTHEST, odds)) if np.isfinite(odds) else None
