"""Packing token states to 4 bits, and comparing a question with packed passages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.products import product
from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.encoding.late import MAX_TOKENS, late_scores, pack, token_weights, unpack
from graphsvc.errors import VectorInvalid


def unit_rows(tokens: int, dimension: int, seed: int = 0) -> FloatArray:
    rows = np.random.default_rng(seed).standard_normal((tokens, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def question(states: FloatArray, weights: FloatArray | None = None) -> EncodedQuery:
    return EncodedQuery(np.ones(1, np.float32), states, weights)


def test_192_values_take_96_bytes_and_a_scale_per_token() -> None:
    packed = pack(unit_rows(25, 192))
    assert packed.codes.shape == (25, 96)
    assert packed.codes.dtype == np.uint8
    assert packed.scales.shape == (25,)
    assert packed.scales.dtype == np.float32
    assert len(packed) == 25


@given(tokens=st.integers(1, 40), half=st.integers(1, 96), seed=st.integers(0, 10_000))
def test_packing_keeps_the_length_and_nearly_the_direction(tokens: int, half: int, seed: int) -> None:
    rows = unit_rows(tokens, 2 * half, seed) * np.float32(3)
    back = unpack(pack(rows))
    assert back.dtype == np.float32
    assert np.allclose(np.linalg.norm(back, axis=1), 3, atol=1e-4)
    cosines = (rows * back).sum(axis=1) / 9
    assert cosines.min() > 0.97


def test_values_stay_in_their_places() -> None:
    rows = np.array([[7.5, -7.5, 0.5, 3.5]], np.float32)
    assert np.allclose(unpack(pack(rows)), rows, atol=1e-5)


def test_packing_leaves_its_argument_alone() -> None:
    rows = unit_rows(3, 8)
    before = rows.copy()
    pack(rows)
    assert np.array_equal(rows, before)


def test_a_row_of_zeros_comes_back_as_zeros() -> None:
    assert not unpack(pack(np.zeros((2, 4), np.float32))).any()


def test_states_beyond_the_limit_are_dropped() -> None:
    rows = unit_rows(MAX_TOKENS + 30, 4)
    packed = pack(rows)
    assert len(packed) == MAX_TOKENS
    assert np.array_equal(packed.codes, pack(rows[:MAX_TOKENS]).codes)


@pytest.mark.parametrize("rows", [np.ones((2, 3)), np.ones(4), np.full((1, 2), np.nan), np.full((1, 2), np.inf)])
def test_states_that_cannot_be_packed_are_refused(rows: FloatArray) -> None:
    with pytest.raises(VectorInvalid):
        pack(rows)


def test_scores_agree_with_a_plain_loop_over_tokens() -> None:
    asked = unit_rows(7, 16, 1)
    weights = np.array([0.1, 0.1, 0.2, 0.2, 0.1, 0.2, 0.1], np.float32)
    passages = [pack(unit_rows(n, 16, n)) for n in (1, 5, 30)]
    scores = late_scores(question(asked, weights), passages)
    for row, passage in enumerate(passages):
        best = [max(float(token @ state) for state in unpack(passage)) for token in asked]
        gaps = sorted((1 - match) * weight for match, weight in zip(best, weights, strict=True))
        assert scores.coverage[row] == pytest.approx(best, abs=1e-5)
        assert scores.score[row] == pytest.approx(float(np.dot(best, weights)), abs=1e-5)
        assert scores.uncovered[row] == pytest.approx(gaps[-1] + gaps[-2], abs=1e-5)


def test_the_passage_that_says_the_same_scores_highest() -> None:
    asked = unit_rows(6, 192)
    scores = late_scores(question(asked), [pack(unit_rows(20, 192, 5)), pack(asked), pack(unit_rows(6, 192, 9))])
    assert scores.score.argmax() == 1
    assert scores.score[1] > 0.97
    assert scores.uncovered.argmin() == 1


def test_a_passage_without_tokens_covers_nothing() -> None:
    empty = TokenStates(np.zeros((0, 2), np.uint8), np.zeros(0, np.float32))
    asked = unit_rows(2, 4)
    scores = late_scores(question(asked), [empty, pack(asked), empty])
    assert scores.score[[0, 2]].tolist() == [0, 0]
    assert scores.uncovered[0] == pytest.approx(1)
    assert scores.score[1] > 0.95


def test_no_passages_give_no_scores() -> None:
    scores = late_scores(question(unit_rows(3, 4)), [])
    assert scores.score.shape == (0,)
    assert scores.uncovered.shape == (0,)
    assert scores.coverage.shape == (0, 3)


def test_a_question_of_one_token_has_one_gap() -> None:
    asked = unit_rows(1, 4)
    scores = late_scores(question(asked), [pack(-asked)])
    assert scores.uncovered[0] == pytest.approx(2, abs=0.05)


def test_a_question_without_states_is_refused() -> None:
    with pytest.raises(VectorInvalid, match="no token states"):
        late_scores(EncodedQuery(np.ones(1, np.float32)), [pack(unit_rows(1, 4))])


def test_states_of_another_dimension_are_refused() -> None:
    with pytest.raises(VectorInvalid, match="4 dimensions met a question of 6"):
        late_scores(question(unit_rows(1, 6)), [pack(unit_rows(1, 4))])


@pytest.mark.parametrize("rows", [0, 1, 6, 7, 500])
def test_a_product_in_pieces_is_the_product(rows: int) -> None:
    rng = np.random.default_rng(rows)
    left = rng.standard_normal((rows, 384)).astype(np.float32)
    right = rng.standard_normal((384, 192)).astype(np.float32)
    assert np.allclose(product(left, right), left @ right, atol=1e-3)


def test_weights_of_tokens_whose_states_were_not_kept_are_shared_out_among_the_rest() -> None:
    states = unit_rows(3, 8)
    cut = question(states, np.array([0.3, 0.1, 0.1, 0.5], np.float32))
    whole = question(states, np.array([0.6, 0.2, 0.2], np.float32))
    passage = [pack(states[:1])]
    assert np.allclose(late_scores(cut, passage).score, late_scores(whole, passage).score)
    assert np.allclose(token_weights(question(states, np.array([0, 0, 0, 1], np.float32))), 1 / 3)


def test_a_state_without_a_weight_is_refused() -> None:
    with pytest.raises(VectorInvalid):
        late_scores(question(unit_rows(3, 8), np.array([0.5, 0.5], np.float32)), [pack(unit_rows(2, 8))])


def test_a_question_of_more_tokens_than_are_kept_is_scored_on_those_that_are() -> None:
    encoder = HashingEncoder()
    query = encoder.encode_query("a " * (MAX_TOKENS + 1))
    passages = encoder.encode_passages(["a", "b"]).states
    assert passages is not None
    scores = late_scores(query, passages)
    assert scores.score.shape == (2,)
    assert scores.score[0] > 0.9 > scores.score[1]
