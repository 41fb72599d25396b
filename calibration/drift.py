"""Whether recent questions still look like those that a calibrator was trained on.

The population stability index over deciles (Siddiqi, *Credit Risk Scorecards*, 2006: below .1 none, to .25 watch, above
drift), and the two-sample Kolmogorov–Smirnov test at the same edges, where it is exact; the full statistic is never
smaller. Only the deciles' edges and counts are kept, no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import kolmogorov

from calibration.features import NAMES

Floats = NDArray[np.float64]
FEWEST_RECENT = 200  # by chance alone the index of ten bins averages 9 / n: .045 here
_WATCH, _DRIFT = 0.1, 0.25
_DECILES = np.arange(0.1, 1.0, 0.1)
_CHANCE = 0.01  # a shift that chance explains is no drift


class Level(StrEnum):
    TOO_FEW = "too_few"
    NONE = "none"
    WATCH = "watch"
    DRIFT = "drift"


@dataclass(frozen=True, slots=True)
class Bins:
    """`counts[i]` known values at most `edges[i]`, the next one above the last edge, then the unknown."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """What is kept of the training rows: bins by feature, and how many of `decisions` were accepted."""

    features: Mapping[str, Bins]
    accepted: int
    decisions: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Sample:
        """Raises `KeyError`, `TypeError` or `ValueError` for anything that `to_json` does not write."""
        bins = {
            str(name): Bins(tuple(map(float, one["edges"])), tuple(map(int, one["counts"])))
            for name, one in told["features"].items()
        }
        if any(len(one.counts) != len(one.edges) + 2 for one in bins.values()):
            raise ValueError("bins and edges do not fit")
        return cls(bins, int(told["accepted"]), int(told["decisions"]))


@dataclass(frozen=True, slots=True)
class Shift:
    """`psi` and the KS `distance` in [0, 1] with its `p`; `name` is a feature's, or "acceptance rate"."""

    name: str
    level: Level
    psi: float
    distance: float
    p: float


@dataclass(frozen=True, slots=True)
class Drift:
    """`level` is the worst of all shifts; they come worst first."""

    level: Level
    recent: int
    shifts: tuple[Shift, ...]


def sample_of(features: Floats, *, accepted: int, decisions: int) -> Sample:
    """Bins of a matrix `(n, features)` with NaN for unknown."""
    return Sample({name: _bins(features[:, at]) for at, name in enumerate(NAMES)}, accepted, decisions)


def _bins(column: Floats) -> Bins:
    known = column[~np.isnan(column)]
    edges = np.unique(np.quantile(known, _DECILES, method="lower")) if len(known) else np.zeros(0)
    return Bins(tuple(edges.tolist()), tuple(_counted(column, edges).tolist()))


def _counted(column: Floats, edges: Floats) -> NDArray[np.int64]:
    known = column[~np.isnan(column)]
    counts = np.bincount(np.searchsorted(edges, known, side="left"), minlength=len(edges) + 1)
    return np.append(counts, len(column) - len(known)).astype(np.int64)


def drift(sample: Sample, recent: Floats, *, accepted: int, decisions: int) -> Drift:
    """Compare recent rows `(n, features)` and their accepted decisions; `TOO_FEW` below `FEWEST_RECENT`."""
    shifts = [
        _shift(name, np.array(bins.counts), _counted(recent[:, NAMES.index(name)], np.array(bins.edges)))
        for name, bins in sample.features.items()
        if name in NAMES
    ]
    before = np.array([sample.accepted, sample.decisions - sample.accepted])
    shifts.append(_shift("acceptance rate", before, np.array([accepted, decisions - accepted])))
    order = list(Level)
    shifts.sort(key=lambda one: (-order.index(one.level), -one.psi, one.name))
    return Drift(shifts[0].level, len(recent), tuple(shifts))


def _shift(name: str, before: NDArray[np.int64], after: NDArray[np.int64]) -> Shift:
    if min(before.sum(), after.sum()) < FEWEST_RECENT:
        return Shift(name, Level.TOO_FEW, 0.0, 0.0, 1.0)
    index = psi(before, after)
    distance, p = ks(before, after)
    level = Level.NONE if index < _WATCH or p > _CHANCE else Level.WATCH if index <= _DRIFT else Level.DRIFT
    return Shift(name, level, index, distance, p)


def psi(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
    """Sum over bins of (q - p) ln(q / p), half a row added to each bin so that an empty one stays finite."""
    p = (before + 0.5) / (before.sum() + 0.5 * len(before))
    q = (after + 0.5) / (after.sum() + 0.5 * len(after))
    return float(((q - p) * np.log(q / p)).sum())


def ks(before: NDArray[np.int64], after: NDArray[np.int64]) -> tuple[float, float]:
    """Largest distance of the two cumulative shares over the bins, and its asymptotic p; unknown counts as largest."""
    n, m = float(before.sum()), float(after.sum())
    distance = float(np.abs(np.cumsum(before) / n - np.cumsum(after) / m).max())
    return distance, float(kolmogorov(distance * np.sqrt(n * m / (n + m))))
