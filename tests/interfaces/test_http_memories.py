"""Adding, listing, showing and deleting over HTTP."""

from __future__ import annotations

import json

import pytest


def where(field: str, value: object) -> str:
    return json.dumps({"field": field, "op": "eq", "value": value})


def test_one_memory_is_created_then_unchanged(client):
    first = client.post("/v1/memories", json={"id": "m1", "text": "仓库六点关门"})
    again = client.post("/v1/memories", json={"id": "m1", "text": "仓库六点关门"})
    assert (first.status_code, first.json()["results"][0]["status"]) == (201, "created")
    assert (again.status_code, again.json()["results"][0]["status"]) == (200, "unchanged")


@pytest.mark.parametrize("wrap", [lambda items: items, lambda items: {"memories": items}], ids=["list", "memories"])
def test_a_batch_reports_each_item_and_keeps_the_good_ones(client, graph, wrap):
    answer = client.post("/v1/memories", json=wrap([{"text": "甲"}, {"txt": "乙"}, {"text": "丙"}]))
    assert answer.status_code == 200
    assert [one["status"] for one in answer.json()["results"]] == ["created", "failed", "created"]
    assert answer.json()["results"][1]["error"]["where"].startswith("item 2")
    assert len(graph.memories) == 2


def test_a_batch_of_new_memories_is_201(client):
    assert client.post("/v1/memories", json=[{"text": "甲"}, {"text": "乙"}]).status_code == 201


def test_a_single_memory_that_fails_is_a_problem_not_a_success(client, graph):
    answer = client.post("/v1/memories", json={"txt": "乙"})
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:graphsvc:problem:field-invalid"
    assert answer.json()["where"] == "text"
    assert graph.memories == {}


def test_messages_of_a_conversation_are_added(client, graph):
    messages = [{"role": "user", "name": "何琳", "content": "我不吃香菜"}, {"role": "assistant", "content": "记住了"}]
    answer = client.post("/v1/memories", json={"messages": messages, "conversation_id": "c1"})
    assert answer.status_code == 201
    assert [(m.sender, m.conversation_id) for m in graph.memories.values()] == [("何琳", "c1"), ("assistant", "c1")]


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"memories": []},
        {"memory": {"text": "甲"}, "memories": [{"text": "乙"}]},
        {"messages": [{"role": "user", "content": "甲"}]},
        {"memories": [{"text": "甲"}], "conversation_id": "c1"},
        {"memories": [{"text": "甲"}], "tenant": "x"},
        {"memories": 3},
        "text",
        3,
        None,
    ],
)
def test_a_body_of_another_form_is_refused_and_nothing_is_stored(client, graph, body):
    answer = client.post("/v1/memories", json=body)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert graph.memories == {}


def test_an_unknown_field_is_refused_with_its_name(client):
    answer = client.post("/v1/memories", json={"memories": [{"text": "甲"}], "tenant": "x"})
    assert (answer.json()["where"], answer.json()["detail"]) == ("tenant", "unknown field")


def test_a_memory_is_shown_with_all_its_fields(client):
    client.post("/v1/memories", json={"id": "m1", "text": "甲", "sender": "Mei", "metadata": {"k": 1}})
    shown = client.get("/v1/memories/m1")
    assert shown.status_code == 200
    assert {
        "id": "m1",
        "text": "甲",
        "sender": "Mei",
        "metadata": {"k": 1},
        "event_time": "2026-03-06T02:00:00Z",
    }.items() <= (shown.json().items())


def test_a_missing_memory_is_404(client):
    for call in (client.get, client.delete):
        answer = call("/v1/memories/nobody")
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:graphsvc:problem:not-found")


def test_listing_is_narrowed_by_where_and_limit(client):
    client.post("/v1/memories", json=[{"id": "a", "text": "甲", "sender": "Mei"}, {"id": "b", "text": "乙"}])
    found = client.get("/v1/memories", params={"where": where("sender", "Mei")}).json()
    assert [memory["id"] for memory in found["memories"]] == ["a"]
    assert len(client.get("/v1/memories", params={"limit": 1}).json()["memories"]) == 1


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "1001"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"wheer": "{}"}, "wheer"),
        ({"where": "{"}, "where"),
        ({"where": '{"field": "sendr", "value": "x"}'}, "where"),
        ({"where": '{"field": "amount", "op": "gt", "value": NaN}'}, "where"),
        ({"where": '{"negate":' * 40 + '{"all": []}' + "}" * 40}, "where"),
        ({"where": '{"negate":' * 3000 + "}" * 3000}, "where"),
        ({"where": json.dumps({"any": [{"field": "id", "value": "x"}] * 300})}, "where"),
        ({"where": json.dumps({"field": "event_time", "op": "gte", "value": "2026-3-1x"})}, "where"),
    ],
)
def test_a_bad_query_parameter_is_refused_by_name(client, query, place):
    answer = client.get("/v1/memories", params=query)
    assert (answer.status_code, answer.json()["where"].split(".")[0]) == (400, place)


def test_a_parameter_given_twice_is_refused(client):
    assert client.get("/v1/memories?limit=1&limit=2").status_code == 400


def test_a_memory_is_deleted_once(client):
    client.post("/v1/memories", json={"id": "m1", "text": "甲"})
    assert client.delete("/v1/memories/m1").status_code == 204
    assert client.delete("/v1/memories/m1").status_code == 404


def test_deleting_by_filter_tells_what_went(client, graph):
    client.post("/v1/memories", json=[{"id": "a", "text": "甲"}, {"id": "b", "text": "乙"}])
    answer = client.delete("/v1/memories", params={"where": where("id", "a")})
    assert (answer.status_code, answer.json()) == (200, {"ids": ["a"], "count": 1})
    assert list(graph.memories) == [("default", "b")]


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/memories/"])
def test_a_wipe_that_names_nothing_is_refused(client, graph, path):
    """Report A26: an unscoped wipe is a bad request, and nothing goes."""
    client.post("/v1/memories", json=[{"text": "甲"}, {"text": "乙"}])
    answer = client.delete(path)
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:graphsvc:problem:scope-missing")
    assert len(graph.memories) == 2


def test_a_wipe_of_one_namespace_leaves_the_other(client):
    """Report A26: T1 is emptied, T2 is whole."""
    for namespace, count in (("T1", 3), ("T2", 2)):
        items = [{"text": f"{number}号"} for number in range(count)]
        client.post("/v1/memories", json=items, headers={"X-Namespace": namespace})
    client.delete("/v1/memories", params={"where": '{"all": []}'}, headers={"X-Namespace": "T1"})
    left = [client.get("/v1/memories", headers={"X-Namespace": name}).json()["memories"] for name in ("T1", "T2")]
    assert [len(memories) for memories in left] == [0, 2]


def test_namespaces_are_chosen_by_header_and_do_not_mix(client, graph):
    client.post("/v1/memories", json={"id": "m1", "text": "甲"}, headers={"X-Namespace": "张伟".encode()})
    assert list(graph.memories) == [("张伟", "m1")]
    assert client.get("/v1/memories/m1").status_code == 404
    assert client.get("/v1/memories/m1", headers={"X-Namespace": "张伟".encode()}).status_code == 200


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_a_namespace_that_is_none_is_refused(client, name):
    answer = client.get("/v1/memories", headers={"X-Namespace": name})
    assert (answer.status_code, answer.json()["where"]) == (400, "X-Namespace")
