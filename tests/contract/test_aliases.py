"""Aliases, merges and namesakes asked of a whole graph: what joins, what stays apart, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphsvc.errors import FieldInvalid, GraphsvcError, MergeRefused, NameAmbiguous, NotFound, TextRefused
from graphsvc.ingest.resolve.table import TableFormat
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus, Leg
from graphsvc.models.identity import MergeRule
from graphsvc.models.question import PersonReference
from graphsvc.store.filters import EVERYTHING
from tests.builders import NOW, memory_node
from tests.graphs import open_graph

LENAS = (
    {"id": "hartmann", "text": "Lena Hartmann prefers Tuesday calls"},
    {"id": "okafor", "text": "Lena Okafor is on leave until May"},
)
MAILS = (
    {"id": "one", "text": "合同已经盖章", "sender": "zw@a.com", "recipients": ["li@c.cn"]},
    {"id": "two", "text": "发票请查收", "sender": "wei.zhang@b.org", "recipients": ["li@c.cn"]},
    {"id": "other", "text": "午饭吃了面条", "sender": "chen@c.cn", "recipients": ["li@c.cn"]},
)


@pytest.fixture
def graph(shared: MemoryGraph) -> Iterator[MemoryGraph]:
    """The shared graph, empty for each test, of what was said of identities too."""
    yield shared
    for namespace in {"default", *shared.stats().namespaces}:
        shared.delete_all(EVERYTHING, namespace=namespace)


def ids(graph: MemoryGraph, question: str) -> set[str]:
    return {candidate.memory.id for candidate in graph.search(question).candidates}


def people(graph: MemoryGraph, question: str) -> tuple[PersonReference, ...]:
    return graph.trace(graph.search(question).trace_id).question.people


def state(graph: MemoryGraph) -> object:
    """Identities, edges and aliases as anybody can see them."""
    book = graph.identities()
    nodes = [memory_node(memory.id) for memory in graph.get_all().memories]
    return book.find(), graph.store.edges("default", nodes), book.aliases()


def test_a_full_name_finds_only_its_bearer(graph: MemoryGraph) -> None:
    """Report A01: expansion drags in another person's memories."""
    graph.add(LENAS)
    question = "When does Lena Hartmann like to talk?"
    assert ids(graph, question) == {"hartmann"}
    assert {one.memory_id for one in graph.answer(question).evidence} <= {"hartmann"}


def test_a_first_name_of_two_is_flagged_with_both(graph: MemoryGraph) -> None:
    """Report A01: two distinct people flagged ambiguous, never one merged node."""
    graph.add(LENAS)
    answer = graph.answer("Lena")
    assert answer.status is AnswerStatus.AMBIGUOUS
    (lena,) = answer.ambiguous
    assert [bearer.name for bearer in lena.bearers] == ["Lena Hartmann", "Lena Okafor"]
    assert graph.search("Lena").ambiguous == answer.ambiguous
    assert graph.search("Lena Hartmann").ambiguous == ()


def test_an_address_is_a_person_whatever_the_name(graph: MemoryGraph) -> None:
    """Report A23: same address makes two people; same display name makes one."""
    graph.add(
        [
            {"id": "a", "text": "Attached.", "sender": '"Mei Zhou" <Mei.Zhou@Example.com>'},
            {"id": "b", "text": "请查收", "sender": "周梅 <mei.zhou@example.com>"},
            {"id": "c", "text": "Thanks.", "sender": '"Mei Zhou" <mzhou@other.example>'},
        ]
    )
    assert ids(graph, "周梅发的邮件") == {"a", "b"}
    (mei,) = graph.search("mails from Mei Zhou").ambiguous
    assert [bearer.entity for bearer in mei.bearers] == ["person:mei.zhou@example.com", "person:mzhou@other.example"]
    (proposal,) = [one for one in graph.identities().candidates() if one.left.type == "person"]
    assert {proposal.left.entity, proposal.right.entity} == {bearer.entity for bearer in mei.bearers}
    graph.identities().merge(proposal.left.entity, proposal.right.entity, by="t", rule=MergeRule.CANDIDATE)
    assert graph.search("mails from Mei Zhou").ambiguous == ()
    assert ids(graph, "周梅发的邮件") == {"a", "b", "c"}
    assert [one for one in graph.identities().candidates() if one.left.type == "person"] == []


