"""The trained head: what it adds, what it leaves alone, and what happens when its files are not what they should be."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import structlog

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.centroids import ExampleSpace, softmax
from graphsvc.language.keywords import read
from graphsvc.language.labels import Asked, LabelTagger
from graphsvc.language.labels.cache import LONGEST, LabelCache
from graphsvc.language.labels.classifier import joined
from graphsvc.language.labels.corpora import own_sentences, own_statements
from graphsvc.language.labels.fit import Rows, balanced, calibration_error, fit_linear, fit_temperature
from graphsvc.language.labels.head import SHIPPED, han_share, read_head
from graphsvc.models.facts import Label
from ontology.loader import load_ontology

ONTOLOGY = load_ontology()
TEXT = "医生让我多喝水。"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return BundledEncoder()


@pytest.fixture(scope="module")
def space(encoder: Encoder) -> ExampleSpace:
    return ExampleSpace(ONTOLOGY, encoder)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for suffix in (".json", ".f32"):
        shutil.copy(SHIPPED.with_suffix(suffix), tmp_path / f"head{suffix}")
    return tmp_path / "head.json"


@pytest.fixture
def events() -> Iterator[list[dict[str, object]]]:
    with structlog.testing.capture_logs() as captured:
        yield captured  # type: ignore[misc]  # event dictionaries are mappings of str


def test_the_shipped_head_knows_every_class_of_the_library() -> None:
    head = read_head(SHIPPED)
    assert head is not None
    kept = head.of(ONTOLOGY.domains, ONTOLOGY.intents)
    remedy = "run python -m graphsvc.language.labels.train"
    assert set(kept.domains.ids) == {one.id for one in ONTOLOGY.domains}, remedy
    assert set(kept.intents.ids) == {one.id for one in ONTOLOGY.intents}, remedy


def test_the_head_was_taught_with_the_bundled_encoder(encoder: Encoder) -> None:
    head = read_head(SHIPPED)
    assert head is not None
    assert head.reads(encoder)
    assert float(head.probe @ encoder.encode_passages([head.card.probe]).vectors[0]) > 0.995


@pytest.mark.parametrize("damage", ["cut", "changed", "no rows", "no card", "card of another shape", "card is no JSON"])
def test_a_damaged_head_leaves_the_centroids_and_a_line_in_the_log(
    damage: str, copied: Path, space: ExampleSpace, encoder: Encoder, events: list[dict[str, object]]
) -> None:
    rows = copied.with_suffix(".f32")
    raw = rows.read_bytes()
    if damage == "cut":
        rows.write_bytes(raw[:-4])
    elif damage == "changed":
        rows.write_bytes(bytes([raw[0] ^ 1]) + raw[1:])
    elif damage == "no rows":
        rows.unlink()
    elif damage == "no card":
        copied.unlink()
    elif damage == "card of another shape":
        card = copied.read_text(encoding="utf-8")
        copied.write_text(card.replace('"dimension": 384', '"dimension": 383'), encoding="utf-8")
    else:
        copied.write_text("{", encoding="utf-8")
    label = LabelTagger(ONTOLOGY, encoder, space=space, head_path=copied).tag(TEXT)[0]
    assert (label.domain, label.source) == ("health", "dictionary+centroid")
    assert [event["event"] for event in events] == ["label_head_unusable"]


def test_an_added_domain_is_judged_by_its_centroid(tmp_path: Path, encoder: Encoder) -> None:
    file = tmp_path / "bees.toml"
    file.write_text(
        """
        [domain.bees]
        name = { zh = "养蜂", en = "Beekeeping" }
        description = "Hives, honey, swarms."
        examples.zh = ["第二箱蜂王不见了。", "今年槐花蜜只收了两桶。", "分蜂了，整群落在梨树上。",
                       "给蜂箱加了一层继箱。"]
        examples.en = ["The second hive has lost its queen.", "We spun eleven kilos of honey today.",
                       "The colony swarmed into the pear tree.", "I added a super to the strongest hive."]
        """,
        encoding="utf-8",
    )
    tagger = LabelTagger(load_ontology([file]), encoder)
    added = tagger.tag("新王已经产卵，蜂群很安静。")[0]
    assert (added.domain, added.source) == ("bees", "centroid")
    assert tagger.tag("The boiler in our flat is broken again.")[0].domain == "housing_property"


def test_a_domain_described_anew_is_not_what_the_head_learnt(tmp_path: Path, encoder: Encoder) -> None:
    file = tmp_path / "food.toml"
    file.write_text('[domain.food]\ndescription = "Feed for animals."\n', encoding="utf-8")
    changed = load_ontology([file])
    head = read_head(SHIPPED)
    assert head is not None
    assert "food" not in head.of(changed.domains, changed.intents).domains.ids
    tags = LabelTagger(changed, encoder).tag("Preheat the oven and knead the dough.")
    assert {label.domain: label.source for label in tags}["food"].endswith("centroid")


def test_a_class_the_head_does_not_know_keeps_its_odds_against_the_others() -> None:
    both = softmax(joined(("a", "b", "new"), {"a": 0.0, "b": 0.0, "new": 3.0}, {"a": 5.0, "b": 5.0}))
    assert both == pytest.approx(softmax(np.array([0.0, 0.0, 3.0], np.float32)), abs=1e-5)


def test_what_was_just_said_counts_more_than_what_was_said_before(encoder: Encoder, space: ExampleSpace) -> None:
    tagger = LabelTagger(ONTOLOGY, None)
    text = "酒店那边的发票还没寄来。"  # travel and money alike
    travel = Label(domain="travel_transport", probability=0.9, source="dictionary")
    money = Label(domain="finance", probability=0.9, source="dictionary")
    assert tagger.tag(text, context=[travel, money])[0].domain == "travel_transport"
    assert tagger.tag(text, context=[money, travel])[0].domain == "finance"


def test_a_text_tagged_again_is_remembered_for_its_own_vector_and_topic(encoder: Encoder, space: ExampleSpace) -> None:
    tagger = LabelTagger(ONTOLOGY, encoder, space=space)
    vector = encoder.encode_passages([TEXT]).vectors[0]
    assert tagger.tag(TEXT, vector) is tagger.tag(TEXT, vector.copy())
    other = encoder.encode_passages(["The tenant paid no rent."]).vectors[0]
    assert tagger.tag(TEXT, other) is not tagger.tag(TEXT, vector)
    before = Label(domain="food", probability=0.9, source="classifier")
    assert tagger.tag(TEXT, vector, [before]) is not tagger.tag(TEXT, vector)


def test_the_cache_forgets_what_was_asked_longest_ago_and_keeps_no_long_text() -> None:
    cache = LabelCache("made by", size=2)
    keys = [cache.key(Asked(text, read(""))) for text in ("one", "two", "three")]
    for key in keys[:2]:
        cache.put(key, ())
    assert cache.get(keys[0]) == ()
    cache.put(keys[2], ())
    assert (cache.get(keys[1]), cache.get(keys[0]), len(cache)) == (None, (), 2)
    assert cache.key(Asked("x" * (LONGEST + 1), read(""))) is None
    assert LabelCache("another").key(Asked("one", read(""))) != keys[0]


def test_a_line_of_a_megabyte_is_labelled_by_its_beginning(encoder: Encoder, space: ExampleSpace) -> None:
    tagger = LabelTagger(ONTOLOGY, encoder, space=space)
    line = "The landlord has not fixed the boiler in our flat yet. " * 19_000
    start = time.perf_counter()
    labels = tagger.tag(line)
    assert time.perf_counter() - start < 2.0
    assert labels[0].domain == "housing_property"


def test_own_sentences_name_domains_of_the_library_and_none_is_a_test_sentence() -> None:
    held_out = (Path(__file__).parents[1] / "quality" / "labels.jsonl").read_text(encoding="utf-8")
    for example in own_sentences(ONTOLOGY)["sentences"]:
        assert ONTOLOGY.domain(example.domain) is not None
        assert f'"{example.text}"' not in held_out


def test_equal_rows_give_equal_heads_that_tell_the_classes_apart() -> None:
    rng = np.random.default_rng(3)
    members = np.arange(90) % 3
    vectors = (np.eye(3)[members] + rng.normal(0, 0.1, (90, 3))).astype(np.float32)
    rows = Rows(vectors, members, np.ones(90))
    first, again = (fit_linear(rows, 3, strength=1.0) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert ((vectors @ first[0].T + first[1]).argmax(axis=1) == members).all()


def test_balanced_weights_share_the_total_evenly() -> None:
    weights = balanced(np.array([0, 0, 0, 2]), 3, 8.0)
    assert weights.tolist() == pytest.approx([4 / 3, 4 / 3, 4 / 3, 4.0])


def test_temperature_undoes_too_much_certainty() -> None:
    members = np.array([0] * 80 + [1] * 20)  # class 0 is right in 80 of 100
    logits = np.tile(np.array([[np.log(4.0) * 5.0, 0.0]], np.float32), (100, 1))
    temperature = fit_temperature(logits, members)
    assert temperature == pytest.approx(5.0, abs=0.05)
    assert (
        calibration_error(softmax(logits / temperature), members) < 0.01 < calibration_error(softmax(logits), members)
    )


def test_own_statements_are_of_intents_of_the_library_and_in_both_languages() -> None:
    statements = own_statements()
    assert all(ONTOLOGY.intent(one.domain) is not None for one in statements)
    shares = [han_share(one.text) for one in statements]
    assert min(shares.count(1.0), shares.count(0.0)) >= 60
    assert len({one.text for one in statements}) == len(statements)
