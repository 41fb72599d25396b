"""Laws of change: the order of arrival decides nothing, and what is deleted leaves as if it had never come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphsvc.ingest.change import Changes
from graphsvc.ingest.writing import write
from graphsvc.language.segment import index_tokens
from graphsvc.models.audit import LOCAL
from graphsvc.models.base import MemoryId
from graphsvc.models.change import ChangeKind
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import Entry, Store
from graphsvc.store.filters import eq
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, entry
from tests.changing import relation, statements

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
CHANGE = [EdgeType(kind) for kind in ChangeKind]
TEXTS = (
    *(f"{slot}={value}" for slot in ("price", "place") for value in (1, 2)),
    "price=1; place=1",
    "price=2; place=3",
    "no, 4",
    "cancel price",
    "ignore my last message",
    "hm",
)
_FRESH = count()

Told = tuple[str, int, str, str | None]
State = tuple[dict[str, tuple[object, ...]], set[tuple[object, ...]]]

MEMORIES = st.lists(
    st.tuples(
        st.sampled_from(TEXTS),
        st.integers(0, 8),
        st.sampled_from(["one", "two"]),
        st.sampled_from([None, None, None, "minutes"]),
    ),
    min_size=2,
    max_size=8,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = SqliteStore(tmp_path_factory.mktemp("order"))
    yield opened
    opened.close()


def entries(told: Sequence[Told], namespace: str) -> list[Entry]:
    return [
        entry(
            f"m{number}",
            text,
            tokens=index_tokens(text.replace("=", " ")),
            namespace=namespace,
            event_time=NOW + timedelta(hours=hour),
            conversation_id=talk,
            document_type=document_type,
            sender="Mei" if number % 2 else "Ola",
        )
        for number, (text, hour, talk, document_type) in enumerate(told)
    ]


def add(store: Store, namespace: str, batches: Sequence[Sequence[Entry]]) -> None:
    for batch in batches:
        for one in write(store, Changes(store, relation, statements), namespace, batch, taken=(), by=LOCAL):
            assert one.result.error is None


def state(store: Store, namespace: str) -> State:
    """Where each memory stands and the edges between them, but for when they were recorded."""
    memories = store.page(namespace).memories
    found = store.edges(namespace, [Node(NodeKind.MEMORY, one.id) for one in memories], types=CHANGE)
    edges = {edge_without_record(one) for some in found.values() for one in some}
    return {one.id: (one.status, one.ended_at, one.ended_by, one.stale_sources) for one in memories}, edges


def edge_without_record(one: Edge) -> tuple[object, ...]:
    return one.source.id, one.target.id, one.type, one.weight, one.valid_from, one.slot, one.whole, one.origin


def cut(some: Sequence[Entry], sizes: Sequence[int]) -> list[list[Entry]]:
    batches, rest = [], list(some)
    for size in sizes:
        batches.append(rest[:size])
        rest = rest[size:]
    return [batch for batch in (*batches, rest) if batch]


@QUICK
@given(MEMORIES, st.data())
def test_any_order_and_any_batches_give_the_same_edges_and_standings(
    store: Store, told: list[Told], data: st.DataObject
) -> None:
    spaces = [f"n{next(_FRESH)}" for _ in range(2)]
    add(store, spaces[0], [[one] for one in sorted(entries(told, spaces[0]), key=lambda one: one.memory.event_time)])
    shuffled = data.draw(st.permutations(entries(told, spaces[1])))
    add(store, spaces[1], cut(shuffled, data.draw(st.lists(st.integers(1, 4), max_size=4))))
    assert state(store, spaces[1]) == state(store, spaces[0])


@QUICK
@given(MEMORIES, st.data())
def test_what_is_deleted_leaves_as_if_it_had_never_come(store: Store, told: list[Told], data: st.DataObject) -> None:
    spaces = [f"n{next(_FRESH)}" for _ in range(2)]
    changes = Changes(store, relation, statements)
    leaving = {MemoryId(f"m{number}") for number in data.draw(st.sets(st.integers(0, len(told) - 1), min_size=1))}
    add(store, spaces[0], [entries(told, spaces[0])])
    affected = changes.affected_by(spaces[0], leaving)
    for one in sorted(leaving):
        store.delete(spaces[0], eq("id", one))
    changes.rework(spaces[0], affected)
    add(store, spaces[1], [[one] for one in entries(told, spaces[1]) if one.memory.id not in leaving])
    assert state(store, spaces[0]) == state(store, spaces[1])


@QUICK
@given(MEMORIES)
def test_relating_anew_changes_nothing_that_was_related(store: Store, told: list[Told]) -> None:
    space = f"n{next(_FRESH)}"
    add(store, space, [[one] for one in entries(told, space)])
    assert Changes(store, relation, statements).relink(space) == 0
