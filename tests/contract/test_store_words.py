"""What every store says of its words, and of the traces of a session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphsvc.models.answer import Trace
from graphsvc.store.base import Store
from graphsvc.store.filters import EVERYTHING, eq
from graphsvc.store.vocabulary import Vocabulary
from tests.builders import FINGERPRINT, axis, entry, ids, trace
from tests.contract.conftest import OpenStore


def _held(vocabulary: Vocabulary) -> dict[str, int]:
    pairs = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    return {word: count for word, count in pairs if count}


class TestWords:
    def test_a_word_is_known_with_the_number_of_memories_that_hold_it(self, store: Store) -> None:
        store.put([entry("a", tokens=["合同", "合同", "rent"]), entry("b", tokens=["合同"])])
        assert store.words.known("default", ["合同", "rent", "boat", ""]) == {"合同": 2, "rent": 1}

    def test_the_vocabulary_holds_every_word_once(self, store: Store) -> None:
        store.put([entry("a", tokens=["合同", "rent"]), entry("b", tokens=["合同", "boat", "boat"])])
        vocabulary = store.words.vocabulary("default")
        assert _held(vocabulary) == {"合同": 2, "rent": 1, "boat": 1}
        assert len(set(vocabulary.words)) == len(vocabulary.words)

    @pytest.mark.parametrize("namespace", ["other", "\udcff"])
    def test_no_word_crosses_a_namespace(self, store: Store, namespace: str) -> None:
        store.put([entry("a", tokens=["secret"])])
        assert store.words.known(namespace, ["secret"]) == {}
        assert _held(store.words.vocabulary(namespace)) == {}

    def test_a_word_whose_last_memory_was_deleted_is_known_no_more(self, store: Store) -> None:
        store.put([entry("a", tokens=["secret", "rent"]), entry("b", tokens=["rent"])])
        store.delete("default", eq("id", "a"))
        assert store.words.known("default", ["secret", "rent"]) == {"rent": 1}
        assert _held(store.words.vocabulary("default")) == {"rent": 1}
        store.delete("default", EVERYTHING)
        assert _held(store.words.vocabulary("default")) == {}

    def test_words_of_one_edition_are_only_added_to(self, store: Store, open_again: OpenStore) -> None:
        other = open_again()
        store.put([entry("a", tokens=["rent", "合同"])])
        before = other.words.vocabulary("default")
        store.put([entry("b", tokens=["boat", "rent"])])
        after = other.words.vocabulary("default")
        assert _held(before) == {"rent": 1, "合同": 1}
        assert _held(after) == {"rent": 2, "合同": 1, "boat": 1}
        if after.edition == before.edition:
            assert list(after.words)[: len(before.words)] == list(before.words)

    def test_another_encoder_leaves_the_words_as_they_are(self, store: Store) -> None:
        store.put([entry("a", tokens=["rent"], vector=axis(0))])
        before = store.words.vocabulary("default")
        store.delete("default", eq("id", "a"))
        store.put([entry("b", tokens=["boat"])])
        store.set_encoding(replace(FINGERPRINT, version="2"), [])
        after = store.words.vocabulary("default")
        assert _held(after) == {"boat": 1}
        if after.edition == before.edition:
            assert list(after.words)[: len(before.words)] == list(before.words)


def _asked(trace_id: str, session: str | None, namespace: str = "default") -> Trace:
    return trace(trace_id, namespace=namespace).model_copy(update={"session_id": session})


class TestSessions:
    def test_the_last_traces_of_a_session_come_newest_first(self, store: Store, open_again: OpenStore) -> None:
        for name, session in (("t1", "s"), ("t2", "s"), ("t3", "r"), ("t4", None), ("t5", "s")):
            store.traces.save(_asked(name, session))
        assert [one.id for one in store.traces.recent("default", "s", 2)] == ["t5", "t2"]
        assert [one.id for one in open_again().traces.recent("default", "s", 9)] == ["t5", "t2", "t1"]
        assert store.traces.recent("default", "s", 0) == []

    @pytest.mark.parametrize(("namespace", "session"), [("other", "s"), ("default", "t"), ("default", "\udcff")])
    def test_a_session_of_another_namespace_is_unknown(self, store: Store, namespace: str, session: str) -> None:
        store.traces.save(_asked("t1", "s"))
        assert store.traces.recent(namespace, session, 5) == []

    def test_a_session_forgets_what_was_deleted(self, store: Store) -> None:
        store.put([entry("a"), entry("b")])
        seen = trace("t1", *store.get("default", ids("a", "b"))).model_copy(update={"session_id": "s"})
        store.traces.save(seen)
        assert store.traces.recent("default", "s", 1) == [seen]
        store.delete("default", eq("id", "a"))
        (left,) = store.traces.recent("default", "s", 1)
        assert [one.memory.id for one in left.candidates] == ["b"]
