"""Words on answers: one for each answer and memory, inside its namespace, journalled, purged, and learnt from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.evaluate.rows import feedback_rows
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus
from graphsvc.models.audit import Act, Action
from graphsvc.models.calibration import Verdict
from graphsvc.settings import Settings
from graphsvc.store.sqlite.store import SqliteStore
from ontology.loader import load_ontology
from tests.asking import emptied, tell
from tests.clocks import Ticking

STORY = (
    "The ferry to Lindau leaves at 7:40 in the morning.",
    "Ravi keeps the spare oars in the boat house.",
    "The boat house was painted green in spring.",
)
QUESTION = "When does the ferry to Lindau leave?"
UNKNOWN = "What does invoice HT2023-0876 say of the boat house?"
MEI = Act(actor="Mei", reason="asked the harbour")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    """Eight traces are kept, and no more."""
    clock, encoder, folder = Ticking(), HashingEncoder(), tmp_path_factory.mktemp("graph")
    store = SqliteStore(folder / "store", clock=clock, kept_traces=8)
    store.set_encoding(encoder.fingerprint)
    graph = MemoryGraph(store, encoder, load_ontology(()), Settings(cache_dir=folder / "cache"), clock)
    yield graph
    graph.close()
    store.close()


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    tell(real, *STORY)
    yield real
    emptied(real)
    real.purge()
    assert real.store.feedback.count() == 0


@pytest.fixture
def answered(graph: MemoryGraph) -> Answer:
    given = graph.answer(QUESTION, conversation_id="harbour-talk")
    assert given.status is AnswerStatus.ANSWERED
    return given


def verdicts(graph: MemoryGraph) -> list[Verdict]:
    return [one.verdict for one in graph.store.feedback.lessons("default")]


def test_a_later_word_on_the_same_replaces_the_earlier_one(graph: MemoryGraph, answered: Answer) -> None:
    graph.feedback(answered.trace_id, Verdict.ACCEPTED)
    graph.feedback(answered.trace_id, Verdict.REJECTED)
    assert verdicts(graph) == [Verdict.REJECTED]
    graph.feedback(answered.trace_id, Verdict.ACCEPTED, memory_id=answered.evidence[0].memory_id)
    assert verdicts(graph) == [Verdict.REJECTED, Verdict.ACCEPTED]
    assert graph.store.feedback.count() == 2


def test_a_word_keeps_who_said_it_and_no_text(graph: MemoryGraph, answered: Answer) -> None:
    kept = graph.feedback(answered.trace_id, Verdict.ACCEPTED, by=MEI)
    (read,) = graph.store.feedback.lessons("default")
    assert read == kept
    assert (kept.actor, kept.about) == ("Mei", answered.evidence[0].memory_id)
    told = kept.model_dump_json()
    assert "ferry" not in told
    assert "Lindau" not in told
    assert "harbour-talk" not in told


def test_every_word_is_journalled_with_the_one_before(graph: MemoryGraph, answered: Answer) -> None:
    graph.feedback(answered.trace_id, Verdict.ACCEPTED, by=MEI)
    graph.feedback(answered.trace_id, Verdict.REJECTED)
    first, second = graph.audit.read("default", subject=answered.trace_id, actions=(Action.FEEDBACK,)).entries
    assert (first.subject, first.actor, first.reason, first.before) == (
        answered.trace_id,
        "Mei",
        "asked the harbour",
        None,
    )
    assert (first.after, second.before) == ('{"verdict": "accepted"}', '{"verdict": "accepted"}')
    assert graph.audit.verify().holds


def test_another_namespace_is_neither_judged_nor_named(graph: MemoryGraph, answered: Answer) -> None:
    with pytest.raises(NotFound):
        graph.feedback(answered.trace_id, Verdict.ACCEPTED, namespace="other")
    (theirs,) = tell(graph, "The ferry is green.", namespace="other")
    with pytest.raises(NotFound):
        graph.feedback(answered.trace_id, Verdict.CORRECTED, corrected_by=theirs.id)
    assert graph.store.feedback.count() == 0


def test_what_does_not_go_together_is_refused(graph: MemoryGraph, answered: Answer) -> None:
    best = answered.evidence[0].memory_id
    refused = [
        {"verdict": Verdict.CORRECTED},
        {"verdict": Verdict.ACCEPTED, "corrected_by": best},
        {"verdict": Verdict.REJECTED, "memory_id": "never-seen"},
        {"verdict": Verdict.CORRECTED, "memory_id": best, "corrected_by": best},
    ]
    for given in refused:
        with pytest.raises(FieldInvalid):
            graph.feedback(answered.trace_id, **given)
    abstained = graph.answer(UNKNOWN)
    assert not abstained.evidence
    with pytest.raises(FieldInvalid):
        graph.feedback(abstained.trace_id, Verdict.REJECTED)


@pytest.mark.parametrize(("verdict", "right"), [(Verdict.ACCEPTED, True), (Verdict.REJECTED, False)])
def test_a_word_on_the_answer_labels_the_decision(
    graph: MemoryGraph, answered: Answer, verdict: Verdict, right: bool
) -> None:
    graph.feedback(answered.trace_id, verdict)
    (row,) = feedback_rows(graph.store.feedback)
    decision = graph.trace(answered.trace_id).decision
    assert decision is not None
    assert (row.right, row.values, row.source, row.language) == (right, decision.features, "feedback", "en")


def test_a_correction_labels_what_it_corrects_as_wrong(graph: MemoryGraph, answered: Answer) -> None:
    best = answered.evidence[0].memory_id
    other = next(one.memory.id for one in graph.trace(answered.trace_id).candidates if one.memory.id != best)
    graph.feedback(answered.trace_id, Verdict.CORRECTED, corrected_by=other)
    (row,) = feedback_rows(graph.store.feedback)
    assert not row.right


def test_a_refusal_that_is_corrected_to_its_best_candidate_was_wrong_to_refuse(graph: MemoryGraph) -> None:
    refused = graph.answer(UNKNOWN)
    best = graph.trace(refused.trace_id).seen[0]
    assert not refused.evidence
    graph.feedback(refused.trace_id, Verdict.CORRECTED, corrected_by=best)
    (row,) = feedback_rows(graph.store.feedback)
    assert row.right


def test_a_word_on_a_memory_that_was_not_decided_on_teaches_nothing(graph: MemoryGraph, answered: Answer) -> None:
    best = answered.evidence[0].memory_id
    other = next(one for one in graph.trace(answered.trace_id).seen if one != best)
    kept = graph.feedback(answered.trace_id, Verdict.REJECTED, memory_id=other)
    found = graph.search(QUESTION)
    searched = graph.feedback(found.trace_id, Verdict.ACCEPTED, memory_id=best)
    assert (kept.lesson, searched.lesson) == (None, None)
    assert feedback_rows(graph.store.feedback) == []


def test_answers_of_one_conversation_are_one_group_and_of_two_namespaces_two(graph: MemoryGraph) -> None:
    tell(graph, *STORY, namespace="other")
    talk = "harbour-talk"
    asked = [("default", talk), ("default", talk), ("default", "c2"), ("other", talk), ("default", None)]
    for namespace, conversation in asked:
        given = graph.answer(QUESTION, namespace=namespace, conversation_id=conversation)
        graph.feedback(given.trace_id, Verdict.ACCEPTED, namespace=namespace)
    groups = [row.group for row in feedback_rows(graph.store.feedback)]
    assert groups[0] == groups[1]
    assert len(set(groups)) == 4
    assert len(feedback_rows(graph.store.feedback, "other")) == 1


def test_the_lesson_outlives_a_trace_that_goes_for_age(graph: MemoryGraph, answered: Answer) -> None:
    graph.feedback(answered.trace_id, Verdict.ACCEPTED)
    for number in range(70):
        graph.search(f"boat {number}")
    with pytest.raises(NotFound):
        graph.trace(answered.trace_id)
    assert len(feedback_rows(graph.store.feedback)) == 1


def test_a_purge_takes_the_words_on_what_was_deleted(graph: MemoryGraph, answered: Answer) -> None:
    graph.feedback(answered.trace_id, Verdict.ACCEPTED)
    other = graph.answer("Where does Ravi keep the spare oars?")
    graph.feedback(other.trace_id, Verdict.REJECTED, memory_id=graph.trace(other.trace_id).seen[0])
    graph.delete(answered.evidence[0].memory_id)
    assert graph.store.feedback.count() == 2
    graph.purge(namespace="default")
    assert graph.store.feedback.count() == 0
    assert graph.audit.verify().holds
