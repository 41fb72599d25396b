"""The store contract: narrowing, the two ways of ranking, pages."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest

from graphsvc.errors import (
    FieldInvalid,
    VectorInvalid,
)
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding, Selection, Store
from graphsvc.store.filters import EVERYTHING, Not, Op, compare, either, eq, exists, one_of
from graphsvc.store.sqlite import nearest
from tests.builders import (
    DIMENSION,
    FINGERPRINT,
    NOW,
    at_cosine,
    axis,
    entry,
    random_unit,
)
from tests.contract.conftest import OpenStore


def found(store: Store, selection: Selection, *tokens: str, k: int = 10) -> list[str]:
    return [hit.id for hit in store.match(selection, tokens, k)]


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

    def test_a_selection_of_another_store_is_refused(self, ten: Store, open_again: OpenStore) -> None:
        other = open_again()
        for call in (lambda s: other.select("default", within=s), lambda s: other.match(s, ["friday"], 1)):
            with pytest.raises(FieldInvalid):
                call(ten.select("default"))

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

    def test_a_scan_of_many_finds_what_comparing_each_would(self, store: Store) -> None:
        store.put([entry(f"m{n:03}", vector=random_unit(n % 90), level=n % 2) for n in range(400)])
        for where in (EVERYTHING, eq("level", 1), compare("level", Op.LT, 1)):
            selection = store.select("default", where)
            for k in (1, 7, 130):
                each = store.nearest(selection, random_unit(7), k)
                with mock.patch.object(nearest, "_BLOCK", 16):
                    assert store.nearest(selection, random_unit(7), k) == each

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


class TestPage:
    def test_pages_run_newest_first_and_meet_each_memory_once(self, store: Store) -> None:
        store.put([entry(f"m{n:02}", event_time=NOW - timedelta(hours=n // 4), level=n % 2) for n in range(30)])
        for where, count in ((EVERYTHING, 30), (eq("level", 1), 15)):
            seen: list[Memory] = []
            after = None
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
