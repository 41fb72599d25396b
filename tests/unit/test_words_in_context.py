"""A word's own vector: the mean of the token states that cover it, wherever the text was encoded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import ContextEncoder, FloatArray, Span, encode_words
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.tokenizer import MARK
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.encoding.words import pool_words
from graphsvc.errors import EncoderUnavailable


@pytest.fixture(scope="module")
def encoder() -> BundledEncoder:
    return BundledEncoder()


def span(text: str, word: str) -> tuple[int, int]:
    start = text.index(word)
    return start, start + len(word)


def own_part(states: FloatArray, places: list[Span], spans: list[Span]) -> FloatArray:
    """The half of each word's vector that is its own tokens', at unit length again."""
    found = pool_words(states, places, spans, weights=np.ones(len(places), np.float32))
    own = found[:, : states.shape[1]]
    unit: FloatArray = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-9)
    return unit


def test_a_span_takes_the_mean_of_the_tokens_it_touches() -> None:
    states = np.eye(4, dtype=np.float32)
    found = own_part(states, [(0, 2), (2, 5), (6, 8), (8, 9)], [(2, 5), (1, 3), (6, 9), (5, 6), (20, 22)])
    half = np.sqrt(0.5)
    assert np.allclose(
        found, [[0, 1, 0, 0], [half, half, 0, 0], [0, 0, half, half], [0, 0, 0, 0], [0, 0, 0, 0]], atol=1e-6
    )


def test_a_span_in_the_middle_of_one_token_is_that_token() -> None:
    assert np.allclose(own_part(np.eye(2, dtype=np.float32), [(0, 6), (6, 8)], [(2, 4)]), [[1, 0]])


def test_tokens_beyond_the_kept_states_say_nothing() -> None:
    assert not own_part(np.eye(2, dtype=np.float32), [(0, 1), (1, 2), (2, 3)], [(2, 3)]).any()


def test_near_and_telling_neighbours_count_most() -> None:
    weights = np.array([0, 1, 2, 1, 0, 1], np.float32)
    places = [(at, at + 1) for at in range(6)]
    around = pool_words(np.eye(6, dtype=np.float32), places, [(3, 4)], weights=weights)[0, 6:]
    assert around[2] > around[1] > 0
    assert around[5] == pytest.approx(around[1])
    assert around[0] == around[3] == around[4] == 0


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("We sat on the river bank, and the bank was shut.", "river"),
        ("我在bank存了点钱，小米手环也买了", "bank"),
        ("  two   spaces,\tthen  Café\u0301s and ＢＡＮＫ notes", "ＢＡＮＫ"),
        ("cafe\u0301 au lait by the bank", "bank"),
        ("한국어 \u1112\u1161\u11ab bank", "bank"),
        ("㍿の株価 bank", "bank"),
        ("\u200bzero bank", "bank"),
    ],
)
def test_places_point_at_the_characters_a_piece_came_from(encoder: BundledEncoder, text: str, word: str) -> None:
    tokenizer = encoder._tokenizer
    ids = tokenizer.encode(text)
    places = tokenizer.places(text, ids)
    assert [start for start, _ in places] == sorted(start for start, _ in places)
    assert [end for _, end in places] == sorted(end for _, end in places)
    first, last = span(text, word)
    covering = "".join(
        piece for piece, (start, end) in zip(tokenizer.spell(ids), places, strict=True) if start < last and end > first
    )
    assert covering.replace(MARK, "") == tokenizer.normalise(word).replace(MARK, "")


def test_one_word_lies_nearer_to_its_own_sense_than_to_another(encoder: BundledEncoder) -> None:
    money = [
        "She deposited the cheque at the bank.",
        "The bank refused to raise our overdraft.",
        "Her bank charges two pounds for every transfer.",
    ]
    river = [
        "We fished from the grassy bank of the stream.",
        "The canoe drifted against the muddy bank.",
        "Otters dug their holt into the steep bank of the river.",
    ]
    texts = money + river
    rows = np.concatenate(encode_words(encoder, texts, [[span(text, "bank")] for text in texts]))
    likeness = rows @ rows.T
    same = (likeness[:3, :3].sum() + likeness[3:, 3:].sum() - 6) / 12
    assert same > likeness[:3, 3:].mean() + 0.03


def test_words_of_a_question_come_from_its_own_states(encoder: BundledEncoder) -> None:
    text = "which bank has the lowest fees"
    states = encoder.encode_query(text).states
    assert states is not None
    found = encoder.word_vectors(text, [span(text, "bank"), span(text, "fees")], states)
    assert found.shape == (2, encoder.word_dimension)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_given_passages_are_not_encoded_again(encoder: BundledEncoder) -> None:
    text = "The spring in the door lock is broken."
    passages = encoder.encode_passages([text])
    given = encode_words(encoder, [text], [[span(text, "spring")]], passages=passages)
    assert np.array_equal(given[0], encode_words(encoder, [text], [[span(text, "spring")]])[0])


def test_a_word_past_the_kept_states_has_no_vector(encoder: BundledEncoder) -> None:
    text = "one two three " * 400 + "bank"
    (found,) = encode_words(encoder, [text], [[span(text, "two"), span(text, "bank")]])
    assert found[0].any()
    assert not found[1].any()


def test_an_encoder_without_words_gives_the_texts_vector() -> None:
    encoder = HashingEncoder(64)
    passages = encoder.encode_passages(["a bank", "no words"])
    first, second = encode_words(encoder, ["a bank", "no words"], [[(0, 1), (2, 6)], []], passages=passages)
    assert np.array_equal(first, np.stack([passages.vectors[0]] * 2))
    assert second.shape == (0, 64)


def test_a_cache_passes_the_question_on(encoder: BundledEncoder, tmp_path: Path) -> None:
    text = "The bank refused."
    behind = CachedEncoder(encoder, tmp_path / "cache.db")
    assert isinstance(behind, ContextEncoder)
    direct = encode_words(encoder, [text], [[(4, 8)]])[0]
    for _ in range(2):  # fresh, then from the file
        assert np.allclose(encode_words(behind, [text], [[(4, 8)]])[0], direct, atol=1e-6)
    behind.close()


def test_a_cache_of_an_encoder_without_words_says_so(tmp_path: Path) -> None:
    behind = CachedEncoder(HashingEncoder(64), tmp_path / "cache.db")
    states = behind.encode_passages(["a bank"]).states
    assert behind.word_dimension == 0
    assert states is not None
    assert encode_words(behind, ["a bank"], [[(2, 6)]])[0].shape == (1, 64)
    with pytest.raises(EncoderUnavailable):
        behind.word_vectors("a bank", [(2, 6)], states[0])
    behind.close()
