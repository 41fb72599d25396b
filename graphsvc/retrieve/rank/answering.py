"""Whether a candidate answers the question, or is only about the same thing, as small nets read their token states.

It tells a decision more than any match of words does, and orders the first candidates a little: only these are read,
in the states of the encoder's middle layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import structlog

from calibration import answers
from graphsvc.encoding.base import READ_TOKENS, DepthEncoder, EncodedQuery, Encoder, FloatArray
from graphsvc.encoding.late import token_weights
from graphsvc.language.passage import passage_of
from graphsvc.models.answer import Candidate
from graphsvc.retrieve.rank.rerank import lifted

FEATURE = "answers"
MOST_READ = 5
_FURTHEST = 4.0


@cache
def nets() -> answers.Answers | None:
    """Those that came with the package; None, and a line in the log, where they are damaged or gone."""
    try:
        return answers.load()
    except (answers.WeightsDamaged, OSError) as error:
        structlog.get_logger().warning("nets_unreadable", where=str(answers.WEIGHTS), reason=str(error))
        return None


def answering(
    candidates: Sequence[Candidate], encoder: Encoder, text: str, query: EncodedQuery
) -> tuple[Candidate, ...]:
    """The same candidates; the first `MOST_READ` with log odds that they answer, within ±4, among their `fit`.

    `query` is what the question's `text` was encoded to. What was read before is not read again. Of an encoder without
    depths, or with others than the nets know, nothing is told.
    """
    unread = [one.memory for one in candidates[:MOST_READ] if FEATURE not in one.scores.fit]
    if not unread:
        return tuple(candidates)
    told = odds_of(nets(), encoder, text, query, [passage_of(one) for one in unread])
    odds = {one.id: value for one, value in zip(unread, told, strict=True) if value is not None}
    return tuple(_with(one, odds[one.memory.id]) if one.memory.id in odds else one for one in candidates)


def preferred(candidates: Sequence[Candidate], weight: float) -> tuple[Candidate, ...]:
    """The first `MOST_READ` again by score, `weight` times their probability of answering added; unread, as before."""
    odds = [one.scores.fit.get(FEATURE) for one in candidates[:MOST_READ]]
    read = [value for value in odds if value is not None]
    if len(read) < len(odds):
        return tuple(candidates)
    likely: FloatArray = (1 / (1 + np.exp(-np.array(read)))).astype(np.float32)
    return lifted(candidates, likely, weight, FEATURE)


def _with(one: Candidate, odds: float) -> Candidate:
    fit = {**one.scores.fit, FEATURE: odds}
    return one.model_copy(update={"scores": one.scores.model_copy(update={"fit": fit})})


def odds_of(
    by: answers.Answers | None, encoder: Encoder, text: str, query: EncodedQuery, passages: Sequence[str]
) -> list[float | None]:
    """Log odds within ±4 that each passage answers a question; None where there are no nets that can read it."""
    if by is None or query.states is None or not isinstance(encoder, DepthEncoder):
        return [None] * len(passages)
    if encoder.depth_dimension != by.dimension:
        return [None] * len(passages)
    asked, weights = encoder.question_depths(text), token_weights(query)[:READ_TOKENS]
    told = by.score(asked, weights, encoder.passage_depths(passages))
    return [_within(odds) for odds in told.tolist()]


def _within(odds: float) -> float | None:
    return max(-_FURTHEST, min(_FURTHEST, odds)) if np.isfinite(odds) else None
