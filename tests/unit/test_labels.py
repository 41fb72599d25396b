"""Labels come from the closed library, with what gave them, and only where something is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import EncodedQuery, Encoder, Fingerprint, FloatArray, Passages
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.centroids import ExampleSpace, all_examples
from graphsvc.language.examples import SHIPPED, ExampleVectors, key_of
from graphsvc.language.examples import read as read_table
from graphsvc.language.keywords import KeywordIndex, read
from graphsvc.language.labels import LabelTagger
from graphsvc.language.labels.ambiguity import Ambiguity
from graphsvc.language.senses import SenseTagger
from graphsvc.models.facts import Label, Mention, Sense, SenseSource
from ontology.loader import load_ontology
from ontology.model import Words
from tests.graphs import open_graph

ONTOLOGY = load_ontology()
HELD_OUT = Path(__file__).parents[1] / "quality" / "labels.jsonl"


class CountingEncoder:
    """Unit vectors drawn from a text's own letters; keeps what it was asked for."""

    def __init__(self, name: str = "counting") -> None:
        self.fingerprint = Fingerprint(name, "test", "1", dimension=16)
        self.asked: list[str] = []
        self.out_of_reach = False

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        if self.out_of_reach:
            raise EncoderUnavailable("no answer", where="test")
        self.asked += texts
        return Passages(np.stack([self._vector(text) for text in texts]))

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(self._vector(text))

    def _vector(self, text: str) -> FloatArray:
        row = np.random.default_rng(list(text.encode())).normal(size=16).astype(np.float32)
        unit: FloatArray = row / np.linalg.norm(row)
        return unit


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return BundledEncoder()


@pytest.fixture(scope="module")
def tagger(encoder: Encoder) -> LabelTagger:
    return LabelTagger(ONTOLOGY, encoder)


@pytest.fixture(scope="module")
def dictionary() -> LabelTagger:
    return LabelTagger(ONTOLOGY, None)


@pytest.mark.parametrize(
    ("text", "domain", "intent"),
    [
        ("下周三去医院复查血压，记得空腹。", "health", "remind"),
        ("房东说暖气费从押金里扣。", "housing_property", None),
        ("The landlord hasn't fixed the boiler yet.", "housing_property", None),
        ("Could you transfer the deposit to my savings account?", "finance", "request"),
        ("孩子的数学作业写到十一点。", "education", None),
        ("Tracking says the parcel is still in the warehouse.", "shopping_logistics", None),
    ],
)
def test_everyday_sentences_get_their_domain(tagger: LabelTagger, text: str, domain: str, intent: str | None) -> None:
    labels = tagger.tag(text)
    assert labels[0].domain == domain
    assert 0.55 <= labels[0].probability <= 1.0
    if intent is not None:
        assert labels[0].intent == intent


