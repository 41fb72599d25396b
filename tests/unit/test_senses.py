"""Which sense an ambiguous word has: told by sentence, topic or habit, else left open."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import EncodedQuery, Encoder, Fingerprint, Passages
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.examples import SHIPPED, key_of, words_beside
from graphsvc.language.examples import read as read_table
from graphsvc.language.senses import SenseTagger
from graphsvc.language.senses.find import WordFinder
from graphsvc.language.senses.fit import spans_of
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
    assert found.probability > 0.79


@pytest.mark.parametrize(
    "text", ["bank", "苹果", "Apple", "python", "See you at the bank.", "I saw a crane.", "我更喜欢小米"]
)
def test_what_the_sentence_does_not_say_stays_open(tagger: SenseTagger, text: str) -> None:
    """Report A51: the bare word belongs to neither sense."""
    found = only(tagger.tag(text))
    assert found.sense is None
    assert found.source == "unresolved"
    assert 0.0 < found.probability < 0.8


def test_words_are_more_often_left_open_than_misread(tagger: SenseTagger, encoder: Encoder) -> None:
    """A gate below what was measured on this file: 36 of 39 senses right, one wrong; 3 of 30 open ones decided."""
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    passages = encoder.encode_passages([row["text"] for row in rows])
    assert passages.states is not None
    found = [
        (row["sense"], tagger.tag(row["text"], vector=vector, states=states)[0].sense)
        for row, vector, states in zip(rows, passages.vectors, passages.states, strict=True)
    ]
    told = [(wanted, sense) for wanted, sense in found if wanted is not None]
    assert sum(wanted == sense for wanted, sense in told) >= 0.88 * len(told)
    assert sum(sense is not None and wanted != sense for wanted, sense in told) <= 1
    assert sum(wanted is None and sense is not None for wanted, sense in found) <= 6


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


def test_given_vectors_are_used_and_left_alone(tagger: SenseTagger, encoder: Encoder) -> None:
    text = "Kingfishers nest in holes along the river bank."
    passages = encoder.encode_passages([text])
    assert passages.states is not None
    kept = passages.vectors.copy(), passages.states[0].codes.copy()
    assert tagger.tag(text, vector=passages.vectors[0], states=passages.states[0]) == tagger.tag(text)
    assert np.array_equal(passages.vectors, kept[0])
    assert np.array_equal(passages.states[0].codes, kept[1])


def test_a_vector_without_states_lets_the_sentence_speak_alone(tagger: SenseTagger, encoder: Encoder) -> None:
    text = "The python shed its skin overnight in the terrarium."
    vector = encoder.encode_passages([text]).vectors[0]
    assert only(tagger.tag(text, vector=vector)).sense == "python.snake"


def test_the_words_own_vector_tells_two_uses_in_one_sentence_apart(tagger: SenseTagger) -> None:
    found = tagger.tag(
        "The bank approved the loan, so we walked along the grassy bank of the stream and watched otters."
    )
    money, river = (one.probability if one.sense == "bank.river" else 0.0 for one in found)
    assert river > money


def test_a_question_is_read_with_its_own_states(tagger: SenseTagger, encoder: Encoder) -> None:
    text = "which bank gave me the cheapest mortgage"
    query = encoder.encode_query(text)
    assert only(tagger.tag(text, vector=query.vector, states=query.states)).sense == "bank.money"


class Same:
    """An encoder that gives every text one vector."""

    fingerprint = Fingerprint("same", "-", "1", 8)

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        return Passages(np.full((len(texts), 8), np.sqrt(1 / 8), np.float32))

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(self.encode_passages([text]).vectors[0])


def test_an_encoder_that_tells_nothing_apart_leaves_the_cue_words() -> None:
    tagger = SenseTagger(ONTOLOGY, Same())
    assert only(tagger.tag("The bank wants my loan and savings papers.")).sense == "bank.money"
    assert only(tagger.tag("Otters sleep on the muddy bank of the stream.")).sense == "bank.river"
    assert only(tagger.tag("The bank is over there.")).sense is None


@pytest.mark.parametrize("text", ["bank " * 200_000, "行" * 1_000_000, "苹果" * 500_000])
def test_a_megabyte_of_one_word_takes_no_longer_than_a_moment(tagger: SenseTagger, encoder: Encoder, text: str) -> None:
    passages = encoder.encode_passages([text[:500]])
    assert passages.states is not None
    tagger.tag("bank")
    begin = time.process_time()
    found = tagger.tag(text, vector=passages.vectors[0], states=passages.states[0])
    assert time.process_time() - begin < 2.0
    assert len(found) <= 1_000
    assert all(text[one.start : one.end] == one.surface for one in found)


def test_the_package_carries_the_words_of_every_example() -> None:
    table = read_table(words_beside(SHIPPED))
    assert table is not None
    finder = WordFinder(ONTOLOGY)
    for word in ONTOLOGY.sense_words:
        texts = [text for sense in word.senses for text in sense.examples.all]
        spans = spans_of(word, texts, finder)
        wanted = {key_of(text, span) for text, span in zip(texts, spans, strict=True)}
        assert wanted <= set(table.card.keys), "run python -m graphsvc.language.build_centroids"


def test_every_sense_has_six_examples_that_hold_its_word() -> None:
    finder = WordFinder(ONTOLOGY)
    for word in ONTOLOGY.sense_words:
        for sense in word.senses:
            assert len(sense.examples.all) >= 6, sense.id
            assert all(finder.first_span(text, word) is not None for text in sense.examples.all), sense.id


def test_every_sense_told_is_in_the_library(tagger: SenseTagger) -> None:
    for word in ONTOLOGY.sense_words[::12]:
        for sense in word.senses:
            for one in tagger.tag(sense.examples.all[0]):
                assert one.sense is None or ONTOLOGY.sense(one.sense) is not None
