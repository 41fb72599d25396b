"""The OpenAI-compatible encoder against a real server on this machine, well-behaved and not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

import numpy as np
import pytest

from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.encoding.openai import OpenAIEncoder, endpoint
from graphsvc.errors import EncoderUnavailable, VectorInvalid
from tests.contract.serving import serving

KEY = "sk-very-secret"
Reply = tuple[int, bytes, dict[str, str]]


def embed(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0, 2.0] for text in texts]


def well(texts: list[str]) -> Reply:
    rows = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(embed(texts))]
    body = {"object": "list", "data": list(reversed(rows)), "model": "m", "usage": {"total_tokens": 1}}
    return 200, json.dumps(body).encode(), {}


def saying(body: object, status: int = 200, **headers: str) -> Callable[[list[str]], Reply]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda _texts: (status, raw, headers)


@dataclass
class Server:
    """Answers with the next scripted reply, and well once the script is over."""

    url: str = ""
    script: list[Callable[[list[str]], Reply]] = field(default_factory=list)
    seen: list[list[str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    def post(handler: BaseHTTPRequestHandler) -> None:
        payload = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        state.seen.append(payload["input"])
        state.headers.append(dict(handler.headers))
        state.paths.append(handler.path)
        answer = state.script.pop(0) if state.script else well
        status, body, headers = answer(payload["input"])
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    with serving(post) as state.url:
        yield state


class Pauses:
    """A sleep that only takes notes."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


def open_one(server: Server, pauses: Pauses, **options: object) -> OpenAIEncoder:
    given: dict[str, object] = {"dimension": 3, "sleep": pauses, "attempts": 3, **options}
    return OpenAIEncoder(server.url, "m", KEY, **given)  # type: ignore[arg-type]


def test_vectors_are_of_unit_length_and_in_the_order_of_the_texts(server: Server, pauses: Pauses) -> None:
    texts = ["a", "bbbb", "cc"]
    vectors = open_one(server, pauses).encode_passages(texts).vectors
    expected = np.array(embed(texts)) / np.linalg.norm(embed(texts), axis=1, keepdims=True)
    assert np.allclose(vectors, expected, atol=1e-6)
    assert vectors.dtype == np.float32


def test_the_dimension_is_asked_for_once(server: Server, pauses: Pauses) -> None:
    encoder = open_one(server, pauses, dimension=None)
    assert encoder.fingerprint.dimension == 3
    assert len(server.seen) == 1
    assert encoder.encode_query("who?").vector.shape == (3,)


def test_long_lists_go_out_in_batches(server: Server, pauses: Pauses) -> None:
    passages = open_one(server, pauses, batch=4).encode_passages([str(i) for i in range(10)])
    assert [len(batch) for batch in server.seen] == [4, 4, 2]
    assert passages.vectors.shape == (10, 3)


def test_no_texts_cost_no_request(server: Server, pauses: Pauses) -> None:
    assert open_one(server, pauses).encode_passages([]).vectors.shape == (0, 3)
    assert server.seen == []


def test_prefixes_are_put_before_questions_and_passages(server: Server, pauses: Pauses) -> None:
    encoder = open_one(server, pauses, query_prefix="Q: ", passage_prefix="P: ")
    encoder.encode_query("x")
    encoder.encode_passages(["y"])
    assert server.seen == [["Q: x"], ["P: y"]]
    assert encoder.fingerprint != open_one(server, pauses).fingerprint


def test_the_key_travels_in_the_header(server: Server, pauses: Pauses) -> None:
    open_one(server, pauses).encode_query("x")
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.paths == ["/v1/embeddings"]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_passing_failure_is_retried_with_growing_pauses(server: Server, pauses: Pauses, status: int) -> None:
    server.script = [saying({}, status), saying({}, status)]
    assert open_one(server, pauses).encode_query("x").vector.shape == (3,)
    assert pauses.seconds == [0.5, 1.0]


def test_the_server_may_say_how_long_to_wait(server: Server, pauses: Pauses) -> None:
    server.script = [saying({}, 429, Retry_After="3"), saying({}, 429, Retry_After="999")]
    open_one(server, pauses).encode_query("x")
    assert pauses.seconds == [3.0, 10.0]


def test_retries_are_bounded(server: Server, pauses: Pauses) -> None:
    server.script = [saying({}, 500)] * 9
    with pytest.raises(EncoderUnavailable, match="500 Internal Server Error, 3 times"):
        open_one(server, pauses).encode_query("x")
    assert len(server.seen) == 3
    assert len(pauses.seconds) == 2


