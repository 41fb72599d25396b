"""Laws of filters: a store selects exactly what `matches` holds of, however it plans to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphsvc.language.amounts import find_amounts
from graphsvc.models.change import Standing
from graphsvc.models.facts import Amount, Facts, Label, Language, Mention, Sense, SenseSource
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory, MemoryStatus, Party, Source
from graphsvc.store.base import Entry, Store, Where
from graphsvc.store.filters import (
    NUMBER_FIELDS,
    ORDERED,
    TEXT_FIELDS,
    TIME_FIELDS,
    And,
    Compare,
    Not,
    Op,
    Or,
    both,
    eq,
    exists,
    matches,
)
from graphsvc.store.sqlite import planner
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import memory

T = TypeVar("T")

Fields = Sequence[dict[str, Any]]

QUICK = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))

WORDS = st.sampled_from(["a", "b", "财务", "A", "a b", "é"])
NUMBERS = st.sampled_from([-1, 0, 1, 1.5, 2**53 + 1, 2**63 - 1, 1e300, -0.0])
FINITE = st.sampled_from([-1.0, 0.0, 1.0, 1.5, 800000.0])
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(timedelta(hours=-7, minutes=-30))])
MOMENTS = st.builds(
    lambda micros, zone: (datetime(2026, 3, 1, tzinfo=UTC) + timedelta(microseconds=micros)).astimezone(zone),
    st.sampled_from([-1, 0, 1, 60_000_000]),
    ZONES,
)
SCALARS = st.one_of(WORDS, st.just("a\u0000b"), NUMBERS, st.booleans(), st.none())


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.none() | strategy


def _amount(value: float, width: float | None) -> Amount:
    return Amount(start=0, end=1, text="x", value=value, high=None if width is None else value + width)


FACTS = st.builds(
    Facts,
    labels=st.lists(
        st.builds(
            Label, domain=WORDS, entity=maybe(WORDS), intent=maybe(WORDS), probability=st.just(1.0), source=st.just("t")
        ),
        max_size=2,
    ),
    senses=st.lists(
        st.builds(
            Sense,
            start=st.just(0),
            end=st.just(1),
            surface=WORDS,
            sense=maybe(WORDS),
            probability=st.just(1.0),
            source=st.sampled_from(SenseSource),
        ),
        max_size=2,
    ),
    mentions=st.lists(
        st.builds(
            Mention,
            start=st.just(0),
            end=st.just(1),
            text=WORDS,
            type=st.sampled_from(["identifier", "person"]),
            key=WORDS,
        ),
        max_size=2,
    ),
    amounts=st.lists(st.builds(_amount, FINITE, maybe(st.sampled_from([0.5, 1.0, 799999.0]))), max_size=2),
)

MEMORIES = st.builds(
    lambda **fields: fields,
    language=st.sampled_from(Language),
    status=st.sampled_from(MemoryStatus),
    event_time=MOMENTS,
    valid_from=maybe(MOMENTS),
    valid_to=maybe(MOMENTS),
    expires_at=maybe(MOMENTS),
    derived_from=st.lists(WORDS, max_size=2).map(tuple),
    ended_at=maybe(MOMENTS),
    ended_by=st.lists(st.sampled_from(["m0", "m9"]), max_size=2).map(tuple),
    source=maybe(st.builds(Source, file=maybe(WORDS))),
    document_type=maybe(WORDS),
    confidence_level=st.sampled_from([None, "high", "low"]),
    conversation_id=maybe(WORDS),
    sender=maybe(WORDS),
    recipients=st.lists(WORDS, max_size=2),
    section=maybe(WORDS),
    level=maybe(st.integers(0, 2)),
    metadata=st.dictionaries(st.sampled_from(["x", "y"]), SCALARS),
    parties=st.lists(
        st.builds(Party, role=st.sampled_from([EdgeType.SENT_BY, EdgeType.SENT_TO]), entity=WORDS, name=WORDS),
        max_size=2,
    ),
    facts=FACTS,
)


def _compare(field: str, op: Op, values: st.SearchStrategy[object]) -> st.SearchStrategy[Compare]:
    if op is Op.EXISTS:
        values = st.booleans()
    elif op is Op.IN:
        values = st.lists(values, max_size=3).map(tuple)
    return values.map(lambda value: Compare(field=field, op=op, value=value))


def _compares() -> Iterator[st.SearchStrategy[Compare]]:
    ids = st.sampled_from(["m0", "m1", "m9"])
    for field in sorted(TEXT_FIELDS):
        values: st.SearchStrategy[object] = ids if field == "id" else WORDS
        if field in {"language", "status", "confidence_level"}:
            values = st.sampled_from([*Language, *MemoryStatus, "high", "low"]).map(str)
        yield from (_compare(field, op, values) for op in Op if op not in ORDERED)
    for field in sorted(NUMBER_FIELDS):
        yield from (_compare(field, op, FINITE | st.just(float("nan")) | st.just(float("inf"))) for op in Op)
    for field in sorted(TIME_FIELDS):
        yield from (_compare(field, op, MOMENTS) for op in Op)
    for field in ("metadata.x", "metadata.absent"):
        yield from (
            _compare(field, op, WORDS | st.just("a\u0000b") | NUMBERS.map(float) | st.booleans() | MOMENTS) for op in Op
        )


def _trees(parts: st.SearchStrategy[Where]) -> st.SearchStrategy[Where]:
    several = st.lists(parts, max_size=3).map(tuple)
    return several.map(lambda p: And(all=p)) | several.map(lambda p: Or(any=p)) | parts.map(lambda p: Not(negate=p))


FILTERS: st.SearchStrategy[Where] = st.recursive(st.one_of(*_compares()), _trees, max_leaves=6)
# Below this the planner asks row by row; low numbers send small examples down the ways of large ones.
NARROW = st.sampled_from([0, 1, 3, 256])
_FRESH = count()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("filters")
    opened = SqliteStore(folder)
    yield opened
    opened.close()


def _fill(store: Store, fields: Fields) -> tuple[str, list[Memory]]:
    """A namespace of its own with these memories."""
    namespace = f"n{next(_FRESH)}"
    memories = [memory(f"m{place}", namespace=namespace, **given) for place, given in enumerate(fields)]
    results = store.put([Entry(memory=one, tokens=("word",)) for one in memories])
    assert [result.error for result in results] == [None] * len(memories)
    return namespace, memories


def _chosen(store: Store, namespace: str, *chain: Where) -> list[str]:
    selection = store.select(namespace)
    for where in chain:
        selection = store.select(namespace, where, within=selection)
    hits = store.match(selection, ["word"], 100)
    assert selection.count == len(hits)
    return [hit.id for hit in hits]


MANY = st.lists(MEMORIES, max_size=8)


@QUICK
@given(MANY, st.lists(FILTERS, min_size=3, max_size=6), NARROW)
def test_a_store_selects_what_matches_holds_of(store: Store, fields: Fields, filters: list[Where], narrow: int) -> None:
    namespace, memories = _fill(store, fields)
    with mock.patch.object(planner, "NARROW", narrow):
        for where in filters * 2:  # The second time, common values are remembered.
            expected = [one.id for one in memories if matches(one, where)]
            assert _chosen(store, namespace, where) == expected
            page = store.page(namespace, where)
            assert sorted(m.id for m in page.memories) == expected


STANDINGS = st.lists(
    st.builds(
        Standing,
        id=st.sampled_from(["m0", "m1", "m2", "m9"]),
        status=st.sampled_from(MemoryStatus),
        ended_at=maybe(MOMENTS),
        ended_by=st.lists(st.sampled_from(["m0", "m9"]), max_size=2).map(tuple),
    ),
    max_size=4,
)


def _standing(memories: Sequence[Memory], standings: Sequence[Standing]) -> list[Memory]:
    """The memories where the last standing of each puts them."""
    last = {one.id: one.model_dump() for one in standings}
    return [one.model_copy(update=last.get(one.id, {})) for one in memories]


@QUICK
@given(st.tuples(MANY, MANY), st.lists(STANDINGS, min_size=1, max_size=3), st.lists(FILTERS, max_size=3), NARROW)
def test_filters_follow_memories_that_come_to_stand_elsewhere(
    store: Store, both_lists: tuple[Fields, Fields], changes: list[list[Standing]], filters: list[Where], narrow: int
) -> None:
    fields, more = both_lists
    asked = [*filters, eq("status", "superseded"), exists("ended_at", False)]
    namespace, memories = _fill(store, fields)
    with mock.patch.object(planner, "NARROW", narrow):
        for change in changes:
            for where in asked:
                assert _chosen(store, namespace, where) == [one.id for one in memories if matches(one, where)]
            store.put_standings(namespace, change)
            memories = _standing(memories, change)
        later = [memory(f"n{place}", namespace=namespace, **given) for place, given in enumerate(more)]
        store.put([Entry(memory=one, tokens=("word",)) for one in later])
        for where in asked:
            assert _chosen(store, namespace, where) == [one.id for one in memories + later if matches(one, where)]
    assert store.get(namespace, [one.id for one in memories + later]) == memories + later


AMOUNT = Amount(start=0, end=1, text="x", value=30_000, high=50_000)


@pytest.mark.parametrize(
    ("op", "asked", "holds"),
    [
        (Op.EQ, 30_000, True), (Op.EQ, 50_000, True), (Op.EQ, 40_000, False),
        (Op.GTE, 50_000, True), (Op.GT, 50_000, False), (Op.GT, 40_000, True),
        (Op.LTE, 30_000, True), (Op.LT, 30_000, False), (Op.LT, 40_000, True),
    ],
)  # fmt: skip
def test_a_range_equals_its_ends_and_overlaps_what_it_reaches(store: Store, op: Op, asked: float, holds: bool) -> None:
    where = Compare(field="amount", op=op, value=float(asked))
    namespace, (one,) = _fill(store, [{"facts": Facts(amounts=(AMOUNT,))}])
    assert matches(one, where) is holds
    assert bool(_chosen(store, namespace, where)) is holds


@pytest.mark.parametrize("text", ["预算80万", "预算八十万", "预算８０万", "budget 800,000", "0.8 million", "$0.8m"])
def test_an_amount_is_found_however_it_is_written(store: Store, text: str) -> None:
    """Report A10: filter amount=800000 finds all writings."""
    namespace, (one,) = _fill(store, [{"text": text, "facts": Facts(amounts=tuple(find_amounts(text)))}])
    assert _chosen(store, namespace, Compare(field="amount", value=800_000.0)) == [one.id]


@QUICK
@given(MANY, FILTERS, FILTERS, NARROW)
def test_chaining_selections_is_and(store: Store, fields: Fields, first: Where, second: Where, narrow: int) -> None:
    namespace, memories = _fill(store, fields)
    with mock.patch.object(planner, "NARROW", narrow):
        expected = [one.id for one in memories if matches(one, both(first, second))]
        assert _chosen(store, namespace, first, second) == expected
        assert _chosen(store, namespace, both(first, second)) == expected
        assert _chosen(store, namespace, both(first, second), both()) == expected


@QUICK
@given(MANY, FILTERS, FILTERS, NARROW)
def test_relaxing_a_filter_never_removes(
    store: Store, fields: Fields, kept: Where, dropped: Where, narrow: int
) -> None:
    namespace, _ = _fill(store, fields)
    with mock.patch.object(planner, "NARROW", narrow):
        strict = set(_chosen(store, namespace, both(kept, dropped)))
        relaxed = set(_chosen(store, namespace, kept))
        wider = set(_chosen(store, namespace, Or(any=(kept, dropped))))
    assert strict <= relaxed <= wider


@QUICK
@given(st.tuples(MANY, MANY), FILTERS, FILTERS, NARROW)
def test_deleting_takes_what_matches_and_later_filters_agree(
    store: Store, both_lists: tuple[Fields, Fields], gone: Where, asked: Where, narrow: int
) -> None:
    fields, more = both_lists
    namespace, memories = _fill(store, fields)
    with mock.patch.object(planner, "NARROW", narrow):
        _chosen(store, namespace, asked)
        assert store.delete(namespace, gone) == [one.id for one in memories if matches(one, gone)]
        later = [memory(f"n{place}", namespace=namespace, **given) for place, given in enumerate(more)]
        store.put([Entry(memory=one, tokens=("word",)) for one in later])
        left = [one for one in memories if not matches(one, gone)] + later
        assert _chosen(store, namespace, asked) == [one.id for one in left if matches(one, asked)]
