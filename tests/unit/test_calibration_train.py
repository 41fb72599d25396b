"""Training and deciding: sizes, determinism, refusals, and reports of others' failures."""

import dataclasses
import json
from itertools import count

import numpy as np
import pytest

from calibration.dataset import Dataset
from calibration.errors import DeadlinePassed, SchemaMismatch, TooFewRows
from calibration.features import NAMES, VETOES
from calibration.thresholds import LOWEST, Basis
from calibration.train import Progress, Stage, Trained, train
from tests.calibrating import AGAINST, FOR, grouped_rows


@pytest.fixture(scope="module")
def rows() -> Dataset:
    return grouped_rows(900, unknown=0.03, sharpness=4.0)


@pytest.fixture(scope="module")
def trained(rows: Dataset) -> Trained:
    return train(rows, target_error=0.1)


def test_the_same_rows_in_any_order_give_the_same_bytes(rows: Dataset, trained: Trained) -> None:
    shuffled = rows.rows()
    np.random.default_rng(3).shuffle(shuffled)  # type: ignore[arg-type]
    assert train(Dataset.of(shuffled), target_error=0.1).files() == trained.files()


def test_another_seed_gives_another_model(rows: Dataset, trained: Trained) -> None:
    assert train(rows, target_error=0.1, seed=8).model_text != trained.model_text


def test_what_it_learns_holds_on_groups_it_has_not_seen(trained: Trained) -> None:
    test = trained.metrics["test"]
    assert test["auroc"] > 0.85
    assert test["ece"] < 0.08
    assert 0.0 < test["coverage"] < 1.0


def test_probabilities_keep_within_0_and_1_and_follow_each_feature(trained: Trained) -> None:
    calibrator = trained.calibrator()
    best = {name: 1.0 if name in FOR else 0.0 for name in NAMES}
    worst = {name: 1.0 if name in AGAINST else 0.0 for name in NAMES}
    low, high = calibrator.probabilities([worst, best])
    assert 0.0 < low < 0.2
    assert 0.8 < high < 1.0
    for name in (FOR[0], AGAINST[0]):
        middle = dict.fromkeys(NAMES, 0.5) | dict.fromkeys(VETOES, 0.0)
        steps = calibrator.probabilities([middle | {name: value} for value in np.linspace(0, 1, 30).tolist()])
        rising = np.diff(steps) if name in FOR else -np.diff(steps)
        assert (rising >= 0.0).all()


def test_what_a_veto_rules_out_is_below_every_threshold(trained: Trained) -> None:
    best = {name: 1.0 if name in FOR else 0.0 for name in NAMES}
    for veto in VETOES:
        decision = trained.calibrator().decide("who", [best, best | {veto: 1.0}])
        assert decision.accepted == (True, False)
        assert decision.probabilities[1] < LOWEST


def test_twelve_rows_are_too_few_and_say_so_by_type() -> None:
    """Report A39: twelve separable rows gave one constant for all."""
    few = [dataclasses.replace(row, query_type="who") for row in grouped_rows(12, each=1, sharpness=100.0).rows()]
    with pytest.raises(TooFewRows) as refused:
        train(Dataset.of(few), target_error=0.1)
    assert refused.value.by_type.keys() == {"who"}
    assert 0 < refused.value.rows <= 12
    assert "fallback" in str(refused.value)


def test_a_type_of_twelve_rows_uses_the_global_threshold_and_is_told_apart(rows: Dataset) -> None:
    """Report A39: the few rows of one type among enough of others."""
    some = [
        dataclasses.replace(row, query_type="rare" if at % 125 == 0 else "common") for at, row in enumerate(rows.rows())
    ]
    trained = train(Dataset.of(some), target_error=0.1)
    bound = trained.thresholds.of("rare")
    assert bound.basis is Basis.GLOBAL
    assert "fewer than" in bound.reason
    assert bound.threshold == trained.thresholds.overall.threshold
    low, high = trained.calibrator().probabilities([dict.fromkeys(FOR, 0.1), dict.fromkeys(FOR, 0.9)])
    assert high > low


@pytest.mark.parametrize("right", [True, False])
def test_rows_of_one_kind_teach_nothing(rows: Dataset, right: bool) -> None:
    with pytest.raises(TooFewRows, match="right and as many wrong"):
        train(dataclasses.replace(rows, right=np.full(len(rows), right)), target_error=0.1)


