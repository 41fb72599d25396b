"""The re-ranker over HTTP against a real server on this machine, in both dialects, well-behaved and not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import numpy as np
import pytest

from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.encoding.http_reranker import MOST_CHARS, MOST_PASSAGES, HttpReranker, rerank_endpoint
from graphsvc.encoding.open import open_reranker
from graphsvc.errors import EncoderUnavailable, SettingsInvalid
from graphsvc.settings import Settings
from tests.contract.scripted import Reply, Script, scripted

KEY = "sk-very-secret"
QUESTION = "谁负责仓库盘点？"
PASSAGES = ["张伟负责仓库盘点。", "The invoice is due.", "李娜去了杭州。"]


def results(*scores: object) -> bytes:
    """As most servers answer, best first, with fields of their own."""
    ordered = sorted(enumerate(scores), key=lambda one: -float(str(one[1])))
    found = [{"index": i, "relevance_score": score, "document": {"text": "…"}} for i, score in ordered]
    return json.dumps({"id": "x", "results": found, "usage": {"total_tokens": 9}}).encode()


def ranks(*scores: float) -> bytes:
    return json.dumps([{"index": i, "score": score} for i, score in reversed(list(enumerate(scores)))]).encode()


@pytest.fixture
def server() -> Iterator[Script]:
    with scripted() as script:
        yield script


@pytest.fixture
def reranker(server: Script) -> Iterator[HttpReranker]:
    opened = HttpReranker(server.url, "ranker", KEY, timeout_s=0.4, breaker=CircuitBreaker(limit=2))
    yield opened
    opened.close()


def test_scores_come_back_in_the_order_of_the_passages(reranker: HttpReranker, server: Script) -> None:
    server.says(results(0.9, 0.1, 0.25))
    scores = reranker.score(QUESTION, PASSAGES)
    assert scores.dtype == np.float32
    assert scores.tolist() == pytest.approx([0.9, 0.1, 0.25])
    assert server.seen == [{"query": QUESTION, "documents": PASSAGES, "model": "ranker", "top_n": 3}]


def test_the_key_goes_into_one_header_and_nowhere_else(reranker: HttpReranker, server: Script) -> None:
    server.says(results(0.9, 0.1, 0.25))
    reranker.score(QUESTION, PASSAGES)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(server.seen)


def test_a_server_that_wants_texts_is_found_out_once(reranker: HttpReranker, server: Script) -> None:
    server.says(Reply(b'{"error":"missing field `texts`"}', 422), ranks(0.2, 0.8, 0.5))
    for _ in range(2):
        assert reranker.score(QUESTION, PASSAGES).tolist() == pytest.approx([0.2, 0.8, 0.5])
    assert ["texts" in sent for sent in server.seen] == [False, True, True]


def test_logits_become_probabilities_and_stay_so_for_that_server(reranker: HttpReranker, server: Script) -> None:
    server.says(results(2.0, -3.0, 0.0), results(0.5, 0.25, 0.1))
    assert reranker.score(QUESTION, PASSAGES).tolist() == pytest.approx([0.8808, 0.0474, 0.5], abs=1e-4)
    assert reranker.score(QUESTION, PASSAGES)[0] == pytest.approx(0.6225, abs=1e-4)


def test_no_passages_ask_nobody(reranker: HttpReranker, server: Script) -> None:
    assert reranker.score(QUESTION, []).shape == (0,)
    assert not server.seen


def test_a_long_passage_goes_out_in_part_and_too_many_not_at_all(reranker: HttpReranker, server: Script) -> None:
    server.says(results(0.5))
    reranker.score(QUESTION, ["长" * 10 * MOST_CHARS])
    assert server.seen[0]["documents"] == ["长" * MOST_CHARS]
    with pytest.raises(EncoderUnavailable, match="too much"):
        reranker.score(QUESTION, ["x"] * (MOST_PASSAGES + 1))
    assert len(server.seen) == 1


def test_one_failure_is_tried_again(reranker: HttpReranker, server: Script) -> None:
    server.says(Reply(status=503), results(0.9, 0.1, 0.25))
    assert reranker.score(QUESTION, PASSAGES)[0] == pytest.approx(0.9)
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"{}",
        b"[]",
        results(0.9, 0.1),
        results(0.9, 0.1, 0.2, 0.3),
        ranks(0.1, 0.2),
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1},'
        b' {"index": 1, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1},'
        b' {"index": 2, "relevance_score": 1}]}',
        b"x" * 2_100_000,
    ],
)
def test_an_answer_that_is_not_one_score_a_passage_is_refused(
    body: bytes, reranker: HttpReranker, server: Script
) -> None:
    server.says(body)
    with pytest.raises(EncoderUnavailable) as caught:
        reranker.score(QUESTION, PASSAGES)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("reply", [Reply(wait_s=3.0), Reply(drip_s=0.02)])
def test_a_slow_server_runs_into_the_time_limit(reply: Reply, reranker: HttpReranker, server: Script) -> None:
    server.says(reply)
    start = time.monotonic()
    with pytest.raises(EncoderUnavailable, match="too_slow"):
        reranker.score(QUESTION, PASSAGES)
    assert time.monotonic() - start < 1.5


def test_a_failing_server_is_left_alone_after_some_failures(reranker: HttpReranker, server: Script) -> None:
    server.says(Reply(status=401))
    for _ in range(5):
        with pytest.raises(EncoderUnavailable):
            reranker.score(QUESTION, PASSAGES)
    assert len(server.seen) == 2


def test_a_request_no_dialect_of_which_is_taken_is_a_failure(reranker: HttpReranker, server: Script) -> None:
    server.says(Reply(status=422))
    with pytest.raises(EncoderUnavailable, match="refused 422"):
        reranker.score(QUESTION, PASSAGES)
    assert [sorted(sent) for sent in server.seen] == [
        ["documents", "model", "query", "top_n"],
        ["query", "texts", "truncate"],
    ]


@pytest.mark.parametrize(
    ("url", "full"),
    [
        ("http://host:8080", "http://host:8080/rerank"),
        ("https://api.host/v1/", "https://api.host/v1/rerank"),
        ("https://user:pw@host/v2/rerank?x=1", "https://host/v2/rerank"),
    ],
)
def test_the_address_may_be_given_short(url: str, full: str) -> None:
    assert rerank_endpoint(url) == full


@pytest.mark.parametrize("url", ["", "host:80", "ftp://host", "http://host:port"])
def test_an_address_that_is_none_is_refused_by_the_settings_name(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="GRAPHSVC_RERANK_URL"):
        HttpReranker(url)


def test_the_settings_open_no_re_ranker_or_one_over_http(server: Script) -> None:
    assert open_reranker(Settings()) is None
    server.says(results(0.9, 0.1, 0.25))
    environment = {"GRAPHSVC_RERANKER": "http", "GRAPHSVC_RERANK_URL": server.url, "GRAPHSVC_RERANK_MODEL": "ranker"}
    opened = open_reranker(Settings.from_environment(environment))
    assert isinstance(opened, HttpReranker)
    assert opened.name == "ranker"
    assert opened.score(QUESTION, PASSAGES)[0] == pytest.approx(0.9)
    opened.close()
