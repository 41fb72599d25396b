"""Decide whether the best candidate may be used: features, a probability, a threshold.

Until a trained calibrator is promoted the explicit fallback rule decides, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration import fallback
from graphsvc.models.answer import Candidate, Decision
from graphsvc.models.facts import Attitude, HolderAgreement, Language
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.values import has_value
from ontology.model import ValueKind

_OPPOSITE = {Attitude.LIKE: Attitude.DISLIKE, Attitude.DISLIKE: Attitude.LIKE}


def judged(candidates: Sequence[Candidate], question: Question, kind: ValueKind) -> tuple[Candidate, ...]:
    """The same candidates, best first, each with its probability."""
    return tuple(
        candidate.model_copy(update={"probability": fallback.probability(_features(candidates, place, question, kind))})
        for place, candidate in enumerate(candidates)
    )


def decide(candidates: Sequence[Candidate], question: Question, kind: ValueKind) -> Decision:
    """Judge the best candidate of a search; with none, the probability is 0."""
    if not candidates:
        return Decision(method=fallback.METHOD, threshold=fallback.THRESHOLD, probability=0.0)
    return Decision(
        method=fallback.METHOD,
        threshold=fallback.THRESHOLD,
        probability=candidates[0].probability,
        features=_features(candidates, 0, question, kind),
    )


def _features(
    candidates: Sequence[Candidate], place: int, question: Question, kind: ValueKind
) -> dict[str, float | None]:
    """What the fallback rule reads of one candidate, None where a leg did not run."""
    candidate = candidates[place]
    others = candidates[1:2] if place == 0 else candidates[:1]
    there = has_value(candidate.memory, kind)
    return {
        "late": candidate.scores.late,
        "gap": candidate.score - others[0].score if others else None,
        "missing_value": None if there is None else 1.0 - there,
        "missing_identifier": _missing_identifier(candidate, question),
        "other_holder": float(candidate.scores.holder is HolderAgreement.DIFFERENT),
        "other_attitude": other_attitude(candidate.memory, question),
        "cross_language": float({question.language, candidate.memory.language} == {Language.ZH, Language.EN}),
    }


def other_attitude(memory: Memory, question: Question) -> float:
    """1 when the question asks what somebody likes and the memory tells of dislikes alone, or the other way round."""
    told = {claim.attitude for claim in memory.facts.claims}
    opposite = _OPPOSITE.get(question.attitude)
    return float(opposite in told and question.attitude not in told)


def _missing_identifier(candidate: Candidate, question: Question) -> float:
    """1 when the question names identifiers and the memory holds none of them: ids are never nearly right."""
    if not question.identifiers:
        return 0.0
    there = {mention.key for mention in candidate.memory.facts.mentions}
    return float(not there & set(question.identifiers))
