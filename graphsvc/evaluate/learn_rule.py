"""Learn the rule that decides while no calibrator is promoted, from the same rows as a calibrator.

The threshold is where so many of the right ones would be refused; it is set on rows the weights were not learnt from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.boosting import FOLDS, fold_of
from calibration.dataset import Row
from calibration.fallback import RULED_OUT, to_toml
from calibration.features import DIRECTIONS, NAMES, row, ruled_out
from calibration.logistic import Floats, Rule, fit_rule
from calibration.metrics import auroc
from graphsvc.errors import FieldInvalid

SEED = 7
REFUSED = 0.1  # of the right ones; what more would save in wrong acceptances costs as many answers


@dataclass(frozen=True, slots=True)
class LearntRule:
    """The rule, its threshold, and how well it tells right from wrong on rows it was not learnt from."""

    rule: Rule
    threshold: float
    rows: int
    held_out_auroc: float | None
    wrong_accepted: float

    def to_toml(self) -> str:
        """The text of `calibration/fallback.toml`."""
        weights = {name: round(float(weight), 4) for name, weight in zip(NAMES, self.rule.weights, strict=True)}
        return to_toml(round(self.threshold, 4), round(self.rule.bias, 4), weights)


def learn_rule(rows: Sequence[Row]) -> LearntRule:
    """Learn from labelled rows; raises `FieldInvalid` where all are right, or none."""
    features = np.array([row(one.values) for one in rows], dtype=np.float64)
    right = np.array([one.right for one in rows], dtype=np.bool_)
    if right.all() or not right.any():
        raise FieldInvalid("hold no right, or no wrong, answers to learn from", where="rows")
    told = _held_out(features, right, fold_of(np.array([one.group for one in rows]), SEED))
    threshold = float(np.quantile(told[right], REFUSED))
    return LearntRule(
        rule=fit_rule(features, right, DIRECTIONS),
        threshold=threshold,
        rows=len(rows),
        held_out_auroc=auroc(list(told[right]), list(told[~right])),
        wrong_accepted=float((told[~right] >= threshold).mean()),
    )


def _held_out(features: Floats, right: NDArray[np.bool_], fold: NDArray[np.int64]) -> Floats:
    """Each row's probability under a rule learnt without its part; vetoes hold as when deciding."""
    told = np.zeros(len(right), dtype=np.float64)
    for number in range(FOLDS):
        own = fold == number
        told[own] = fit_rule(features[~own], right[~own], DIRECTIONS).probabilities(features[own])
    return np.where(ruled_out(features), RULED_OUT, 1.0) * told
