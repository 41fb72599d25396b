"""Folding to one form, with the way back."""

from __future__ import annotations

import pytest

from graphsvc.errors import TextRefused
from graphsvc.language.normalise import check_text, fold, fold_key, language_of
from graphsvc.models.facts import Language


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("ＡＢ－１０２", "ab-102"),
        ("净重５㎏", "净重5kg"),
        ("⼈⼯⽤⼯合同", "人工用工合同"),
        ("臺灣的頭髮", "台湾的头发"),
        ("看著這裡", "看着这里"),
        ("乾隆", "乾隆"),
        ("Straße CAFÉ", "strasse café"),
        ("cafe\u0301", "café"),
        ("仓\u200b库\ufeff", "仓库"),
        ("it’s 3–5", "it's 3-5"),
        ("①5万", "①5万"),
        ("100，200万", "100、200万"),
    ],
)
def test_every_way_of_writing_folds_to_one_form(written: str, folded: str) -> None:
    """Reports A08, A48: full-width forms, squared units and Kangxi radicals."""
    assert fold(written).text == folded


def test_a_match_in_folded_text_points_at_the_original() -> None:
    """Report A08: original[s:e] is the full-width form."""
    text = "净重５㎏，单号ＡＢ－１０２"
    folded = fold(text)
    for query, written in (("5kg", "５㎏"), ("ab-102", "ＡＢ－１０２")):
        at = folded.text.index(query)
        start, end = folded.span(at, at + len(query))
        assert text[start:end] == written


def test_half_of_a_squared_unit_points_at_the_whole_of_it() -> None:
    folded = fold("重5㎏。")
    at = folded.text.index("k")
    assert folded.span(at, at + 1) == (2, 3)


@pytest.mark.parametrize("dot", "·・•‧･")
def test_middle_dots_are_one(dot: str) -> None:
    """Report A07: dot variants match each other."""
    assert fold_key(f" 古丽 {dot} 艾山 ") == "古丽·艾山"


def test_a_key_collapses_white_space() -> None:
    assert fold_key("  Ｍｅｉ \n Zhou ") == "mei zhou"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("请把样品寄到仓库", Language.ZH),
        ("把 tb-17 部署好", Language.ZH),
        ("Please ship the samples tomorrow", Language.EN),
        ("明天和 the new supplier 开会讨论 pricing model", Language.MIXED),
        ("これはペンです", Language.OTHER),
        ("12 + 30 = 42", Language.OTHER),
    ],
)
def test_language_is_told_by_what_carries_the_text(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize(
    ("text", "where"),
    [("", "character 0"), (" \n\u200b", "character 0"), ("付款\x00已确认", "character 2"), ("ab\ud800", "character 2")],
)
def test_text_that_cannot_be_kept_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(TextRefused) as refused:
        check_text(text, limit=100)
    assert refused.value.where == where
    assert refused.value.remedy


def test_text_over_the_limit_is_refused_and_at_the_limit_kept() -> None:
    check_text("好" * 10, limit=10)
    with pytest.raises(TextRefused, match="11 characters"):
        check_text("好" * 11, limit=10)
