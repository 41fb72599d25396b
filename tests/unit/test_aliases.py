"""The forms of a name, the parts of a party, and likeness."""

from __future__ import annotations

import pytest

from graphsvc.language.aliases import (
    Address,
    address_names,
    address_parts,
    could_be,
    given_name,
    likeness,
    name_variants,
    qualified_name,
    same_name,
    surname_of_title,
)
from graphsvc.models.identity import Likeness


def test_a_chinese_name_and_its_romanised_forms_meet() -> None:
    assert {"苏敏", "su min", "min su", "sumin"} <= name_variants("苏敏")
    assert name_variants("Min Su") & name_variants("苏敏")
    assert "ouyang nana" in name_variants("欧阳娜娜")


def test_last_name_first_and_traditional_forms_meet() -> None:
    assert "lena hartmann" in name_variants("Hartmann, Lena")
    assert name_variants("蘇敏") == name_variants("苏敏")


def test_a_dotted_name_has_one_form_for_every_dot() -> None:
    """Report A07: dot variants match each other."""
    assert name_variants("古丽・艾山") == name_variants("古丽•艾山")


@pytest.mark.parametrize("code", ["HT-2026-0031", "x-900", "mei.zhou@example.com"])
def test_a_code_has_only_itself(code: str) -> None:
    """Report A22: codes have no variants."""
    assert name_variants(code) == {code.lower()}


@pytest.mark.parametrize(
    ("party", "parts"),
    [
        ("Mei Zhou <Mei.Zhou@Example.com>", Address("Mei Zhou", "mei.zhou@example.com")),
        ('"Zhou, Mei" <mzhou@other.example>', Address("Zhou, Mei", "mzhou@other.example")),
        ("周梅 <mei.zhou@example.com>", Address("周梅", "mei.zhou@example.com")),
        ("mei.zhou@example.com", Address(None, "mei.zhou@example.com")),
        ("<mei.zhou@example.com>", Address(None, "mei.zhou@example.com")),
        ("周梅", Address("周梅", None)),
        (" ", Address(None, None)),
    ],
)
def test_a_party_is_split_into_name_and_address(party: str, parts: Address) -> None:
    """Report A23: one address, two display names."""
    assert address_parts(party) == parts


def test_a_local_part_may_be_read_as_a_name() -> None:
    assert {"zhang.wei", "zhang wei", "wei zhang", "zhangwei"} <= address_names("zhang.wei@x.com")
    assert address_names("mei.zhou+list@example.com") == address_names("mei.zhou@example.com")
    assert address_names("zw12@x.com") == {"zw12"}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("王伟", "王伟明"), ("Go", "MongoDB"), ("HT-2026-0031", "HT-2026-0032"), ("HT-2026-0031", "HT-2026-0031-B"),
        ("Lena Hartmann", "Lena Okafor"), ("Lena", "Lena Hartmann"), ("老王", "李伟"), ("", "王伟"),
    ],
)  # fmt: skip
def test_parts_of_names_and_neighbouring_codes_are_strangers(name: str, other: str) -> None:
    """Reports A22, A24: substrings and consecutive numbers never match."""
    assert could_be(name, other) == could_be(other, name) == 0.0


def test_likeness_grows_with_what_two_names_share() -> None:
    assert could_be("张伟", "張偉") == 1.0
    assert could_be("张伟", "Wei Zhang") > could_be("Jon Smyth", "John Smith") > could_be("王总", "王伟") > 0


@pytest.mark.parametrize(
    ("name", "other", "kind"),
    [
        ("张伟", "張偉", Likeness.SAME),
        ("Hartmann, Lena", "Lena Hartmann", Likeness.SAME),
        ("张伟", "zhang wei", Likeness.ROMANISED),
        ("Bob", "Robert", Likeness.NICKNAME),
        ("Peggy Olsen", "Margaret Olsen", Likeness.NICKNAME),
        ("欧阳老师", "欧阳娜", Likeness.TITLED),
        ("Katarina Berg", "Katarine Berg", Likeness.SPELLING),
    ],
)
def test_a_likeness_says_what_it_rests_on(name: str, other: str, kind: Likeness) -> None:
    found = likeness(name, other)
    assert found is not None
    assert found == likeness(other, name)
    assert found[1] is kind


@pytest.mark.parametrize(
    ("name", "other"),
    [("张伟", "章薇"), ("Ann", "Anna"), ("Peggy Olsen", "Margaret Berg"), ("王总", "李伟"), ("v1.2", "v2.1")],
)
def test_what_only_sounds_or_begins_alike_is_two(name: str, other: str) -> None:
    assert likeness(name, other) is None


def test_a_name_is_the_same_by_notation_alone() -> None:
    assert same_name("Hartmann, Lena") & same_name("Lena Hartmann")
    assert not same_name("Zhou Mei") & same_name("Mei Zhou")
    assert not same_name("张伟") & same_name("Zhang Wei")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("张伟（财务部）", ("张伟", "财务部")),
        ("Lena (Acme)", ("lena", "acme")),
        ("(x)", ("(x)", None)),
        ("张伟", ("张伟", None)),
    ],
)
def test_what_stands_in_brackets_tells_one_bearer_from_another(name: str, parts: tuple[str, str | None]) -> None:
    assert qualified_name(name) == parts


def test_given_names_and_the_surnames_of_titles_are_read() -> None:
    assert (given_name("lena hartmann"), given_name("lena"), given_name("x1 berg"), given_name("周 梅")) == (
        "lena", None, None, None,
    )  # fmt: skip
    assert [given_name(name) for name in ("阿里·汗", "丽·汗", "阿里")] == ["阿里", None, None]
    assert [surname_of_title(name) for name in ("王总", "老王", "欧阳老师", "王伟", "总")] == [
        "王",
        "王",
        "欧阳",
        None,
        None,
    ]
