"""Where a turn stands in its talk, and what a talk brings along: what settles a matter often does not name it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.change import speaks_of_change
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.retrieve.rank.talks import ALONE, standings
from graphsvc.store.filters import EVERYTHING
from tests.builders import NOW, memory
from tests.graphs import open_graph

CHANGES = (
    "改周四了", "换到阁楼那间", "算了，不去了", "报价有误，应为3,860", "提前到五点", "不是65，是80",
    "The fitting is moved to Friday.",
    "Scrap that, Dad wants it.",
    "We're trying fencing instead.", "Cancelled the ferry.", "She no longer drinks coffee.",
    "It went up to 240.", "Should read 18, not 81.",
)  # fmt: skip
NO_CHANGES = (
    "他画得不错",
    "仓库六点关门",
    "改革开放那年",
    "The hall holds eighty.",
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    real.delete_all(EVERYTHING)


def turn(name: str, days: int, talk: str | None = "t") -> Memory:
    return memory(name, conversation_id=talk, event_time=NOW + timedelta(days=days))


def test_a_later_turn_stands_behind_no_other_and_the_first_behind_all() -> None:
    turns = [(turn("first", 0), 0.9), (turn("second", 1), 0.8), (turn("third", 2), 0.7)]
    found = standings(turns, [], within=0.5)
    assert [found[MemoryId(name)].later for name in ("first", "second", "third")] == [1.0, 0.5, 0.0]
    assert found[MemoryId("third")].above == pytest.approx(0.2)
    assert found[MemoryId("first")].above == 0.0


def test_turns_far_below_the_best_count_for_nothing() -> None:
    found = standings([(turn("good", 0), 0.9), (turn("far", 1), 0.1)], [], within=0.35)
    assert found[MemoryId("good")].alone
    assert not found[MemoryId("far")].alone


def test_a_change_counts_only_for_what_was_said_before_it() -> None:
    turns = [(turn("before", 0), 0.9), (turn("change", 1), 0.8), (turn("after", 2), 0.8)]
    found = standings(turns, [MemoryId("change")], within=0.5)
    assert [found[MemoryId(name)].changed_since for name in ("before", "change", "after")] == [True, False, False]


def test_talks_do_not_mix_and_what_has_no_talk_has_no_standing() -> None:
    found = standings(
        [(turn("a", 0, "one"), 0.9), (turn("b", 1, "two"), 0.8), (turn("c", 2, None), 0.7)], [], within=1.0
    )
    assert found.keys() == {"a", "b"}
    assert all(one == ALONE for one in found.values())


def test_the_order_turns_are_given_in_does_not_matter() -> None:
    turns = [(turn("first", 0), 0.9), (turn("second", 1), 0.8), (turn("third", 2), 0.7)]
    assert standings(turns, [MemoryId("second")], within=0.5) == standings(
        turns[::-1], [MemoryId("second")], within=0.5
    )


@pytest.mark.parametrize("text", CHANGES)
def test_what_changes_or_corrects_or_cancels_speaks_of_change(text: str) -> None:
    assert speaks_of_change(text)


@pytest.mark.parametrize("text", NO_CHANGES)
def test_what_merely_says_so_does_not(text: str) -> None:
    assert not speaks_of_change(text)


def test_the_turn_that_leaves_its_topic_out_comes_along_with_its_talk(graph: MemoryGraph) -> None:
    for place, text in enumerate(("给猫订了鸡肉味的猫粮。", "快递说周五到。", "吃了吐，换成鸭肉的了。")):
        graph.add([{"id": f"cat{place}", "text": text, "conversation_id": "cat", "event_time": NOW}])
    for place in range(40):
        graph.add([{"id": f"x{place}", "text": f"第{place}份检查报告已经归档。", "event_time": NOW}])
    found = graph.search("现在猫吃什么粮")
    assert {"cat0", "cat2"} <= {one.memory.id for one in found.candidates[:3]}


def test_a_talk_never_brings_along_what_the_funnel_left_out(graph: MemoryGraph) -> None:
    later = NOW + timedelta(days=3)
    graph.add(
        [
            {"id": "said", "text": "给猫订了鸡肉味的猫粮。", "conversation_id": "cat", "event_time": NOW},
            {"id": "later", "text": "吃了吐，换成鸭肉的了。", "conversation_id": "cat", "event_time": later},
        ]
    )
    found = graph.search("猫吃什么粮", asked_at=NOW + timedelta(days=1))
    assert [one.memory.id for one in found.candidates] == ["said"]