def test_features_that_tell_nothing_are_no_calibrator(rows: Dataset) -> None:
    with pytest.raises(TooFewRows, match="no feature"):
        train(dataclasses.replace(rows, features=np.full_like(rows.features, 0.5)), target_error=0.1)


def test_eighty_groups_of_one_row_train_without_a_constant() -> None:
    """Report A39: LightGBM's own least of 20 rows a leaf splits nothing here."""
    trained = train(grouped_rows(80, each=1, sharpness=20.0), target_error=0.2)
    test = trained.metrics["test"]
    assert test["auroc"] > 0.7
    assert trained.calibration["curve"]["kind"] == "platt"


def test_columns_in_another_order_or_number_are_refused(trained: Trained) -> None:
    """Report A41: swapped columns turned .0757 into .945, quietly."""
    calibrator = trained.calibrator()
    matrix = np.full((2, len(NAMES)), 0.5)
    with pytest.raises(SchemaMismatch):
        calibrator.probabilities(matrix, columns=NAMES[::-1])
    with pytest.raises(SchemaMismatch):
        calibrator.probabilities(matrix[:, :2])
    with pytest.raises(SchemaMismatch):
        calibrator.probabilities([{"len": 1.0, "score": 0.2}])


def test_a_model_of_other_features_is_refused(trained: Trained) -> None:
    """Report A41: checked by schema and by names before anything is predicted."""
    for change in ({"schema": "0" * 16}, {"names": list(NAMES[::-1])}):
        with pytest.raises(SchemaMismatch):
            dataclasses.replace(trained, calibration=dict(trained.calibration) | change).calibrator()


def test_a_candidate_nothing_is_known_of_is_never_accepted(trained: Trained) -> None:
    """Report A41: an all-NaN row got a probability like any other."""
    half = {name: 1.0 if name in FOR else 0.0 for name in NAMES[: len(NAMES) // 2 - 1]}
    nothing = np.full((1, len(NAMES)), np.nan)
    calibrator = trained.calibrator()
    assert calibrator.probabilities(nothing)[0] < LOWEST <= calibrator.threshold("who")
    assert calibrator.decide("who", [{}, half]).accepted == (False, False)


def test_an_unknown_sign_against_is_not_read_as_its_absence(rows: Dataset) -> None:
    known = dataclasses.replace(rows, features=np.nan_to_num(rows.features, nan=0.5))
    calibrator = train(known, target_error=0.1).calibrator()
    sure = {name: 0.5 for name in NAMES if name not in VETOES}
    unknown, absent = calibrator.probabilities([sure | {AGAINST[0]: None}, sure | {AGAINST[0]: -1.0}])
    assert unknown <= absent
    assert AGAINST[0] in calibrator.calibration["never_unknown"]


def test_fit_only_sources_are_neither_tuned_nor_measured_on(rows: Dataset) -> None:
    sources = np.where(np.arange(len(rows)) % 4 == 0, "made up", "asked")
    trained = train(dataclasses.replace(rows, sources=sources), target_error=0.1, fit_only=["made up"])
    data = trained.metrics["data"]
    assert data["fit"]["sources"].keys() == {"asked", "made up"}
    assert data["tune"]["sources"].keys() == data["test"]["sources"].keys() == {"asked"}


def test_progress_counts_up_to_its_end(rows: Dataset) -> None:
    heard: list[Progress] = []
    train(rows, target_error=0.1, on_progress=heard.append)
    assert [one.done for one in heard] == list(range(1, heard[-1].total + 1))
    assert heard[-1].stage is Stage.DONE


def test_training_stops_at_its_deadline(rows: Dataset) -> None:
    seconds = count()
    with pytest.raises(DeadlinePassed):
        train(rows, target_error=0.1, deadline=20.0, clock=lambda: float(next(seconds)))


def test_the_artefact_is_json_and_holds_no_row(rows: Dataset, trained: Trained) -> None:
    files = trained.files()
    for name in ("calibration.json", "thresholds.json", "metrics.json"):
        assert json.loads(files[name])
    whole = b"".join(files.values()).decode()
    assert not any(name in whole for name in (*rows.ids.tolist()[:50], *rows.groups.tolist()[:50]))
