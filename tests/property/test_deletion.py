"""What is deleted is found by no path, and what it had overturned stands as if it had never come."""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.ingest.change import Changes
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.graph import Node, NodeKind
from graphsvc.settings import Settings
from graphsvc.store.filters import eq
from tests.builders import NOW
from tests.clocks import Ticking

SLOTS = ("warehouse rent", "parking fee", "gym fee")


def opened(folder: Path) -> MemoryGraph:
    settings = Settings(cache_dir=folder / "cache")
    encoder = CachedEncoder(HashingEncoder(), folder / "cache" / "embeddings.sqlite")
    return MemoryGraph.open(f"sqlite:///{folder / 'store'}", settings=settings, encoder=encoder, clock=Ticking())


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    with opened(tmp_path) as graph:
        yield graph


def told(draw: random.Random, number: int) -> dict[str, object]:
    """A memory with a word of its own, about one of few slots."""
    text = f"zq{number}zq: the {draw.choice(SLOTS)} is {draw.randrange(1, 9)}00 euros a month."
    at = (NOW - timedelta(hours=draw.randrange(90))).isoformat()
    earlier = (f"m{draw.randrange(number)}",) if number and draw.random() < 0.3 else ()
    told = {"id": f"m{number}", "text": text, "event_time": at, "derived_from": earlier}
    return told | {"conversation_id": draw.choice(("c1", None))}


def told_anywhere(graph: MemoryGraph) -> str:
    """All that a namespace shows by any way of reading it, in one text."""
    shown = [graph.search(f"{slot} a month", limit=100, session_id="s").model_dump_json() for slot in SLOTS]
    shown += [graph.answer("and what was it before?", session_id="s").model_dump_json()]
    shown += [one.model_dump_json() for one in graph.get_all(limit=500).memories]
    shown += [str(pair) for pair in graph.training_pairs()] + [graph.propose().model_dump_json()]
    nodes = [Node(NodeKind.MEMORY, f"m{number}") for number in range(20)]
    edges = graph.store.edges("default", nodes, per_node=500)
    return "\n".join([*shown, *(one.model_dump_json() for some in edges.values() for one in some)])


@pytest.mark.parametrize("seed", range(3))
def test_deleted_memories_are_found_by_no_path_and_end_nothing(graph: MemoryGraph, seed: int) -> None:
    draw = random.Random(seed)
    items = [told(draw, number) for number in range(14)]
    graph.add(items)
    traces = [graph.search(f"{slot} a month", limit=100, session_id="s").trace_id for slot in SLOTS]
    traces += [graph.answer(f"What is the {SLOTS[0]}?", session_id="s").trace_id]
    gone = draw.sample(range(14), 6)
    for number in gone:
        graph.delete(f"m{number}")
    shown = told_anywhere(graph) + "\n".join(graph.trace(one).model_dump_json() for one in traces)
    assert not [number for number in gone if f"zq{number}zq" in shown]
    left = {one.id: one for one in graph.get_all(limit=500).memories}
    assert graph.stats().memories == len(left) == 8
    assert {end for one in left.values() for end in (*one.ended_by, *one.stale_sources)} <= left.keys()
    graph.add([one for one in items if one["id"] in left], namespace="never")
    never = {one.id: one for one in graph.get_all(namespace="never", limit=500).memories}
    for one, memory in left.items():
        assert (memory.status, memory.ended_at, memory.ended_by) == (
            never[one].status,
            never[one].ended_at,
            never[one].ended_by,
        )


