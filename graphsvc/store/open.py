"""From a URL to a store: `sqlite:///folder` is the embedded one.

Three slashes and a relative folder, four and an absolute one, as database URLs are written.
"""

from __future__ import annotations

from pathlib import Path

from graphsvc.errors import StoreError
from graphsvc.store.base import Store
from graphsvc.store.sqlite.store import WAIT_S, SqliteStore

SQLITE = "sqlite:///"


def open_store(url: str, *, wait_s: float = WAIT_S) -> Store:
    """Open the store a URL names, making it when it is new.

    `wait_s` bounds how long a writer waits for its turn. Raises `StoreError` for a URL of no known
    kind, `StoreDamaged` and `StoreVersion` for files that cannot be used.
    """
    if url.startswith(SQLITE) and len(url) > len(SQLITE):
        return SqliteStore(Path(url.removeprefix(SQLITE)).expanduser(), wait_s=wait_s)
    raise StoreError("is not the URL of a store", where=url, remedy="write sqlite:///folder")
