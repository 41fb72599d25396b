"""Topics the library lacks are proposed out of what is stored, the same ones each time, and what is accepted labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import FieldInvalid, NotFound, SettingsInvalid
from graphsvc.language.centroids import ExampleSpace
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.facts import Facts, Label, Language, Sense, SenseSource
from graphsvc.models.memory import Memory
from graphsvc.models.topics import ProposedMeaning, ProposedSense, ProposedTopic
from graphsvc.settings import Settings
from graphsvc.store.filters import EVERYTHING
from graphsvc.topics.accept import Wishes, additions_for, overlay_of
from graphsvc.topics.cluster import agreement_bar, centred, clusters, joining_bar, namespace_means, shares_of
from graphsvc.topics.describe import suggested_id
from graphsvc.topics.gather import Held
from graphsvc.topics.ledger import KeptProposals, Ledger
from graphsvc.topics.pairs import Pair, PairKind, training_pairs
from graphsvc.topics.senses import span_of
from graphsvc.topics.words import as_written, is_han, subject_terms, telling_words, terms
from ontology.loader import load_ontology
from ontology.overlay import add_entries
from tests.builders import axis, fixed_clock, memory
from tests.graphs import open_graph

TOLD = SenseSource.SENTENCE

ONTOLOGY = load_ontology()
BEES = (
    "varroa mites in the hive again, oxalic acid for the hive",
    "the hive lost its queen, varroa everywhere in the hive",
    "new frames for the hive, varroa board under the hive",
    "varroa count in hive three, hive four is clean",
    "the hive swarmed, varroa treatment for the hive is due",
)
CLAY = (
    "陶坯修好了，素烧前先阴干陶坯",
    "陶坯裂了，釉料也流到陶坯底下",
    "釉料调稀一点，再给陶坯上第二遍釉料",
    "陶坯进窑，釉料等素烧以后再上陶坯",
)

POTTERY = (
    "Bisque firing went fine, two mugs cracked at the handle.",
    "My celadon glaze came out too grey in reduction.",
    "The handles on my mugs keep pulling off while drying.",
    "The ash glaze ran down on to the kiln shelf.",
    "Slip casting the teapot took three tries.",
    "The raku pots came out with beautiful crackle.",
    "Mixed a new porcelain slip with a bit of molochite.",
    "Dried the tiles too fast and they warped.",
    "拉坯的时候碗口总是歪。",
    "素烧完有两个杯子裂了。",
    "青瓷釉在还原焰里烧出来偏灰。",
    "修坯修掉了太多，碗底穿了。",
    "拉坯机的转盘有点晃。",
    "注浆的石膏模子还没干透。",
    "坯体干得太快，翘起来了。",
    "开窑的时候釉面全是针孔。",
    "瓷泥比陶泥难拉多了。",
    "新配的釉料流釉，粘在窑板上了。",
)


def spread(count: int, near: FloatArray, seed: int) -> FloatArray:
    """Unit vectors around one direction, cosines of about .9 to it."""
    noise = np.random.default_rng(seed).standard_normal((count, near.size)) * 0.15
    rows = near + noise
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_rows_that_are_alike_become_one_group_and_strays_none() -> None:
    rows = np.concatenate([spread(6, axis(0), 1), spread(4, axis(1), 2), axis(2)[None], axis(3)[None]])
    assert [group.tolist() for group in clusters(rows, 0.5, least=3)] == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
    assert [group.tolist() for group in clusters(rows, 0.5, least=5)] == [[0, 1, 2, 3, 4, 5]]


def test_the_order_of_memories_does_not_change_the_groups() -> None:
    rows = np.concatenate([spread(6, axis(0), 1), spread(4, axis(1), 2), spread(5, axis(4), 3)])
    order = np.random.default_rng(5).permutation(len(rows))
    shuffled = [frozenset(order[group].tolist()) for group in clusters(rows[order], 0.5, least=3)]
    assert set(shuffled) == {frozenset(group.tolist()) for group in clusters(rows, 0.5, least=3)}


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_rows_make_no_group(count: int) -> None:
    assert clusters(spread(count, axis(0), 1), 0.5, least=3) == []


def test_the_same_row_many_times_is_one_group() -> None:
    assert [len(group) for group in clusters(np.tile(axis(0), (7, 1)), 0.5, least=2)] == [7]


def test_a_namespace_is_seen_from_its_own_middle_once_it_holds_enough() -> None:
    library = np.stack([axis(0), axis(1)])
    english = np.tile(axis(2), (500, 1))
    shares = shares_of([Language.EN] * 500)
    means = namespace_means(english, shares, library)
    assert means[0].tolist() == library[0].tolist(), "nothing Chinese is stored"
    assert means[1] @ axis(2) > 0.9
    few = namespace_means(english[:5], shares[:5], library)
    assert few[1] @ axis(1) > 0.9


def test_a_text_in_both_languages_stands_between_their_middles() -> None:
    means = np.stack([axis(0), axis(1)])
    vector = (axis(0) + axis(1)) / 2
    assert centred(vector[None], shares_of([Language.MIXED]), means).tolist() == [[0.0] * 8]


def test_a_group_is_named_by_what_the_others_do_not_say() -> None:
    other = [terms("the hotel by the station was booked"), terms("酒店订好了")]
    bees, clay = telling_words([[terms(text) for text in BEES], [terms(text) for text in CLAY]], other)
    assert {one.word for one in bees[:2]} == {as_word("hive"), "varroa"}
    assert {one.word for one in clay[:3]} >= {"釉料"}
    assert bees[0].share == 1.0


def as_word(word: str) -> str:
    """The search token of a word."""
    return next(iter(terms(word)))


def test_words_of_grammar_name_nothing() -> None:
    assert terms("they were doing it because of the others, and only then") == frozenset()
    assert terms("因为我们可以") == frozenset()


def test_a_stem_is_shown_as_it_is_mostly_written() -> None:
    texts = ["two hives", "three hives and a hive"]
    assert as_written(as_word("hives"), texts) == "hives"


def test_an_id_is_ascii_and_free() -> None:
    assert suggested_id(["蜂箱", "queen's"], {"finance"}, "x") == "fengxiang_queens"
    assert suggested_id(["finance"], {"finance", "finance_2"}, "x") == "finance_3"
    assert suggested_id([], {"finance"}, "topic_1") == "topic_1"


class Watched:
    """An encoder that remembers which texts it was asked for."""

    def __init__(self) -> None:
        self._encoder = HashingEncoder()
        self.asked: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return self._encoder.fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        self.asked += texts
        return self._encoder.encode_passages(texts)

    def encode_query(self, text: str) -> EncodedQuery:
        return self._encoder.encode_query(text)


def open_over(folder: Path, encoder: Watched) -> MemoryGraph:
    """A graph whose library has the overlay of `folder` over it."""
    overlay = folder / "overlay"
    overlay.mkdir(exist_ok=True)
    settings = Settings(cache_dir=folder / "cache", ontology=overlay)
    return MemoryGraph.open(f"sqlite:///{folder / 'store'}", settings=settings, encoder=encoder, clock=fixed_clock)


def fill(graph: MemoryGraph) -> None:
    """Bees and clay, of which the library knows nothing, among other things."""
    graph.add([{"id": f"bee{n}", "text": text} for n, text in enumerate(BEES)])
    graph.add([{"id": f"clay{n}", "text": text} for n, text in enumerate(CLAY)])
    graph.add([{"id": "bank", "text": "房贷利率降了，去银行改合同"}, {"id": "thanks", "text": "Thanks, see you!"}])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hives")


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[MemoryGraph]:
    with open_over(folder, Watched()) as graph:
        yield graph


@pytest.fixture
def hives(opened: MemoryGraph) -> Iterator[MemoryGraph]:
    """The filled graph, afresh for each test."""
    fill(opened)
    yield opened
    opened.delete_all(EVERYTHING)


def members(topic: ProposedTopic) -> set[str]:
    return {str(one).rstrip("0123456789") for one in topic.memory_ids}


def test_topics_nobody_listed_are_proposed_and_named(hives: MemoryGraph) -> None:
    found = hives.propose(below=1.0)
    bees = next(topic for topic in found.topics if members(topic) == {"bee"})
    assert bees.size == len(BEES)
    assert "varroa" in bees.keywords
    assert {example.text for example in bees.examples} == set(BEES)
    assert hives.propose(below=1.0) == found


def test_a_proposal_is_found_again_as_it_was_though_memories_came(hives: MemoryGraph) -> None:
    topic = hives.propose(below=1.0).topics[0]
    hives.add(["another hive, varroa in the hive"])
    found = hives.proposal(topic.id)
    assert isinstance(found, ProposedTopic)
    assert (found.id, found.memory_ids) == (topic.id, topic.memory_ids)


def test_a_memory_deleted_meanwhile_has_left_the_proposal(hives: MemoryGraph) -> None:
    topic = hives.propose(below=1.0).topics[0]
    gone = topic.memory_ids[0]
    hives.delete(gone)
    found = hives.proposal(topic.id)
    assert isinstance(found, ProposedTopic)
    assert gone not in found.memory_ids
    assert found.size == topic.size - 1


def test_what_was_never_proposed_is_not_found(hives: MemoryGraph) -> None:
    proposed = hives.propose(below=1.0).topics[0].id
    with pytest.raises(NotFound) as caught:
        hives.proposal("topic-00000000")
    assert "propose" in caught.value.remedy
    with pytest.raises(NotFound):
        hives.proposal(proposed, namespace="somebody else's")


def test_the_ledger_keeps_ids_and_no_text(hives: MemoryGraph, folder: Path) -> None:
    assert hives.propose(below=1.0).topics
    kept = next((folder / "cache" / "proposals").iterdir()).read_text(encoding="utf-8")
    assert "bee0" in kept
    assert "varroa" not in kept
    assert "陶坯" not in kept


def test_a_word_used_in_two_ways_is_proposed_with_both(tmp_path: Path) -> None:
    subjects = {key: ONTOLOGY.domain(key) for key in ("finance", "nature_outdoors")}
    with open_graph(tmp_path, BundledEncoder()) as graph:
        for key, domain in subjects.items():
            assert domain is not None
            graph.add([{"id": f"{key}-{n}", "text": f"the zorp: {x}"} for n, x in enumerate(domain.examples.en)])
        (proposal,) = (one for one in graph.propose().senses if one.surface == "zorp")
        assert {use.domain: {key.split("-")[0] for key in use.memory_ids} for use in proposal.meanings} == {
            key: {key} for key in subjects
        }
        graph.add(["another zorp by the river"])
        assert graph.proposal(proposal.id) == proposal


def test_a_word_is_found_where_it_stands() -> None:
    text = "Two HIVES，又买了蜂箱"
    for word, found in (("hiv", "HIVES"), ("蜂箱", "蜂箱")):
        span = span_of(word, text)
        assert span is not None
        assert text[slice(*span)] == found
    assert span_of("蜂王", text) is None


def test_a_proposal_shown_before_can_be_accepted_after_others_were_shown(hives: MemoryGraph) -> None:
    first = hives.propose(below=1.0)
    bees = next(topic for topic in first.topics if members(topic) == {"bee"})
    hives.delete(bees.memory_ids[0])
    assert bees.id not in {topic.id for topic in hives.propose(below=1.0).topics}
    for topic in first.topics:
        assert hives.proposal(topic.id).id == topic.id


def test_groups_whose_middles_agree_are_made_one() -> None:
    between = (axis(0) + axis(1)) / np.sqrt(2.0).astype(np.float32)
    rows = np.repeat(np.stack([axis(0), between, axis(3)]), 5, axis=0)
    assert [len(group) for group in clusters(rows, 0.8, least=4, agreement=0.6)] == [10, 5]
    assert [len(group) for group in clusters(rows, 0.8, least=4)] == [5, 5, 5]


def test_the_bar_for_middles_lies_above_that_of_single_sentences() -> None:
    domains = [domain.examples for domain in ONTOLOGY.domains if not domain.background]
    space = ExampleSpace(ONTOLOGY, BundledEncoder())
    assert joining_bar(space, domains) < agreement_bar(space, domains) < 0.5


def test_a_topic_in_two_languages_is_one_with_a_name_and_keywords_in_each(tmp_path: Path) -> None:
    """All of a namespace is of one subject the library lacks, which must not be taken for its middle."""
    with open_graph(tmp_path, BundledEncoder()) as graph:
        graph.add([{"id": f"pot{n}", "text": text} for n, text in enumerate(POTTERY)])
        topic = graph.propose(below=1.0).topics[0]
        languages = [graph.get(key).language for key in topic.memory_ids]
        assert topic.size > len(POTTERY) / 2
        assert min(languages.count(Language.ZH), languages.count(Language.EN)) >= 4
        assert topic.name_zh is not None
        assert topic.name_en is not None
        assert is_han(topic.name_zh)
        assert topic.name_en.isascii()
        assert {is_han(word) for word in topic.keywords} == {True, False}
        (added,) = additions_for(topic, graph.ontology, Wishes(domain_id="pottery"))
        assert added.table["name"] == {"zh": topic.name_zh, "en": topic.name_en}


def test_a_single_character_names_a_subject_when_several_texts_share_it_alone() -> None:
    texts = ["素烧以后上釉", "釉太厚了", "这釉发灰"]
    (told,) = telling_words([[subject_terms(text) for text in texts]], [subject_terms("他住在河边")])
    assert told[0].word == "釉"
    assert terms("一千二百") == frozenset()


def test_a_damaged_ledger_is_an_empty_one(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "sqlite:///somewhere")
    ledger.keep("default", KeptProposals())
    next((tmp_path / "proposals").iterdir()).write_text("{", encoding="utf-8")
    assert ledger.read("default") == KeptProposals()


def test_a_ledger_that_cannot_be_written_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "proposals").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        Ledger(tmp_path, "sqlite:///somewhere").keep("default", KeptProposals())
    assert caught.value.where == "GRAPHSVC_CACHE_DIR"


def test_an_empty_namespace_proposes_nothing(hives: MemoryGraph) -> None:
    found = hives.propose(namespace="empty")
    assert (found.memories, found.topics, found.senses) == (0, (), ())


def test_what_is_accepted_labels_what_is_stored_without_encoding_it(tmp_path: Path) -> None:
    with open_over(tmp_path, Watched()) as graph:
        fill(graph)
        topic = next(one for one in graph.propose(below=1.0).topics if members(one) == {"bee"})
        wishes = Wishes(name_zh="养蜂", name_en="Beekeeping", domain_id="beekeeping")
        add_entries(overlay_of(tmp_path / "overlay"), additions_for(topic, graph.ontology, wishes))
        before = {one.id: one for one in graph.get_all().memories}
    encoder = Watched()
    with open_over(tmp_path, encoder) as graph:
        read, changed = graph.relabel()
        after = {one.id: one for one in graph.get_all().memories}
        assert graph.relabel() == (read, 0), "a second time changes nothing"
    assert {str(key) for key, one in after.items() if _domain(one) == "beekeeping"} >= {f"bee{n}" for n in range(5)}
    assert (read, changed) == (len(before), sum(after[key].facts != before[key].facts for key in before))
    stored = {one.text for one in before.values()} - set(BEES)
    assert stored.isdisjoint(encoder.asked), "the examples are encoded, the memories are not"
    assert all(after[key].model_copy(update={"facts": before[key].facts}) == before[key] for key in before)


def _domain(one: Memory) -> str | None:
    return one.facts.labels[0].domain if one.facts.labels else None


TOPIC = ProposedTopic(
    id="topic-1",
    suggested_id="hive_varroa",
    name="hive, varroa",
    keywords=("hive", "蜂箱"),
    size=5,
    close_to=None,
    closeness=0.1,
    examples=(),
    memory_ids=(),
)


def test_what_is_close_to_a_domain_needs_a_choice() -> None:
    near = TOPIC.model_copy(update={"close_to": "nature_outdoors", "closeness": 0.4})
    with pytest.raises(FieldInvalid) as caught:
        additions_for(near, ONTOLOGY, Wishes())
    assert "--domain-id nature_outdoors" in caught.value.remedy
    (added,) = additions_for(near, ONTOLOGY, Wishes(domain_id="nature_outdoors"))
    assert (added.path, "name" in added.table) == (("domain", "nature_outdoors"), False)
    (unnamed,) = additions_for(near, ONTOLOGY, Wishes(domain_id=""))
    assert unnamed.path == ("domain", ""), "an empty id is refused with the file, not taken for no wish"
    (new,) = additions_for(near, ONTOLOGY, Wishes(domain_id="bees"))
    assert new.table["name"] == {"zh": "hive, varroa", "en": "hive, varroa"}


def test_keywords_only_keeps_memories_out_of_the_overlay(hives: MemoryGraph) -> None:
    topic = hives.propose(below=1.0).topics[0]
    (added,) = additions_for(topic, hives.ontology, Wishes(domain_id="new", keywords_only=True))
    assert added.table["examples"] == {}
    assert not any(text in json.dumps(added.table, ensure_ascii=False) for text in (*BEES, *CLAY))


def test_senses_of_a_new_word_are_written_with_the_word(tmp_path: Path) -> None:
    use = ProposedMeaning(
        suggested_id="one", cues=("窑",), domain="leisure_culture", size=3, examples=(), memory_ids=()
    )
    other = use.model_copy(update={"suggested_id": "two", "domain": None})
    proposal = ProposedSense(id="sense-1", surface="陶坯", word=None, meanings=(use, other))
    with pytest.raises(FieldInvalid, match="near no domain"):
        additions_for(proposal, ONTOLOGY, Wishes())
    named = additions_for(proposal, ONTOLOGY, Wishes(domain_id="shopping_logistics"))
    _, library = add_entries(tmp_path, named)
    word = library.sense_word("陶坯")
    assert word is not None
    assert [sense.id for sense in word.senses] == ["陶坯.one", "陶坯.two"]


def test_without_an_overlay_it_is_said_what_to_set() -> None:
    with pytest.raises(SettingsInvalid) as caught:
        overlay_of(None)
    assert caught.value.where == "GRAPHSVC_ONTOLOGY"
    assert caught.value.remedy


def held(*memories: Memory) -> Held:
    vectors = np.stack([spread(1, axis(n % 3), n)[0] for n in range(len(memories))])
    return Held("default", memories, vectors)


def turn(number: int, text: str, talk: str, domain: str | None = None, sense: str | None = None) -> Memory:
    labels = () if domain is None else (Label(domain=domain, intent="inform", probability=0.9, source="test"),)
    senses = () if sense is None else (Sense(start=0, end=4, surface="bank", sense=sense, probability=1, source=TOLD),)
    moment = fixed_clock().replace(minute=number)
    facts = Facts(labels=labels, senses=senses)
    return memory(f"m{number}", text, event_time=moment, conversation_id=talk, facts=facts)


TALKS = held(
    turn(1, "bank fees went up", "a", "finance", "bank.finance"),
    turn(2, "bank closes at four", "a", "finance", "bank.finance"),
    turn(3, "and the loan?", "a"),
    turn(4, "bank of the stream was muddy", "b", "nature_outdoors", "bank.river"),
    turn(5, "bank loan was refused", "c", "finance", "bank.finance"),
)


def of_kind(kind: PairKind) -> list[Pair]:
    return [pair for pair in training_pairs(TALKS, ONTOLOGY) if pair.kind is kind]


def test_neighbours_carry_the_turns_before_them() -> None:
    pairs = of_kind(PairKind.NEIGHBOUR)
    assert [(pair.query, pair.positive) for pair in pairs] == [
        ("bank fees went up", "bank closes at four"),
        ("bank closes at four", "and the loan?"),
    ]
    assert pairs[1].context == ("bank fees went up",)
    assert pairs[1].negatives == ("bank of the stream was muddy",)
    assert pairs[0].label == "finance"


def test_pairs_of_a_label_come_from_other_conversations_and_negatives_from_other_domains() -> None:
    pairs = of_kind(PairKind.LABEL)
    assert {(pair.query, pair.positive) for pair in pairs} >= {("bank fees went up", "bank loan was refused")}
    assert ("bank fees went up", "bank closes at four") not in {(pair.query, pair.positive) for pair in pairs}
    assert {pair.negatives for pair in pairs} == {("bank of the stream was muddy",)}


def test_other_senses_of_the_word_are_the_negatives_of_a_sense() -> None:
    pairs = of_kind(PairKind.SENSE)
    assert {pair.sense for pair in pairs} == {"bank.finance"}
    assert {pair.negatives for pair in pairs} == {("bank of the stream was muddy",)}
    assert len(pairs) == 3


def test_pairs_are_the_same_each_time() -> None:
    assert list(training_pairs(TALKS, ONTOLOGY)) == list(training_pairs(TALKS, ONTOLOGY))
    assert list(training_pairs(Held("default", (), np.zeros((0, 0), np.float32)), ONTOLOGY)) == []
