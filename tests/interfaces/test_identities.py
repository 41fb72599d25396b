"""Aliases, merges and candidates over HTTP and on the command line, over a real graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from litestar import Litestar
from litestar.testing import TestClient

from graphsvc.interfaces.cli.root import cli
from graphsvc.interfaces.http.app import create_app
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from tests.graphs import open_graph

Run = Callable[..., Result]
MAILS = (
    {"id": "one", "text": "Signed.", "sender": "Robert Miller <rob@a.example>"},
    {"id": "two", "text": "Signed too.", "sender": "Bob Miller <bob@b.example>"},
)


@pytest.fixture
def real(tmp_path: Path) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path) as graph:
        graph.add(MAILS)
        yield graph


@pytest.fixture
def asked(real: MemoryGraph) -> Iterator[TestClient[Litestar]]:
    with TestClient(create_app(real, Settings()), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def run(real: MemoryGraph, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(MemoryGraph, "open", lambda url, *, settings, rebind: real)
    monkeypatch.setattr(MemoryGraph, "close", lambda graph: None)
    return lambda *args, **options: CliRunner().invoke(cli, ["aliases", *map(str, args)], **options)


def test_a_candidate_is_shown_accepted_and_undone(asked):
    """Report A23: a likely one stays apart until somebody confirms."""
    (found,) = asked.get("/v1/entities/candidates").json()["candidates"]
    pair = {"kept": found["left"]["entity"], "joined": found["right"]["entity"]}
    assert (found["likeness"], pair["kept"]) == ("nickname", "person:bob@b.example")
    made = asked.post("/v1/merges", json={**pair, "candidate": True, "by": "ann"})
    assert (made.status_code, made.json()["rule"], made.json()["made_by"]) == (201, "candidate", "ann")
    (bob,) = asked.get("/v1/entities", params={"name": "Bob Miller"}).json()["entities"]
    assert bob["members"] == ["person:bob@b.example", "person:rob@a.example"]
    assert asked.post("/v1/merges", json=pair).status_code == 409
    undone = asked.delete(f"/v1/merges/{made.json()['id']}")
    assert (undone.status_code, undone.json()["undone_by"]) == (200, "http")
    assert asked.delete(f"/v1/merges/{made.json()['id']}").status_code == 409
    assert [one["id"] for one in asked.get("/v1/merges").json()["merges"]] == [made.json()["id"]]


def test_aliases_are_added_listed_and_removed(asked):
    added = asked.post("/v1/aliases", json={"alias": "the boss", "of": "rob@a.example"})
    assert (added.status_code, added.json()["entity"]) == (201, "person:rob@a.example")
    assert [one["alias"] for one in asked.get("/v1/aliases").json()["aliases"]] == ["the boss"]
    assert len(asked.get("/v1/entities", params={"name": "the boss"}).json()["entities"]) == 1
    removed = asked.delete("/v1/aliases", params={"alias": "the boss", "of": "rob@a.example"})
    assert removed.json() == {"alias": "the boss", "count": 1}
    assert asked.delete("/v1/aliases", params={"alias": "the boss", "of": "rob@a.example"}).status_code == 404


def test_a_table_is_exported_and_imported(asked):
    asked.post("/v1/aliases", json={"alias": "the boss", "of": "rob@a.example"})
    table = asked.get("/v1/aliases/table", params={"format": "csv"}).json()
    assert table == {"format": "csv", "table": "alias,of\nthe boss,person:rob@a.example\n"}
    imported = asked.post("/v1/aliases/table", json=table, headers={"X-Namespace": "other"})
    assert [one["alias"] for one in imported.json()["aliases"]] == ["the boss"]


def test_entities_are_listed_a_page_at_a_time(asked):
    first = asked.get("/v1/entities", params={"limit": 2}).json()
    rest = asked.get("/v1/entities", params={"limit": 100, "after": first["after"]}).json()
    listed = [one["entity"] for one in (*first["entities"], *rest["entities"])]
    assert {"person:bob@b.example", "person:rob@a.example"} <= set(listed)
    assert len(listed) == len(set(listed))
    assert rest["after"] is None


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/aliases", {"alias": "", "of": "rob@a.example"}, 400, "text-refused"),
        ("POST", "/v1/aliases", {"alias": "x" * 1_000_000, "of": "rob@a.example"}, 400, "text-refused"),
        ("POST", "/v1/aliases", {"alias": "Rob"}, 400, "field-invalid"),
        ("POST", "/v1/aliases", {"alias": "Rob", "of": "miller"}, 201, None),
        ("POST", "/v1/merges", {"kept": "rob@a.example", "joined": "rob@a.example"}, 409, "merge-refused"),
        ("POST", "/v1/merges", {"kept": "rob@a.example", "joined": "no@a.example"}, 404, "not-found"),
        ("POST", "/v1/aliases/table", {"format": "xml", "table": ""}, 400, "field-invalid"),
        ("POST", "/v1/aliases/table", {"table": "alias = "}, 400, "field-invalid"),
        ("GET", "/v1/entities?colour=red", None, 400, "field-invalid"),
        ("DELETE", "/v1/merges/m7", None, 404, "not-found"),
    ],
)
def test_what_is_refused_is_named(asked, *, method, path, body, status, code):
    answer = asked.request(method, path, json=body)
    assert answer.status_code == status
    assert answer.json().get("type", "").removeprefix("urn:graphsvc:problem:") == (code or "")


def test_the_command_line_adds_merges_lists_and_undoes(run):
    assert run("add", "the boss", "--of", "rob@a.example").exit_code == 0
    assert "the boss" in run("list").output
    (pair,) = json.loads(run("candidates", "--json").stdout)
    made = json.loads(run("merge", pair["left"]["entity"], pair["right"]["entity"], "--candidate", "--json").stdout)
    assert made["rule"] == "candidate"
    assert "in force" in run("merges").output
    assert "apart" in run("undo", made["id"]).output
    assert json.loads(run("merges", "--json").stdout)[0]["undone_by"] == "local"
    assert run("remove", "the boss", "--of", "rob@a.example").exit_code == 0
    assert json.loads(run("list", "--json").stdout) == []


@pytest.mark.parametrize("suffix", ["toml", "csv"])
def test_the_command_line_exports_what_it_imports(run, tmp_path, suffix):
    run("add", "老板", "--of", "rob@a.example")
    shown = run("export", "--format", suffix)
    assert shown.exit_code == 0, (shown.output, shown.exception)
    exported = shown.stdout
    file = tmp_path / f"table.{suffix}"
    file.write_text(exported, encoding="utf-8")
    run("remove", "老板", "--of", "rob@a.example")
    result = run("import", file)
    assert result.exit_code == 0, exported
    assert run("export", "--format", suffix).stdout == exported


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("add", "", "--of", "rob@a.example"), "empty"),
        (("undo", "m9"), "no such merge"),
        (("merge", "rob@a.example", "rob@a.example"), "itself"),
        (("import", "nowhere.toml"), "nowhere.toml"),
        (("import", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_the_command_line_says_what_is_wrong(run, args, told):
    result = run(*args)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("author", ["", " ", "ann\udcff", "ann\0", "a" * 501])
def test_who_says_so_is_text_that_a_record_can_hold(run, author):
    for command in (
        ("add", "the boss", "--of", "rob@a.example"),
        ("merge", "rob@a.example", "bob@b.example"),
        ("undo", "m1"),
    ):
        result = run(*command, "--by", author)
        assert (result.exit_code, "by, character" in result.stderr) == (2, True)
    assert run("merges").stdout.strip() == "none"


@pytest.mark.parametrize("who", ["person:", "person: ", "organisation:"])
def test_an_entity_id_without_a_name_is_refused(asked, who):
    assert asked.post("/v1/aliases", json={"alias": "the boss", "of": who}).status_code == 400
