"""Nets that say whether a passage answers, by the real PyTorch: what they learn, and that a search reads the same."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from calibration.answers import Answers, Floats
from calibration.answers_fit import Lesson, Net, Plan, fit, predict
from tests.answering import states

torch.set_num_threads(1)  # of products this small a second thread only makes waiting
_SMALL = Plan(hidden=8, epochs=60, batch=16, rate=1e-2, drop=0.0)


def _lessons(seed: int, count: int, alike: slice = slice(None)) -> list[Lesson]:
    """Two passages share a token with the question; the one that holds its first token too, where `alike`, answers."""
    rng = np.random.default_rng(seed)
    found = []
    for place in range(count):
        question, passages = states(rng, 3), [states(rng, 5 + place % 3) for _ in range(2)]
        truth = [0.0, 0.0]
        for passage in passages:
            passage[1] = question[1]
        if place % 2:
            passages[place % 4 // 2][2, alike] = question[0, alike]
            truth[place % 4 // 2] = 1.0
        found.append(Lesson(question, np.full(3, 1 / 3, np.float32), tuple(passages), tuple(truth), (1.0, 1.0)))
    return found


@cache
def _net(seed: int = 0) -> Net:
    return fit(_lessons(1, 200), _SMALL, seed=seed)


def _odds(net: Net, lesson: Lesson) -> Floats:
    return Answers.of([net]).score(lesson.question, lesson.weights, lesson.passages).astype(np.float32)


def test_a_fitted_net_tells_unseen_passages_that_answer_from_those_that_only_share_a_token() -> None:
    unseen = _lessons(2, 100)
    right = [np.mean((_odds(_net(), one) > 0) == (np.array(one.truth) == 1)) for one in unseen]
    assert np.mean(right) > 0.9


def test_a_net_reads_the_last_depth_as_well_as_the_first() -> None:
    last = slice(-8, None)
    net = fit(_lessons(1, 600, last), replace(_SMALL, epochs=20), seed=0)
    right = [np.mean((_odds(net, one) > 0) == (np.array(one.truth) == 1)) for one in _lessons(2, 100, last)]
    assert np.mean(right) > 0.9


def test_a_search_reads_one_by_one_what_was_fitted_side_by_side() -> None:
    lessons = _lessons(3, 8)
    together = predict(_net(), lessons)
    for told, one in zip(together, lessons, strict=True):
        np.testing.assert_allclose(told, _odds(_net(), one), rtol=1e-3, atol=1e-4)


def test_padding_beside_a_longer_question_and_passage_tells_nothing() -> None:
    short, rng = _lessons(5, 1)[0], np.random.default_rng(4)
    long = Lesson(states(rng, 9), np.full(9, 1 / 9, np.float32), (states(rng, 30),), (0.0,), (1.0,))
    np.testing.assert_allclose(predict(_net(), [short, long])[0], predict(_net(), [short])[0], rtol=1e-3, atol=1e-4)


def test_the_same_seed_fits_the_same_net_and_another_seed_another() -> None:
    first, second, other = _net(), _net.__wrapped__(), _net(seed=1)
    assert all((first[name] == second[name]).all() for name in first)
    assert (first["question"] != other["question"]).any()


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        fit([], _SMALL, seed=0)
