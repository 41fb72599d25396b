"""Laws of reading: spans point at what was read, in order, whatever the text."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from graphsvc.language.aliases import address_names, address_parts, could_be, name_variants
from graphsvc.language.amounts import find_amounts
from graphsvc.language.entities import Gazetteer, find_mentions
from graphsvc.language.normalise import fold, fold_key
from graphsvc.language.segment import index_tokens, query_tokens, sentences
from graphsvc.language.times import find_times

AT = datetime(2026, 3, 6, 10, 0, tzinfo=UTC)
LISTED = Gazetteer({"星尘": "product", "go": "product", "王伟": "person"})
# Pieces that meet the grammars, between characters that do not.
PIECES = st.sampled_from(
    (
        *(
            "三",
            "万",
            "半",
            "2024",
            "年",
            "3",
            "月",
            "5号",
            "下周",
            "到",
            "后",
            "天内",
            "点",
            "每",
            "Q3",
            "¥",
            "-",
            "k",
            " ",
        ),
        *(
            "王伟",
            "·",
            "老",
            "HT-",
            "０８",
            "，",
            "。",
            "“",
            "”",
            "last ",
            "Friday ",
            "May ",
            "to ",
            "in ",
            "ago ",
            "two ",
        ),
    )
)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TEXTS = st.one_of(ANY, st.lists(st.one_of(PIECES, ANY.map(lambda text: text[:3])), max_size=16).map("".join))


@given(TEXTS)
def test_folding_keeps_the_way_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.offsets) == len(folded.text) + 1
    assert all(left <= right for left, right in pairwise(folded.offsets))
    assert folded.offsets[-1] == len(text)
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert start < end


@given(TEXTS)
def test_a_key_is_its_own_key(text: str) -> None:
    assert fold_key(fold_key(text)) == fold_key(text)


@given(TEXTS)
def test_sentences_cover_all_that_is_not_space(text: str) -> None:
    spans = sentences(text)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    covered = {at for start, end in spans for at in range(start, end)}
    assert all(at in covered for at, char in enumerate(text) if not char.isspace())


@settings(deadline=None)  # the first call loads the words of Chinese
@given(TEXTS)
def test_every_amount_is_read_from_its_span(text: str) -> None:
    found = find_amounts(text)
    assert all(text[a.start : a.end] == a.text and a.text for a in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(TEXTS)
def test_every_time_is_read_from_its_span_and_half_open(text: str) -> None:
    found = find_times(text, AT)
    assert all(text[t.start : t.end] == t.text and t.text for t in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(t.begin < t.until for t in found if t.begin and t.until)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_every_mention_is_read_from_its_span(text: str) -> None:
    found = find_mentions(text, LISTED)
    assert all(text[m.start : m.end] == m.text and m.key == fold_key(m.text) for m in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(TEXTS)
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    """Every query token of a text is among its index tokens; neither holds white space."""
    stored, asked = index_tokens(text), query_tokens(text)
    assert set(asked) <= set(stored)
    assert bool(asked) == bool(stored)
    assert not any(char.isspace() for token in stored for char in token)


@given(TEXTS, TEXTS)
def test_names_of_any_kind_can_be_compared(name: str, other: str) -> None:
    assert 0.0 <= could_be(name, other) <= 1.0
    assert could_be(name, other) == could_be(other, name)
    assert isinstance(name_variants(name) | address_names(other), frozenset)
    assert address_parts(name) == address_parts(name)