def test_a_part_of_a_name_is_nobody(graph: MemoryGraph) -> None:
    """Report A24: LIKE matching links a short name inside a longer one."""
    graph.add([{"id": "short", "text": "王伟的电话是13800000001"}, {"id": "long", "text": "王伟明的电话是13900000002"}])
    (wang,) = people(graph, "王伟的电话")
    assert [bearer.entity for bearer in wang.bearers] == ["person:王伟"]
    assert [bearer.entity for bearer in people(graph, "王伟明的电话")[0].bearers] == ["person:王伟明"]
    assert graph.identities().candidates() == []


@pytest.mark.parametrize("number", ["HT-2026-0031", "HT-2026-0032", "HT-2026-0031-B", "HT2023-0876", "HT2023-0867"])
def test_a_number_finds_only_itself(graph: MemoryGraph, number: str) -> None:
    """Report A22: fuzzy similarity merges consecutive numbers."""
    numbers = ["HT-2026-0031", "HT-2026-0032", "HT-2026-0031-B", "HT2023-0876", "HT2023-0867"]
    graph.add([{"id": one, "text": f"合同{one} 金额{place}0万"} for place, one in enumerate(numbers, 3)])
    assert ids(graph, f"合同{number}的金额是多少？") == {number}
    assert graph.identities().candidates() == []


def test_an_alias_holds_for_what_is_stored_already(graph: MemoryGraph) -> None:
    graph.add(MAILS)
    book = graph.identities()
    book.add("老张", of="zw@a.com", by="t")
    added = book.add("wei.zhang@b.org", of="老张", by="t")
    assert added.entity == "person:zw@a.com"
    for name in ("老张", "zw@a.com", "wei.zhang@b.org"):
        assert ids(graph, f"{name}发的邮件") == {"one", "two"}
    assert {one.memory.id for one in graph.search("我发了什么？我发的邮件", asked_by="zw@a.com").candidates} == {
        "one",
        "two",
    }
    book.remove("wei.zhang@b.org", of="老张", by="t")
    assert ids(graph, "老张发的邮件") == {"one"}


def test_words_find_somebody_under_the_names_users_gave(graph: MemoryGraph) -> None:
    graph.add([*MAILS, {"id": "leave", "text": "老张下周不在"}])
    question = "Where is Zhang Wei?"
    assert (graph.search(question, legs=frozenset({Leg.LEXICAL})).candidates) == ()
    graph.identities().add("老张", of="wei.zhang@b.org", by="t")
    assert "leave" in {c.memory.id for c in graph.search(question, legs=frozenset({Leg.LEXICAL})).candidates}


def test_an_alias_holds_for_what_comes_later(graph: MemoryGraph) -> None:
    book = graph.identities()
    book.add("老张", of="zw@a.com", by="t")
    graph.add(MAILS)
    assert ids(graph, "老张发的邮件") == {"one"}
    (found,) = book.find("老张")[0]
    assert (found.entity, found.name) == ("person:zw@a.com", "老张")


def test_an_alias_of_two_stays_ambiguous(graph: MemoryGraph) -> None:
    graph.add([*MAILS, {"id": "rest", "text": "老张下周休假", "sender": "老张"}])
    book = graph.identities()
    book.add("老张", of="zw@a.com", by="t")
    book.add("老张", of="wei.zhang@b.org", by="t")
    (zhang,) = graph.search("老张发的邮件").ambiguous
    assert {bearer.entity for bearer in zhang.bearers} == {"person:zw@a.com", "person:wei.zhang@b.org"}
    assert ids(graph, "zw@a.com发的邮件") == {"one"}
    with pytest.raises(NameAmbiguous, match=r"wei\.zhang"):
        book.add("张总", of="老张", by="t")


def test_aliases_join_organisations_too(graph: MemoryGraph) -> None:
    graph.add([{"id": "a", "text": "报价已发", "sender": "li@hithink.example"}, *MAILS])
    book = graph.identities()
    book.add("海天公司", of="organisation:hithink.example", by="t")
    assert ids(graph, "海天公司发的邮件") == {"a"}


