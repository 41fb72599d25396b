"""The store contract: where memories stand, what revises them, and the edges of change between them."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from graphsvc.errors import EncoderMismatch, FieldInvalid, GraphsvcError, NotFound, RevisionOutdated, VectorInvalid
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.facts import Facts, Label
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import ItemStatus, MemoryStatus
from graphsvc.store.base import Encoding, Store
from graphsvc.store.filters import Compare, Op, compare, eq, exists
from tests.builders import (
    FINGERPRINT,
    NOW,
    axis,
    edge,
    ended,
    entity,
    entity_node,
    entry,
    ids,
    memory_node,
    token_states,
)
from tests.contract.conftest import OpenStore

FALLEN = eq("status", "superseded")


def overturns(later: str, earlier: str, *, whole: bool = True, slot: str = "price of the hall") -> Edge:
    tie = edge(memory_node(later), memory_node(earlier), EdgeType.SUPERSEDES)
    return tie.model_copy(update={"slot": slot, "whole": whole, "recorded_at": NOW + timedelta(minutes=3)})


def named(store: Store, where: Compare) -> list[str]:
    """The memories a filter finds, by selection and by page alike."""
    paged = sorted(one.id for one in store.page("default", where).memories)
    assert store.select("default", where).count == len(paged)
    return [str(one) for one in paged]


def standing(store: Store, memory_id: str) -> Standing:
    (one,) = store.get("default", ids(memory_id))
    return Standing.model_validate({name: getattr(one, name) for name in Standing.model_fields})


class TestStandings:
    def test_a_memory_stands_active_until_told_otherwise(self, store: Store) -> None:
        store.put([entry("a")])
        assert standing(store, "a") == Standing(id=MemoryId("a"))
        assert named(store, exists("ended_at")) == []

    def test_a_put_says_where_others_stand_in_the_same_call(self, store: Store) -> None:
        store.put([entry("old"), entry("other")])
        assert named(store, FALLEN) == []
        told = ended("old", "new", hours=2)
        store.put([entry("new", edges=[overturns("new", "old")], standings=[told])])
        assert standing(store, "old") == told
        assert named(store, FALLEN) == ["old"]
        assert named(store, compare("ended_at", Op.LTE, NOW + timedelta(hours=2))) == ["old"]
        assert named(store, compare("ended_at", Op.LT, NOW + timedelta(hours=2))) == []

    def test_a_memory_may_come_already_ended(self, store: Store) -> None:
        store.put([entry("late", standings=[ended("late", "known")]), entry("known")])
        assert named(store, FALLEN) == ["late"]

    def test_an_entry_that_is_refused_or_known_moves_nobody(self, store: Store) -> None:
        store.put([entry("old"), entry("new")])
        fall = [ended("old", "new")]
        results = store.put([entry("new", standings=fall), entry("bad", level=2**70, standings=fall)])
        assert [one.status for one in results] == [ItemStatus.UNCHANGED, ItemStatus.FAILED]
        assert named(store, FALLEN) == []

    def test_a_later_standing_replaces_the_earlier_and_may_reopen(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        store.put_standings("default", [ended("a", "b"), ended("a", "b", hours=-1, status=MemoryStatus.RETRACTED)])
        assert standing(store, "a") == ended("a", "b", hours=-1, status=MemoryStatus.RETRACTED)
        store.put_standings("default", [Standing(id=MemoryId("a"))])
        assert standing(store, "a") == Standing(id=MemoryId("a"))
        assert named(store, exists("ended_at", False)) == ["a", "b"]

    def test_stale_sources_leave_a_memory_active(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        stale = Standing(id=MemoryId("a"), stale_sources=(MemoryId("b"),))
        store.put_standings("default", [stale])
        assert standing(store, "a") == stale
        assert named(store, eq("status", "active")) == ["a", "b"]

    def test_unknown_memories_are_passed_over(self, store: Store) -> None:
        store.put([entry("a"), entry("a", namespace="two")])
        store.put_standings("default", [ended("nobody"), ended("a")])
        store.put_standings("nowhere", [ended("a")])
        assert named(store, FALLEN) == ["a"]
        assert store.get("two", ids("a"))[0].status is MemoryStatus.ACTIVE

    def test_another_opening_follows_what_it_has_read_already(self, store: Store, open_again: OpenStore) -> None:
        other = open_again()
        store.put([entry("a"), entry("b")])
        for told in (ended("a", "b"), Standing(id=MemoryId("a")), ended("a", "b", hours=5)):
            expected = ["a"] if told.ended_at else []
            store.put_standings("default", [told])
            for one in (other, store):
                assert standing(one, "a") == told
                assert named(one, FALLEN) == expected

    def test_standings_outlive_the_process_and_what_is_read_anew(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry("a", vector=axis(0)), entry("b")])
        store.put_standings("default", [ended("a", "b")])
        facts = Facts(labels=(Label(domain="fishing", probability=0.9, source="test"),))
        store.set_encoding(FINGERPRINT, [Encoding("default", MemoryId("a"), axis(1), facts=facts)])
        assert named(store, FALLEN) == ["a"]
        store.close()
        again = open_again()
        assert standing(again, "a") == ended("a", "b")
        assert again.get("default", ids("a"))[0].facts == facts
        assert named(again, FALLEN) == ["a"]

    def test_a_deleted_memory_leaves_its_standing_to_nobody(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        store.put_standings("default", [ended("a", "b")])
        store.delete("default", eq("id", "a"))
        store.put([entry("a", "another")])
        assert standing(store, "a") == Standing(id=MemoryId("a"))
        assert named(store, FALLEN) == []

    def test_an_earlier_selection_keeps_what_it_chose(self, store: Store) -> None:
        store.put([entry("a", "hall"), entry("b", "hall")])
        active = store.select("default", eq("status", "active"))
        store.put_standings("default", [ended("a", "b")])
        assert [hit.id for hit in store.match(active, ["hall"], 5)] == ["a", "b"]
        assert store.select("default", FALLEN, within=active).count == 1

    def test_expiry_and_file_are_asked_like_any_field(self, store: Store) -> None:
        store.put(
            [entry("a", expires_at=NOW), entry("b", expires_at=NOW + timedelta(days=1), source={"file": "b.pdf"})]
        )
        assert named(store, compare("expires_at", Op.GT, NOW)) == ["b"]
        assert named(store, eq("file", "b.pdf")) == ["b"]


class TestEdgesOfChange:
    def test_an_edge_keeps_its_slot_its_reach_and_its_record_time(self, store: Store, open_again: OpenStore) -> None:
        tie = overturns("new", "old")
        store.put([entry("old"), entry("new", edges=[tie])])
        for one in (store, open_again()):
            assert one.edges("default", [memory_node("old")]) == {memory_node("old"): [tie]}

    def test_edges_come_and_go_with_the_standings(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry("a"), entry("b"), entry("c")])
        other = open_again()
        first, second = overturns("b", "a"), overturns("c", "a")
        store.put_standings("default", [ended("a", "b")], edges=[first])
        for one in (store, other):
            assert one.edges("default", [memory_node("a")])[memory_node("a")] == [first]
        store.put_standings("default", [ended("a", "c")], edges=[second], gone=[first])
        for one in (store, other):
            assert one.edges("default", [memory_node("a")])[memory_node("a")] == [second]
            assert one.edges("default", [memory_node("b")])[memory_node("b")] == []

    def test_an_edge_gone_and_drawn_is_drawn_anew(self, store: Store) -> None:
        tie = overturns("b", "a")
        store.put([entry("a"), entry("b", edges=[tie])])
        partly = tie.model_copy(update={"whole": False, "weight": 0.5})
        store.put_standings("default", [], edges=[partly])
        assert store.edges("default", [memory_node("a")])[memory_node("a")] == [tie]
        store.put_standings("default", [], edges=[partly], gone=[tie])
        assert store.edges("default", [memory_node("a")])[memory_node("a")] == [partly]

    def test_edges_to_nobody_neither_come_nor_go(self, store: Store) -> None:
        store.put([entry("a")])
        store.put_standings("default", [], edges=[overturns("b", "a")], gone=[overturns("c", "a")])
        assert store.describe().edges == 0


class TestRevise:
    def _pair(self, store: Store) -> None:
        people = [entity("p"), entity("q")]
        ties = [edge(memory_node("a"), entity_node("p")), edge(memory_node("a"), entity_node("q"))]
        states = token_states(1)
        first = entry("a", "hall at 65", vector=axis(0), states=states, entities=people, edges=ties, section="one")
        later = entry("b", entities=people[:1], edges=[overturns("b", "a"), edge(memory_node("b"), entity_node("p"))])
        store.put([first, later])
        store.put_standings("default", [ended("a", "b")])

    def test_another_content_takes_the_id(self, store: Store, open_again: OpenStore) -> None:
        other = open_again()
        self._pair(store)
        for one in (store, other):
            assert named(one, eq("section", "one")) == ["a"]
            assert one.get("default", ids("a"))[0].text == "hall at 65"
        told = NOW + timedelta(hours=1)
        new = entry("a", "room at 80", vector=axis(1), section="two", recorded_at=told)
        stored = store.revise(new, revision=1)
        assert (stored.revision, stored.text, stored.recorded_at) == (2, "room at 80", told)
        for one in (store, other, open_again()):
            assert one.get("default", ids("a")) == [stored]
            assert [m.id for m in one.page("default").memories] == ["b", "a"]
            assert named(one, eq("section", "one")) == []
            assert named(one, eq("section", "two")) == ["a"]
            everything = one.select("default")
            assert everything.count == 2
            assert [hit.id for hit in one.match(everything, ["hall", "65"], 5)] == []
            assert [hit.id for hit in one.match(everything, ["room"], 5)] == ["a"]
            assert [(hit.id, hit.score) for hit in one.nearest(everything, axis(1), 5)] == [("a", 1.0)]
            assert one.vectors("default", ids("a"))[MemoryId("a")][1] is None
        assert store.describe().memories == 2

    def test_edges_of_others_stay_and_its_own_are_drawn_anew(self, store: Store, open_again: OpenStore) -> None:
        self._pair(store)
        other = open_again()
        for node in (memory_node("a"), entity_node("q"), entity_node("p")):
            assert len(other.edges("default", [node])[node]) == {"a": 3, "q": 1, "p": 2}[node.id]
        mine = edge(memory_node("a"), entity_node("r"))
        store.revise(entry("a", "room", entities=[entity("r")], edges=[mine, overturns("b", "a")]), revision=1)
        for one in (store, other):
            assert one.edges("default", [memory_node("a")])[memory_node("a")] == [mine, overturns("b", "a")]
            assert one.edges("default", [memory_node("b")], types=[EdgeType.SUPERSEDES])[memory_node("b")] == [
                overturns("b", "a")
            ]
            assert [e.source.id for e in one.edges("default", [entity_node("p")])[entity_node("p")]] == ["b"]
            assert [e.id for e in one.entities("default", ids=["p", "q", "r"])] == ["p", "r"]

    def test_its_standing_stays_unless_told(self, store: Store, open_again: OpenStore) -> None:
        self._pair(store)
        store.revise(entry("a", "room"), revision=1)
        assert standing(store, "a") == ended("a", "b")
        assert named(open_again(), FALLEN) == ["a"]
        again = store.revise(entry("a", "hall", standings=[Standing(id=MemoryId("a"))]), revision=2)
        assert again.status is MemoryStatus.ACTIVE
        assert named(store, FALLEN) == []

    def test_an_old_revision_is_refused_with_both_numbers(self, store: Store) -> None:
        store.put([entry("a", "one")])
        store.revise(entry("a", "two"), revision=1)
        with pytest.raises(RevisionOutdated) as told:
            store.revise(entry("a", "three"), revision=1)
        assert told.value.where == "a"
        assert "2" in told.value.what
        assert "1" in told.value.what
        assert store.get("default", ids("a"))[0].text == "two"

    @pytest.mark.parametrize(
        ("new", "error"),
        [
            (entry("absent"), NotFound),
            (entry("a", namespace="elsewhere"), NotFound),
            (entry("a", level=2**70), FieldInvalid),
            (entry("a", vector=axis(0) * math.nan), VectorInvalid),
        ],
    )
    def test_what_cannot_be_written_leaves_what_was(self, store: Store, new: object, error: type[Exception]) -> None:
        self._pair(store)
        before = store.get("default", ids("a", "b")), store.edges("default", [memory_node("a")]), store.describe()
        with pytest.raises(error):
            store.revise(new, revision=1)  # type: ignore[arg-type]  # parameters have no type of their own
        after = store.get("default", ids("a", "b")), store.edges("default", [memory_node("a")]), store.describe()
        assert after[:2] == before[:2]
        assert after[2].memories == before[2].memories

    def test_a_vector_waits_for_an_encoder_here_too(self, open_again: OpenStore) -> None:
        unbound = open_again()
        unbound.put([entry("a")])
        with pytest.raises(EncoderMismatch):
            unbound.revise(entry("a", "new", vector=axis(0)), revision=1)

    def test_of_many_at_once_exactly_one_wins_each_revision(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry("a", "start")])
        writers = [store, open_again()] * 3

        def attempt(place: int) -> str | GraphsvcError:
            try:
                return writers[place].revise(entry("a", f"text {place}"), revision=1).text
            except RevisionOutdated as error:
                return error

        with ThreadPoolExecutor(len(writers)) as pool:
            outcomes = list(pool.map(attempt, range(len(writers))))
        won = [one for one in outcomes if isinstance(one, str)]
        assert len(won) == 1
        for one in writers[:2]:
            (kept,) = one.get("default", ids("a"))
            assert (kept.text, kept.revision) == (won[0], 2)

    def test_a_revision_is_no_deletion_of_the_id(self, store: Store, open_again: OpenStore) -> None:
        other = open_again()
        store.put([entry("a", "one"), entry("b", "one")])
        chosen = other.select("default", eq("id", "a"))
        for revision in range(1, 4):
            store.revise(entry("a", f"text{revision}"), revision=revision)
            assert named(other, eq("id", "a")) == ["a"]
        # What was chosen is a content, and that content is gone.
        assert other.match(chosen, ["one"], 5) == []
        assert store.delete("default", eq("id", "a")) == ["a"]
        assert named(other, eq("id", "a")) == []
        store.put([entry("a", "anew")])
        assert other.get("default", ids("a"))[0].revision == 1

    def test_what_said_the_same_before_is_now_another_content(self, store: Store) -> None:
        store.put([entry("a", "one")])
        store.revise(entry("a", "two"), revision=1)
        results: Sequence[ItemStatus] = [r.status for r in store.put([entry("a", "two"), entry("a", "one")])]
        assert results == [ItemStatus.UNCHANGED, ItemStatus.FAILED]


def test_a_reader_never_misses_a_memory_that_is_being_revised(store: Store, open_again: OpenStore) -> None:
    store.put([entry("a", text="said once")])
    done = threading.Event()
    other = open_again()

    def revise() -> None:
        for number in range(1, 400):
            store.revise(entry("a", text=f"said {number} times"), revision=number)
        done.set()

    writer = threading.Thread(target=revise)
    writer.start()
    seen = []
    while not done.is_set():
        seen.append((len(other.get("default", [MemoryId("a")])), len(other.page("default").memories)))
    writer.join()
    assert set(seen) == {(1, 1)}
