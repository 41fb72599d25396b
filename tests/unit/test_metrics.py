"""The metrics over plain sequences, against values worked out by hand."""

from __future__ import annotations

import itertools
import math

import pytest

from calibration import fallback
from calibration.metrics import auroc, hit_at, mean, percentile, recall_at, reciprocal_rank

RANKED = ["a", "b", "c", "d"]


@pytest.mark.parametrize(("relevant", "k", "hit"), [({"c"}, 3, True), ({"c"}, 2, False), (set(), 4, False)])
def test_a_hit_is_anything_relevant_among_the_first_k(relevant: set[str], k: int, hit: bool) -> None:
    assert hit_at(RANKED, relevant, k) is hit


@pytest.mark.parametrize(("relevant", "value"), [({"a"}, 1), ({"c"}, 1 / 3), ({"d", "b"}, 1 / 2), ({"z"}, 0)])
def test_the_reciprocal_rank_is_that_of_the_first_relevant(relevant: set[str], value: float) -> None:
    assert reciprocal_rank(RANKED, relevant) == pytest.approx(value)


@pytest.mark.parametrize(
    ("relevant", "k", "value"), [(["a", "d", "z"], 4, 2 / 3), (["a", "d", "z"], 3, 1 / 3), (["a", "a", "d"], 1, 1 / 2)]
)
def test_recall_is_the_share_of_the_relevant_that_was_found(relevant: list[str], k: int, value: float) -> None:
    assert recall_at(RANKED, relevant, k) == pytest.approx(value)


@pytest.mark.parametrize(
    ("positive", "negative", "value"),
    [
        ([0.9, 0.8], [0.1, 0.2], 1.0),
        ([0.1], [0.9], 0.0),
        ([0.5], [0.5], 0.5),
        # 0.9 beats all three; 0.4 beats 0.1 and ties 0.4: (3 + 1.5) of 6 pairs.
        ([0.9, 0.4], [0.4, 0.6, 0.1], 4.5 / 6),
    ],
)
def test_the_area_under_the_curve_counts_ordered_pairs(
    positive: list[float], negative: list[float], value: float
) -> None:
    assert auroc(positive, negative) == pytest.approx(value)


def test_an_area_needs_both_sides() -> None:
    assert auroc([], [0.5]) is None
    assert auroc([0.5], []) is None


def test_means_and_percentiles_of_nothing_are_absent() -> None:
    assert mean([]) is None
    assert percentile([], 50) is None


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert mean([1.0, 2.0, 6.0]) == 3.0
    assert percentile([10.0, 20.0, 30.0, 40.0], 50) == 25.0
    assert percentile([0.0, 100.0], 95) == pytest.approx(95.0)
    assert percentile([7.0], 95) == 7.0


def test_the_fallback_rule_is_the_logistic_of_its_written_sum() -> None:
    weights = {name: weight for name, weight, _ in fallback.WEIGHTS}
    total = fallback.BIAS + 0.5 * weights["late"] + 0.25 * weights["gap"] + weights["missing_value"]
    given = {"late": 0.5, "gap": 0.25, "missing_value": 1.0}
    assert fallback.probability(given) == pytest.approx(1 / (1 + math.exp(-total)))


def test_an_unknown_feature_counts_as_its_neutral_value() -> None:
    neutral = {name: value for name, _, value in fallback.WEIGHTS}
    assert fallback.probability({}) == fallback.probability(dict.fromkeys(neutral)) == fallback.probability(neutral)


@pytest.mark.parametrize("name", [name for name, _, _ in fallback.WEIGHTS])
def test_each_feature_moves_the_probability_its_own_way_and_never_to_certainty(name: str) -> None:
    (weight,) = (weight for other, weight, _ in fallback.WEIGHTS if other == name)
    rising = [fallback.probability({name: value}) for value in (-1e9, -0.4, 0.0, 0.4, 1e9)]
    ordered = rising if weight > 0 else rising[::-1]
    assert all(lower < higher for lower, higher in itertools.pairwise(ordered))
    assert all(0.0 < one < 1.0 for one in rising)
