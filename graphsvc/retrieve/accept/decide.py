"""Decide whether the best candidate may be used: features, a probability, a threshold.

Who decides is settled once for each search and handed in: a calibrator, or the explicit rule, which says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.models.answer import Candidate, Decision
from graphsvc.models.question import Question
from graphsvc.retrieve.accept.features import Field
from graphsvc.retrieve.accept.judge import RULE, Decider
from graphsvc.retrieve.extract.terms import terms_of


def judged(candidates: Sequence[Candidate], question: Question, by: Decider = RULE) -> tuple[Candidate, ...]:
    """The same candidates, best first, each with its probability."""
    field = _field(candidates, question)
    told = by.probabilities([field.features(place) for place in range(len(candidates))])
    return tuple(
        candidate.model_copy(update={"probability": probability})
        for candidate, probability in zip(candidates, told, strict=True)
    )


def decide(candidates: Sequence[Candidate], question: Question, by: Decider = RULE) -> Decision:
    """Judge the best candidate of a search; with none, the probability is 0."""
    return Decision(
        method=by.method,
        threshold=by.threshold(question.query_type),
        probability=candidates[0].probability if candidates else 0.0,
        features=_field(candidates, question).features(0) if candidates else {},
        target_error=by.target_error,
    )


def _field(candidates: Sequence[Candidate], question: Question) -> Field:
    return Field.of(candidates, question, content_words=len(terms_of(question)))
