"""Late interaction: compare a question with passages token by token, on states packed to 4 bits.

Each question token takes its best match in the passage; the weighted mean of those is the
score, and the worst-covered tokens tell an unanswerable question from a badly phrased one.
Pure numpy; sixty passages of 25 tokens are one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.products import product
from graphsvc.encoding.base import ByteArray, EncodedQuery, FloatArray, TokenStates
from graphsvc.errors import VectorInvalid

MAX_TOKENS = 512  # a passage keeps the states of its first tokens only
_MIDDLE = np.float32(7.5)  # sixteen levels, symmetric about zero
_WORST = 2  # how many uncovered question tokens count: measured on near-miss questions

# Byte -> its two values, low nibble first.
_PAIRS: FloatArray = np.stack((np.arange(256) & 15, np.arange(256) >> 4), axis=1).astype(np.float32) - _MIDDLE


@dataclass(frozen=True, slots=True)
class LateScores:
    """One row a passage.

    `score` float32 `(n,)`: weighted mean of best matches, a cosine. `uncovered` float32 `(n,)`: the two largest
    `(1 - best match) * weight` summed. `coverage` float32 `(n, tokens)`: the best match of each question token.
    """

    score: FloatArray
    uncovered: FloatArray
    coverage: FloatArray


def pack(states: FloatArray) -> TokenStates:
    """Pack float32 `(tokens, dimension)` into 4 bits a value and one scale a token.

    Keeps the first 512 tokens and each row's length; the dimension must be even.
    """
    if states.ndim != 2 or states.shape[1] % 2:
        raise VectorInvalid(f"token states must be (tokens, an even dimension), not {states.shape}")
    kept = np.asarray(states[:MAX_TOKENS], np.float32)
    if not np.isfinite(kept).all():
        raise VectorInvalid("token states hold NaN or infinity")
    largest = np.abs(kept).max(axis=1, initial=0)
    steps = _MIDDLE / np.where(largest > 0, largest, 1)
    levels = np.clip(np.rint(kept * steps[:, None] + _MIDDLE), 0, 15)
    coded = np.linalg.norm(levels - _MIDDLE, axis=1)
    scales = np.linalg.norm(kept, axis=1) / np.where(coded > 0, coded, 1)
    codes = levels.astype(np.uint8)
    pairs: ByteArray = np.bitwise_or(codes[:, 0::2], np.left_shift(codes[:, 1::2], 4, dtype=np.uint8))
    return TokenStates(pairs, scales.astype(np.float32))


def unpack(states: TokenStates) -> FloatArray:
    """The states as float32 `(tokens, dimension)`, each row as long as it was before packing."""
    values: FloatArray = _PAIRS[states.codes].reshape(len(states), 2 * states.codes.shape[1])
    return values * states.scales[:, None]


def late_scores(query: EncodedQuery, passages: Sequence[TokenStates]) -> LateScores:
    """Score passages against a question; a passage without tokens covers nothing.

    Raises `VectorInvalid` when the question has no states or the dimensions differ.
    """
    return summed(query, best_matches(query, passages))


def best_matches(query: EncodedQuery, passages: Sequence[TokenStates]) -> FloatArray:
    """The best match of each question token in each passage, float32 `(n, tokens)`; 0 in one without tokens.

    Raises `VectorInvalid` as `late_scores` does.
    """
    if query.states is None:
        raise VectorInvalid("the question carries no token states", remedy="use an encoder with token states")
    return _best_matches(query.states, passages)


def summed(query: EncodedQuery, coverage: FloatArray) -> LateScores:
    """The scores of passages that cover each question token this well; `coverage` is `(n, tokens)`."""
    weights = token_weights(query)
    gaps = (1 - coverage) * weights
    worst = np.sort(gaps, axis=1)[:, -_WORST:].sum(axis=1)
    return LateScores(score=coverage @ weights, uncovered=worst.astype(np.float32), coverage=coverage)


def token_weights(query: EncodedQuery) -> FloatArray:
    """How much each token of a question counts, float32 `(tokens,)`, summing to 1; all alike where it does not say.

    An encoder keeps the states of the first tokens of a long question only: the weights of those are shared out anew.
    Raises `VectorInvalid` when the question has no states, or states without a weight.
    """
    if query.states is None:
        raise VectorInvalid("the question carries no token states", remedy="use an encoder with token states")
    tokens = len(query.states)
    if query.weights is None:
        return _alike(tokens)
    if len(query.weights) < tokens:
        raise VectorInvalid(f"a question of {tokens} token states has {len(query.weights)} weights")
    if len(query.weights) == tokens:
        return query.weights
    kept = query.weights[:tokens]
    total = kept.sum()
    return kept / total if total > 0 else _alike(tokens)


def _alike(tokens: int) -> FloatArray:
    return np.full(tokens, 1 / max(tokens, 1), np.float32)


def _best_matches(question: FloatArray, passages: Sequence[TokenStates]) -> FloatArray:
    lengths = np.array([len(passage) for passage in passages], np.int64)
    coverage = np.zeros((len(passages), len(question)), np.float32)
    filled: list[int] = np.flatnonzero(lengths).tolist()
    if not filled or not len(question):
        return coverage
    codes = np.concatenate([passages[i].codes for i in filled])
    scales = np.concatenate([passages[i].scales for i in filled])
    if 2 * codes.shape[1] != question.shape[1]:
        raise VectorInvalid(f"token states of {2 * codes.shape[1]} dimensions met a question of {question.shape[1]}")
    matches = _products(codes, question) * scales[:, None]
    starts = np.concatenate(([0], np.cumsum(lengths[filled])[:-1]))
    best: NDArray[np.float32] = np.maximum.reduceat(matches, starts, axis=0)
    coverage[filled] = best
    return coverage


def _products(codes: ByteArray, question: FloatArray) -> FloatArray:
    """Codes, uint8 `(n, dimension / 2)`, times the question's tokens, `(n, tokens)`, by halves of a byte.

    Looking each byte up takes six times as long as the products themselves.
    """
    low, high = (codes & 15).astype(np.float32), (codes >> 4).astype(np.float32)
    even, odd = np.ascontiguousarray(question[:, 0::2].T), np.ascontiguousarray(question[:, 1::2].T)
    return product(low - _MIDDLE, even) + product(high - _MIDDLE, odd)
