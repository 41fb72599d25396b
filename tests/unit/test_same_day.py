"""From a hit to what else is of its day: by the words of the date, by the day it was said on, never beyond."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import MemoryInput
from graphsvc.retrieve.expand.same_day import day_of, of_day
from tests.builders import memory
from tests.graphs import open_graph

ASKED_AT = datetime(2026, 3, 6, tzinfo=UTC)


def at(day: int) -> datetime:
    return datetime(2026, 1, day, 9, tzinfo=UTC)


def told(graph: MemoryGraph, question: str, *, limit: int = 10) -> list[str]:
    return [one.memory.id for one in graph.search(question, asked_at=ASKED_AT, limit=limit).candidates]


def filled(folder: Path, *memories: MemoryInput) -> MemoryGraph:
    """A graph in which a hundred memories stand before those that only a day ties to the question."""
    graph = open_graph(folder)
    crowd = [
        MemoryInput(id=f"crowd-{n}", text=f"灯塔 开放 参观 第{n}批 名单 公布", event_time=at(20)) for n in range(100)
    ]
    graph.add([*memories, *crowd])
    return graph


OPENING = MemoryInput(id="opening", text="2026年1月12日,灯塔重新开放", event_time=at(28))


def test_what_names_the_day_comes_among_the_first_ten(tmp_path: Path) -> None:
    ferry = MemoryInput(id="ferry", text="Ferry prices rose on 12 January 2026", event_time=at(27))
    with filled(tmp_path, OPENING, ferry) as graph:
        assert "ferry" in told(graph, "灯塔重新开放当天还有什么事")
        assert "ferry" not in told(graph, "灯塔重新开放还有什么事")


def test_what_was_said_on_the_day_comes_though_it_does_not_date_itself(tmp_path: Path) -> None:
    said = MemoryInput(id="said", text="奶奶做了红烧鱼", event_time=at(12))
    with filled(tmp_path, OPENING, said) as graph:
        assert "said" in told(graph, "灯塔重新开放那天还有什么事")


def test_what_is_of_another_day_stays_away(tmp_path: Path) -> None:
    other = MemoryInput(id="other", text="Ferry prices rose on 13 January 2026", event_time=at(13))
    with filled(tmp_path, OPENING, other) as graph:
        assert "other" not in told(graph, "灯塔重新开放当天还有什么事")


def test_a_day_is_the_first_one_written_else_the_one_it_was_said_on() -> None:
    plain = memory("a", "没有日期", event_time=at(5))
    assert day_of(plain).begin == datetime(2026, 1, 5, tzinfo=UTC)
    assert of_day(plain, day_of(plain))
    assert not of_day(memory("b", "没有日期", event_time=at(6)), day_of(plain))


def test_the_best_candidate_keeps_its_place(tmp_path: Path) -> None:
    ferry = MemoryInput(id="ferry", text="Ferry prices rose on 12 January 2026", event_time=at(27))
    with filled(tmp_path, OPENING, ferry) as graph:
        assert told(graph, "灯塔重新开放当天还有什么事")[0] == told(graph, "灯塔重新开放还有什么事")[0] == "opening"
