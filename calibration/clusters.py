"""How much less several questions of one story tell than as many of different stories.

Kish's design effect 1 + (m - 1)ρ, with m the mean size of a row's own group and ρ the correlation of two errors in one
group. ρ is learnt on rows other than those it is used for, and taken one standard error above its estimate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_FEWEST_GROUPS = 20  # with two rows or more; below, a group counts as one row


def correlation(wrong: NDArray[np.bool_], groups: Ints) -> float:
    """ρ in [0, 1] for rows `(n,)`: the mean product of two errors' deviations in one group over their variance.

    One standard error is added (jackknife over groups). 1 where too few groups hold two rows; 0 where none does.
    """
    if not len(wrong):
        return 1.0
    sizes = np.bincount(groups).astype(np.float64)
    if sizes.max() < 2:
        return 0.0
    if (sizes >= 2).sum() < _FEWEST_GROUPS:
        return 1.0
    away = wrong - wrong.mean()
    sums = np.bincount(groups, weights=away)
    squares = np.bincount(groups, weights=away**2)
    pairs = sizes * (sizes - 1)
    products = sums**2 - squares
    variance = float(squares.sum() / sizes.sum())
    if variance == 0.0:
        return 1.0
    left_out = (products.sum() - products) / np.maximum(pairs.sum() - pairs, 1.0) / variance
    count = len(sizes)
    error = float(np.sqrt((count - 1) / count * ((left_out - left_out.mean()) ** 2).sum()))
    return float(np.clip(products.sum() / pairs.sum() / variance + error, 0.0, 1.0))


def design_effect(groups: Ints, rho: float, counts: Floats | None = None) -> float:
    """At least 1: by how much `(n,)` rows of these groups count for less than `n`, or than the sum of their counts.

    Counts lie in (0, 1]; a row beside another of its group weighs as much as both of their counts together say.
    """
    if not len(groups):
        return 1.0
    each = np.ones(len(groups)) if counts is None else counts
    sizes = np.bincount(groups, weights=each)
    return 1.0 + float(((sizes**2).sum() - (each**2).sum()) / sizes.sum()) * rho
