"""Who is meant by parties and mentions: namesakes, names met before and after their address, proposals."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest

from graphsvc.ingest.resolve import Resolved, Resolver
from graphsvc.ingest.resolve.candidates import propose
from graphsvc.ingest.resolve.table import TableFormat, read_table, write_table
from graphsvc.language.entities import find_mentions
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import EntityId
from graphsvc.models.identity import Alias, Identity, Likeness
from graphsvc.models.memory import MemoryInput
from graphsvc.store.directory import Directory, distinct
from tests.builders import NOW

HARTMANN = "person:lena@acme.example"
OKAFOR = "person:lena@beta.example"
LENAS = (
    {"text": "Signed.", "sender": "Lena Hartmann <lena@acme.example>"},
    {"text": "Signed too.", "sender": "Lena Okafor <lena@beta.example>"},
)


def resolve(resolver: Resolver, text: str, **fields: object) -> Resolved:
    return resolver.resolve(MemoryInput.model_validate({"text": text, **fields}), find_mentions(text))


def people(resolved: Resolved) -> dict[str, float]:
    return {entity.id: weight for entity, weight in resolved.mentioned if entity.type == "person"}


def resolver_of(graph: MemoryGraph, *memories: Mapping[str, object]) -> Resolver:
    resolver = Resolver(graph.store, "default")
    for memory in memories:
        resolve(resolver, **memory)
    return resolver


def test_a_name_of_two_is_tied_to_each_with_divided_weight(graph: MemoryGraph) -> None:
    """Report A01: a shared first name becomes one tag."""
    resolver = resolver_of(graph, *LENAS)
    assert people(resolve(resolver, "Lena called about the roof.")) == {HARTMANN: 0.5, OKAFOR: 0.5}


@pytest.mark.parametrize(
    ("fields", "meant"),
    [
        ({"recipients": ["lena@beta.example"], "sender": "bo@qq.com"}, OKAFOR),
        ({"sender": "bo@acme.example"}, HARTMANN),
        ({"sender": "lena@beta.example", "recipients": ["lena@acme.example"]}, HARTMANN),
        ({"conversation_id": "roof", "sender": "bo@qq.com"}, OKAFOR),
    ],
)
def test_a_circle_tells_namesakes_apart(graph: MemoryGraph, fields: Mapping[str, object], meant: str) -> None:
    """Recipients, an employer's domain and a conversation's participants each point at one."""
    resolver = resolver_of(graph, *LENAS, {"text": "Hi.", "sender": "lena@beta.example", "conversation_id": "roof"})
    assert people(resolve(resolver, "Lena called about the roof.", **fields)) == {meant: 1.0}


def test_a_name_of_a_crowd_is_tied_to_nobody(graph: MemoryGraph) -> None:
    crowd = [{"text": "Hi.", "sender": f"Lena <lena@d{n}.example>"} for n in range(17)]
    resolver = resolver_of(graph, *crowd)
    assert people(resolve(resolver, "Lena called about the roof.")) == {"person:lena": 1.0}


def test_a_fuller_name_in_the_same_text_says_who_is_meant(graph: MemoryGraph) -> None:
    resolver = resolver_of(graph, *LENAS)
    text = "Lena Hartmann came by. Lena wants the lift repaired."
    assert people(resolve(resolver, text)) == {HARTMANN: 1.0}


def test_company_seen_before_tells_namesakes_apart(graph: MemoryGraph) -> None:
    """People named together before, in the store and not only in the batch."""
    graph.add([*LENAS, {"text": "Lena Okafor and Tom Becker inspected the pump."}])
    resolver = Resolver(graph.store, "default")
    assert people(resolve(resolver, "Tom Becker waited for Lena.")).get(OKAFOR) == 1.0


def test_an_organisation_in_the_text_opens_two_people_of_one_name(graph: MemoryGraph) -> None:
    resolver = resolver_of(graph)
    assert people(resolve(resolver, "仁和医院的张伟来电")) == {"person:张伟(仁和医院)": 1.0}
    assert people(resolve(resolver, "海天公司张伟发来发票")) == {"person:张伟(海天公司)": 1.0}
    assert people(resolve(resolver, "仁和医院的张伟又来电")) == {"person:张伟(仁和医院)": 1.0}
    assert people(resolve(resolver, "张伟来电")) == {"person:张伟(仁和医院)": 0.5, "person:张伟(海天公司)": 0.5}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_name_met_before_its_address_means_the_same(graph: MemoryGraph, order: tuple[int, ...]) -> None:
    items = [
        {"id": "a", "text": "请查收", "sender": "周梅 <mei@example.com>"},
        {"id": "b", "text": "周梅下周休假"},
        {"id": "c", "text": "好的", "sender": "周梅"},
    ]
    for place in order:
        graph.add([items[place]])
    (members,) = distinct(Directory(graph.store, "default").bearers(["周梅"])).values()
    assert "person:mei@example.com" in {one.id for one in members}
    assert {one.memory.id for one in graph.search("周梅发的邮件").candidates} == {"a", "c"}


def test_a_romanised_name_is_proposed_and_not_merged(graph: MemoryGraph) -> None:
    """章薇 and 张伟 both read zhang wei: the sound may never decide."""
    resolver = resolver_of(graph, {"text": "Sent.", "sender": "zhang.wei@example.com"})
    ties = people(resolve(resolver, "章薇来电"))
    assert ties == {"person:章薇": 1.0, "person:zhang.wei@example.com": 0.5}
    sender = resolve(resolver, "好", sender="张伟").parties[0]
    assert sender.entity == "person:张伟"


def test_a_title_with_one_surname_in_the_conversation_is_a_proposal(graph: MemoryGraph) -> None:
    first = {"text": "好的", "sender": "王伟 <ww@example.com>", "conversation_id": "c1"}
    resolver = resolver_of(graph, first)
    assert people(resolve(resolver, "王总说可以", conversation_id="c1", sender="li@example.com")) == {
        "person:王总": 1.0,
        "person:ww@example.com": 0.5,
    }
    resolve(resolver, "好", sender="王芳 <wf@example.com>", conversation_id="c1")
    assert people(resolve(resolver, "王总说可以", conversation_id="c1", sender="li@example.com")) == {
        "person:王总": 1.0
    }


@pytest.mark.parametrize(
    ("one", "other"), [("王伟", "王伟明"), ("Ann Lee", "Anna Lee"), ("HT2023-0876", "HT2023-0867"), ("Go", "MongoDB")]
)
def test_a_part_of_a_name_and_a_neighbouring_code_are_never_tied(graph: MemoryGraph, one: str, other: str) -> None:
    """Reports A22, A24: substrings and consecutive numbers make no alias."""
    graph.add([f"{one} 已到", f"{other} 已到"])
    resolver = Resolver(graph.store, "default")
    tied = {entity.id.partition(":")[2] for entity, _ in resolve(resolver, f"{other} 又来了").mentioned}
    assert one.casefold() not in tied
    entities = [e for e in graph.store.entities("default", aliases=[one.casefold()]) if e.type != "place"]
    assert all(other.casefold() not in entity.aliases for entity in entities)


def test_a_name_takes_the_place_of_an_address(graph: MemoryGraph) -> None:
    graph.add([{"text": "请查收", "sender": "mei@example.com"}, {"text": "谢谢", "sender": "周梅 <mei@example.com>"}])
    graph.add([{"text": "再见", "sender": "mei@example.com"}])
    (person,) = graph.store.entities("default", ids=["person:mei@example.com"])
    assert person.name == "周梅"


def identity(entity: str, *aliases: str, kind: str = "person") -> Identity:
    one = EntityId(entity)
    return Identity(entity=one, type=kind, name=entity, members=(one,), aliases=aliases)


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("张伟", "wei zhang", Likeness.ROMANISED),
        ("mei zhou", "zhou mei", Likeness.REORDERED),
        ("王总", "王伟", Likeness.TITLED),
        ("欧阳老师", "欧阳娜", Likeness.TITLED),
        ("bob miller", "robert miller", Likeness.NICKNAME),
        ("jon smyth", "john smith", Likeness.SPELLING),
        ("mei zhou", "mei zhou", Likeness.SAME),
    ],
)
def test_names_alike_are_proposed_with_their_reason(one: str, other: str, likeness: Likeness) -> None:
    (found,) = propose([identity("person:a", one), identity("person:b", other), identity("person:c", "tom becker")])
    assert (found.left.entity, found.right.entity, found.likeness) == ("person:a", "person:b", likeness)
    assert 0 < found.score < 1
    assert found.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("王伟", "王伟明"), ("ann", "anna"), ("ht2023-0876", "ht2023-0867"), ("go", "mongodb"), ("张伟", "章薇"),
        ("lena hartmann", "lena okafor"), ("a@example.com", "a@other.example"), ("李总", "王伟"),
    ],
)  # fmt: skip
def test_strangers_are_not_proposed(one: str, other: str) -> None:
    """Reports A01, A22, A23, A24."""
    assert propose([identity("person:a", one), identity("person:b", other)]) == []


def test_a_person_and_a_product_of_one_name_are_not_proposed() -> None:
    assert propose([identity("person:a", "mei zhou"), identity("product:b", "mei zhou", kind="product")]) == []


@pytest.mark.parametrize("format_", TableFormat)
def test_an_exported_table_reads_back(format_: TableFormat) -> None:
    names = ["老张", 'a "quoted", name', "C:\\x", "del\x7fete", "tab\there", "Ünïcode"]
    rows = [
        Alias(alias=name, key=name, entity=EntityId("person:zw@a.com"), added_by="t", added_at=NOW) for name in names
    ]
    assert read_table(write_table(rows, format_), format_) == [(name, "person:zw@a.com") for name in names]
