"""The stores under contract: each factory opens the same store again when called again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphsvc.store.base import Store
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import FINGERPRINT, fixed_clock

OpenStore = Callable[[], Store]


def _sqlite(folder: Path) -> OpenStore:
    return lambda: SqliteStore(folder / "store", kept_traces=5, clock=fixed_clock)


FACTORIES: dict[str, Callable[[Path], OpenStore]] = {"sqlite": _sqlite}


@pytest.fixture(params=sorted(FACTORIES))
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens one store as often as called, as other processes would; all are closed at the end."""
    opened: list[Store] = []
    factory = FACTORIES[request.param](tmp_path)

    def open_one() -> Store:
        opened.append(factory())
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_again: OpenStore) -> Store:
    """An empty store bound to the test encoder."""
    opened = open_again()
    opened.set_encoding(FINGERPRINT)
    return opened
