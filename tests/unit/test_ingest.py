"""The write path: what is refused and how it is told, what readers and splitters keep, how people are resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path

import pytest

from graphsvc.encoding.base import Passages
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import EncoderUnavailable, FieldInvalid, TextRefused
from graphsvc.ingest.readers.jsonl import parse_lines, read_jsonl
from graphsvc.ingest.resolve import Resolved, Resolver
from graphsvc.ingest.splitters.plain import fragments
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import ItemStatus, MemoryInput
from tests.builders import NOW, memory_node
from tests.graphs import open_graph

LIMIT = 200
GOOD = [{"id": "first", "text": "发票已开"}, {"id": "last", "text": "the lift is repaired"}]


class Choosy(HashingEncoder):
    """Fails on any batch that holds one of the texts it cannot bear."""

    def __init__(self, *unbearable: str) -> None:
        super().__init__()
        self.unbearable = unbearable

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        if set(self.unbearable) & set(texts):
            raise EncoderUnavailable("this text is too much", remedy="try again")
        return super().encode_passages(texts)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    """The shared graph with a limit that a test can exceed."""
    with open_graph(tmp_path_factory.mktemp("graph"), max_text_chars=LIMIT) as graph:
        yield graph


def stored(graph: MemoryGraph) -> set[str]:
    return {memory.text for memory in graph.get_all().memories}


@pytest.mark.parametrize(
    ("item", "code", "where", "what"),
    [
        ("", "text-refused", "item 2", "empty"),
        (" \n\u3000", "text-refused", "item 2", "empty"),
        ({"text": "字" * (LIMIT + 1)}, "text-refused", "item 2", "characters"),
        ("付款\x00已确认", "text-refused", "item 2", "NUL"),
        ("half \ud83d", "text-refused", "item 2", "surrogate"),
        ({"text": 42}, "field-invalid", "item 2, text", "string"),
        ({"text": None}, "field-invalid", "item 2, text", "string"),
        ({"sender": "Mei"}, "field-invalid", "item 2, text", "required"),
        ({"text": "x", "recipients": "Mei"}, "field-invalid", "item 2, recipients", "tuple"),
        ({"text": "x", "sender": ["Mei"]}, "field-invalid", "item 2, sender", "string"),
        ({"text": "x", "metadata": {"a": [1]}}, "field-invalid", "item 2, metadata.a", ""),
        ({"text": "x", "metadata": {"a": float("nan")}}, "field-invalid", "item 2, metadata.a", ""),
        ({"text": "x", "colour": "red"}, "field-invalid", "item 2, colour", "unknown field"),
        ({"text": "x", "event_time": "soon"}, "field-invalid", "item 2, event_time", "not an ISO 8601 time"),
        ({"text": "x", "event_time": 1772700000}, "field-invalid", "item 2, event_time", "is not a time"),
        ({"text": "x", "event_time": "2026-03-05T10:00:00"}, "field-invalid", "item 2, event_time", "UTC offset"),
        ({"text": "x", "event_time": datetime(2026, 3, 5)}, "field-invalid", "item 2, event_time", "UTC offset"),
        ({"text": "x", "valid_from": NOW, "valid_to": NOW}, "field-invalid", "item 2, valid_to", "before it begins"),
        ({"text": "x", "id": ""}, "field-invalid", "item 2, id", "at least 1"),
        (7, "field-invalid", "item 2", "int"),
        (None, "field-invalid", "item 2", "NoneType"),
        (["text"], "field-invalid", "item 2", "list"),
    ],
)
def test_a_bad_item_is_named_with_its_field_and_the_rest_is_kept(
    graph: MemoryGraph, item: object, code: str, where: str, what: str
) -> None:
    results = graph.add([GOOD[0], item, GOOD[1]])  # type: ignore[list-item]  # that is the point
    assert [(one.index, one.status) for one in results] == [
        (0, ItemStatus.CREATED),
        (1, ItemStatus.FAILED),
        (2, ItemStatus.CREATED),
    ]
    problem = results[1].error
    assert problem is not None
    assert (problem.code, problem.where.startswith(where)) == (code, True)
    assert what in problem.what
    assert stored(graph) == {one["text"] for one in GOOD}


def test_a_text_of_exactly_the_limit_is_stored(graph: MemoryGraph) -> None:
    (result,) = graph.add(["字" * LIMIT])
    assert result.status is ItemStatus.CREATED


def test_one_id_with_two_contents_fails_the_second(graph: MemoryGraph) -> None:
    results = graph.add([{"id": "m1", "text": "六点关门"}, {"id": "m1", "text": "七点关门"}, GOOD[0]])
    assert [one.status for one in results] == [ItemStatus.CREATED, ItemStatus.FAILED, ItemStatus.CREATED]
    assert results[1].error is not None
    assert results[1].error.code == "duplicate-id"
    assert graph.get("m1").text == "六点关门"


@pytest.mark.parametrize(
    "item",
    [
        {"id": "m1", "text": "六点关门", "sender": "Mei", "event_time": NOW},
        {"id": "m1", "text": "六点关门"},
        {"text": "六点关门", "sender": "Mei"},
        "六点关门",
        MemoryInput(text="六点关门"),
    ],
    ids=["id and time", "id alone", "no id", "text alone", "record"],
)
def test_the_same_item_again_is_unchanged(graph: MemoryGraph, item: MemoryInput | dict[str, object] | str) -> None:
    (first,) = graph.add([item])
    again, twice = graph.add([item, item])
    assert first.status is ItemStatus.CREATED
    assert again.status is twice.status is ItemStatus.UNCHANGED
    assert first.id == again.id == twice.id
    assert len(graph.get_all().memories) == 1


@pytest.mark.parametrize("item", [{"id": "m1", "text": "六点关门"}, "六点关门"], ids=["id", "no id"])
def test_the_same_item_twice_in_one_batch_is_stored_once(graph: MemoryGraph, item: dict[str, object] | str) -> None:
    first, second = graph.add([item, item])
    assert (first.status, second.status) == (ItemStatus.CREATED, ItemStatus.UNCHANGED)
    assert first.id == second.id
    assert len(graph.get_all().memories) == 1


def test_one_text_of_two_senders_is_two_memories(graph: MemoryGraph) -> None:
    first, second = graph.add([{"text": "同意", "sender": "Mei"}, {"text": "同意", "sender": "Lena"}])
    assert first.status is second.status is ItemStatus.CREATED
    assert first.id != second.id


def test_only_what_cannot_be_encoded_fails_and_may_be_tried_again(tmp_path: Path) -> None:
    """Report A31: success is returned while items were dropped."""
    encoder = Choosy("text 4")
    texts = [f"text {n}" for n in range(1, 7)]
    with open_graph(tmp_path, encoder) as graph:
        results = graph.add(texts)
        assert [one.status is ItemStatus.FAILED for one in results] == [False, False, False, True, False, False]
        problem = results[3].error
        assert problem is not None
        assert (problem.code, problem.where, problem.what) == ("encoder-unavailable", "item 4", "this text is too much")
        encoder.unbearable = ()
        again = graph.add(texts)
        assert [one.status for one in again].count(ItemStatus.UNCHANGED) == 5
        assert again[3].status is ItemStatus.CREATED
        assert stored(graph) == set(texts)


def test_places_are_counted_over_all_batches_and_progress_is_told(graph: MemoryGraph) -> None:
    told: list[int] = []
    results = graph.add([*(f"note {n}" for n in range(70)), "", "the end"], on_progress=told.append)
    assert [one.index for one in results] == list(range(72))
    assert sum(told) == 72
    assert results[70].error is not None
    assert results[70].error.where == "item 71, character 0"


CHAT: list[dict[str, object]] = [
    {"role": "user", "content": "仓库几点关门", "name": "Mei"},
    {"role": "assistant", "content": "六点"},
    {"role": "user", "content": "谢谢", "name": "Mei"},
]


def test_a_chat_keeps_its_order_and_is_known_by_its_places(graph: MemoryGraph) -> None:
    results = graph.add_chat(CHAT, conversation_id="c1")
    kept = [graph.get(str(one.id)) for one in results]
    assert [one.id for one in kept] == ["c1#0", "c1#1", "c1#2"]
    assert [one.text for one in kept] == ["仓库几点关门", "六点", "谢谢"]
    assert [one.sender for one in kept] == ["Mei", "assistant", "Mei"]
    assert {one.conversation_id for one in kept} == {"c1"}
    assert kept[0].event_time == NOW
    assert all(earlier.event_time < later.event_time for earlier, later in pairwise(kept))


def test_a_chat_added_twice_changes_nothing(graph: MemoryGraph) -> None:
    timed = [{**CHAT[0], "time": "2026-03-05T10:00:00+08:00"}, {**CHAT[1], "id": "reply"}, CHAT[2]]
    graph.add_chat(timed, conversation_id="c1")
    again = graph.add_chat(timed, conversation_id="c1")
    assert [one.status for one in again] == [ItemStatus.UNCHANGED] * 3
    assert len(graph.get_all().memories) == 3
    assert graph.get("reply").event_time == datetime(2026, 3, 5, 2, 0, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ({"role": "user", "content": ""}, "item 2, character 0"),
        ({"role": "user", "content": "a\x00b"}, "item 2, character 1"),
        ({"role": "user"}, "item 2, content"),
        ({"content": "no role"}, "item 2, role"),
        ({"role": "user", "content": "x", "time": "noon"}, "item 2, time"),
        ({"role": "user", "content": "x", "tool": "y"}, "item 2, tool"),
        ("a bare text", "item 2"),
    ],
)
def test_a_bad_message_fails_alone_in_its_place(graph: MemoryGraph, message: object, where: str) -> None:
    results = graph.add_chat([CHAT[0], message, CHAT[2]], conversation_id="c1")  # type: ignore[list-item]  # on purpose
    assert [one.status for one in results] == [ItemStatus.CREATED, ItemStatus.FAILED, ItemStatus.CREATED]
    assert [results[0].id, results[2].id] == ["c1#0", "c1#2"]
    assert results[1].error is not None
    assert results[1].error.where == where


TEXT = "  First paragraph,\non two lines.\n\n\n第二段。还有一句。\r\n \t\r\nThird.\n"


def test_fragments_cover_every_paragraph_with_its_exact_span(graph: MemoryGraph) -> None:
    results = graph.add_text(TEXT, file="notes.txt")
    kept = [graph.get(str(one.id)) for one in results]
    assert [one.text for one in kept] == ["First paragraph,\non two lines.", "第二段。还有一句。", "Third."]
    for one in kept:
        assert one.source is not None
        assert one.source.file == "notes.txt"
        assert TEXT[one.source.start : one.source.end] == one.text
    part_of = graph.store.edges("default", [memory_node(kept[0].id)], types=[EdgeType.PART_OF], per_node=5)
    assert [edge.target.id for edge in part_of[memory_node(kept[0].id)]] == ["document:notes.txt"]


@pytest.mark.parametrize("sentence", ["这批货下周二到港，请提前安排车辆。", "The crane is booked for Tuesday. "])
def test_a_long_paragraph_is_cut_between_sentences(sentence: str) -> None:
    text = (sentence * 20).strip()
    spans = list(fragments(text, limit=100))
    parts = [text[start:end] for start, end in spans]
    assert len(parts) > 1
    assert all(len(part) <= 100 for part in parts)
    assert all(part.endswith(sentence.strip()) and part.startswith(sentence[:4]) for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_a_sentence_longer_than_the_limit_stays_whole() -> None:
    text = "短句。" + "很" * 120 + "长。" + "又一短句。"
    assert [text[start:end] for start, end in fragments(text, limit=50)] == [
        "短句。",
        "很" * 120 + "长。",
        "又一短句。",
    ]


@pytest.mark.parametrize("text", ["", " \n", "a\x00b"])
def test_a_text_that_cannot_be_read_is_refused_as_a_whole(graph: MemoryGraph, text: str) -> None:
    with pytest.raises(TextRefused):
        graph.add_text(text)


def test_a_broken_line_costs_only_itself(tmp_path: Path) -> None:
    lines = [
        b'\xef\xbb\xbf{"text": "\xe4\xb8\x80"}',
        b'{"text": "two"',
        b'{"text": "\xff"}',
        b"",
        b'{"score": NaN}',
        b"[1, 2]",
        b'"text"',
        b"[" * 100_000,
        b'{"text": "last"}',
    ]
    path = tmp_path / "items.jsonl"
    path.write_bytes(b"\r\n".join(lines))
    read = list(read_jsonl(path))
    assert [line.data for line in read if line.error is None] == [{"text": "一"}, {"text": "last"}]
    assert [line.error.where for line in read if line.error] == [f"line {n}" for n in (2, 3, 5, 6, 7, 8)]
    told = {line.number: line.error.what for line in read if line.error}
    assert told[2].startswith("not JSON")
    assert told[3] == "not UTF-8 at byte 10"
    assert "NaN" in told[5]
    assert (told[6], told[7]) == (
        "an object was expected, not list",
        "an object was expected, not str",
    )


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FieldInvalid) as caught:
        list(read_jsonl(tmp_path / "nowhere.jsonl"))
    assert caught.value.where == str(tmp_path / "nowhere.jsonl")


def test_a_mark_inside_the_file_is_not_skipped() -> None:
    first, second = parse_lines([b"{}\n", b"\xef\xbb\xbf{}\n"])
    assert first.data == {}
    assert second.error is not None


def resolver(graph: MemoryGraph) -> Resolver:
    return Resolver(graph.store, "default")


def senders(resolved: Resolved) -> list[str]:
    return [party.entity for party in resolved.parties if party.entity.startswith("person:")]


def test_one_address_under_two_names_is_one_person(graph: MemoryGraph) -> None:
    """Report A23: the same address makes two people."""
    one = resolver(graph)
    first = one.resolve(MemoryInput(text="a", sender='"Mei Zhou" <Mei.Zhou@Example.com>'), ())
    second = one.resolve(MemoryInput(text="b", sender="周梅 <mei.zhou@example.com>"), ())
    assert senders(first) == senders(second) == ["person:mei.zhou@example.com"]
    (person,) = [entity for entity in second.entities if entity.type == "person"]
    assert {"mei zhou", "周梅", "mei.zhou@example.com"} <= set(person.aliases)


def test_one_name_with_two_addresses_is_two_people(graph: MemoryGraph) -> None:
    """Report A23: the same display name makes one person."""
    one = resolver(graph)
    first = one.resolve(MemoryInput(text="a", sender="Mei Zhou <mei.zhou@example.com>"), ())
    second = one.resolve(MemoryInput(text="b", sender="Mei Zhou <mzhou@other.example>"), ())
    assert senders(first) + senders(second) == ["person:mei.zhou@example.com", "person:mzhou@other.example"]


def test_a_name_means_its_only_bearer_and_no_one_of_several(graph: MemoryGraph) -> None:
    one = resolver(graph)
    one.resolve(MemoryInput(text="a", sender="Mei Zhou <mei.zhou@example.com>"), ())
    assert senders(one.resolve(MemoryInput(text="b", sender="Mei Zhou"), ())) == ["person:mei.zhou@example.com"]
    one.resolve(MemoryInput(text="c", sender="Mei Zhou <mzhou@other.example>"), ())
    assert senders(one.resolve(MemoryInput(text="d", sender="Mei Zhou"), ())) == ["person:mei zhou"]


def edges_of(graph: MemoryGraph, memory_id: str) -> set[tuple[str, EdgeType, str]]:
    node = memory_node(memory_id)
    found = graph.store.edges("default", [node], types=list(EdgeType), per_node=50)
    return {(edge.source.id, edge.type, edge.target.id) for edge in found.get(node, ())}


def test_every_role_is_an_edge(graph: MemoryGraph) -> None:
    graph.add(
        [
            {
                "id": "m1",
                "text": "合同请查收",
                "sender": "an@example.com",
                "recipients": ["bo@qq.com", "ci@qq.com"],
                "cc": ["di@qq.com"],
                "responsible_party": "Eva Lind",
                "affected_party": "Finn Berg",
            }
        ]
    )
    people = {edge for edge in edges_of(graph, "m1") if edge[2].startswith("person:")}
    assert people == {
        ("m1", EdgeType.SENT_BY, "person:an@example.com"),
        ("m1", EdgeType.SENT_TO, "person:bo@qq.com"),
        ("m1", EdgeType.SENT_TO, "person:ci@qq.com"),
        ("m1", EdgeType.CC_TO, "person:di@qq.com"),
        ("m1", EdgeType.RESPONSIBLE_FOR, "person:eva lind"),
        ("m1", EdgeType.AFFECTED_BY, "person:finn berg"),
    }
    assert ("m1", EdgeType.SENT_BY, "organisation:example.com") in edges_of(graph, "m1")


def test_a_conversation_is_a_chain_and_a_thread_hangs_on_its_root(graph: MemoryGraph) -> None:
    def said(place: int, **fields: object) -> dict[str, object]:
        time = NOW.astimezone(timezone(timedelta(hours=8))) + timedelta(minutes=place)
        return {"id": f"m{place}", "text": f"message {place}", "conversation_id": "c1", "event_time": time, **fields}

    graph.add([said(1), said(2, thread_root_id="m1")])
    graph.add([said(3, thread_root_id="m1"), said(4, conversation_id="c2"), said(5, thread_root_id="gone")])
    ties = {edge for n in range(1, 6) for edge in edges_of(graph, f"m{n}")}
    between = {edge for edge in ties if edge[1] in {EdgeType.NEXT_IN_CONVERSATION, EdgeType.REPLIES_TO}}
    assert between == {
        ("m1", EdgeType.NEXT_IN_CONVERSATION, "m2"),
        ("m2", EdgeType.NEXT_IN_CONVERSATION, "m3"),
        ("m3", EdgeType.NEXT_IN_CONVERSATION, "m5"),
        ("m2", EdgeType.REPLIES_TO, "m1"),
        ("m3", EdgeType.REPLIES_TO, "m1"),
    }