def test_aliases_join_products_too(graph: MemoryGraph) -> None:
    graph.add([{"id": "a", "text": "Windows 11 crashed twice"}, {"id": "b", "text": "午饭吃了面条"}])
    book = graph.identities()
    (product,) = [one for one in book.find()[0] if one.type == "product"]
    book.add("视窗", of=product.entity, by="t")
    (asked,) = people(graph, "视窗什么时候崩溃的")
    assert (asked.entities, asked.role) == ((product.entity,), None)
    found = graph.search("视窗崩溃了吗", legs=frozenset({Leg.LEXICAL})).candidates
    assert [one.memory.id for one in found] == ["a"]


def test_a_merge_is_a_record_and_its_undoing_too(graph: MemoryGraph) -> None:
    graph.add(MAILS)
    before = state(graph)
    book = graph.identities()
    merge = book.merge("zw@a.com", "wei.zhang@b.org", by="ann", reason="both sign as 张伟")
    assert (merge.rule, merge.made_by, merge.made_at, merge.reason) == (MergeRule.USER, "ann", NOW, "both sign as 张伟")
    assert merge.before == (("person:zw@a.com",), ("person:wei.zhang@b.org",))
    assert merge.after == ("person:wei.zhang@b.org", "person:zw@a.com")
    assert ids(graph, "zw@a.com发的邮件") == {"one", "two"}
    undone = book.undo(merge.id, by="bo")
    assert (undone.undone_by, undone.undone_at) == ("bo", NOW)
    assert state(graph) == before
    assert book.merges() == [undone]
    with pytest.raises(MergeRefused, match="undone already"):
        book.undo(merge.id, by="bo")


PEOPLE = [f"p{n}@x.example" for n in range(5)]
PAIRS = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)), max_size=6)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(pairs=PAIRS, seed=st.integers(0, 999))
def test_merging_and_undoing_in_any_order_changes_nothing(
    graph: MemoryGraph, pairs: list[tuple[str, str]], seed: int
) -> None:
    graph.add([{"id": one, "text": f"mail of {one}", "sender": one} for one in PEOPLE])
    book = graph.identities()
    before, made = state(graph), []
    for kept, joined in pairs:
        try:
            made.append(book.merge(kept, joined, by="t"))
        except MergeRefused:
            continue
    assert len(book.find()[0]) == 1 + len(PEOPLE) - len(made)  # the domain is an organisation of its own
    Random(seed).shuffle(made)
    for merge in made:
        book.undo(merge.id, by="t")
    assert state(graph) == before


def test_what_is_one_already_cannot_be_merged_again(graph: MemoryGraph) -> None:
    graph.add(MAILS)
    book = graph.identities()
    book.merge("zw@a.com", "wei.zhang@b.org", by="t")
    book.merge("wei.zhang@b.org", "chen@c.cn", by="t")
    for kept, joined in (("chen@c.cn", "zw@a.com"), ("zw@a.com", "zw@a.com"), ("zw@a.com", "organisation:a.com")):
        with pytest.raises(MergeRefused):
            book.merge(kept, joined, by="t")
    assert len(book.merges()) == 2


def test_two_merges_at_once_are_both_kept_and_close_no_circle(tmp_path: Path) -> None:
    people_ = [f"p{n}@x.example" for n in range(8)]
    pairs = [(one, other) for one in people_ for other in people_ if one != other]
    with open_graph(tmp_path) as first, open_graph(tmp_path) as second:
        first.add([{"text": f"mail of {one}", "sender": one} for one in people_])

        def merge(place: int) -> bool:
            try:
                (first, second)[place % 2].identities().merge(*pairs[place], by=f"writer {place}")
            except MergeRefused:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            made = sum(pool.map(merge, range(len(pairs))))
        assert made == len(people_) - 1 == len(second.identities().merges())
        (one,) = [x for x in first.identities().find()[0] if x.type == "person"]
        assert len(one.members) == len(people_)


