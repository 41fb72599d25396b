"""Thresholds, curves, clusters: what they promise, counted where the truth is known."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import binom

from calibration.clusters import correlation, design_effect
from calibration.curve import CurveKind, fit_curve
from calibration.dataset import Dataset, codes, place
from calibration.features import NAMES
from calibration.thresholds import (
    NOTHING,
    Basis,
    Judged,
    Thresholds,
    choose,
    tail,
)
from tests.calibrating import FOR, grouped_rows


def scored(rows: Dataset) -> Judged:
    """Judged by one plain feature: no training, so that hundreds of resplits are quick."""
    given = rows.features[:, [NAMES.index(name) for name in FOR[:3]]].mean(axis=1)
    return Judged(np.clip(given, 0.03, 0.99), rows.right, codes(rows.groups), rows.query_types)


def resplit(rows: Judged, seed: int, *, fit: int, tune: int) -> tuple[Judged, Judged, Judged]:
    count = int(rows.groups.max()) + 1
    rank = np.empty(count, dtype=np.int64)
    rank[np.random.default_rng(seed).permutation(count)] = np.arange(count)
    part = np.digitize(rank[rows.groups], [fit, fit + tune])
    return rows.where(part == 0), rows.where(part == 1), rows.where(part == 2)


@pytest.mark.parametrize("each", [1, 6])
def test_over_200_resplits_the_error_exceeds_the_target_no_more_often_than_promised(each: int) -> None:
    """Measured on what is left of 18,000 rows, 17 times the tune part, so that its own noise is a quarter of that.

    Exceeding is promised in at most 10% of resplits; 200 of them may by chance show 30 (99th percentile), not more.
    """
    rows = scored(grouped_rows(18_000 // each, each=each, seed=5))
    exceeded, certified = 0, 0
    for seed in range(200):
        fit, tune, rest = resplit(rows, seed, fit=1800 // each, tune=900 // each)
        bound = choose(fit, tune, target_error=0.1, confidence=0.9).overall
        taken = rest.probabilities >= bound.threshold
        certified += bool(taken.any())
        exceeded += bool(taken.any()) and (~rest.right[taken]).mean() > 0.1
    assert exceeded <= binom.ppf(0.99, 200, 0.1)
    assert certified > 100


def test_where_errors_come_by_groups_rows_taken_as_independent_would_promise_too_much() -> None:
    """The design effect is what keeps the promise: without it the same rows exceed far more often."""
    rows = scored(grouped_rows(1500, each=12, seed=6))
    own_mood = np.array([place(str(group), 0) for group in range(1500)])[rows.groups]
    rows = dataclasses.replace(rows, right=own_mood < 0.905, probabilities=np.full(len(rows.right), 0.9))
    exceeded = {"clustered": 0, "independent": 0}
    for seed in range(200):
        fit, tune, _ = resplit(rows, seed, fit=300, tune=100)
        rho = correlation(~fit.right, fit.groups)
        wrong = int((~tune.right).sum())
        effect = design_effect(tune.groups, rho)
        exceeded["clustered"] += tail(len(tune.right), wrong, float((~rows.right).mean()), effect) <= 0.1
        exceeded["independent"] += tail(len(tune.right), wrong, float((~rows.right).mean())) <= 0.1
    assert exceeded["clustered"] <= binom.ppf(0.99, 200, 0.1) < exceeded["independent"]


def test_the_tail_is_the_binomial_one() -> None:
    for accepted, wrong in ((45, 0), (100, 3), (7, 6)):
        assert tail(accepted, wrong, 0.05) == pytest.approx(binom.cdf(wrong, accepted, 0.05))
    assert tail(0, 0, 0.05) == tail(5, 5, 0.05) == 1.0
    assert tail(100, 2, 0.05, 2.0) > tail(100, 2, 0.05)


def test_nothing_is_accepted_where_nothing_satisfies_the_target_and_it_is_said() -> None:
    rows = scored(grouped_rows(300))
    fit, tune, _ = resplit(rows, 1, fit=150, tune=150)
    bound = choose(fit, dataclasses.replace(tune, right=~tune.right), target_error=0.01, confidence=0.9).overall
    assert bound.threshold == NOTHING > 1.0
    assert bound.accepts_nothing
    assert "nothing is accepted" in bound.reason


def test_a_type_with_enough_rows_gets_its_own_threshold_and_a_hard_one_a_stricter() -> None:
    rows = scored(grouped_rows(3000))
    hard = rows.query_types == "who"
    coin = np.random.default_rng(2).random(len(rows.right)) < 0.85
    rows = dataclasses.replace(rows, right=np.where(hard, rows.right & coin, rows.right))
    fit, tune, _ = resplit(rows, 3, fit=1500, tune=800)
    found = choose(fit, tune, target_error=0.12, confidence=0.9)
    assert found.of("who").basis is found.of("when").basis is Basis.OWN
    assert found.of("who").threshold > found.of("when").threshold
    assert found.of("never seen") == found.overall


def test_thresholds_come_back_from_json() -> None:
    fit, tune, _ = resplit(scored(grouped_rows(800)), 3, fit=400, tune=300)
    found = choose(fit, tune, target_error=0.1, confidence=0.9)
    assert Thresholds.from_json(found.to_json()) == found
    with pytest.raises(ValueError, match="no threshold"):
        Thresholds.from_json(found.to_json() | {"overall": found.to_json()["overall"] | {"threshold": 0.0}})


def test_errors_of_one_group_are_correlated_as_they_are_made() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(400), 5)
    shared = (rng.random(400) < 0.3)[groups]
    alone = rng.random(2000) < 0.3
    assert correlation(alone, groups) < 0.08
    assert correlation(shared, groups) > 0.95
    assert correlation(alone, np.arange(2000)) == 0.0
    assert correlation(alone[:50], groups[:50]) == 1.0


def test_the_design_effect_is_kishs() -> None:
    assert design_effect(np.arange(10), 1.0) == 1.0
    assert design_effect(np.repeat(np.arange(10), 4), 0.5) == pytest.approx(2.5)


@pytest.mark.parametrize(("count", "kind"), [(60, CurveKind.PLATT), (3000, CurveKind.ISOTONIC)])
def test_a_curve_rises_strictly_within_0_and_1_and_is_calibrated(count: int, kind: CurveKind) -> None:
    rng = np.random.default_rng(4)
    margins = rng.normal(scale=2.0, size=count)
    truth = 1.0 / (1.0 + np.exp(-0.7 * margins + 0.5))
    curve = fit_curve(margins, rng.random(count) < truth)
    assert curve.kind is kind
    steps = curve.probabilities(np.linspace(-50.0, 50.0, 400))
    assert (np.diff(steps) > 0.0).all()
    assert 0.0 < steps[0] < steps[-1] < 1.0
    assert np.abs(curve.probabilities(margins) - truth).mean() < 0.12


def test_margins_that_separate_the_kinds_give_no_certainty() -> None:
    margins = np.repeat([-3.0, 3.0], 30)
    low, high = fit_curve(margins, margins > 0).probabilities(np.array([-3.0, 3.0]))
    assert 0.0 < low < 0.15
    assert 0.85 < high < 1.0
