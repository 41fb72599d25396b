"""The Unigram segmentation, on a vocabulary small enough to check by hand, and on the real one."""

from __future__ import annotations

import numpy as np
import pytest

from graphsvc.encoding.bundled.tokenizer import MARK, Tokenizer
from graphsvc.encoding.bundled.weights import Vocabulary, WeightFile

PIECES = {"<s>": 0.0, "<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -2.0, "▁ab": -3.0, "ab": -4.0, "a": -5.0, "b": -5.0,
          "abc": -7.0, "c": -3.5, "<": -6.0, ">": -6.0, "s": -6.0, "<mask>": 0.0}  # fmt: skip


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return Tokenizer(
        Vocabulary(
            pieces=list(PIECES),
            scores=np.array(list(PIECES.values()), np.float32),
            code_points={ord("Ａ"): "a", ord("\t"): " ", ord("\u200b"): "", ord("㎎"): "ab"},
            begin=0,
            end=2,
            pad=1,
            unknown=3,
        )
    )


@pytest.fixture(scope="module")
def real() -> Tokenizer:
    return Tokenizer(WeightFile().vocabulary())


def pieces(tokenizer: Tokenizer, text: str) -> tuple[str, ...]:
    return tokenizer.spell(tokenizer.encode(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", ("▁ab",)),  # -3 beats -2 -4
        ("abc", ("▁ab", "c")),  # -6.5 beats -2 -7
        ("ab  ab", ("▁ab", "▁ab")),
        (" ab", ("▁ab",)),
        ("ab ", ("▁ab", "▁")),
        ("", ("▁",)),
        ("Ａb", ("▁ab",)),
        ("a\tb", ("▁", "a", "▁", "b")),
        ("a\u200bb", ("▁ab",)),
        ("㎎", ("▁ab",)),
        ("a\x00b", ("▁ab",)),
        ("axb", ("▁", "a", "<unk>", "b")),
        ("xy", ("▁", "<unk>", "<unk>")),
    ],
)
def test_the_most_probable_pieces_win(small: Tokenizer, text: str, expected: tuple[str, ...]) -> None:
    assert pieces(small, text) == expected


def test_special_tokens_in_a_text_stay_text(small: Tokenizer) -> None:
    assert pieces(small, "<s>") == ("▁", "<", "s", ">")
    assert "<mask>" not in pieces(small, "<mask>")


def test_surprise_is_minus_log_p_and_an_unknown_piece_is_as_rare_as_the_rarest(small: Tokenizer) -> None:
    assert small.surprise(small.encode("abx")).tolist() == [3.0, 7.0]


def test_marks_weigh_nothing_beside_words(small: Tokenizer, real: Tokenizer) -> None:
    assert small.surprise(small.encode("<ab")).tolist() == [0.0, 0.0, 4.0]
    assert small.surprise(small.encode("<")).tolist() == [2.0, 6.0]  # a text of marks alone keeps its weights
    weights = real.surprise(real.encode("谁确认了 the budget?"))
    assert weights[-1] == 0
    assert weights[1:-1].min() > 1


def test_composed_and_decomposed_text_are_cut_alike(real: Tokenizer) -> None:
    assert real.encode("cafe\u0301 Zu\u0308rich") == real.encode("café Zürich")


def test_half_and_full_width_are_cut_alike(real: Tokenizer) -> None:
    assert real.encode("ＨＴ２０２３－０８７６") == real.encode("HT2023-0876")


def test_pieces_spell_the_normalised_text(real: Tokenizer) -> None:
    for text in ("The quick brown fox.", "张伟把合同发给了李雷", "发给Bob的 invoice，共1,250元", "a" * 500, "ﷺ" * 5):
        assert "".join(pieces(real, text)) == MARK + real.normalise(text).removeprefix(MARK)


def test_a_ligature_that_grows_eighteenfold_is_cut_whole(real: Tokenizer) -> None:
    assert len("".join(pieces(real, "\ufdfa" * 50))) >= 18 * 50


def test_common_words_are_one_piece(real: Tokenizer) -> None:
    assert pieces(real, "the contract 合同") == ("▁the", "▁contract", "▁", "合同")
