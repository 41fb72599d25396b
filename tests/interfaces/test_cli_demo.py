"""The demo over a fake graph and a story of three lines."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphsvc.errors import EncoderMismatch
from graphsvc.interfaces.cli.root import cli
from graphsvc.memory_graph import MemoryGraph
from tests.interfaces.fakes import FakeGraph

FIRST, SECOND, ASKED = (f"2026-03-0{day}T09:00:00+08:00" for day in (1, 2, 3))
LINES = [
    {"kind": "memory", "id": "m2", "text": "仓库改为七点关门", "event_time": SECOND, "note": "later"},
    {"kind": "memory", "id": "m1", "text": "仓库六点关门", "event_time": FIRST},
    {"kind": "query", "id": "q1", "text": "仓库", "asked_at": ASKED, "asked_by": "Mei", "demo": True},
    {"kind": "query", "id": "q2", "text": "不问", "asked_at": ASKED},
]


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in LINES), encoding="utf-8")
    return path


@pytest.fixture
def opened(graph: FakeGraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    urls: list[str] = []

    def open_fake(url: str, *, settings: object, rebind: bool) -> FakeGraph:
        urls.append(url)
        return graph

    monkeypatch.setattr(MemoryGraph, "open", open_fake)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHSVC_STORE", raising=False)
    return urls


def test_the_story_is_loaded_in_order_and_only_marked_questions_are_asked(graph, opened, story):
    result = CliRunner().invoke(cli, ["demo", "--story", str(story)])
    assert result.exit_code == 0
    assert opened == ["sqlite:///.graphsvc/demo"]
    assert [memory_id for _, memory_id in graph.memories] == ["m1", "m2"]
    assert graph.asked["asked_by"] == "Mei"
    assert "不问" not in result.stdout
    for part in ("answered", "stored 2 → rank 2", "graphsvc serve --store .graphsvc/demo", "/v1/answer"):
        assert part in result.stdout


def test_a_question_of_the_past_is_asked_as_of_its_moment_and_says_so(graph, opened, tmp_path):
    path = tmp_path / "past.jsonl"
    past = {"kind": "query", "text": "仓库", "asked_at": ASKED, "as_of": FIRST, "demo": True}
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in (*LINES[:2], past)), encoding="utf-8")
    shown = CliRunner().invoke(cli, ["demo", "--story", str(path)]).stdout
    assert graph.asked["as_of"] == datetime.fromisoformat(FIRST)
    assert "仓库 (as of 2026-03-01)" in shown


def test_a_fresh_demo_forgets_the_last_one_and_a_given_store_keeps_its_memories(graph, opened, story):
    graph.add(["旧事"])
    CliRunner().invoke(cli, ["demo", "--story", str(story), "--store", "mine"])
    assert len(graph.memories) == 3
    CliRunner().invoke(cli, ["demo", "--story", str(story)])
    assert len(graph.memories) == 2


def test_json_holds_question_and_answer_and_nothing_else(opened, story):
    told = json.loads(CliRunner().invoke(cli, ["demo", "--story", str(story), "--json"]).stdout)
    assert [(one["question"]["text"], one["answer"]["status"]) for one in told] == [("仓库", "answered")]


def test_a_demo_store_of_another_encoder_says_which_folder_to_remove(graph, opened, story):
    graph.failure = EncoderMismatch("written by another encoder")
    result = CliRunner().invoke(cli, ["demo", "--story", str(story)])
    assert (result.exit_code, ".graphsvc/demo" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "text", ["", "{broken", '{"kind": "memory", "id": "m1", "text": "x"}', '{"kind": "memory", "id": 3}']
)
def test_a_story_that_is_none_is_refused_with_its_place(opened, tmp_path, text):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    result = CliRunner().invoke(cli, ["demo", "--story", str(path)])
    assert (result.exit_code, "bad.jsonl" in result.stderr or "m1" in result.stderr) == (2, True)
