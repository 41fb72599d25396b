"""Searching, answering and tracing over HTTP, and the document that describes it all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from graphsvc.models.answer import Answer, Leg, SearchResult, Trace
from graphsvc.models.audit import Act
from graphsvc.store.filters import eq
from tests.interfaces import told
from tests.interfaces.fakes import FakeGraph

ROUTES = {
    ("/v1/feedback", "post"),
    ("/v1/calibration", "get"),
    ("/v1/calibration/{version}/card", "get"),
    ("/v1/calibration/{version}/report", "get"),
    ("/v1/calibration/train", "post"),
    ("/v1/calibration/promote", "post"),
    ("/v1/calibration/rollback", "post"),
    ("/v1/jobs/{job_id}", "get"),
    ("/metrics", "get"),
    ("/v1/memories/{memory_id}", "patch"),
    ("/v1/memories/{memory_id}/history", "get"),
    ("/v1/memories/{memory_id}/supersede", "post"),
    ("/v1/memories/{memory_id}/falsify", "post"),
    ("/v1/audit", "get"),
    ("/v1/audit/verify", "get"),
    ("/v1/traces/{trace_id}/replay", "post"),
    ("/v1/overturned", "get"),
    ("/v1/webhooks", "get"),
    ("/v1/webhooks", "post"),
    ("/v1/webhooks/{webhook_id}", "delete"),
    ("/v1/webhooks/deliveries", "get"),
    ("/v1/purge", "post"),
    ("/v1/consolidate", "post"),
    ("/v1/expire", "post"),
    ("/v1/relink", "post"),
    ("/v1/memories", "get"),
    ("/v1/memories", "post"),
    ("/v1/memories", "delete"),
    ("/v1/memories/{memory_id}", "get"),
    ("/v1/memories/{memory_id}", "delete"),
    ("/v1/memories/{memory_id}/senses", "post"),
    ("/v1/search", "post"),
    ("/v1/answer", "post"),
    ("/v1/traces/{trace_id}", "get"),
    ("/v1/entities", "get"),
    ("/v1/entities/candidates", "get"),
    ("/v1/aliases", "get"),
    ("/v1/aliases", "post"),
    ("/v1/aliases", "delete"),
    ("/v1/aliases/table", "get"),
    ("/v1/aliases/table", "post"),
    ("/v1/merges", "get"),
    ("/v1/merges", "post"),
    ("/v1/merges/{merge_id}", "delete"),
    ("/v1/understand", "post"),
    ("/v1/ontology", "get"),
    ("/v1/stats", "get"),
    ("/health/live", "get"),
    ("/health/ready", "get"),
}


@pytest.fixture
def graph() -> FakeGraph:
    graph = FakeGraph()
    graph.add([{"id": "m1", "text": "C++ 服务 tb-17 已上线"}, {"id": "m2", "text": "仓库六点关门"}])
    return graph


def test_a_search_passes_on_everything_it_was_asked_with(client, graph):
    body = {
        "question": "仓库",
        "asked_at": "2026-03-06T10:00:00+08:00",
        "asked_by": "何琳",
        "conversation_id": "c1",
        "where": {"field": "sender", "op": "eq", "value": "Mei"},
        "limit": 3,
        "min_similarity": 0.5,
        "legs": ["lexical"],
        "diversity": 0.25,
        "session_id": "s1",
        "as_of": "2026-02-01T00:00:00+08:00",
        "known_at": "2026-02-02T00:00:00+08:00",
    }
    headers = {"X-Namespace": "T1", "X-Actor": "何琳".encode(), "X-Reason": "audit"}
    answer = client.post("/v1/search", json=body, headers=headers)
    assert answer.status_code == 200
    assert graph.asked == {
        "question": "仓库",
        "namespace": "T1",
        "asked_at": datetime.fromisoformat("2026-03-06T10:00:00+08:00"),
        "asked_by": "何琳",
        "conversation_id": "c1",
        "where": eq("sender", "Mei"),
        "limit": 3,
        "min_similarity": 0.5,
        "legs": frozenset({Leg.LEXICAL}),
        "diversity": 0.25,
        "session_id": "s1",
        "as_of": datetime.fromisoformat("2026-02-01T00:00:00+08:00"),
        "known_at": datetime.fromisoformat("2026-02-02T00:00:00+08:00"),
        "by": Act(actor="何琳", reason="audit"),
    }


def test_a_search_without_options_uses_all_legs_and_no_filter(client, graph):
    client.post("/v1/search", json={"question": "仓库"})
    assert (graph.asked["legs"], graph.asked["where"], graph.asked["asked_at"]) == (frozenset(Leg), None, None)
    assert (graph.asked["diversity"], graph.asked["session_id"]) == (0.0, None)


def test_an_answer_passes_its_session_on(client, graph):
    client.post("/v1/answer", json={"question": "仓库", "session_id": "s1"})
    assert graph.asked["session_id"] == "s1"


def test_an_answer_is_sent_whole_and_its_trace_with_it_when_explained(client, graph):
    graph.given = (told.answer(), told.trace())
    plain = client.post("/v1/answer", json={"question": "仓库"})
    assert Answer.model_validate_json(plain.content) == told.answer()
    explained = client.post("/v1/answer?explain=true", json={"question": "仓库"}).json()
    assert Trace.model_validate(explained.pop("trace")) == told.trace()
    assert explained == plain.json()
    assert client.get(f"/v1/traces/{told.TRACE}").json() == told.trace().model_dump(mode="json")


def test_a_search_has_its_trace_with_it_when_explained(client):
    explained = client.post("/v1/search?explain=true", json={"question": "仓库"}).json()
    trace = Trace.model_validate(explained.pop("trace"))
    found = SearchResult.model_validate(explained)
    assert (trace.id, trace.candidates) == (found.trace_id, found.candidates)
    assert "trace" not in client.post("/v1/search?explain=false", json={"question": "仓库"}).json()


@pytest.mark.parametrize(("query", "where"), [("explain=maybe", "explain"), ("explian=true", "explian")])
@pytest.mark.parametrize("path", ["/v1/search", "/v1/answer"])
def test_a_bad_query_parameter_is_named_with_what_to_do(client, path, query, where):
    answer = client.post(f"{path}?{query}", json={"question": "仓库"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert answer.json()["where"] == where
    assert answer.json()["remedy"]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("diversity", "0.5", "a number"),
        ("diversity", True, "a number"),
        ("limit", "3", "a number"),
        ("min_similarity", False, "a number"),
        ("diversity", 1.5, "less than or equal to 1"),
        ("legs", [], "dense, lexical, late"),
        ("session_id", 3, "valid string"),
    ],
)
def test_a_wrong_type_says_where_what_was_expected_and_where_to_look(client, field, value, said):
    answer = client.post("/v1/search", json={"question": "仓库", field: value})
    problem = answer.json()
    assert (answer.status_code, problem["where"], problem["remedy"]) == (400, field, "see /schema")
    assert said in problem["detail"]


def test_what_is_sent_is_what_the_records_say(client):
    found = SearchResult.model_validate_json(client.post("/v1/search", json={"question": "仓库"}).content)
    assert [candidate.memory.id for candidate in found.candidates] == ["m2"]
    given = Answer.model_validate_json(client.post("/v1/answer", json={"question": "仓库"}).content)
    assert given.evidence[0].quote == "仓库"
    trace = client.get(f"/v1/traces/{given.trace_id}")
    assert trace.json() == Trace.model_validate_json(trace.content).model_dump(mode="json")


def test_nothing_found_is_an_answer_and_not_an_error(client):
    answer = client.post("/v1/answer", json={"question": "量子色动力学"})
    assert (answer.status_code, answer.json()["status"]) == (200, "nothing_reliable")


@pytest.mark.parametrize("question", ["/b 测试", "C++", "tb-", "AND", '"未闭合', "*", "上线! (v2)~", "\x00", "😀" * 50])
@pytest.mark.parametrize("path", ["/v1/search", "/v1/answer"])
def test_no_question_is_a_server_error(client, path, question):
    """Report A36: reserved characters of query languages are plain text here."""
    assert client.post(path, json={"question": question}).status_code in {200, 400}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("question", ""),
        ("question", "问" * 5000),
        ("question", 3),
        ("asked_at", "2026-03-06"),
        ("asked_at", "yesterday"),
        ("asked_at", 1772762400),
        ("limit", 0),
        ("limit", 10_000),
        ("min_similarity", 2),
        ("min_similarity", 1e999),
        ("legs", []),
        ("legs", ["psychic"]),
        ("asked_by", ""),
        ("session_id", ""),
        ("session_id", "s" * 501),
        ("session_id", "\x00"),
        ("diversity", -0.1),
        ("diversity", None),
        ("tenant", "T2"),
    ],
)
def test_a_bad_field_is_named(client, field, value):
    body = json.dumps({"question": "仓库", field: value})
    answer = client.post("/v1/search", content=body.replace("Infinity", "1e999"))
    assert answer.status_code == 400
    assert answer.json()["where"].split(".")[0] in {field, ""}


def test_several_bad_fields_are_all_named(client):
    answer = client.post("/v1/search", json={"question": "仓库", "limit": 0, "tenant": "T2"})
    assert {one["where"] for one in answer.json()["errors"]} == {"limit", "tenant"}


@pytest.mark.parametrize(
    "filter_", [{"field": "sendr", "value": "x"}, {"all": 3}, [], "x", {"field": "sender", "op": "gt", "value": "x"}]
)
def test_a_bad_filter_is_refused(client, filter_):
    answer = client.post("/v1/search", json={"question": "仓库", "where": filter_})
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:graphsvc:problem:filter-invalid")


def test_a_filter_that_lists_nothing_reaches_the_graph_as_such(client, graph):
    """Report A20: an empty list of ids is a filter, not the absence of one."""
    client.post("/v1/search", json={"question": "仓库", "where": {"field": "id", "op": "in", "value": []}})
    assert graph.asked["where"].value == ()


def test_stats_speak_of_one_namespace_and_of_no_place_on_the_server(client, graph):
    graph.add([{"text": "别人的"}], namespace="T2")
    told = client.get("/v1/stats")
    assert (told.json()["namespace"], told.json()["memories"], told.json()["notes"]) == ("default", 2, ["no vectors"])
    assert "T2" not in told.text
    assert "secret" not in told.text
    assert client.get("/v1/stats", headers={"X-Namespace": "T3"}).json()["memories"] == 0


@pytest.mark.parametrize("path", ["/schema", "/schema/openapi.json"])
def test_the_description_lists_every_route(client, path):
    document = client.get(path).json()
    assert document["openapi"].startswith("3.")
    assert {(path, method) for path, item in document["paths"].items() for method in item} == ROUTES


def test_every_reference_of_the_description_leads_somewhere(client):
    document = client.get("/schema").json()
    for reference in _references(document):
        place: Any = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
        assert place


@pytest.mark.parametrize(("path", "plain"), [("/v1/search", SearchResult), ("/v1/answer", Answer)])
def test_the_description_of_a_question_knows_the_session_and_the_trace(client, path, plain):
    document = client.get("/schema").json()
    operation = document["paths"][path]["post"]
    schemas = document["components"]["schemas"]
    body = schemas[operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]]
    sent = schemas[operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]]
    assert "session_id" in body["properties"]
    assert [one["schema"]["type"] for one in operation["parameters"] if one["name"] == "explain"] == ["boolean"]
    assert set(sent["properties"]) == {*plain.model_fields, "trace"}
    assert "trace" not in sent["required"]


def test_the_description_bounds_diversity_and_lists_the_legs(client):
    fields = client.get("/schema").json()["components"]["schemas"]["SearchBody"]["properties"]
    assert (fields["diversity"]["minimum"], fields["diversity"]["maximum"]) == (0, 1)
    assert fields["legs"]["items"] == {"$ref": "#/components/schemas/Leg"}


def test_operations_have_distinct_names_and_document_their_problems(client):
    operations = [one for item in client.get("/schema").json()["paths"].values() for one in item.values()]
    assert len({one["operationId"] for one in operations}) == len(ROUTES)
    for one in operations:
        bad = one["responses"].get("400")
        assert bad is None or list(bad["content"]) == ["application/problem+json"]
        assert one["operationId"] == "live" or bad


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)
