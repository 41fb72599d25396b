"""What a sentence leaves open, its talk settles, then its author's habits; and a person's word stands above all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.facts import Sense, SenseSource
from graphsvc.store.filters import EVERYTHING
from tests.graphs import open_graph

OPEN = "Remember that thing about the bank."


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    real.delete_all(EVERYTHING)


def _bank(graph: MemoryGraph, memory_id: str) -> Sense:
    (sense,) = [sense for sense in graph.get(memory_id).facts.senses if sense.surface.lower() == "bank"]
    return sense


def _say(graph: MemoryGraph, memory_id: str, text: str, **fields: str) -> None:
    (result,) = graph.add([{"id": memory_id, "text": text, **fields}])
    assert result.error is None


def test_a_sentence_that_says_nothing_of_a_word_leaves_it_unresolved_and_shows_it(graph: MemoryGraph) -> None:
    _say(graph, "m1", OPEN)
    sense = _bank(graph, "m1")
    assert (sense.sense, sense.source) == (None, SenseSource.UNRESOLVED)


@pytest.mark.parametrize(
    ("before", "meant"),
    [
        ("We sat with our rods on the muddy bank of the river all morning and caught two carp.", "bank.river"),
        ("The bank turned down our mortgage because the statements of the account were too old.", "bank.money"),
    ],
)
def test_the_conversation_settles_what_the_sentence_leaves_open(graph: MemoryGraph, before: str, meant: str) -> None:
    _say(graph, "m1", before, conversation_id="talk", event_time="2026-03-05T09:00:00+08:00")
    _say(graph, "m2", OPEN, conversation_id="talk", event_time="2026-03-05T09:01:00+08:00")
    sense = _bank(graph, "m2")
    assert (sense.sense, sense.source) == (meant, SenseSource.TOPIC)


def test_a_clear_sentence_is_not_overruled_by_its_conversation(graph: MemoryGraph) -> None:
    _say(
        graph,
        "m1",
        "We sat with our rods on the muddy bank of the river all morning and caught two carp.",
        conversation_id="talk",
        event_time="2026-03-05T09:00:00+08:00",
    )
    _say(
        graph,
        "m2",
        "The bank raised the interest on my savings account and charged a fee for the transfer.",
        conversation_id="talk",
        event_time="2026-03-05T09:01:00+08:00",
    )
    assert _bank(graph, "m2").sense == "bank.money"


FISHING = (
    "Fished from the grassy bank below the weir until dark, nothing but roach.",
    "The river has eaten half a metre of the bank where my stool stood.",
    "Herons stood on the far bank of the stream and watched my float.",
    "Slipped on the wet bank with the landing net and soaked both boots in the water.",
    "Cut the reeds on the bank so that we can cast into the river again.",
    "An otter ran along the bank and dived under the willow roots.",
    "The path on the east bank is flooded, cross the river at the mill.",
    "Left my rod leaning against an alder on the bank while I filled the kettle.",
    "Two lads were throwing stones from the opposite bank and scared off the trout.",
    "Steep bank there, mind the nettles on the way down to the water.",
)


def test_an_author_who_always_means_the_river_means_it_by_default(graph: MemoryGraph) -> None:
    for place, text in enumerate(FISHING):
        _say(graph, f"f{place}", text, sender="joan", event_time=f"2026-02-{place + 10}T09:00:00+08:00")
    _say(graph, "hers", OPEN, sender="joan", event_time="2026-03-06T09:00:00+08:00")
    _say(graph, "his", OPEN, sender="piet", event_time="2026-03-06T09:00:00+08:00")
    assert (_bank(graph, "hers").sense, _bank(graph, "hers").source) == ("bank.river", SenseSource.HABITS)
    assert _bank(graph, "his").sense is None


def test_corrections_stay_when_everything_is_labelled_again_and_teach(graph: MemoryGraph) -> None:
    for place in range(3):
        _say(graph, f"c{place}", f"{OPEN} Number {place}.", sender="joan", event_time="2026-03-01T09:00:00+08:00")
        corrected = graph.correct_sense(f"c{place}", "BANK", "bank.river")
        assert corrected.facts.senses[0].source is SenseSource.CORRECTION
    graph.relabel()
    assert (_bank(graph, "c0").sense, _bank(graph, "c0").source) == ("bank.river", SenseSource.CORRECTION)
    _say(graph, "next", OPEN, sender="joan", event_time="2026-03-06T09:00:00+08:00")
    assert (_bank(graph, "next").sense, _bank(graph, "next").source) == ("bank.river", SenseSource.HABITS)


def test_a_correction_must_name_a_sense_of_a_word_that_is_there(graph: MemoryGraph) -> None:
    _say(graph, "m1", OPEN)
    for surface, sense in (("bank", "bank.moon"), ("bank", "nothing"), ("thing", "bank.river"), ("银行", "bank.river")):
        with pytest.raises(FieldInvalid):
            graph.correct_sense("m1", surface, sense)
    with pytest.raises(NotFound):
        graph.correct_sense("m9", "bank", "bank.river")
    assert _bank(graph, "m1").sense is None


@pytest.mark.parametrize(("talk", "right"), [("fishing", "gate"), ("mortgage", "counter")])
def test_a_question_inside_a_talk_means_the_word_as_the_talk_did(graph: MemoryGraph, talk: str, right: str) -> None:
    """The memory that answers leaves the word out, as people do once they have said it."""
    said = (
        ("weir", "fishing", "We sat on the grassy bank of the river above the weir and caught two carp."),
        ("gate", "fishing", "They lock the gate at eight in the evening now, anglers have to be out before that."),
        ("letter", "mortgage", "The bank wants two more statements of my account before it signs the mortgage."),
        ("counter", "mortgage", "Their counter shuts at half past three on Fridays, so I have to leave work early."),
    )
    for place, (memory_id, conversation, text) in enumerate(said):
        _say(graph, memory_id, text, conversation_id=conversation, event_time=f"2026-03-05T09:0{place}:00+08:00")
    found = graph.search("When does the bank close?", conversation_id=talk)
    assert found.candidates[0].memory.id == right
