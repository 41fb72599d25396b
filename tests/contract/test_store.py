"""The store contract, sentence by sentence: writing, reading back, narrowing, ranking."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest

from graphsvc.encoding.base import Fingerprint
from graphsvc.errors import (
    DuplicateId,
    EncoderMismatch,
    FieldInvalid,
    NotFound,
    StoreError,
    VectorInvalid,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.facts import Amount, Facts, Language
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import ItemStatus
from graphsvc.store.base import EdgeDirection, Encoding, Entry, Selection, Store
from graphsvc.store.filters import EVERYTHING, Not, Op, both, compare, either, eq, exists, one_of
from tests.builders import (
    DIMENSION,
    FINGERPRINT,
    NOW,
    at_cosine,
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


class TestSelect:
    @pytest.fixture
    def ten(self, store: Store) -> Store:
        store.put([entry(f"m{n}", domain="财务" if n % 2 else "运维", level=n) for n in range(10)])
        return store

    def test_a_filter_that_matches_nothing_selects_nothing(self, ten: Store) -> None:
        """Report A20: an empty id list finds nothing, not everything."""
        assert ten.select("default", eq("domain", "不存在")).count == 0
        assert ten.select("default", one_of("id", [])).count == 0
        assert ten.select("default", one_of("domain", [])).count == 0
        assert ten.select("default", one_of("event_time", [])).count == 0
        assert ten.select("default", either()).count == 0
        assert found(ten, ten.select("default", one_of("id", [])), "friday") == []
        assert ten.select("default").count == 10

    def test_chaining_narrows_what_was_left(self, ten: Store) -> None:
        finance = ten.select("default", eq("domain", "财务"))
        assert finance.count == 5
        assert ten.select("default", compare("level", Op.GT, 4), within=finance).count == 3
        assert ten.select("default", within=finance).count == 5

    def test_dates_compare_as_moments(self, store: Store) -> None:
        """Report A19: the same moment in another zone is the same bound."""
        zone = "+08:00"
        times = {"r1": f"2026-02-28T23:30{zone}", "r2": f"2026-03-01T00:10{zone}"}
        store.put([entry(name, event_time=time) for name, time in times.items()])
        for bound in (f"2026-03-01T00:00{zone}", "2026-02-28T16:00Z"):
            for op, expected in ((Op.GTE, "r2"), (Op.GT, "r2"), (Op.LT, "r1"), (Op.LTE, "r1")):
                page = store.page("default", compare("event_time", op, bound))
                assert [m.id for m in page.memories] == [expected]

    def test_a_selection_forgets_what_is_deleted_later(self, ten: Store) -> None:
        selection = ten.select("default")
        ten.delete("default", compare("level", Op.LT, 9))
        assert found(ten, selection, "friday") == ["m9"]
        assert ten.select("default", within=selection).count == 1

    def test_a_selection_outlives_new_vectors(self, store: Store) -> None:
        store.put([entry("a", vector=axis(0)), entry("b", vector=axis(1))])
        selection = store.select("default", eq("id", "b"))
        store.set_encoding(FINGERPRINT, [Encoding("default", MemoryId("b"), axis(3))])
        assert [(hit.id, hit.score) for hit in store.nearest(selection, axis(3), 5)] == [("b", 1.0)]

    def test_unlike_kinds_never_meet(self, store: Store) -> None:
        values = {"number": 1, "truth": True, "text": "1", "none": None}
        store.put([entry(name, metadata={"x": value}) for name, value in values.items()])

        def matching(*filters: object) -> list[list[str]]:
            return [sorted(m.id for m in store.page("default", f).memories) for f in filters]  # type: ignore[arg-type]

        equal = matching(eq("metadata.x", 1), eq("metadata.x", True), eq("metadata.x", "1"), eq("metadata.x", NOW))
        assert equal == [["number"], ["truth"], ["text"], []]
        above = matching(*(compare("metadata.x", Op.GTE, value) for value in (0, False, "")))
        assert above == [["number"], ["truth"], ["text"]]
        assert matching(exists("metadata.x"), exists("metadata.x", False)) == [["number", "text", "truth"], ["none"]]
        assert matching(Not(negate=eq("metadata.x", 1))) == [["none", "text", "truth"]]


class TestNearest:
    def test_k_come_back_from_inside_the_filter(self, store: Store) -> None:
        """Report A21: the filter narrows before the ranking, not after."""
        store.put([entry(f"o{n:02}", domain="运维", vector=at_cosine(0.95)) for n in range(50)])
        store.put([entry(f"f{n:02}", domain="财务", vector=at_cosine(0.6 - n / 100)) for n in range(10)])
        hits = store.nearest(store.select("default", eq("domain", "财务")), axis(0), 5)
        assert [hit.id for hit in hits] == ["f00", "f01", "f02", "f03", "f04"]

    def test_higher_is_better_and_exact(self, store: Store) -> None:
        """Report A32: similarities, best first."""
        for name, cosine in (("low", 0.10), ("high", 0.95), ("middle", 0.60)):
            store.put([entry(name, vector=at_cosine(cosine))])
        hits = store.nearest(store.select("default"), axis(0) * np.float32(5), 9)
        assert [hit.id for hit in hits] == ["high", "middle", "low"]
        assert [hit.score for hit in hits] == pytest.approx([0.95, 0.60, 0.10], abs=1e-6)
        assert [hit.id for hit in hits if hit.score >= 0.5] == ["high", "middle"]

    def test_cosines_equal_the_definition(self, store: Store) -> None:
        vectors = {f"m{n:03}": random_unit(n) * np.float32(1 + (n % 3 - 1) * 5e-4) for n in range(300)}
        store.put([entry(name, vector=vector) for name, vector in vectors.items()])
        query = random_unit(999).astype(np.float64)
        exact = {
            name: float(query @ v / (np.linalg.norm(query) * np.linalg.norm(v)))
            for name, v in ((n, x.astype(np.float64)) for n, x in vectors.items())
        }
        hits = store.nearest(store.select("default"), query.astype(np.float32), 300)
        assert [hit.id for hit in hits] == sorted(exact, key=lambda name: -exact[name])
        assert [hit.score for hit in hits] == pytest.approx([exact[hit.id] for hit in hits], abs=1e-6)

    def test_ties_order_by_id(self, store: Store) -> None:
        store.put([entry(f"m{n:02}", vector=random_unit(7)) for n in reversed(range(40))])
        hits = store.nearest(store.select("default"), random_unit(8), 12)
        assert [hit.id for hit in hits] == [f"m{n:02}" for n in range(12)]

    @pytest.mark.parametrize("value", [0.0, math.nan, math.inf])
    def test_a_query_without_direction_finds_nothing(self, store: Store, value: float) -> None:
        """Report A33: a zero or NaN question does not crash and does not rank."""
        store.put([entry(vector=axis(0))])
        assert store.nearest(store.select("default"), np.full(DIMENSION, value, np.float32), 5) == []

    def test_a_query_of_another_length_is_refused(self, store: Store) -> None:
        store.put([entry(vector=axis(0))])
        with pytest.raises(VectorInvalid):
            store.nearest(store.select("default"), axis(0, dimension=3), 5)

    def test_none_wanted_none_given(self, store: Store) -> None:
        store.put([entry(vector=axis(0))])
        assert store.nearest(store.select("default"), axis(0), 0) == []
        assert store.match(store.select("default"), ["friday"], 0) == []

    def test_hits_tell_their_language(self, store: Store) -> None:
        store.put([entry("z", language=Language.ZH, vector=axis(0)), entry("e", language=Language.EN, vector=axis(1))])
        hits = store.nearest(store.select("default"), axis(0), 2)
        assert [hit.language for hit in hits] == [Language.ZH, Language.EN]
        assert [hit.language for hit in store.match(store.select("default"), ["friday"], 2)] == ["en", "zh"]


class TestMatch:
    def test_short_han_words_are_found(self, store: Store) -> None:
        """Report A06: words of one and two characters hit when they are among the tokens."""
        tokens = ["王芳", "负责", "杭州", "仓库", "杭州仓库", "盘点", "盘", "点"]
        store.put([entry(tokens=tokens), entry("m2", tokens=["别的"])])
        for word in ("盘点", "仓库", "杭州仓库", "盘"):
            hits = store.match(store.select("default"), [word], 5)
            assert [hit.id for hit in hits] == ["m1"]
            assert hits[0].score > 0

    def test_odd_tokens_stay_whole(self, store: Store) -> None:
        """Report A08: full-width forms arrive folded; what is indexed is what is found."""
        odd = ["c++", "tb-17", "4.55万", "10.0.3.7", "ht2023-0876", 'quo"ted', "a b", "*", "near(x", "x\u0000y", "-"]
        store.put([entry(f"m{place:02}", tokens=[token, "common"]) for place, token in enumerate(odd)])
        everything = store.select("default")
        for place, token in enumerate(odd):
            assert found(store, everything, token) == [f"m{place:02}"], token
        assert found(store, everything, "c") == []

    @pytest.mark.parametrize(
        "query", ["/b", "AND", '"未闭合', "*", "上线! (v2)~", "NOT x", "a:b", "{", "^", "\u0000", "\udcff", "\x1f", ""]
    )
    def test_no_query_text_raises_or_matches_all(self, store: Store, query: str) -> None:
        """Report A36: nothing in a token is syntax."""
        store.put([entry(tokens=["c++", "服务", "tb-17", "tb-", "上线"])])
        everything = store.select("default")
        assert found(store, everything, query) == []
        assert found(store, everything, query, "上线") == ["m1"]
        assert found(store, everything, *query.split()) == []

    def test_no_tokens_find_nothing(self, store: Store) -> None:
        store.put([entry(), entry("wordless", tokens=[])])
        assert found(store, store.select("default")) == []

    def test_those_with_all_words_come_before_those_with_some(self, store: Store) -> None:
        store.put([entry(f"some{n}", "rare rare rare") for n in range(2)])
        store.put([entry("all", "rare common " + "filler " * 40), entry("none", "filler"), entry("common", "common x")])
        hits = store.match(store.select("default"), ["rare", "common"], 10)
        assert hits[0].id == "all"
        assert {hit.id for hit in hits[1:]} == {"some0", "some1", "common"}
        assert hits[1].score > hits[0].score
        assert all(left.score >= right.score for left, right in pairwise(hits[1:]))
        assert store.match(store.select("default"), ["rare", "common"], 2) == hits[:2]

    def test_rarer_words_and_shorter_texts_score_higher(self, store: Store) -> None:
        store.put([entry(f"c{n}", "common words here") for n in range(20)])
        store.put([entry("rare", "rare words here"), entry("long", "rare words here and many more of them")])
        hits = store.match(store.select("default"), ["rare", "words"], 30)
        assert [hit.id for hit in hits[:2]] == ["rare", "long"]
        assert hits[0].score > hits[1].score > hits[2].score
        assert len(hits) == 22

    def test_k_come_back_from_inside_the_selection(self, store: Store) -> None:
        store.put([entry(f"o{n:03}", "word word word", domain="运维") for n in range(300)])
        store.put([entry(f"f{n}", "word and more besides", domain="财务") for n in range(7)])
        inside = store.select("default", eq("domain", "财务"))
        assert found(store, inside, "word", k=5) == ["f0", "f1", "f2", "f3", "f4"]

    def test_a_word_everybody_has_still_finds(self, store: Store) -> None:
        store.put([entry(f"m{n}", "the same") for n in range(6)])
        hits = store.match(store.select("default"), ["the"], 4)
        assert [hit.id for hit in hits] == ["m0", "m1", "m2", "m3"]
        assert all(hit.score > 0 for hit in hits)

    def test_scores_do_not_depend_on_the_order_of_writing(self, store: Store) -> None:
        texts = {f"m{n}": f"w{n % 3} w{n % 5} shared" for n in range(30)}
        store.put([entry(name, text, namespace="one") for name, text in texts.items()])
        for name, text in reversed(texts.items()):
            store.put([entry(name, text, namespace="two")])
        words = ["w1", "w2", "shared"]
        assert store.match(store.select("one"), words, 30) == store.match(store.select("two"), words, 30)


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

    def test_most_of_a_large_namespace_may_go(self, store: Store) -> None:
        store.put([entry(f"m{n:04}", level=n, vector=random_unit(n)) for n in range(1600)])
        assert store.select("default").count == 1600
        store.delete("default", compare("level", Op.GTE, 100))
        store.put([entry("late", vector=axis(0))])
        assert store.select("default").count == 101
        assert len(store.nearest(store.select("default"), axis(0), 500)) == 101
        assert len(found(store, store.select("default"), "friday", k=500)) == 101


class TestPage:
    def test_pages_run_newest_first_and_meet_each_memory_once(self, store: Store) -> None:
        store.put([entry(f"m{n:02}", event_time=NOW - timedelta(hours=n // 4), level=n % 2) for n in range(30)])
        for where, count in ((EVERYTHING, 30), (eq("level", 1), 15)):
            seen, after = [], None
            while True:
                page = store.page("default", where, limit=4, after=after)
                seen += page.memories
                after = page.after
                if after is None:
                    break
            assert len(seen) == count
            assert seen == sorted(seen, key=lambda m: (m.event_time, m.id), reverse=True)

    def test_a_last_page_that_is_full_has_no_cursor(self, store: Store) -> None:
        store.put([entry(f"m{n}") for n in range(4)])
        assert store.page("default", limit=4).after is None

    @pytest.mark.parametrize("cursor", ["", "nonsense", "x:1", ":", "1.5:m"])
    def test_what_is_no_cursor_is_refused(self, store: Store, cursor: str) -> None:
        with pytest.raises(FieldInvalid):
            store.page("default", after=cursor)

    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_page_of_nothing_is_refused(self, store: Store, limit: int) -> None:
        with pytest.raises(FieldInvalid):
            store.page("default", limit=limit)


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
            for n in range(2000)
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
        store.save_trace(saved)
        assert store.trace("default", TraceId("t1")) == saved
        assert open_again().trace("default", TraceId("t1")) == saved

    def test_a_trace_is_no_ones_but_its_namespaces(self, store: Store) -> None:
        store.save_trace(trace("t1"))
        for namespace, name in (("other", "t1"), ("default", "t2"), ("default", "\udcff")):
            with pytest.raises(NotFound):
                store.trace(namespace, TraceId(name))

    def test_a_deleted_memory_is_gone_from_traces(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        store.save_trace(trace("t1", *store.get("default", ids("a", "b"))))
        store.delete("default", eq("id", "a"))
        store.put([entry("a", text="another", recorded_at=NOW + timedelta(days=1))])
        assert [c.memory.id for c in store.trace("default", TraceId("t1")).candidates] == ["b"]

    def test_the_oldest_beyond_the_limit_go(self, store: Store) -> None:
        for n in range(8):
            store.save_trace(trace(f"t{n}"))
        assert store.trace("default", TraceId("t7")).id == "t7"
        with pytest.raises(NotFound):
            store.trace("default", TraceId("t2"))


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
            lambda: store.save_trace(trace()),
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
