"""A memory graph that tests share: its label centroids are fitted once a module, its memories are its test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphsvc.memory_graph import MemoryGraph
from graphsvc.store.filters import EVERYTHING
from tests.graphs import open_graph


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph")) as graph:
        yield graph


@pytest.fixture
def graph(shared: MemoryGraph) -> Iterator[MemoryGraph]:
    """The shared graph, empty for each test."""
    yield shared
    for namespace in shared.stats().namespaces:
        shared.delete_all(EVERYTHING, namespace=namespace)
