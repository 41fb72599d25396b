"""BGE-M3 and the re-ranker through the real FlagEmbedding, on models made here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.bge import BgeEncoder, BgeReranker
from graphsvc.encoding.late import late_scores
from graphsvc.encoding.open import open_encoder, open_reranker
from graphsvc.errors import EncoderUnavailable
from graphsvc.settings import Settings
from tests.bge.tiny import LINES, WIDTH, make_encoder, make_reranker

# The library's own dependencies warn at import and about small models.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("models") / "tiny-m3")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> BgeEncoder:
    return BgeEncoder(str(folder), device="cpu")


@pytest.fixture(scope="module")
def reranker_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_reranker(tmp_path_factory.mktemp("models") / "tiny-reranker")


@pytest.fixture(scope="module")
def reranker(reranker_folder: Path) -> BgeReranker:
    return BgeReranker(str(reranker_folder), device="cpu")


def test_the_fingerprint_names_model_and_sizes(encoder: BgeEncoder) -> None:
    fingerprint = encoder.fingerprint
    assert (fingerprint.name, fingerprint.variant) == ("bge-m3", "tiny-m3")
    assert (fingerprint.dimension, fingerprint.state_dimension) == (WIDTH, WIDTH)


def test_vectors_and_states_have_unit_length_and_fit_the_fingerprint(encoder: BgeEncoder) -> None:
    passages = encoder.encode_passages(LINES)
    assert passages.vectors.shape == (len(LINES), WIDTH)
    assert passages.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages.vectors, axis=1), 1, atol=1e-5)
    assert passages.states is not None
    assert [states.codes.shape[1] for states in passages.states] == [WIDTH // 2] * len(LINES)
    query = encoder.encode_query("the bank of the river")
    assert query.states is not None
    assert query.weights is not None
    assert np.allclose(np.linalg.norm(query.states, axis=1), 1, atol=1e-5)
    assert query.weights.sum() == pytest.approx(1, abs=1e-5)
    assert len(query.states) == len(query.weights)


def test_a_batch_equals_singles(encoder: BgeEncoder) -> None:
    texts = LINES * 4  # more than one batch
    batch = encoder.encode_passages(texts)
    for i in (0, 3, len(texts) - 1):
        assert np.abs(encoder.encode_passages([texts[i]]).vectors[0] - batch.vectors[i]).max() <= 1e-5


def test_no_texts_give_no_vectors(encoder: BgeEncoder) -> None:
    empty = encoder.encode_passages([])
    assert empty.vectors.shape == (0, WIDTH)
    assert empty.states == ()


def test_the_states_of_a_passage_are_its_own_tokens(encoder: BgeEncoder) -> None:
    passages = encoder.encode_passages(LINES)
    assert passages.states is not None
    for i, line in enumerate(LINES):
        query = encoder.encode_query(line)
        assert query.states is not None
        assert len(query.states) == len(passages.states[i])
        scores = late_scores(query, passages.states)
        assert scores.score[i] == pytest.approx(scores.score.max(), abs=1e-6)
        assert scores.score[i] > 0.95


@pytest.mark.parametrize("text", ["a", "", " ", "<mask> </s>", "\ufdfa" * 50, "🎉" * 20, "付款 " * 3_000])
def test_odd_texts_are_encoded_like_any_other(encoder: BgeEncoder, text: str) -> None:
    passages = encoder.encode_passages([text])
    assert np.linalg.norm(passages.vectors[0]) == pytest.approx(1, abs=1e-5)
    assert passages.states is not None
    assert 1 <= len(passages.states[0]) <= 512


def test_threads_share_an_encoder(encoder: BgeEncoder) -> None:
    alone = encoder.encode_passages(LINES).vectors
    with ThreadPoolExecutor(4) as pool:
        for passages in pool.map(encoder.encode_passages, [LINES] * 8):
            assert np.abs(passages.vectors - alone).max() <= 1e-5


def test_other_weights_under_the_same_name_are_another_encoder(encoder: BgeEncoder, tmp_path: Path) -> None:
    other = BgeEncoder(str(make_encoder(tmp_path / "tiny-m3", seed=1)), device="cpu")
    assert other.fingerprint.variant == encoder.fingerprint.variant
    assert other.fingerprint != encoder.fingerprint


def test_token_states_can_be_left_out(folder: Path) -> None:
    plain = BgeEncoder(str(folder), device="cpu", token_states=False)
    assert plain.fingerprint.state_dimension == 0
    assert plain.encode_passages(LINES[:1]).states is None
    assert plain.encode_query("x").states is None


def test_token_vectors_of_another_width_than_the_model_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnavailable, match="cannot be loaded"):
        BgeEncoder(str(make_encoder(tmp_path / "odd", colbert=33)), device="cpu")


def test_the_encoder_opens_by_name(folder: Path, encoder: BgeEncoder) -> None:
    assert open_encoder("bge", bge_model=str(folder)).fingerprint == encoder.fingerprint


def test_a_model_out_of_reach_is_named(tmp_path: Path) -> None:
    for kind in (BgeEncoder, BgeReranker):
        with pytest.raises(EncoderUnavailable) as caught:
            kind(str(tmp_path / "absent"), device="cpu")
        assert "absent" in caught.value.where


def test_the_reranker_gives_one_probability_a_passage(reranker: BgeReranker) -> None:
    scores = reranker.score("who sent the contract?", LINES * 4)
    assert reranker.name == "tiny-reranker"
    assert scores.shape == (4 * len(LINES),)
    assert scores.dtype == np.float32
    assert scores.min() >= 0
    assert scores.max() <= 1
    assert len(set(np.round(scores[: len(LINES)], 6).tolist())) > 1


def test_the_reranker_takes_passages_longer_than_it_reads(reranker: BgeReranker) -> None:
    assert reranker.score("付款？", ["付款 " * 3_000]).shape == (1,)


def test_the_reranker_scores_alone_as_in_a_batch(reranker: BgeReranker) -> None:
    together = reranker.score("谁发了合同？", LINES)
    assert [reranker.score("谁发了合同？", [line])[0] for line in LINES] == pytest.approx(together.tolist(), abs=1e-5)
    assert reranker.score("谁？", []).shape == (0,)


def test_the_settings_open_the_reranker(reranker_folder: Path, reranker: BgeReranker) -> None:
    opened = open_reranker(Settings(reranker="bge", rerank_model=str(reranker_folder)))
    assert opened is not None
    assert opened.name == reranker.name
    assert opened.score("谁发了合同？", LINES) == pytest.approx(reranker.score("谁发了合同？", LINES), abs=1e-5)
