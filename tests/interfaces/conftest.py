"""A client over a fake graph, for every test of the HTTP face."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from graphsvc.interfaces.http.app import create_app
from graphsvc.settings import Settings
from tests.interfaces.fakes import FakeGraph

MAX_BODY_BYTES = 50_000


@pytest.fixture
def graph() -> FakeGraph:
    return FakeGraph()


@pytest.fixture
def client(graph: FakeGraph) -> Iterator[TestClient[Litestar]]:
    app = create_app(graph, Settings(max_body_bytes=MAX_BODY_BYTES))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
