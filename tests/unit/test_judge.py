"""Who decides: a promoted calibrator, else the shipped one, else the rule, which says why; seen without a restart."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration import fallback
from calibration.features import NAMES
from calibration.registry import POINTER, Registry
from calibration.train import Trained, train
from graphsvc.retrieve.accept.explore import drawn
from graphsvc.retrieve.accept.judge import CHECK_S, ENCODER, RETRY_S, Judge
from tests.calibrating import FOR, grouped_rows

BEST = {name: 1.0 if name in FOR else 0.0 for name in NAMES}
DAMAGES = {
    "half": lambda text: text[: len(text) // 2],
    "a third": lambda text: text[: len(text) // 3],
    "empty": lambda text: b"",
    "hello": lambda text: b"hello",
}


class Watch:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(grouped_rows(200), target_error=0.1)


@pytest.fixture(scope="module")
def other() -> Trained:
    return train(grouped_rows(200), target_error=0.2)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return opened(tmp_path / "calibration")


@pytest.fixture
def watch() -> Watch:
    return Watch()


def opened(folder: Path) -> Registry:
    return Registry(folder, now=lambda: datetime(2026, 3, 5, tzinfo=UTC))


def promoted(registry: Registry, trained: Trained) -> str:
    version = registry.save(trained)
    registry.promote(version)
    return version


def test_without_anything_promoted_the_rule_decides_and_says_so(registry: Registry) -> None:
    by = Judge(registry).now()
    assert (by.version, by.target_error, by.broken) == (None, None, False)
    assert by.method == "fallback-rule: no calibrator is promoted"
    assert by.probabilities([BEST]) == [fallback.probability(BEST)]
    assert by.threshold("who") == fallback.THRESHOLD


def test_a_promoted_calibrator_decides_by_its_own_thresholds(registry: Registry, trained: Trained) -> None:
    version = promoted(registry, trained)
    by, alone = Judge(registry).now(), trained.calibrator()
    assert (by.method, by.note, by.target_error) == (f"calibrator {version}", None, 0.1)
    assert by.probabilities([BEST, {}]) == alone.probabilities([BEST, {}]).tolist()
    assert by.probabilities([]) == []
    assert by.threshold("who") == alone.threshold("who")


def test_a_promotion_elsewhere_is_seen_within_a_second_and_not_looked_for_more_often(
    registry: Registry, trained: Trained, other: Trained, watch: Watch
) -> None:
    judge = Judge(registry, clock=watch)
    assert judge.now().version is None
    elsewhere = opened(registry.folder)
    first = promoted(elsewhere, trained)
    watch.now += CHECK_S / 2
    assert judge.now().version is None
    watch.now += CHECK_S
    present = judge.now()
    assert present.version == first
    watch.now += CHECK_S
    assert judge.now() is present  # the same pointer is not read again
    second = promoted(elsewhere, other)
    assert judge.renew().version == second
    elsewhere.rollback()
    watch.now += CHECK_S
    assert judge.now().version == first


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_model_leaves_the_rule_deciding_until_it_is_mended(
    registry: Registry, trained: Trained, damage: str, watch: Watch
) -> None:
    """Report A40: half, a third, empty, "hello"."""
    version = promoted(registry, trained)
    path = registry.folder / version / "model.txt"
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    judge = Judge(registry, clock=watch)
    by = judge.now()
    assert by.broken
    assert by.method.startswith(f"fallback-rule: version {version}: model.txt")
    path.write_bytes(whole)
    watch.now += CHECK_S
    assert judge.now() is by
    watch.now += RETRY_S
    assert judge.now().version == version


def test_a_pointer_that_cannot_be_read_is_told(registry: Registry, trained: Trained) -> None:
    promoted(registry, trained)
    (registry.folder / POINTER).write_text("{")
    by = Judge(registry).now()
    assert (by.broken, by.calibrator) == (True, None)
    assert POINTER in str(by.note)


def test_a_calibrator_of_other_features_is_not_used(
    registry: Registry, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A41: trained on other columns."""
    promoted(registry, trained)
    monkeypatch.setattr("calibration.registry.schema_hash", lambda: "0" * 16)
    by = Judge(registry).now()
    assert by.broken
    assert "train again" in by.method


def test_a_calibrator_of_another_encoder_is_not_used(registry: Registry, trained: Trained) -> None:
    made_with = replace(trained, calibration={**trained.calibration, ENCODER: "bundled/1"})
    version = promoted(registry, made_with)
    assert Judge(registry, encoder="bundled/1").now().version == version
    by = Judge(registry, encoder="hashing/1").now()
    assert by.note == "it was trained with another encoder (bundled/1)"


def test_the_shipped_one_decides_until_another_is_promoted(
    registry: Registry, trained: Trained, other: Trained, tmp_path: Path
) -> None:
    shipped = opened(tmp_path / "shipped")
    came = promoted(shipped, trained)
    judge = Judge(registry, shipped)
    assert (judge.now().version, judge.now().shipped) == (came, True)
    own = promoted(registry, other)
    assert (judge.renew().version, judge.renew().shipped) == (own, False)
    registry.rollback()
    assert judge.renew().version == came


def test_a_shipped_one_that_cannot_be_used_is_told(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "shipped").mkdir()
    by = Judge(registry, opened(tmp_path / "shipped")).now()
    assert by.note == ("no calibrator is promoted, and the shipped one cannot be used: no calibrator is promoted")
    assert not by.broken


def test_many_threads_are_judged_by_one_loading(
    registry: Registry, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = promoted(registry, trained)
    loads: list[str] = []
    load = Registry.load

    def counted(self: Registry, name: str) -> object:
        loads.append(name)
        return load(self, name)

    monkeypatch.setattr(Registry, "load", counted)
    judge, seen = Judge(registry), []
    threads = [threading.Thread(target=lambda: seen.append(judge.now().version)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [version] * 8
    assert loads == [version]


def test_the_lot_falls_on_the_share_asked_for_and_on_the_same_traces() -> None:
    names = [f"tr_{number}" for number in range(2000)]
    lots = [drawn(name, 0.1) for name in names]
    assert 140 <= sum(lots) <= 260
    assert lots == [drawn(name, 0.1) for name in names]
    assert not any(drawn(name, 0.0) for name in names)
    assert all(drawn(name, 0.2) for name, lot in zip(names, lots, strict=True) if lot)
