"""What a caller says about a question is checked before anything is read, and told by the name of the field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphsvc.errors import FieldInvalid, TextRefused
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus, Leg
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS, Ask
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.store.filters import eq
from tests.builders import NOW

HALF = "\ud800"
NAIVE = datetime(2026, 3, 6)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            (name, bad)
            for name in ("session_id", "conversation_id", "asked_by")
            for bad in (HALF, "", "a\0", "x" * 501)
        ),
        *(("namespace", bad) for bad in (HALF, "", "a\0", "x" * 201, 7)),
        *(("asked_at", bad) for bad in (NAIVE, "2026-03-06T10:00:00+08:00", 0)),
        *(("where", bad) for bad in ({"field": "id", "value": "m1"}, "id = m1", ())),
        *(("limit", bad) for bad in ("3", 2.5, True, None, 0, -1)),
        *(("min_similarity", bad) for bad in (float("nan"), float("inf"), 1e9, -2.0, "0.5")),
        *(("legs", bad) for bad in ("x", "dense", frozenset(), frozenset({"x"}), None)),
        *(("diversity", bad) for bad in (float("nan"), -0.1, 1.1, "1")),
        *(("question", bad) for bad in (7, b"who?", None)),
    ],
)
def test_a_bad_argument_is_refused_by_its_name(graph: MemoryGraph, field: str, value: object) -> None:
    given: dict[str, Any] = {"question": "who has the key?", field: value}
    with pytest.raises(FieldInvalid) as refused:
        graph.search(**given)
    assert refused.value.where == field


@pytest.mark.parametrize(
    ("field", "value"),
    [("session_id", HALF), ("conversation_id", HALF), ("namespace", ""), ("asked_at", NAIVE), ("where", {})],
)
def test_an_answer_refuses_what_a_search_refuses(graph: MemoryGraph, field: str, value: object) -> None:
    given: dict[str, Any] = {"question": "who has the key?", field: value}
    with pytest.raises(FieldInvalid) as refused:
        graph.answer(**given)
    assert refused.value.where == field


@pytest.mark.parametrize("text", ["", "  ", "\u200b", HALF, "a\0", "x" * (MAX_QUESTION_CHARS + 1)])
def test_a_question_that_says_nothing_or_too_much_is_refused_as_a_text(graph: MemoryGraph, text: str) -> None:
    with pytest.raises(TextRefused):
        graph.answer(text)


def test_what_is_allowed_is_kept_as_it_was_given() -> None:
    asked = Asked("谁有钥匙？", NOW.astimezone(UTC), "Anna", "talk 1")
    where = eq("id", "m1")
    legs = frozenset({Leg.DENSE})
    ask = Ask.checked(
        asked, "n" * 200, where=where, limit=1, min_similarity=-1, legs=legs, diversity=1, session_id="s" * 500
    )
    assert ask == Ask(asked, "n" * 200, where, 1, -1, legs, 1, "s" * 500)


def test_a_question_of_the_longest_allowed_is_answered(graph: MemoryGraph) -> None:
    assert graph.answer("x " * (MAX_QUESTION_CHARS // 2)).status is AnswerStatus.NOTHING_STORED
