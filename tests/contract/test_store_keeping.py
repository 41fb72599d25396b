"""The store contract: what hangs on memories, and what deleting leaves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from graphsvc.encoding.base import Fingerprint
from graphsvc.errors import (
    EncoderMismatch,
    NotFound,
    VectorInvalid,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import ItemStatus
from graphsvc.store.base import EdgeDirection, Encoding, Selection, Store
from graphsvc.store.filters import EVERYTHING, Op, compare, eq, one_of
from tests.builders import (
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

OTHER = Fingerprint(name="other", variant="plain", version="1", dimension=4)


def found(store: Store, selection: Selection, *tokens: str, k: int = 10) -> list[str]:
    return [hit.id for hit in store.match(selection, tokens, k)]


class TestDelete:
    def test_nothing_is_left_of_a_deleted_memory(self, store: Store, open_again: OpenStore) -> None:
        """Report A25: no vector, no word, no edge, no entity that nobody mentions."""
        people = [entity("person:林涛", "林涛"), entity("org:星河", "星河公司", kind="organisation")]
        ties = [edge(memory_node(), entity_node(one.id)) for one in people]
        store.put([entry(tokens=["林涛", "星河"], vector=axis(0), states=token_states(1), entities=people, edges=ties)])
        kept = edge(memory_node("m2"), entity_node("org:星河"))
        between = edge(memory_node("m2"), memory_node())
        store.put([entry("m2", tokens=["星河"], vector=axis(1), entities=people[1:], edges=[kept, between])])
        assert store.delete("default", eq("id", "m1")) == ["m1"]
        for one in (store, open_again()):
            everything = one.select("default")
            assert everything.count == 1
            assert found(one, everything, "林涛") == []
            assert [hit.id for hit in one.nearest(everything, axis(0), 5)] == ["m2"]
            assert one.vectors("default", ids("m1", "m2")).keys() == {"m2"}
            assert [e.id for e in one.entities("default", aliases=["林涛", "星河公司"])] == ["org:星河"]
            assert one.edges("default", [memory_node("m2")]) == {memory_node("m2"): [kept]}
            assert one.edges("default", [entity_node("org:星河")]) == {entity_node("org:星河"): [kept]}
            assert one.get("default", ids("m1")) == []
            assert one.page("default").memories == tuple(one.get("default", ids("m2")))
        description = store.describe()
        assert (description.memories, description.entities, description.edges) == (1, 1, 1)

    def test_scores_are_as_if_it_had_never_been(self, store: Store) -> None:
        lasting = [entry("a", "red fox"), entry("b", "red hen pen")]
        store.put([replace(one, memory=memory(one.memory.id, one.memory.text, namespace="twin")) for one in lasting])
        store.put([*lasting, entry("c", "red red red fox and more")])
        store.match(store.select("default"), ["red"], 5)
        store.delete("default", eq("id", "c"))
        words = ["red", "fox"]
        assert store.match(store.select("default"), words, 5) == store.match(store.select("twin"), words, 5)

    def test_a_deleted_id_may_be_used_again(self, store: Store) -> None:
        store.put([entry(text="first", vector=axis(0))])
        store.delete("default", EVERYTHING)
        assert store.delete("default", EVERYTHING) == []
        store.put([entry(text="second", vector=axis(1))])
        everything = store.select("default")
        assert found(store, everything, "first") == []
        assert found(store, everything, "second") == ["m1"]
        assert [hit.score for hit in store.nearest(everything, axis(1), 5)] == [1.0]

    def test_only_what_matches_goes(self, store: Store) -> None:
        store.put([entry(f"m{n}", conversation_id=f"c{n % 2}") for n in range(6)])
        assert store.delete("default", eq("conversation_id", "c1")) == ["m1", "m3", "m5"]
        assert store.delete("default", one_of("id", [])) == []
        assert store.delete("elsewhere", EVERYTHING) == []
        assert sorted(m.id for m in store.page("default").memories) == ["m0", "m2", "m4"]

    def test_what_many_shared_is_counted_anew(self, store: Store) -> None:
        store.put([entry(f"m{n:03}", domain="财务", level=n) for n in range(400)])
        assert store.select("default", eq("domain", "财务")).count == 400
        store.delete("default", compare("level", Op.GTE, 390))
        store.put([entry("late", domain="财务")])
        assert store.select("default", eq("domain", "财务")).count == 391

    def test_most_of_a_large_namespace_may_go(self, store: Store) -> None:
        store.put([entry(f"m{n:04}", level=n, vector=random_unit(n)) for n in range(1600)])
        assert store.select("default").count == 1600
        store.delete("default", compare("level", Op.GTE, 100))
        store.put([entry("late", vector=axis(0))])
        assert store.select("default").count == 101
        assert len(store.nearest(store.select("default"), axis(0), 500)) == 101
        assert len(found(store, store.select("default"), "friday", k=500)) == 101


class TestVectors:
    def test_vectors_and_states_come_back_as_they_were(self, store: Store) -> None:
        states = token_states(3, count=25)
        store.put([entry("a", vector=random_unit(1), states=states), entry("b", vector=random_unit(2)), entry("c")])
        read = store.vectors("default", ids("c", "b", "a", "absent"))
        assert read.keys() == {"a", "b"}
        assert np.array_equal(read["a"][0], random_unit(1))  # type: ignore[index]
        assert read[MemoryId("b")][1] is None
        back = read[MemoryId("a")][1]
        assert back is not None
        assert np.array_equal(back.codes, states.codes)
        assert np.array_equal(back.scales, states.scales)

    def test_vectors_wait_for_an_encoder(self, open_again: OpenStore) -> None:
        store = open_again()
        results = store.put([entry("a", vector=axis(0)), entry("b")])
        assert isinstance(results[0].error, EncoderMismatch)
        assert results[1].status is ItemStatus.CREATED
        assert store.nearest(store.select("default"), axis(0), 5) == []

    def test_another_encoder_is_refused_while_vectors_would_be_left(self, store: Store) -> None:
        store.put([entry("a", vector=axis(0)), entry("b", vector=axis(1)), entry("c")])
        new = [Encoding("default", MemoryId("a"), axis(0, dimension=4))]
        for encodings in ((), new):
            with pytest.raises(EncoderMismatch):
                store.set_encoding(OTHER, encodings)
        assert store.describe().fingerprint == FINGERPRINT
        assert [hit.score for hit in store.nearest(store.select("default"), axis(0), 2)] == [1.0, 0.0]

    def test_new_vectors_for_all_replace_the_old(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry("a", vector=axis(0), states=token_states(1)), entry("b", vector=axis(1), namespace="two")])
        reader = open_again()
        assert len(reader.nearest(reader.select("default"), axis(0), 5)) == 1
        new = [
            Encoding("default", MemoryId("a"), axis(2, dimension=4)),
            Encoding("two", MemoryId("b"), axis(3, dimension=4)),
        ]
        store.set_encoding(OTHER, iter(new))
        for one in (store, reader):
            assert one.describe().fingerprint == OTHER
            hits = one.nearest(one.select("default"), axis(2, dimension=4), 5)
            assert [(hit.id, hit.score) for hit in hits] == [("a", 1.0)]
            assert one.vectors("default", ids("a"))[MemoryId("a")][1] is None

    def test_a_bad_vector_undoes_the_whole_change(self, store: Store) -> None:
        store.put([entry("a", vector=axis(0)), entry("b", vector=axis(1))])
        bad = [Encoding("default", MemoryId("a"), axis(5)), Encoding("default", MemoryId("b"), axis(0) * np.float32(0))]
        with pytest.raises(VectorInvalid):
            store.set_encoding(FINGERPRINT, bad)
        assert [hit.id for hit in store.nearest(store.select("default"), axis(0), 1)] == ["a"]
        assert np.array_equal(store.vectors("default", ids("a"))[MemoryId("a")][0], axis(0))

    def test_encodings_of_memories_that_are_gone_are_passed_over(self, store: Store) -> None:
        store.set_encoding(FINGERPRINT, [Encoding("nowhere", MemoryId("gone"), axis(0))])
        assert store.describe().memories == 0


class TestGraph:
    def test_entities_of_one_id_are_merged(self, store: Store) -> None:
        store.put([entry("a", entities=[entity("p", "mei zhou", name="Mei Zhou")])])
        store.put([entry("b", entities=[entity("p", "周梅", name="周梅"), entity("q", "周梅")])])
        merged = store.entities("default", ids=["p"])[0]
        assert merged.name == "Mei Zhou"
        assert set(merged.aliases) == {"mei zhou", "周梅"}
        assert [e.id for e in store.entities("default", aliases=["周梅"])] == ["p", "q"]
        assert [e.id for e in store.entities("default", ids=["q"], aliases=["mei zhou"])] == ["p", "q"]
        assert store.entities("default") == []

    def test_a_part_of_an_alias_finds_nobody(self, store: Store) -> None:
        store.put([entry(entities=[entity("p", "王伟明")])])
        assert store.entities("default", aliases=["王伟", "伟明", "王%"]) == []

    def test_one_edge_is_kept_of_source_target_and_type(self, store: Store) -> None:
        person = entity_node("p")
        weak, strong = edge(memory_node(), person, weight=0.3), edge(memory_node(), person, weight=0.8, hours=5)
        store.put([entry(entities=[entity("p")], edges=[weak, strong, weak])])
        assert store.edges("default", [person]) == {person: [strong]}

    def test_a_later_stronger_edge_replaces_a_weaker(self, store: Store) -> None:
        tie = edge(memory_node("a"), memory_node("b"), weight=0.5)
        store.put([entry("a"), entry("b", edges=[tie])])
        assert store.edges("default", [memory_node("a")]) == {memory_node("a"): [tie]}
        weaker, stronger = (tie.model_copy(update={"weight": w}) for w in (0.2, 0.9))
        store.put([entry("c", edges=[weaker])])
        assert store.edges("default", [memory_node("a")]) == {memory_node("a"): [tie]}
        store.put([entry("d", edges=[stronger])])
        assert store.edges("default", [memory_node("a")]) == {memory_node("a"): [stronger]}
        assert store.describe().edges == 1

    def test_an_edge_to_what_is_not_stored_is_left_out(self, store: Store) -> None:
        forward = edge(memory_node("a"), memory_node("b"))
        lost = edge(memory_node("a"), memory_node("bad"))
        nobody = edge(memory_node("a"), entity_node("nobody"))
        bad = entry("bad", vector=axis(0) * np.float32(0))
        store.put([entry("a", edges=[forward, lost, nobody]), bad, entry("b")])
        assert store.edges("default", [memory_node("a")]) == {memory_node("a"): [forward]}

    def test_edges_come_strongest_then_newest_then_by_id(self, store: Store) -> None:
        hub = entity_node("hub")
        shapes = [(0.5, 1), (1.0, None), (1.0, 2), (0.5, 9), (1.0, 1), (1.0, 2)]
        ties = [edge(memory_node(f"m{n}"), hub, weight=w, hours=h) for n, (w, h) in enumerate(shapes)]
        store.put([entry(f"m{n}", entities=[entity("hub")], edges=[tie]) for n, tie in enumerate(ties)])
        order = [ties[n] for n in (2, 5, 4, 1, 3, 0)]
        assert store.edges("default", [hub])[hub] == order
        assert store.edges("default", [hub], per_node=3)[hub] == order[:3]
        assert store.edges("default", [hub], per_node=0)[hub] == []

    def test_types_and_directions_choose(self, store: Store) -> None:
        a, b, person = memory_node("a"), memory_node("b"), entity_node("p")
        sent = edge(a, person, EdgeType.SENT_BY)
        mentions, follows = edge(a, person), edge(b, a, EdgeType.NEXT_IN_CONVERSATION)
        store.put([entry("a", entities=[entity("p")], edges=[sent, mentions]), entry("b", edges=[follows])])
        assert store.edges("default", [a], types=[sent.type])[a] == [sent]
        assert store.edges("default", [a], types=[])[a] == []
        assert store.edges("default", [a], direction=EdgeDirection.IN)[a] == [follows]
        assert set(store.edges("default", [a], direction=EdgeDirection.OUT)[a]) == {sent, mentions}
        assert len(store.edges("default", [a])[a]) == 3
        assert store.edges("default", [memory_node("absent"), b]) == {memory_node("absent"): [], b: [follows]}

    def test_an_edge_to_itself_is_told_once(self, store: Store) -> None:
        loop = edge(memory_node(), memory_node())
        store.put([entry(edges=[loop])])
        assert store.edges("default", [memory_node()])[memory_node()] == [loop]

    def test_a_hub_gives_no_more_than_asked_and_the_same_again(self, store: Store) -> None:
        """Report A46: a hub's fan-out is bounded and repeatable."""
        hub = entity_node("hub")
        entries = [
            entry(f"m{n:04}", entities=[entity("hub")], edges=[edge(memory_node(f"m{n:04}"), hub, hours=None)])
            for n in reversed(range(2000))
        ]
        store.put(entries)
        first = store.edges("default", [hub], per_node=50)[hub]
        assert [e.source.id for e in first] == [f"m{n:04}" for n in range(50)]
        assert store.edges("default", [hub], per_node=50)[hub] == first

    def test_another_openings_edges_are_seen(self, store: Store, open_again: OpenStore) -> None:
        person, other = entity_node("p"), open_again()
        store.put([entry("a", entities=[entity("p")], edges=[edge(memory_node("a"), person)])])
        assert len(other.edges("default", [person])[person]) == 1
        store.put([entry("b", entities=[entity("p")], edges=[edge(memory_node("b"), person)])])
        assert len(other.edges("default", [person])[person]) == 2
        store.delete("default", eq("id", "a"))
        assert [e.source.id for e in other.edges("default", [person])[person]] == ["b"]


