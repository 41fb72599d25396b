"""What an encoder owes the rest: unit vectors, and where it can, token states and words in context.

Questions and passages are different calls. Every encoder carries a fingerprint; vectors of
two fingerprints are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
ByteArray = NDArray[np.uint8]
Span = tuple[int, int]  # characters of the text, [start, end)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Which encoder wrote a vector: `name`, `variant` and `version` must all agree.

    `dimension` is the vector's length; `state_dimension` the token states', 0 where there are none.
    """

    name: str
    variant: str
    version: str
    dimension: int
    state_dimension: int = 0

    def __str__(self) -> str:
        return f"{self.name}/{self.variant}@{self.version} ({self.dimension}d, states {self.state_dimension}d)"


@dataclass(frozen=True, slots=True)
class TokenStates:
    """Packed token states of one passage, 4 bits a value.

    `codes` is uint8 `(tokens, state_dimension / 2)`, `scales` float32 `(tokens,)`.
    """

    codes: ByteArray
    scales: FloatArray

    def __len__(self) -> int:
        return int(self.codes.shape[0])


@dataclass(frozen=True, slots=True)
class Passages:
    """`vectors` float32 `(n, dimension)`, unit length; `states` one per text, or None."""

    vectors: FloatArray
    states: tuple[TokenStates, ...] | None = None


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """`vector` float32 `(dimension,)`; `states` float32 `(tokens, state_dimension)`, rows of unit length.

    `weights` float32 `(tokens,)` sum to 1 and say how much each question token counts; `tokens` are their pieces.
    """

    vector: FloatArray
    states: FloatArray | None = None
    weights: FloatArray | None = None
    tokens: tuple[str, ...] = ()


class Encoder(Protocol):
    """Thread-safe. Raises `EncoderUnavailable` when its weights or server are out of reach."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Encode texts to be stored; batches equal singles to 1e-5."""
        ...

    def encode_query(self, text: str) -> EncodedQuery:
        """Encode one question."""
        ...


@runtime_checkable
class ContextEncoder(Protocol):
    """What an encoder may offer besides: vectors of single words as they are meant where they stand."""

    @property
    def word_dimension(self) -> int:
        """Length of a word's vector; 0 when this encoder has none after all."""
        ...

    def word_vectors(self, text: str, spans: Sequence[Span], states: TokenStates | FloatArray) -> FloatArray:
        """float32 `(spans, word_dimension)`, unit length, from the states the text was encoded to: no further pass.

        `states` come from `encode_passages` or `encode_query` of this very text. A row is zero where the states do
        not reach: they are kept of a text's first 512 tokens only.
        """
        ...


@runtime_checkable
class PlacingEncoder(Protocol):
    """What an encoder may offer besides: which characters of a text each of its token states stands for."""

    def token_places(self, text: str) -> tuple[Span, ...]:
        """One span a token, in order, of as many tokens as were read; empty when this encoder cannot tell."""
        ...


READ_TOKENS = 128  # of a text, that a reader of its depths looks at


@runtime_checkable
class DepthEncoder(Protocol):
    """What an encoder may offer besides: token states of its middle layers, which tell best what a text says.

    Its last layers bend every token to the topic of the whole, which is what likeness needs and reading does not.
    """

    @property
    def depth_dimension(self) -> int:
        """Length of a token's row: all depths side by side, each of unit length; 0 when there are none after all."""
        ...

    def question_depths(self, text: str) -> FloatArray:
        """float32 `(tokens, depth_dimension)` of the first `READ_TOKENS` that `encode_query` has states of."""
        ...

    def passage_depths(self, texts: Sequence[str]) -> list[FloatArray]:
        """The same of each passage; another pass over the texts, so for a few of them."""
        ...


def encode_words(
    encoder: Encoder,
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    *,
    passages: Passages | None = None,
) -> list[FloatArray]:
    """Vectors of words in context, float32 `(spans of the text, d)` by text, unit length.

    `passages` are those of the same texts, encoded here when absent. An encoder that knows no single words gives
    the vector of the text for each of them.
    """
    read = encoder.encode_passages(texts) if passages is None else passages
    if isinstance(encoder, ContextEncoder) and encoder.word_dimension and read.states is not None:
        return [encoder.word_vectors(*one) for one in zip(texts, spans, read.states, strict=True)]
    return [np.repeat(vector[None], len(some), axis=0) for vector, some in zip(read.vectors, spans, strict=True)]


class Reranker(Protocol):
    """A cross-encoder: reads question and passage together. Thread-safe.

    `name` says which model scored. Raises `EncoderUnavailable` when its weights or server are out of reach.
    """

    @property
    def name(self) -> str: ...

    def score(self, question: str, passages: Sequence[str]) -> FloatArray:
        """Relevance in [0, 1], float32 `(n,)` in the order given; higher is better, comparable within one question."""
        ...
