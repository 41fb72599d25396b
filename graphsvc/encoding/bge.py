"""BGE-M3 and the BGE re-ranker through FlagEmbedding, the one file that imports it.

The extra `bge` installs it; weights come from a model folder or a hub. BGE-M3's own
late-interaction vectors become the token states.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages, TokenStates
from graphsvc.encoding.late import MAX_TOKENS, pack
from graphsvc.errors import EncoderUnavailable

RERANKER_MODEL = "BAAI/bge-reranker-v2-m3"
BATCH = 16
MAX_LENGTH = 1024  # tokens of one passage that the model reads; it could read 8,192, at quadratic cost
_REMEDY = "pip install 'graphsvc[bge]' and give a model folder or a reachable hub name"


class BgeEncoder:
    """Thread-safe, one call at a time. `token_states=False` saves half a kilobyte a token.

    Raises `EncoderUnavailable` when the extra is not installed or the model is out of reach.
    """

    def __init__(
        self, model: str = "BAAI/bge-m3", *, device: str | None = None, half: bool = False, token_states: bool = True
    ) -> None:
        library = _library()
        self._model: Any = _load(library.BGEM3FlagModel, model, device, half)
        self._lock = threading.Lock()
        network = self._model.model
        dimension = int(network.model.config.hidden_size)
        width = int(network.colbert_linear.out_features)
        self._states = token_states
        self._max_length = _max_length(network.model.config)
        self._fingerprint = Fingerprint(
            name="bge-m3",
            variant=Path(model).name + ("-fp16" if half else ""),
            version=f"{importlib.metadata.version('FlagEmbedding')}-{_digest(network)}",
            dimension=dimension,
            state_dimension=width if self._states else 0,
        )

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Dense vectors, and packed late-interaction vectors of at most the first 512 tokens."""
        vectors = np.zeros((len(texts), self._fingerprint.dimension), np.float32)
        states: list[TokenStates] = []
        for start in range(0, len(texts), BATCH):
            part = list(texts[start : start + BATCH])
            dense, tokens = self._encode(part)
            vectors[start : start + len(part)] = dense
            states.extend(pack(rows[:MAX_TOKENS]) for rows in tokens)
        return Passages(vectors, tuple(states) if self._states else None)

    def encode_query(self, text: str) -> EncodedQuery:
        """Dense vector and late-interaction vectors; every token weighs the same."""
        dense, tokens = self._encode([text])
        if not self._states:
            return EncodedQuery(dense[0])
        weights = np.full(len(tokens[0]), 1 / len(tokens[0]), np.float32)
        return EncodedQuery(dense[0], tokens[0], weights)

    def _encode(self, texts: list[str]) -> tuple[FloatArray, list[FloatArray]]:
        with self._lock:
            found = self._model.encode(
                texts,
                batch_size=len(texts) + 1,  # a full batch would draw a progress bar
                max_length=self._max_length,
                return_dense=True,
                return_sparse=False,
                return_colbert_vecs=self._states,
            )
        tokens = [_inner(rows) for rows in found["colbert_vecs"]] if self._states else []
        return _unit(np.asarray(found["dense_vecs"], np.float32)), tokens


class BgeReranker:
    """A cross-encoder; thread-safe, one call at a time. Raises `EncoderUnavailable` like `BgeEncoder`."""

    def __init__(self, model: str = RERANKER_MODEL, *, device: str | None = None, half: bool = False) -> None:
        library = _library()
        self._model: Any = _load(library.FlagReranker, model, device, half)
        self._lock = threading.Lock()
        self._name = Path(model).name
        self._max_length = _max_length(self._model.model.config)

    @property
    def name(self) -> str:
        return self._name

    def score(self, question: str, passages: Sequence[str]) -> FloatArray:
        """Relevance in [0, 1], float32 `(n,)`."""
        scores = np.zeros(len(passages), np.float32)
        for start in range(0, len(passages), BATCH):
            pairs = [(question, passage) for passage in passages[start : start + BATCH]]
            with self._lock:
                found = self._model.compute_score(
                    pairs, batch_size=BATCH + 1, max_length=self._max_length, normalize=True
                )
            scores[start : start + len(pairs)] = found
        return scores


def _library() -> Any:
    try:
        import FlagEmbedding  # noqa: PLC0415 - an optional extra of several gigabytes
    except ImportError as error:
        raise EncoderUnavailable(f"the extra 'bge' is not installed: {error}", where="bge", remedy=_REMEDY) from error
    return FlagEmbedding


def _load(kind: Any, model: str, device: str | None, half: bool) -> Any:
    try:
        loaded = kind(model, use_fp16=half, devices=device)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        what = f"the model cannot be loaded ({type(error).__name__})"
        raise EncoderUnavailable(what, where=model, remedy=_REMEDY) from error
    # Several devices would start a process each; calls here are small.
    loaded.target_devices = loaded.target_devices[:1]
    return loaded


def _max_length(config: Any) -> int:
    return min(MAX_LENGTH, int(config.max_position_embeddings) - 2)  # two positions are never used in this family


def _digest(network: Any) -> str:
    """Tells two models of one name apart, by the first values of every parameter."""
    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.flatten()[:64].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:8]


def _inner(rows: Any) -> FloatArray:
    """A text's own token vectors: the library leaves the closing mark at their end."""
    kept = np.asarray(rows, np.float32)
    return _unit(kept[:-1] if len(kept) > 1 else kept)


def _unit(rows: FloatArray) -> FloatArray:
    unit: FloatArray = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
    return unit
