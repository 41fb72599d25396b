"""Learn the weights of a linear ranking from lists of candidates, one list a question.

The loss is the negative log-likelihood that a relevant candidate comes first under a softmax of the scores (the
top-one form of ListNet: Cao et al. 2007), with a quadratic pull towards the weights one started from and a sign
for each weight, so that few questions move them little and no signal ever counts the wrong way round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

Floats = NDArray[np.float64]
_LEAST = 1e-300  # a share so small that its logarithm still exists


@dataclass(frozen=True, slots=True)
class RankedList:
    """One question's candidates: `features` float64 `(n, d)`; `relevant` and `forbidden` bool `(n,)`."""

    features: Floats
    relevant: NDArray[np.bool_]
    forbidden: NDArray[np.bool_]

    @property
    def tells(self) -> bool:
        """Whether there is anything to learn from: something relevant and something that is not."""
        return bool(self.relevant.any() and not self.relevant.all())


@dataclass(frozen=True, slots=True)
class Fit:
    """`margin` is how much further below a forbidden candidate must stay, `pull` the weight of the squared distance
    from the prior, in units of its scale. The difference of scores that counts as one unit of evidence, the softmax's
    temperature, is the one under which the prior itself explains the lists best.
    """

    margin: float = 0.05
    pull: float = 0.05
    coolest: float = 0.01
    hottest: float = 2.0


def learn(lists: Sequence[RankedList], prior: Floats, signs: Floats, fit: Fit) -> Floats:
    """Weights float64 `(d,)`, each of the sign `signs` asks for (+1, -1, or 0 for either).

    Deterministic: the same lists in the same order give the same weights. Raises `ValueError` when no list tells
    anything.
    """
    telling = [one for one in lists if one.tells]
    if not telling:
        raise ValueError("no list holds both relevant and other candidates")
    scale = np.maximum(np.abs(prior), 0.1)
    bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs]

    temperature = _temperature(telling, prior, fit)

    def objective(weights: Floats) -> tuple[float, Floats]:
        moved = (weights - prior) / scale
        loss = fit.pull * len(telling) * float(moved @ moved)
        slope = 2 * fit.pull * len(telling) * moved / scale
        for one in telling:
            cost, gradient = _cost(one, weights, fit.margin, temperature)
            loss += cost
            slope += gradient
        return loss / len(telling), slope / len(telling)

    found = minimize(objective, prior, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500})
    weights: Floats = np.asarray(found.x, dtype=np.float64)
    return weights


def first_is_relevant(lists: Sequence[RankedList], weights: Floats) -> float:
    """The share of lists whose best-scored candidate is relevant; lists without a relevant one count as missed."""
    if not lists:
        raise ValueError("no lists")
    hits = [bool(len(one.features)) and bool(one.relevant[np.argmax(one.features @ weights)]) for one in lists]
    return sum(hits) / len(lists)


def _temperature(lists: Sequence[RankedList], prior: Floats, fit: Fit) -> float:
    def loss(log_temperature: float) -> float:
        return sum(_cost(one, prior, fit.margin, math.exp(log_temperature))[0] for one in lists)

    bounds = (math.log(fit.coolest), math.log(fit.hottest))
    return math.exp(float(minimize_scalar(loss, bounds=bounds, method="bounded").x))


def _cost(one: RankedList, weights: Floats, margin: float, temperature: float) -> tuple[float, Floats]:
    """The list's loss, and its slope in the weights."""
    scores = (one.features @ weights + margin * one.forbidden) / temperature
    share = np.exp(scores - scores.max())
    total = share.sum()
    among = share * one.relevant
    right = max(among.sum(), _LEAST)
    gradient: Floats = (one.features.T @ (share / total - among / right)) / temperature
    return float(np.log(total) - np.log(right)), gradient
