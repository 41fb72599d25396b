"""Whatever goes wrong answers with problem+json, and nothing of the inside."""

from __future__ import annotations

import inspect

import pytest
from litestar.testing import TestClient

from graphsvc import errors
from graphsvc.interfaces.http.app import create_app
from graphsvc.interfaces.http.problems import STATUSES
from graphsvc.settings import Settings
from tests.interfaces.conftest import MAX_BODY_BYTES

ERRORS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]


def test_every_error_of_the_tree_has_its_status():
    assert set(ERRORS) == set(STATUSES)


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_answers_with_its_code_what_and_remedy(client, graph, kind):
    graph.failure = kind("it broke", where="here", remedy="mend it")
    answer = client.get("/v1/memories")
    body = answer.json()
    assert answer.status_code == body["status"] == STATUSES[kind]
    assert answer.headers["content-type"] == "application/problem+json"
    assert (body["type"], body["detail"], body["remedy"]) == (
        f"urn:graphsvc:problem:{kind.code}",
        "it broke",
        "mend it",
    )
    assert body["where"] == ("here" if answer.status_code < 500 else "")


def test_a_busy_store_says_when_to_come_back(client, graph):
    """Report A29: a wait limit that was hit is 503."""
    graph.failure = errors.StoreBusy("the writer is taken")
    answer = client.post("/v1/memories", json={"text": "甲"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "failure", [RuntimeError("仓库六点关门"), KeyError("仓库六点关门"), RecursionError("仓库六点关门")]
)
def test_an_unexpected_error_tells_nothing_of_its_inside(client, graph, failure, capfd):
    graph.failure = failure
    answer = client.get("/v1/memories")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.status_code in {400, 500}
    told = capfd.readouterr()
    for text in (answer.text, told.out, told.err):
        assert "六点" not in text
        assert "Traceback" not in text


def test_readiness_fails_with_the_store_and_liveness_does_not(client, graph):
    assert client.get("/health/ready").status_code == 200
    graph.failure = errors.StoreBusy("taken")
    assert client.get("/health/ready").status_code == 503
    assert client.get("/health/live").status_code == 200


@pytest.mark.parametrize("name", ["namespace", "graph", "act"])
def test_a_field_called_like_something_routes_are_given_is_unknown_like_any_other(client, graph, name):
    for path, body in (("/v1/search", {"question": "x"}), ("/v1/memories", {"memories": [{"text": "甲"}]})):
        answer = client.post(path, json=body | {name: "T2"})
        assert (answer.status_code, answer.json()["where"], answer.json()["detail"]) == (400, name, "unknown field")
    assert graph.memories == {}


def test_bytes_that_are_not_utf8_are_refused(client, graph):
    """Report A37: undecodable input is 400, and nothing is stored."""
    answer = client.post("/v1/memories", content=bytes.fromhex("7b2274657874223a22fffe227d"))
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:graphsvc:problem:body-malformed"
    assert graph.memories == {}
    assert client.get("/v1/memories/%FF").status_code == 404


@pytest.mark.parametrize(
    "body",
    [b"", b" ", b"{", b"nonsense", b'{"text": NaN}', b'{"text": "\\ud800"}', b"[" * 40_000, b'{"a":' * 9_000, b"\x00"],
)
def test_a_body_that_is_not_json_is_refused(client, graph, body):
    answer = client.post("/v1/memories", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert graph.memories == {}


@pytest.mark.parametrize("streamed", [False, True])
def test_a_body_too_large_is_413_however_it_is_sent(client, graph, streamed):
    body = b'{"text": "' + b"x" * MAX_BODY_BYTES + b'"}'
    answer = client.post(
        "/v1/memories", content=iter([body[:MAX_BODY_BYTES], body[MAX_BODY_BYTES:]]) if streamed else body
    )
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:graphsvc:problem:body-too-large")
    assert graph.memories == {}


def test_a_body_at_the_limit_is_taken(client):
    body = b'{"text": "' + b"x" * (MAX_BODY_BYTES - 12) + b'"}'
    assert len(body) == MAX_BODY_BYTES
    assert client.post("/v1/memories", content=body).status_code == 201


@pytest.mark.parametrize(
    "declared", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_body_of_another_type_is_415(client, graph, declared):
    answer = client.post("/v1/memories", content=b'{"text": "x"}', headers={"Content-Type": declared})
    assert (answer.status_code, answer.json()["where"]) == (415, "Content-Type")
    assert graph.memories == {}


@pytest.mark.parametrize("declared", ["application/json", "Application/JSON; charset=utf-8", "application/ld+json"])
def test_json_under_its_several_names_is_taken(client, declared):
    answer = client.post("/v1/memories", content=b'{"text": "x"}', headers={"Content-Type": declared})
    assert answer.status_code == 201


def test_an_unknown_path_is_404_and_a_wrong_method_405(client):
    assert client.get("/nope").json()["type"] == "urn:graphsvc:problem:route-not-found"
    answer = client.put("/v1/memories", json={})
    assert answer.json()["type"] == "urn:graphsvc:problem:method-not-allowed"
    assert {"GET", "POST", "DELETE"} <= set(answer.headers["allow"].split(", "))


def test_the_graph_is_closed_with_the_application(graph):
    with TestClient(create_app(graph, Settings())):
        assert not graph.closed
    assert graph.closed
