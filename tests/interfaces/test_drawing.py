"""How text is folded and the funnel drawn: laws that hold for any text and any stages."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from graphsvc.interfaces.cli.funnel import bar, brief, line, searches
from graphsvc.interfaces.cli.prose import Prose, breaks, plain
from tests.interfaces import told

TEXTS = st.text(alphabet="abc 中文，。“”(）1-", max_size=120)


def lines_of(text: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    console.print(Prose(plain(text)))
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue().split("\n")[:-1]


@given(TEXTS, st.integers(2, 40))
def test_folding_loses_nothing_and_keeps_to_the_width(text: str, width: int) -> None:
    lines = lines_of(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(one) <= width for one in lines)


@given(TEXTS, st.integers(2, 40))
def test_lines_begin_further_on_each_time(text: str, width: int) -> None:
    begins = list(breaks(text, width))
    assert begins == sorted(set(begins))
    assert all(0 < begin < len(text) for begin in begins)


def test_chinese_fills_its_line_and_no_line_begins_with_a_closing_mark() -> None:
    assert lines_of("ID 我们在河边，坐了一天", 13) == ["ID 我们在河", "边，坐了一天"]


def test_english_breaks_between_words_and_a_word_too_long_is_cut() -> None:
    assert lines_of("the quick brownfoxes", 9) == ["the quick", "brownfoxe", "s"]


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_bar_grows_with_the_count_and_is_never_empty_for_some(one: int, other: int) -> None:
    most = max(one, other, 1)
    assert len(bar(min(one, other), most)) <= len(bar(max(one, other), most))
    assert bool(bar(one, most)) == (one > 0)


def test_a_hundred_thousand_fills_the_bar_and_one_is_a_sliver() -> None:
    assert set(bar(100_000, 100_000)) == {"█"}
    assert 1 <= len(bar(1, 100_000)) <= 2


def test_a_check_that_searches_again_is_told_from_the_attempt() -> None:
    again = [one for one in told.search() if one.name != "accept"] + [told.stage("follow up", 3, "for the reason")]
    stages = [*told.search()[:-1], *again, told.search()[-1], told.stage("answer", 1)]
    assert [one.title for one in searches(stages, attempts=1)] == [
        "first attempt",
        "first attempt: again, for what a check found missing",
    ]


def test_a_search_alone_is_one_run() -> None:
    stages = [one for one in told.search() if one.name != "accept"]
    assert [one.stages for one in searches(stages, attempts=1)] == [stages]


def test_several_filters_of_a_stage_count_once_and_stay_relaxed() -> None:
    stages = [told.stage("role", 5, relaxed=True), told.stage("role", 3), told.stage("rank", 2)]
    assert line(stages).plain == "role 3 (relaxed) → rank 2"


@pytest.mark.parametrize(("step", "accepted"), [("first_attempt", 0), ("rewritten", 1), ("needs_confirmation", 0)])
def test_the_line_of_an_answer_is_that_of_the_search_it_rests_on(step: str, accepted: int) -> None:
    assert f"accept {accepted} · 4 searches" in brief(told.answer(step=step)).plain
