"""What a caller says about a question is checked before anything is read, and told by the name of the field."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
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


class TestNamesakes:
    """Two of one given name, one of them met only later and only elsewhere."""

    @pytest.fixture
    def told(self, graph: MemoryGraph) -> MemoryGraph:
        later, before = NOW + timedelta(days=5), NOW - timedelta(days=5)
        graph.add(
            [
                {"id": "k1", "text": "See you.", "sender": "Anna Holm <h@secret.org>", "event_time": later},
                {"id": "k2", "text": "Hello.", "sender": "Anna Berg <b@x.org>", "event_time": before},
            ]
        )
        return graph

    def test_a_namesake_met_only_later_is_not_told(self, told: MemoryGraph) -> None:
        answer = told.answer("Anna?")
        assert answer.ambiguous == ()
        behind = answer.model_dump_json() + told.trace(answer.trace_id).model_dump_json()
        assert "holm" not in behind.casefold()
        assert "secret.org" not in behind

    def test_both_are_told_once_both_were_met(self, told: MemoryGraph) -> None:
        (person,) = told.search("Anna?", asked_at=NOW + timedelta(days=6)).ambiguous
        assert {bearer.name for bearer in person.bearers} == {"Anna Holm", "Anna Berg"}

    def test_a_namesake_outside_the_filter_is_not_told(self, told: MemoryGraph) -> None:
        found = told.search("Anna?", asked_at=NOW + timedelta(days=6), where=eq("id", "k2"))
        assert found.ambiguous == ()
        assert "holm" not in found.model_dump_json().casefold()
        assert "holm" not in told.trace(found.trace_id).model_dump_json().casefold()

    def test_one_named_by_the_user_whom_no_memory_speaks_of_stays_known(self, told: MemoryGraph) -> None:
        told.identities().add("Anna", of="person:anna lund", by="me")
        found = told.search("What did Anna say?")
        people = told.trace(found.trace_id).question.people
        assert "person:anna lund" in {entity for person in people for entity in person.entities}

    def test_whoever_asks_is_known_by_address_whatever_the_filter(self, told: MemoryGraph) -> None:
        found = told.search("What did I send?", asked_by="Anna Berg <b@x.org>", where=eq("id", "nothing"))
        assert told.trace(found.trace_id).question.asked_by == "person:b@x.org"
