"""Both faces over a fake graph: a client of the HTTP service, and a runner of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from litestar import Litestar
from litestar.testing import TestClient

from graphsvc.interfaces.cli.root import cli
from graphsvc.interfaces.http.app import create_app
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from tests.interfaces.fakes import FakeGraph

Run = Callable[..., Result]
MAX_BODY_BYTES = 50_000


@pytest.fixture
def graph() -> FakeGraph:
    return FakeGraph()


@pytest.fixture
def client(graph: FakeGraph) -> Iterator[TestClient[Litestar]]:
    app = create_app(graph, Settings(max_body_bytes=MAX_BODY_BYTES))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def run(graph: FakeGraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    opened: list[object] = []

    def open_fake(url: str, *, settings: object, rebind: bool) -> FakeGraph:
        opened.append((url, settings, rebind))
        return graph

    monkeypatch.setattr(MemoryGraph, "open", open_fake)
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "NAMESPACE", "ENCODER", "LOG_LEVEL"):
        monkeypatch.delenv(f"GRAPHSVC_{name}", raising=False)
    graph.opened = opened
    return lambda *args, **options: CliRunner().invoke(cli, [str(arg) for arg in args], **options)