def test_a_refusal_is_not_retried_and_never_shows_the_key(server: Server, pauses: Pauses) -> None:
    server.script = [saying({"error": f"Incorrect API key provided: {KEY}"}, 401)]
    with pytest.raises(EncoderUnavailable) as caught:
        open_one(server, pauses).encode_query("x")
    assert "401" in str(caught.value)
    assert KEY not in str(caught.value) + repr(caught.value)
    assert len(server.seen) == 1


def test_a_key_written_into_the_address_is_not_shown_either(server: Server, pauses: Pauses) -> None:
    server.script = [saying({}, 401)]
    server.url = server.url.replace("http://", f"http://user:{KEY}@") + f"/v1?api-key={KEY}"
    with pytest.raises(EncoderUnavailable) as caught:
        open_one(server, pauses).encode_query("x")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>gateway</html>",
        b"",
        b"\xff\xfe",
        {"data": "none"},
        {"data": []},
        {"data": [{"index": 1, "embedding": [1, 2, 3]}]},
        {"data": [{"index": 0, "embedding": [1, 2, 3]}] * 2},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"error": "no such model"},
    ],
)
def test_an_answer_that_is_no_embeddings_is_refused(server: Server, pauses: Pauses, body: object) -> None:
    server.script = [saying(body)]
    with pytest.raises(EncoderUnavailable, match="not a list of as many embeddings"):
        open_one(server, pauses).encode_query("x")


def test_very_large_values_are_scaled_not_lost(server: Server, pauses: Pauses) -> None:
    server.script = [saying(b'{"data": [{"index": 0, "embedding": [1e60, 0, 0]}]}')]
    assert open_one(server, pauses).encode_query("x").vector.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("[1, 2]", "of \\[2\\] values"),
        ("[1, 2, 3, 4]", "not of 3"),
        ("[0, 0, 0]", "zero or not finite"),
        ("[1e999, 0, 0]", "zero or not finite"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(server: Server, pauses: Pauses, row: str, words: str) -> None:
    server.script = [saying(b'{"data": [{"index": 0, "embedding": ' + row.encode() + b"}]}")]
    with pytest.raises(VectorInvalid, match=words):
        open_one(server, pauses).encode_query("x")


def test_a_server_that_does_not_answer_in_time_is_given_up(server: Server, pauses: Pauses) -> None:
    def late(texts: list[str]) -> Reply:
        time.sleep(0.3)
        return well(texts)

    server.script = [late] * 2
    with pytest.raises(EncoderUnavailable, match="ReadTimeout"):
        open_one(server, pauses, timeout_s=0.05, attempts=2).encode_query("x")
    assert len(pauses.seconds) == 1


def test_nobody_listening_is_said_plainly(pauses: Pauses) -> None:
    with pytest.raises(EncoderUnavailable, match="did not answer"):
        OpenAIEncoder("http://127.0.0.1:9", "m", dimension=3, sleep=pauses)._vectors(["x"])


def test_a_server_that_keeps_failing_is_left_alone_for_a_while(server: Server, pauses: Pauses) -> None:
    now = [0.0]
    encoder = open_one(server, pauses, attempts=1, breaker=CircuitBreaker(2, 30.0, lambda: now[0]))
    server.script = [saying({}, 500)] * 3
    for _ in range(2):
        with pytest.raises(EncoderUnavailable, match="500"):
            encoder.encode_query("x")
    with pytest.raises(EncoderUnavailable, match="next attempt in 30 s"):
        encoder.encode_query("x")
    assert len(server.seen) == 2
    now[0] = 31.0
    with pytest.raises(EncoderUnavailable, match="500"):
        encoder.encode_query("x")
    with pytest.raises(EncoderUnavailable, match="next attempt"):
        encoder.encode_query("x")
    now[0] = 62.0
    assert encoder.encode_query("x").vector.shape == (3,)
    assert encoder.encode_query("x").vector.shape == (3,)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://host:8000", "http://host:8000/v1/embeddings"),
        ("http://host:8000/", "http://host:8000/v1/embeddings"),
        ("https://host/v1", "https://host/v1/embeddings"),
        ("https://host/api/v1/", "https://host/api/v1/embeddings"),
        ("https://host/v1/embeddings", "https://host/v1/embeddings"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1/embeddings"),
    ],
)
def test_the_address_may_be_given_in_three_ways(given: str, expected: str) -> None:
    assert endpoint(given) == expected


@pytest.mark.parametrize("url", ["host:8000", "ftp://host", "http://", "/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(EncoderUnavailable, match="http://"):
        endpoint(url)


def test_address_and_model_are_both_needed() -> None:
    with pytest.raises(EncoderUnavailable, match="address and a model"):
        OpenAIEncoder("", "m")
