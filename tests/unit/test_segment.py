"""Sentences and search tokens."""

from __future__ import annotations

import time

import pytest

from graphsvc.language.segment import index_tokens, query_tokens, sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“明天发货。”老陈说。大家同意。", ["“明天发货。”老陈说。", "大家同意。"]),
        ("他说：“下周再谈。”会就散了。", ["他说：“下周再谈。”", "会就散了。"]),
        ("甲方付款。乙方发货！验收在月底？", ["甲方付款。", "乙方发货！", "验收在月底？"]),
        ("「明天發貨。」老陳說。大家同意。", ["「明天發貨。」老陳說。", "大家同意。"]),
        ("他问：“去吗？”她点头。", ["他问：“去吗？”", "她点头。"]),
        ("读了《你好！陌生人》，不错。", ["读了《你好！陌生人》，不错。"]),
        ("我……再想想。", ["我……再想想。"]),
        ("单价3.5元。版本v1.2.3可用。", ["单价3.5元。", "版本v1.2.3可用。"]),
        ("Dr. Osei paid $3.5 million. He left.", ["Dr. Osei paid $3.5 million.", "He left."]),
        ("Call J. R. Okoye. Thanks!", ["Call J. R. Okoye.", "Thanks!"]),
        ('"Ship it." Ravi said. We did.', ['"Ship it." Ravi said.', "We did."]),
        ("标题\n正文第一句，\n接着写。", ["标题", "正文第一句，\n接着写。"]),
        ("the ware-\nhouse count\n\nNext part", ["the ware-\nhouse count", "Next part"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    """Report A09: a closing quote stays with its sentence."""
    assert cut(text) == expected


@pytest.mark.parametrize("query", ["盘点", "仓库", "杭州仓库", "盘", "王芳"])
def test_short_chinese_queries_meet_the_indexed_words(query: str) -> None:
    """Report A06: words of one and two characters hit."""
    assert set(query_tokens(query)) <= set(index_tokens("王芳负责杭州仓库的盘点"))


@pytest.mark.parametrize(
    ("name", "text"),
    [("褚亦", "褚亦心里很高兴"), ("㛃", "李㛃批准了"), ("李㛃", "请李㛃明天来"), ("苗青禾", "这事苗青禾也知道")],
)
def test_a_name_in_no_dictionary_is_found_whatever_stands_beside_it(name: str, text: str) -> None:
    assert set(query_tokens(name)) <= set(index_tokens(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("13900123456", "联系电话：１３９００１２３４５６"),
        ("AB-102", "单号ＡＢ－１０２"),
        ("AB102", "单号ＡＢ－１０２"),
        ("5kg", "净重５㎏"),
        ("C++", "C++ 服务 tb-17 已上线"),
        (".NET", "用.NET写的服务"),
        (".NET", "dotnet or .Net"),
        ("c#", "他会 C# 和 Go"),
        ("X-900", "把X-900升级"),
        ("v2.3.1", "版本v2.3.1发布了"),
        ("4.55万", "一共45,500元"),
        ("50000", "报价3-5万"),
        ("AT&T", "at&t 的账单"),
        ("tb-", "C++ 服务 tb-17 已上线"),
        ("tb-17", "C++ 服务 tb-17 已上线"),
        ("上线! (v2)~", "服务上线v2"),
        ("warehouse", "the ware-\nhouse count"),
        ("人工用工合同", "⼈⼯⽤⼯合同"),
        ("10.0.3.7", "网关是10.0.3.7，别动"),
        ("八十万", "预算800,000元"),
        ("80万", "预算八十万"),
        ("shipments", "the shipment was moved"),
        ("moving", "they moved it"),
        ("Ravi", "Ravi's laptop"),
        ("mei.zhou@example.com", "写给 Mei.Zhou@Example.com"),
        ("臺北", "去台北出差"),
    ],
)
def test_codes_numbers_and_forms_are_found(query: str, text: str) -> None:
    """Reports A08, A36, A48."""
    assert set(query_tokens(query)) & set(index_tokens(text))


def test_a_code_asks_for_itself_and_not_for_its_parts() -> None:
    """Report A22: a neighbouring number shares no query token."""
    assert not set(query_tokens("HT-2026-0032")) & set(index_tokens("HT-2026-0031"))


def test_stop_words_leave_a_question_but_never_all_of_it() -> None:
    assert query_tokens("What is the budget?") == ["budget"]
    assert query_tokens("AND") == ["and"]
    assert query_tokens("是什么") != []
    assert query_tokens("* ?!") == []


def test_a_list_with_full_width_commas_is_no_grouped_number() -> None:
    assert "100200" not in index_tokens("编号100，200")


@pytest.mark.parametrize("unit", ["王芳负责杭州仓库的盘点，", "abc tb-17 3.5 million. ", ".", '"', "“。", "9", "\n"])
def test_a_long_line_is_cut_without_quadratic_cost(unit: str) -> None:
    """200,000 bytes in one line; anything quadratic would take minutes."""
    index_tokens("热身")
    text = unit * (200_000 // len(unit.encode()))
    began = time.perf_counter()
    sentences(text)
    index_tokens(text)
    assert time.perf_counter() - began < 2.0
