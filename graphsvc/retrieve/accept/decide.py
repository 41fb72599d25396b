"""Decide whether the best candidate may be used: features, a probability, a threshold.

Until a trained calibrator is promoted the explicit fallback rule decides, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration import fallback
from graphsvc.models.answer import Candidate, Decision
from graphsvc.models.question import Question
from graphsvc.retrieve.accept.features import Field
from graphsvc.retrieve.extract.terms import terms_of


def judged(candidates: Sequence[Candidate], question: Question) -> tuple[Candidate, ...]:
    """The same candidates, best first, each with its probability."""
    field = _field(candidates, question)
    return tuple(
        candidate.model_copy(update={"probability": fallback.probability(field.features(place))})
        for place, candidate in enumerate(candidates)
    )


def decide(candidates: Sequence[Candidate], question: Question) -> Decision:
    """Judge the best candidate of a search; with none, the probability is 0."""
    if not candidates:
        return Decision(method=fallback.METHOD, threshold=fallback.THRESHOLD, probability=0.0)
    return Decision(
        method=fallback.METHOD,
        threshold=fallback.THRESHOLD,
        probability=candidates[0].probability,
        features=_field(candidates, question).features(0),
    )


def _field(candidates: Sequence[Candidate], question: Question) -> Field:
    return Field.of(candidates, question, content_words=len(terms_of(question)))
