"""A calibrator on labelled rows, beside the rule, a fixed similarity, and taking whatever comes first.

The fixed similarity is the one that would have done best on these very rows at the calibrator's target, so that it is
flattered; rows made only to fit on are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import fallback
from calibration.compare import FallbackRule
from calibration.dataset import Dataset, Row
from calibration.features import NAMES
from calibration.measure import summary
from calibration.metrics import risk_coverage
from calibration.model import Calibrator
from graphsvc.errors import FieldInvalid
from graphsvc.models.base import Record
from graphsvc.supervise.rows import FIT_ONLY

_SIMILARITY = "late"  # the likeness of token states, the best single score there is
_TARGET = 0.05
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured, by its name; None is the fallback rule."""

    name: str
    calibrator: Calibrator | None


class Figures(Record):
    """One way of deciding on all rows: `coverage` is the share accepted, `error` the share of these that is wrong."""

    name: str
    rows: int
    right: int
    accepted: int
    wrong: int
    coverage: float | None
    error: float | None
    auroc: float | None
    brier: float | None
    ece: float | None


def measure(rows: Iterable[Row], decider: Measured) -> list[Figures]:
    """The decider first; raises `FieldInvalid` when no rows are left to measure on."""
    whole = Dataset.of(rows)
    data = whole.where(~np.isin(whole.sources, FIT_ONLY))
    if not len(data):
        raise FieldInvalid("hold no question with a candidate to judge", where="FILE")
    found = []
    target = _TARGET
    rule = FallbackRule().probabilities(data.features)
    if decider.calibrator is not None:
        target = decider.calibrator.thresholds.target_error
        given = decider.calibrator.probabilities(data.features)
        limits = np.array([decider.calibrator.threshold(str(kind)) for kind in data.query_types])
        found.append(_figures(decider.name, given, data, limits))
    found.append(_figures(fallback.METHOD, rule, data, np.full(len(data), fallback.THRESHOLD)))
    alike = np.nan_to_num(data.features[:, NAMES.index(_SIMILARITY)], nan=-1.0)
    best = _best_fixed(alike, data, target)
    fixed = _figures(f"similarity from {best:.2f}", alike, data, np.full(len(data), best))
    found.append(fixed.model_copy(update={"brier": None, "ece": None}))
    first = _figures("whatever comes first", np.ones(len(data)), data, np.zeros(len(data)))
    found.append(first.model_copy(update={"auroc": None, "brier": None, "ece": None}))
    return found


def _figures(name: str, given: Floats, data: Dataset, limits: Floats) -> Figures:
    return Figures.model_validate({"name": name, **summary(given, data.right, limits)})


def _best_fixed(alike: Floats, data: Dataset, target: float) -> float:
    """The lowest similarity from which on no more than the target are wrong; the highest of all when there is none."""
    thresholds, _, error = risk_coverage(alike, data.right)
    within = np.flatnonzero(error <= target)
    return float(thresholds[within[-1]] if len(within) else thresholds[0])
