"""The default encoder: multilingual-e5-small from the weights that came with a package.

One pass gives a text's unit vector and its token states. int8 products are the default; a
known text is encoded at load, and where the processor or runtime bends it too far the
encoder falls back to exact products and says so in its fingerprint and note.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime

from graphsvc.encoding.base import (
    READ_TOKENS,
    EncodedQuery,
    Fingerprint,
    FloatArray,
    Passages,
    Span,
    TokenStates,
)
from graphsvc.encoding.bundled.engine import Engine, Reading, Role
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.bundled.projection import Shipped, load
from graphsvc.encoding.bundled.tokenizer import Tokenizer
from graphsvc.encoding.bundled.weights import SHA256, WeightFile
from graphsvc.encoding.late import MAX_TOKENS, pack
from graphsvc.encoding.words import pool_words
from graphsvc.errors import EncoderUnavailable

NAME = "e5-small-q4"
# int8 comes within .999 of the original; below this something is wrong with its arithmetic.
LEAST_CHECK = 0.995
WORKERS = 2  # threads of one large batch; more gain little on a shared memory bus

# Hidden states take 1.5 KB a token until they are packed: this keeps them under some 100 MB.
PORTION_CHARS = 64_000
# Where the first 512 tokens of any real text have ended.
STATES_CHARS = 8_192
# Searches meet the same memories again; a text of 25 tokens is 4 KB of places.
PLACES_KEPT = 4_096
# A search reads its first few memories at all depths: 60 KB each at 25 tokens.
READ_KEPT = 256
# Whoever reads a question's depths has just had it encoded.
ASKED_KEPT = 16


class BundledEncoder:
    """Thread-safe; opens in under a second. Raises `EncoderUnavailable` without its weights."""

    def __init__(
        self, variant: Variant = Variant.INT8, *, weights: Path | None = None, workers: int | None = None
    ) -> None:
        file = WeightFile(weights)
        self._shipped = load()
        self._tokenizer = Tokenizer(file.vocabulary())
        self._token_places = lru_cache(maxsize=PLACES_KEPT)(self._read_places)
        self._question = lru_cache(maxsize=ASKED_KEPT)(self._read_question)
        self._passage_depths = lru_cache(maxsize=READ_KEPT)(self._read_passage)
        self._workers = workers or min(WORKERS, os.cpu_count() or 1)
        self.note: str | None = None
        self._engine, self._variant = self._open(file, Variant(variant), self._workers)
        card = self._shipped.card
        self._fingerprint = Fingerprint(
            name=NAME,
            variant=self._variant.value,
            version=_version(self._shipped),
            dimension=file.shape.hidden,
            state_dimension=card.dimension,
        )

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Vectors and packed token states; the states of at most the first 512 tokens."""
        if not texts:
            return Passages(np.zeros((0, self._fingerprint.dimension), np.float32), ())
        vectors: list[FloatArray] = []
        states: list[TokenStates] = []
        for part in _portions(texts):
            for reading in self._engine.read(part, Role.PASSAGE):
                vectors.append(_unit(reading.pooled))
                states.append(pack(self._shipped.projection.apply(reading.hidden[:MAX_TOKENS])))
        return Passages(np.stack(vectors), tuple(states))

    def encode_query(self, text: str) -> EncodedQuery:
        """The question's vector, and its first 512 tokens' states weighted by -log p of their pieces."""
        return self._question(text)[0]

    @property
    def word_dimension(self) -> int:
        """A word's own states and those around it, both in the space of the token states."""
        return 2 * self._fingerprint.state_dimension

    def word_vectors(self, text: str, spans: Sequence[Span], states: TokenStates | FloatArray) -> FloatArray:
        """Means of the states of each span's tokens and of its neighbours', unit length; zero past 512 tokens.

        The last layer's projected states serve: on CoarseWSD-20 words at 8 shots they tell senses apart as well as
        the full hidden states (.875 against .878) and better than any earlier layer (.75 at the eighth).
        """
        read = text[:STATES_CHARS]
        ids = self._tokenizer.encode(read)
        places = self._tokenizer.places(read, ids)
        return pool_words(states, places, spans, weights=self._tokenizer.surprise(ids))

    def token_places(self, text: str) -> tuple[Span, ...]:
        """The characters behind each token state, as `encode_passages` and `encode_query` give them."""
        return self._token_places(text[:STATES_CHARS])

    @property
    def depth_dimension(self) -> int:
        return len(self._shipped.depths) * self._fingerprint.state_dimension

    def question_depths(self, text: str) -> FloatArray:
        """States at each depth, side by side, of the first `READ_TOKENS`."""
        return self._question(text)[1]

    def passage_depths(self, texts: Sequence[str]) -> list[FloatArray]:
        """The same of passages, a few at a time; those read lately are kept."""
        if len(texts) < 2 or self._workers < 2:
            return [self._passage_depths(text) for text in texts]
        with ThreadPoolExecutor(self._workers, "graphsvc-read") as pool:
            return list(pool.map(self._passage_depths, texts))

    def _read_question(self, text: str) -> tuple[EncodedQuery, FloatArray]:
        (reading,) = self._engine.read([text], Role.QUERY, deep=True)
        ids = reading.ids[:MAX_TOKENS]
        surprise = self._tokenizer.surprise(ids)
        query = EncodedQuery(
            vector=_unit(reading.pooled),
            states=self._shipped.projection.apply(reading.hidden[:MAX_TOKENS]),
            weights=surprise / surprise.sum(),
            tokens=self._tokenizer.spell(ids),
        )
        return query, self._side_by_side(reading.depths)

    def _read_passage(self, text: str) -> FloatArray:
        (depths,) = self._engine.depths([text[:STATES_CHARS]], Role.PASSAGE, READ_TOKENS)
        return self._side_by_side(depths)

    def _side_by_side(self, depths: FloatArray) -> FloatArray:
        parts = zip(self._shipped.depths, depths, strict=True)
        return np.concatenate([one.apply(hidden[:READ_TOKENS]) for one, hidden in parts], axis=1)

    def _read_places(self, read: str) -> tuple[Span, ...]:
        return tuple(self._tokenizer.places(read, self._tokenizer.encode(read)))

    def _open(self, file: WeightFile, variant: Variant, workers: int) -> tuple[Engine, Variant]:
        found = 0.0
        for choice in dict.fromkeys((variant, Variant.EXACT)):
            try:
                engine = Engine(file, self._tokenizer, variant=choice, ranges=self._shipped.ranges, workers=workers)
            except EncoderUnavailable:
                if choice is Variant.EXACT:
                    raise
                self.note = "int8 products are not supported here; running exact products, about twice as slow"
                continue
            found = self._check(engine)
            if found >= LEAST_CHECK:
                return engine, choice
            self.note = f"the int8 self-check gave {found:.4f}; running exact products, about twice as slow"
        raise EncoderUnavailable(
            f"the encoder's self-check gave {found:.4f}, below {LEAST_CHECK}",
            where="bundled encoder",
            remedy="another onnxruntime, or another encoder",
        )

    def _check(self, engine: Engine) -> float:
        (reading,) = engine.read([self._shipped.card.self_check_text], Role.PASSAGE)
        return similarity(reading, self._shipped.check)


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    """Slices of at most so many characters, one text at least."""
    part: list[str] = []
    size = 0
    for text in texts:
        if part and size + len(text) > PORTION_CHARS:
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    if part:
        yield part


def similarity(reading: Reading, reference: FloatArray) -> float:
    """Cosine of a reading's pooled state to a unit vector."""
    return float(_unit(reading.pooled) @ reference)


def _unit(pooled: FloatArray) -> FloatArray:
    vector: FloatArray = pooled / np.linalg.norm(pooled)
    return vector


def _version(shipped: Shipped) -> str:
    # Two releases of the runtime round differently; states depend on the projection, int8 products on the ranges.
    runtime = ".".join(onnxruntime.__version__.split(".")[:2])
    return f"{SHA256[:8]}-{shipped.card.projection_sha256[:4]}{shipped.card.ranges_sha256[:4]}-ort{runtime}"
