"""A trained calibrator at work: features of candidates in, calibrated probabilities and decisions out.

Columns are checked by name, count and schema hash before anything is predicted. A candidate that a veto rules out, or
of which more than half is unknown, stays below every threshold whatever the model would say. Threads may share one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import lightgbm as lgb
import numpy as np
from numpy.typing import NDArray

from calibration.curve import Curve, CurveKind
from calibration.dataset import matrix_of
from calibration.errors import SchemaMismatch
from calibration.features import FEATURES, NAMES, Values, ruled_out, schema_hash
from calibration.thresholds import LOWEST, Bound, Thresholds

Floats = NDArray[np.float64]
METHOD = "lightgbm-calibrator"


@dataclass(frozen=True, slots=True)
class Decision:
    """`accepted` and `probabilities` by candidate, and the threshold that was used with what it rests on."""

    accepted: tuple[bool, ...]
    probabilities: tuple[float, ...]
    bound: Bound


def undecidable(features: Floats) -> NDArray[np.bool_]:
    """Which rows `(n, features)` a veto rules out, or are more than half unknown (NaN)."""
    unknown: NDArray[np.bool_] = np.isnan(features).mean(axis=1) > 0.5
    return unknown | ruled_out(features)


def filled(features: Floats, unseen: Sequence[str]) -> Floats:
    """A copy with NaN replaced by what the list of features says, in columns where training saw no NaN.

    LightGBM would read NaN as 0 there, which for a sign against a candidate is the best value of all.
    """
    full = features.copy()
    for name in unseen:
        column = full[:, NAMES.index(name)]
        column[np.isnan(column)] = FEATURES[NAMES.index(name)].unknown
    return full


def probabilities_of(features: Floats, margins: Floats, curve: Curve) -> Floats:
    """float64 `(n,)` in (0, 1); below `LOWEST`, in the same order, where the row is undecidable."""
    told = curve.probabilities(margins)
    return np.where(undecidable(features), LOWEST * told, told)


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """Trees, the curve to probabilities, and the columns in which training saw no NaN."""

    booster: lgb.Booster
    curve: Curve
    unseen: tuple[str, ...]

    def probabilities(self, features: Floats) -> Floats:
        """float64 `(n,)` in (0, 1) for `(n, features)`; below `LOWEST`, in the same order, where undecidable."""
        if not len(features):
            return np.zeros(0)
        margins = self.booster.predict(filled(features, self.unseen), raw_score=True, num_threads=1)
        return probabilities_of(features, np.asarray(margins, dtype=np.float64), self.curve)


class Calibrator:
    """Raises `SchemaMismatch` when made for other features, `ValueError` or `KeyError` when its parts are not ours.

    `model_text` must have been checked by length and hash: LightGBM aborts the process on a damaged one.
    """

    def __init__(self, model_text: str, calibration: Mapping[str, Any], thresholds: Thresholds, version: str) -> None:
        schema = schema_hash()
        if calibration["schema"] != schema or tuple(calibration["names"]) != NAMES:
            raise SchemaMismatch(str(calibration["schema"]), schema)
        self.version = version
        self.schema = schema
        self.thresholds = thresholds
        self.calibration = dict(calibration)
        curve = curve_from_json(calibration["curve"])
        booster = lgb.Booster(model_str=model_text)
        if tuple(booster.feature_name()) != NAMES:
            raise SchemaMismatch(", ".join(booster.feature_name()), schema)
        self._scorer = Scorer(booster, curve, tuple(str(name) for name in calibration["never_unknown"]))

    def probabilities(self, rows: Floats | Sequence[Values], *, columns: Sequence[str] = NAMES) -> Floats:
        """float64 `(n,)` in (0, 1) for `(n, features)` with NaN for unknown, or for rows by feature name.

        `columns` names a matrix's columns; raises `SchemaMismatch` unless they are the list's, in its order.
        """
        if tuple(columns) != NAMES:
            raise SchemaMismatch(", ".join(NAMES), ", ".join(columns))
        features = np.asarray(rows, dtype=np.float64) if isinstance(rows, np.ndarray) else matrix_of(rows)
        if features.ndim != 2 or features.shape[1] != len(NAMES):
            raise SchemaMismatch(f"in {len(NAMES)} columns", f"shape {features.shape}")
        return self._scorer.probabilities(features)

    def bound(self, query_type: str) -> Bound:
        """The threshold of a query type with what it rests on."""
        return self.thresholds.of(query_type)

    def threshold(self, query_type: str) -> float:
        """From this probability on a result may be used; above 1 when none may."""
        return self.thresholds.of(query_type).threshold

    def decide(self, query_type: str, rows: Sequence[Values]) -> Decision:
        """Which of a question's candidates may be used; raises `SchemaMismatch` for a feature of another name."""
        bound = self.bound(query_type)
        told = self.probabilities(rows).tolist()
        return Decision(tuple(one >= bound.threshold for one in told), tuple(told), bound)


def curve_from_json(told: Mapping[str, Any]) -> Curve:
    """Raises `KeyError` or `ValueError` for anything but a rising curve."""
    curve = Curve(CurveKind(told["kind"]), tuple(map(float, told["at"])), tuple(map(float, told["height"])))
    numbers = (*curve.at, *curve.height)
    if not curve.at or len(curve.at) != len(curve.height) or not all(map(math.isfinite, numbers)):
        raise ValueError("no curve")
    rising = curve.at[0] > 0 if curve.kind is CurveKind.PLATT else sorted(curve.height) == list(curve.height)
    if not rising or (curve.kind is CurveKind.ISOTONIC and not 0.0 < curve.height[0] <= curve.height[-1] < 1.0):
        raise ValueError("a curve must rise within 0 and 1")
    return curve
