"""Mentions of people, places, organisations, codes and addresses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from graphsvc.language.entities import Gazetteer, find_mentions


def mentions(text: str, gazetteer: Gazetteer | None = None) -> list[tuple[str, str]]:
    return [(found.text, found.type) for found in find_mentions(text, gazetteer)]


@pytest.mark.parametrize("dot", "·・•")
def test_a_dotted_name_is_one_person(dot: str) -> None:
    """Report A07: no neighbour is glued to a name, no name is cut at its dot."""
    text = f"翻译是阿依古丽{dot}买买提，审核是丽娜{dot}赵"
    found = find_mentions(text)
    assert [m.text for m in found] == [f"阿依古丽{dot}买买提", f"丽娜{dot}赵"]
    assert [m.key for m in found] == ["阿依古丽·买买提", "丽娜·赵"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王芳负责杭州仓库的盘点", [("王芳", "person"), ("杭州", "place")]),
        ("王总和刘医生、小郝都到了", [("王总", "person"), ("刘医生", "person"), ("小郝", "person")]),
        ("公司总经理和于老师谈过", [("于老师", "person")]),
        ("林涛在星河公司任职", [("林涛", "person"), ("星河公司", "organisation")]),
        ("張偉說好", [("張偉", "person")]),
        ("请Lena确认，Tom说好", [("Lena", "person"), ("Tom", "person")]),
    ],
)
def test_names_in_chinese_text(text: str, expected: list[tuple[str, str]]) -> None:
    assert mentions(text) == expected


def test_names_in_english_text() -> None:
    found = mentions("Priya Natarajan's report for the Acme Corp was sent from Berlin on Friday.")
    assert found == [("Priya Natarajan", "person"), ("Acme Corp", "organisation"), ("Berlin", "place")]


def test_common_words_are_no_names() -> None:
    assert mentions("My brother hates cilantro and we may ask on Monday.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HT-2026-0031 金额30万", ("HT-2026-0031", "identifier")),
        ("单号ＡＢ－１０２", ("ＡＢ－１０２", "identifier")),
        ("tb-17 已上线", ("tb-17", "identifier")),
        ("订单号20240508123", ("20240508123", "identifier")),
        ("order #88213 is late", ("88213", "identifier")),
        ("打13900123456", ("13900123456", "phone")),
        ("打１３９００１２３４５６", ("１３９００１２３４５６", "phone")),
        ("call (415) 555-2671", ("(415) 555-2671", "phone")),
        ("网关１０.0.3.7", ("１０.0.3.7", "ip")),
        ("见 https://x.example/a?b=1。", ("https://x.example/a?b=1", "url")),
        ("写给 Mei.Zhou@Example.com", ("Mei.Zhou@Example.com", "email")),
    ],
)
def test_shapes_are_known_without_a_list(text: str, expected: tuple[str, str]) -> None:
    """Report A08: spans point at the full-width form."""
    assert expected in mentions(text)


@pytest.mark.parametrize(
    "text", ["2024-05-20", "a 30-day trial", "Q3", "5kg", "999.1.1.1", "v1.2.3", "mid-2024", "24/7"]
)
def test_dates_and_quantities_are_no_codes(text: str) -> None:
    assert mentions(text) == []


def test_neighbouring_codes_have_their_own_keys() -> None:
    """Report A22: three codes, three keys."""
    keys = [found.key for found in find_mentions("HT-2026-0031、HT-2026-0032、HT-2026-0031-B")]
    assert keys == ["ht-2026-0031", "ht-2026-0032", "ht-2026-0031-b"]


def test_a_listed_name_wins_by_length_and_only_as_a_whole() -> None:
    """Report A24: 王伟 is not in 王伟明, Go is not in MongoDB."""
    listed = Gazetteer({"王伟": "person", "go": "product", "星尘": "product", "星尘计划": "product"})
    assert mentions("王伟的电话", listed) == [("王伟", "person")]
    assert mentions("王伟明的电话", listed) == [("王伟明", "person")]
    assert mentions("我们用Go写服务", listed) == [("Go", "product")]
    assert mentions("数据在MongoDB里", listed) == []
    assert mentions("星尘计划", listed) == [("星尘计划", "product")]


def test_an_empty_list_changes_nothing() -> None:
    assert mentions("林涛在星河公司任职", Gazetteer({})) == mentions("林涛在星河公司任职")


def test_the_models_answer_alike_from_many_threads() -> None:
    texts = ["林涛在星河公司任职", "Priya Natarajan works in Berlin"] * 8
    alone = [mentions(text) for text in texts]
    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(mentions, texts)) == alone
