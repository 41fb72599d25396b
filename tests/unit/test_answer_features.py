"""Whether a near miss shows in what a decision looks at: the asked word unmet, the value in another clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from calibration.features import NAMES, row
from graphsvc.encoding.base import Encoder, FloatArray, TokenStates
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.language.passage import passage_of
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.fit import fit
from graphsvc.retrieve.extract.wanted import Asks
from graphsvc.retrieve.rank.attend import Attention, Measures
from graphsvc.store.base import Store
from tests.extracting import asked, told

OTHERS = (
    "The plumber comes on Tuesday at nine.",
    "Rosa left her umbrella on the tram.",
    "We painted the fence green.",
    "The bakery on Mill Lane shuts at noon.",
    "Otto's cough is better.",
)


@pytest.fixture(scope="module")
def encoder() -> BundledEncoder:
    return BundledEncoder()


@dataclass(frozen=True)
class Kept:
    """As much of a store as token states are read from."""

    encoder: Encoder
    memories: Sequence[Memory]

    def vectors(
        self, namespace: str, memory_ids: Sequence[MemoryId]
    ) -> dict[MemoryId, tuple[FloatArray, TokenStates | None]]:
        held = [one for one in self.memories if one.id in memory_ids and namespace == "default"]
        read = self.encoder.encode_passages([passage_of(one) for one in held])
        states = read.states or (None,) * len(held)
        return {one.id: pair for one, pair in zip(held, zip(read.vectors, states, strict=True), strict=True)}


def measured(question: str, *texts: str | Memory, encoder: Encoder) -> list[Measures]:
    """The measures of each text, in order; empty where there are none."""
    read = [one if isinstance(one, Memory) else told(one) for one in texts]
    memories = [one.model_copy(update={"id": MemoryId(f"m{place}")}) for place, one in enumerate(read)]
    about = asked(question)
    attention = Attention(
        about, encoder.encode_query(question), encoder, cast("Store", Kept(encoder, memories)), "default"
    )
    found = attention.measures(memories, {one.id: fit(one, about) for one in memories})
    return [found.get(one.id, {}) for one in memories]


def number(measures: Measures, name: str) -> float:
    value = measures[name]
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("question", "right", "near"),
    [
        ("冰箱的保修期是多久？", "冰箱的保修期是三年。", "冰箱三千二买的。"),
        ("What is the guarantee on the fridge?", "The guarantee on the fridge is three years.", "The fridge was £320."),
    ],
)
def test_the_head_of_what_is_asked_is_met_less_where_another_attribute_is_told(
    encoder: BundledEncoder, question: str, right: str, near: str
) -> None:
    holds, misses = measured(question, right, near, encoder=encoder)
    assert number(holds, "head_met") > number(misses, "head_met") + 0.1
    assert number(holds, "absent_weight") < number(misses, "absent_weight")


def test_a_value_said_of_another_thing_is_late_in_its_own_clause(encoder: BundledEncoder) -> None:
    text = "The worktop costs 760 a metre; the doors are matt grey and open to the left."
    (own,) = measured("How much is the worktop a metre?", text, encoder=encoder)
    (other,) = measured("How much are the grey doors?", text, encoder=encoder)
    assert number(own, "value_late") == pytest.approx(number(own, "clause_late"))
    assert number(other, "value_late") < number(other, "clause_late") - 0.05


def test_how_far_a_word_is_met_above_the_usual_needs_rivals(encoder: BundledEncoder) -> None:
    question, text = "What is the guarantee on the fridge?", "The guarantee on the fridge is three years."
    (alone,) = measured(question, text, encoder=encoder)
    among = measured(question, text, *OTHERS, encoder=encoder)
    assert alone["head_above"] is None and alone["least_above"] is None
    assert number(among[0], "head_above") > 0.2
    assert all(number(one, "head_above") < number(among[0], "head_above") for one in among[1:])


def test_the_name_of_a_speaker_before_the_text_moves_no_clause(encoder: BundledEncoder) -> None:
    text = "The rope is 40 m long; the tent weighs 3 kg."
    plain = told(text)
    spoken = plain.model_copy(update={"sender": "Marguerite Oyelaran"})
    bare, headed = measured("How heavy is the tent?", plain, spoken, encoder=encoder)
    assert number(bare, "value_late") == pytest.approx(number(bare, "clause_late"))
    assert number(headed, "value_late") == pytest.approx(number(headed, "clause_late"))
    assert number(headed, "length") > number(bare, "length")


def test_an_encoder_without_token_states_measures_nothing() -> None:
    assert measured("Who called?", "Rosa called.", encoder=HashingEncoder()) == [{}]


def test_every_token_state_has_its_place_behind_the_cache_too(encoder: BundledEncoder, tmp_path: Path) -> None:
    behind = CachedEncoder(encoder, tmp_path / "kept.sqlite")
    text = "灶后软管老化,整改单G-0417 is due on 9 May."
    states = encoder.encode_passages([text]).states
    assert states is not None
    places = behind.token_places(text)
    assert len(places) == len(states[0]) == len(encoder.encode_query(text).tokens)
    assert "".join(text[start:end] for start, end in places).replace(" ", "") == text.replace(" ", "")
    assert CachedEncoder(HashingEncoder(), tmp_path / "other.sqlite").token_places(text) == ()


def test_a_typed_question_without_such_a_value_has_no_worth_and_an_untyped_one_none() -> None:
    about = "How much was the deposit?"
    assert fit(told("The deposit was 400 euros."), asked(about)).worth
    assert fit(told("The deposit was paid in cash."), asked(about)).worth == 0.0
    assert fit(told("The deposit was 400 euros."), asked("Was the deposit paid?")).worth is None


def test_words_spread_over_clauses_are_less_of_one_clause() -> None:
    question = asked("When does the ferry from Lerwick dock?")
    one = fit(told("The ferry from Lerwick will dock at six."), question)
    spread = fit(told("Lerwick was foggy; the ferry ran late, and the new dock is closed."), question)
    assert one.clause_share is not None and spread.clause_share is not None
    assert one.clause_share > spread.clause_share
    assert fit(told("Anything."), asked("When?")).clause_share is None


def test_a_verb_that_is_not_told_is_not_covered() -> None:
    assert fit(told("师傅更换了点火器。"), asked("谁更换了点火器？")).others_covered == 1.0
    assert fit(told("师傅推荐了点火器。"), asked("谁更换了点火器？")).others_covered == 0.0


def test_what_is_absent_is_told_by_its_order_and_a_reason_by_its_sort() -> None:
    found = fit(told("描金师傅没来。"), asked("描金师傅为什么没来？"))
    assert (found.asks, found.absent) == (Asks.REASON, ())
    assert fit(told("下雨了。"), asked("描金师傅为什么没来？")).absent


def test_every_measure_is_a_feature(encoder: BundledEncoder) -> None:
    (found,) = measured("How heavy is the tent?", "The tent weighs 3 kg.", encoder=encoder)
    assert found.keys() <= set(NAMES)
    assert row(found).shape == (len(NAMES),)