@pytest.mark.parametrize("act", ["delete", "update"])
def test_a_crash_before_the_consequences_is_made_good_when_opened_again(
    tmp_path: Path, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    with opened(tmp_path) as graph:
        graph.add(
            [{"id": "old", "text": "The warehouse rent is 500 euros a month.", "event_time": "2026-01-01T00:00:00Z"}]
        )
        graph.add([{"id": "new", "text": "No, the warehouse rent is 700 euros a month."}])
        assert graph.get("old").ended_by == ("new",)
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(Changes, "rework", killed)
            if act == "delete":
                graph.delete("new")
            else:
                graph.update("new", {"text": "Ben likes green tea."})
    with opened(tmp_path) as again:
        assert again.get("old").ended_by == ()
        assert again.store.unsettled() == {}


def test_what_somebody_ties_to_a_memory_while_it_is_deleted_stands_all_the_same(graph: MemoryGraph) -> None:
    graph.add([{"id": "old", "text": "The gym is 5."}, {"id": "new", "text": "The gym costs a hundred."}])
    keeping = graph.keeping
    affected = keeping.changes.affected_by("default", [MemoryId("new")])
    keeping.supersede("default", "new", "old")
    graph.store.delete("default", eq("id", "new"), unsettled=affected)
    assert keeping.settle() == 1
    assert graph.get("old").ended_by == ()


def test_a_replay_brings_back_nothing_of_a_memory_deleted_since(graph: MemoryGraph) -> None:
    graph.add([{"id": "kept", "text": "The parking fee is 20 euros."}, {"id": "gone", "text": "The gym fee is zq7zq."}])
    traced = graph.search("gym fee and parking fee").trace_id
    graph.update("gone", {"text": "The gym fee is zq8zq."})
    assert graph.audit.replay("default", traced).exact
    graph.delete("gone")
    replayed = graph.audit.replay("default", traced)
    assert not replayed.exact
    assert replayed.deleted == ("gone",)
    assert [one.id for one in replayed.then.candidates] == ["kept"]
    assert "zq7zq" not in graph.trace(traced).model_dump_json()


def test_a_purge_leaves_no_byte_of_a_deleted_text_not_even_packed(tmp_path: Path) -> None:
    with opened(tmp_path) as graph:
        graph.add([{"id": "kept", "text": "The parking fee is 20 euros."}], namespace="Default")
        graph.add(
            [{"id": "a", "text": "The gym fee is zq1zq.", "source": {"file": "zq1zq.txt"}, "sender": "Zq1zq Zoe"}]
        )
        graph.add([{"id": "b", "text": "No, the gym fee is zq1zq plus five.", "derived_from": ["a"]}])
        graph.answer("What is the gym fee?", session_id="s")
        graph.update("a", {"text": "The gym fee was zq1zq once.", "source": None})
        graph.audit.falsify("default", "b", "wrong")
        for one in ("a", "b"):
            graph.delete(one)
        assert graph.purge().memories == 2
        assert not list(holding(tmp_path, "zq1zq"))
        assert graph.audit.verify().holds
        assert graph.get("kept", namespace="Default").text
    assert not list(holding(tmp_path, "zq1zq"))


def holding(folder: Path, text: str) -> Iterator[tuple[str, str]]:
    """The files that hold a text, as bytes or packed in one of their tables."""
    wanted = text.encode()
    for path in (one for one in folder.rglob("*") if one.is_file()):
        raw = path.read_bytes().lower()
        if wanted in raw:
            yield path.name, "bytes"
        if raw.startswith(b"sqlite format 3") and path.parent.name == "store":
            yield from ((path.name, table) for table, blob in _packed(path) if wanted in blob.lower())


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    conn = sqlite3.connect(path)
    for (table,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in conn.execute(f'SELECT * FROM "{table}"'):
            for value in row:
                if isinstance(value, bytes):
                    try:
                        yield table, zlib.decompress(value)
                    except zlib.error:
                        continue
    conn.close()


def test_a_falsified_memory_stays_so_and_flags_who_quotes_it(graph: MemoryGraph) -> None:
    graph.add([{"id": "old", "text": "The warehouse rent is 500 euros a month.", "event_time": "2026-01-01T00:00:00Z"}])
    graph.add([{"id": "new", "text": "The warehouse rent is 700 euros a month.", "event_time": "2026-02-01T00:00:00Z"}])
    graph.add([{"id": "memo", "text": "We pay the landlord for storage.", "derived_from": ["old", "new"]}])
    ended = graph.get("old").ended_at
    for one in ("old", "new"):
        graph.audit.falsify("default", one, "a slip")
    assert graph.get("old").ended_at == ended
    assert graph.get("memo").stale_sources == ("new", "old")
    stood = standings(graph)
    graph.keeping.relink("default")
    assert standings(graph) == stood
    assert stood["old"].status == stood["new"].status == "retracted"


def standings(graph: MemoryGraph) -> dict[str, Standing]:
    names = Standing.model_fields.keys()
    return {
        one.id: Standing.model_validate({name: getattr(one, name) for name in names})
        for one in graph.get_all(limit=100).memories
    }
