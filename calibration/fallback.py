"""The rule that decides while no trained calibrator is promoted.

A logistic sum of four named features with written weights: an explicit rule, not a calibrated
probability, and every answer that rests on it says so. It never returns exactly 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

METHOD = "fallback-rule"


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights per feature unit; a feature that is unknown counts as its neutral value."""

    bias: float
    late: float
    uncovered: float
    overlap: float
    dense: float
    has_value: float


# Written on the bundled demo story, then left: see docs/decisions/0006-ranking.md.
WEIGHTS = Weights(bias=-3.2, late=9.0, uncovered=-4.0, overlap=1.6, dense=0.0, has_value=0.9)
NEUTRAL = {"late": 0.45, "uncovered": 0.25, "overlap": 0.3, "dense": 0.8, "has_value": 0.5}
THRESHOLD = 0.5


def probability(features: Mapping[str, float | None]) -> float:
    """A number in (0, 1) that grows with every sign that the candidate answers the question."""
    total = WEIGHTS.bias
    for name, neutral in NEUTRAL.items():
        value = features.get(name)
        total += float(getattr(WEIGHTS, name)) * (neutral if value is None else value)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
