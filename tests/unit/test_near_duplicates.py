"""What says the same in nearly the same words, and, above all, what does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphsvc.ingest.policy.near_duplicates import NearDuplicates, near_duplicate, repeats, says_same
from graphsvc.language.segment import index_tokens
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Sense, SenseSource
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory, MemoryStatus, Party, Source
from graphsvc.store.base import Entry, Store
from graphsvc.store.open import open_store
from tests.builders import NOW
from tests.said import said


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'store'}")
    yield opened
    opened.close()


def keep(store: Store, *memories: Memory) -> None:
    store.put([Entry(one, tuple(index_tokens(one.text))) for one in memories])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("项目预算是80万", "项目预算为八十万。"),
        ("仓库预算80万", "倉庫預算８０万！"),
        ("I am allergic to peanuts.", "I'm allergic to peanuts"),
        ("我对花生过敏", "我對花生過敏。"),
        ("李娜的电话是13800138000", "李娜的電話是 13800138000"),
        ("I don't like coriander", "I do not like coriander!"),
        ("The wifi password is swordfish", "Wifi password is swordfish."),
        ("We signed the lease on 5 March 2026", "On March 5, 2026 we signed the lease."),
        ("Order HT2023-0876 belongs to Anna Petrova", "The order ht2023-0876 belongs to Anna Petrova."),
    ],
)
def test_another_writing_of_the_same_words_and_values_is_a_near_duplicate(one: str, other: str) -> None:
    earlier, later = said("a", one), said("b", other, days=40)
    assert says_same(earlier, later)
    assert says_same(later, earlier)
    assert near_duplicate(later, [earlier]) == "a"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("项目预算80万", "项目预算60万"),
        ("项目预算80万", "项目预算80万美元"),
        ("I like coffee", "I don't like coffee"),
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("The board approved the merger", "The board rejected the merger"),
        ("李雷借给韩梅梅500元", "韩梅梅借给李雷500元"),
        ("王芳住在苏州", "王芳住在杭州"),
        ("左边的插座坏了", "右边的插座坏了"),
        ("The gate opens at 3", "The gate opened at 3"),
        ("明天仓库盘点", "明天仓库盘点？"),
        ("Order HT2023-0876 is ready", "Order HT2023-0877 is ready"),
        ("Take the syrup before meals", "Take the syrup after meals"),
        ("Call 13800138000 about the lease", "Call 13800138001 about the lease"),
        ("The score was 3-1 for Leeds", "The score was 3-2 for Leeds"),
        ("Anna can sign the contract", "Anna can't sign the contract"),
        ("His brother hates coriander", "Her brother hates coriander"),
    ],
)
def test_one_other_word_value_or_denial_makes_it_something_else(one: str, other: str) -> None:
    assert not says_same(said("a", one), said("b", other))


def test_a_long_text_with_one_other_word_is_no_near_duplicate() -> None:
    text = "The committee met in the long hall and read every paragraph of the proposal aloud. " * 4
    assert not says_same(said("a", f"{text}It was approved."), said("b", f"{text}It was rejected."))
    assert says_same(said("a", f"{text}It was approved."), said("b", f"{text}\nIt was approved!"))


def test_words_too_few_to_stand_alone_repeat_nothing() -> None:
    assert not says_same(said("a", "OK"), said("b", "OK!"))
    assert not says_same(said("a", "同意"), said("b", "同意。"))


def test_the_same_weekday_of_another_week_is_another_day() -> None:
    text = "会议改到周四下午3点"
    assert not says_same(said("a", text), said("b", text, days=7))
    assert says_same(said("a", text), said("b", "會議改到週四下午三點！", days=0.1))


@pytest.mark.parametrize(
    ("text", "intent"), [("付了房租3000元", None), ("I paid the rent", None), ("血压120/80", "measure")]
)
def test_what_happened_or_is_done_anew_each_time_happened_twice(text: str, intent: str | None) -> None:
    assert not says_same(said("a", text, intent=intent), said("b", f"{text}.", days=31, intent=intent))


def test_what_happened_told_twice_within_the_hour_was_sent_twice() -> None:
    assert says_same(said("a", "I paid the rent"), said("b", "I paid the rent.", days=0.01))


def test_what_one_says_of_himself_is_not_what_another_says_of_himself() -> None:
    mine, theirs = said("a", "I am allergic to peanuts", sender="Anna"), said("b", "I'm allergic to peanuts")
    assert not says_same(mine, theirs)
    assert not says_same(mine, said("c", "I'm allergic to peanuts", sender="Boris"))
    assert says_same(mine, said("d", "I'm allergic to peanuts", sender="anna"))


def test_one_source_may_be_unknown_where_nobody_speaks_of_himself() -> None:
    text = "Anna's office is in room 302"
    assert says_same(said("a", text, sender="Kim"), said("b", text))
    assert not says_same(said("a", text, sender="Kim"), said("b", text, sender="Lee"))


def test_what_was_written_to_two_people_was_said_of_two_things() -> None:
    parties = [(Party(role=EdgeType.SENT_TO, entity=EntityId(name), name=name),) for name in ("kim", "lee")]
    text = "Order for the Leeds office is ready"
    one, other = (said(name, text, parties=to) for name, to in zip("ab", parties, strict=True))
    assert not says_same(one, other)


def test_a_turn_that_leans_on_its_talk_repeats_nothing_of_another_talk() -> None:
    text = "Moved the review to room 302"
    assert says_same(said("a", text, conversation_id="x"), said("b", text, conversation_id="x"))
    leaning = "The budget of this project is 80万"
    assert not says_same(said("a", leaning, conversation_id="x"), said("b", leaning, conversation_id="y"))
    whole = "Anna Petrova is allergic to peanuts"
    assert says_same(said("a", whole, conversation_id="x"), said("b", whole, conversation_id="y", days=9))


def test_the_same_clause_of_two_contracts_is_two_clauses() -> None:
    text = "Anna Petrova pays within 30 days"
    kept = [
        said(name, text, document_type="contract", source=Source(file=file), clause_id=clause)
        for name, file, clause in (("a", "1.txt", "4"), ("b", "2.txt", "4"), ("c", "1.txt", "5"), ("d", "1.txt", "4"))
    ]
    assert [says_same(kept[0], one) for one in kept[1:]] == [False, False, True]


def test_free_fields_of_one_name_with_two_values_part_them() -> None:
    text = "The budget for paint is 800,000"
    north, south = (said(name, text, metadata={"project": name}) for name in ("north", "south"))
    assert not says_same(north, south)
    assert says_same(north, said("c", text, metadata={"page": 4}))


def test_one_word_in_two_senses_says_two_things() -> None:
    def bank(name: str, sense: str) -> Memory:
        one = said(name, "Anna waits at the bank by noon")
        told = Sense(start=18, end=22, surface="bank", sense=sense, probability=0.9, source=SenseSource.SENTENCE)
        return one.model_copy(update={"facts": one.facts.model_copy(update={"senses": (told,)})})

    assert not says_same(bank("a", "bank.money"), bank("b", "bank.river"))
    assert says_same(bank("a", "bank.money"), bank("b", "bank.money"))


def test_what_was_overturned_is_repeated_by_nobody() -> None:
    gone = said("a", "项目预算80万", status=MemoryStatus.SUPERSEDED)
    assert near_duplicate(said("b", "项目预算八十万"), [gone]) is None


def test_the_earliest_of_several_is_named() -> None:
    earlier = [said(name, "项目预算80万", days=days) for name, days in (("a", 3), ("b", 1), ("c", 2))]
    assert near_duplicate(said("d", "项目预算八十万", days=4), earlier) == "b"


def test_the_edge_leads_from_the_later_to_the_earlier_whichever_came_first() -> None:
    earlier, later = said("a", "项目预算80万"), said("b", "项目预算八十万", days=2)
    edge = repeats(earlier, later, NOW)
    assert edge == repeats(later, earlier, NOW)
    assert (edge.source.id, edge.target.id, edge.type, edge.valid_from) == (
        "b",
        "a",
        EdgeType.REPEATS,
        later.event_time,
    )


def test_stored_memories_and_those_of_the_batch_are_found(store: Store) -> None:
    keep(store, said("a", "项目预算80万"), said("n", "项目预算60万"))
    duplicates = NearDuplicates(store, "default")

    def found(one: Memory) -> str | None:
        repeated = duplicates.of(one, index_tokens(one.text))
        return None if repeated is None else repeated.id

    assert found(said("b", "项目预算是八十万")) == "a"
    assert found(said("c", "Wifi password is swordfish")) is None
    assert found(said("d", "The wifi password is swordfish.")) == "c"
    assert found(said("n2", "项目预算70万")) is None


def test_another_namespace_is_never_looked_into(store: Store) -> None:
    keep(store, said("a", "项目预算80万", namespace="other"))
    assert NearDuplicates(store, "default").of(said("b", "项目预算80万"), index_tokens("项目预算80万")) is None


def test_a_memory_costs_less_than_a_millisecond() -> None:
    text = "The budget for the Riverside office is 800,000 and Anna Petrova signs for it every quarter. " * 2
    one, others = said("a", text), [said(str(place), f"{text}{place}") for place in range(4)]
    near_duplicate(one, others)

    def once() -> float:
        start = time.perf_counter()
        near_duplicate(one, others)
        return time.perf_counter() - start

    assert min(once() for _ in range(20)) < 1e-3