class TestTraces:
    def test_a_trace_comes_back_as_it_was(self, store: Store, open_again: OpenStore) -> None:
        store.put([entry("a"), entry("b", sender="张伟", domain="财务")])
        saved = trace("t1", *store.get("default", ids("b", "a")))
        store.traces.save(saved)
        assert store.traces.get("default", TraceId("t1")) == saved
        assert open_again().traces.get("default", TraceId("t1")) == saved

    def test_a_trace_is_no_ones_but_its_namespaces(self, store: Store) -> None:
        store.traces.save(trace("t1"))
        for namespace, name in (("other", "t1"), ("default", "t2"), ("default", "\udcff")):
            with pytest.raises(NotFound):
                store.traces.get(namespace, TraceId(name))

    def test_a_deleted_memory_is_gone_from_traces(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        store.traces.save(trace("t1", *store.get("default", ids("a", "b"))))
        store.delete("default", eq("id", "a"))
        store.put([entry("a", text="another", recorded_at=NOW + timedelta(days=1))])
        assert [c.memory.id for c in store.traces.get("default", TraceId("t1")).candidates] == ["b"]

    def test_the_oldest_beyond_the_limit_go(self, store: Store) -> None:
        for n in range(8):
            store.traces.save(trace(f"t{n}"))
        assert store.traces.get("default", TraceId("t7")).id == "t7"
        with pytest.raises(NotFound):
            store.traces.get("default", TraceId("t2"))
