"""The tables, and the ordered migrations that lead to them.

Each migration runs in a transaction of its own and is remembered by number; a file of a newer
version is refused, a file that is no store of ours is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.errors import StoreDamaged, StoreVersion

APPLICATION_ID = 0x67727376  # "grsv", in the SQLite header
TRACES_APPLICATION_ID = 0x67727472  # "grtr"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; its number is its place in the list, from 1."""

    name: str
    statements: tuple[str, ...]


# Rows are never reused (AUTOINCREMENT) and never change, so "row > n" is all that came after n.
# A node's code is its row shifted by one, the lowest bit set for entities.
_INITIAL = Migration(
    "initial",
    (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE namespace (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        """CREATE TABLE memory (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            event_time INTEGER NOT NULL,
            recorded_at INTEGER NOT NULL,
            valid_from INTEGER,
            valid_to INTEGER,
            language TEXT NOT NULL,
            document_type TEXT,
            confidence_level TEXT,
            status TEXT NOT NULL,
            UNIQUE (namespace, id))""",
        "CREATE INDEX memory_of_namespace ON memory (namespace)",
        "CREATE INDEX memory_by_time ON memory (namespace, event_time, id)",
        "CREATE TABLE body (row INTEGER PRIMARY KEY, json TEXT NOT NULL)",
        "CREATE TABLE words (row INTEGER PRIMARY KEY, tokens TEXT NOT NULL)",
        "CREATE TABLE vector (row INTEGER PRIMARY KEY, encoder INTEGER NOT NULL, floats BLOB NOT NULL)",
        "CREATE TABLE states (row INTEGER PRIMARY KEY, codes BLOB NOT NULL, scales BLOB NOT NULL)",
        # `value` has no type: texts, numbers and truth values keep their kind and never compare across it.
        """CREATE TABLE facet (
            namespace INTEGER NOT NULL,
            field TEXT NOT NULL,
            value NOT NULL,
            row INTEGER NOT NULL,
            PRIMARY KEY (namespace, field, value, row)) WITHOUT ROWID""",
        "CREATE INDEX facet_of_row ON facet (row, field, value)",
        """CREATE TABLE entity (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (namespace, id))""",
        """CREATE TABLE alias (
            namespace INTEGER NOT NULL,
            alias TEXT NOT NULL,
            entity INTEGER NOT NULL,
            PRIMARY KEY (namespace, alias, entity)) WITHOUT ROWID""",
        "CREATE INDEX alias_of_entity ON alias (entity)",
        """CREATE TABLE edge (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            source INTEGER NOT NULL,
            target INTEGER NOT NULL,
            type TEXT NOT NULL,
            weight REAL NOT NULL,
            event_time INTEGER,
            valid_from INTEGER,
            valid_to INTEGER,
            origin TEXT NOT NULL,
            UNIQUE (source, type, target))""",
        "CREATE INDEX edge_out ON edge (source, weight DESC, event_time DESC, type)",
        "CREATE INDEX edge_in ON edge (target, weight DESC, event_time DESC, type)",
        """CREATE TABLE tombstone (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            row INTEGER NOT NULL,
            deleted_at INTEGER NOT NULL)""",
        "CREATE INDEX tombstone_of_namespace ON tombstone (namespace, seq)",
        "INSERT INTO meta VALUES ('encoder', '0'), ('encoding_change', '0')",
    ),
)

# Links and aliases name entities by id, stored or not: what a user says of somebody outlives their memories.
_IDENTITIES = Migration(
    "identities",
    (
        """CREATE TABLE same_as (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            kept TEXT NOT NULL,
            joined TEXT NOT NULL,
            in_force INTEGER NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (namespace, number)) WITHOUT ROWID""",
        "CREATE INDEX same_as_kept ON same_as (namespace, kept) WHERE in_force",
        "CREATE INDEX same_as_joined ON same_as (namespace, joined) WHERE in_force",
        """CREATE TABLE nickname (
            namespace INTEGER NOT NULL,
            key TEXT NOT NULL,
            entity TEXT NOT NULL,
            merge TEXT,
            record TEXT NOT NULL,
            PRIMARY KEY (namespace, key, entity)) WITHOUT ROWID""",
        "CREATE INDEX nickname_of_entity ON nickname (namespace, entity)",
    ),
)

# A range of amounts is found by both its ends; stores of the first version kept the lower one.
_RANGE_ENDS = Migration(
    "range ends",
    (
        """INSERT OR IGNORE INTO facet (namespace, field, value, row)
            SELECT memory.namespace, 'amount', json_extract(amount.value, '$.high'), memory.row
            FROM memory JOIN body ON body.row = memory.row, json_each(body.json, '$.facts.amounts') AS amount
            WHERE json_extract(amount.value, '$.high') IS NOT NULL""",
    ),
)

MIGRATIONS: tuple[Migration, ...] = (_INITIAL, _IDENTITIES, _RANGE_ENDS)

TRACE_MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "initial",
        (
            """CREATE TABLE trace (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                body BLOB NOT NULL,
                UNIQUE (namespace, id))""",
        ),
    ),
    Migration(
        "sessions",
        (
            "ALTER TABLE trace ADD COLUMN session TEXT",
            "CREATE INDEX trace_of_session ON trace (namespace, session, seq) WHERE session IS NOT NULL",
        ),
    ),
)


def migrate(
    conn: sqlite3.Connection, application_id: int, migrations: Sequence[Migration] = MIGRATIONS, *, where: str
) -> None:
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
