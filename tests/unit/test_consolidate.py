"""Merging repeats: one answers, the others stay behind it with their sources, and the past reads as it did."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphsvc.ingest.standing import standing_of
from graphsvc.ingest.upkeep.consolidate import consolidate, plan
from graphsvc.ingest.upkeep.expiry import expired
from graphsvc.language.segment import index_tokens
from graphsvc.models.audit import Act, Action
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, NodeKind
from graphsvc.models.memory import Confidence, Memory, MemoryStatus, Source
from graphsvc.models.upkeep import CONSOLIDATED, ConsolidationPlan, RepeatGroup
from graphsvc.store.base import EdgeDirection, Entry, Store
from graphsvc.store.filters import eq
from graphsvc.store.open import open_store
from tests.builders import NOW, edge, entity, entity_node, ids, memory_node
from tests.said import said

LATER = NOW + timedelta(days=100)
BUDGET = ("仓库预算80万", "仓库预算是八十万。", "倉庫預算為80萬！")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'store'}")
    yield opened
    opened.close()


def keep(store: Store, *memories: Memory) -> None:
    store.put([Entry(one, tuple(index_tokens(one.text))) for one in memories])


def thrice(store: Store) -> None:
    """One budget said on three days, from three files, and another that is not it."""
    keep(
        store,
        *(said(name, text, days=day, source=Source(file="plan.txt", page=day)) for day, (name, text) in _numbered()),
        said("other", "仓库预算60万", days=5),
    )


def _numbered() -> Iterator[tuple[int, tuple[str, str]]]:
    yield from enumerate(zip("abc", BUDGET, strict=True), 1)


def get(store: Store, name: str) -> Memory:
    return store.get("default", ids(name))[0]


def standing_then(store: Store, moment: datetime) -> set[str]:
    """What held at a moment: what was said by then, and had not ended."""
    page = store.page("default")
    return {m.id for m in page.memories if m.event_time <= moment and (m.ended_at is None or moment < m.ended_at)}


def test_the_plan_names_what_says_the_same_and_writes_nothing(store: Store) -> None:
    thrice(store)
    planned = plan(store, "default", LATER)
    group = RepeatGroup(kept=MemoryId("c"), merged=tuple(ids("a", "b")), since=NOW + timedelta(days=3))
    assert planned == ConsolidationPlan(namespace="default", groups=(group,))
    assert {m.status for m in store.page("default").memories} == {MemoryStatus.ACTIVE}
    assert plan(store, "default", LATER) == planned


def test_what_is_done_is_what_was_planned_and_doing_it_again_does_nothing(store: Store) -> None:
    thrice(store)
    planned = plan(store, "default", LATER)
    assert consolidate(store, planned, LATER).done == planned.groups
    assert plan(store, "default", LATER).groups == ()
    again = consolidate(store, planned, LATER)
    assert (again.done, again.passed_over) == ((), planned.groups)


def test_merged_memories_keep_text_and_source_and_name_the_one_that_stays(store: Store) -> None:
    thrice(store)
    before = {name: get(store, name) for name in "abc"}
    consolidate(store, plan(store, "default", LATER), LATER)
    for one in (get(store, name) for name in "ab"):
        assert (one.text, one.source, one.facts) == (before[one.id].text, before[one.id].source, before[one.id].facts)
        assert (one.status, one.ended_at, one.ended_by) == (MemoryStatus.SUPERSEDED, before["c"].event_time, ("c",))
    assert get(store, "c") == before["c"]


def test_asked_about_an_earlier_day_the_earlier_ones_answer(store: Store) -> None:
    thrice(store)
    days = [NOW + timedelta(days=day, hours=1) for day in (1, 2)]
    before = [standing_then(store, day) for day in days]
    consolidate(store, plan(store, "default", LATER), LATER)
    assert [standing_then(store, day) for day in days] == before == [{"a"}, {"a", "b"}]
    assert standing_then(store, LATER) == {"c", "other"}


def test_a_standing_found_anew_from_the_edges_is_the_same(store: Store) -> None:
    thrice(store)
    consolidate(store, plan(store, "default", LATER), LATER)
    node = memory_node("a")
    edges = store.edges("default", [node], direction=EdgeDirection.IN)[node]
    one = get(store, "a")
    found = standing_of("a", edges)
    assert (found.status, found.ended_at, found.ended_by) == (one.status, one.ended_at, one.ended_by)
    assert [(e.origin, e.whole, e.recorded_at) for e in edges] == [(CONSOLIDATED, True, LATER)]


def test_a_value_that_was_another_in_between_is_found_late_and_takes_nothing_from_the_one_that_stays(
    store: Store,
) -> None:
    keep(store, said("a", BUDGET[0], days=1), said("c", BUDGET[1], days=9))
    consolidate(store, plan(store, "default", LATER), LATER)
    late = said("b", "仓库预算60万", days=5)
    keep(store, late)
    falls = Edge(
        source=memory_node("b"),
        target=memory_node("a"),
        type=EdgeType.SUPERSEDES,
        valid_from=late.event_time,
        whole=True,
        origin="change:test",
    )
    drawn = store.edges("default", [memory_node("a")], direction=EdgeDirection.IN)[memory_node("a")]
    store.put_standings("default", [standing_of("a", [*drawn, falls])], edges=[falls])
    assert standing_then(store, NOW + timedelta(days=2)) == {"a"}
    assert standing_then(store, NOW + timedelta(days=6)) == {"b"}
    assert "c" in standing_then(store, LATER)


def test_the_more_confident_stays_and_what_is_later_and_less_sure_stays_beside_it(store: Store) -> None:
    sureness = (Confidence.MEDIUM, Confidence.HIGH, Confidence.LOW)
    keep(store, *(said(n, t, days=d, confidence_level=sureness[d - 1]) for d, (n, t) in _numbered()))
    assert plan(store, "default", LATER).groups == (
        RepeatGroup(kept=MemoryId("b"), merged=tuple(ids("a")), since=NOW + timedelta(days=2)),
    )


def test_of_two_said_at_one_moment_the_one_recorded_first_stays(store: Store) -> None:
    keep(
        store,
        said("a", BUDGET[0], recorded_at=NOW + timedelta(days=2)),
        said("b", BUDGET[1], recorded_at=NOW + timedelta(days=1)),
    )
    assert [group.kept for group in plan(store, "default", LATER).groups] == ["b"]


def test_every_two_of_a_group_say_the_same(store: Store) -> None:
    text = "Anna's office is in room 302"
    keep(store, said("a", text, sender="Kim"), said("b", text, days=1), said("c", text, days=2, sender="Lee"))
    assert [(one.kept, one.merged) for one in plan(store, "default", LATER).groups] == [("b", ("a",))]


def test_what_would_outlive_the_one_that_stays_is_not_merged_into_it(store: Store) -> None:
    keep(store, said("a", BUDGET[0]), said("b", BUDGET[1], days=1, expires_at=LATER + timedelta(days=1)))
    assert plan(store, "default", LATER).groups == ()


def test_what_expired_was_overturned_or_quotes_what_fell_is_left_alone(store: Store) -> None:
    keep(
        store,
        said("a", BUDGET[0], expires_at=LATER),
        said("b", BUDGET[1], days=1, status=MemoryStatus.RETRACTED, ended_at=NOW + timedelta(days=2)),
        said("c", BUDGET[2], days=2),
        said("d", BUDGET[0], days=3, stale_sources=("z",)),
    )
    assert plan(store, "default", LATER).groups == ()


def test_a_group_that_changed_since_is_passed_over(store: Store) -> None:
    thrice(store)
    planned = plan(store, "default", LATER)
    store.delete("default", eq("id", "b"))
    done = consolidate(store, planned, LATER)
    assert (done.done, done.passed_over) == ((), planned.groups)
    assert get(store, "a").status is MemoryStatus.ACTIVE


def test_stopped_half_way_the_rest_is_planned_and_done_again(store: Store) -> None:
    thrice(store)
    keep(store, said("x", "The wifi password is swordfish"), said("y", "Wifi password is swordfish.", days=1))
    planned = plan(store, "default", LATER)
    assert [one.kept for one in planned.groups] == ["c", "y"]
    consolidate(store, planned.model_copy(update={"groups": planned.groups[:1]}), LATER)
    rest = plan(store, "default", LATER)
    assert rest.groups == planned.groups[1:]
    assert consolidate(store, rest, LATER).done == planned.groups[1:]


def test_entities_of_merged_memories_survive(store: Store) -> None:
    whose = entity("person:li", "李娜")
    for day, text in enumerate(("李娜负责仓库盘点", "李娜負責倉庫盤點。")):
        one = said(f"m{day}", text, days=day)
        tie = edge(memory_node(one.id), entity_node(whose.id))
        store.put([Entry(one, tuple(index_tokens(text)), entities=(whose,), edges=(tie,))])
    assert len(consolidate(store, plan(store, "default", LATER), LATER).done) == 1
    tied = store.edges("default", [entity_node(whose.id)])[entity_node(whose.id)]
    assert {one.source.id for one in tied if one.source.kind is NodeKind.MEMORY} == {"m0", "m1"}


def test_other_namespaces_are_left_alone(store: Store) -> None:
    keep(store, said("a", BUDGET[0]), said("b", BUDGET[1], days=1, namespace="other"))
    assert plan(store, "default", LATER).groups == plan(store, "other", LATER).groups == ()


def test_the_journal_says_who_merged_what(store: Store) -> None:
    thrice(store)
    consolidate(store, plan(store, "default", LATER), LATER, by=Act(actor="mei"))
    noted = store.journal.read("default", actions=[Action.CONSOLIDATE, Action.STANDING]).entries
    assert {(one.action, one.subject) for one in noted} == {
        (Action.STANDING, "a"),
        (Action.STANDING, "b"),
        (Action.CONSOLIDATE, "c"),
    }
    assert {(one.actor, one.reason) for one in noted} == {("mei", CONSOLIDATED)}


def test_what_has_expired_is_found_to_be_deleted_and_the_rest_is_not(store: Store) -> None:
    keep(
        store,
        said("a", "The pass is valid", expires_at=NOW),
        said("b", "The pass is new", expires_at=NOW + timedelta(seconds=1)),
        said("c", "The pass is blue"),
        said("d", "The pass is old", expires_at=NOW, namespace="other"),
    )
    assert store.delete("default", expired(NOW)) == ["a"]
    assert store.delete("default", expired(NOW)) == []
    assert {m.id for m in store.page("default").memories} == {"b", "c"}
    assert len(store.page("other").memories) == 1
