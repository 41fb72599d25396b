"""Relevance from any server that speaks `/rerank`: Jina, Cohere, vLLM, llama.cpp, text-embeddings-inference.

They differ in little: most take `documents` and give `results` with a `relevance_score`, the last takes `texts` and
gives a bare list with a `score`. Which of the two a server speaks is found out once, by asking. Some give
probabilities and some logits; here they are always probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from time import sleep as _sleep
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter, ValidationError

from graphsvc.encoding.base import FloatArray
from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.errors import EncoderUnavailable
from graphsvc.remote.address import service_address
from graphsvc.remote.server import Failure, JsonServer, ServerFailed

TIMEOUT_S = 0.8
ATTEMPTS = 2
MOST_PASSAGES = 100
MOST_CHARS = 4_000  # of one passage or question; the usual models read some 512 tokens
MOST_SENT_CHARS = 200_000
# Servers may send the passages back beside their scores, escaped to six bytes a character.
_MOST_BYTES = 2_000_000
# A sigmoid in float32 is exactly 0 or 1 further out.
_LOGIT_BOUND = 30.0
_REMEDY = "check GRAPHSVC_RERANK_URL, GRAPHSVC_RERANK_MODEL and GRAPHSVC_RERANK_KEY"


class _Dialect(StrEnum):
    """The name under which the passages go out."""

    DOCUMENTS = "documents"
    TEXTS = "texts"


class _Result(BaseModel):
    index: Annotated[int, Field(ge=0)]
    relevance_score: FiniteFloat


class _Results(BaseModel):
    results: list[_Result]


class _Rank(BaseModel):
    index: Annotated[int, Field(ge=0)]
    score: FiniteFloat


_RANKS = TypeAdapter(list[_Rank])


class HttpReranker:
    """Thread-safe. `timeout_s` bounds a request whole, its second attempt included; the first call may need two.

    Raises `SettingsInvalid` for an address that is none.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        key: str = "",
        *,
        timeout_s: float = TIMEOUT_S,
        attempts: int = ATTEMPTS,
        breaker: CircuitBreaker | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self._server = JsonServer(
            rerank_endpoint(url),
            key,
            breaker=breaker or CircuitBreaker(),
            timeout_s=timeout_s,
            attempts=attempts,
            most_bytes=_MOST_BYTES,
            sleep=sleep,
        )
        self._model = model
        self._dialect = _Dialect.DOCUMENTS
        self._logits = False

    @property
    def name(self) -> str:
        return self._model or self._server.url

    def score(self, question: str, passages: Sequence[str]) -> FloatArray:
        """Relevance in [0, 1], float32 `(n,)`; long passages are read in part.

        Raises `EncoderUnavailable` when the server stays out of reach, is too slow or answers something else, and for
        more passages than one request may hold.
        """
        if not passages:
            return np.zeros(0, np.float32)
        sent = [passage[:MOST_CHARS] for passage in passages]
        if len(sent) > MOST_PASSAGES or sum(map(len, sent)) > MOST_SENT_CHARS:
            raise self._unavailable(f"too much to rank at once: {len(sent)} passages", "ask for fewer")
        scores = self._asked(question[:MOST_CHARS], sent)
        # One score outside [0, 1] tells a server of logits, for good: later ones may all happen to fall inside.
        self._logits = self._logits or bool((scores < 0.0).any() or (scores > 1.0).any())
        if self._logits:
            scores = 1.0 / (1.0 + np.exp(-np.clip(scores, -_LOGIT_BOUND, _LOGIT_BOUND)))
        relevance: FloatArray = scores.astype(np.float32)
        return relevance

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _asked(self, question: str, passages: list[str]) -> NDArray[np.float64]:
        try:
            body = self._in_dialect(question, passages)
        except ServerFailed as error:
            if error.failure is Failure.REFUSED:
                self._server.breaker.failed()
            status = f" {error.status}" if error.status else ""
            raise self._unavailable(f"the re-ranking server gave no answer: {error.failure.value}{status}") from None
        scores = _scores(body, len(passages))
        if scores is None:
            self._server.breaker.failed()
            raise self._unavailable("the server's answer is not a list of one score a passage")
        self._server.breaker.succeeded()
        return scores

    def _in_dialect(self, question: str, passages: list[str]) -> bytes:
        """The answer in the dialect last understood; in the other one where the server misses a field."""
        first = self._dialect
        try:
            return self._server.post(self._payload(first, question, passages))
        except ServerFailed as error:
            if error.status not in {400, 422}:
                raise
        other = _Dialect.TEXTS if first is _Dialect.DOCUMENTS else _Dialect.DOCUMENTS
        body = self._server.post(self._payload(other, question, passages), mended=True)
        self._dialect = other
        return body

    def _payload(self, dialect: _Dialect, question: str, passages: list[str]) -> dict[str, object]:
        payload: dict[str, object] = {"query": question, dialect.value: passages}
        if dialect is _Dialect.TEXTS:
            return payload | {"truncate": True}
        if self._model:
            payload["model"] = self._model
        return payload | {"top_n": len(passages)}

    def _unavailable(self, what: str, remedy: str = _REMEDY) -> EncoderUnavailable:
        return EncoderUnavailable(what, where=self._server.url, remedy=remedy)


def rerank_endpoint(url: str) -> str:
    """The address to rank at, of a server given by host, by `/v1`, or in full.

    All that run at home know `/rerank`; the hosted ones are given by their version: `https://api.jina.ai/v1`.
    """
    return service_address(url, "/rerank", setting="GRAPHSVC_RERANK_URL", base="")


def _scores(body: bytes, count: int) -> NDArray[np.float64] | None:
    """One score a passage, in the order they were sent; None unless each came exactly once."""
    try:
        if body.lstrip().startswith(b"["):
            pairs = [(one.index, one.score) for one in _RANKS.validate_json(body)]
        else:
            pairs = [(one.index, one.relevance_score) for one in _Results.model_validate_json(body).results]
    except ValidationError:
        return None
    if sorted(index for index, _ in pairs) != list(range(count)):
        return None
    scores = np.empty(count, np.float64)
    for index, score in pairs:
        scores[index] = score
    return scores
