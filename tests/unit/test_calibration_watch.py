"""Comparing two deciders, drift, and metrics of probabilities."""

import dataclasses

import numpy as np
import pytest

from calibration.compare import FallbackRule, compare, worse_beyond_noise
from calibration.dataset import Dataset
from calibration.drift import FEWEST_RECENT, Level, Sample, drift, ks, psi, sample_of
from calibration.fallback import probability
from calibration.features import NAMES
from calibration.metrics import brier, ece, risk_coverage, selective
from calibration.train import train
from tests.calibrating import FOR, grouped_rows


@dataclasses.dataclass(frozen=True)
class OneFeature:
    """Reads the probability off a feature; `blur` mixes in chance."""

    blur: float = 0.0
    at: float = 0.7

    def probabilities(self, rows: np.ndarray, /) -> np.ndarray:
        clean = rows[:, NAMES.index(FOR[0])]
        return (1.0 - self.blur) * clean + self.blur * np.random.default_rng(1).random(len(rows))

    def threshold(self, query_type: str) -> float:
        return self.at


@pytest.fixture(scope="module")
def rows() -> Dataset:
    return grouped_rows(300, seed=3)


def test_a_decider_is_not_worse_than_itself(rows: Dataset) -> None:
    told = compare(OneFeature(), OneFeature(), rows)
    assert all(one.low == one.difference == one.high == 0.0 for one in told.measures.values())
    assert not worse_beyond_noise(told, target_error=0.05).refused


def test_the_same_seed_gives_the_same_intervals(rows: Dataset) -> None:
    assert compare(OneFeature(), OneFeature(0.5), rows) == compare(OneFeature(), OneFeature(0.5), rows)


def test_a_blurred_decider_is_refused_and_the_reverse_is_not(rows: Dataset) -> None:
    worse = worse_beyond_noise(compare(OneFeature(), OneFeature(0.8), rows), target_error=0.05)
    assert worse.refused
    assert any("AUROC falls" in reason for reason in worse.reasons)
    assert not worse_beyond_noise(compare(OneFeature(0.8, 0.5), OneFeature(), rows), target_error=0.05).refused


def test_accepting_nothing_is_refused_where_the_old_one_kept_the_target(rows: Dataset) -> None:
    told = compare(OneFeature(), OneFeature(at=2.0), rows)
    assert told.measures["error"].new is None
    assert worse_beyond_noise(told, target_error=0.5).reasons[0].startswith("coverage falls")
    assert not worse_beyond_noise(told, target_error=0.001).refused


def test_measured_differences_are_those_of_the_plain_metrics(rows: Dataset) -> None:
    told = compare(OneFeature(), OneFeature(0.5), rows)
    for one in told.measures.values():
        assert one.old is not None
        assert one.new is not None
        assert one.difference == pytest.approx(one.new - one.old)
        assert one.low <= one.difference <= one.high


def test_the_fallback_rule_takes_part(rows: Dataset) -> None:
    trained = train(grouped_rows(400), target_error=0.1)
    told = compare(FallbackRule(), trained.calibrator(), rows)
    assert told.measures["auroc"].low > 0.0
    plain = [probability(row.values) for row in rows.rows()[:5]]
    assert FallbackRule().probabilities(rows.features)[:5].tolist() == plain


def test_no_rows_are_no_comparison(rows: Dataset) -> None:
    with pytest.raises(ValueError, match="no rows"):
        compare(OneFeature(), OneFeature(), rows.where(np.zeros(len(rows), dtype=np.bool_)))


def test_rows_of_the_same_kind_have_not_drifted() -> None:
    sample = sample_of(grouped_rows(700, unknown=0.05).features, accepted=300, decisions=1000)
    told = drift(sample, grouped_rows(300, seed=8, unknown=0.05).features, accepted=170, decisions=600)
    assert told.level is Level.NONE


def test_a_shifted_feature_and_one_gone_unknown_are_named_first() -> None:
    sample = sample_of(grouped_rows(700).features, accepted=300, decisions=1000)
    recent = grouped_rows(300, seed=8).features
    recent[:, 0] = np.clip(recent[:, 0] + 0.4, 0, 1)
    recent[:, 5] = np.nan
    told = drift(sample, recent, accepted=180, decisions=600)
    assert told.level is Level.DRIFT
    assert {one.name for one in told.shifts if one.level is Level.DRIFT} == {NAMES[0], NAMES[5]}
    assert {one.name for one in told.shifts[:2]} == {NAMES[0], NAMES[5]}


def test_a_fallen_acceptance_rate_is_drift() -> None:
    features = grouped_rows(300).features
    told = drift(sample_of(features, accepted=500, decisions=900), features, accepted=150, decisions=900)
    assert told.shifts[0].name == "acceptance rate"
    assert told.level is Level.DRIFT


def test_too_few_recent_rows_are_said_to_be_too_few() -> None:
    features = grouped_rows(300).features
    told = drift(
        sample_of(features, accepted=500, decisions=900), features[: FEWEST_RECENT - 1], accepted=1, decisions=9
    )
    assert told.level is Level.TOO_FEW


def test_a_sample_comes_back_from_json_and_holds_only_bins() -> None:
    sample = sample_of(grouped_rows(100, unknown=0.1).features, accepted=1, decisions=2)
    assert Sample.from_json(sample.to_json()) == sample
    assert all(len(bins.edges) <= 9 for bins in sample.features.values())


def test_psi_and_ks_of_known_shares() -> None:
    before, after = np.array([500, 500]), np.array([800, 200])
    assert psi(before, after) == pytest.approx(0.3 * np.log(0.8 / 0.5) - 0.3 * np.log(0.2 / 0.5), abs=0.005)
    distance, p = ks(before, after)
    assert distance == pytest.approx(0.3)
    assert p < 1e-6
    assert psi(before, before) == 0.0


def test_brier_and_ece_of_known_cases() -> None:
    given, right = np.array([0.9, 0.9, 0.1, 0.1]), np.array([True, True, False, True])
    assert brier(given, right) == pytest.approx((0.01 + 0.01 + 0.01 + 0.81) / 4)
    assert ece(given, right, bins=2) == pytest.approx((0.4 + 0.1) / 2)
    assert brier(given[:0], right[:0]) is ece(given[:0], right[:0]) is None


def test_selective_error_counts_only_what_is_accepted() -> None:
    given, right = np.array([0.9, 0.8, 0.3, 0.1]), np.array([True, False, True, False])
    assert selective(given, right, 0.5) == (0.5, 0.5)
    assert selective(given, right, 2.0) == (None, 0.0)
    assert selective(given, right, np.array([1.0, 0.8, 0.2, 0.2])) == (0.5, 0.5)
    thresholds, coverage, error = risk_coverage(given, right)
    assert thresholds.tolist() == [0.9, 0.8, 0.3, 0.1]
    assert coverage.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert error == pytest.approx([0.0, 0.5, 1 / 3, 0.5])
