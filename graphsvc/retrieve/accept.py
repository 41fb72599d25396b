"""Decide whether the best candidate may be used: features, a probability, a threshold.

Until a trained calibrator is promoted the explicit fallback rule decides, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration import fallback
from graphsvc.models.answer import Candidate, Decision, Scores
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract import has_value
from ontology.model import ValueKind


def features(scores: Scores, memory: Memory, kind: ValueKind) -> dict[str, float | None]:
    """The features the fallback rule reads, None where a leg did not run."""
    return {
        "late": scores.late,
        "uncovered": scores.uncovered,
        "overlap": scores.overlap,
        "dense": scores.dense,
        "has_value": has_value(memory, kind),
    }


def probability(found: Mapping[str, float | None]) -> float:
    """The fallback rule's number for one candidate."""
    return fallback.probability(found)


def decide(candidates: Sequence[Candidate], kind: ValueKind) -> Decision:
    """Judge the best candidate of a search; with none, the probability is 0."""
    if not candidates:
        return Decision(method=fallback.METHOD, threshold=fallback.THRESHOLD, probability=0.0)
    best = candidates[0]
    return Decision(
        method=fallback.METHOD,
        threshold=fallback.THRESHOLD,
        probability=best.probability,
        features=features(best.scores, best.memory, kind),
    )
