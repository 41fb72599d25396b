"""The rule that decides while no trained calibrator is promoted.

A logistic sum of named features with written weights: an explicit rule, not a calibrated
probability, and every answer that rests on it says so. It never returns exactly 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

METHOD = "fallback-rule"
THRESHOLD = 0.45
BIAS = -4.2
# Feature, weight, and what an unknown value counts as.
WEIGHTS: tuple[tuple[str, float, float], ...] = (
    ("late", 7.5, 0.57),  # late-interaction score of the candidate, -1 to 1
    ("gap", 2.5, 0.15),  # its mixed score less the best other one's, cut to [-0.5, 0.5]
    ("missing_value", -1.5, 0.0),  # 1 when the asked-for kind of value is not in it
    ("missing_identifier", -6.0, 0.0),  # 1 when the question names an identifier that is not in it
    ("other_holder", -5.0, 0.0),  # 1 when it states somebody else's fact, which answers nothing however like it is
    ("other_attitude", -3.0, 0.0),  # 1 when it tells of dislikes and likes are asked for, or the other way round
    ("cross_language", 1.0, 0.0),  # 1 when question and candidate share no script: both scores run lower
)
_WIDEST_GAP = 0.5


def probability(features: Mapping[str, float | None]) -> float:
    """A number in (0, 1) that grows with every sign that the candidate answers the question."""
    total = BIAS
    for name, weight, neutral in WEIGHTS:
        value = features.get(name)
        bounded = neutral if value is None else max(-1.0, min(1.0, value))
        total += weight * (max(-_WIDEST_GAP, min(_WIDEST_GAP, bounded)) if name == "gap" else bounded)
    return 1.0 / (1.0 + math.exp(-total))
