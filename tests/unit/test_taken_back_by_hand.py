"""What a memory had overturned stands again once that memory is taken back by hand, in whatever order all came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest

from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.change import ChangeKind
from graphsvc.models.memory import MemoryStatus
from tests.builders import NOW
from tests.graphs import open_graph

FIRST = {"id": "a", "text": "The rent of the hall is 400 euros", "event_time": NOW}
SECOND = {"id": "b", "text": "The rent of the hall is 450 euros now", "event_time": NOW + timedelta(days=1)}
THIRD = {"id": "c", "text": "The rent of the hall is 470 euros now", "event_time": NOW + timedelta(days=2)}
ITEMS = {"a": FIRST, "b": SECOND, "c": THIRD}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path) as opened:
        yield opened


def standing(graph: MemoryGraph, one: str, namespace: str = "default") -> tuple[MemoryStatus, tuple[str, ...]]:
    memory = graph.get(one, namespace=namespace)
    return memory.status, memory.ended_by


def test_what_it_alone_had_superseded_stands_again(graph: MemoryGraph) -> None:
    graph.add([FIRST, SECOND])
    assert standing(graph, "a") == (MemoryStatus.SUPERSEDED, ("b",))
    graph.audit.falsify("default", "b", "a forged letter")
    assert standing(graph, "a") == (MemoryStatus.ACTIVE, ())
    assert graph.get("a").ended_at is None
    assert standing(graph, "b") == (MemoryStatus.RETRACTED, ())


def test_so_does_what_was_overruled_on_its_word(graph: MemoryGraph) -> None:
    graph.add([FIRST, {"id": "x", "text": "Lunch was good", "event_time": NOW + timedelta(days=3)}])
    graph.supersede("x", "a", kind=ChangeKind.RETRACTS)
    assert standing(graph, "a") == (MemoryStatus.RETRACTED, ("x",))
    graph.audit.falsify("default", "x", "a mistake")
    assert standing(graph, "a") == (MemoryStatus.ACTIVE, ())


def test_another_that_overturned_it_still_does(graph: MemoryGraph) -> None:
    graph.add([FIRST, SECOND, THIRD])
    graph.audit.falsify("default", "b", "a forged letter")
    assert standing(graph, "a") == (MemoryStatus.SUPERSEDED, ("c",))
    graph.audit.falsify("default", "c", "another one")
    assert standing(graph, "a") == (MemoryStatus.ACTIVE, ())


@pytest.mark.parametrize("falsified_after", [1, 2, 3])
def test_the_order_of_arrival_changes_nothing(graph: MemoryGraph, falsified_after: int) -> None:
    found = set()
    for number, order in enumerate(permutations(ITEMS)):
        space = f"{falsified_after} {number}"
        done = False
        for count, one in enumerate(order, 1):
            graph.add([ITEMS[one]], namespace=space)
            if not done and count >= falsified_after and "b" in order[:count]:
                graph.audit.falsify(space, "b", "a forged letter")
                done = True
        found.add(tuple((one, standing(graph, one, space)) for one in ITEMS))
        assert graph.relink(namespace=space) == 0
    assert found == {
        (
            ("a", (MemoryStatus.SUPERSEDED, ("c",))),
            ("b", (MemoryStatus.RETRACTED, ())),
            ("c", (MemoryStatus.ACTIVE, ())),
        )
    }


def test_a_revision_of_what_was_false_overturns_again(graph: MemoryGraph) -> None:
    graph.add([FIRST, SECOND])
    graph.audit.falsify("default", "b", "a forged letter")
    graph.update("b", {"text": "The rent of the hall is 455 euros now"})
    assert standing(graph, "a") == (MemoryStatus.SUPERSEDED, ("b",))


def test_a_question_finds_what_stands_again(graph: MemoryGraph) -> None:
    graph.add([FIRST, SECOND])
    graph.audit.falsify("default", "b", "a forged letter")
    answer = graph.answer("How much is the rent of the hall?", asked_at=NOW + timedelta(days=4))
    assert [one.memory_id for one in answer.evidence] == ["a"]


def test_relating_anew_asks_of_a_pair_once(graph: MemoryGraph) -> None:
    turns = [
        {"id": f"t{n:03}", "text": f"Box {n} is on shelf {n}", "conversation_id": "t"}
        | {"event_time": NOW + timedelta(minutes=n)}
        for n in range(130)
    ]
    graph.add(turns)
    asked: list[tuple[str, ...]] = []
    changes = graph.keeping.changes

    def counted(earlier, later, *, between=()):  # type: ignore[no-untyped-def] # as the relation's
        asked.append((earlier.id, later.id, *(one.id for one in between)))
        return changes.relation(earlier, later, between=between)

    assert replace(changes, relation=counted).relink("default") == 0
    assert len(asked) == len(set(asked)) > 24 * 100
