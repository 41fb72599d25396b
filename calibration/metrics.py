"""Ranking and decision metrics over plain sequences.

Definitions follow Manning, Raghavan and Schütze, *Introduction to Information Retrieval*,
chapter 8; the area under the ROC curve is the Mann–Whitney statistic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def hit_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> bool:
    """Whether any of the first k is relevant."""
    return any(item in relevant for item in ranked[:k])


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """1 / rank of the first relevant item, 0 where there is none."""
    return next((1.0 / rank for rank, item in enumerate(ranked, 1) if item in relevant), 0.0)


def recall_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """The share of the relevant items among the first k; `relevant` must not be empty."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The chance that a positive scores above a negative, ties counting half; None without both."""
    if not positive or not negative:
        return None
    ranks = rankdata(np.concatenate([positive, negative]))
    above = ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2
    return float(above / (len(positive) * len(negative)))


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, None of nothing."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], q: float) -> float | None:
    """The q-th percentile (0–100), linearly interpolated; None of nothing."""
    return float(np.percentile(values, q)) if values else None


def brier(probabilities: Floats, right: Bools, counts: Floats | None = None) -> float | None:
    """The mean squared distance of probabilities `(n,)` from what came true (Brier 1950); None of nothing.

    Here and below `counts` `(n,)` are what rows count, 1 without.
    """
    return float(np.average((probabilities - right) ** 2, weights=counts)) if len(right) else None


def equal_mass_bins(probabilities: Floats, bins: int = 10) -> list[NDArray[np.int64]]:
    """Row numbers by rising probability, in at most `bins` parts of equal size; equal probabilities in stable order."""
    order = np.argsort(probabilities, kind="stable").astype(np.int64)
    return [part for part in np.array_split(order, bins) if len(part)]


def ece(probabilities: Floats, right: Bools, bins: int = 10, counts: Floats | None = None) -> float | None:
    """Expected calibration error over bins of equal mass (Nguyen and O'Connor 2015); None of nothing."""
    if not len(right):
        return None
    each = np.ones(len(right)) if counts is None else counts
    gaps = [
        abs(float(each[part] @ (probabilities[part] - right[part]))) for part in equal_mass_bins(probabilities, bins)
    ]
    return sum(gaps) / float(each.sum())


def risk_coverage(probabilities: Floats, right: Bools, counts: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """Thresholds, coverage and error among the accepted, each `(distinct probabilities,)`, strict to lax.

    El-Yaniv and Wiener, *On the foundations of noise-free selective classification*, JMLR 2010.
    """
    order = np.argsort(-probabilities, kind="stable")
    sorted_probabilities = probabilities[order]
    last = np.flatnonzero(np.append(np.diff(sorted_probabilities) != 0, len(order) > 0))
    each = (np.ones(len(right)) if counts is None else counts)[order]
    accepted = np.cumsum(each)[last]
    wrong = np.cumsum(each * ~right[order])[last]
    return sorted_probabilities[last], accepted / max(1e-12, float(each.sum())), wrong / accepted


def selective(
    probabilities: Floats, right: Bools, threshold: float | Floats, counts: Floats | None = None
) -> tuple[float | None, float | None]:
    """Error among the accepted (None if nothing is) and coverage (None of nothing); one threshold, or one a row."""
    taken = probabilities >= threshold
    each = np.ones(len(right)) if counts is None else counts
    error = float(each[taken & ~right].sum() / each[taken].sum()) if taken.any() else None
    return error, float(each[taken].sum() / each.sum()) if len(right) else None
