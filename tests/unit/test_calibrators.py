"""The calibrators of an installation: trained, laid side by side, promoted, rolled back, and watched."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.dataset import Dataset, Row
from calibration.drift import FEWEST_RECENT
from calibration.features import NAMES
from calibration.thresholds import NOTHING, Basis, Bound, Thresholds
from calibration.train import train
from graphsvc.errors import CalibratorRefused, FieldInvalid, NotFound, TrainingRefused
from graphsvc.evaluate.training import MODULE, Order, make, run
from graphsvc.jobs import Jobs
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Decision
from graphsvc.models.audit import Act, Action
from graphsvc.models.calibration import JobState
from graphsvc.retrieve.accept.judge import Decider
from graphsvc.settings import Settings
from graphsvc.supervise.health import EVERY_S, Watch, health_of
from graphsvc.supervise.rows import keep_rows
from tests.builders import NOW, fixed_clock
from tests.calibrating import grouped_rows

ROOT = Path(__file__).parents[2]
MEI = Act(actor="Mei", reason="the pilot asked for it")


@pytest.fixture
def graph(shared: MemoryGraph) -> Iterator[MemoryGraph]:
    yield shared
    (shared.calibration.folder / "current.json").unlink(missing_ok=True)
    shared.calibration.judge.renew()


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return grouped_rows(600).rows()


def made(graph: MemoryGraph, rows: Sequence[Row], target_error: float = 0.1) -> str:
    encoder = str(graph.encoder.fingerprint)
    return make(rows, graph.calibration.registry, target_error=target_error, encoder=encoder).version


def strict(graph: MemoryGraph, rows: list[Row], threshold: float) -> str:
    """A version that accepts less than it could."""
    nothing = Thresholds(0.5, 0.9, 0.0, Bound(threshold, Basis.GLOBAL, "by hand", 1, 1))
    version = graph.calibration.registry.save(replace(train(Dataset.of(rows), target_error=0.1), thresholds=nothing))
    keep_rows(graph.calibration.folder, version, rows)
    return version


def test_the_first_version_is_laid_beside_the_rule_and_promoted(graph: MemoryGraph, rows: list[Row]) -> None:
    version = made(graph, rows)
    done = graph.calibration.promote(version, by=MEI)
    assert (done.live, done.before, done.overruled) == (version, None, None)
    assert done.compared is not None
    assert done.compared.against.startswith("fallback-rule")
    assert set(done.compared.measures) == {"error", "coverage", "auroc", "brier", "ece"}
    assert 0 < done.compared.rows < len(rows)
    assert graph.calibration.judge.now().version == version


def test_one_that_is_worse_is_refused_unless_a_reason_overrules(graph: MemoryGraph, rows: list[Row]) -> None:
    good, worse = made(graph, rows, 0.3), strict(graph, rows, 0.99)
    graph.calibration.promote(good)
    with pytest.raises(CalibratorRefused, match="coverage falls"):
        graph.calibration.promote(worse)
    assert graph.calibration.judge.now().version == good
    with pytest.raises(FieldInvalid):
        graph.calibration.promote(worse, anyway=True)
    done = graph.calibration.promote(worse, anyway=True, by=MEI)
    assert "coverage falls" in str(done.overruled)
    assert graph.calibration.judge.now().version == worse


def test_one_that_accepts_nothing_needs_a_reason(graph: MemoryGraph, rows: list[Row]) -> None:
    """Against the rule it is no worse: what is not accepted is not wrong either."""
    with pytest.raises(CalibratorRefused, match="it accepts nothing"):
        graph.calibration.promote(strict(graph, rows, NOTHING))


def test_one_without_held_out_rows_needs_a_reason(graph: MemoryGraph, rows: list[Row]) -> None:
    version = graph.calibration.registry.save(train(Dataset.of(rows), target_error=0.15))
    with pytest.raises(CalibratorRefused, match="no rows"):
        graph.calibration.promote(version)
    assert graph.calibration.promote(version, anyway=True, by=MEI).compared is None


def test_a_rollback_goes_back_and_both_are_journalled(graph: MemoryGraph, rows: list[Row]) -> None:
    first, second = made(graph, rows), made(graph, rows, 0.2)
    with pytest.raises(CalibratorRefused, match="nothing was promoted"):
        graph.calibration.rollback()
    graph.calibration.promote(first, anyway=True, namespace="north", by=MEI)
    graph.calibration.promote(second, anyway=True, namespace="north", by=MEI)
    assert graph.calibration.rollback(namespace="north", by=MEI).live == first
    assert graph.calibration.rollback(namespace="north").live is None
    entries = graph.audit.read("north", actions=(Action.PROMOTE, Action.ROLLBACK)).entries[-4:]
    assert [one.action for one in entries] == [Action.PROMOTE] * 2 + [Action.ROLLBACK] * 2
    assert [one.subject for one in entries] == [first, second, first, None]
    assert json.loads(str(entries[1].before)) == {"version": first}
    assert {one.reason for one in entries[:3]} == {MEI.reason}
    assert graph.audit.verify().holds


def test_what_is_damaged_or_unknown_is_not_promoted(graph: MemoryGraph, rows: list[Row]) -> None:
    with pytest.raises(NotFound):
        graph.calibration.promote("0" * 16, anyway=True, by=MEI)
    version = made(graph, rows, 0.12)
    (graph.calibration.folder / version / "model.txt").write_text("hello")
    with pytest.raises(CalibratorRefused, match=r"model\.txt"):
        graph.calibration.promote(version, anyway=True, by=MEI)
    (shown,) = (one for one in graph.calibration.overview().versions if one.version == version)
    assert not shown.usable
    assert "model.txt" in str(shown.damaged)


def test_the_overview_tells_who_decides_and_what_there_is(graph: MemoryGraph, rows: list[Row]) -> None:
    version = made(graph, rows)
    before = graph.calibration.overview()
    assert before.live is None
    assert before.note is not None
    assert before.note.startswith("no calibrator is promoted")
    graph.calibration.promote(version)
    after = graph.calibration.overview()
    assert (after.live, after.note, after.target_error) == (version, None, 0.1)
    (shown,) = (one for one in after.versions if one.live)
    assert (shown.version, shown.usable, shown.target_error) == (version, True, 0.1)
    assert after.history[-1]["version"] == version
    assert graph.calibration.text(version, "card.md").startswith("# Calibrator")


def test_too_few_rows_are_refused_with_their_counts(graph: MemoryGraph, rows: list[Row]) -> None:
    """Report A39: twelve rows are no ground for a calibrator."""
    before = graph.calibration.overview().versions
    with pytest.raises(TrainingRefused) as refused:
        made(graph, rows[:12])
    assert "rows to fit on" in refused.value.where
    with pytest.raises(TrainingRefused):
        made(graph, [])
    with pytest.raises(FieldInvalid):
        made(graph, rows, 1.0)
    assert graph.calibration.overview().versions == before


def decisions(rows: Dataset, method: str, count: int) -> list[Decision]:
    told = [
        {name: None if np.isnan(value) else float(value) for name, value in zip(NAMES, line, strict=True)}
        for line in rows.features[:count]
    ]
    return [
        Decision(method=method, threshold=0.5, probability=0.9 if number % 2 else 0.1, features=one)
        for number, one in enumerate(told)
    ]


def test_drift_is_told_where_questions_are_otherwise_and_only_there() -> None:
    data = grouped_rows(400)
    by = Decider(train(data, target_error=0.1).calibrator("0" * 16))
    same = health_of(decisions(grouped_rows(200, seed=5), by.method, 500), by, at=NOW)
    moved = grouped_rows(200, seed=5)
    moved.features[:, NAMES.index("late")] *= 0.2
    other = health_of(decisions(moved, by.method, 500), by, at=NOW)
    assert same.recent == other.recent == 500
    assert same.acceptance_rate == 0.5
    assert "late" not in {one.name for one in same.drift if one.level == "drift"}
    assert other.level == "drift"
    assert any(told.startswith("late has moved") for told in other.warnings)


def test_too_few_recent_decisions_warn_of_nothing() -> None:
    by = Decider(train(grouped_rows(400), target_error=0.1).calibrator("0" * 16))
    found = health_of(decisions(grouped_rows(200, seed=5), by.method, FEWEST_RECENT - 1), by, at=NOW)
    assert (found.level, found.drift, found.warnings) == ("too_few", (), ())
    nothing = health_of([], Decider(note="no calibrator is promoted"), at=NOW)
    assert (nothing.acceptance_rate, nothing.level, nothing.drift, nothing.warnings) == (None, None, (), ())


def test_health_is_looked_at_once_a_minute(graph: MemoryGraph) -> None:
    seconds = [0.0]
    watch = Watch(graph.store.traces, graph.calibration.judge, fixed_clock, lambda: seconds[0])
    first = watch.health()
    graph.answer("Who feeds the cat?")
    assert watch.health() is first
    seconds[0] += EVERY_S
    assert watch.health() is not first


def test_answers_are_counted_by_status(graph: MemoryGraph) -> None:
    before = dict(graph.calibration.watch.answers)
    status = graph.answer("Who feeds the cat?").status
    assert graph.calibration.watch.answers[status] == before[status] + 1


def test_an_order_is_carried_out_in_a_process_of_its_own(
    graph: MemoryGraph, rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    keep_rows(tmp_path, "given", rows)
    order = _order(graph, tmp_path, tmp_path / "rows" / "given.jsonl", target_error=0.1)
    jobs = Jobs(tmp_path, clock=fixed_clock)
    job = jobs.start("train", [sys.executable, "-m", MODULE], order.model_dump(mode="json"))
    end = time.monotonic() + 60
    while jobs.get(job.id).state is JobState.RUNNING and time.monotonic() < end:
        time.sleep(0.05)
    done = jobs.get(job.id)
    assert done.state is JobState.DONE, done
    assert done.result is not None
    assert done.stage == "training: done"
    here = run(order.model_copy(update={"folder": tmp_path / "again"}), fixed_clock, lambda *_: None)
    assert done.result == {"version": here.version, "rows": len(rows)}


def test_an_order_holds_what_settings_hide(graph: MemoryGraph, tmp_path: Path) -> None:
    settings = Settings(openai_key="sk-1", calibration=tmp_path)
    order = Order.of(settings, graph, files=(), target_error=0.1)
    read = Order.model_validate_json(order.model_dump_json())
    assert Settings.model_validate(read.settings) == settings


def _order(graph: MemoryGraph, folder: Path, file: Path, target_error: float) -> Order:
    order = Order.of(Settings(), graph, files=(file,), target_error=target_error)
    return order.model_copy(update={"folder": folder})
