"""Copies of a store that stand beside it for a while, and how those of killed processes are known.

Whoever makes a copy shares a lock as long as it is there, and the system gives the lock back with the process. Who
gets it alone knows that no copy is in use. The lock is SQLite's own, on an empty file, so it is one everywhere.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graphsvc.store.sqlite.connection import translated

COPY = "replay-"
LOCK = "replay.lock"
_WAIT_S = 30.0


@contextmanager
def copying(folder: Path) -> Iterator[None]:
    """Until the block ends nobody sweeps copies away; raises `StoreBusy` when that goes on for too long."""
    with translated(str(folder / LOCK)), closing(_lock(folder, _WAIT_S)) as conn:
        conn.execute("BEGIN")
        conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield


def sweep(folder: Path) -> None:
    """Remove the copies that killed processes left, unless a copy is in use now."""
    if not any(folder.glob(f"{COPY}*/")):
        return
    with closing(_lock(folder, 0.0)) as conn, suppress(sqlite3.OperationalError):
        conn.execute("BEGIN EXCLUSIVE")
        for copy in folder.glob(f"{COPY}*/"):
            shutil.rmtree(copy, ignore_errors=True)


def _lock(folder: Path, wait_s: float) -> sqlite3.Connection:
    return sqlite3.connect(folder / LOCK, timeout=wait_s, isolation_level=None)
