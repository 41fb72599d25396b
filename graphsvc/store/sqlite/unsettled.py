"""Which memories must be told anew where they stand, because what bore on them was deleted or revised.

They are written down in the transaction that made it so, and struck out once it is told; whoever opens the store after
a crash in between finds them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection

from graphsvc.models.base import MemoryId
from graphsvc.store.sqlite.rows import writable

# Ends of edges whose going may let a memory stand elsewhere.
_BEARING = ("contradicts", "corrects", "references", "repeats", "retracts", "supersedes")

_TIED = f"""
SELECT DISTINCT m.id FROM json_each(?1) AS wanted CROSS JOIN edge e ON e.source = wanted.value << 1
JOIN memory m ON e.target & 1 = 0 AND m.row = e.target >> 1 WHERE e.type IN {_BEARING}
UNION
SELECT DISTINCT m.id FROM json_each(?1) AS wanted CROSS JOIN edge e ON e.target = wanted.value << 1
JOIN memory m ON e.source & 1 = 0 AND m.row = e.source >> 1 WHERE e.type IN {_BEARING}
"""  # noqa: S608 (constants of ours)


def tied(conn: sqlite3.Connection, rows: Collection[int]) -> set[MemoryId]:
    """The memories at the other ends of what bears on these, or these on them."""
    return {MemoryId(one) for (one,) in conn.execute(_TIED, (json.dumps(list(rows)),)).fetchall()}


def note(conn: sqlite3.Connection, space: int, ids: Collection[MemoryId]) -> None:
    conn.executemany("INSERT OR IGNORE INTO unsettled VALUES (?,?)", [(space, str(one)) for one in ids])


def strike(conn: sqlite3.Connection, space: int, ids: Collection[MemoryId]) -> None:
    written = [(space, str(one)) for one in ids if writable(one)]
    conn.executemany("DELETE FROM unsettled WHERE namespace = ? AND id = ?", written)


def waiting(conn: sqlite3.Connection) -> dict[str, list[MemoryId]]:
    """By namespace."""
    sql = "SELECT n.name, u.id FROM unsettled u JOIN namespace n ON n.code = u.namespace ORDER BY u.namespace, u.id"
    found: dict[str, list[MemoryId]] = defaultdict(list)
    for name, one in conn.execute(sql).fetchall():
        found[name].append(MemoryId(one))
    return dict(found)
