"""The summary of a long text: its own sentences, and every value of the text in them."""

from __future__ import annotations

import pytest

from graphsvc.ingest.policy.summary import LEAST_CHARS, MOST_SHARE, RuleSummariser
from tests.said import said

FILLER = (
    "We walked for a while and talked about nothing in particular.",
    "The weather was mild and nobody was in a hurry.",
    "Somebody had left a kettle on the stove, and the kitchen smelt of burnt tea.",
    "There was a long silence before the next speaker stood up.",
    "Everybody seemed content with how things stood, and nobody asked for more.",
)
VALUES = (
    "Anna Petrova owes 1,200 euros for the boat.",
    "The boat leaves Lisbon on 5 March 2026.",
    "Its papers are filed under HT2023-0876.",
)
LONG = " ".join([FILLER[0], *FILLER[1:3], VALUES[0], *FILLER[3:], VALUES[1], *FILLER[:2], VALUES[2], *FILLER[2:]])


def summary(text: str) -> str | None:
    return RuleSummariser().summarise(text, said("a", text).facts)


def test_every_sentence_with_a_value_is_kept_and_the_rest_goes() -> None:
    found = summary(LONG)
    assert found is not None
    assert [line for line in found.split("\n") if line not in VALUES] == [FILLER[0]]
    assert [line for line in found.split("\n") if line in VALUES] == list(VALUES)
    assert len(found) < MOST_SHARE * len(LONG)


def test_chinese_texts_are_summed_up_alike() -> None:
    filler = "大家先聊了聊近况，气氛很轻松，谁也不着急。窗外一直在下雨，屋里的茶凉了又续上。" * 8
    text = f"{filler}李娜说维修费共八十万元。{filler}合同编号是HT2023-0876，下周三之前签。{filler}"
    found = summary(text)
    assert found is not None
    assert "李娜说维修费共八十万元。" in found
    assert "合同编号是HT2023-0876，下周三之前签。" in found
    assert len(found) < 100


def test_a_value_said_twice_is_kept_once() -> None:
    text = f"{LONG} Once more: Anna Petrova owes 1,200 euros for the boat, as everyone in the room had heard before."
    assert (summary(text) or "").count("1,200") == 1


def test_a_short_text_has_no_summary() -> None:
    text = " ".join(FILLER)[:LEAST_CHARS]
    assert summary(text) is None


def test_a_text_all_of_values_has_no_summary() -> None:
    text = " ".join(f"Room {place} costs {place * 31} euros a night." for place in range(101, 130))
    assert summary(text) is None


def test_one_endless_sentence_has_no_summary() -> None:
    assert summary("und so weiter " * 60) is None


@pytest.mark.parametrize("figure", ["3-1", "2/3", "12:45", "v2.3.1"])
def test_a_figure_that_nobody_read_as_a_value_is_kept_too(figure: str) -> None:
    text = " ".join([*FILLER, f"It ended {figure} for us.", *FILLER])
    assert f"It ended {figure} for us." in (summary(text) or "")


def test_neighbouring_sentences_stay_as_they_stand() -> None:
    text = f"{VALUES[0]} {VALUES[1]}  {' '.join(FILLER * 2)}"
    assert summary(text) == f"{VALUES[0]} {VALUES[1]}"
