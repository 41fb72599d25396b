"""Vectors from any server that speaks the OpenAI `/v1/embeddings` protocol.

Requests are split, retried with growing pauses, and refused at once while the server is known
to be down. The key goes into one header and nowhere else; a server's own words are not shown,
because some servers repeat the key in them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import httpx
import numpy as np
from pydantic import BaseModel, ValidationError

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages
from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.errors import EncoderUnavailable, VectorInvalid

BATCH = 64
ATTEMPTS = 4
TIMEOUT_S = 30.0
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Item]


class OpenAIEncoder:
    """Thread-safe, without token states.

    Asks the server once for the dimension unless it is given. Raises `EncoderUnavailable` when the server stays out
    of reach or answers something else, `VectorInvalid` for vectors of another length, zero or not finite.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        *,
        dimension: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        batch: int = BATCH,
        attempts: int = ATTEMPTS,
        timeout_s: float = TIMEOUT_S,
        sleep: Callable[[float], None] = time.sleep,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        if not url or not model:
            raise EncoderUnavailable(
                "an embeddings server needs its address and a model name",
                where="openai",
                remedy="set GRAPHSVC_OPENAI_URL and GRAPHSVC_OPENAI_MODEL",
            )
        self._url = endpoint(url)
        self._model = model
        self._prefixes = (query_prefix, passage_prefix)
        self._batch = batch
        self._attempts = attempts
        self._sleep = sleep
        self._breaker = breaker or CircuitBreaker()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=timeout_s, headers=headers)
        self._dimension = dimension or len(self._request(["dimension"])[0])
        # Other prefixes give other vectors.
        prefixes = hashlib.sha256("\0".join(self._prefixes).encode()).hexdigest()[:8]
        self._fingerprint = Fingerprint("openai", model, prefixes, self._dimension)

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Unit vectors; texts go out in batches."""
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for start in range(0, len(texts), self._batch):
            part = [self._prefixes[1] + text for text in texts[start : start + self._batch]]
            vectors[start : start + len(part)] = self._vectors(part)
        return Passages(vectors)

    def encode_query(self, text: str) -> EncodedQuery:
        """The unit vector of one question."""
        return EncodedQuery(self._vectors([self._prefixes[0] + text])[0])

    def _vectors(self, texts: list[str]) -> FloatArray:
        rows = self._request(texts)
        if any(len(row) != self._dimension for row in rows):
            found = sorted({len(row) for row in rows})
            raise VectorInvalid(f"vectors of {found} values came, not of {self._dimension}", where=self._url)
        vectors = np.array(rows, np.float64)
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        if not np.isfinite(lengths).all() or not lengths.all():
            raise VectorInvalid("a vector came that is zero or not finite", where=self._url)
        unit: FloatArray = (vectors / lengths).astype(np.float32)
        return unit

    def _request(self, texts: list[str]) -> list[list[float]]:
        wait_s = self._breaker.wait_s()
        if wait_s:
            raise self._unavailable(f"the embeddings server failed lately; next attempt in {wait_s:.0f} s")
        try:
            body = self._post({"model": self._model, "input": texts, "encoding_format": "float"})
            rows = _rows(body, len(texts))
        except EncoderUnavailable:
            self._breaker.failed()
            raise
        if rows is None:
            self._breaker.failed()
            raise self._unavailable("the server's answer is not a list of as many embeddings as texts")
        self._breaker.succeeded()
        return rows

    def _post(self, payload: dict[str, object]) -> bytes:
        failure = ""
        for attempt in range(self._attempts):
            pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**attempt)
            try:
                response = self._client.post(self._url, json=payload)
            except httpx.TransportError as error:
                failure = f"the embeddings server did not answer ({type(error).__name__})"
            else:
                if response.is_success:
                    return response.content
                failure = f"the embeddings server answered {response.status_code} {response.reason_phrase}"
                if response.status_code not in _RETRIED:
                    raise self._unavailable(failure)
                pause = _asked_pause(response, pause)
            if attempt + 1 < self._attempts:
                self._sleep(pause)
        raise self._unavailable(f"{failure}, {self._attempts} times")

    def _unavailable(self, what: str) -> EncoderUnavailable:
        return EncoderUnavailable(what, where=self._url, remedy="check the address, the model name and the key")


def endpoint(url: str) -> str:
    """The embeddings address of a server given by host, by `/v1`, or in full; without user, password or query."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise EncoderUnavailable("the address of an embeddings server must begin with http:// or https://")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    path = parts.path.rstrip("/") or "/v1"
    tail = "" if path.endswith("/embeddings") else "/embeddings"
    return f"{parts.scheme}://{host}{port}{path}{tail}"


def _rows(body: bytes, count: int) -> list[list[float]] | None:
    try:
        items = _Reply.model_validate_json(body).data
    except ValidationError:
        return None
    by_index = {item.index: item.embedding for item in items}
    if len(items) != count or by_index.keys() != set(range(count)):
        return None
    return [by_index[i] for i in range(count)]


def _asked_pause(response: httpx.Response, otherwise: float) -> float:
    """What the server asks for in Retry-After, in seconds and within reason."""
    asked = response.headers.get("Retry-After", "")
    return min(LONGEST_PAUSE_S, float(asked)) if asked.isdecimal() else otherwise
