"""The metrics over plain sequences, against values worked out by hand."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from calibration import fallback
from calibration.features import FEATURES, VETOES, Feature, row, schema_hash
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


def test_the_fallback_rule_is_the_logistic_of_its_learnt_sum() -> None:
    given = {"late": 0.5, "gap": 0.25, "kind_missing": 1.0}
    total = fallback.BIAS + sum(
        weight * (given.get(one.name, one.unknown)) for one, weight in zip(FEATURES, fallback.WEIGHTS, strict=True)
    )
    assert fallback.probability(given) == pytest.approx(1 / (1 + math.exp(-total)))


def test_an_unknown_feature_counts_as_the_list_says() -> None:
    unknown = {one.name: one.unknown for one in FEATURES}
    assert fallback.probability({}) == fallback.probability(dict.fromkeys(unknown)) == fallback.probability(unknown)


@pytest.mark.parametrize("feature", [one for one in FEATURES if one.direction], ids=lambda one: one.name)
def test_each_feature_moves_the_probability_its_own_way_and_never_to_certainty(feature: Feature) -> None:
    rising = [fallback.probability({feature.name: value}) for value in (-1e9, -0.4, 0.0, 0.4, 1e9)]
    ordered = rising if feature.direction > 0 else rising[::-1]
    assert all(lower <= higher for lower, higher in itertools.pairwise(ordered))
    assert all(0.0 < one < 1.0 for one in rising)


@pytest.mark.parametrize("name", VETOES)
def test_what_is_ruled_out_is_never_accepted_however_like_it_is(name: str) -> None:
    best = {one.name: 1e3 * one.direction for one in FEATURES if one.direction}
    assert fallback.probability(best) > fallback.THRESHOLD
    assert fallback.probability(best | {name: 1.0}) < fallback.THRESHOLD


def test_a_feature_that_is_not_in_the_list_is_refused() -> None:
    with pytest.raises(KeyError, match="no such feature: colour"):
        row({"colour": 1.0})


def test_the_schema_hash_changes_with_any_features_name_unit_direction_or_order() -> None:
    first, second, *others = FEATURES
    changed = [
        (replace(first, name="x"), second, *others),
        (replace(first, unit="x"), second, *others),
        (replace(first, direction=-first.direction), second, *others),
        (replace(first, veto=not first.veto), second, *others),
        (second, first, *others),
        FEATURES[1:],
    ]
    assert len({schema_hash(one) for one in (FEATURES, *changed)}) == len(changed) + 1
