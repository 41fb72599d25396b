"""Facts are derived anew without touching what a memory says, and every reader sees them at once."""

from __future__ import annotations

import math

import pytest

from graphsvc.errors import EncoderMismatch, FieldInvalid
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Facts, Label
from graphsvc.store.base import Encoding, Store
from graphsvc.store.filters import eq
from tests.builders import FINGERPRINT, axis, entry, ids, token_states
from tests.contract.conftest import OpenStore

BEES = Facts(labels=(Label(domain="beekeeping", probability=0.9, source="test"),))


def relabelled(memory_id: str, facts: Facts = BEES, *, namespace: str = "default") -> Encoding:
    return Encoding(namespace, MemoryId(memory_id), facts=facts)


def test_facts_change_and_nothing_else_does(store: Store) -> None:
    states = token_states(1)
    store.put([entry("a", "hive three", domain="food", vector=axis(0), states=states, metadata={"note": "x"})])
    before = store.get("default", ids("a"))[0]
    store.set_encoding(FINGERPRINT, [relabelled("a")])
    after = store.get("default", ids("a"))[0]
    assert after == before.model_copy(update={"facts": BEES})
    vector, kept = store.vectors("default", ids("a"))[MemoryId("a")]
    assert vector.tolist() == axis(0).tolist()
    assert kept is not None
    assert kept.codes.tolist() == states.codes.tolist()
    assert [hit.id for hit in store.match(store.select("default"), ["hive"], 5)] == ["a"]


def test_filters_follow_the_facts_in_every_open_store(store: Store, open_again: OpenStore) -> None:
    other = open_again()
    store.put([entry("a", domain="food", vector=axis(0)), entry("b", domain="food", vector=axis(1))])
    food, bees = eq("domain", "food"), eq("domain", "beekeeping")
    for reader in (store, other):
        assert reader.select("default", food).count == 2
        assert reader.get("default", ids("a"))[0].facts != BEES
    store.set_encoding(FINGERPRINT, [relabelled("a")])
    for reader in (store, other):
        assert [one.id for one in reader.page("default", bees).memories] == ["a"]
        assert reader.select("default", food).count == 1
        assert reader.get("default", ids("a"))[0].facts == BEES
        assert [hit.id for hit in reader.nearest(reader.select("default", bees), axis(0), 5)] == ["a"]


def test_namespaces_are_walls_for_facts(store: Store) -> None:
    store.put([entry("a", namespace="one", domain="food"), entry("a", namespace="two", domain="food")])
    store.set_encoding(FINGERPRINT, [relabelled("a", namespace="one")])
    assert store.get("one", ids("a"))[0].facts == BEES
    assert store.get("two", ids("a"))[0].facts != BEES


def test_a_memory_deleted_meanwhile_is_passed_over(store: Store) -> None:
    store.put([entry("a", vector=axis(0))])
    store.delete("default", eq("id", "a"))
    store.set_encoding(FINGERPRINT, [relabelled("a")])
    assert store.get("default", ids("a")) == []
    assert store.describe().memories == 0


def test_one_bad_fact_undoes_them_all(store: Store) -> None:
    store.put([entry("a", domain="food"), entry("b", domain="food")])
    bad = Facts(labels=(Label(domain="beekeeping", probability=math.nan, source="test"),))
    with pytest.raises(FieldInvalid):
        store.set_encoding(FINGERPRINT, [relabelled("a"), relabelled("b", bad)])
    assert [one.facts.labels[0].domain for one in store.get("default", ids("a", "b"))] == ["food", "food"]


def test_facts_alone_do_not_bind_another_encoder(store: Store) -> None:
    store.put([entry("a", domain="food", vector=axis(0))])
    other = FINGERPRINT.__class__("other", "plain", "1", FINGERPRINT.dimension, FINGERPRINT.state_dimension)
    with pytest.raises(EncoderMismatch):
        store.set_encoding(other, [relabelled("a")])
    assert store.get("default", ids("a"))[0].facts != BEES


def test_facts_outlive_the_process(store: Store, open_again: OpenStore) -> None:
    store.put([entry("a", domain="food", vector=axis(0))])
    store.set_encoding(FINGERPRINT, [relabelled("a")])
    store.close()
    again = open_again()
    assert again.get("default", ids("a"))[0].facts == BEES
    assert again.select("default", eq("domain", "beekeeping")).count == 1
