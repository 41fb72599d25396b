"""What a report or a card shows of a calibrator, counted on rows: numbers and curves only, never a row.

Everything under `test` comes from groups that nothing was learnt or chosen on.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.dataset import Dataset, Split
from calibration.features import NAMES
from calibration.metrics import auroc, brier, ece, equal_mass_bins, risk_coverage, selective
from calibration.model import Scorer
from calibration.prior import counts_of
from calibration.thresholds import Thresholds

Floats = NDArray[np.float64]
_CURVE_POINTS = 100


def measured(parts: Split, scorer: Scorer, thresholds: Thresholds) -> dict[str, Any]:
    """A JSON object: data counts, metrics of the test part (whole, by type, language, source), curves, importance.

    The test part is told in the mixture of questions that the thresholds are for, `as_written` in its own.
    """
    test = parts.test
    given = scorer.probabilities(test.features)
    limits = np.array([thresholds.of(str(kind)).threshold for kind in test.query_types])
    counts = counts_of(test.answerable, thresholds.unanswerable)
    return {
        "data": {name: _counts(part) for name, part in (("fit", parts.fit), ("tune", parts.tune), ("test", test))},
        "test": summary(given, test.right, limits, counts),
        "as_written": summary(given, test.right, limits),
        "by_type": _by(test.query_types, given, test.right, limits, counts),
        "by_language": _by(test.languages, given, test.right, limits, counts),
        "by_source": _by(test.sources, given, test.right, limits, counts),
        "reliability": reliability(given, test.right, counts),
        "risk_coverage": risk_curve(given, test.right, counts),
        "importance": importance(scorer),
    }


def summary(
    probabilities: Floats, right: NDArray[np.bool_], limits: Floats, counts: Floats | None = None
) -> dict[str, Any]:
    """Rows, share right, AUROC, Brier, ECE, and with a threshold `(n,)` a row: accepted, wrong, coverage, error.

    Whole numbers and the AUROC are of the rows as they are; the rest are shares of their `counts`.
    """
    taken = probabilities >= limits
    error, coverage = selective(probabilities, right, limits, counts)
    return {
        "rows": len(right),
        "right": int(right.sum()),
        "accepted": int(taken.sum()),
        "wrong": int((taken & ~right).sum()),
        "coverage": coverage,
        "error": error,
        "auroc": auroc(probabilities[right].tolist(), probabilities[~right].tolist()),
        "brier": brier(probabilities, right, counts),
        "ece": ece(probabilities, right, counts=counts),
    }


def _by(
    names: NDArray[np.str_], given: Floats, right: NDArray[np.bool_], limits: Floats, counts: Floats
) -> dict[str, Any]:
    parts = {str(name): names == name for name in np.unique(names)}
    return {name: summary(given[one], right[one], limits[one], counts[one]) for name, one in parts.items()}


def _counts(part: Dataset) -> dict[str, Any]:
    return {
        "rows": len(part),
        "right": int(part.right.sum()),
        "groups": len(np.unique(part.groups)),
        "sources": dict(sorted(Counter(map(str, part.sources)).items())),
        "query_types": dict(sorted(Counter(map(str, part.query_types)).items())),
        "languages": dict(sorted(Counter(map(str, part.languages)).items())),
    }


def reliability(
    probabilities: Floats, right: NDArray[np.bool_], counts: Floats | None = None
) -> list[dict[str, float]]:
    """Bins of equally many rows: mean probability, share right, rows."""
    each = np.ones(len(right)) if counts is None else counts
    return [
        {
            "probability": float(np.average(probabilities[part], weights=each[part])),
            "right": float(np.average(right[part], weights=each[part])),
            "rows": len(part),
        }
        for part in equal_mass_bins(probabilities)
    ]


def risk_curve(probabilities: Floats, right: NDArray[np.bool_], counts: Floats | None = None) -> list[dict[str, float]]:
    """At most `_CURVE_POINTS` points of threshold, coverage and error, strict to lax."""
    thresholds, coverage, error = risk_coverage(probabilities, right, counts)
    kept = np.unique(np.linspace(0, len(thresholds) - 1, min(_CURVE_POINTS, len(thresholds))).astype(np.int64))
    points = zip(thresholds[kept].tolist(), coverage[kept].tolist(), error[kept].tolist(), strict=True)
    return [{"threshold": at, "coverage": covered, "error": wrong} for at, covered, wrong in points]


def importance(scorer: Scorer) -> dict[str, float]:
    """Share of the loss that splits on each feature took away; sums to 1."""
    gain = np.asarray(scorer.booster.feature_importance("gain"), dtype=np.float64)
    shares = gain / max(float(gain.sum()), 1e-12)
    return {name: round(float(share), 6) for name, share in zip(NAMES, shares, strict=True)}
