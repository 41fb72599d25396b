"""Fit a linear head: multinomial logistic regression with an L2 penalty, and the temperature that calibrates it.

Own code over numpy and scipy. Convex and started from zero, so equal input gives equal weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax

from graphsvc.encoding.base import FloatArray
from graphsvc.language.centroids import IntArray

Float64Array = NDArray[np.float64]
_ITERATIONS = 200
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Rows:
    """Centred vectors `(n, d)`, the class of each `(n,)`, and how much each counts `(n,)`."""

    vectors: FloatArray
    members: IntArray
    weights: Float64Array

    def where(self, mask: NDArray[np.bool_]) -> Rows:
        """The rows of a boolean mask `(n,)`."""
        return Rows(self.vectors[mask], self.members[mask], self.weights[mask])


def joined_rows(parts: list[Rows]) -> Rows:
    """Several sets of rows as one."""
    return Rows(
        np.concatenate([one.vectors for one in parts]),
        np.concatenate([one.members for one in parts]),
        np.concatenate([one.weights for one in parts]),
    )


def fit_linear(rows: Rows, classes: int, *, strength: float) -> tuple[FloatArray, FloatArray]:
    """Directions `(classes, d)` and biases `(classes,)`; `strength` is the inverse of the L2 penalty.

    Minimises the weighted sum of log-losses plus |W|²/(2·strength), W being taken over vectors of unit spread.
    """
    spread = float(rows.vectors.std())
    scaled = np.column_stack([rows.vectors.astype(np.float64) / spread, np.ones(len(rows.vectors))])
    wanted = np.zeros((len(rows.members), classes))
    wanted[np.arange(len(rows.members)), rows.members] = 1.0
    total = rows.weights.sum()

    def loss(flat: Float64Array) -> tuple[float, Float64Array]:
        weights = flat.reshape(classes, -1)
        logs = log_softmax(scaled @ weights.T, axis=1)
        penalised = weights.copy()
        penalised[:, -1] = 0.0
        value = -(rows.weights * logs[np.arange(len(logs)), rows.members]).sum() + (penalised**2).sum() / (2 * strength)
        slope = (rows.weights[:, None] * (np.exp(logs) - wanted)).T @ scaled + penalised / strength
        return value / total, slope.ravel() / total

    start = np.zeros(classes * scaled.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS, "gtol": 1e-7})
    weights = found.x.reshape(classes, -1)
    directions = np.round(weights[:, :-1] / spread, _DECIMALS).astype(np.float32)
    return directions, np.round(weights[:, -1], _DECIMALS).astype(np.float32)


def balanced(members: IntArray, classes: int, total: float) -> Float64Array:
    """Weights that give every class that occurs an equal share of `total`."""
    sizes = np.bincount(members, minlength=classes)
    present = int((sizes > 0).sum())
    weights: Float64Array = total / present / np.maximum(sizes, 1)[members]
    return weights


def fit_temperature(logits: FloatArray, members: IntArray) -> float:
    """The divisor that makes the right classes of held-out rows likeliest (temperature scaling, Guo et al. 2017)."""

    def loss(log_temperature: float) -> float:
        logs = log_softmax(logits / np.exp(log_temperature), axis=1)
        return float(-logs[np.arange(len(members)), members].mean())

    found = minimize_scalar(loss, bounds=(-3.0, 3.0), method="bounded")
    return round(float(np.exp(found.x)), 3)


def calibration_error(shares: FloatArray, members: IntArray, *, bins: int = 10) -> float:
    """Expected calibration error of the likeliest class, over equal-width bins of its probability."""
    top, right = shares.max(axis=1), shares.argmax(axis=1) == members
    places = np.minimum((top * bins).astype(int), bins - 1)
    gaps = [
        (places == one).mean() * abs(top[places == one].mean() - right[places == one].mean())
        for one in range(bins)
        if (places == one).any()
    ]
    return float(sum(gaps))
