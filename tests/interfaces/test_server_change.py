"""A real server process: two revise at once, an answer falls and somebody is told, and what is purged is gone."""

from __future__ import annotations

import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from graphsvc.audit.webhooks import DELIVERY, SIGNATURE, verified
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from tests.interfaces.test_server_process import server

T2 = {"X-Namespace": "T2"}
QUESTION = {"question": "王强的报价是多少", "asked_at": "2026-03-10T09:00:00+08:00"}
FIRST = {"id": "m1", "text": "王强的报价是80万", "event_time": "2026-03-01T09:00:00+08:00"}
LATER = {"id": "m2", "text": "王强的报价改为65万", "event_time": "2026-03-05T09:00:00+08:00"}
WAIT_S = 20.0


@contextmanager
def receiver() -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """A local HTTP server that takes every POST; its address, and what it was told."""
    told: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.append((dict(self.headers), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}/fallen", told
        finally:
            listening.shutdown()
            thread.join()


def wait_for(happened: Callable[[], object]) -> None:
    until = time.monotonic() + WAIT_S
    while not happened():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.05)


def holds(store: Path, text: str) -> list[str]:
    """The files of a store that hold a text, plainly or packed."""
    found = []
    for path in sorted(path for path in store.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if any(text.encode() in part for part in (data, *unpacked(data))):
            found.append(path.name)
    return found


def unpacked(data: bytes) -> Iterator[bytes]:
    """Whatever in a file can be inflated, from each place where something packed may begin."""
    for match in re.finditer(rb"\x78\x01", data):
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[match.start() :])


def test_of_two_who_revise_at_once_exactly_one_wins(tmp_path: Path) -> None:
    """Report A45: nothing is lost, and the loser is told."""
    with server(tmp_path / "store") as (_, client):
        client.post("/v1/memories", json={"id": "记忆", "text": "仓库六点关门"})
        tag = client.get("/v1/memories/记忆").headers["etag"]
        texts = [f"仓库{number}点关门" for number in range(7, 11)]

        def revise(text: str) -> httpx.Response:
            return client.patch("/v1/memories/记忆", json={"text": text}, headers={"If-Match": tag})

        with ThreadPoolExecutor(len(texts)) as pool:
            answers = list(pool.map(revise, texts))
        assert sorted(answer.status_code for answer in answers) == [200, 412, 412, 412]
        won = next(answer for answer in answers if answer.status_code == 200)
        shown = client.get("/v1/memories/记忆")
        assert (shown.json()["text"], shown.headers["etag"]) == (won.json()["text"], won.headers["etag"])
        for name in ("X-Actor", "X-Reason"):
            refused = client.patch("/v1/memories/记忆", json={"text": "甲"}, headers={name: b"\xff"})
            assert (refused.status_code, refused.json()["where"]) == (400, name)
        assert client.delete("/v1/memories/记忆", headers={"If-Match": tag}).status_code == 412
        assert client.delete("/v1/memories/记忆", headers={"If-Match": won.headers["etag"]}).status_code == 204


def test_an_answer_that_falls_is_listed_told_and_replayed_and_a_purge_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports A04, A27, A50: falsified, told, replayed as it was, and forgotten for good."""
    monkeypatch.setenv("GRAPHSVC_WEBHOOK_PRIVATE", "true")
    store = tmp_path / "store"
    with receiver() as (address, told), server(store) as (_, client):
        hook = client.post("/v1/webhooks", json={"url": address}).json()
        client.post("/v1/memories", json=FIRST, headers={"X-Actor": "Mei"})
        answer = client.post("/v1/answer", json=QUESTION).json()
        assert [one["memory_id"] for one in answer["evidence"]] == ["m1"]
        assert client.post("/v1/memories", json=LATER).json()["results"][0]["overturns"] == ["m1"]

        fallen = client.get("/v1/overturned").json()["answers"]
        assert [(one["trace_id"], one["because"], one["by"]) for one in fallen] == [
            (answer["trace_id"], ["m1"], ["m2"])
        ]
        assert client.get("/v1/overturned", headers=T2).json()["answers"] == []
        wait_for(lambda: told)
        headers, body = told[0]
        assert verified(hook["secret"], body, headers[SIGNATURE], now=datetime.now(UTC))
        assert answer["trace_id"].encode() in body
        wait_for(lambda: client.get("/v1/webhooks/deliveries", params={"state": "done"}).json()["deliveries"])
        done = client.get("/v1/webhooks/deliveries", params={"state": "done"}).json()["deliveries"]
        assert [(one["id"], one["status"]) for one in done] == [(headers[DELIVERY], 204)]

        again = client.post(f"/v1/traces/{answer['trace_id']}/replay").json()
        assert (again["exact"], again["then"]["accepted"], again["now"]["accepted"]) == (True, ["m1"], ["m2"])
        then = client.post("/v1/answer", json=QUESTION | {"as_of": "2026-03-02T00:00:00+08:00"}).json()
        assert [one["memory_id"] for one in then["evidence"]] == ["m1"]

        actors = {one["actor"] for one in client.get("/v1/audit", params={"subject": "m1"}).json()["entries"]}
        assert "Mei" in actors
        assert client.get("/v1/audit", headers=T2).json()["entries"] == []

        assert client.delete("/v1/memories/m2").status_code == 204
        assert client.get("/v1/memories/m1").json()["status"] == "active"
        assert holds(store, LATER["text"])
        assert client.post("/v1/purge", json={"all_namespaces": False}).json()["memories"] == 1
        assert holds(store, LATER["text"]) == []
        assert client.get("/v1/audit/verify").json()["holds"] is True
        assert client.post("/v1/answer", json=QUESTION).json()["evidence"][0]["memory_id"] == "m1"


def test_what_fell_while_no_server_ran_is_told_when_one_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(encoder="hashing", cache_dir=tmp_path / "cache", webhook_private=True)
    with receiver() as (address, told):
        with MemoryGraph.open(f"sqlite:///{tmp_path / 'store'}", settings=settings) as graph:
            graph.add([FIRST])
            graph.answer("王强的报价是多少")
            graph.audit.subscribe("default", address)
            assert len(graph.audit.falsify("default", "m1", "没说过")) == 1
        assert told == []
        monkeypatch.setenv("GRAPHSVC_WEBHOOK_PRIVATE", "true")
        with server(tmp_path / "store"):
            wait_for(lambda: told)
