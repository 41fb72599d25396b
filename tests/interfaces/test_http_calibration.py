"""Feedback, calibrators, jobs and metrics over HTTP, over a fake graph."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from calibration.registry import Registry
from calibration.train import train
from graphsvc.interfaces.http.app import create_app
from graphsvc.settings import Settings
from tests.builders import fixed_clock
from tests.calibrating import grouped_rows
from tests.interfaces.fake_calibration import GOOD, WORSE, said
from tests.interfaces.fakes import FakeGraph

Client = TestClient[Litestar]
MADE = 'import json,sys; order = json.loads(sys.stdin.readline()); print(json.dumps({"result": order}))'


@pytest.fixture
def client(graph: FakeGraph, tmp_path: Path) -> Iterator[Client]:
    graph.calibration.folder = tmp_path
    graph.add([{"text": "仓库九点关门", "id": "m1"}])
    with TestClient(create_app(graph, Settings()), raise_server_exceptions=False) as client:
        yield client


def asked(client: Client) -> str:
    return str(client.post("/v1/answer", json={"question": "九点"}).json()["trace_id"])


def test_feedback_reaches_the_graph_with_who_says_it(client: Client, graph: FakeGraph) -> None:
    body = {"trace_id": asked(client), "verdict": "corrected", "corrected_by": "m2", "memory_id": "m1"}
    kept = client.post("/v1/feedback", json=body, headers={"X-Actor": "Mei", "X-Reason": "asked"})
    assert kept.status_code == 200
    assert (kept.json()["verdict"], kept.json()["corrected_by"]) == ("corrected", "m2")
    act = graph.asked["by"]
    assert (act.actor, act.reason) == ("Mei", "asked")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"verdict": "accepted"}, 400),
        ({"trace_id": "t", "verdict": "good"}, 400),
        ({"trace_id": "t", "verdict": "accepted", "note": "text"}, 400),
        ({"trace_id": "t", "verdict": "accepted"}, 404),
    ],
)
def test_feedback_that_is_none_is_a_problem(client: Client, body: dict[str, str], status: int) -> None:
    told = client.post("/v1/feedback", json=body)
    assert told.status_code == status
    assert told.headers["content-type"] == "application/problem+json"


def test_another_namespaces_trace_is_not_judged(client: Client) -> None:
    body = {"trace_id": asked(client), "verdict": "accepted"}
    assert client.post("/v1/feedback", json=body, headers={"X-Namespace": "other"}).status_code == 404


def test_the_overview_shows_versions_state_and_drift(client: Client) -> None:
    told = client.get("/v1/calibration").json()
    assert (told["live"], told["target_error"], told["feedback"]) == (GOOD, 0.05, 2)
    assert [(one["version"], one["live"], one["usable"]) for one in told["versions"]] == [
        (GOOD, True, True),
        (WORSE, False, False),
    ]
    assert told["health"]["drift"][0]["name"] == "late"


def test_a_card_is_plain_text(client: Client) -> None:
    card = client.get(f"/v1/calibration/{GOOD}/card")
    assert (card.status_code, card.text) == (200, f"# card.md of {GOOD}\n")
    assert client.get("/v1/calibration/none/card").status_code == 404


@pytest.fixture
def trained(graph: FakeGraph, tmp_path: Path) -> str:
    """A version in a real registry behind the fake."""
    registry = Registry(tmp_path / "calibration", now=fixed_clock)
    graph.calibration.text = registry.text
    return registry.save(train(grouped_rows(200), target_error=0.2))


def test_a_report_is_one_page_with_its_pictures(client: Client, trained: str) -> None:
    shown = client.get(f"/v1/calibration/{trained}/report")
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert f"<title>Calibrator {trained}</title>" in shown.text
    assert shown.text.count('src="data:image/png;base64,') == 4
    unknown = client.get(f"/v1/calibration/{GOOD}/report")
    assert (unknown.status_code, unknown.json()["type"]) == (404, "urn:graphsvc:problem:not-found")


def test_a_report_without_what_draws_names_the_extra(
    client: Client, trained: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = client.get(f"/v1/calibration/{trained}/report")
    assert (told.status_code, told.json()["type"]) == (501, "urn:graphsvc:problem:extra-missing")
    assert told.json()["remedy"] == "pip install 'graphsvc[plots]'"


def test_promoting_shows_the_comparison_and_what_is_worse_is_409(client: Client, graph: FakeGraph) -> None:
    done = client.post("/v1/calibration/promote", json={"version": GOOD})
    assert (done.status_code, done.json()["compared"]["measures"]["error"]["new"]) == (200, 0.04)
    refused = client.post("/v1/calibration/promote", json={"version": WORSE})
    assert refused.status_code == 409
    assert refused.json()["type"] == "urn:graphsvc:problem:calibrator-refused"
    assert (refused.json()["detail"], refused.json()["where"]) == ("AUROC falls by 0.100", WORSE)
    body = {"version": WORSE, "anyway": True, "reason": "the pilot"}
    assert client.post("/v1/calibration/promote", json=body).json()["overruled"] == "AUROC falls"
    assert graph.asked["by"].reason == "the pilot"


def test_a_rollback_says_who_decides_now(client: Client) -> None:
    told = client.post("/v1/calibration/rollback").json()
    assert (told["live"], told["before"]) == (None, GOOD)


@pytest.fixture
def echoing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Training that gives back its order."""
    (tmp_path / "echo_order.py").write_text(MADE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("graphsvc.evaluate.training.MODULE", "echo_order")


def over(client: Client, job_id: str) -> dict[str, object]:
    end = time.monotonic() + 20
    while (told := client.get(f"/v1/jobs/{job_id}").json())["state"] == "running":
        assert time.monotonic() < end
        time.sleep(0.02)
    return dict(told)


@pytest.mark.usefixtures("echoing")
def test_training_is_a_job_on_the_namespaces_own_feedback(client: Client, graph: FakeGraph, tmp_path: Path) -> None:
    graph.calibration.words = [said("t1"), said("t2", namespace="other")]
    begun = client.post("/v1/calibration/train", json={"target_error": 0.1, "stories": False})
    assert begun.status_code == 202
    done = over(client, begun.json()["id"])
    order = done["result"]
    assert isinstance(order, dict)
    assert (order["target_error"], order["folder"], order["encoder"]) == (0.1, str(tmp_path), "fake")
    (rows,) = order["files"]
    kept = Path(rows).read_text(encoding="utf-8")
    assert "feedback:t1" in kept
    assert "feedback:t2" not in kept


@pytest.mark.usefixtures("echoing")
def test_without_feedback_and_stories_nothing_is_begun(client: Client) -> None:
    refused = client.post("/v1/calibration/train", json={"stories": False})
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:graphsvc:problem:training-refused")
    neither = client.post("/v1/calibration/train", json={"stories": False, "from_feedback": False})
    assert neither.status_code == 400
    assert client.post("/v1/calibration/train", json={"target_error": 1.5}).status_code == 400


def test_only_one_job_runs_and_it_ends_with_the_service(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sleepy.py").write_text("import time; time.sleep(60)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("graphsvc.evaluate.training.MODULE", "sleepy")
    first = client.post("/v1/calibration/train", json={})
    second = client.post("/v1/calibration/train", json={})
    assert (first.status_code, second.status_code) == (202, 409)
    assert (second.json()["type"], second.json()["where"]) == ("urn:graphsvc:problem:job-running", first.json()["id"])


def test_an_unknown_job_is_404(client: Client) -> None:
    assert client.get("/v1/jobs/job_0").status_code == 404


def test_drift_warns_in_health_and_fails_nothing(client: Client) -> None:
    told = client.get("/health/ready")
    assert (told.status_code, told.json()) == (200, {"status": "ready", "warnings": ["late has moved"]})


def test_metrics_are_in_the_text_format(client: Client) -> None:
    told = client.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = told.text.splitlines()
    assert "graphsvc_acceptance_rate 0.5" in lines
    assert 'graphsvc_calibration_drift{feature="late"} 0.4' in lines
    assert 'graphsvc_answers_total{status="answered"} 3' in lines
    assert "# TYPE graphsvc_answers_total counter" in lines
    assert told.text.endswith("\n")
