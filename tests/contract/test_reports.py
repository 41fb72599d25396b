"""Reported misbehaviours of memory layers, each asked of a whole graph on its own input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from graphsvc.encoding.base import EncodedQuery, FloatArray, Passages
from graphsvc.errors import TextRefused
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus, Leg, SearchResult
from graphsvc.models.memory import ItemStatus
from graphsvc.store.filters import eq, one_of
from tests.builders import FINGERPRINT, at_cosine, axis, random_unit
from tests.graphs import open_graph

WORDS_ONLY = frozenset({Leg.LEXICAL})


class CosineEncoder:
    """A text that names one of `vectors` gets that vector, any other passage some direction, a question `axis(0)`."""

    fingerprint = FINGERPRINT

    def __init__(self, vectors: dict[str, FloatArray]) -> None:
        self._vectors = vectors

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        return Passages(np.stack([self._given(text, random_unit(crc32(text.encode()))) for text in texts]))

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(self._given(text, axis(0)))

    def _given(self, text: str, otherwise: FloatArray) -> FloatArray:
        return next((vector for key, vector in self._vectors.items() if key in text), otherwise)


def ids(found: SearchResult) -> list[str]:
    return [candidate.memory.id for candidate in found.candidates]


@pytest.mark.parametrize("question", ["盘点", "仓库", "杭州仓库", "盘"])
def test_short_chinese_words_are_found_by_words_alone(graph: MemoryGraph, question: str) -> None:
    """Report A06: whitespace and trigram tokenizers lose words of one or two characters."""
    graph.add([{"id": "m1", "text": "王芳负责杭州仓库的盘点"}, {"id": "m2", "text": "午饭吃了面条"}])
    found = graph.search(question, legs=WORDS_ONLY)
    assert ids(found) == ["m1"]
    assert (found.candidates[0].scores.lexical or 0.0) > 0


@pytest.mark.parametrize(
    ("question", "written"), [("13900123456", "１３９００１２３４５６"), ("AB-102", "ＡＢ－１０２"), ("5kg", "５㎏")]
)
def test_full_width_text_is_found_and_kept_as_written(graph: MemoryGraph, question: str, written: str) -> None:
    """Report A08: full-width digits never match, or normalising shifts the spans."""
    text = "联系电话：１３９００１２３４５６，单号ＡＢ－１０２，净重５㎏"
    graph.add([{"id": "m1", "text": text}, {"id": "m2", "text": "午饭吃了面条"}])
    assert ids(graph.search(question, legs=WORDS_ONLY)) == ["m1"]
    kept = graph.get("m1")
    spans = {kept.text[part.start : part.end] for part in (*kept.facts.mentions, *kept.facts.amounts)}
    assert kept.text == text
    assert written in spans


def test_a_nul_is_refused_and_its_neighbours_are_stored(graph: MemoryGraph) -> None:
    """Report A16: one NUL aborts the whole batch."""
    results = graph.add(["合同已寄出", "付款\x00已确认", "发票已开"])
    assert [one.status for one in results] == [ItemStatus.CREATED, ItemStatus.FAILED, ItemStatus.CREATED]
    refused = results[1].error
    assert refused is not None
    assert (refused.code, refused.where.startswith("item 2")) == (TextRefused.code, True)
    assert "NUL" in refused.what
    assert {m.text for m in graph.get_all().memories} == {"合同已寄出", "发票已开"}


def test_a_filter_that_matches_nothing_finds_nothing(graph: MemoryGraph) -> None:
    """Report A20: an empty id list is taken for no filter."""
    graph.add([{"id": f"m{n}", "text": f"服务器{n}号机房巡检正常"} for n in range(10)])
    question = "服务器3号机房巡检"
    assert ids(graph.search(question))[0] == "m3"
    for nowhere in (one_of("id", []), eq("domain", "不存在")):
        assert ids(graph.search(question, where=nowhere)) == []
        answer = graph.answer(question, where=nowhere)
        assert answer.status is AnswerStatus.NOTHING_RELIABLE
        assert answer.evidence == ()


def test_a_filter_is_applied_before_the_nearest_are_taken(tmp_path: Path) -> None:
    """Report A21: a filter after the vector top-k leaves too few rows."""
    near = [{"id": f"o{n:02}", "text": f"alpha {n}", "metadata": {"team": "运维"}} for n in range(50)]
    far = [{"id": f"f{n:02}", "text": f"beta{n} item", "metadata": {"team": "财务"}} for n in range(10)]
    cosines = {f"beta{n} ": at_cosine(0.60 - n / 100) for n in range(10)}
    with open_graph(tmp_path, CosineEncoder({"alpha": at_cosine(0.95), **cosines})) as graph:
        graph.add([*near, *far])
        assert set(ids(graph.search("gamma", limit=5))) <= {one["id"] for one in near}
        found = graph.search("gamma", where=eq("metadata.team", "财务"), limit=5)
    assert ids(found) == ["f00", "f01", "f02", "f03", "f04"]


def test_the_same_text_of_two_owners_is_two_memories(graph: MemoryGraph) -> None:
    """Report A28: an id made of content alone lets the second owner's text vanish."""
    (first,) = graph.add(["报销上限500元"], namespace="t1")
    (second,) = graph.add(["报销上限500元"], namespace="t2")
    assert first.status is second.status is ItemStatus.CREATED
    assert first.id != second.id
    assert ids(graph.search("报销上限", namespace="t1")) == [first.id]
    graph.delete(str(first.id), namespace="t1")
    assert ids(graph.search("报销上限", namespace="t1")) == []
    assert ids(graph.search("报销上限", namespace="t2")) == [second.id]


