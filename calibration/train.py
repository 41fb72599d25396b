"""Labelled rows in, a calibrator with stated error rates out; the same rows in any order give the same bytes.

Fit groups give the trees, their number and the curve to probabilities (on out-of-fold predictions); tune groups give
the thresholds and nothing else; test groups are only measured on.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import lightgbm as lgb
import numpy as np

from calibration.boosting import FOLDS, Watch, cross_fit, grow
from calibration.curve import fit_curve
from calibration.dataset import Dataset, Floats, Split, codes
from calibration.drift import sample_of
from calibration.errors import TooFewRows
from calibration.features import NAMES, schema_hash
from calibration.measure import measured
from calibration.model import Calibrator, Scorer, filled, probabilities_of, undecidable
from calibration.prior import UNANSWERABLE, counts_of
from calibration.thresholds import Judged, Thresholds, choose

FEWEST_ROWS, FEWEST_OF_A_KIND, FEWEST_GROUPS = 40, 8, 5
_FEWEST_UNKNOWN = 20  # rows with NaN from which a column's own NaN branch can be learnt


class Stage(StrEnum):
    FOLDS = "folds"
    MODEL = "model"
    THRESHOLDS = "thresholds"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` steps, about equally long."""

    stage: Stage
    done: int
    total: int = FOLDS + 3


@dataclass(frozen=True, slots=True)
class Trained:
    """What a version is made of; `calibration` and `metrics` are JSON objects."""

    model_text: str
    calibration: Mapping[str, Any]
    thresholds: Thresholds
    metrics: Mapping[str, Any]

    def calibrator(self, version: str = "unsaved") -> Calibrator:
        """Ready to decide."""
        return Calibrator(self.model_text, self.calibration, self.thresholds, version)

    def files(self) -> dict[str, bytes]:
        """The artefact's files by name, as plain text."""
        return {
            "model.txt": self.model_text.encode(),
            "calibration.json": _json(self.calibration),
            "thresholds.json": _json(self.thresholds.to_json()),
            "metrics.json": _json(self.metrics),
        }


def _json(told: Mapping[str, Any]) -> bytes:
    return (json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n").encode()


def train(
    dataset: Dataset,
    *,
    target_error: float,
    confidence: float = 0.9,
    unanswerable: float | None = UNANSWERABLE,
    seed: int = 7,
    fit_only: Collection[str] = (),
    deadline: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    on_progress: Callable[[Progress], None] | None = None,
) -> Trained:
    """Rows whose source is in `fit_only` help to fit, and are neither tuned nor measured on.

    Probabilities, thresholds and metrics are for questions of which a share of `unanswerable` has no answer, whatever
    share of the rows' has none; None takes the rows as they are.
    Raises `TooFewRows` where nothing can be learnt honestly, `DeadlinePassed` once `clock()` is past `deadline`.
    """
    tell = on_progress or (lambda _: None)
    watch = Watch(deadline, clock)
    parts = _parts(dataset.split(seed), fit_only)
    fit = parts.fit.where(~undecidable(parts.fit.features))
    own = ~np.isin(fit.sources, list(fit_only))
    check_enough(fit.where(own), parts)

    blank = np.isnan(fit.features).sum(axis=0)
    unseen = tuple(name for name, count in zip(NAMES, blank, strict=True) if count < _FEWEST_UNKNOWN)
    features = filled(fit.features, unseen)
    crossed = cross_fit(
        features,
        fit.right,
        fit.groups,
        seed=seed,
        watch=watch,
        on_fold=lambda done: tell(Progress(Stage.FOLDS, done)),
    )
    booster = grow(features, fit.right, crossed.rounds, seed, watch)
    if not booster.feature_importance("split").any():
        raise _too_few("no feature tells right from wrong", fit)
    text = booster.model_to_string()
    tell(Progress(Stage.MODEL, FOLDS + 1))

    curve = fit_curve(crossed.margins[own], fit.right[own], counts_of(fit.answerable[own], unanswerable))
    scorer = Scorer(lgb.Booster(model_str=text), curve, unseen)
    given = probabilities_of(fit.features, crossed.margins, curve)
    aside = judged(fit.where(own), given[own], unanswerable)
    tuned = judged(parts.tune, scorer.probabilities(parts.tune.features), unanswerable)
    thresholds = choose(aside, tuned, target_error=target_error, confidence=confidence, unanswerable=unanswerable)
    tell(Progress(Stage.THRESHOLDS, FOLDS + 2))
    watch.check(Stage.THRESHOLDS)

    metrics = measured(parts, scorer, thresholds)
    tell(Progress(Stage.DONE, FOLDS + 3))
    return Trained(text, _made(scorer, parts, metrics, seed, crossed.rounds), thresholds, metrics)


def _parts(whole: Split, fit_only: Collection[str]) -> Split:
    tune, test = (part.where(~np.isin(part.sources, list(fit_only))) for part in (whole.tune, whole.test))
    return Split(whole.fit, tune, test)


def judged(rows: Dataset, probabilities: Floats, unanswerable: float | None = None) -> Judged:
    """Rows with the probability `(n,)` each was given, in the mixture of questions that is stated."""
    counts = counts_of(rows.answerable, unanswerable)
    return Judged(probabilities, rows.right, codes(rows.groups), rows.query_types, counts)


def check_enough(fit: Dataset, parts: Split) -> None:
    """Raises `TooFewRows` unless there is enough of both kinds to fit on, and something to tune and measure on."""
    right = int(fit.right.sum())
    if len(fit) < FEWEST_ROWS or len(np.unique(fit.groups)) < FEWEST_GROUPS:
        raise _too_few(f"at least {FEWEST_ROWS} rows in {FEWEST_GROUPS} groups are needed to fit", fit)
    if min(right, len(fit) - right) < FEWEST_OF_A_KIND:
        raise _too_few(f"at least {FEWEST_OF_A_KIND} right and as many wrong rows are needed to fit", fit)
    if not len(parts.tune) or not len(parts.test):
        raise _too_few("no rows are left to choose thresholds on or to measure on", fit)


def _too_few(why: str, fit: Dataset) -> TooFewRows:
    by_type = Counter(map(str, fit.query_types))
    groups = len(np.unique(fit.groups))
    return TooFewRows(why, rows=len(fit), right=int(fit.right.sum()), groups=groups, by_type=by_type)


def _made(scorer: Scorer, parts: Split, metrics: Mapping[str, Any], seed: int, rounds: int) -> dict[str, Any]:
    seen = np.concatenate([part.features for part in (parts.fit, parts.tune, parts.test)])
    test = metrics["test"]
    return {
        "format": 1,
        "schema": schema_hash(),
        "names": list(NAMES),
        "lightgbm": lgb.__version__,
        "seed": seed,
        "rounds": rounds,
        "never_unknown": list(scorer.unseen),
        "curve": asdict(scorer.curve),
        "sample": sample_of(seen, accepted=round(test["coverage"] * test["rows"]), decisions=test["rows"]).to_json(),
    }
