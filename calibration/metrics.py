"""Ranking and decision metrics over plain sequences.

Definitions follow Manning, Raghavan and Schütze, *Introduction to Information Retrieval*,
chapter 8; the area under the ROC curve is the Mann–Whitney statistic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from scipy.stats import rankdata


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
