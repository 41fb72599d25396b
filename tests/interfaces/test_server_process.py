"""A real server process on a real store: stopped politely, killed, and started again."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from graphsvc.errors import SettingsInvalid
from graphsvc.interfaces.http.server import bind

LISTENING = re.compile(r"listening on (http://\S+:\d+)")


@contextmanager
def server(store: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """`graphsvc serve` on a free port, and a client of it; the process is gone afterwards."""
    command = [sys.executable, "-m", "graphsvc.interfaces.cli", "serve", "--port", "0", *options]
    own = {"STORE": f"sqlite:///{store}", "ENCODER": "hashing", "CACHE_DIR": str(store.parent / "cache")}
    environment = os.environ | {f"GRAPHSVC_{name}": value for name, value in own.items()}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            found = next((match for line in process.stderr if (match := LISTENING.search(line))), None)
            assert found is not None, "the server never said where it listens"
            with httpx.Client(base_url=found[1], timeout=30) as client:
                yield process, client
        finally:
            process.kill()


def test_a_running_server_refuses_what_is_bad_keeps_silent_about_texts_and_ends_cleanly(tmp_path):
    """Report A37: 400 for an undecodable body, 404 for %FF in a path, and the server goes on."""
    with server(tmp_path / "store") as (process, client):
        assert client.get("/health/ready").json() == {"status": "ready", "warnings": []}
        assert client.post("/v1/memories", content=bytes.fromhex("7b2274657874223a22fffe227d")).status_code == 400
        assert client.post("/v1/memories", content=b" " * 10_000_001).status_code == 413
        assert client.get("/v1/memories", headers={"X-Namespace": b"\xff"}).status_code == 400
        for path in ("/v1/memories/%FF", "/v1/traces/%FF", "/%FF"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        assert client.get("/v1/memories").json() == {"memories": [], "after": None}
        assert client.post("/v1/memories", json={"text": "仓库六点关门"}).status_code == 201
        assert client.post("/v1/answer", json={"question": "仓库几点关门"}).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        log = process.stderr.read()
    assert '"event": "request_served"' in log
    assert all(line.startswith("{") for line in log.splitlines() if line.strip())
    assert "仓库" not in log


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    with server(tmp_path / "store") as (process, client):
        texts = [f"{number}号仓库六点关门" for number in range(20)]
        added = client.post("/v1/memories", json=[{"id": f"m{i}", "text": text} for i, text in enumerate(texts)])
        assert added.status_code == 201
        process.kill()
        process.wait(timeout=30)
    with server(tmp_path / "store") as (process, client):
        kept = client.get("/v1/memories", params={"limit": 100}).json()["memories"]
        assert {memory["text"] for memory in kept} == set(texts)
        found = client.post("/v1/search", json={"question": "7号仓库几点关门"}).json()["candidates"]
        assert "m7" in {candidate["memory"]["id"] for candidate in found}
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid"])
def test_an_address_that_cannot_be_had_is_told_plainly(host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsInvalid) as caught:
            bind(host, port)
    assert caught.value.where == f"{host}:{port}"
    assert "--port" in caught.value.remedy
