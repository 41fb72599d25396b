"""The journal, replays, answers that have fallen, and webhooks over HTTP."""

from __future__ import annotations

from datetime import datetime

import pytest
from litestar.testing import TestClient

from graphsvc.errors import StoreBusy
from graphsvc.interfaces.http.app import create_app
from graphsvc.models.audit import Action, Break, DeliveryState
from graphsvc.settings import Settings
from tests.interfaces.fake_parts import FALLEN, entry, notice

T2 = {"X-Namespace": "T2"}


def test_the_journal_is_read_a_page_at_a_time_and_narrowed(client, graph):
    """Report A50: who, when, what, before, after and why, of one namespace."""
    graph.audit.entries = [entry(1, before='{"text": "甲"}', reason="改"), entry(2, namespace="T2"), entry(3)]
    told = client.get("/v1/audit", params={"limit": 1}).json()
    assert [one["seq"] for one in told["entries"]] == [1]
    assert told["after"] == "next"
    assert [one["seq"] for one in client.get("/v1/audit", headers=T2).json()["entries"]] == [2]
    since = "2026-03-01T10:00:00+08:00"
    params = {"subject": "m1", "action": "update", "operation": "op_1", "since": since, "until": since, "after": "x"}
    assert client.get("/v1/audit", params=params).status_code == 200
    moment = datetime.fromisoformat(since)
    assert graph.asked == {
        "namespace": "default",
        "subject": "m1",
        "actions": (Action.UPDATE,),
        "operation": "op_1",
        "since": moment,
        "until": moment,
        "limit": 100,
        "after": "x",
    }


@pytest.mark.parametrize(
    ("path", "params", "place"),
    [
        ("/v1/audit", {"action": "nothing"}, "action"),
        ("/v1/audit", {"since": "yesterday"}, "since"),
        ("/v1/audit", {"until": "2026-03-01T10:00:00"}, "until"),
        ("/v1/audit", {"limit": "0"}, "limit"),
        ("/v1/audit", {"namespace": "T2"}, "namespace"),
        ("/v1/audit/verify", {"namespace": "T2"}, "namespace"),
        ("/v1/overturned", {"limit": "1001"}, "limit"),
        ("/v1/webhooks/deliveries", {"state": "lost"}, "state"),
        ("/v1/webhooks/deliveries", {"limit": "x"}, "limit"),
    ],
)
def test_a_bad_parameter_is_refused_by_name(client, path, params, place):
    answer = client.get(path, params=params)
    assert (answer.status_code, answer.json()["where"]) == (400, place)


def test_verifying_tells_counts_heads_and_breaks_and_nothing_else(client, graph):
    told = client.get("/v1/audit/verify").json()
    assert set(told) == {"holds", "entries", "heads", "breaks"}
    assert (told["holds"], told["entries"], told["breaks"]) == (True, 1234, [])
    graph.audit.breaks = (Break(chain="memories", seq=7, what="does not follow"),)
    told = client.get("/v1/audit/verify").json()
    assert (told["holds"], told["breaks"]) == (False, [{"chain": "memories", "seq": 7, "what": "does not follow"}])


def test_a_trace_is_replayed_in_its_own_namespace_alone(client, graph):
    graph.add([{"id": "m1", "text": "仓库六点关门"}])
    trace = client.post("/v1/search", json={"question": "仓库"}).json()["trace_id"]
    told = client.post(f"/v1/traces/{trace}/replay").json()
    assert (told["exact"], told["deleted"], told["recorded"]["accepted"]) == (True, ["m9"], ["m1"])
    assert client.post(f"/v1/traces/{trace}/replay", headers=T2).status_code == 404
    assert client.post("/v1/traces/%FF/replay").status_code == 404


def test_fallen_answers_are_polled_for_what_is_new(client, graph):
    graph.audit.fallen = {"default": [FALLEN, FALLEN.model_copy(update={"trace_id": "tr_2"})], "T2": [FALLEN]}
    first = client.get("/v1/overturned", params={"limit": 1}).json()
    assert [one["trace_id"] for one in first["answers"]] == ["tr_1"]
    rest = client.get("/v1/overturned", params={"after": first["after"]}).json()
    assert [one["trace_id"] for one in rest["answers"]] == ["tr_2"]
    assert client.get("/v1/overturned", params={"after": rest["after"]}).json()["answers"] == []
    assert len(client.get("/v1/overturned", headers=T2).json()["answers"]) == 1


def test_a_webhook_is_added_listed_without_its_secret_and_removed(client):
    made = client.post("/v1/webhooks", json={"url": "https://hooks.example/x"})
    assert (made.status_code, made.json()["secret"]) == (201, "whsec_s")
    listed = client.get("/v1/webhooks")
    assert [one["url"] for one in listed.json()["webhooks"]] == ["https://hooks.example/x"]
    assert "whsec" not in listed.text
    path = f"/v1/webhooks/{made.json()['id']}"
    assert client.get("/v1/webhooks", headers=T2).json() == {"webhooks": []}
    assert client.delete(path, headers=T2).status_code == 404
    assert client.delete(path).status_code == 204
    assert client.delete(path).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"url": "ftp://x"}, {"url": 3}, {"url": None}, {"url": "https://x", "secret": "s"}, []]
)
def test_an_address_that_cannot_be_told_is_refused(client, graph, body):
    answer = client.post("/v1/webhooks", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert graph.audit.hooks == []


def test_notices_are_listed_by_state(client, graph):
    graph.audit.notices = [notice(DeliveryState.DEAD, status=0, attempts=12), notice(), notice(namespace="T2")]
    found = client.get("/v1/webhooks/deliveries").json()["deliveries"]
    assert [one["state"] for one in found] == ["dead", "waiting"]
    assert len(client.get("/v1/webhooks/deliveries", params={"state": "dead"}).json()["deliveries"]) == 1
    assert len(client.get("/v1/webhooks/deliveries", headers=T2).json()["deliveries"]) == 1


class Courier:
    started = False

    def start(self) -> None:
        self.started = True


def test_the_service_looks_for_what_was_left_out_and_begins_to_deliver_when_it_starts(graph):
    graph.audit.courier = Courier()
    with TestClient(create_app(graph, Settings())):
        assert (graph.audit.caught_up, graph.audit.courier.started) == (1, True)


def test_a_busy_store_at_the_start_keeps_nothing_from_being_served(graph):
    graph.audit.courier = Courier()
    graph.failure = StoreBusy("the writer is taken")
    with TestClient(create_app(graph, Settings())) as client:
        assert client.get("/health/live").status_code == 200
        assert graph.audit.courier.started
