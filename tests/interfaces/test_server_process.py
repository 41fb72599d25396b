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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_cleanly(tmp_path, number):
    with server(tmp_path / "store") as (process, client):
        assert client.get("/health/ready").json() == {"status": "ready"}
        process.send_signal(number)
        assert process.wait(timeout=30) == 0


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    with server(tmp_path / "store") as (process, client):
        texts = [f"{number}号仓库六点关门" for number in range(20)]
        added = client.post("/v1/memories", json=[{"id": f"m{i}", "text": text} for i, text in enumerate(texts)])
        assert added.status_code == 201
        process.kill()
        process.wait(timeout=30)
    with server(tmp_path / "store") as (_, client):
        kept = client.get("/v1/memories", params={"limit": 100}).json()["memories"]
        assert {memory["text"] for memory in kept} == set(texts)
        found = client.post("/v1/search", json={"question": "7号仓库几点关门"}).json()["candidates"]
        assert found[0]["memory"]["id"] == "m7"


def test_bytes_that_are_not_utf8_are_refused_by_the_running_server(tmp_path):
    """Report A37: 400 for an undecodable body, 404 for %FF in a path, and the server goes on."""
    with server(tmp_path / "store") as (_, client):
        assert client.post("/v1/memories", content=bytes.fromhex("7b2274657874223a22fffe227d")).status_code == 400
        for path in ("/v1/memories/%FF", "/v1/traces/%FF", "/%FF"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        assert client.get("/v1/memories", headers={"X-Namespace": b"\xff"}).status_code == 400
        assert client.get("/v1/memories").json() == {"memories": [], "after": None}


def test_a_body_too_large_is_refused_by_the_running_server(tmp_path):
    with server(tmp_path / "store") as (_, client):
        assert client.post("/v1/memories", content=b" " * 10_000_001).status_code == 413
        assert client.get("/health/live").status_code == 200


def test_the_log_is_json_lines_without_what_was_said(tmp_path):
    with server(tmp_path / "store") as (process, client):
        client.post("/v1/memories", json={"text": "仓库六点关门"})
        client.post("/v1/answer", json={"question": "仓库几点关门"})
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        log = process.stderr.read()
    assert '"event": "request_served"' in log
    assert all(line.startswith("{") for line in log.splitlines() if line.strip())
    assert "仓库" not in log


def test_a_taken_port_is_told_plainly(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "graphsvc.interfaces.cli",
            "--encoder",
            "hashing",
            "serve",
            "--port",
            str(port),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert str(port) in done.stderr
