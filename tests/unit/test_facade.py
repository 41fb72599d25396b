"""What every call of the façade refuses alike, and that its verbs tell the audit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from graphsvc.audit.audit import Audit
from graphsvc.errors import ChangeRefused, FieldInvalid, NotFound, RevisionOutdated
from graphsvc.ingest.keeping import Keeping
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.change import ChangeKind
from graphsvc.models.memory import MemoryStatus
from graphsvc.store.filters import EVERYTHING, eq
from tests.builders import NOW
from tests.graphs import open_graph

WRONG_NAMES = ("", "x" * 201, "a\x00b", "\ud800", 7)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path) as opened:
        opened.add(
            [
                {"id": "m1", "text": "The depot opens at nine", "event_time": NOW},
                {"id": "m2", "text": "Lunch was good today", "event_time": NOW + timedelta(hours=1)},
            ]
        )
        yield opened


def taking_a_namespace(cls: type) -> list[str]:
    """The public methods of a class that take a namespace."""
    methods = inspect.getmembers(cls, inspect.isfunction)
    return [n for n, one in methods if n[0] != "_" and "namespace" in inspect.signature(one).parameters]


def called(graph: MemoryGraph, part: str, name: str, namespace: object) -> object:
    """A method called with a namespace and with None for all else that it must be given."""
    method: Callable[..., object] = getattr(graph if part == "graph" else getattr(graph, part), name)
    needed = [
        one.name
        for one in inspect.signature(method).parameters.values()
        if one.default is inspect.Parameter.empty and one.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    return method(**{**dict.fromkeys(needed), "namespace": namespace})


def test_no_call_takes_a_namespace_that_cannot_be_one(graph: MemoryGraph) -> None:
    calls = [
        *(("graph", name) for name in taking_a_namespace(MemoryGraph)),
        *(("keeping", name) for name in taking_a_namespace(Keeping)),
        *(("audit", name) for name in taking_a_namespace(Audit)),
    ]
    assert {("graph", "add"), ("keeping", "repeats"), ("audit", "subscribe")} <= set(calls)
    for part, name in calls:
        for namespace in WRONG_NAMES:
            with pytest.raises(FieldInvalid) as refused:
                called(graph, part, name, namespace)
            assert refused.value.where == "namespace"


def test_a_namespace_given_by_place_is_checked_too(graph: MemoryGraph) -> None:
    with pytest.raises(FieldInvalid):
        graph.keeping.repeats("")
    with pytest.raises(FieldInvalid):
        graph.audit.subscribe("\ud800", "https://listener.example")
    assert graph.purge(namespace=None).memories == 0
    assert graph.get_all(namespace="x" * 200).memories == ()


@pytest.mark.parametrize("revision", ["1", 1.0, True])
def test_a_revision_is_a_whole_number(graph: MemoryGraph, revision: object) -> None:
    acts: list[Callable[..., object]] = [graph.delete, lambda one, **given: graph.update(one, {"text": "x"}, **given)]
    for act in acts:
        with pytest.raises(FieldInvalid) as refused:
            act("m1", revision=revision)
        assert refused.value.where == "revision"
    assert graph.get("m1").revision == 1


def test_a_memory_cannot_lose_its_time(graph: MemoryGraph) -> None:
    with pytest.raises(FieldInvalid) as refused:
        graph.update("m1", {"event_time": None})
    assert refused.value.where == "event_time"
    assert graph.get("m1").event_time == NOW


class TestDeletingARevision:
    def test_only_the_revision_that_was_read_goes(self, graph: MemoryGraph) -> None:
        graph.update("m1", {"text": "The depot opens at ten"})
        with pytest.raises(RevisionOutdated) as refused:
            graph.delete("m1", revision=1)
        assert refused.value.where == "m1"
        assert graph.get("m1").revision == 2
        graph.delete("m1", revision=2)
        with pytest.raises(NotFound):
            graph.delete("m1", revision=2)

    def test_the_store_looks_inside_its_own_transaction(self, graph: MemoryGraph) -> None:
        with pytest.raises(RevisionOutdated):
            graph.store.delete("default", eq("id", "m1"), revision=2)
        with pytest.raises(RevisionOutdated):
            graph.store.delete("default", EVERYTHING, revision=3)
        assert len(graph.get_all().memories) == 2
        assert graph.audit.verify().holds


class TestOverruling:
    def test_answers_that_rested_on_the_earlier_one_are_told(self, graph: MemoryGraph) -> None:
        answer = graph.answer("When does the depot open?")
        assert [one.memory_id for one in answer.evidence] == ["m1"]
        found = graph.supersede("m2", "m1", kind=ChangeKind.CORRECTS)
        assert (found.change.kind, found.change.earlier) == (ChangeKind.CORRECTS, "m1")
        assert [one.trace_id for one in found.overturned] == [answer.trace_id]
        assert graph.get("m1").status is MemoryStatus.SUPERSEDED
        assert graph.audit.overturned("default").answers == found.overturned

    def test_a_memory_and_itself_is_refused(self, graph: MemoryGraph) -> None:
        with pytest.raises(ChangeRefused):
            graph.supersede("m1", "m1")

    def test_relinking_what_is_related_changes_nothing(self, graph: MemoryGraph) -> None:
        seen: list[int] = []
        assert graph.relink(on_progress=seen.append) == 0
        assert seen == [2]
