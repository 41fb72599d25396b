"""The ask path: what narrows, what is relaxed, what decides between equals, and what is never found."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from graphsvc.encoding.base import EncodedQuery
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import EncoderUnavailable, TextRefused
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus, SearchResult, Stage
from graphsvc.store.filters import eq
from tests.builders import NOW
from tests.graphs import open_graph

EARLIER = NOW - timedelta(days=3)
# What a question does before anything is narrowed.
READING = {"encode", "parse"}


class Speechless(HashingEncoder):
    """Writes memories, and is out of reach when asked."""

    def encode_query(self, text: str) -> EncodedQuery:
        raise EncoderUnavailable("the server is out of reach")


def keep(graph: MemoryGraph, memory_id: str, text: str, *, namespace: str = "default", **fields: object) -> None:
    (result,) = graph.add([{"id": memory_id, "text": text, "event_time": EARLIER, **fields}], namespace=namespace)
    assert result.error is None


def ids(found: SearchResult) -> list[str]:
    return [candidate.memory.id for candidate in found.candidates]


def evidence(answer: Answer) -> list[str]:
    return [one.memory_id for one in answer.evidence]


def stage(found: SearchResult | Answer, applied: str) -> Stage:
    (one,) = [stage for stage in found.stages if stage.applied == applied]
    return one


def mail_between(graph: MemoryGraph) -> None:
    """Lena and Tomas write to each other of one thing, and a stranger of another."""
    lena, tomas = "Lena Hartmann <lena@north.example>", "Tomas Berg <tomas@south.example>"
    keep(graph, "to-tomas", "The crane quote is ready for review", sender=lena, recipients=[tomas])
    keep(graph, "to-lena", "The crane quote is ready for signing", sender=tomas, recipients=[lena])
    keep(graph, "other", "The crane quote is ready for filing", sender="Olga Ruud <olga@west.example>")


def test_every_stage_is_recorded_and_the_funnel_only_falls(graph: MemoryGraph) -> None:
    mail_between(graph)
    keep(graph, "later", "The crane quote is ready at last", event_time=NOW + timedelta(days=1))
    found = graph.search("What did Lena Hartmann write about the crane quote?", where=eq("language", "en"))
    assert [one.name for one in found.stages] == [
        "encode", "parse", "stored", "filter", "time", "role", "time", "rank", "expand", "weigh",
    ]  # fmt: skip
    counts = [one.remaining for one in found.stages if one.name not in READING]
    assert counts == [4, 4, 3, 1, 1, 1, 1, 1]
    assert all(more >= fewer for more, fewer in pairwise(counts))
    assert all(one.ms >= 0 for one in found.stages)
    assert not any(one.relaxed for one in found.stages)
    assert stage(found, "sent_by Lena Hartmann").remaining == 1


def test_the_stages_and_candidates_are_kept_in_the_trace(graph: MemoryGraph) -> None:
    mail_between(graph)
    question = "Where is the crane quote from Lena Hartmann?"
    found = graph.search(question)
    trace = graph.trace(found.trace_id)
    assert (trace.stages, trace.candidates) == (found.stages, found.candidates)
    assert trace.decision is None
    answer = graph.answer(question)
    decided = graph.trace(answer.trace_id)
    assert decided.decision is not None
    assert [one.name for one in answer.stages][-2:] == ["accept", "answer"]


def test_a_stage_that_would_leave_nothing_is_relaxed_and_says_so(graph: MemoryGraph) -> None:
    keep(graph, "m1", "The crane quote is ready", sender="Lena Hartmann", recipients=["Tomas Berg"])
    found = graph.search("Which crane quote was sent to Lena Hartmann?")
    skipped = stage(found, "sent_to Lena Hartmann")
    assert (skipped.relaxed, skipped.remaining) == (True, 1)
    assert ids(found) == ["m1"]


def test_the_callers_own_filter_is_never_relaxed(graph: MemoryGraph) -> None:
    keep(graph, "m1", "The crane quote is ready")
    found = graph.search("crane quote", where=eq("sender", "nobody"))
    assert ids(found) == []
    assert (stage(found, "the caller's filter").remaining, stage(found, "the caller's filter").relaxed) == (0, False)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What did Lena Hartmann write about the crane quote?", "to-tomas"),
        ("Which crane quote was sent to Lena Hartmann?", "to-lena"),
        ("Which crane quote was sent by Tomas Berg?", "to-lena"),
        ("Tomas Berg received which crane quote?", "to-tomas"),
    ],
)
def test_who_wrote_to_whom_tells_two_mails_apart(graph: MemoryGraph, question: str, right: str) -> None:
    mail_between(graph)
    assert ids(graph.search(question)) == [right]


@pytest.mark.parametrize(("question", "right"), [("苏敏发给周岚的报价", "a"), ("周岚发给苏敏的报价", "b")])
def test_who_wrote_to_whom_is_read_in_chinese_too(graph: MemoryGraph, question: str, right: str) -> None:
    keep(graph, "a", "吊车的报价整理好了，请看", sender="苏敏", recipients=["周岚"])
    keep(graph, "b", "吊车的报价整理好了，请批", sender="周岚", recipients=["苏敏"])
    assert ids(graph.search(question)) == [right]


def test_the_asker_is_the_i_of_the_question(graph: MemoryGraph) -> None:
    mail_between(graph)
    question = "Which crane quote was sent to me?"
    assert set(ids(graph.search(question))) == {"to-tomas", "to-lena", "other"}
    assert ids(graph.search(question, asked_by="tomas@south.example")) == ["to-tomas"]
    assert ids(graph.search(question, asked_by="lena@north.example")) == ["to-lena"]


def test_nothing_said_after_the_question_is_found(graph: MemoryGraph) -> None:
    keep(graph, "before", "仓库东门六点关门", event_time=NOW - timedelta(hours=1))
    keep(graph, "at", "仓库西门七点关门", event_time=NOW)
    keep(graph, "after", "仓库南门八点关门", event_time=NOW + timedelta(seconds=1))
    assert set(ids(graph.search("仓库几点关门", asked_at=NOW))) == {"before", "at"}
    assert ids(graph.search("仓库几点关门", asked_at=NOW - timedelta(minutes=30))) == ["before"]
    early = graph.answer("仓库几点关门", asked_at=NOW - timedelta(days=1))
    assert (early.status, evidence(early)) == (AnswerStatus.NOTHING_RELIABLE, [])


@pytest.mark.parametrize(
    ("asked_at", "right"),
    [
        (EARLIER + timedelta(hours=1), {"spring"}),
        (EARLIER + timedelta(days=1), {"summer"}),
        (EARLIER + timedelta(days=1, hours=12), {"summer"}),
        (EARLIER + timedelta(days=2), set()),
    ],
    ids=["first holds", "second begins as the first ends", "second holds", "none holds any more"],
)
def test_only_what_holds_when_asked_is_found(graph: MemoryGraph, asked_at: datetime, right: set[str]) -> None:
    day = timedelta(days=1)
    keep(graph, "spring", "仓库六点关门", valid_from=EARLIER, valid_to=EARLIER + day)
    keep(graph, "summer", "仓库八点关门", valid_from=EARLIER + day, valid_to=EARLIER + 2 * day)
    found = graph.search("仓库几点关门", asked_at=asked_at)
    assert set(ids(found)) == right
    assert not stage(found, "valid when asked").relaxed
    assert graph.answer("仓库几点关门", asked_at=asked_at).status is not AnswerStatus.NOTHING_STORED


def test_what_once_held_is_found_by_a_question_for_it(graph: MemoryGraph) -> None:
    keep(graph, "old", "仓库六点关门", event_time=EARLIER, valid_to=EARLIER + timedelta(days=1))
    keep(graph, "new", "仓库八点关门", event_time=EARLIER + timedelta(days=1))
    assert ids(graph.search("仓库几点关门")) == ["new"]
    assert ids(graph.search("仓库以前几点关门")) == ["old", "new"]


def test_between_equals_the_newest_stands_first_but_for_what_once_was(graph: MemoryGraph) -> None:
    keep(graph, "b-old", "缓存的方案定了", event_time=EARLIER)
    keep(graph, "a-middle", "缓存的方案定了", event_time=EARLIER + timedelta(hours=1))
    keep(graph, "z-new", "缓存的方案定了", event_time=EARLIER + timedelta(days=1))
    assert ids(graph.search("缓存现在是什么方案")) == ["z-new", "a-middle", "b-old"]
    assert ids(graph.search("缓存当初是什么方案")) == ["b-old", "a-middle", "z-new"]
    assert ids(graph.search("缓存是什么方案"))[0] == "z-new"


def test_an_identifier_narrows_to_what_names_it(graph: MemoryGraph) -> None:
    """Report A22: neighbouring numbers are taken for one."""
    keep(graph, "m31", "合同HT-2026-0031金额30万")
    keep(graph, "m32", "合同HT-2026-0032金额45万")
    keep(graph, "m31b", "合同HT-2026-0031-B金额5万")
    found = graph.search("HT-2026-0032的金额是多少")
    assert ids(found) == ["m32"]
    assert stage(found, "names the identifier").remaining == 1


def test_an_unknown_identifier_is_never_nearly_right(graph: MemoryGraph) -> None:
    keep(graph, "m31", "合同HT-2026-0031金额30万")
    assert graph.answer("HT-2026-0031的金额是多少").status is AnswerStatus.ANSWERED
    answer = graph.answer("HT-2026-0039的金额是多少")
    assert (answer.status, evidence(answer)) == (AnswerStatus.NOTHING_RELIABLE, [])


def test_the_same_question_gives_the_same_result(graph: MemoryGraph) -> None:
    for n in range(30):
        keep(graph, f"m{n:02}", f"crane {n % 3} moves in hall {n % 5}", conversation_id=f"c{n % 4}")
    first, again = (graph.search("Which crane moves in hall 2?") for _ in range(2))
    assert first.candidates == again.candidates
    assert first.trace_id != again.trace_id
    assert len(first.candidates) == 10


def test_equals_are_ordered_by_id(graph: MemoryGraph) -> None:
    for name in ("c", "a", "b"):
        keep(graph, name, "The crane moves on Tuesday")
    assert ids(graph.search("When does the crane move?")) == ["a", "b", "c"]


def test_a_namespace_sees_nothing_of_another(graph: MemoryGraph) -> None:
    keep(graph, "ours", "The crane quote is ready", namespace="north", sender="Lena Hartmann", conversation_id="c1")
    keep(graph, "theirs", "The crane quote is late", namespace="south", sender="Lena Hartmann", conversation_id="c1")
    question = "Where is the crane quote from Lena Hartmann?"
    assert ids(graph.search(question, namespace="north")) == ["ours"]
    assert ids(graph.search(question, namespace="south", conversation_id="c1")) == ["theirs"]
    assert graph.answer(question, namespace="west").status is AnswerStatus.NOTHING_STORED


def test_nothing_stored_is_told_from_nothing_reliable(graph: MemoryGraph) -> None:
    question = "What does the dentist charge for a crown?"
    empty = graph.answer(question)
    assert (empty.status, empty.evidence, empty.value) == (AnswerStatus.NOTHING_STORED, (), None)
    assert graph.search(question).candidates == ()
    keep(graph, "m1", "仓库六点关门")
    unrelated = graph.answer(question)
    assert (unrelated.status, unrelated.evidence, unrelated.value) == (AnswerStatus.NOTHING_RELIABLE, (), None)


def test_an_answer_quotes_the_memory_it_rests_on(graph: MemoryGraph) -> None:
    keep(graph, "m1", "Lunch was fine. The crane quote is 4500 euros. See you soon.")
    answer = graph.answer("How much is the crane quote?")
    (one,) = answer.evidence
    text = graph.get("m1").text
    assert answer.status is AnswerStatus.ANSWERED
    assert one.quote == text[one.start : one.end] == "The crane quote is 4500 euros."
    assert answer.value is not None
    assert "4500" in text[answer.value.start : answer.value.end]


@pytest.mark.parametrize("conversation", ["c1", "c2"])
def test_the_conversation_decides_between_equals(graph: MemoryGraph, conversation: str) -> None:
    keep(graph, "c1-said", "The crane moves on Tuesday", conversation_id="c1")
    keep(graph, "c2-said", "The crane moves on Tuesday", conversation_id="c2")
    found = graph.search("When does the crane move?", conversation_id=conversation)
    assert ids(found)[0] == f"{conversation}-said"
    assert "conversation" in found.candidates[0].scores.boosts
    assert "conversation" not in found.candidates[1].scores.boosts


def test_words_still_find_while_the_encoder_is_out(tmp_path: Path) -> None:
    with open_graph(tmp_path, Speechless()) as graph:
        keep(graph, "m1", "仓库六点关门")
        keep(graph, "m2", "The lift is repaired")
        found = graph.search("仓库几点关门")
        assert ids(found)[0] == "m1"
        assert (found.candidates[0].scores.lexical or 0.0) > 0
        assert found.degraded == ("vectors",)
        assert graph.trace(found.trace_id).degraded == ("vectors",)
        assert graph.answer("仓库几点关门").degraded == ("vectors",)


def test_nothing_is_degraded_while_the_encoder_is_there(graph: MemoryGraph) -> None:
    keep(graph, "m1", "仓库六点关门")
    assert graph.search("仓库几点关门").degraded == ()


@pytest.mark.parametrize("question", ["", "  ", "a\x00b", "half \ud83d", "字" * 2001])
def test_a_question_that_cannot_be_asked_is_refused(graph: MemoryGraph, question: str) -> None:
    with pytest.raises(TextRefused):
        graph.search(question)
