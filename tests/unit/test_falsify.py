"""What has fallen takes along every earlier answer that rested on it, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from graphsvc.audit.falsify import DEEPEST, Fall, Falsifier
from graphsvc.models.answer import Call, Rest, Trace
from graphsvc.models.audit import OverturnedAnswer
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Change, ChangeKind, Standing
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.store.base import Entry
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, entry, ids, memory_node, trace

HOUR = timedelta(hours=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "store", clock=lambda: NOW, kept_traces=100)
    yield store
    store.close()


def answered(
    store: SqliteStore, trace_id: str, *accepted: str, hours: float = 0.0, spans: tuple[Rest, ...] = (), **call: object
) -> Trace:
    """An answer given `hours` after NOW that rests on the memories."""
    at = NOW + hours * HOUR
    kept = trace(trace_id).model_copy(
        update={
            "created_at": at,
            "accepted": tuple(ids(*accepted)),
            "rests": spans,
            "call": Call.model_validate({"text": f"the question of {trace_id}", "at": at, **call}),
        }
    )
    store.traces.save(kept)
    return kept


def overturning(
    later: str, earlier: str, kind: EdgeType = EdgeType.SUPERSEDES, *, hours: float = 1.0, whole: bool = True
) -> Edge:
    return Edge(
        source=memory_node(later),
        target=memory_node(earlier),
        type=kind,
        valid_from=NOW + hours * HOUR,
        recorded_at=NOW + hours * HOUR,
        slot="budget",
        whole=whole,
        origin="test",
    )


def put_newer(store: SqliteStore, edge: Edge) -> None:
    """The memory an edge starts from, and where the one it points at stands for it."""
    (one,) = ids(edge.target.id)
    falls = edge.whole and edge.type in {EdgeType.SUPERSEDES, EdgeType.RETRACTS, EdgeType.CORRECTS}
    status = MemoryStatus.SUPERSEDED if falls else MemoryStatus.ACTIVE
    newer = entry(edge.source.id, edges=[edge])
    store.put([Entry(newer.memory, newer.tokens, edges=newer.edges, standings=(Standing(id=one, status=status),))])


def falsifier(store: SqliteStore) -> Falsifier:
    return Falsifier(store, lambda: NOW + 2 * HOUR)


def names(fallen: list[OverturnedAnswer]) -> list[str]:
    return [one.trace_id for one in fallen]


def test_an_answer_falls_with_what_it_rested_on_and_others_stand(store: SqliteStore) -> None:
    store.put([entry("m1"), entry("m2")])
    answered(store, "t1", "m1")
    answered(store, "t2", "m2")
    put_newer(store, overturning("m9", "m1"))
    (fallen,) = falsifier(store).overturned("default", ids("m1"))
    assert fallen == OverturnedAnswer(
        trace_id="t1",
        namespace="default",
        question="the question of t1",
        answered_at=NOW,
        overturned_at=NOW + HOUR,
        because=tuple(ids("m1")),
        by=tuple(ids("m9")),
        reason="supersedes: budget",
    )
    assert store.falsified.overturned("default").answers == (fallen,)
    assert store.falsified.overturned("elsewhere").answers == ()


def test_an_answer_falls_once_by_one_cause_however_often_it_is_looked_for(store: SqliteStore) -> None:
    store.put([entry("m1")])
    answered(store, "t1", "m1")
    put_newer(store, overturning("m9", "m1"))
    assert len(falsifier(store).overturned("default", ids("m1", "m1"))) == 1
    assert falsifier(store).overturned("default", ids("m1")) == []
    assert falsifier(store).catch_up("default") == []
    assert len(store.falsified.overturned("default").answers) == 1


def test_a_crash_before_the_record_is_caught_up_with(store: SqliteStore) -> None:
    store.put([entry("m1")])
    answered(store, "t1", "m1")
    put_newer(store, overturning("m9", "m1"))
    assert names(falsifier(store).catch_up("default")) == ["t1"]


def test_an_answer_given_later_or_from_the_newer_memory_stands(store: SqliteStore) -> None:
    store.put([entry("m1")])
    put_newer(store, overturning("m9", "m1"))
    answered(store, "later", "m1", hours=1.5)
    answered(store, "both", "m1", "m9")
    answered(store, "before", "m1", hours=0.5)
    assert names(falsifier(store).overturned("default", ids("m1"))) == ["before"]


@pytest.mark.parametrize(
    ("kind", "falls"), [(EdgeType.SUPERSEDES, False), (EdgeType.CORRECTS, True), (EdgeType.RETRACTS, True)]
)
def test_what_once_held_still_did_unless_it_was_never_so(store: SqliteStore, kind: EdgeType, falls: bool) -> None:
    store.put([entry("m1")])
    put_newer(store, overturning("m9", "m1", kind))
    answered(store, "t1", "m1", as_of=NOW - HOUR)
    assert bool(falsifier(store).overturned("default", ids("m1"))) is falls


def test_an_answer_stands_where_what_overturned_it_was_taken_back(store: SqliteStore) -> None:
    store.put([entry("m1")])
    answered(store, "t1", "m1")
    put_newer(store, overturning("m9", "m1"))
    store.put_standings("default", [Standing(id=MemoryId("m1"))])
    assert falsifier(store).catch_up("default") == []


def test_repeats_and_contradictions_overturn_nothing(store: SqliteStore) -> None:
    store.put([entry("m1")])
    answered(store, "t1", "m1")
    put_newer(store, overturning("m8", "m1", EdgeType.REPEATS))
    put_newer(store, overturning("m9", "m1", EdgeType.CONTRADICTS))
    assert falsifier(store).overturned("default", ids("m1")) == []


def test_where_a_clause_fell_an_answer_from_another_clause_stands(store: SqliteStore) -> None:
    text = "the budget is 80, the venue is Oslo"
    store.put([entry("m1", text), entry("m9", edges=[overturning("m9", "m1", whole=False)])])

    def clause(earlier: Memory, later: Memory) -> Change:
        return Change(
            kind=ChangeKind.SUPERSEDES,
            later=later.id,
            earlier=earlier.id,
            clause=(0, 16),
            whole=False,
            slot="budget",
            since=NOW + HOUR,
            rule="test",
        )

    one = MemoryId("m1")
    answered(store, "budget", "m1", spans=(Rest(memory_id=one, start=0, end=16),))
    answered(store, "venue", "m1", spans=(Rest(memory_id=one, start=18, end=35),))
    answered(store, "unknown", "m1")
    fallen = Falsifier(store, lambda: NOW, clause).overturned("default", ids("m1"))
    assert sorted(names(fallen)) == ["budget", "unknown"]


def test_what_was_drawn_from_memories_and_answers_falls_with_them_and_circles_end(store: SqliteStore) -> None:
    store.put(
        [
            entry("m1"),
            entry("note", derived_from=("m1", "t3")),
            entry("report", derived_from=("t1",)),
            entry("apart", derived_from=("m2",)),
        ]
    )
    answered(store, "t1", "note")
    answered(store, "t2", "report", "apart")
    answered(store, "t3", "report")
    answered(store, "t4", "apart")
    fall = Fall(MemoryId("m1"), NOW + HOUR, "by hand", reason="a slip of the pen")
    fallen = {one.trace_id: one for one in falsifier(store).fell("default", [fall])}
    assert sorted(fallen) == ["t1", "t2", "t3"]
    assert fallen["t1"].through == ("note",)
    assert fallen["t2"].through == ("note", "t1", "report")
    assert all(one.because == ("m1",) and one.reason == "a slip of the pen" for one in fallen.values())


def test_a_long_derivation_is_cut_off(store: SqliteStore) -> None:
    chain = [entry(f"d{n:02}", derived_from=(f"d{n - 1:02}",) if n else ()) for n in range(DEEPEST + 4)]
    store.put(chain)
    for n in range(DEEPEST + 4):
        answered(store, f"t{n:02}", f"d{n:02}")
    fallen = falsifier(store).fell("default", [Fall(MemoryId("d00"), NOW + HOUR, "by hand")])
    assert names(fallen) == [f"t{n:02}" for n in range(DEEPEST)]


def test_an_answer_that_is_pruned_or_saved_again_leaves_nothing_behind(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store", kept_traces=2)
    store.put([entry(f"m{n}") for n in range(4)])
    for n in range(3):
        answered(store, f"t{n}", f"m{n}")
    assert store.falsified.rested("default") == ids("m1", "m2")
    answered(store, "t2", "m3")
    assert store.falsified.rested("default") == ids("m3")
    assert [one.id for one in store.falsified.resting_on("default", ids("m2", "m3"), limit=9)] == ["t2"]
    store.close()


def test_what_has_fallen_is_read_page_by_page_and_from_where_one_stopped(store: SqliteStore) -> None:
    store.put([entry("m1")])
    for n in range(3):
        answered(store, f"t{n}", "m1", hours=n / 10)
    falsifier(store).fell("default", [Fall(MemoryId("m1"), NOW + HOUR, "by hand")])
    first = store.falsified.overturned("default", limit=2)
    rest = store.falsified.overturned("default", after=first.after, limit=2)
    assert names([*first.answers, *rest.answers]) == ["t0", "t1", "t2"]
    assert store.falsified.overturned("default", after=rest.after) == type(rest)((), rest.after)


def test_what_is_forgotten_is_gone_with_its_notices(store: SqliteStore) -> None:
    store.put([entry("m1"), entry("m2")])
    answered(store, "t1", "m1")
    answered(store, "t2", "m2")
    falls = [Fall(one, NOW + HOUR, f"falsified {one}") for one in ids("m1", "m2")]
    falsifier(store).fell("default", falls)
    store.falsified.forget("default", ids("m1"))
    assert names(list(store.falsified.overturned("default").answers)) == ["t2"]
    store.falsified.forget(None, None)
    assert store.falsified.overturned("default").answers == ()
