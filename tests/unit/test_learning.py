"""What learning does to weights: it follows the lists, keeps every sign, and gives the same for the same."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.listwise import Fit, RankedList, first_is_relevant, learn
from calibration.logistic import fit_rule


def lists(count: int = 40, seed: int = 1) -> list[RankedList]:
    """Five candidates each; the relevant one is high in the first feature and the second is noise."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        features = random.uniform(0.0, 1.0, (5, 3))
        relevant = np.zeros(5, dtype=np.bool_)
        relevant[np.argmax(features[:, 0])] = True
        found.append(RankedList(features, relevant, np.zeros(5, dtype=np.bool_)))
    return found


PRIOR = np.array([0.02, 0.5, -0.1])
SIGNS = np.array([1.0, 1.0, -1.0])


def test_the_feature_that_tells_is_learnt_and_the_one_that_misleads_is_unlearnt() -> None:
    learnt = learn(lists(), PRIOR, SIGNS, Fit(pull=0.001))
    assert first_is_relevant(lists(seed=2), learnt) >= 0.7
    assert first_is_relevant(lists(seed=2), PRIOR) <= 0.4


def test_no_weight_ever_takes_the_other_sign() -> None:
    backwards = [RankedList(-one.features, one.relevant, one.forbidden) for one in lists()]
    learnt = learn(backwards, PRIOR, SIGNS, Fit(pull=0.0))
    assert learnt[0] >= 0.0
    assert learnt[1] >= 0.0
    assert learnt[2] <= 0.0


def test_a_strong_pull_leaves_the_weights_where_they_were() -> None:
    assert learn(lists(), PRIOR, SIGNS, Fit(pull=1e6)) == pytest.approx(PRIOR, abs=1e-3)


def test_the_same_lists_give_the_same_weights_to_the_last_bit() -> None:
    assert learn(lists(), PRIOR, SIGNS, Fit()).tobytes() == learn(lists(), PRIOR, SIGNS, Fit()).tobytes()


def test_a_forbidden_candidate_weighs_more_than_any_other() -> None:
    """Two questions pull one feature both ways; the one whose loser is forbidden wins."""
    features = np.array([[1.0, 0.0], [0.0, 0.0]])
    first, second = np.array([True, False]), np.array([False, True])
    nobody = np.zeros(2, dtype=np.bool_)
    start = np.array([0.1, 0.1])
    either = np.zeros(2)

    def learnt(forbidden: np.ndarray) -> float:
        pair = [RankedList(features, first, forbidden), RankedList(features, second, nobody)]
        return float(learn(pair, start, either, Fit(margin=0.5, pull=0.01))[0])

    assert learnt(second) > learnt(nobody)


def test_lists_that_tell_nothing_are_refused() -> None:
    nothing = RankedList(np.ones((2, 3)), np.zeros(2, dtype=np.bool_), np.zeros(2, dtype=np.bool_))
    with pytest.raises(ValueError, match="no list"):
        learn([nothing], PRIOR, SIGNS, Fit())


def test_a_rule_tells_right_from_wrong_and_keeps_its_signs() -> None:
    random = np.random.default_rng(3)
    right = random.uniform(size=400) < 0.3
    features = np.column_stack((right + random.normal(0, 0.3, 400), random.normal(0, 1, 400)))
    rule = fit_rule(features, right, np.array([1.0, -1.0]))
    told = rule.probabilities(features)
    assert told[right].mean() > 0.8
    assert told[~right].mean() < 0.2
    assert rule.weights[0] > 0.0 >= rule.weights[1]


def test_a_rule_is_not_learnt_from_rows_of_one_kind() -> None:
    with pytest.raises(ValueError, match="one kind"):
        fit_rule(np.ones((3, 1)), np.ones(3, dtype=np.bool_), np.ones(1))
