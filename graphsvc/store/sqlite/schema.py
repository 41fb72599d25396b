"""The tables of memories and of the journal, and the ordered migrations that lead to them.

Each migration runs in a transaction of its own and is remembered by number.
"""

from __future__ import annotations

from dataclasses import dataclass

APPLICATION_ID = 0x67727376  # "grsv", in the SQLite header


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

# The same in both files. An entry is never changed; its contents lie apart, numbered `2 * seq` for what was before and
# one more for what was after, so that they can go while the entry stays.
JOURNAL = Migration(
    "journal",
    (
        """CREATE TABLE journal (
            seq INTEGER PRIMARY KEY,
            namespace TEXT NOT NULL,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT,
            operation TEXT NOT NULL,
            reason TEXT,
            before BLOB,
            after BLOB,
            digest BLOB NOT NULL)""",
        "CREATE INDEX journal_by_time ON journal (at)",
        "CREATE INDEX journal_of_namespace ON journal (namespace, at)",
        "CREATE INDEX journal_of_subject ON journal (subject, namespace) WHERE subject IS NOT NULL",
        "CREATE INDEX journal_of_operation ON journal (operation)",
        "CREATE TABLE journal_content (place INTEGER PRIMARY KEY, salt BLOB NOT NULL, packed BLOB NOT NULL)",
        """CREATE TABLE journal_head (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            seq INTEGER NOT NULL,
            digest BLOB NOT NULL)""",
    ),
)

# Where a memory stands is told beside it, because its own row never changes; one row of `standing` a memory.
# A row in `replaced` gave its id to a later row: no deletion of the id, which is what a tombstone tells.
_CHANGE = Migration(
    "change",
    (
        "ALTER TABLE edge ADD COLUMN recorded_at INTEGER",
        "ALTER TABLE edge ADD COLUMN slot TEXT",
        "ALTER TABLE edge ADD COLUMN whole INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE standing (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace INTEGER NOT NULL,
            row INTEGER NOT NULL UNIQUE,
            status TEXT NOT NULL,
            ended_at INTEGER,
            ended_by TEXT NOT NULL,
            stale_sources TEXT NOT NULL)""",
        "CREATE INDEX standing_of_namespace ON standing (namespace, seq)",
        """INSERT INTO standing (namespace, row, status, ended_by, stale_sources)
            SELECT namespace, row, status, '[]', '[]' FROM memory WHERE status <> 'active' ORDER BY row""",
        "ALTER TABLE memory DROP COLUMN status",
        "ALTER TABLE memory ADD COLUMN expires_at INTEGER",
        """CREATE TABLE replaced (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace INTEGER NOT NULL,
            row INTEGER NOT NULL)""",
        "CREATE INDEX replaced_of_namespace ON replaced (namespace, seq)",
        """INSERT OR IGNORE INTO facet (namespace, field, value, row)
            SELECT memory.namespace, 'file', json_extract(body.json, '$.source.file'), memory.row
            FROM memory JOIN body ON body.row = memory.row
            WHERE json_extract(body.json, '$.source.file') IS NOT NULL""",
        "INSERT INTO meta VALUES ('edges_gone', '0')",
    ),
)

# Memories of which it must be found anew where they stand, written with what made it so: a crash leaves them here.
_UNSETTLED = Migration(
    "unsettled",
    (
        """CREATE TABLE unsettled (
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (namespace, id)) WITHOUT ROWID""",
    ),
)

# Names of entities that perhaps only a memory knew that is gone; told for good by the next purge.
_DOUBTED = Migration(
    "doubted names",
    (
        """CREATE TABLE doubted (
            entity INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (entity, name)) WITHOUT ROWID""",
    ),
)

MIGRATIONS: tuple[Migration, ...] = (_INITIAL, _IDENTITIES, _RANGE_ENDS, JOURNAL, _CHANGE, _UNSETTLED, _DOUBTED)