def test_held_out_sentences_are_labelled_right_or_not_at_all(tagger: LabelTagger, encoder: Encoder) -> None:
    """A gate below what `python -m tests.benchmarks.labels` prints for this file."""
    rows = [json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    subjects = [row for row in rows if row["domain"] != "general"]
    vectors = encoder.encode_passages([row["text"] for row in subjects]).vectors
    found = [tagger.tag(row["text"], vector) for row, vector in zip(subjects, vectors, strict=True)]
    told = [(row["domain"], labels[0].domain) for row, labels in zip(subjects, found, strict=True) if labels]
    right = sum(expected == domain for expected, domain in told)
    assert right / len(subjects) >= 0.9
    assert right / len(told) >= 0.92


@pytest.mark.parametrize("text", ["嗯，好的。", "Fine, see you.", "……", "?", "12345"])
def test_what_is_about_nothing_gets_no_subject(tagger: LabelTagger, text: str) -> None:
    assert all(label.domain == "general" for label in tagger.tag(text))


def test_a_clear_intent_is_kept_though_the_subject_is_open(tagger: LabelTagger) -> None:
    (label,) = tagger.tag("谢谢你，真的帮大忙了！")
    assert (label.domain, label.intent) == ("general", "thank")


def test_a_text_of_two_subjects_carries_both(tagger: LabelTagger) -> None:
    domains = {label.domain for label in tagger.tag("体检费用能不能报销？发票是医院开的。")}
    assert {"health", "finance"} <= domains


def test_the_likeliest_domain_comes_first_and_no_label_comes_twice(tagger: LabelTagger) -> None:
    for text in ("体检费用能不能报销？发票是医院开的。", "Thanks! Could you send the invoice for the flight?"):
        labels = tagger.tag(text)
        assert labels[0].probability == max(label.probability for label in labels)
        assert len({(label.domain, label.intent) for label in labels}) == len(labels)


def test_a_given_vector_is_used_instead_of_encoding(tagger: LabelTagger, encoder: Encoder) -> None:
    text = "The landlord hasn't fixed the boiler yet."
    vector = encoder.encode_passages([text]).vectors[0]
    kept = vector.copy()
    assert tagger.tag(text, vector) == tagger.tag(text)
    assert np.array_equal(vector, kept)


def test_traditional_script_is_labelled_like_simplified(tagger: LabelTagger) -> None:
    assert tagger.tag("醫生說要按時吃藥，下週複查血壓。")[0].domain == "health"


def test_the_dictionary_alone_labels_what_it_knows(dictionary: LabelTagger) -> None:
    label = dictionary.tag("发票和报销单都交了，银行还没打款。")[0]
    assert (label.domain, label.source) == ("finance", "dictionary")


def test_the_dictionary_alone_leaves_the_rest_unlabelled(dictionary: LabelTagger) -> None:
    assert dictionary.tag("他后来还是走了另一条路。") == ()


def test_source_names_who_spoke(tagger: LabelTagger) -> None:
    assert tagger.tag("银行卡余额不够付这张账单。")[0].source == "dictionary+classifier"
    assert tagger.tag("Aphids have got into everything on the allotment.")[0].source == "classifier"


def test_context_tips_an_open_sentence(dictionary: LabelTagger) -> None:
    text = "酒店那边的发票还没寄来。"  # travel and money alike
    before = Label(domain="travel_transport", probability=0.9, source="dictionary")
    assert dictionary.tag(text) == ()
    assert dictionary.tag(text, context=[before])[0].domain == "travel_transport"


def test_entity_is_the_type_most_spoken_of(tagger: LabelTagger) -> None:
    assert tagger.tag("合同第六条跟附件二对不上。")[0].entity == "document"
    assert tagger.tag("Our neighbour's cat had kittens last night, mum wants one.")[0].entity in {"animal", "person"}


def test_mentions_help_to_find_the_entity(tagger: LabelTagger) -> None:
    text = "把尾款打给博远。"
    plain = tagger.tag(text)[0].entity
    firm = Mention(start=5, end=7, text="博远", type="organisation", key="博远")
    told = tagger.tag(text, mentions=[firm, firm, firm])[0].entity
    assert (plain, told) == ("amount", "organisation")


def test_entities_are_types_of_the_library(tagger: LabelTagger) -> None:
    for domain in ONTOLOGY.domains:
        for label in tagger.tag(domain.examples.zh[0]):
            assert label.entity is None or ONTOLOGY.entity_type(label.entity) is not None


def test_an_encoder_out_of_reach_leaves_the_dictionary() -> None:
    encoder = CountingEncoder()
    encoder.out_of_reach = True
    label = LabelTagger(ONTOLOGY, encoder).tag("发票和报销单都交了，银行还没打款。")[0]
    assert (label.domain, label.source) == ("finance", "dictionary")


def test_an_encoder_that_knows_nothing_forces_no_domain() -> None:
    tagger = LabelTagger(ONTOLOGY, CountingEncoder())
    assert tagger.tag("他后来还是走了另一条路。") == ()


def test_the_package_carries_every_example_of_the_library() -> None:
    table = read_table(SHIPPED)
    assert table is not None
    wanted = {key_of(text) for words in all_examples(ONTOLOGY) for text in words.all}
    wanted |= {key_of(surface) for word in ONTOLOGY.sense_words for surface in word.surfaces.all}
    assert wanted <= set(table.card.keys), "run python -m graphsvc.language.build_centroids"


def test_only_new_sentences_are_encoded_and_the_cache_keeps_them(tmp_path: Path) -> None:
    first = CountingEncoder()
    rows = ExampleVectors(first, cache_dir=tmp_path).of(["one", "two"])
    second = CountingEncoder()
    again = ExampleVectors(second, cache_dir=tmp_path).of(["two", "three", "one"])
    assert second.asked == ["three"]
    assert np.allclose(rows[[1, 0]], again[[0, 2]], atol=1e-3)


def test_another_encoders_cache_is_not_used(tmp_path: Path) -> None:
    ExampleVectors(CountingEncoder("one"), cache_dir=tmp_path).of(["hello"])
    other = CountingEncoder("two")
    ExampleVectors(other, cache_dir=tmp_path).of(["hello"])
    assert other.asked == ["hello"]


def test_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    ExampleVectors(CountingEncoder(), cache_dir=tmp_path).of(["hello"])
    (rows,) = tmp_path.glob("*.f16")
    rows.write_bytes(rows.read_bytes()[:-1])
    encoder = CountingEncoder()
    ExampleVectors(encoder, cache_dir=tmp_path).of(["hello"])
    assert encoder.asked == ["hello"]


def test_an_added_domain_costs_only_its_own_sentences(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        """
        [domain.bees]
        name = { zh = "养蜂", en = "Beekeeping" }
        description = "Hives, honey, swarms."
        keywords.en = ["hive", "swarm", "honey"]
        examples.zh = ["第二箱蜂王不见了。", "今年槐花蜜只收了两桶。"]
        examples.en = ["The second hive has lost its queen.", "We spun eleven kilos of honey today."]
        """,
        encoding="utf-8",
    )
    cache = tmp_path / "cache"
    LabelTagger(ONTOLOGY, CountingEncoder(), cache_dir=cache).tag("anything")
    encoder = CountingEncoder()
    tagger = LabelTagger(load_ontology([file]), encoder, cache_dir=cache)
    assert tagger.tag("The hive swarmed, no honey this week.")[0].domain == "bees"
    assert sorted(encoder.asked[:-1]) == sorted(
        ["第二箱蜂王不见了。", "今年槐花蜜只收了两桶。", "The second hive has lost its queen.",
         "We spun eleven kilos of honey today."]
    )  # fmt: skip


def test_one_space_serves_several_taggers(encoder: Encoder) -> None:
    space = ExampleSpace(ONTOLOGY, encoder)
    assert space.space() is space.space()
    assert LabelTagger(ONTOLOGY, encoder, space=space).tag("医生让我多喝水。")[0].domain == "health"


class TestKeywords:
    index = KeywordIndex(
        {"money": Words(zh=("会计", "税"), en=("credit card", "loan")), "law": Words(zh=("会计法",), en=("loan",))}
    )

    def test_a_keyword_across_two_words_does_not_count(self) -> None:
        assert self.index.hits(read("社会计划")) == {}

    def test_a_keyword_inside_a_longer_keyword_does_not_count(self) -> None:
        assert self.index.hits(read("会计法")) == {"law": 1.0}

    def test_english_endings_do_not_matter(self) -> None:
        assert self.index.hits(read("Two CREDIT CARDS")) == {"money": 1.0}

    def test_a_keyword_of_two_owners_counts_half_for_each(self) -> None:
        assert self.index.hits(read("a loan, another loan")) == {"money": 0.5, "law": 0.5}

    def test_a_part_of_a_word_does_not_count(self) -> None:
        assert self.index.hits(read("loaner")) == {}


@pytest.fixture(scope="module")
def senses(encoder: Encoder) -> SenseTagger:
    return SenseTagger(ONTOLOGY, encoder)


def sense_of(text: str, surface: str, sense: str | None, source: SenseSource = SenseSource.SENTENCE) -> Sense:
    start = text.index(surface)
    source = SenseSource.UNRESOLVED if sense is None else source
    return Sense(start=start, end=start + len(surface), surface=surface, sense=sense, probability=0.9, source=source)


@pytest.mark.parametrize(
    "text",
    [
        "The heron stood on the far bank",
        "The bank was steep and muddy",
        "You can bank on me",
        "Snow bank",
        "We tied the punt up under the bank.",
    ],
)
def test_a_bank_that_keeps_no_money_is_no_finance(tagger: LabelTagger, senses: SenseTagger, text: str) -> None:
    assert all(label.domain != "finance" for label in tagger.tag(text, senses=senses.tag(text)))


def test_a_told_sense_speaks_for_its_domain(tagger: LabelTagger) -> None:
    text = "The plant closed and four hundred people lost their jobs."
    assert tagger.tag(text)[0].domain == "nature_outdoors", "the vector hears leaves in the word"
    assert tagger.tag(text, senses=[sense_of(text, "plant", "plant.factory")])[0].domain == "work_project"


def test_a_corrected_sense_changes_the_label_when_labels_are_given_anew(encoder: Encoder, tmp_path: Path) -> None:
    with open_graph(tmp_path, encoder) as graph:
        graph.add([{"id": "m", "text": "The bank was steep and muddy"}])
        graph.correct_sense("m", "bank", "bank.river")
        graph.relabel()
        facts = graph.get("m").facts
    assert facts.labels[0].domain == "nature_outdoors"
    assert [sense.source for sense in facts.senses] == [SenseSource.CORRECTION]


def test_a_correction_weighs_more_than_what_is_told(tagger: LabelTagger) -> None:
    text = "The bank was steep and muddy"
    told = tagger.tag(text, senses=[sense_of(text, "bank", "bank.river")])
    corrected = tagger.tag(text, senses=[sense_of(text, "bank", "bank.river", SenseSource.CORRECTION)])
    assert corrected[0].domain == "nature_outdoors"
    assert corrected[0].probability > (told[0].probability if told else 0.0)


def test_what_is_taken_from_one_domain_while_a_sense_is_open_is_given_to_no_other(tagger: LabelTagger) -> None:
    text = "The bank was steep and muddy"
    assert tagger.tag(text)[0].domain == "finance", "the vector hears money in the word"
    assert tagger.tag(text, senses=[sense_of(text, "bank", None)]) == ()


def test_a_keyword_of_several_senses_counts_for_the_told_one_alone(dictionary: LabelTagger) -> None:
    text = "那块芯片"
    assert dictionary.tag(text)[0].domain == "technology"
    assert dictionary.tag(text, senses=[sense_of(text, "芯片", None)]) == ()
    text = "这些花"
    assert dictionary.tag(text, senses=[sense_of(text, "花", "hua.flower")])[0].domain == "nature_outdoors"
    assert dictionary.tag(text, senses=[sense_of(text, "花", None)]) == ()


def test_the_domain_of_one_words_sense_is_not_taken_back_for_another_word() -> None:
    text = "the bank by the spring"
    told = [sense_of(text, "bank", "bank.money"), sense_of(text, "spring", None)]
    weighed = Ambiguity(ONTOLOGY).weigh(told, {("bank", "finance"): 3.0, ("bank", "nature_outdoors"): 0.5})
    assert set(weighed.added) == {"finance"}
    assert "finance" not in weighed.taken
    assert weighed.taken["nature_outdoors"] >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "今天中午吃了碗牛肉面",
        "我弟在南京上班",
        "门口停着一辆面包车",
        "Caught a bass in the lake",
        "The interest on my loan is too high",
        "He lit a match",
        "A van is parked outside the gate.",
    ],
)
def test_a_plain_statement_does_nothing_but_tell(tagger: LabelTagger, senses: SenseTagger, text: str) -> None:
    assert {label.intent for label in tagger.tag(text, senses=senses.tag(text))} <= {None, "inform", "complain"}


def test_an_intent_comes_with_its_own_probability(tagger: LabelTagger) -> None:
    (label,) = tagger.tag("谢谢你，真的帮大忙了！")
    assert label.intent_probability is not None
    assert label.intent_probability >= 0.6
    for text in ("The landlord hasn't fixed the boiler yet.", "He lit a match", "孩子的数学作业写到十一点。"):
        assert all((one.intent is None) == (one.intent_probability is None) for one in tagger.tag(text))
