"""Change on the write path: which edges are drawn, and where memories stand, whatever came first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import ChangeRefused, NotFound
from graphsvc.ingest.change import Changes
from graphsvc.ingest.nearby import Nearby, enough_in_common
from graphsvc.ingest.standing import loops_in, standing_of, takes_back
from graphsvc.ingest.writing import write
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import LOCAL
from graphsvc.models.change import ChangeKind, SlotStatement, ValueType
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import ItemStatus, MemoryStatus
from graphsvc.store.base import EdgeDirection, Entry, Store
from graphsvc.store.filters import eq
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import FINGERPRINT, NOW, axis, edge, entry, ids, memory, memory_node
from tests.changing import relation, statements
from tests.graphs import open_graph

ACTIVE, SUPERSEDED, RETRACTED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.RETRACTED


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path)
    opened.set_encoding(FINGERPRINT)
    yield opened
    opened.close()


def turn(name: str, text: str, hour: float, **fields: object) -> Entry:
    """A turn of the one talk, `hour` hours after NOW."""
    given = {"conversation_id": "talk", "event_time": NOW + timedelta(hours=hour), **fields}
    told = memory(name, text).model_copy(update=given)
    tokens = [word.strip(";,") for word in text.replace("=", " ").split()]
    return Entry(told, tuple(tokens))


def put(store: Store, *entries: Entry) -> list[ItemStatus]:
    changes = Changes(store, relation, statements)
    stored = {one.id for one in store.get("default", [one.memory.id for one in entries])}
    written = write(store, changes, "default", entries, taken=stored, by=LOCAL)
    return [one.result.status for one in written]


def stands(store: Store, name: str) -> tuple[MemoryStatus, float | None, tuple[str, ...]]:
    """Status, the hour it ended, and what ended it."""
    (found,) = store.get("default", ids(name))
    hour = None if found.ended_at is None else (found.ended_at - NOW) / timedelta(hours=1)
    return found.status, hour, found.ended_by


def drawn(store: Store, *names: str) -> set[tuple[str, str, str]]:
    """Edges of change between memories, as later, type, earlier."""
    found = store.edges("default", [memory_node(name) for name in names], types=[EdgeType(kind) for kind in ChangeKind])
    return {(one.source.id, str(one.type), one.target.id) for edges in found.values() for one in edges}


def told(source: str, target: str, *, hours: float = 1.0, kind: EdgeType = EdgeType.SUPERSEDES) -> Edge:
    return edge(memory_node(source), memory_node(target), kind, hours=hours).model_copy(update={"whole": True})


def test_a_new_value_ends_the_old_one_in_the_transaction_that_brings_it(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0))
    put(store, turn("b", "budget=60", 1))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    assert stands(store, "b") == (ACTIVE, None, ())
    ((found,),) = store.edges("default", [memory_node("b")], direction=EdgeDirection.OUT).values()
    assert (found.target.id, found.slot, found.whole, found.origin) == ("a", "budget", True, "change:told")
    assert found.valid_from == found.event_time == NOW + timedelta(hours=1)
    assert found.recorded_at == NOW


def test_a_late_arrival_is_put_between_what_it_ended_and_what_ended_it(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0))
    put(store, turn("c", "budget=70", 2))
    assert stands(store, "a") == (SUPERSEDED, 2.0, ("c",))
    put(store, turn("b", "budget=60", 1))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    assert stands(store, "b") == (SUPERSEDED, 2.0, ("c",))
    assert stands(store, "c") == (ACTIVE, None, ())


def test_validity_goes_before_the_time_of_saying(store: SqliteStore) -> None:
    put(store, turn("a", "rent=900", 5), turn("b", "rent=950", 1, valid_from=NOW + timedelta(hours=9)))
    assert drawn(store, "a", "b") == {("b", "supersedes", "a")}
    assert stands(store, "a") == (SUPERSEDED, 9.0, ("b",))


def test_a_memory_of_another_talk_is_found_by_its_words(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0, conversation_id="one"))
    put(store, turn("x", "colour=red", 0, conversation_id="three"))
    put(store, turn("b", "budget=60", 1, conversation_id="two"))
    assert drawn(store, "a", "b", "x") == {("b", "supersedes", "a")}


def test_a_partly_overturned_memory_stays_until_its_last_part_falls(store: SqliteStore) -> None:
    put(store, turn("a", "day=thu; room=4", 0), turn("b", "day=fri", 1))
    assert stands(store, "a") == (ACTIVE, None, ())
    assert drawn(store, "a") == {("b", "supersedes", "a")}
    put(store, turn("c", "room=7", 2))
    assert stands(store, "a") == (SUPERSEDED, 2.0, ("b", "c"))


def test_a_turn_that_comes_between_takes_the_edge_that_spanned_it_away(store: SqliteStore) -> None:
    put(store, turn("a", "seats=65", 0))
    put(store, turn("c", "no, 80", 2))
    assert stands(store, "a") == (SUPERSEDED, 2.0, ("c",))
    put(store, turn("b", "chairs=12", 1))
    assert drawn(store, "a", "b", "c") == {("c", "corrects", "b")}
    assert stands(store, "a") == (ACTIVE, None, ())
    assert stands(store, "b") == (SUPERSEDED, 2.0, ("c",))


def test_what_was_replaced_stands_again_once_the_replacing_word_is_taken_back(store: SqliteStore) -> None:
    put(store, turn("a", "day=thu", 0), turn("b", "day=fri", 1))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    put(store, turn("c", "ignore my last message", 2))
    assert stands(store, "b") == (RETRACTED, 2.0, ("c",))
    assert stands(store, "a") == (ACTIVE, None, ())


def test_a_taking_back_that_is_taken_back_gives_the_word_its_force_again(store: SqliteStore) -> None:
    put(store, turn("a", "day=thu", 0), turn("b", "day=fri", 1), turn("c", "ignore my last message", 2))
    put(store, turn("d", "ignore my last message", 3))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    assert stands(store, "c") == (RETRACTED, 3.0, ("d",))


def test_a_cancelled_thing_reopens_nothing(store: SqliteStore) -> None:
    put(store, turn("a", "dinner=thu", 0), turn("b", "dinner=fri", 1), turn("c", "cancel dinner", 2))
    assert stands(store, "b") == (RETRACTED, 2.0, ("c",))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("刚才那条当我没说", True),
        ("还是原来的安排", True),
        ("Please ignore my last email.", True),
        ("Forget what I said about the hall.", True),
        ("It stays as before.", True),
        ("不去了,票退了", False),
        ("Scrap that, they are closed.", False),
        ("Forget to bring the keys and you walk home.", False),
    ],
)
def test_words_taken_back_differ_from_a_thing_cancelled(text: str, expected: bool) -> None:
    assert takes_back(text, ()) is expected


def test_what_puts_a_value_of_its_own_takes_no_word_back() -> None:
    own = SlotStatement(start=0, end=4, type=ValueType.TIME, value="2026-03-07")
    assert not takes_back("as before, on the 7th", [own])


def test_a_digest_that_repeats_a_fallen_value_is_flagged_and_stands(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0, sender="Mei"), turn("b", "budget=60", 2, sender="Mei"))
    put(store, turn("m", "budget=80", 1, sender="Ola", document_type="minutes", conversation_id=None))
    (minutes,) = store.get("default", ids("m"))
    assert minutes.stale_sources == ("a",)
    (plain,) = store.get("default", ids("b"))
    assert plain.stale_sources == ()


def test_what_was_derived_from_a_memory_is_flagged_when_that_falls_and_freed_when_it_stands_again(
    store: SqliteStore,
) -> None:
    reference = edge(memory_node("s"), memory_node("a"), EdgeType.REFERENCES)
    put(store, turn("a", "budget=80", 0))
    put(store, entry("s", "money is tight", edges=[reference], derived_from=("a", "answer-7")))
    assert store.get("default", ids("s"))[0].stale_sources == ()
    put(store, turn("b", "budget=60", 1))
    assert store.get("default", ids("s"))[0].stale_sources == ("a",)
    assert stands(store, "s") == (ACTIVE, None, ())
    put(store, turn("c", "ignore my last message", 2))
    assert store.get("default", ids("s"))[0].stale_sources == ()


def test_a_refused_item_of_a_batch_overturns_nothing(store: SqliteStore) -> None:
    bad = turn("b", "budget=60", 1)
    bad = Entry(bad.memory, bad.tokens, vector=axis() * 2)
    assert put(store, turn("a", "budget=80", 0), bad, turn("c", "room=1", 2)) == [
        ItemStatus.CREATED,
        ItemStatus.FAILED,
        ItemStatus.CREATED,
    ]
    assert stands(store, "a") == (ACTIVE, None, ())


def test_an_id_that_stands_for_other_content_overturns_nothing(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0), turn("b", "room=1", 1))
    assert put(store, turn("b", "budget=60", 1)) == [ItemStatus.FAILED]
    assert stands(store, "a") == (ACTIVE, None, ())


class Crowded(SqliteStore):
    """A store into which somebody else writes between our looking and our writing."""

    stranger: Entry | None = None

    def put(self, entries: Sequence[Entry], **given: object) -> list:  # type: ignore[type-arg]  # results as the port has them
        if self.stranger is not None:
            stranger, self.stranger = self.stranger, None
            super().put([stranger])
        return super().put(entries)


def test_what_another_writer_put_in_meanwhile_is_related_too(tmp_path: Path) -> None:
    store = Crowded(tmp_path)
    store.set_encoding(FINGERPRINT)
    store.stranger = turn("b", "budget=60", 1)
    put(store, turn("a", "budget=80", 0))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    store.close()


def test_deleting_what_overturned_a_memory_opens_it_again(store: SqliteStore) -> None:
    put(store, turn("a", "budget=80", 0), turn("b", "budget=60", 1), turn("c", "budget=50", 2))
    changes = Changes(store, relation, statements)
    for name, expected in (("b", (SUPERSEDED, 2.0, ("c",))), ("c", (ACTIVE, None, ()))):
        affected = changes.affected_by("default", ids(name))
        assert set(ids("a")) <= affected
        store.delete("default", eq("id", name))
        changes.rework("default", affected)
        assert stands(store, "a") == expected


def test_deleting_the_turn_between_brings_the_edge_that_spans_it_back(store: SqliteStore) -> None:
    put(store, turn("a", "seats=65", 0), turn("b", "chairs=12", 1), turn("c", "no, 80", 2))
    changes = Changes(store, relation, statements)
    affected = changes.affected_by("default", ids("b"))
    store.delete("default", eq("id", "b"))
    changes.rework("default", affected)
    assert stands(store, "a") == (SUPERSEDED, 2.0, ("c",))


def test_relating_anew_finds_what_an_earlier_release_did_not(store: SqliteStore) -> None:
    store.put([turn("a", "day=thu", 0), turn("b", "day=fri", 1)])
    store.put_standings("default", [], edges=[told("a", "b").model_copy(update={"origin": "change:old"})])
    seen: list[int] = []
    changes = Changes(store, relation, statements)
    assert changes.relink("default", on_progress=seen.append) > 0
    assert seen == [2]
    assert drawn(store, "a", "b") == {("b", "supersedes", "a")}
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    assert changes.relink("default") == 0


def test_relating_anew_keeps_somebodys_own_word(store: SqliteStore) -> None:
    put(store, turn("a", "day=thu", 0), turn("b", "room=4", 1))
    changes = Changes(store, relation, statements)
    changes.supersede("default", *ids("a", "b"))
    changes.relink("default")
    assert stands(store, "b") == (SUPERSEDED, 1.0, ("a",))


def test_a_memory_and_itself_or_two_that_would_replace_each_other_are_refused(store: SqliteStore) -> None:
    """Report A45."""
    put(store, turn("a", "one", 0), turn("b", "two", 1), turn("c", "three", 2))
    changes = Changes(store, relation, statements)
    changes.supersede("default", *ids("b", "a"))
    changes.supersede("default", *ids("c", "b"))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))
    for later, earlier, named in (("a", "a", "a"), ("a", "b", "b, a"), ("a", "c", "c, b, a")):
        with pytest.raises(ChangeRefused) as refused:
            changes.supersede("default", *ids(later, earlier))
        assert refused.value.where == named
    assert stands(store, "c") == (ACTIVE, None, ())


def test_a_second_successor_must_be_related_to_the_first(store: SqliteStore) -> None:
    put(store, turn("a", "one", 0), turn("b", "two", 1), turn("c", "three", 2))
    changes = Changes(store, relation, statements)
    changes.supersede("default", *ids("b", "a"))
    with pytest.raises(ChangeRefused) as refused:
        changes.supersede("default", *ids("c", "a"))
    assert refused.value.where == "a, c, b"
    changes.supersede("default", *ids("c", "b"))
    changes.supersede("default", *ids("c", "a"))
    assert stands(store, "a") == (SUPERSEDED, 1.0, ("b",))


def test_only_memories_that_exist_replace_each_other(store: SqliteStore) -> None:
    put(store, turn("a", "one", 0))
    with pytest.raises(NotFound, match="nobody"):
        Changes(store).supersede("default", *ids("nobody", "a"))
    with pytest.raises(ChangeRefused, match="repeats"):
        Changes(store).supersede("default", *ids("b", "a"), kind=ChangeKind.REPEATS)


def test_a_loop_found_in_a_store_is_reported_and_hides_none_of_its_members(store: SqliteStore) -> None:
    """Report A45."""
    circle = [told("a", "b"), told("b", "c"), told("c", "a"), told("d", "d")]
    store.put([turn(name, f"{name}=1", 0) for name in "abcd"])
    store.put_standings("default", [], edges=circle)
    changes = Changes(store, relation, statements)
    assert changes.loops("default") == [("a", "b", "c"), ("d",)]
    changes.relink("default")
    assert [stands(store, name)[0] for name in "abcd"] == [ACTIVE] * 4
    put(store, turn("e", "a=2", 3))
    assert [stands(store, name)[0] for name in "abcde"] == [SUPERSEDED, *[ACTIVE] * 4]


def test_loops_are_told_from_chains() -> None:
    assert loops_in([]) == []
    assert loops_in([told("b", "a"), told("c", "b"), told("c", "a")]) == []
    assert loops_in([told("b", "a"), told("a", "b"), told("c", "b")]) == [("a", "b")]


def test_of_two_ends_at_once_the_one_that_leaves_a_value_is_told() -> None:
    edges = [told("b", "a", kind=EdgeType.RETRACTS), told("c", "a"), told("d", "a", hours=3.0)]
    found = standing_of("a", edges)
    assert (found.status, found.ended_by) == (SUPERSEDED, ("c",))


def test_the_nearest_turns_are_found_in_a_long_talk(store: SqliteStore) -> None:
    store.put([turn(f"t{number:03}", "hm", number) for number in range(700)])
    late = memory("new", "hm", conversation_id="talk", event_time=NOW + timedelta(hours=99.5))
    nearby = Nearby(store, "default", {late.id: late}, {late.id: ()})
    assert [one.id for one in nearby.before(late)] == [f"t{number:03}" for number in range(76, 100)]
    assert [one.id for one in nearby.after(late)] == [f"t{number:03}" for number in range(100, 124)]
    first, last = store.get("default", ids("t000", "t090"))
    assert [one.id for one in nearby.between(first, last)] == [f"t{number:03}" for number in range(82, 90)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("项目A的缓存用Redis", "项目A的缓存已从Redis换成Memcached", True),
        ("Rent is 900 a month.", "The rent goes up to 950 from August.", True),
        (
            "Petra lent us two tents and a stove",
            "Petra quit the choir, rehearsals clash with work",
            False,
        ),
        ("The lift is repaired", "Bring two umbrellas", False),
    ],
)
def test_a_name_in_common_is_not_enough_outside_a_talk(one: str, other: str, expected: bool) -> None:
    assert enough_in_common(one, other) is expected
    assert enough_in_common(other, one) is expected


def test_the_first_mail_of_a_thread_is_part_of_it_even_when_it_comes_last(store: SqliteStore) -> None:
    put(store, turn("r", "no, 80", 1, conversation_id=None, thread_root_id="root"))
    put(store, turn("root", "seats=65", 0, conversation_id=None))
    nearby = Nearby(store, "default", {}, {})
    root, reply = store.get("default", ids("root", "r"))
    assert nearby.between(root, reply) == ()
    late = {root.id: root}
    assert [one.id for one in Nearby(store, "default", late, dict.fromkeys(late, ())).after(root)] == ["r"]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), HashingEncoder()) as graph:
        yield graph


REPORTS: Mapping[str, tuple[str, str]] = {
    "A03": ("项目A的缓存用Redis", "项目A的缓存已从Redis换成Memcached"),
    "A04": ("我喜欢喝美式", "我不再喝美式了"),
}


@pytest.mark.parametrize("report", REPORTS)
def test_a_statement_of_change_ends_what_it_changes(reading: MemoryGraph, report: str) -> None:
    """Reports A03 and A04, as far as they are written down."""
    before, after = REPORTS[report]
    items = [
        {"id": "hate", "text": "I hate cilantro", "sender": "Lin", "event_time": NOW},
        {"id": "old", "text": before, "sender": "Lin", "event_time": NOW},
        {"id": "new", "text": after, "sender": "Lin", "event_time": NOW + timedelta(days=4)},
    ]
    results = reading.add(items, namespace=report)
    old, new, hate = (reading.get(one, namespace=report) for one in ("old", "new", "hate"))
    assert old.status in {SUPERSEDED, RETRACTED}
    assert (old.ended_at, old.ended_by) == (NOW + timedelta(days=4), ("new",))
    assert results[2].overturns == ("old",)
    assert (new.status, hate.status) == (ACTIVE, ACTIVE)
