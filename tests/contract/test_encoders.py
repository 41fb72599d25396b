"""What every encoder owes, asked of each one that needs no server and no extra."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graphsvc.encoding.base import READ_TOKENS, DepthEncoder, Encoder, FloatArray, Passages
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.encoding.late import MAX_TOKENS, late_scores
from graphsvc.encoding.usem3 import Usem3Encoder

OPENERS: dict[str, Callable[[], Encoder]] = {
    "bundled": BundledEncoder,
    "exact": lambda: BundledEncoder(Variant.EXACT),
    "hashing": HashingEncoder,
    "hashing-without-states": lambda: HashingEncoder(64, 0),
    "usem3": Usem3Encoder,
}
TEXTS = [
    "季度预算从80万调到60万，由财务部李娜确认。",
    "The shipment left Rotterdam on Friday and is due next week.",
    "好",
    "Bob said 会议改到周四 10:30, same room.",
    "The shipment left Rotterdam on Friday and is due next month.",
]
ODD = {
    "one letter": "a",
    "one mark": "。",
    "spaces": " \t\n ",
    "nothing": "",
    "a ligature of eighteen letters, fifty times": "\ufdfa" * 50,
    "a special token": "fill in <mask> and </s> and <pad>",
    "emoji": "👩‍👩‍👧‍👦🎉" * 30,
    "combining marks": "a" + "\u0301" * 200,
    "controls": "a\u200b\u202e\x07b",
    "right to left": "متى يصل الطرد؟",
    "private use": "\ue000\uf8ff\U0010fffd",
    "a long word": "x" * 3_000,
}


@pytest.fixture(scope="module", params=OPENERS)
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return OPENERS[request.param]()


def assert_whole(encoder: Encoder, passages: Passages, count: int) -> None:
    fingerprint = encoder.fingerprint
    assert passages.vectors.shape == (count, fingerprint.dimension)
    assert passages.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages.vectors, axis=1), 1, atol=1e-5)
    if not fingerprint.state_dimension:
        assert passages.states is None
        return
    assert passages.states is not None
    assert len(passages.states) == count
    for states in passages.states:
        assert 1 <= len(states) <= MAX_TOKENS
        assert states.codes.shape == (len(states), fingerprint.state_dimension // 2)
        assert states.codes.dtype == np.uint8
        assert np.allclose(states.scales, states.scales.clip(1e-6, 1))


def test_vectors_have_unit_length_and_states_fit_the_fingerprint(encoder: Encoder) -> None:
    assert_whole(encoder, encoder.encode_passages(TEXTS), len(TEXTS))


def test_a_batch_equals_singles(encoder: Encoder) -> None:
    batch = encoder.encode_passages(TEXTS)
    for i, text in enumerate(TEXTS):
        single = encoder.encode_passages([text])
        assert np.abs(single.vectors[0] - batch.vectors[i]).max() <= 1e-5
        if batch.states and single.states:
            assert np.array_equal(single.states[0].codes, batch.states[i].codes)


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert_whole(encoder, encoder.encode_passages([]), 0)


def test_the_same_text_gives_the_same_bits(encoder: Encoder) -> None:
    first, second = encoder.encode_passages(TEXTS), encoder.encode_passages(TEXTS)
    assert np.array_equal(first.vectors, second.vectors)
    assert np.array_equal(encoder.encode_query(TEXTS[0]).vector, encoder.encode_query(TEXTS[0]).vector)


def test_a_second_instance_gives_the_same_bits_under_the_same_fingerprint(request: pytest.FixtureRequest) -> None:
    for open_one in (HashingEncoder, BundledEncoder):
        first, second = open_one(), open_one()
        assert first.fingerprint == second.fingerprint
        assert np.array_equal(first.encode_passages(TEXTS).vectors, second.encode_passages(TEXTS).vectors)


def test_threads_share_an_encoder(encoder: Encoder) -> None:
    alone = [encoder.encode_query(text).vector for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(encoder.encode_query, TEXTS * 4))
        batches = list(pool.map(encoder.encode_passages, [TEXTS] * 4))
    for i, query in enumerate(together):
        assert np.abs(query.vector - alone[i % len(TEXTS)]).max() <= 1e-5
    for batch in batches:
        assert np.abs(batch.vectors - batches[0].vectors).max() <= 1e-5


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_texts_are_encoded_like_any_other(encoder: Encoder, text: str) -> None:
    assert_whole(encoder, encoder.encode_passages([text]), 1)
    query = encoder.encode_query(text)
    assert np.linalg.norm(query.vector) == pytest.approx(1, abs=1e-5)


def test_a_text_of_20000_characters_is_encoded_whole(encoder: Encoder) -> None:
    text = "甲方应在验收合格后三十日内付款。The supplier shall deliver. " * 460
    assert len(text) > 20_000
    assert_whole(encoder, encoder.encode_passages([text]), 1)


def test_text_after_a_nul_still_counts(encoder: Encoder) -> None:
    with_tail, without = encoder.encode_passages(["预算\x00由李娜确认 today", "预算"]).vectors
    assert float(with_tail @ without) < 0.99


def test_a_question_carries_states_and_weights_together(encoder: Encoder) -> None:
    query = encoder.encode_query("谁确认了 the budget?")
    if not encoder.fingerprint.state_dimension:
        assert query.states is None
        assert query.weights is None
        return
    assert query.states is not None
    assert query.weights is not None
    assert query.states.dtype == query.weights.dtype == np.float32
    assert query.states.shape == (len(query.weights), encoder.fingerprint.state_dimension)
    assert len(query.tokens) == len(query.weights)
    assert query.weights.min() >= 0
    assert query.weights.sum() == pytest.approx(1, abs=1e-5)
    assert np.allclose(np.linalg.norm(query.states, axis=1), 1, atol=1e-5)


def test_the_passage_that_answers_comes_first(encoder: Encoder) -> None:
    query = encoder.encode_query("When is the shipment from Rotterdam due?")
    passages = encoder.encode_passages(TEXTS)
    assert (passages.vectors @ query.vector).argmax() in {1, 4}
    if passages.states is not None:
        assert late_scores(query, passages.states).score.argmax() in {1, 4}


def test_depths_are_a_row_a_token_and_the_same_in_a_batch(encoder: Encoder) -> None:
    if not isinstance(encoder, DepthEncoder):
        assert not encoder.fingerprint.name.startswith("e5-small")
        return
    batch = encoder.passage_depths(TEXTS)
    size = encoder.fingerprint.state_dimension
    assert encoder.depth_dimension % size == 0
    for text, states, stored in zip(TEXTS, batch, encoder.encode_passages(TEXTS).states or (), strict=True):
        assert states.shape == (len(stored), encoder.depth_dimension)
        assert np.array_equal(states, encoder.passage_depths([text])[0])
        parts = states.reshape(len(states), -1, size)
        assert np.allclose(np.linalg.norm(parts, axis=2), 1, atol=1e-5)
    asked = _states(encoder, TEXTS[0])
    assert encoder.question_depths(TEXTS[0]).shape == (len(asked), encoder.depth_dimension)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_texts_have_depths_of_their_first_tokens(encoder: Encoder, text: str) -> None:
    if isinstance(encoder, DepthEncoder):
        (states,) = encoder.passage_depths([text])
        assert 1 <= len(states) <= READ_TOKENS
        assert np.isfinite(states).all()
        assert len(encoder.question_depths(text)) == len(_states(encoder, text)[:READ_TOKENS])


def _states(encoder: Encoder, text: str) -> FloatArray:
    states = encoder.encode_query(text).states
    assert states is not None
    return states


def test_no_passages_have_no_depths(encoder: Encoder) -> None:
    if isinstance(encoder, DepthEncoder):
        assert encoder.passage_depths([]) == []


def test_the_fingerprint_tells_variants_apart() -> None:
    assert BundledEncoder().fingerprint != BundledEncoder(Variant.EXACT).fingerprint


def test_questions_and_passages_are_read_differently_by_the_default_encoder() -> None:
    encoder = BundledEncoder()
    assert not np.allclose(encoder.encode_query("hello").vector, encoder.encode_passages(["hello"]).vectors[0])


def test_a_hashing_encoder_of_odd_state_dimension_is_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        HashingEncoder(8, 3)