def test_a_floor_keeps_the_nearest_not_the_farthest(tmp_path: Path) -> None:
    """Report A32: a threshold meant for a distance keeps the worst hits."""
    cosines = {"north": 0.95, "east": 0.60, "south": 0.10}
    with open_graph(tmp_path, CosineEncoder({word: at_cosine(cosine) for word, cosine in cosines.items()})) as graph:
        graph.add([{"id": word, "text": word} for word in ("south", "north", "east")])
        found = graph.search("which way", min_similarity=0.5)
    assert ids(found) == ["north", "east"]
    assert [c.scores.dense for c in found.candidates] == pytest.approx([0.95, 0.60], abs=1e-6)
    assert found.candidates[0].score > found.candidates[1].score


def test_vectors_that_are_no_direction_are_refused_alone(tmp_path: Path) -> None:
    """Report A33: NaN sorts first, and a score becomes null."""
    vectors = {"zero": axis(0) * 0, "broken": axis(0) * np.nan, "good": at_cosine(0.8)}
    with open_graph(tmp_path, CosineEncoder(vectors)) as graph:
        results = graph.add([{"id": word, "text": f"the {word} one"} for word in vectors])
        assert [one.status for one in results] == [ItemStatus.FAILED, ItemStatus.FAILED, ItemStatus.CREATED]
        assert {one.error.code for one in results if one.error} == {"vector-invalid"}
        found = graph.search("anything")
        assert ids(found) == ["good"]
        json.loads(found.model_dump_json(), parse_constant=pytest.fail)
        assert set(ids(graph.search("zero"))) <= {"good"}


@pytest.mark.parametrize("question", ["/b 测试", "C++", "tb-", "AND", '"未闭合', "*", "上线! (v2)~"])
def test_a_query_language_is_not_spoken(graph: MemoryGraph, question: str) -> None:
    """Report A36: reserved characters raise, or silently negate."""
    graph.add([{"id": "m1", "text": "C++ 服务 tb-17 已上线"}, {"id": "m2", "text": "午饭吃了面条"}])
    found = ids(graph.search(question, legs=WORDS_ONLY))
    assert found == (["m1"] if question in {"C++", "tb-", "上线! (v2)~"} else [])
