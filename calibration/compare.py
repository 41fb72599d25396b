"""Two deciders side by side on the same rows, and whether the newer one is worse by more than chance.

Differences come with intervals from a paired bootstrap over whole groups (Efron and Tibshirani 1993, chapter 8), with a
seed; both deciders see the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration import fallback
from calibration.dataset import Dataset, codes
from calibration.features import NAMES
from calibration.measure import summary
from calibration.metrics import equal_mass_bins
from calibration.prior import counts_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
MEASURES = ("error", "coverage", "auroc", "brier", "ece")
_INTERVAL = (0.05, 0.95)
_CHUNK = 100  # draws at once, so that memory stays small


class Decider(Protocol):
    """A calibrator, or the fallback rule."""

    def probabilities(self, rows: Floats, /) -> Floats: ...

    def threshold(self, query_type: str) -> float: ...


class FallbackRule:
    """The rule that decides without a calibrator."""

    def probabilities(self, rows: Floats, /) -> Floats:
        """float64 `(n,)` for `(n, features)` with NaN for unknown."""
        known = [
            {name: value for name, value in zip(NAMES, row, strict=True) if not math.isnan(value)}
            for row in rows.tolist()
        ]
        return np.array([fallback.probability(values) for values in known], dtype=np.float64)

    def threshold(self, query_type: str) -> float:  # noqa: ARG002 - one threshold for every type
        """The same for every query type."""
        return fallback.THRESHOLD


@dataclass(frozen=True, slots=True)
class Difference:
    """`old` and `new` (None where undefined), and new - old with its 5% and 95% bounds.

    The error of one that accepts nothing counts as 0.
    """

    old: float | None
    new: float | None
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """`measures` by the names of `MEASURES`."""

    rows: int
    groups: int
    measures: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a promotion is to be refused, and for what."""

    refused: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Judge:
    """One decider's words about the rows, prepared for weighing: `order` sorts by falling probability."""

    given: Floats
    taken: Bools
    right: Bools
    order: NDArray[np.int64]
    last: NDArray[np.int64]
    bins: list[NDArray[np.int64]]


def compare(
    old: Decider, new: Decider, rows: Dataset, *, unanswerable: float | None = None, seed: int = 7, draws: int = 1000
) -> Comparison:
    """On rows that neither was trained on; raises `ValueError` when there are none.

    `unanswerable` is the share of such questions that the rows are to count for, None for their own.
    """
    if not len(rows):
        raise ValueError("no rows to compare on")
    groups = codes(rows.groups)
    count = int(groups.max()) + 1
    judges = [_judge(decider, rows) for decider in (old, new)]
    each = counts_of(rows.answerable, unanswerable)
    told = [summary(one.given, one.right, np.where(one.taken, 0.0, 2.0), each) for one in judges]
    plain = [_weighed(one, each[None]) for one in judges]
    rng = np.random.default_rng(seed)
    gained: dict[str, list[Floats]] = {name: [] for name in MEASURES}
    for start in range(0, draws, _CHUNK):
        weights = rng.multinomial(count, np.full(count, 1.0 / count), size=min(_CHUNK, draws - start))[:, groups]
        before, after = (_weighed(one, weights * each) for one in judges)
        for name in MEASURES:
            gained[name].append(after[name] - before[name])
    measures = {}
    for name in MEASURES:
        low, high = np.quantile(np.concatenate(gained[name]), _INTERVAL).tolist()
        at = float((plain[1][name] - plain[0][name])[0])
        measures[name] = Difference(told[0][name], told[1][name], at, low, high)
    return Comparison(len(rows), count, measures)


def _judge(decider: Decider, rows: Dataset) -> _Judge:
    given = decider.probabilities(rows.features)
    limits = {str(kind): decider.threshold(str(kind)) for kind in np.unique(rows.query_types)}
    taken = given >= np.array([limits[str(kind)] for kind in rows.query_types])
    order = np.argsort(-given, kind="stable")
    last = np.flatnonzero(np.append(np.diff(given[order]) != 0, True))
    return _Judge(given, taken, rows.right, order, last, equal_mass_bins(given))


def _weighed(one: _Judge, weights: Floats) -> dict[str, Floats]:
    """Each measure `(draws,)` under row weights `(draws, n)`."""
    total = weights.sum(axis=1)
    accepted = weights @ one.taken.astype(np.float64)
    wrong = weights @ (one.taken & ~one.right).astype(np.float64)
    gaps = [np.abs(weights[:, part] @ (one.given[part] - one.right[part])) for part in one.bins]
    return {
        "error": wrong / np.maximum(accepted, 1e-12),
        "coverage": accepted / total,
        "auroc": _auroc(one, weights),
        "brier": weights @ (one.given - one.right) ** 2 / total,
        "ece": np.sum(gaps, axis=0) / total,
    }


def _auroc(one: _Judge, weights: Floats) -> Floats:
    """Area by trapezia over distinct probabilities; ½ in a draw with one class only."""
    sorted_weights, right = weights[:, one.order], one.right[one.order]
    hits = np.cumsum(sorted_weights * right, axis=1)[:, one.last]
    misses = np.cumsum(sorted_weights * ~right, axis=1)[:, one.last]
    above = np.concatenate([np.zeros((len(weights), 1)), hits[:, :-1]], axis=1)
    steps = np.diff(misses, axis=1, prepend=0.0)
    area = (steps * (above + hits) / 2).sum(axis=1)
    both = hits[:, -1] * misses[:, -1]
    found: Floats = np.where(both > 0, area / np.maximum(both, 1e-12), 0.5)
    return found


def worse_beyond_noise(comparison: Comparison, *, target_error: float) -> Verdict:
    """Refuse when the new one errs more among the accepted, ranks or predicts worse, or accepts less for nothing.

    Each must hold at the near end of its interval. Accepting less is paid for when the old one's measured error is
    above the target and the new one's is lower beyond noise. Erring more is no fault within the target.
    """
    told = comparison.measures
    error, coverage = told["error"], told["coverage"]
    reasons = []
    if error.low > 0.0 and (error.new or 0.0) > target_error:
        reasons.append(f"error among the accepted rises by {error.difference:.3f} to {error.new:.3f}")
    if told["auroc"].high < 0.0:
        reasons.append(f"AUROC falls by {-told['auroc'].difference:.3f}")
    if told["brier"].low > 0.0:
        reasons.append(f"the Brier score rises by {told['brier'].difference:.3f}")
    if coverage.high < 0.0 and not (error.high < 0.0 and (error.old or 0.0) > target_error):
        reasons.append(f"coverage falls by {-coverage.difference:.3f} without need")
    return Verdict(bool(reasons), tuple(reasons))
