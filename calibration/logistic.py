"""Learn a logistic rule over named features from labelled rows: few numbers, each with the sign that it must have.

The loss is the mean log-loss, each class weighing the same, with a quadratic pull towards 0 in units of each
feature's spread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

Floats = NDArray[np.float64]
_NARROWEST = 0.02  # a feature that hardly varies is not blown up


@dataclass(frozen=True, slots=True)
class Rule:
    """`probability = 1 / (1 + exp(-(bias + weights · features)))`; `weights` float64 `(d,)`."""

    bias: float
    weights: Floats

    def probabilities(self, features: Floats) -> Floats:
        """float64 `(n,)` for features `(n, d)`."""
        found: Floats = expit(features @ self.weights + self.bias)
        return found


def fit_rule(features: Floats, right: NDArray[np.bool_], signs: Floats, *, pull: float = 0.003) -> Rule:
    """Learn from rows `(n, d)` and whether each was right `(n,)`; `signs` +1, -1 or 0 for either.

    Deterministic. Raises `ValueError` when all rows are of one kind.
    """
    if right.all() or not right.any():
        raise ValueError("all rows are of one kind")
    y = right.astype(np.float64)
    weight = np.where(right, 0.5 / right.sum(), 0.5 / (~right).sum())
    bounds = [(None, None), *((0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs)]

    centre, spread = features.mean(axis=0), np.maximum(features.std(axis=0), _NARROWEST)
    scaled = (features - centre) / spread

    def objective(point: Floats) -> tuple[float, Floats]:
        margin = scaled @ point[1:] + point[0]
        loss = float(weight @ (np.logaddexp(0.0, margin) - y * margin)) + pull * float(point[1:] @ point[1:])
        slope = weight * (expit(margin) - y)
        return loss, np.concatenate(([slope.sum()], scaled.T @ slope + 2 * pull * point[1:]))

    start = np.zeros(features.shape[1] + 1)
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 1000})
    weights: Floats = np.asarray(found.x[1:], dtype=np.float64) / spread
    return Rule(float(found.x[0] - weights @ centre), weights)
