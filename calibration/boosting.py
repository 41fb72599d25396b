"""Boosted trees that may only move with a feature's meaning, the same bytes each time.

Rounds are chosen by the held-out log-loss over folds of groups, and the same folds give predictions for rows that were
not trained on. One thread: more give the same bytes, but a pool of them does not survive a fork.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import lightgbm as lgb
import numpy as np
from numpy.typing import NDArray

from calibration.dataset import Ints, place
from calibration.errors import DeadlinePassed
from calibration.features import MONOTONE, NAMES

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
FOLDS = 5
_MOST_ROUNDS, _PATIENCE = 400, 40


@dataclass(frozen=True, slots=True)
class Watch:
    """Seconds on `clock` after which training gives up; None for no limit."""

    deadline: float | None = None
    clock: Callable[[], float] = time.monotonic

    def check(self, stage: str) -> None:
        """Raises `DeadlinePassed`."""
        if self.deadline is not None and self.clock() > self.deadline:
            raise DeadlinePassed(stage)


@dataclass(frozen=True, slots=True, eq=False)
class CrossFit:
    """`margins` `(n,)` in log-odds, each from trees that saw no row of that group; `rounds` for the final model."""

    margins: Floats
    rounds: int


def parameters(rows: int, seed: int) -> dict[str, Any]:
    """LightGBM's, with leaves that fit the number of rows (its own least of 20 rows a leaf cannot split 12)."""
    return {
        "objective": "binary",
        "metric": "binary_logloss",
        "learning_rate": 0.05,
        "num_leaves": 6 if rows < 1000 else 8 if rows < 10_000 else 16,
        "min_data_in_leaf": int(np.clip(rows // 60, 4, 40)),
        "min_sum_hessian_in_leaf": 0.1,
        "lambda_l2": 5.0,
        "feature_fraction": 0.6,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "monotone_constraints": list(MONOTONE),
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }


def fold_of(groups: NDArray[np.str_], seed: int) -> Ints:
    """A fold `(n,)` for each row, whole groups each; as many groups in each fold as can be."""
    names = sorted({str(group) for group in groups}, key=lambda group: (place(group, seed + 1), group))
    fold = {name: number % FOLDS for number, name in enumerate(names)}
    return np.array([fold[str(group)] for group in groups], dtype=np.int64)


def class_weights(right: Bools) -> Floats:
    """float64 `(n,)`, mean 1: both classes weigh the same."""
    share = np.clip(right.mean(), 1e-6, 1.0 - 1e-6)
    weights: Floats = np.where(right, 0.5 / share, 0.5 / (1.0 - share))
    return weights


def _data(features: Floats, right: Bools) -> lgb.Dataset:
    return lgb.Dataset(
        features, right.astype(np.float64), weight=class_weights(right), feature_name=list(NAMES), free_raw_data=False
    )


def _grown(features: Floats, right: Bools, held: Bools, seed: int, watch: Watch) -> tuple[lgb.Booster, list[float]]:
    """Trees for the rows outside `held`, and the log-loss on `held` after each round."""
    kept = ~held
    settings = parameters(int(kept.sum()), seed)
    data = _data(features[kept], right[kept])
    losses: dict[str, Any] = {}
    booster = lgb.train(
        settings,
        data,
        _MOST_ROUNDS,
        valid_sets=[_data(features[held], right[held]).set_reference(data)],
        callbacks=[
            lgb.record_evaluation(losses),
            lgb.early_stopping(_PATIENCE, verbose=False),
            lambda _: watch.check("folds"),
        ],
    )
    return booster, losses["valid_0"]["binary_logloss"]


def cross_fit(
    features: Floats,
    right: Bools,
    groups: NDArray[np.str_],
    *,
    seed: int,
    watch: Watch,
    on_fold: Callable[[int], None],
) -> CrossFit:
    """Raises `DeadlinePassed`; `on_fold` hears how many folds are done."""
    fold = fold_of(groups, seed)
    grown: list[tuple[Bools, lgb.Booster]] = []
    losses: list[list[float]] = []
    for number in range(int(fold.max()) + 1):
        held = fold == number
        booster, loss = _grown(features, right, held, seed, watch)
        grown.append((held, booster))
        losses.append(loss)
        on_fold(number + 1)
    rounds = best_round(losses)
    margins = np.zeros(len(right))
    for held, booster in grown:
        told = booster.predict(features[held], raw_score=True, num_iteration=rounds, num_threads=1)
        margins[held] = np.asarray(told, dtype=np.float64)
    return CrossFit(margins, rounds)


def best_round(curves: list[list[float]]) -> int:
    """How many rounds lose least over all folds."""
    shortest = min(map(len, curves))
    return 1 + int(np.argmin(np.mean([curve[:shortest] for curve in curves], axis=0)))


def grow(features: Floats, right: Bools, rounds: int, seed: int, watch: Watch) -> lgb.Booster:
    """The final model; raises `DeadlinePassed`."""
    return lgb.train(
        parameters(len(right), seed),
        _data(features, right),
        rounds,
        callbacks=[lambda _: watch.check("model")],
    )
