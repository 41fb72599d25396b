"""What people said of answers, in the file of the traces; each word and its journal entry are one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime

from graphsvc.models.audit import LOCAL, Act, Action
from graphsvc.models.calibration import Feedback
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite import chain
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.rows import micros, writable

_KEY = "namespace = ? AND trace = ? AND memory = ?"
_PUT = """
INSERT INTO feedback (namespace, trace, memory, corrected_by, about, learns, at, record) VALUES (?,?,?,?,?,?,?,?)
"""
# A word on a memory that has a deleted one's id now stays.
_FORGET = """
DELETE FROM feedback WHERE namespace = ?1 AND (trace IN (SELECT value FROM json_each(?2)) OR EXISTS (
    SELECT 1 FROM json_each(?3) AS gone WHERE gone.key IN (memory, corrected_by, about) AND at <= gone.value))
"""


class SqliteFeedback:
    """`chain_name` is the chain of what is asked, in the same file."""

    def __init__(self, database: Database, *, chain_name: str, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._chain = chain_name
        self._clock = clock

    def put(self, feedback: Feedback, *, by: Act = LOCAL) -> None:
        key = (feedback.namespace, str(feedback.trace_id), feedback.memory_id or "")
        with self._database.writing(synced=True) as conn:
            before = conn.execute(f"SELECT record FROM feedback WHERE {_KEY}", key).fetchone()  # noqa: S608 (ours)
            conn.execute(f"DELETE FROM feedback WHERE {_KEY}", key)  # noqa: S608 (ours)
            learns = feedback.lesson is not None
            row = (*key, feedback.corrected_by, feedback.about, learns, micros(feedback.at))
            conn.execute(_PUT, (*row, feedback.model_dump_json()))
            noted = Noted(
                Action.FEEDBACK,
                feedback.trace_id,
                before=None if before is None else _said(Feedback.model_validate_json(before[0])),
                after=_said(feedback),
            )
            chain.write(conn, self._chain, [(feedback.namespace, noted)], at=micros(self._clock()), by=by)

    def lessons(self, namespace: str | None = None) -> list[Feedback]:
        if namespace is not None and not writable(namespace):
            return []
        sql = "SELECT record FROM feedback WHERE learns AND (?1 IS NULL OR namespace = ?1) ORDER BY seq"
        with self._database.reading() as conn:
            return _read(conn.execute(sql, (namespace,)).fetchall())

    def count(self) -> int:
        with self._database.reading() as conn:
            return int(conn.execute("SELECT count(*) FROM feedback").fetchone()[0])


def forget(conn: sqlite3.Connection, namespace: str, traces: str, deleted: Mapping[str, int]) -> None:
    """Inside a purge: take out what was said of these traces (a JSON list), and of memories up to their deletion."""
    conn.execute(_FORGET, (namespace, traces, json.dumps(dict(deleted))))


def _read(rows: list[tuple[str]]) -> list[Feedback]:
    return [Feedback.model_validate_json(record) for (record,) in rows]


def _said(feedback: Feedback) -> str:
    told = {"verdict": feedback.verdict.value, "memory": feedback.memory_id, "corrected_by": feedback.corrected_by}
    return json.dumps({name: value for name, value in told.items() if value is not None}, ensure_ascii=False)
