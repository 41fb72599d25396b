"""From a URL to a store: `sqlite:///folder` is the embedded one.

Three slashes and a relative folder, four and an absolute one, as database URLs are written.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from graphsvc.errors import StoreError
from graphsvc.store.base import Store
from graphsvc.store.rewind import Rewound
from graphsvc.store.sqlite import rewind
from graphsvc.store.sqlite.names import plain_fold
from graphsvc.store.sqlite.store import WAIT_S, SqliteStore, utc_now

SQLITE = "sqlite:///"


def open_store(
    url: str,
    *,
    wait_s: float = WAIT_S,
    clock: Callable[[], datetime] = utc_now,
    fold: Callable[[str], str] = plain_fold,
) -> Store:
    """Open the store a URL names, making it when it is new.

    `wait_s` bounds how long a writer waits for its turn; `clock` dates what the journal records; `fold` is how the
    aliases of entities are folded, to find again who taught them. Raises `StoreError` for a URL of no known kind,
    `StoreDamaged` and `StoreVersion` for files that cannot be used.
    """
    if url.startswith(SQLITE) and len(url) > len(SQLITE):
        return SqliteStore(Path(url.removeprefix(SQLITE)).expanduser(), wait_s=wait_s, clock=clock, fold=fold)
    raise _unknown(url)


def rewound(url: str, namespace: str, at: datetime) -> AbstractContextManager[Rewound]:
    """A namespace of the store a URL names, as recorded up to a moment; raises as `open_store` does."""
    if url.startswith(SQLITE) and len(url) > len(SQLITE):
        return rewind.rewound(Path(url.removeprefix(SQLITE)).expanduser(), namespace, at)
    raise _unknown(url)


def _unknown(url: str) -> StoreError:
    return StoreError("is not the URL of a store", where=url, remedy="write sqlite:///folder")
