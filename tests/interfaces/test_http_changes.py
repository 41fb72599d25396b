"""Revising, overruling, taking back and deleting over HTTP, and the upkeep of a namespace."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.memory import MemoryFields, MemoryInput
from graphsvc.models.upkeep import ConsolidationPlan
from tests.interfaces.fake_parts import FALLEN, group

URN = "urn:graphsvc:problem:"
MEI = {"X-Actor": "Mei"}


@pytest.fixture
def stored(client, graph):
    graph.add([{"id": "m1", "text": "仓库六点关门"}, {"id": "m2", "text": "仓库七点关门"}, {"text": "好"}])
    return client


def test_who_acts_and_why_reaches_every_call_that_writes(stored, graph):
    """Report A50: every write has its author, whatever face it came by."""
    act = {"X-Actor": "何琳".encode(), "X-Reason": "整理".encode()}
    calls = [
        ("POST", "/v1/memories", {"text": "甲"}),
        ("POST", "/v1/memories", {"messages": [{"role": "user", "content": "乙"}], "conversation_id": "c1"}),
        ("PATCH", "/v1/memories/m1", {"text": "仓库八点关门"}),
        ("POST", "/v1/memories/m2/supersede", {"earlier": "m1"}),
        ("POST", "/v1/memories/m1/falsify", {"reason": "没说过"}),
        ("POST", "/v1/purge", {}),
        ("POST", "/v1/consolidate", {"dry_run": False}),
        ("POST", "/v1/expire", None),
        ("POST", "/v1/relink", None),
        ("POST", "/v1/answer", {"question": "仓库"}),
        ("DELETE", "/v1/memories?file=x", None),
        ("DELETE", "/v1/memories/m1", None),
    ]
    for method, path, body in calls:
        graph.asked = {}
        answer = stored.request(method, path, json=body, headers=act)
        assert answer.status_code < 300, (path, answer.text)
        assert graph.asked["by"] == Act(actor="何琳", reason="整理"), path
    stored.post("/v1/memories", json={"text": "丙"})
    assert graph.asked["by"] == Act(actor="http")


@pytest.mark.parametrize("name", ["X-Actor", "X-Reason"])
@pytest.mark.parametrize("value", [b"", b"x" * 501])
def test_a_header_that_no_record_can_hold_is_refused_by_name(stored, graph, name, value):
    answer = stored.post("/v1/memories", json={"text": "甲"}, headers={name: value})
    assert (answer.status_code, answer.json()["where"]) == (400, name)
    assert len(graph.memories) == 3


def test_a_memory_is_shown_with_its_revision_and_revised_with_it(stored, graph):
    shown = stored.get("/v1/memories/m1")
    assert shown.headers["etag"] == '"1"'
    revised = stored.patch("/v1/memories/m1", json={"text": "七点"}, headers={"If-Match": shown.headers["etag"]})
    assert (revised.status_code, revised.headers["etag"], revised.json()["text"]) == (200, '"2"', "七点")
    assert stored.get("/v1/memories/m1").headers["etag"] == '"2"'


def test_of_two_who_read_the_same_revision_one_wins(stored):
    """Report A45: the second writer is told both revisions, and nothing of the first is lost."""
    answers = [
        stored.patch("/v1/memories/m1", json={"text": text}, headers={"If-Match": '"1"'}) for text in ("甲", "乙")
    ]
    assert [answer.status_code for answer in answers] == [200, 412]
    lost = answers[1].json()
    assert lost["type"] == f"{URN}revision-outdated"
    assert "2" in lost["detail"]
    assert "1" in lost["detail"]
    assert stored.get("/v1/memories/m1").json()["text"] == "甲"


@pytest.mark.parametrize("tag", [None, "*", " * "])
def test_without_a_revision_whatever_is_stored_is_revised(stored, graph, tag):
    headers = {} if tag is None else {"If-Match": tag}
    assert stored.patch("/v1/memories/m1", json={"sender": "Mei"}, headers=headers).status_code == 200
    assert graph.asked["revision"] is None


@pytest.mark.parametrize(
    "tag", ["1", '"1', 'W/"1"', '"1", "2"', '"0"', '"-1"', '"一"', '"1.0"', "", '"' + "9" * 40 + '"']
)
@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_tag_that_is_none_of_ours_is_refused(stored, graph, tag, method):
    body = {"text": "x"} if method == "PATCH" else None
    answer = stored.request(method, "/v1/memories/m1", json=body, headers={"If-Match": tag.encode()})
    assert (answer.status_code, answer.json()["where"]) == (400, "If-Match")
    assert graph.memories["default", "m1"].text == "仓库六点关门"


def test_only_what_was_sent_is_changed(stored, graph):
    told = {"sender": None, "recipients": ["何琳"], "event_time": "2026-03-01T10:00:00+08:00", "metadata": {"k": 1}}
    stored.patch("/v1/memories/m1", json=told)
    assert graph.asked["fields"] == {
        "sender": None,
        "recipients": ("何琳",),
        "event_time": datetime.fromisoformat(told["event_time"]),
        "metadata": {"k": 1},
    }
    assert "text" not in graph.asked["fields"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"id": "m9"}, "id"),
        ({"namespace": "T2"}, "namespace"),
        ({"graph": 1, "act": 2}, "graph"),
        ({"recorded_at": "2026-03-01T10:00:00Z"}, "recorded_at"),
        ({"revision": 9}, "revision"),
        ({"status": "retracted"}, "status"),
        ({"text": None}, "text"),
        ({"text": 3}, "text"),
        ({"event_time": None}, "event_time"),
        ({"event_time": "2026-03-01T10:00"}, "event_time"),
        ({"recipients": "何琳"}, "recipients"),
        ({"level": -1}, "level"),
        ({"metadata": {"k": []}}, "metadata"),
        ([], "body"),
        ("x", "body"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(stored, graph, body, place):
    answer = stored.patch("/v1/memories/m1", json=body)
    assert (answer.status_code, answer.json()["where"].split(".")[0]) == (400, place)
    assert graph.memories["default", "m1"].revision == 1


def test_what_a_revision_takes_is_what_a_memory_is_given_but_for_its_id(client):
    fields = client.get("/schema").json()["components"]["schemas"]["RevisionBody"]
    assert (
        set(fields["properties"]) == {*MemoryFields.model_fields, "event_time"} == {*MemoryInput.model_fields} - {"id"}
    )
    assert not fields.get("required")


def test_the_description_knows_the_tag_and_its_header(client):
    item = client.get("/schema").json()["paths"]["/v1/memories/{memory_id}"]
    for method in ("get", "patch"):
        assert "ETag" in item[method]["responses"]["200"]["headers"], method
    for method in ("patch", "delete"):
        assert "If-Match" in {one["name"] for one in item[method]["parameters"]}
        assert "412" in item[method]["responses"]


def test_a_missing_memory_is_404_on_every_route_of_it(stored):
    calls = [
        ("PATCH", "", {"text": "x"}),
        ("GET", "/history", None),
        ("POST", "/supersede", {"earlier": "m1"}),
        ("POST", "/falsify", {"reason": "x"}),
        ("DELETE", "", None),
    ]
    for method, path, body in calls:
        for headers in ({}, {"X-Namespace": "T2"}):
            memory_id = "m1" if headers else "nobody"
            answer = stored.request(method, f"/v1/memories/{memory_id}{path}", json=body, headers=headers)
            assert (answer.status_code, answer.json()["type"]) == (404, f"{URN}not-found"), (method, path)


def test_an_id_in_any_script_is_found(client, graph):
    graph.add([{"id": "记忆 一%", "text": "甲"}])
    path = "/v1/memories/%E8%AE%B0%E5%BF%86%20%E4%B8%80%25"
    assert client.patch(path, json={"text": "乙"}).json()["id"] == "记忆 一%"
    assert client.get(f"{path}/history").status_code == 200
    assert client.delete(path, headers={"If-Match": '"2"'}).status_code == 204


def test_deleting_honours_the_revision(stored, graph):
    stored.patch("/v1/memories/m1", json={"text": "七点"})
    refused = stored.delete("/v1/memories/m1", headers={"If-Match": '"1"'})
    assert (refused.status_code, refused.json()["detail"]) == (412, "the memory is at revision 2, not 1")
    assert stored.delete("/v1/memories/m1", headers={"If-Match": '"2"'} | MEI).status_code == 204
    assert ("default", "m1") not in graph.memories
    assert graph.asked["by"] == Act(actor="Mei")


def test_history_is_told_oldest_first(stored):
    rows = stored.get("/v1/memories/m1/history").json()["rows"]
    assert [row["action"] for row in rows] == ["add", "update", "delete"]
    assert (rows[1]["before"], rows[1]["after"], rows[1]["reason"]) == ("仓库六点关门", "七点", "改了")


@pytest.mark.parametrize("kind", [None, "supersedes", "retracts", "corrects"])
def test_overruling_tells_the_change_and_the_answers_that_fell(stored, graph, kind):
    """Report A04: what was overruled by hand takes the answers with it."""
    graph.audit.fallen["default"] = [FALLEN]
    body = {"earlier": "m1"} | ({} if kind is None else {"kind": kind})
    told = stored.post("/v1/memories/m2/supersede", json=body).json()
    assert (told["change"]["kind"], told["change"]["earlier"]) == (kind or "supersedes", "m1")
    assert [one["trace_id"] for one in told["overturned"]] == ["tr_1"]
    assert graph.asked["overturns"] == ["m1"]


def test_what_would_replace_itself_is_409_naming_it(stored):
    """Report A28: a loop is refused with the ids."""
    answer = stored.post("/v1/memories/m1/supersede", json={"earlier": "m1"})
    assert (answer.status_code, answer.json()["type"], answer.json()["where"]) == (409, f"{URN}change-refused", "m1")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "earlier"),
        ({"earlier": ""}, "earlier"),
        ({"earlier": 1}, "earlier"),
        ({"earlier": "m1", "kind": "contradicts"}, "kind"),
        ({"earlier": "m1", "kind": "repeats"}, "kind"),
        ({"earlier": "m1", "kind": []}, "kind"),
        ({"earlier": "m1", "later": "m2"}, "later"),
    ],
)
def test_a_change_that_is_none_is_refused(stored, body, place):
    answer = stored.post("/v1/memories/m2/supersede", json=body)
    assert (answer.status_code, answer.json()["where"].split(".")[0]) == (400, place)


def test_a_memory_is_taken_back_with_a_reason(stored, graph):
    graph.audit.fallen["default"] = [FALLEN]
    told = stored.post("/v1/memories/m1/falsify", json={"reason": "没说过"}).json()
    assert [one["because"] for one in told["overturned"]] == [["m1"]]
    assert graph.asked["reason"] == "没说过"
    for body in ({}, {"reason": ""}, {"reason": None}, {"reason": "x" * 501}):
        assert stored.post("/v1/memories/m1/falsify", json=body).status_code == 400


@pytest.mark.parametrize(
    ("params", "gone"),
    [
        ({"file": "合同.txt"}, ["a"]),
        ({"conversation_id": "c1"}, ["b"]),
        ({"person": "何琳"}, ["b"]),
        ({"where": '{"field": "id", "value": "a"}'}, ["a"]),
        ({"file": "nothing.txt"}, []),
    ],
)
def test_one_scope_is_deleted(client, graph, params, gone):
    """Report A26: a document, a conversation or a person goes, and nothing else."""
    graph.add(
        [
            {"id": "a", "text": "甲", "source": {"file": "合同.txt"}},
            {"id": "b", "text": "乙", "conversation_id": "c1", "sender": "何琳"},
            {"id": "c", "text": "丙"},
        ]
    )
    graph.add([{"id": "a", "text": "甲", "conversation_id": "c1"}], namespace="T2")
    answer = client.delete("/v1/memories", params=params)
    assert (answer.status_code, answer.json()) == (200, {"ids": gone, "count": len(gone)})
    assert len(graph.memories) == 4 - len(gone)


@pytest.mark.parametrize(
    "params",
    [
        {"file": "x", "person": "何琳"},
        {"where": '{"all": []}', "conversation_id": "c1"},
        {"file": "", "conversation_id": ""},
    ],
)
def test_two_scopes_together_delete_nothing(stored, graph, params):
    answer = stored.delete("/v1/memories", params=params)
    assert (answer.status_code, answer.json()["type"]) == (400, f"{URN}scope-missing")
    assert len(graph.memories) == 3


def test_a_person_nobody_knows_is_404(stored):
    assert stored.delete("/v1/memories", params={"person": "无名"}).status_code == 404


def test_listing_narrows_to_a_moment(client, graph):
    """Report A03: what held at a moment is what had begun and had not ended."""
    day = "2026-03-0{}T00:00:00+08:00"
    graph.add(
        [
            {"id": "said", "text": "甲", "event_time": day.format(1)},
            {"id": "later", "text": "乙", "event_time": day.format(5)},
            {"id": "bounded", "text": "丙", "event_time": day.format(1), "valid_to": day.format(2)},
            {"id": "ahead", "text": "丁", "event_time": day.format(1), "valid_from": day.format(4)},
            {"id": "ended", "text": "戊", "event_time": day.format(1)},
            {"id": "expired", "text": "己", "event_time": day.format(1), "expires_at": day.format(2)},
        ]
    )
    key = ("default", "ended")
    graph.memories[key] = graph.memories[key].model_copy(update={"ended_at": datetime(2026, 3, 2, tzinfo=UTC)})

    def at(**params):
        return {one["id"] for one in client.get("/v1/memories", params=params).json()["memories"]}

    assert at(as_of=day.format(3)) == {"said"}
    assert at(as_of=day.format(6)) == {"said", "later", "ahead"}
    assert at(known_at="2026-03-06T01:59:59Z") == set()
    assert len(at(known_at="2026-03-06T02:00:00Z")) == 6
    assert at(as_of=day.format(3), where='{"field": "id", "value": "later"}') == set()


@pytest.mark.parametrize("name", ["as_of", "known_at"])
@pytest.mark.parametrize("value", ["", "yesterday", "2026-03-01T10:00:00", "2026-03-01T10:00:00 08:00"])
def test_a_moment_that_is_none_is_refused_by_name(client, name, value):
    answer = client.get("/v1/memories", params={name: value})
    assert (answer.status_code, answer.json()["where"]) == (400, name)
    assert "%2B" in answer.json()["remedy"]


@pytest.mark.parametrize(
    ("body", "space"), [({}, "T1"), ({"all_namespaces": False}, "T1"), ({"all_namespaces": True}, None)]
)
def test_a_purge_is_of_one_namespace_unless_told_otherwise(client, graph, body, space):
    """Report A27: purging is its own act, and says how much it took."""
    answer = client.post("/v1/purge", json=body, headers={"X-Namespace": "T1"})
    assert (answer.status_code, answer.json()) == (200, {"memories": 1, "journal_contents": 2, "traces": 3})
    assert graph.asked["namespace"] == space


@pytest.mark.parametrize("path", ["/v1/purge", "/v1/consolidate"])
@pytest.mark.parametrize("body", [{"all_namespaces": "yes", "dry_run": "no"}, {"everything": True}, [], "x"])
def test_an_order_of_another_form_is_refused(client, graph, path, body):
    assert client.post(path, json=body).status_code == 400
    assert client.post(path).status_code == 400
    assert graph.asked == {}


@pytest.mark.parametrize("value", [1, "true", None])
def test_truth_is_true_or_false_alone(client, graph, value):
    assert client.post("/v1/purge", json={"all_namespaces": value}).status_code == 400
    assert client.post("/v1/consolidate", json={"dry_run": value}).status_code == 400
    assert graph.asked == {}


def test_a_consolidation_is_a_dry_run_unless_told_otherwise(client, graph):
    graph.keeping.plan = ConsolidationPlan(namespace="default", groups=(group("a", "b"), group("c", "d", "e")))
    dry = client.post("/v1/consolidate", json={}).json()
    assert (dry["dry_run"], [one["kept"] for one in dry["groups"]], dry["passed_over"]) == (True, ["a", "c"], [])
    assert graph.asked == {}
    done = client.post("/v1/consolidate", json={"dry_run": False}).json()
    assert (done["dry_run"], [one["kept"] for one in done["groups"]]) == (False, ["a"])
    assert [one["merged"] for one in done["passed_over"]] == [["d", "e"]]
    assert client.post("/v1/consolidate", json={}, headers={"X-Namespace": "T2"}).json()["groups"] == []


def test_expiry_deletes_what_has_expired_in_one_namespace(client, graph):
    for namespace in ("default", "T2"):
        graph.add([{"id": "a", "text": "甲", "expires_at": "2026-03-01T00:00:00Z"}], namespace=namespace)
    assert client.post("/v1/expire").json() == {"ids": ["a"], "count": 1}
    assert list(graph.memories) == [("T2", "a")]


def test_relinking_says_how_much_changed_and_looks_for_answers_that_fell(stored, graph):
    before = graph.audit.caught_up
    assert stored.post("/v1/relink").json() == {"changed": 3}
    assert graph.audit.caught_up == before + 1
    assert stored.post("/v1/relink", headers={"X-Namespace": "T2"}).json() == {"changed": 0}
    assert graph.audit.caught_up == before + 1


def test_the_default_actor_of_the_library_is_not_that_of_http():
    assert LOCAL.actor == "local"
