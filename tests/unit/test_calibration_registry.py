"""Versions on the disk: checked, promoted, rolled back, damaged, and written by several at once."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.errors import DamagedVersion, NothingToRollBack, SchemaMismatch, UnknownVersion
from calibration.features import NAMES
from calibration.registry import FILES, MANIFEST, POINTER, Registry, version_of
from calibration.train import Trained, train
from tests.calibrating import FOR, grouped_rows

BEST = {name: 1.0 if name in FOR else 0.0 for name in NAMES}


def opened(folder: Path) -> Registry:
    return Registry(folder, now=lambda: datetime(2026, 3, 5, tzinfo=UTC))


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(grouped_rows(400), target_error=0.1)


@pytest.fixture(scope="module")
def other() -> Trained:
    return train(grouped_rows(400), target_error=0.2)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return opened(tmp_path / "calibrators")


def test_a_saved_version_decides_as_the_trained_one(registry: Registry, trained: Trained) -> None:
    version = registry.save(trained)
    loaded = registry.load(version)
    assert loaded.decide("who", [BEST, {}]) == trained.calibrator().decide("who", [BEST, {}])
    assert loaded.version == version


def test_the_same_training_is_the_same_version(registry: Registry, trained: Trained, other: Trained) -> None:
    first = registry.save(trained)
    assert registry.save(trained, parent="0" * 16) == first
    second = registry.save(other, parent=first)
    assert {info.version: info.parent for info in registry.versions()} == {first: None, second: first}


def test_promote_and_roll_back(registry: Registry, trained: Trained, other: Trained) -> None:
    first, second = registry.save(trained), registry.save(other)
    assert registry.current().calibrator is None
    assert registry.stamp() is None
    registry.promote(first)
    stamp = registry.stamp()
    registry.promote(second)
    registry.promote(second)
    assert registry.stamp() not in {None, stamp}
    assert registry.current().version == second
    assert registry.rollback() == first
    assert registry.rollback() is None
    assert registry.current().reason == "no calibrator is promoted"
    with pytest.raises(NothingToRollBack):
        registry.rollback()
    acts = [entry["act"] for entry in registry.pointer().history]
    assert acts == ["promote", "promote", "promote", "rollback", "rollback"]


def test_a_rollback_passes_over_what_no_longer_loads(registry: Registry, trained: Trained, other: Trained) -> None:
    first, second = registry.save(trained), registry.save(other)
    for version in (first, second, first):
        registry.promote(version)
    (registry.folder / second / "model.txt").write_text("hello")
    assert registry.rollback() == first


DAMAGES = {
    "half": lambda text: text[: len(text) // 2],
    "a third": lambda text: text[: len(text) // 3],
    "empty": lambda _: b"",
    "hello": lambda _: b"hello",
    "one byte": lambda text: text.replace(b"5", b"6", 1),
}
_LOAD = """
import sys
from datetime import datetime
from pathlib import Path
from calibration.registry import Registry
live = Registry(Path(sys.argv[1]), now=datetime.now).current()
print(live.calibrator, live.version, live.reason)
"""


def test_a_damaged_model_neither_aborts_the_process_nor_loads(registry: Registry, trained: Trained) -> None:
    """Report A40: LightGBM aborts the interpreter on half a model, and nothing can catch that."""
    version = registry.save(trained)
    registry.promote(version)
    path = registry.folder / version / "model.txt"
    path.write_bytes(DAMAGES["half"](path.read_bytes()))
    ran = subprocess.run(
        [sys.executable, "-c", _LOAD, str(registry.folder)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("None None")
    assert "model.txt has another length" in ran.stdout


@pytest.mark.parametrize("file", [*FILES, MANIFEST])
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_file_is_checked_before_it_is_used(
    registry: Registry, trained: Trained, file: str, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A40: half, a third, empty, "hello", or one byte changed."""
    version = registry.save(trained)
    registry.promote(version)
    path = registry.folder / version / file
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    if (file, damage) == (MANIFEST, "one byte") and _names_the_same_files(path, version):
        return
    monkeypatch.setattr("calibration.registry.Calibrator", _must_not_be_built)
    with pytest.raises(DamagedVersion):
        registry.load(version)
    live = registry.current()
    assert live.calibrator is None
    assert live.reason is not None


def _names_the_same_files(path: Path, version: str) -> bool:
    """The byte may have been one of the date's."""
    return version_of(json.loads(path.read_bytes())["files"]) == version


def _must_not_be_built(*_: object) -> None:
    raise AssertionError("a damaged version was handed on")


