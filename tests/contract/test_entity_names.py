"""What an entity is called when a memory that taught it a name is gone: by what those say that stay, and no more."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import EntityId
from graphsvc.models.graph import Entity
from graphsvc.store.filters import EVERYTHING, eq
from graphsvc.store.sqlite import names
from graphsvc.store.sqlite.names import Said, plain_fold
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, edge, entity, entity_node, entry, memory, memory_node
from tests.graphs import open_graph

ANNA = EntityId("person:anna@keep.org")
TEACHING = "Qwertyzx Plumbob <anna@keep.org>"
PIECES = ("qwertyzx", "plumbob")


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path) as opened:
        yield opened


def pieces_in(folder: Path) -> set[str]:
    """The pieces of the taught name that any file or packed value of the store holds, in whatever case."""
    found: set[str] = set()
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        data = [file.read_bytes(), *(_unpacked(file) if file.suffix == ".sqlite3" else ())]
        found |= {piece for piece in PIECES for one in data if piece.encode() in one.lower()}
    return found


def _unpacked(file: Path) -> Iterator[bytes]:
    with closing(sqlite3.connect(file)) as conn:
        for (table,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in conn.execute(f"SELECT * FROM {table}").fetchall():
                for value in row:
                    if isinstance(value, bytes):
                        with suppress(zlib.error):
                            yield zlib.decompress(value)


def known(graph: MemoryGraph, one: EntityId = ANNA) -> Entity:
    return graph.store.entities("default", ids=[one])[0]


class TestDeleting:
    @pytest.mark.parametrize("taught_first", [True, False])
    @pytest.mark.parametrize("field", ["sender", "recipients", "cc", "responsible_party"])
    def test_no_byte_of_a_name_is_left_that_only_the_deleted_memory_taught(
        self, graph: MemoryGraph, tmp_path: Path, field: str, taught_first: bool
    ) -> None:
        named: object = [TEACHING] if field in {"recipients", "cc"} else TEACHING
        items = [
            {"id": "taught", "text": "the pump is repaired", field: named},
            {"id": "stays", "text": "the lift is repaired", "sender": "anna@keep.org"},
        ]
        for item in items if taught_first else reversed(items):
            graph.add([item])
        assert "qwertyzx plumbob" in known(graph).aliases
        assert pieces_in(tmp_path / "store") == set(PIECES)
        graph.delete("taught")
        assert known(graph).name == "anna@keep.org"
        assert known(graph).aliases == ("anna", "anna@keep.org")
        graph.purge()
        assert pieces_in(tmp_path / "store") == set()
        assert graph.audit.verify().holds

    def test_a_revision_that_names_nobody_takes_the_name_back_too(self, graph: MemoryGraph, tmp_path: Path) -> None:
        graph.add([{"id": "stays", "text": "the lift is repaired", "sender": "anna@keep.org"}])
        graph.add([{"id": "taught", "text": "the pump is repaired", "sender": TEACHING}])
        graph.update("taught", {"sender": "anna@keep.org"})
        assert known(graph).name == "anna@keep.org"
        graph.delete("taught")
        graph.purge()
        assert pieces_in(tmp_path / "store") == set()

    def test_a_name_that_another_memory_has_stays(self, graph: MemoryGraph) -> None:
        graph.add([{"id": "one", "text": "the pump is repaired", "sender": TEACHING}])
        graph.add([{"id": "two", "text": "the lift is repaired", "sender": TEACHING}])
        before = known(graph)
        graph.delete("one")
        assert known(graph) == before

    def test_the_name_is_chosen_anew_from_what_is_left(self, graph: MemoryGraph) -> None:
        graph.add([{"id": "one", "text": "the pump is repaired", "sender": TEACHING}])
        graph.add([{"id": "two", "text": "the lift is repaired", "sender": "Anna Keep <anna@keep.org>"}])
        assert known(graph).name == "Qwertyzx Plumbob"
        graph.delete("one")
        assert known(graph).name == "Anna Keep"
        assert known(graph).aliases == ("anna", "anna keep", "anna@keep.org")

    def test_what_a_user_says_of_somebody_stays(self, graph: MemoryGraph) -> None:
        graph.add([{"id": "one", "text": "the pump is repaired", "sender": TEACHING}])
        graph.add([{"id": "two", "text": "the lift is repaired", "sender": "anna@keep.org"}])
        graph.identities().add("Qwertyzx Plumbob", of=ANNA, by="bert")
        graph.delete("one")
        assert [one.alias for one in graph.store.identities.aliases("default")] == ["Qwertyzx Plumbob"]

    def test_a_chinese_name_written_otherwise_is_known_again(self, graph: MemoryGraph) -> None:
        graph.add([{"id": "one", "text": "泵修好了", "sender": "張偉 <anna@keep.org>"}])
        graph.add([{"id": "two", "text": "电梯修好了", "sender": "张伟 <anna@keep.org>"}])
        graph.delete("one")
        assert "张伟" in known(graph).aliases
        graph.add([{"id": "three", "text": "门修好了", "sender": "anna@keep.org"}])
        graph.delete("two")
        assert known(graph).aliases == ("anna", "anna@keep.org")


class TestManyTies:
    def test_an_entity_of_many_ties_keeps_its_names_until_a_purge(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(names, "FEW_TIES", 3)
        store = SqliteStore(tmp_path)
        who = "person:anna@keep.org"
        given = [entity(who, "anna@keep.org", "qwertyzx plumbob", name="Qwertyzx Plumbob")]
        store.put(
            [
                entry(
                    f"m{n}",
                    f"note {n}",
                    sender=TEACHING if n == 0 else "anna@keep.org",
                    entities=given,
                    edges=[edge(memory_node(f"m{n}"), entity_node(who))],
                )
                for n in range(6)
            ]
        )
        store.delete("default", eq("id", "m0"))
        assert "qwertyzx plumbob" in store.entities("default", ids=[who])[0].aliases
        store.purge()
        assert store.entities("default", ids=[who])[0].aliases == ("anna@keep.org",)
        assert store.entities("default", ids=[who])[0].name == "anna@keep.org"
        assert pieces_in(tmp_path) == set()
        store.delete("default", EVERYTHING)
        assert store.entities("default", ids=[who]) == []
        store.close()


def test_a_memory_says_a_party_as_its_own_field_does(graph: MemoryGraph) -> None:
    graph.add([{"id": "one", "text": "the pump is repaired", "sender": TEACHING}])
    graph.add([{"id": "two", "text": "the lift is repaired", "sender": "anna@keep.org", "cc": ["Qwertyzx"]}])
    told = {str(one.role): (one.entity, one.name) for one in graph.get("two").parties if one.entity == ANNA}
    assert told == {"sent_by": (ANNA, "anna@keep.org"), "cc_to": (ANNA, "Qwertyzx")}
    noted = graph.audit.read("default", subject="two").entries[0].after
    assert "Plumbob" not in json.dumps(noted)


@pytest.mark.parametrize(
    ("text", "sender", "name", "has"),
    [
        ("lunch with Tom Becker", None, "tom becker", True),
        ("lunch with Tom Beckers", None, "tom becker", False),
        ("Savanna is warm", None, "anna", False),
        ("和张伟吃饭", None, "张伟", True),
        ("lunch", "Becker, Tom", "tom becker", True),
        ("lunch", "mei.zhou@acme.example", "zhoumei", True),
        ("lunch", "mei.zhou@acme.example", "acme", True),
        ("lunch with Tom", "becker@acme.example", "tom becker", False),
        ("Acme的张伟来了", None, "张伟(acme)", True),
        ("张伟来了", None, "张伟(acme)", False),
        ("lunch", None, "", False),
    ],
)
def test_what_a_memory_can_have_taught(text: str, sender: str | None, name: str, has: bool) -> None:
    body = memory("m", text, sender=sender, event_time=NOW + timedelta(days=1)).model_dump_json()
    assert Said.of(body, plain_fold).has(name) is has
