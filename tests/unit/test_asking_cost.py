"""What asking costs at its bounds: questions of two thousand characters, memories that list thousands of values.

Bounds leave room for a busy machine; without them each of these takes many seconds, or grows with the square.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphsvc.language.aliases import Address, address_parts
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.graph import Entity
from graphsvc.models.memory import MemoryInput
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS
from graphsvc.retrieve.parse import aspects
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.retrieve.parse.split import parts_of
from graphsvc.settings import Settings
from graphsvc.understand.tagger import Seen, Setting
from tests.unit.test_parse_question import PARSER

AT = datetime(2024, 8, 20, 9, tzinfo=UTC)
LISTS = {
    "zh": ("".join(f"第{number}项{1000 + number}元，" for number in range(1, 3000))[:12_000], "第17项多少元？"),
    "en": (
        "".join(f"Item {number} costs {1000 + number} euros, " for number in range(1, 3000))[:12_000],
        "How much does item 17 cost?",
    ),
}


def seconds(work: Callable[[], object], runs: int = 2) -> float:
    """The quickest of some runs."""
    spent = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        spent.append(time.perf_counter() - begun)
    return min(spent)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    settings = Settings(encoder="hashing")
    with MemoryGraph.open(f"sqlite:///{tmp_path}/store", settings=settings, clock=lambda: AT) as opened:
        yield opened


@pytest.mark.parametrize("language", LISTS)
def test_memories_that_list_thousands_of_values_are_judged_in_less_than_two_seconds(
    graph: MemoryGraph, language: str
) -> None:
    text, question = LISTS[language]
    lists = [MemoryInput(id=f"list{n}", text=text.replace("10", f"{n}0", 1), event_time=AT) for n in range(1, 4)]
    graph.add(lists, namespace="lists")
    begun = time.perf_counter()
    found = graph.answer(question, namespace="lists", asked_at=AT)
    assert time.perf_counter() - begun < 2
    assert found.value is not None
    assert found.value.text.startswith("1017")


class TestLongQuestions:
    @pytest.mark.parametrize("language", ["same", "other"])
    def test_names_of_two_thousand_han_characters_are_looked_for_in_less_than_two_seconds(self, language: str) -> None:
        """Only so many stretches are romanised, though each is looked up as it is written."""
        other = "".join(chr(0x4E00 + number * 7919 % 6000) for number in range(MAX_QUESTION_CHARS))
        text = "林" * MAX_QUESTION_CHARS if language == "same" else other
        looked: list[Sequence[str]] = []

        def lookup(keys: Sequence[str]) -> list[Entity]:
            looked.append(keys)
            return []

        assert seconds(lambda: PARSER.parse(Asked(text, AT), Seen(), Setting(AT), lookup=lookup), runs=1) < 2
        assert any(text[-2:] in keys for keys in looked)
        assert max(map(len, looked)) < 40_000

    @pytest.mark.parametrize("piece", ["why ", "who is the ", "what un"])
    def test_whether_a_question_denies_grows_with_its_length(self, piece: str) -> None:
        short, long = (piece * (length // len(piece)) for length in (2_000, 8_000))
        assert seconds(lambda: aspects.negated(long)) < 8 * seconds(lambda: aspects.negated(short)) + 0.1

    def test_what_a_second_clause_speaks_of_is_looked_for_in_proportion(self) -> None:
        short, long = (
            f"How much did he pay {'my ' * (length // 3)}! and when does it start?" for length in (2_000, 8_000)
        )
        assert seconds(lambda: parts_of(long, (), ())) < 8 * seconds(lambda: parts_of(short, (), ())) + 0.1

    def test_a_denial_far_behind_its_question_word_is_still_one(self) -> None:
        assert aspects.negated(f"Who of {'all the others ' * 8}has not paid?")


class TestParties:
    def test_a_party_of_spaces_is_read_at_once(self) -> None:
        assert seconds(lambda: address_parts("\n" * 600)) < 0.05
        assert seconds(lambda: address_parts("a" + "\n" * 590 + "<b")) < 0.05

    def test_spaces_around_a_name_and_its_address_are_none_of_it(self) -> None:
        assert address_parts('\n "Mei Zhou" \n< mei@example.com >\t') == Address("Mei Zhou", "mei@example.com")