@pytest.mark.parametrize("file", [*FILES, MANIFEST])
def test_a_missing_file_is_named(registry: Registry, trained: Trained, file: str) -> None:
    """Report A40: and saving the same training again mends it."""
    version = registry.save(trained)
    (registry.folder / version / file).unlink()
    with pytest.raises(DamagedVersion, match=file.replace(".", r"\.")):
        registry.load(version)
    assert registry.save(trained) == version
    assert registry.load(version).version == version


def test_a_version_of_other_features_is_refused(
    registry: Registry, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A41: the schema is looked at before LightGBM is."""
    version = registry.save(trained)
    registry.promote(version)
    monkeypatch.setattr("calibration.registry.schema_hash", lambda: "0" * 16)
    with pytest.raises(SchemaMismatch):
        registry.load(version)
    assert "train again" in str(registry.current().reason)


@pytest.mark.parametrize("name", ["..", "../calibrators", "/etc", "", ".", "0" * 16, "0" * 15 + "\n", "a" * 17])
def test_only_names_of_versions_are_looked_up(registry: Registry, trained: Trained, name: str) -> None:
    registry.save(trained)
    for act in (registry.load, registry.promote):
        with pytest.raises(UnknownVersion):
            act(name)
    with pytest.raises(UnknownVersion):
        registry.text(registry.versions()[0].version, "../../secret")


_TOO_DEEP = "[" * 200_000


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "hello", '{"current": "../x", "past": [], "history": []}',
                                  '{"current": null, "past": [], "history": "abc"}', _TOO_DEEP])  # fmt: skip
def test_a_damaged_pointer_means_no_calibrator(registry: Registry, trained: Trained, text: str) -> None:
    version = registry.save(trained)
    registry.promote(version)
    (registry.folder / POINTER).write_text(text)
    live = registry.current()
    assert live.calibrator is None
    assert POINTER in str(live.reason)
    registry.promote(version)
    assert registry.current().version == version


def test_a_manifest_that_nests_too_deeply_or_names_no_parent_is_damaged(registry: Registry, trained: Trained) -> None:
    version = registry.save(trained)
    registry.promote(version)
    path = registry.folder / version / MANIFEST
    told = json.loads(path.read_text())
    for text in (_TOO_DEEP, json.dumps(told | {"parent": [1]})):
        path.write_text(text)
        assert registry.current().calibrator is None
        (info,) = registry.versions()
        assert info.damaged


def test_a_folder_that_is_not_there_holds_nothing(registry: Registry) -> None:
    assert registry.versions() == ()
    assert registry.current().calibrator is None


_PROMOTE = """
import sys
from datetime import datetime
from pathlib import Path
from calibration.registry import Registry
registry = Registry(Path(sys.argv[1]), now=datetime.now)
print("ready", flush=True)
for turn in range(int(sys.argv[4])):
    registry.promote(sys.argv[2 + turn % 2])
"""


def _promoting(registry: Registry, first: str, second: str, turns: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _PROMOTE, str(registry.folder), first, second, str(turns)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once_lose_no_promotion(registry: Registry, trained: Trained, other: Trained) -> None:
    first, second = registry.save(trained), registry.save(other)
    with _promoting(registry, first, second, 5) as one, _promoting(registry, second, first, 5) as two:
        assert one.wait(60) == two.wait(60) == 0
    assert len(registry.pointer().history) == 10
    assert registry.current().version in {first, second}


def test_a_writer_killed_in_the_middle_leaves_a_current_version(
    registry: Registry, trained: Trained, other: Trained
) -> None:
    first, second = registry.save(trained), registry.save(other)
    registry.promote(first)
    with _promoting(registry, first, second, 100_000) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.02)
        os.kill(writer.pid, signal.SIGKILL)
    assert registry.current().version in {first, second}
    registry.promote(first)
    assert registry.current().version == first


def test_what_a_killed_writer_left_is_no_version_and_is_cleared(registry: Registry, trained: Trained) -> None:
    left = registry.folder / ".new-abc"
    left.mkdir(parents=True)
    (left / "model.txt").write_text("half")
    assert registry.versions() == ()
    registry.save(trained)
    assert not left.exists()


def test_the_card_says_what_it_promises_and_what_it_is_not_for(registry: Registry, trained: Trained) -> None:
    card = registry.text(registry.save(trained), "card.md")
    assert "With 90% confidence" in card
    assert "within 10.0%" in card
    assert "Not for" in card
    assert "| when |" in card and "| zh |" in card and "| synthetic |" in card
