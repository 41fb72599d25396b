"""A whole question against a graph: organisations as parties, "we", windows, and two names with two roles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from graphsvc.language.labels import LabelTagger
from graphsvc.language.senses import SenseTagger
from graphsvc.models.base import EntityId
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.question import PersonReference, Question
from graphsvc.retrieve.parse.parser import Asked, Parser
from graphsvc.understand.tagger import Seen, Setting, Tagger
from ontology.loader import load_ontology

AT = datetime(2024, 8, 20, 9, tzinfo=UTC)
ONTOLOGY = load_ontology()
PARSER = Parser(Tagger(ONTOLOGY, LabelTagger(ONTOLOGY, None), SenseTagger(ONTOLOGY, None)))
GRAPH = (
    Entity(id=EntityId("organisation:ruibo.example"), type="organisation", name="ruibo", aliases=("ruibo",)),
    Entity(id=EntityId("organisation:瑞波"), type="organisation", name="瑞波", aliases=("瑞波",)),
    Entity(id=EntityId("organisation:fenwick.example"), type="organisation", name="fenwick", aliases=("fenwick",)),
    Entity(
        id=EntityId("person:luo@fenwick.example"), type="person", name="罗姗", aliases=("罗姗", "luo@fenwick.example")
    ),
    Entity(
        id=EntityId("person:petra@ruibo.example"), type="person", name="Petra Holm", aliases=("petra holm", "petra")
    ),
)


def lookup(keys: Sequence[str]) -> list[Entity]:
    return [entity for entity in GRAPH if set(keys) & set(entity.aliases)]


def read(text: str) -> Question:
    return PARSER.parse(Asked(text, AT, "luo@fenwick.example"), Seen(), Setting(AT), lookup=lookup)


def named(question: Question, name: str) -> PersonReference:
    return next(person for person in question.people if person.name == name)


def test_an_organisation_named_in_han_is_the_one_its_people_write_from() -> None:
    found = named(read("写给瑞波的邮件说了什么"), "瑞波")
    assert found.role is EdgeType.SENT_TO
    assert set(found.entities) == {"organisation:瑞波", "organisation:ruibo.example"}
    assert not found.ambiguous


def test_an_organisation_named_in_latin_is_known_by_its_domain() -> None:
    found = named(read("what did Fenwick send to Petra"), "Fenwick")
    assert (found.role, found.entities) == (EdgeType.SENT_BY, ("organisation:fenwick.example",))


@pytest.mark.parametrize("text", ["写给瑞博的邮件", "写给瑞波斯的邮件"])
def test_a_name_that_is_not_the_label_itself_is_no_spelling_of_the_text_name(text: str) -> None:
    assert all("organisation:瑞波" not in person.entities or person.name == "瑞波" for person in read(text).people)


def test_we_are_the_organisation_of_the_one_who_asks() -> None:
    found = named(read("我们跟Petra Holm说过几次"), "we")
    assert (found.role, found.entities) == (EdgeType.SENT_BY, ("organisation:fenwick.example",))


def test_two_people_have_two_roles_in_one_question() -> None:
    question = read("Petra上周发给罗姗的文件")
    assert named(question, "Petra").role is EdgeType.SENT_BY
    assert named(question, "罗姗").role is EdgeType.SENT_TO
    assert question.window is not None


def test_the_time_inside_what_was_sent_is_no_window() -> None:
    assert read("what did Petra write to me about the February report").window is None
    said = read("what did Petra write to me in February").window
    assert said is not None
    assert said.begin == datetime(2024, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("6月改价之前一杯多少", None, datetime(2024, 7, 1, tzinfo=UTC)),
        ("what did a cup cost before June's change", None, datetime(2024, 7, 1, tzinfo=UTC)),
        ("三月底谁值班", datetime(2024, 3, 25, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)),
        ("2021年和2023年的营业额", datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_window_is_what_of_the_past_is_asked(text: str, begin: datetime | None, until: datetime) -> None:
    window = read(text).window
    assert window is not None
    assert (window.begin, window.until) == (begin, until)


def test_a_time_still_to_come_is_no_window() -> None:
    assert read("when do we leave next Friday").window is None


def test_the_parts_of_a_question_give_nobody_a_role_in_the_whole() -> None:
    question = read("Petra发给我几份文件,罗姗发给我几份文件")
    assert len(question.parts) == 2
    assert all(person.role is None for person in question.people)
