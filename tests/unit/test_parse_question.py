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
from graphsvc.retrieve.parse.ordinals import another
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

GIVEN = (
    Entity(id=EntityId("person:qi@x.example"), type="person", name="戚承砚", aliases=("戚承砚", "qi@x.example")),
    Entity(id=EntityId("person:wu@x.example"), type="person", name="巫若蘅", aliases=("巫若蘅",)),
    Entity(id=EntityId("person:gu@x.example"), type="person", name="古若蘅", aliases=("古若蘅",)),
    Entity(id=EntityId("person:承砚"), type="person", name="承砚", aliases=("承砚",)),
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


def read_given(text: str, *, bare: bool = False) -> Question:
    known = GIVEN if bare else GIVEN[:3]

    def find(keys: Sequence[str]) -> list[Entity]:
        return [entity for entity in known if set(keys) & set(entity.aliases)]

    return PARSER.parse(Asked(text, AT, None), Seen(), Setting(AT), lookup=find)


def test_a_given_name_of_two_characters_is_the_one_known_bearers() -> None:
    (found,) = read_given("承砚的报销批了没").people
    assert (found.name, found.entities, found.ambiguous) == ("承砚", ("person:qi@x.example",), False)
    (also,) = read_given("承砚的报销批了没", bare=True).people
    assert (also.entities, also.ambiguous) == (("person:qi@x.example", "person:承砚"), False)


def test_a_given_name_of_two_bearers_stays_open_and_a_word_is_no_name() -> None:
    (found,) = read_given("若蘅哪天回来").people
    assert {bearer.name for bearer in found.bearers} == {"巫若蘅", "古若蘅"}
    assert read_given("承诺什么时候兑现").people == ()


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("11月销量多少", 2023),
        ("十二月一共退了多少件", 2023),
        ("3月销量多少", 2024),
        ("11月的门票多少钱", None),
        ("11月要交多少", None),
    ],
)
def test_a_count_of_a_month_ahead_is_that_of_the_last_one(text: str, year: int | None) -> None:
    found = read_given(text).window
    assert (found and found.begin and found.begin.year) == year


@pytest.mark.parametrize(
    ("question", "memory", "differs"),
    [
        ("第二批到了几箱", "第一批到了40箱", True), ("第二批到了几箱", "第二批到了40箱", False),
        ("how many on the third night", "the first night 20 came", True),
        ("how many came", "the first night 20", False),
        ("how much in the second round", "第一轮三万", True), ("第二天几单", "第3周几单", False),
    ],
)  # fmt: skip
def test_another_one_of_what_is_counted_is_told_apart(question: str, memory: str, differs: bool) -> None:
    assert another(question, memory) is differs
