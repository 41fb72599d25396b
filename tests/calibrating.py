"""Labelled rows of known make, for tests of the calibrator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.dataset import Dataset
from calibration.features import FEATURES, MONOTONE, NAMES, VETOES
from calibration.prior import Answerable

FOR = [name for name, sign in zip(NAMES, MONOTONE, strict=True) if sign > 0 and name not in VETOES]
AGAINST = [name for name, sign in zip(NAMES, MONOTONE, strict=True) if sign < 0 and name not in VETOES]


def grouped_rows(
    groups: int, *, seed: int = 0, each: int = 3, sharpness: float = 3.0, unknown: float = 0.0, type_count: int = 2
) -> Dataset:
    """`each` rows a group; whether a row is right follows its features and, within a group, a shared mood."""
    rng = np.random.default_rng(seed)
    count = groups * each
    group = np.repeat(np.arange(groups), each)
    signal = rng.normal(size=count) + 0.5 * rng.normal(size=groups)[group]
    features = _features(rng, signal, unknown)
    mood = rng.logistic(size=groups)[group]
    noise = np.where(rng.random(count) < 0.5, mood, rng.logistic(size=count))
    return Dataset(
        np.array([f"r{number:06d}" for number in range(count)]),
        np.array([f"g{number:05d}" for number in group]),
        np.array(["who", "when", "what", "where"])[rng.integers(0, type_count, count)],
        np.array(["zh", "en"])[group % 2],
        np.full(count, "synthetic"),
        sharpness * signal + noise > 0.0,
        features,
        np.full(count, Answerable.UNKNOWN, dtype=np.int8),
    )


def _features(rng: np.random.Generator, signal: NDArray[np.float64], unknown: float) -> NDArray[np.float64]:
    features = rng.random((len(signal), len(FEATURES)))
    for name in VETOES:
        features[:, NAMES.index(name)] = 0.0
    for names, sign in ((FOR[:3], 1.0), (AGAINST[:3], -1.0)):
        for name in names:
            features[:, NAMES.index(name)] = 1.0 / (1.0 + np.exp(-sign * signal - 0.5 * rng.normal(size=len(signal))))
    features[rng.random(features.shape) < unknown] = np.nan
    return features
