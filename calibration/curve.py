"""From a model's margin to a probability: learnt on predictions that the model made for groups it had not seen.

With many rows an isotonic fit over blocks of equal mass (Zadrozny and Elkan, KDD 2002), joined by straight lines; with
few rows two numbers (Platt 1999, with his smoothed targets). Both rise strictly and never reach 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, minimize
from scipy.special import expit, logit

Floats = NDArray[np.float64]
_ISOTONIC_FROM = 500  # rows
_BLOCKS, _BLOCK_ROWS = 20, 40
_TILT = 0.02  # how much of a plain sigmoid keeps flat stretches rising
_FURTHEST = 20.0  # margins beyond say nothing more
_FLATTEST = 0.05


class CurveKind(StrEnum):
    PLATT = "platt"
    ISOTONIC = "isotonic"


@dataclass(frozen=True, slots=True)
class Curve:
    """`platt`: slope in `at`, intercept in `height`; `isotonic`: margins of block centres, and their probabilities."""

    kind: CurveKind
    at: tuple[float, ...]
    height: tuple[float, ...]

    def probabilities(self, margins: Floats) -> Floats:
        """float64 `(n,)` in (0, 1) for margins `(n,)`, rising strictly."""
        told = _FURTHEST * np.tanh(margins / _FURTHEST)
        if self.kind is CurveKind.PLATT:
            plain: Floats = expit(self.at[0] * told + self.height[0])
            return plain
        blocks = np.interp(told, np.array(self.at), np.array(self.height))
        blended: Floats = (1.0 - _TILT) * blocks + _TILT * expit(told)
        return blended


def fit_curve(margins: Floats, right: NDArray[np.bool_], counts: Floats | None = None) -> Curve:
    """Learn from margins `(n,)` of rows not trained on and whether each was right; both kinds must occur.

    `counts` in (0, 1] say what each row counts, 1 without.
    """
    told = _FURTHEST * np.tanh(margins / _FURTHEST)
    each = np.ones(len(told)) if counts is None else counts
    return _isotonic(told, right, each) if len(told) >= _ISOTONIC_FROM else _platt(told, right, each)


def _isotonic(margins: Floats, right: NDArray[np.bool_], counts: Floats) -> Curve:
    order = np.lexsort((right, margins))
    blocks = np.array_split(order, min(_BLOCKS, len(order) // _BLOCK_ROWS))
    centre = np.array([margins[block].mean() for block in blocks])
    mass = np.array([float(counts[block].sum()) for block in blocks])
    share = np.array([(counts[block] @ right[block] + 0.5) / (counts[block].sum() + 1.0) for block in blocks])
    height = isotonic_regression(share, weights=mass).x
    kept = np.concatenate(([True], np.diff(centre) > 0))
    return Curve(CurveKind.ISOTONIC, tuple(centre[kept].tolist()), tuple(height[kept].tolist()))


def _platt(margins: Floats, right: NDArray[np.bool_], counts: Floats) -> Curve:
    good, bad = float(counts @ right), float(counts @ ~right)
    target = np.where(right, (good + 1.0) / (good + 2.0), 1.0 / (bad + 2.0))

    def objective(point: Floats) -> tuple[float, Floats]:
        margin = point[0] * margins + point[1]
        slope = counts * (expit(margin) - target)
        lost = float(counts @ (np.logaddexp(0.0, margin) - target * margin))
        return lost, np.array([slope @ margins, slope.sum()])

    start = np.array([1.0, float(logit(np.average(target, weights=counts)))])
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=[(_FLATTEST, 3.0), (-10.0, 10.0)])
    return Curve(CurveKind.PLATT, (float(found.x[0]),), (float(found.x[1]),))
