"""A question asked again on what was known then gives what it gave; what differs now is told in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphsvc.audit.audit import Audit
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import NotFound
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import Act, Action
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import MemoryStatus
from graphsvc.settings import Settings
from graphsvc.store.base import Entry
from graphsvc.store.filters import eq
from graphsvc.store.sqlite.store import SqliteStore
from ontology.loader import load_ontology
from tests.builders import NOW, ids, memory_node

QUESTION = "How much is the studio rent?"
STORY = [
    {"id": "rent", "text": "The studio rent is 900 euros a month.", "event_time": "2026-03-01T09:00:00+00:00"},
    {"id": "lease", "text": "The lease of the studio runs for two years.", "event_time": "2026-03-01T10:00:00+00:00"},
    {"id": "kiln", "text": "Marta fires the kiln on Thursdays.", "event_time": "2026-03-02T10:00:00+00:00"},
    {"id": "glaze", "text": "蓝色的釉料要在周三之前订好。", "event_time": "2026-03-03T10:00:00+00:00"},
]
NEWER = {"id": "raise", "text": "The studio rent is now 950 euros a month.", "event_time": "2026-03-05T09:00:00+00:00"}


@dataclass(slots=True)
class Clock:
    """A minute later at each look."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the label centroids are fitted once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def graph(tmp_path: Path, cache: Path, clock: Clock) -> Iterator[MemoryGraph]:
    store = SqliteStore(tmp_path / "store", clock=clock)
    encoder = HashingEncoder()
    store.set_encoding(encoder.fingerprint)
    graph = MemoryGraph(store, encoder, load_ontology(()), Settings(cache_dir=cache), clock)
    graph.add(STORY)
    yield graph
    graph.close()
    store.close()


@pytest.fixture
def audit(graph: MemoryGraph) -> Audit:
    return graph.audit


def supersede(graph: MemoryGraph, later: str, earlier: str, at: datetime) -> None:
    edge = Edge(
        source=memory_node(later),
        target=memory_node(earlier),
        type=EdgeType.SUPERSEDES,
        valid_from=at,
        recorded_at=at,
        whole=True,
        origin="test",
    )
    (one,) = ids(earlier)
    ended = Standing(id=one, status=MemoryStatus.SUPERSEDED, ended_at=at, ended_by=tuple(ids(later)))
    graph.store.put_standings("default", [ended], edges=[edge])


def test_an_unchanged_store_gives_the_very_same_and_leaves_no_trace(graph: MemoryGraph, audit: Audit) -> None:
    asked = graph.answer(QUESTION, session_id="s1")
    found = graph.search(QUESTION, limit=3, where=eq("language", "en"))
    for trace_id in (asked.trace_id, found.trace_id):
        replayed = audit.replay("default", trace_id)
        assert replayed.recorded.candidates
        assert replayed.then == replayed.recorded
        assert (replayed.exact, replayed.deleted, replayed.notes, replayed.differences) == (True, (), (), ())
    assert [one.id for one in graph.store.traces.recent("default", "s1", 9)] == [asked.trace_id]


def test_later_memories_and_a_supersession_change_today_and_not_then(
    graph: MemoryGraph, audit: Audit, clock: Clock
) -> None:
    asked = graph.answer(QUESTION)
    assert [one.memory_id for one in asked.evidence] == ["rent"]
    graph.add([NEWER, *(f"The studio of number {n} pays rent as well." for n in range(5))])
    supersede(graph, "raise", "rent", clock())
    replayed = audit.replay("default", asked.trace_id)
    assert replayed.then == replayed.recorded
    assert (replayed.exact, replayed.notes) == (True, ())
    assert "raise" in [one.id for one in replayed.now.candidates]
    assert replayed.now.accepted != replayed.then.accepted
    assert any(told.startswith("raise came, number ") for told in replayed.differences)
    assert any(told.startswith("accepted then rent, now raise") for told in replayed.differences)


def test_a_follow_up_is_replayed_after_the_same_questions(graph: MemoryGraph, audit: Audit) -> None:
    graph.answer(QUESTION, session_id="s1")
    asked = graph.answer("and the lease?", session_id="s1")
    graph.answer("When is the kiln fired?", session_id="s1")
    replayed = audit.replay("default", asked.trace_id)
    assert replayed.then == replayed.recorded


