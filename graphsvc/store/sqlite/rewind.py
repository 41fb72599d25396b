"""The embedded store as one namespace of it was at a moment: a copy beside it, and what came later erased.

The copy is made by SQLite's own backup, so writers go on meanwhile. It is as large as the store, and gone when the
block ends; a killed process's is swept away by the next opening. Statistics of words are those of then, as they rest
on the memories that are there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from graphsvc.models.base import MemoryId
from graphsvc.models.identity import Alias, Merge
from graphsvc.store.rewind import Rewound
from graphsvc.store.sqlite.connection import translated
from graphsvc.store.sqlite.copies import COPY, copying
from graphsvc.store.sqlite.erase import erase
from graphsvc.store.sqlite.rows import micros
from graphsvc.store.sqlite.store import SqliteStore

_FILE = "memories.sqlite3"
# What was revised since may have been there before; whoever puts its earlier revision back needs what is tied to it.
_LATER = """
SELECT m.row, m.id FROM memory m JOIN body b ON b.row = m.row
WHERE m.namespace = ? AND m.recorded_at > ? AND json_extract(b.json, '$.revision') = 1
"""


@contextmanager
def rewound(folder: Path, namespace: str, at: datetime) -> Iterator[Rewound]:
    """The store in `folder`, its namespace as recorded up to `at`; raises as opening a store does.

    What was revised since is there in its present form.
    """
    with (
        copying(folder),
        TemporaryDirectory(prefix=COPY, dir=folder, ignore_cleanup_errors=True) as temporary,
    ):
        there = Path(temporary)
        with translated(str(folder / _FILE)):
            deleted = _copy(folder / _FILE, there / _FILE, namespace, at)
        with closing(SqliteStore(there, clock=lambda: at)) as store:
            yield Rewound(store, deleted)


def _copy(source: Path, target: Path, namespace: str, at: datetime) -> tuple[MemoryId, ...]:
    """Copy and trim; the memories deleted since."""
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target, isolation_level=None)) as copy:
        live.backup(copy)
        found = copy.execute("SELECT code FROM namespace WHERE name = ?", (namespace,)).fetchone()
        if found is None:
            return ()
        copy.execute("BEGIN IMMEDIATE")
        deleted = _trim(copy, int(found[0]), at)
        copy.execute("COMMIT")
    return deleted


def _trim(conn: sqlite3.Connection, namespace: int, at: datetime) -> tuple[MemoryId, ...]:
    moment = micros(at)
    sql = "SELECT DISTINCT id FROM tombstone WHERE namespace = ? AND deleted_at > ? ORDER BY id"
    deleted = tuple(MemoryId(one) for (one,) in conn.execute(sql, (namespace, moment)).fetchall())
    later = conn.execute(_LATER, (namespace, moment)).fetchall()
    if later:
        erase(conn, namespace, [row for row, _ in later], [one for _, one in later], moment)
    conn.execute("DELETE FROM edge WHERE recorded_at > ?", (moment,))
    _trim_identities(conn, namespace, at)
    return deleted


def _trim_identities(conn: sqlite3.Connection, namespace: int, at: datetime) -> None:
    """Undo merges and aliases made later; a merge undone later holds again, with the alias that came with it lost."""
    sql = "SELECT number, record FROM same_as WHERE namespace = ?"
    for number, record in conn.execute(sql, (namespace,)).fetchall():
        merge = Merge.model_validate_json(record)
        if merge.made_at > at:
            conn.execute("DELETE FROM same_as WHERE namespace = ? AND number = ?", (namespace, number))
        elif merge.undone_at is not None and merge.undone_at > at:
            sql = "UPDATE same_as SET in_force = 1, record = ? WHERE namespace = ? AND number = ?"
            again = merge.model_copy(update={"undone_at": None, "undone_by": None})
            conn.execute(sql, (again.model_dump_json(), namespace, number))
    sql = "SELECT key, entity, record FROM nickname WHERE namespace = ?"
    for key, entity, record in conn.execute(sql, (namespace,)).fetchall():
        if Alias.model_validate_json(record).added_at > at:
            conn.execute(
                "DELETE FROM nickname WHERE namespace = ? AND key = ? AND entity = ?", (namespace, key, entity)
            )
