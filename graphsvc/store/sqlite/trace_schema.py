"""The tables of traces, of what rested on them and of what was said of them, and the migrations that lead to them."""

from __future__ import annotations

from graphsvc.store.sqlite.schema import JOURNAL, Migration

TRACES_APPLICATION_ID = 0x67727472  # "grtr", in the SQLite header

# A trace that goes takes along what it rested on; what was overturned stays, and knows no memory's words.
_FALSIFICATION = Migration(
    "falsification",
    (
        """CREATE TABLE trace_rests (
            namespace TEXT NOT NULL,
            memory TEXT NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (namespace, memory, seq)) WITHOUT ROWID""",
        "CREATE INDEX trace_rests_of_trace ON trace_rests (seq)",
        """CREATE TRIGGER trace_gone AFTER DELETE ON trace
            BEGIN DELETE FROM trace_rests WHERE seq = old.seq; END""",
        "CREATE TABLE setup (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE overturned (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace TEXT NOT NULL,
            trace TEXT NOT NULL,
            cause TEXT NOT NULL,
            ids TEXT NOT NULL,
            record TEXT NOT NULL,
            UNIQUE (namespace, trace, cause))""",
        "CREATE INDEX overturned_of_namespace ON overturned (namespace, seq)",
        """CREATE TABLE subscription (
            id TEXT PRIMARY KEY,
            namespace TEXT NOT NULL,
            url TEXT NOT NULL,
            secret TEXT NOT NULL,
            created_at INTEGER NOT NULL)""",
        "CREATE INDEX subscription_of_namespace ON subscription (namespace)",
        """CREATE TABLE delivery (
            id TEXT PRIMARY KEY,
            subscription TEXT NOT NULL,
            namespace TEXT NOT NULL,
            overturned INTEGER NOT NULL,
            trace TEXT NOT NULL,
            body TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting',
            attempts INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            due INTEGER NOT NULL,
            held_until INTEGER NOT NULL DEFAULT 0,
            lease TEXT,
            status INTEGER)""",
        "CREATE INDEX delivery_waiting ON delivery (due) WHERE state = 'waiting'",
        "CREATE INDEX delivery_of_namespace ON delivery (namespace, created_at)",
        "CREATE INDEX delivery_of_overturned ON delivery (overturned)",
        "CREATE INDEX delivery_of_subscription ON delivery (subscription)",
    ),
)

# It outlives its trace, which may go for age alone: what can be learnt of it are numbers.
_FEEDBACK = Migration(
    "feedback",
    (
        """CREATE TABLE feedback (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace TEXT NOT NULL,
            trace TEXT NOT NULL,
            memory TEXT NOT NULL,
            corrected_by TEXT,
            about TEXT,
            learns INTEGER NOT NULL,
            at INTEGER NOT NULL,
            record TEXT NOT NULL,
            UNIQUE (namespace, trace, memory))""",
    ),
)

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
    JOURNAL,
    _FALSIFICATION,
    _FEEDBACK,
)