def test_what_was_deleted_since_is_named_and_not_shown(graph: MemoryGraph, audit: Audit) -> None:
    asked = graph.answer(QUESTION)
    graph.delete("rent")
    replayed = audit.replay("default", asked.trace_id)
    assert (replayed.exact, replayed.deleted) == (False, ("rent",))
    assert "rent" not in {one.id for run in (replayed.recorded, replayed.then) for one in run.candidates}
    assert "rent was deleted since and cannot be shown" in replayed.differences


def test_a_revised_text_is_what_it_was(graph: MemoryGraph, audit: Audit) -> None:
    asked = graph.answer(QUESTION)
    before = graph.get("rent")
    text = "The workshop costs nothing at all."
    again = graph.store.vectors("default", [before.id])[before.id][0]
    revised = before.model_copy(update={"text": text})
    graph.store.revise(Entry(memory=revised, tokens=tuple(text.casefold().split()), vector=again), revision=1)
    replayed = audit.replay("default", asked.trace_id)
    assert [one.id for one in replayed.then.candidates] == [one.id for one in replayed.recorded.candidates]
    assert replayed.then.accepted == ("rent",)
    assert replayed.now.accepted != ("rent",)


def test_other_settings_than_then_are_told_and_then_has_its_own(
    graph: MemoryGraph, audit: Audit, tmp_path: Path, cache: Path, clock: Clock
) -> None:
    asked = graph.answer(QUESTION)
    shipped = Path("graphsvc/retrieve/ranking.toml").read_text(encoding="utf-8")
    (tmp_path / "ranking.toml").write_text(re.sub(r"(?m)^dense = .*", "dense = 0.5", shipped), encoding="utf-8")
    settings = Settings(cache_dir=cache, ranking=tmp_path / "ranking.toml")
    other = MemoryGraph(graph.store, graph.encoder, graph.ontology, settings, clock)
    replayed = other.audit.replay("default", asked.trace_id)
    other.close()
    assert (replayed.then, replayed.notes) == (replayed.recorded, ())
    assert "the numbers of the ranking changed" in replayed.differences


def test_a_trace_nobody_knows_is_not_found(audit: Audit) -> None:
    with pytest.raises(NotFound):
        audit.replay("default", "tr_none")


def test_a_memory_taken_back_by_hand_is_retracted_noted_and_tells_which_answers_fell(
    graph: MemoryGraph, audit: Audit
) -> None:
    asked = graph.answer(QUESTION)
    (fallen,) = audit.falsify("default", "rent", "the landlord never signed", by=Act(actor="ines"))
    assert (fallen.trace_id, fallen.reason) == (asked.trace_id, "the landlord never signed")
    assert graph.get("rent").status is MemoryStatus.RETRACTED
    (noted,) = audit.read("default", actions=[Action.FALSIFY]).entries
    assert (noted.subject, noted.actor, noted.reason) == ("rent", "ines", "the landlord never signed")
    assert audit.replay("default", asked.trace_id).exact
    with pytest.raises(NotFound):
        audit.falsify("default", "nobody", "no such thing")


def test_the_history_of_a_memory_has_every_change_in_order_with_old_and_new(graph: MemoryGraph, audit: Audit) -> None:
    """Report A50: rows of deletion have no time and sort first."""
    audit.falsify("default", "kiln", "a rumour")
    graph.delete("kiln")
    rows = audit.history("default", "kiln")
    assert [one.action for one in rows] == [Action.ADD, Action.STANDING, Action.FALSIFY, Action.DELETE]
    assert [(one.before, one.after) for one in (rows[0], rows[-1])] == [
        (None, STORY[2]["text"]),
        (STORY[2]["text"], None),
    ]
    assert [one.at for one in rows] == sorted(one.at for one in rows)
    assert all(one.actor == "local" for one in rows)
    with pytest.raises(NotFound):
        audit.history("default", "nobody")


def test_what_was_asked_and_accepted_is_noted(graph: MemoryGraph, audit: Audit) -> None:
    asked = graph.answer(QUESTION)
    found = graph.search(QUESTION)
    audit.note_answer("default", asked, by=Act(actor="ines"))
    noted = audit.read("default", actions=[Action.ANSWER, Action.SEARCH]).entries
    assert [(one.action, one.subject, one.actor) for one in noted] == [
        (Action.ANSWER, asked.trace_id, "local"),
        (Action.SEARCH, found.trace_id, "local"),
        (Action.ANSWER, asked.trace_id, "ines"),
    ]
    assert json.loads(noted[0].after or "")["accepted"] == ["rent"]
    assert json.loads(noted[1].after or "")["shown"] == [one.memory.id for one in found.candidates]
    assert audit.verify().holds
