"""The store contract, sentence by sentence: writing, reading back, the walls between namespaces, the end."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from graphsvc.errors import (
    DuplicateId,
    FieldInvalid,
    StoreError,
    VectorInvalid,
)
from graphsvc.models.facts import Amount, Facts
from graphsvc.models.memory import ItemStatus
from graphsvc.store.base import Entry, Selection, Store
from graphsvc.store.filters import EVERYTHING, Op, both, compare, eq
from tests.builders import (
    DIMENSION,
    FINGERPRINT,
    NOW,
    axis,
    edge,
    entity,
    entity_node,
    entry,
    ids,
    memory,
    memory_node,
    random_unit,
    token_states,
    trace,
)
from tests.contract.conftest import OpenStore


def statuses(store: Store, *entries: Entry) -> list[ItemStatus]:
    return [result.status for result in store.put(entries)]


def found(store: Store, selection: Selection, *tokens: str, k: int = 10) -> list[str]:
    return [hit.id for hit in store.match(selection, tokens, k)]


class TestPut:
    def test_what_was_put_is_read_back_as_it_was(self, store: Store) -> None:
        written = memory(
            text="１３９００１２３４５６ a\tb\n付款\u0000",
            metadata={"n": 3, "f": 0.1, "b": True, "t": "x\u0000y", "none": None, "big": 2**53 + 1},
            recipients=("b@example.com", "张伟"),
            valid_from=datetime(1, 1, 1, tzinfo=UTC),
            level=2,
        )
        store.put([replace(entry(), memory=written)])
        assert store.get("default", ids("m1")) == [written]

    def test_acknowledged_means_another_opening_sees_it(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry(vector=axis(0), states=token_states(1))])
        other = open_again()
        assert [m.id for m in other.get("default", ids("m1"))] == ["m1"]
        assert [hit.id for hit in other.nearest(other.select("default"), axis(0), 3)] == ["m1"]

    def test_the_same_memory_again_is_unchanged(self, store: Store) -> None:
        later = entry(recorded_at=NOW + timedelta(days=1), domain="财务")
        assert statuses(store, entry(), later) == [ItemStatus.CREATED, ItemStatus.UNCHANGED]
        assert statuses(store, later) == [ItemStatus.UNCHANGED]
        assert store.get("default", ids("m1"))[0].recorded_at == NOW
        assert store.describe().memories == 1

    @pytest.mark.parametrize("fields", [{"text": "另一句"}, {"event_time": NOW + timedelta(hours=1)}, {"sender": "李"}])
    def test_other_content_under_a_known_id_is_refused(self, store: Store, fields: dict[str, object]) -> None:
        store.put([entry()])
        together = store.put([entry(**fields), entry("m2"), entry("m2", **fields)])  # type: ignore[arg-type]
        assert [r.status for r in together] == [ItemStatus.FAILED, ItemStatus.CREATED, ItemStatus.FAILED]
        assert all(isinstance(r.error, DuplicateId) for r in together if r.status is ItemStatus.FAILED)
        assert store.get("default", ids("m1"))[0].text == memory().text

    @pytest.mark.parametrize(
        "bad",
        [
            np.zeros(DIMENSION, np.float32),
            np.full(DIMENSION, np.nan, np.float32),
            np.full(DIMENSION, np.inf, np.float32),
            axis(0, dimension=DIMENSION + 1),
            axis(0) * np.float32(1.1),
        ],
        ids=["zero", "nan", "infinite", "wrong length", "not unit"],
    )
    def test_a_bad_vector_fails_its_entry_alone(self, store: Store, bad: np.ndarray) -> None:
        """Report A33: zero and NaN vectors are refused at write."""
        results = store.put([entry("m1", vector=axis(0)), entry("bad", vector=bad), entry("m3", vector=axis(1))])
        assert [r.status for r in results] == [ItemStatus.CREATED, ItemStatus.FAILED, ItemStatus.CREATED]
        assert isinstance(results[1].error, VectorInvalid)
        assert store.get("default", ids("bad")) == []
        assert found(store, store.select("default", eq("id", "bad")), "friday") == []
        assert statuses(store, entry("bad", vector=axis(2))) == [ItemStatus.CREATED]

    def test_states_of_another_shape_fail_their_entry(self, store: Store) -> None:
        results = store.put([entry(vector=axis(0), states=token_states(1, width=7))])
        assert isinstance(results[0].error, VectorInvalid)

    def test_numbers_no_store_can_keep_fail_their_entry(self, store: Store) -> None:
        amount = Amount(start=0, end=1, text="x", value=math.inf)
        results = store.put([entry(metadata={"n": 2**63}), entry("m2", facts=Facts(amounts=(amount,))), entry("m3")])
        assert [type(r.error) for r in results] == [FieldInvalid, FieldInvalid, type(None)]

    def test_a_memory_without_vector_is_found_by_its_words(self, store: Store) -> None:
        store.put([entry()])
        everything = store.select("default")
        assert found(store, everything, "friday") == ["m1"]
        assert store.nearest(everything, axis(0), 5) == []

    def test_arguments_are_left_as_they_were(self, store: Store) -> None:
        vector, query = random_unit(1), random_unit(2)
        before = vector.copy(), query.copy()
        store.put([entry(vector=vector)])
        store.nearest(store.select("default"), query, 1)
        assert np.array_equal(vector, before[0])
        assert np.array_equal(query, before[1])

    def test_nothing_put_is_nothing_done(self, store: Store) -> None:
        assert store.put([]) == []


class TestGet:
    def test_memories_come_in_the_order_asked_for(self, store: Store) -> None:
        store.put([entry(name) for name in ("a", "b", "c")])
        assert [m.id for m in store.get("default", ids("c", "absent", "a", "c"))] == ["c", "a", "c"]

    @pytest.mark.parametrize("odd", ["", "\udcff", "x" * 5000, "'; DROP TABLE memory; --", "a\u0000b", "%"])
    def test_odd_ids_and_namespaces_are_merely_absent(self, store: Store, odd: str) -> None:
        """Report A37: an id that cannot be decoded is no memory, not a failure."""
        store.put([entry()])
        assert store.get("default", ids(odd)) == []
        assert store.get(odd, ids("m1")) == []
        assert store.entities("default", ids=[odd], aliases=[odd]) == []
        assert store.entities(odd, aliases=["m1"]) == []
        assert store.select(odd).count == 0
        assert store.page(odd).memories == ()
        assert store.vectors("default", ids(odd)) == {}
        assert store.edges(odd, [memory_node(odd)]) == {memory_node(odd): []}

    def test_many_ids_are_read_in_one_call(self, store: Store) -> None:
        names = [f"m{place:04}" for place in range(1300)]
        store.put([entry(name) for name in names])
        assert [m.id for m in store.get("default", ids(*reversed(names)))] == names[::-1]


class TestNamespaces:
    def test_the_same_text_and_id_live_apart(self, store: Store) -> None:
        """Report A28: one owner's deletion leaves the other's memory."""
        store.put([entry(namespace="T1", vector=axis(0)), entry(namespace="T2", vector=axis(0))])
        assert [found(store, store.select(t), "friday") for t in ("T1", "T2")] == [["m1"], ["m1"]]
        store.delete("T1", eq("id", "m1"))
        assert [found(store, store.select(t), "friday") for t in ("T1", "T2")] == [[], ["m1"]]
        assert len(store.nearest(store.select("T2"), axis(0), 5)) == 1

    def test_emptying_one_namespace_leaves_the_other(self, store: Store) -> None:
        """Report A26: a scoped wipe stays in its scope."""
        store.put(
            [entry(f"m{n}", namespace="T1") for n in range(3)] + [entry(f"m{n}", namespace="T2") for n in range(2)]
        )
        assert len(store.delete("T1", EVERYTHING)) == 3
        assert store.describe().namespaces == {"T2": 2}
        assert len(found(store, store.select("T2"), "friday")) == 2

    def test_scores_tell_nothing_of_a_neighbour(self, store: Store) -> None:
        store.put([entry("a", "red fox"), entry("b", "red red hen pen"), entry("c", "blue")])
        before = store.match(store.select("default"), ["red", "hen"], 5)
        store.put([entry(f"n{n}", "red hen " * n, namespace="other") for n in range(1, 50)])
        assert store.match(store.select("default"), ["red", "hen"], 5) == before

    def test_a_selection_does_not_carry_over(self, store: Store) -> None:
        store.put([entry(namespace="T1"), entry(namespace="T2")])
        with pytest.raises(FieldInvalid):
            store.select("T2", within=store.select("T1"))

    def test_edges_and_entities_stay_inside(self, store: Store) -> None:
        tie = edge(memory_node(), entity_node("p"))
        store.put([entry(namespace="T1", entities=[entity("p", "pat")], edges=[tie]), entry(namespace="T2")])
        assert store.entities("T2", ids=["p"], aliases=["pat"]) == []
        assert store.edges("T2", [memory_node(), entity_node("p")]) == {memory_node(): [], entity_node("p"): []}


class TestLife:
    def test_a_description_counts_everything(self, store: Store) -> None:
        tie = edge(memory_node(), entity_node("p"))
        store.put([entry(entities=[entity("p")], edges=[tie]), entry("m2"), entry(namespace="two")])
        description = store.describe()
        assert (description.memories, description.entities, description.edges) == (3, 1, 1)
        assert description.namespaces == {"default": 2, "two": 1}
        assert description.fingerprint == FINGERPRINT
        assert description.bytes_on_disk is None or description.bytes_on_disk > 0

    def test_a_closed_store_says_so(self, store: Store) -> None:
        selection = store.select("default")
        store.close()
        store.close()
        for call in (
            lambda: store.put([entry()]),
            lambda: store.get("default", ids("m1")),
            lambda: store.select("default"),
            lambda: store.match(selection, ["x"], 1),
            lambda: store.delete("default", EVERYTHING),
            lambda: store.traces.save(trace()),
            store.describe,
        ):
            with pytest.raises(StoreError):
                call()

    def test_filters_reach_what_another_opening_wrote(self, store: Store, open_again: OpenStore) -> None:
        other = open_again()
        where = both(eq("domain", "财务"), compare("event_time", Op.LTE, NOW))
        assert other.select("default", where).count == 0
        for n in range(3):
            store.put([entry(f"m{n}", domain="财务")])
            assert other.select("default", where).count == n + 1
