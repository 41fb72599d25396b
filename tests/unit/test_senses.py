"""Which sense an ambiguous word has: told by sentence, topic or habit, else left open."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.senses import SenseTagger
from graphsvc.models.facts import Sense
from ontology.loader import load_ontology

ONTOLOGY = load_ontology()
SENTENCES = Path(__file__).parents[1] / "quality" / "senses.jsonl"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return BundledEncoder()


@pytest.fixture(scope="module")
def tagger(encoder: Encoder) -> SenseTagger:
    return SenseTagger(ONTOLOGY, encoder)


@pytest.fixture(scope="module")
def cues() -> SenseTagger:
    return SenseTagger(ONTOLOGY, None)


def only(senses: tuple[Sense, ...]) -> Sense:
    (sense,) = senses
    return sense


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("The bank refused to extend our overdraft.", "bank.money"),
        ("Kingfishers nest in holes along the river bank.", "bank.river"),
        ("去bank把到期的存款转出来", "bank.money"),
        ("The apple I put in your bag was from the neighbour's orchard.", "apple.fruit"),
        ("Apple cut the price of last year's iPhone.", "apple.company"),
        ("苹果用盐水泡一下再切，不会发黄，孩子爱吃", "apple.fruit"),
        ("苹果的新系统更新以后耗电特别快", "apple.company"),
        ("We rewrote the import script in Python and dropped a library.", "python.language"),
        ("The python shed its skin overnight in the terrarium.", "python.snake"),
        ("动物园给那条python换了更大的笼子，蛇皮花纹很漂亮", "python.snake"),
        ("The crane can lift eight tons of steel at full reach.", "crane.machine"),
        ("A pair of cranes raised one chick in the marsh.", "crane.bird"),
        ("小米和南瓜一起熬粥", "xiaomi.grain"),
        ("小米手环的表带断了", "xiaomi.company"),
        ("黄牛加价五百卖演唱会门票", "huangniu.scalper"),
        ("山坡上那几头黄牛在吃草", "huangniu.cattle"),
    ],
)
def test_the_sentence_decides_where_it_says_enough(tagger: SenseTagger, text: str, sense: str) -> None:
    found = only(tagger.tag(text))
    assert found.sense == sense
    assert found.source == "sentence"
    assert found.probability >= 0.75


@pytest.mark.parametrize(
    "text", ["bank", "苹果", "Apple", "python", "See you at the bank.", "I saw a crane.", "我更喜欢小米"]
)
def test_what_the_sentence_does_not_say_stays_open(tagger: SenseTagger, text: str) -> None:
    """Report A51: the bare word belongs to neither sense."""
    found = only(tagger.tag(text))
    assert found.sense is None
    assert found.source == "unresolved"
    assert 0.0 < found.probability < 0.75


def test_words_are_more_often_left_open_than_misread(tagger: SenseTagger, encoder: Encoder) -> None:
    """A gate below what was measured on this file: 34 of 39 senses right, none wrong; 5 of 30 open ones decided."""
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    vectors = encoder.encode_passages([row["text"] for row in rows]).vectors
    found = [(row["sense"], tagger.tag(row["text"], vector=v)[0].sense) for row, v in zip(rows, vectors, strict=True)]
    told = [(wanted, sense) for wanted, sense in found if wanted is not None]
    assert sum(wanted == sense for wanted, sense in told) >= 0.8 * len(told)
    assert sum(sense is not None and wanted != sense for wanted, sense in told) <= 1
    assert sum(wanted is None and sense is not None for wanted, sense in found) <= 8


def test_the_topic_decides_where_the_sentence_is_silent(tagger: SenseTagger, encoder: Encoder) -> None:
    spoken = ["We paddled down the river all morning.", "The reeds along the water were full of frogs."]
    topic = list(encoder.encode_passages(spoken).vectors)
    found = only(tagger.tag("See you at the bank.", topic=topic))
    assert (found.sense, found.source) == ("bank.river", "topic")


def test_another_topic_gives_the_same_words_another_sense(tagger: SenseTagger, encoder: Encoder) -> None:
    spoken = ["The loan for the van was approved.", "My account statement still shows the old fee."]
    topic = list(encoder.encode_passages(spoken).vectors)
    found = only(tagger.tag("See you at the bank.", topic=topic))
    assert (found.sense, found.source) == ("bank.money", "topic")


def test_a_users_habit_decides_last(tagger: SenseTagger) -> None:
    found = only(tagger.tag("bank", habits={"bank.river": 1.0}))
    assert (found.sense, found.source) == ("bank.river", "habits")


def test_a_habit_does_not_overrule_the_sentence(tagger: SenseTagger) -> None:
    found = only(tagger.tag("The bank refused to extend our overdraft.", habits={"bank.river": 1.0}))
    assert (found.sense, found.source) == ("bank.money", "sentence")


def test_a_weak_habit_leaves_the_word_open(cues: SenseTagger) -> None:
    assert only(cues.tag("bank", habits={"bank.river": 0.1})).sense is None


def test_cues_alone_work_without_an_encoder(cues: SenseTagger) -> None:
    assert only(cues.tag("The bank wants my loan and savings papers.")).sense == "bank.money"
    assert only(cues.tag("Otters sleep on the muddy bank of the stream.")).sense == "bank.river"
    assert only(cues.tag("The bank is over there.")).sense is None


def test_spans_point_into_the_original(tagger: SenseTagger) -> None:
    text = "Ｔｈｅ ＢＡＮＫ refused the loan，然後買了蘋果手機"
    found = tagger.tag(text)
    assert [text[one.start : one.end] for one in found] == ["ＢＡＮＫ", "蘋果"]
    assert [one.surface for one in found] == ["ＢＡＮＫ", "蘋果"]


def test_each_occurrence_is_shown_in_order(tagger: SenseTagger) -> None:
    found = tagger.tag("The bank sits right by the crane, and the bank owns the crane.")
    assert [one.surface for one in found] == ["bank", "crane", "bank", "crane"]
    assert [one.start for one in found] == sorted(one.start for one in found)


@pytest.mark.parametrize("text", ["banker", "bankrupt", "me@apple", "火车晚点了", "蜗牛爬得慢", "a/bank/b", ""])
def test_a_part_of_another_word_is_not_the_word(cues: SenseTagger, text: str) -> None:
    assert cues.tag(text) == ()


def test_a_given_vector_is_used_and_left_alone(tagger: SenseTagger, encoder: Encoder) -> None:
    text = "Kingfishers nest in holes along the river bank."
    vector = encoder.encode_passages([text]).vectors[0]
    kept = vector.copy()
    assert tagger.tag(text, vector=vector) == tagger.tag(text)
    assert np.array_equal(vector, kept)


def test_every_sense_told_is_in_the_library(tagger: SenseTagger) -> None:
    for word in ONTOLOGY.sense_words[::12]:
        for sense in word.senses:
            for one in tagger.tag(sense.examples.all[0]):
                assert one.sense is None or ONTOLOGY.sense(one.sense) is not None
