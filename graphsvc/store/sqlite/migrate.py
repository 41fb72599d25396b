"""Bring a file to the newest version of its tables, one migration a transaction.

A file of a newer version is refused, a file that is no store of ours is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graphsvc.errors import StoreDamaged, StoreVersion
from graphsvc.store.sqlite.schema import Migration


def migrate(conn: sqlite3.Connection, application_id: int, migrations: Sequence[Migration], *, where: str) -> None:
    """Bring a file to the newest version; raises `StoreVersion` or `StoreDamaged`."""
    while True:
        version = _version(conn, application_id, len(migrations), where)
        if version == len(migrations):
            return
        conn.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated while this one waited for its turn.
            if _version(conn, application_id, len(migrations), where) == version:
                _apply(conn, migrations[version], version + 1, application_id)
            conn.execute("COMMIT")
        except BaseException:
            conn.execute("ROLLBACK")
            raise


def _apply(conn: sqlite3.Connection, migration: Migration, number: int, application_id: int) -> None:
    for statement in migration.statements:
        conn.execute(statement)
    conn.execute(f"PRAGMA application_id = {application_id}")
    conn.execute(f"PRAGMA user_version = {number}")


def _version(conn: sqlite3.Connection, application_id: int, newest: int, where: str) -> int:
    version = int(conn.execute("PRAGMA user_version").fetchone()[0])
    owner = int(conn.execute("PRAGMA application_id").fetchone()[0])
    empty = conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if owner != application_id and not (owner == 0 and version == 0 and empty):
        raise StoreDamaged("is an SQLite file, but not a store of ours", where=where, remedy="name another folder")
    if version > newest:
        raise StoreVersion(
            f"was written in version {version}, this release reads up to {newest}",
            where=where,
            remedy="install a newer graphsvc",
        )
    return version
