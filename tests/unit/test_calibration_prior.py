"""A promise for another mixture of questions than the one that rows were written in."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from calibration.card import card
from calibration.clusters import design_effect
from calibration.compare import FallbackRule, compare
from calibration.curve import fit_curve
from calibration.dataset import Dataset, Row, codes
from calibration.errors import BadRows
from calibration.features import NAMES
from calibration.prior import Answerable, counts_of
from calibration.rows_file import read_rows, write_rows
from calibration.thresholds import Judged, choose, tail
from calibration.train import train
from tests.calibrating import FOR, grouped_rows


def written(groups: int, *, each: int = 3, seed: int = 0) -> Dataset:
    """Half of the questions or so have no answer; a quarter of those whose best is wrong have one elsewhere."""
    rows = grouped_rows(groups, each=each, seed=seed)
    elsewhere = np.random.default_rng(seed).random(len(rows)) < 0.25
    return dataclasses.replace(rows, answerable=(rows.right | elsewhere).astype(np.int8))


def judged(rows: Dataset, mask: np.ndarray, share: float | None) -> Judged:
    given = rows.features[:, [NAMES.index(name) for name in FOR[:3]]].mean(axis=1)
    part = rows.where(mask)
    counts = counts_of(part.answerable, share)
    return Judged(np.clip(given[mask], 0.03, 0.99), part.right, codes(part.groups), part.query_types, counts)


@pytest.mark.parametrize("share", [0.05, 0.15, 0.8])
def test_counts_make_the_stated_mixture_and_none_is_above_1(share: float) -> None:
    answerable = written(200).answerable
    counts = counts_of(answerable, share)
    assert counts[answerable == Answerable.NO].sum() / counts.sum() == pytest.approx(share)
    assert counts.max() == 1.0
    assert counts.min() > 0.0


def test_without_a_share_or_without_both_kinds_every_row_counts_1() -> None:
    both = np.array([Answerable.YES, Answerable.NO, Answerable.NO], dtype=np.int8)
    assert counts_of(both, None).tolist() == [1.0, 1.0, 1.0]
    assert counts_of(both[1:], 0.15).tolist() == [1.0, 1.0]


def test_rows_of_real_traffic_keep_their_own_mixture() -> None:
    kinds = (Answerable.YES, Answerable.NO, Answerable.UNKNOWN)
    assert counts_of(np.array(kinds, dtype=np.int8), 0.2).tolist() == [1.0, 0.25, 1.0]


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1])
def test_a_share_outside_0_and_1_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        counts_of(np.array([1, 0], dtype=np.int8), share)


@pytest.mark.parametrize("each", [1, 6])
def test_over_200_resplits_the_error_in_the_stated_mixture_keeps_the_promise(each: int) -> None:
    """Exceeding is promised in at most 10% of resplits; 200 of them may by chance show 30 (99th percentile)."""
    rows = written(18_000 // each, each=each, seed=5)
    number = codes(rows.groups)
    exceeded = certified = 0
    for seed in range(200):
        rank = np.random.default_rng(seed).permutation(int(number.max()) + 1)[number]
        fit, tune = rank < 1800 // each, (rank >= 1800 // each) & (rank < 2700 // each)
        parts = (judged(rows, fit, 0.15), judged(rows, tune, 0.15))
        bound = choose(*parts, target_error=0.1, confidence=0.9, unanswerable=0.15).overall
        rest = judged(rows, ~fit & ~tune, 0.15)
        taken = rest.probabilities >= bound.threshold
        certified += bool(taken.any())
        exceeded += bool(taken.any()) and float(np.average(~rest.right[taken], weights=rest.each[taken])) > 0.1
    assert exceeded <= binom.ppf(0.99, 200, 0.1)
    assert certified > 100


def test_fewer_unanswerable_questions_let_more_be_accepted() -> None:
    rows = written(2000)
    first = np.arange(len(rows)) < 3000
    found = [
        choose(judged(rows, first, share), judged(rows, ~first, share), target_error=0.15, confidence=0.9).overall
        for share in (None, 0.3, 0.05)
    ]
    assert found[0].threshold > found[1].threshold > found[2].threshold


def test_the_tail_and_the_design_effect_of_counts_lie_between_those_of_whole_rows() -> None:
    assert tail(101, 3, 0.1) < tail(100.4, 3.6, 0.1) < tail(100, 4, 0.1)
    groups = np.repeat(np.arange(10), 4)
    assert design_effect(groups, 0.5, np.ones(40)) == design_effect(groups, 0.5)
    assert 1.0 < design_effect(groups, 0.5, np.full(40, 0.2)) < design_effect(groups, 0.5)


@pytest.mark.parametrize("count", [300, 6000])
def test_probabilities_are_those_of_the_stated_mixture(count: int) -> None:
    rng = np.random.default_rng(3)
    margins = rng.normal(size=count)
    right = rng.random(count) < 1.0 / (1.0 + np.exp(-2.0 * margins))
    counts = counts_of(right.astype(np.int8), 0.15)
    told = fit_curve(margins, right, counts).probabilities(margins)
    assert np.average(told, weights=counts) == pytest.approx(0.85, abs=0.02)
    assert fit_curve(margins, right).probabilities(margins).mean() == pytest.approx(right.mean(), abs=0.02)


def test_rows_keep_whether_their_question_has_an_answer(tmp_path: Path) -> None:
    rows = [Row(f"r{place}", "g", "what", {}, False, "s", "en", told) for place, told in enumerate((True, False, None))]
    write_rows(tmp_path / "rows.jsonl", rows)
    assert [one.answerable for one in read_rows(tmp_path / "rows.jsonl").rows()] == [True, False, None]
    text = (tmp_path / "rows.jsonl").read_text().replace('"answerable": true', '"answerable": 1')
    (tmp_path / "rows.jsonl").write_text(text)
    with pytest.raises(BadRows, match="another kind"):
        read_rows(tmp_path / "rows.jsonl")


def test_a_trained_calibrator_says_which_mixture_it_is_for_and_is_measured_in_it() -> None:
    rows = written(500)
    made = train(rows, target_error=0.15, unanswerable=0.1)
    assert made.thresholds.unanswerable == 0.1
    assert made.metrics["test"]["error"] < made.metrics["as_written"]["error"]
    assert made.metrics["test"]["accepted"] == made.metrics["as_written"]["accepted"]
    told = card(made.calibration, made.thresholds, made.metrics)
    assert "of which 10% have no answer in the store" in told
    plain = train(rows, target_error=0.15, unanswerable=None)
    assert plain.metrics["test"] == plain.metrics["as_written"]
    assert "no answer in the store" not in card(plain.calibration, plain.thresholds, plain.metrics)
    sides = [compare(FallbackRule(), made.calibrator(), rows, unanswerable=share, draws=100) for share in (None, 0.1)]
    errors = [one.measures["error"].new or 0.0 for one in sides]
    assert errors[0] > errors[1] > 0.0