@pytest.mark.parametrize(
    ("alias", "of", "error"),
    [
        ("", "zw@a.com", TextRefused),
        (" \u3000", "zw@a.com", TextRefused),
        ("张" * 1_000_000, "zw@a.com", TextRefused),
        ("a\x00b", "zw@a.com", TextRefused),
        ("\ud83d", "zw@a.com", TextRefused),
        ("老张", "", TextRefused),
        ("zw@a.com", "zw@a.com", MergeRefused),
    ],
)
def test_a_hostile_alias_is_refused_by_name(
    graph: MemoryGraph, alias: str, of: str, error: type[GraphsvcError]
) -> None:
    graph.add(MAILS)
    with pytest.raises(error):
        graph.identities().add(alias, of=of, by="t")
    assert graph.identities().aliases() == []


@pytest.mark.parametrize("merge_id", ["", "m0", "m1", "m99999999999999999999", "x'; --", "m-1", "\ud83d"])
def test_an_unknown_merge_is_not_found(graph: MemoryGraph, merge_id: str) -> None:
    with pytest.raises(NotFound):
        graph.identities().undo(merge_id, by="t")


def test_nobody_is_merged_with_somebody_unknown(graph: MemoryGraph) -> None:
    graph.add(MAILS)
    for who in ("nobody@x.example", "person:nobody", "无此人"):
        with pytest.raises(NotFound):
            graph.identities().merge("zw@a.com", who, by="t")


@pytest.mark.parametrize("format_", TableFormat)
def test_a_table_goes_out_and_comes_in_and_twice_is_once(graph: MemoryGraph, format_: TableFormat) -> None:
    book = graph.identities()
    book.add("老张", of="zw@a.com", by="t")
    book.add("wei.zhang@b.org", of="zw@a.com", by="t")
    text = book.dump(format_)
    graph.identities(namespace="copy").load(text, format_, by="t")
    graph.identities(namespace="copy").load(text, format_, by="t")
    assert graph.identities(namespace="copy").dump(format_) == text
    assert len(graph.identities(namespace="copy").merges()) == 1
    graph.delete_all(EVERYTHING, namespace="copy")
    assert graph.identities(namespace="copy").aliases() == []


@pytest.mark.parametrize(
    ("text", "format_", "where"),
    [
        ("alias = ", TableFormat.TOML, "table"),
        ("[[alias]]\nalias = 3\nof = 'x'", TableFormat.TOML, "row 1"),
        ("[[alias]]\nalias = 'x'", TableFormat.TOML, "row 1"),
        ("[other]\nx = 1", TableFormat.TOML, "other"),
        ("name,of\nx,y", TableFormat.CSV, "line 1"),
        ("alias,of\nx,y\nz", TableFormat.CSV, "row 3"),
        ("alias,of\nx,y,z", TableFormat.CSV, "row 2"),
    ],
)
def test_a_broken_table_names_its_place_and_adds_nothing(
    graph: MemoryGraph, text: str, format_: TableFormat, where: str
) -> None:
    with pytest.raises(FieldInvalid) as refused:
        graph.identities().load(text, format_, by="t")
    assert refused.value.where == where
    assert graph.identities().aliases() == []


def test_a_table_with_one_bad_row_adds_none(graph: MemoryGraph) -> None:
    table = "alias,of\n老张,zw@a.com\n ,zw@a.com\n"
    with pytest.raises(TextRefused) as refused:
        graph.identities().load(table, TableFormat.CSV, by="t")
    assert refused.value.where.startswith("row 2")
    assert graph.identities().aliases() == []


def test_what_is_said_in_one_namespace_is_unknown_in_another(graph: MemoryGraph) -> None:
    for namespace in ("t1", "t2"):
        graph.add(MAILS, namespace=namespace)
    graph.identities(namespace="t1").add("wei.zhang@b.org", of="zw@a.com", by="t")
    other = graph.identities(namespace="t2")
    assert (other.aliases(), other.merges()) == ([], [])
    assert len(graph.search("zw@a.com发的邮件", namespace="t1").candidates) == 2
    assert len(graph.search("zw@a.com发的邮件", namespace="t2").candidates) == 1
    with pytest.raises(NotFound):
        other.undo("m1", by="t")
