"""The head of question types: what it adds to the rules, and what happens when its files are damaged."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.train import examples, teach
from graphsvc.retrieve.parse.type_head import SHIPPED, read_head, write_head
from ontology.loader import load_ontology

ONTOLOGY = load_ontology()


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return BundledEncoder()


@pytest.fixture(scope="module")
def reader(encoder: Encoder) -> KindReader:
    return KindReader.of(encoder)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("师傅电话", "identifier"),
        ("护照放哪", "location"),
        ("rent deposit", "amount"),
        ("ferry booked?", "yes_no"),
        ("landlord's phone", "identifier"),
        ("宠物条款", "clause_text"),
        ("budget for the party?", "amount"),
    ],
)
def test_elliptical_questions_show_their_type(text: str, kind: str, encoder: Encoder, reader: KindReader) -> None:
    found, probability = reader.read(text, encoder.encode_query(text).vector, ONTOLOGY)
    assert found == kind
    assert 0.4 <= probability <= 1.0


def test_a_rule_goes_before_the_head_and_is_sure(encoder: Encoder, reader: KindReader) -> None:
    text = "When does the clinic open?"
    assert reader.read(text, encoder.encode_query(text).vector, ONTOLOGY) == ("time_point", 1.0)


def test_every_type_has_forty_questions_a_language_and_none_twice() -> None:
    taught = examples()
    counts = Counter((one.kind, one.language) for one in taught)
    assert {kind for kind, _ in counts} == {kind.id for kind in ONTOLOGY.query_types}
    assert min(counts.values()) >= 40
    assert len({one.text for one in taught}) == len(taught)


def test_the_head_beats_the_rules_on_questions_it_never_saw(encoder: Encoder, reader: KindReader) -> None:
    held_out = [one for one in examples() if one.held_out]
    vectors = [encoder.encode_query(one.text).vector for one in held_out]
    both, rules = (
        np.mean([r.read(one.text, v, ONTOLOGY)[0] == one.kind for one, v in zip(held_out, vectors, strict=True)])
        for r in (reader, KindReader())
    )
    assert both > 0.65
    assert both > rules + 0.3


def test_another_encoder_is_read_by_rules_alone() -> None:
    other = HashingEncoder()
    assert KindReader.of(other).head is None
    assert KindReader.of(other).read("师傅工号", other.encode_query("师傅工号").vector, ONTOLOGY)[1] == 1.0


@pytest.mark.parametrize("damage", ["cut", "changed", "no rows", "no card"])
def test_a_damaged_head_leaves_the_rules(damage: str, tmp_path: Path, encoder: Encoder) -> None:
    for suffix in (".json", ".f32"):
        shutil.copy(SHIPPED.with_suffix(suffix), tmp_path / f"head{suffix}")
    card, rows = tmp_path / "head.json", tmp_path / "head.f32"
    raw = rows.read_bytes()
    if damage == "cut":
        rows.write_bytes(raw[:-4])
    elif damage == "changed":
        rows.write_bytes(bytes([raw[0] ^ 1]) + raw[1:])
    else:
        (rows if damage == "no rows" else card).unlink()
    assert read_head(card) is None
    assert KindReader.of(encoder, card).head is None


def test_the_same_questions_teach_the_same_bytes(tmp_path: Path, encoder: Encoder) -> None:
    taught = examples()
    vectors = np.stack([encoder.encode_query(one.text).vector for one in taught])
    write_head(tmp_path / "again.json", teach(encoder, ONTOLOGY, taught, vectors))
    assert (tmp_path / "again.f32").read_bytes() == SHIPPED.with_suffix(".f32").read_bytes()
