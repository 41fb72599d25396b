"""`graphsvc feedback` and `graphsvc calibrate`, over a fake graph and over files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

from calibration.registry import Registry
from calibration.rows_file import write_rows
from tests.builders import fixed_clock
from tests.calibrating import grouped_rows
from tests.interfaces.fake_calibration import GOOD, WORSE
from tests.interfaces.fakes import FakeGraph

Run = Callable[..., Result]


@pytest.fixture
def registry(graph: FakeGraph, tmp_path: Path) -> Registry:
    """A real one behind the fake."""
    registry = Registry(tmp_path / "calibration", now=fixed_clock)
    graph.calibration.folder = registry.folder
    graph.calibration.registry = registry
    graph.calibration.text = registry.text
    return registry


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    write_rows(path, grouped_rows(200).rows())
    return path


@pytest.mark.parametrize(
    ("given", "verdict"),
    [(["--accept"], "accepted"), (["--reject"], "rejected"), (["--corrected-by", "m2"], "corrected")],
)
def test_a_word_on_an_answer_is_kept(run: Run, graph: FakeGraph, given: list[str], verdict: str) -> None:
    graph.add([{"text": "仓库九点关门", "id": "m1"}])
    trace = graph.answer("九点").trace_id
    told = run("--actor", "Mei", "--reason", "asked", "feedback", trace, *given)
    assert told.exit_code == 0, told.output
    assert f"{trace} {verdict}; to be learnt from" in told.output
    assert (graph.asked["verdict"], graph.asked["by"].actor, graph.asked["by"].reason) == (verdict, "Mei", "asked")
    assert json.loads(run("feedback", trace, *given, "--json").output)["verdict"] == verdict


@pytest.mark.parametrize("given", [[], ["--accept", "--reject"], ["--accept", "--corrected-by", "m2"]])
def test_one_word_is_asked_for(run: Run, given: list[str]) -> None:
    told = run("feedback", "t", *given)
    assert told.exit_code == 2
    assert "one of --accept, --reject and --corrected-by" in told.output


def test_an_unknown_trace_is_told(run: Run) -> None:
    told = run("feedback", "t_none", "--accept")
    assert (told.exit_code, told.stderr) == (2, "error: no such trace / t_none\n")


def test_the_list_shows_who_decides_and_what_has_drifted(run: Run) -> None:
    told = run("calibrate", "list").output
    assert f"decides: calibrator {GOOD}" in told
    assert "error of 5.0%" in told
    assert "model.txt is missing" in told
    assert "late 0.40" in told
    assert "late has moved" in told
    assert json.loads(run("calibrate", "list", "--json").output)["live"] == GOOD


def test_promoting_shows_the_comparison_and_refuses_what_is_worse(run: Run, graph: FakeGraph) -> None:
    told = run("calibrate", "promote", GOOD).output
    assert f"{GOOD} decides from now on" in told
    assert "-0.200 to -0.100" in told
    refused = run("calibrate", "promote", WORSE)
    assert refused.exit_code == 2
    assert "AUROC falls by 0.100" in refused.stderr
    overruled = run("calibrate", "promote", WORSE, "--anyway", "--reason", "the pilot")
    assert "AUROC falls" in overruled.output
    assert graph.asked["by"].reason == "the pilot"


def test_a_rollback_says_who_decides_now(run: Run) -> None:
    assert "the fallback rule decides from now on" in run("calibrate", "rollback").output


def test_a_card_is_printed(run: Run) -> None:
    assert run("calibrate", "card", GOOD).output == f"# card.md of {GOOD}\n"


def test_training_keeps_a_version_with_its_rows(run: Run, registry: Registry, rows: Path) -> None:
    told = json.loads(run("calibrate", "train", rows, "--target-error", "0.2", "--json").output)
    assert (told["rows"], told["folder"]) == (600, str(registry.folder))
    assert registry.load(told["version"]).thresholds.target_error == 0.2
    assert registry.pointer().current is None
    assert (registry.folder / "rows" / f"{told['version']}.jsonl").is_file()


def test_with_out_the_version_is_promoted_there_and_undated(
    run: Run, registry: Registry, rows: Path, tmp_path: Path
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        told = run("calibrate", "train", rows, "--target-error", "0.2", "--out", folder)
        assert told.exit_code == 0, told.output
    one, two = ({path.relative_to(folder): path.read_bytes() for path in files(folder)} for folder in folders)
    assert one == two
    assert len(one) >= 7
    assert registry.versions() == ()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.usefixtures("registry")
def test_training_on_nothing_or_too_little_is_told(run: Run, tmp_path: Path) -> None:
    assert "nothing to train on" in run("calibrate", "train").stderr
    assert "--target-error" in run("calibrate", "train", "x", "--target-error", "2").stderr
    write_rows(tmp_path / "few.jsonl", grouped_rows(4).rows())
    told = run("calibrate", "train", tmp_path / "few.jsonl")
    assert told.exit_code == 2
    assert "rows to fit on" in told.stderr
    (tmp_path / "torn.jsonl").write_text('{"kind": "calibration-rows", "format": 1, "schema": "0"}\n')
    assert "other features" in run("calibrate", "train", tmp_path / "torn.jsonl").stderr


def test_measuring_lays_a_version_beside_simpler_ways(run: Run, registry: Registry, rows: Path) -> None:
    version = json.loads(run("calibrate", "train", rows, "--json").output)["version"]
    told = json.loads(run("calibrate", "evaluate", rows, "--version", version, "--json").output)
    assert [one["name"].split(" from")[0] for one in told] == [
        f"calibrator {version}",
        "fallback-rule",
        "similarity",
        "whatever comes first",
    ]
    assert told[0]["auroc"] > told[1]["auroc"]
    shown = run("calibrate", "evaluate", rows, "--version", version).output
    assert "whatever comes first" in shown
    assert registry.versions()


def test_a_report_is_drawn_into_a_folder(run: Run, rows: Path, registry: Registry, tmp_path: Path) -> None:
    version = json.loads(run("calibrate", "train", rows, "--json").output)["version"]
    told = run("calibrate", "report", "--version", version, "--out", tmp_path / "drawn")
    assert told.output == f"{tmp_path / 'drawn' / 'report.html'}\n"
    assert {one.name for one in (tmp_path / "drawn").iterdir()} == {
        "reliability.png",
        "risk_coverage.png",
        "importance.png",
        "thresholds.png",
        "report.html",
    }
    assert "no calibrator decides now" in run("calibrate", "report").stderr
    assert registry.versions()


def test_without_what_draws_the_extra_is_named(
    run: Run, rows: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = json.loads(run("calibrate", "train", rows, "--json").output)["version"]
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    told = run("calibrate", "report", "--version", version)
    assert told.exit_code == 2
    assert "pip install 'graphsvc[plots]'" in told.stderr
    assert registry.versions()


def test_an_answer_shows_who_did_not_decide_its_target_and_what_was_explored(run: Run, graph: FakeGraph) -> None:
    graph.add([{"text": "仓库九点关门", "id": "m1"}])
    answered = graph.answer("九点")
    (evidence,) = answered.evidence
    behind = graph.trace(answered.trace_id)
    graph.given = (answered.model_copy(update={"calibration": "no calibrator is promoted"}), behind)
    assert "no calibrator is promoted" in run("answer", "九点").output
    graph.given = (answered.model_copy(update={"target_error": 0.05, "explored": evidence}), behind)
    shown = run("answer", "九点").output
    assert "at most 5.0%" in shown
    assert "not reliable, shown to be judged" in shown
    assert SimpleNamespace(**json.loads(run("answer", "九点", "--json").output)).target_error == 0.05
