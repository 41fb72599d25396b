"""Memories as read: from their bodies and where they stand, the last ones remembered by row.

What was remembered is dropped when facts changed anywhere, and of each memory when it came to stand elsewhere,
by whichever process.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence

from graphsvc.models.memory import Memory
from graphsvc.store.sqlite.partition import encoding_change
from graphsvc.store.sqlite.standings import COLUMNS, last_change, placed, read_standing

REMEMBERED_MEMORIES = 4_096

# One statement, so that a body and its standing are of one moment.
_READ = f"SELECT b.json, {COLUMNS} FROM body b LEFT JOIN standing s ON s.row = b.row WHERE b.row = ?"  # noqa: S608 (ours)
_MOVED = "SELECT row FROM standing WHERE seq > ? AND seq <= ?"


class Remembered:
    """Shared by all readers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._memories: OrderedDict[int, Memory] = OrderedDict()
        self._facts = -1  # the change of facts after which they were read,
        self._standing = -1  # and of standings
        self._cleared = 0

    def read(self, conn: sqlite3.Connection, rows: Sequence[int]) -> dict[int, Memory]:
        """The memories that exist, by row."""
        stamp = self._catch_up(conn)
        found: dict[int, Memory] = {}
        for row in rows:
            memory = self._memories.get(row) or read_memory(conn, row)
            if memory is not None:
                found[row] = memory
        with self._lock:
            # A change that came while these were read makes them old; they are not remembered then.
            for row, memory in found.items() if stamp == self._stamp() else ():
                self._memories[row] = memory
                self._memories.move_to_end(row)
            while len(self._memories) > REMEMBERED_MEMORIES:
                self._memories.popitem(last=False)
        return found

    def clear(self) -> None:
        with self._lock:
            self._memories.clear()
            self._cleared += 1

    def _catch_up(self, conn: sqlite3.Connection) -> tuple[int, int, int]:
        facts, standing = encoding_change(conn), last_change(conn)
        with self._lock:
            if facts > self._facts:
                self._memories.clear()
                self._facts = facts
            if standing > self._standing:
                if self._memories:
                    moved = conn.execute(_MOVED, (self._standing, standing)).fetchall()
                    for (row,) in moved:
                        self._memories.pop(row, None)
                self._standing = standing
            return self._stamp()

    def _stamp(self) -> tuple[int, int, int]:
        return self._facts, self._standing, self._cleared


def read_memory(conn: sqlite3.Connection, row: int) -> Memory | None:
    """One memory by row, past what is remembered: what a writer must ask inside its own transaction."""
    found = conn.execute(_READ, (row,)).fetchone()
    if found is None:
        return None
    body, *columns = found
    memory = Memory.model_validate_json(body)
    status, *rest = columns
    return memory if status is None else placed(memory, read_standing(str(memory.id), (status, *rest)))
