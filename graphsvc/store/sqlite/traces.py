"""The last traces, in a file of their own, so that asking never waits for the writer of memories.

A trace keeps which memories it saw, not what they said: they are put back when it is read, as they were, and
those deleted since are gone from it. Nothing here survives a power cut for certain; a crash it does.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from graphsvc.errors import NotFound, StoreDamaged
from graphsvc.models.answer import Decision, Trace
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.memory import Memory
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.falsified import SqliteFalsified, index_rests
from graphsvc.store.sqlite.rows import writable
from graphsvc.store.sqlite.seen import Sight
from graphsvc.store.sqlite.trace_schema import TRACE_MIGRATIONS, TRACES_APPLICATION_ID

KEPT_TRACES = 10_000
_PRUNE_EVERY = 64

Recall = Callable[[str, Sequence[Sight]], dict[Sight, Memory]]


class SqliteTraces:
    """`recall` reads memories back by namespace, as they were seen."""

    def __init__(self, path: Path, *, wait_s: float, recall: Recall, kept: int = KEPT_TRACES) -> None:
        self._recall = recall
        self._kept = kept
        self._database = Database(
            path,
            application_id=TRACES_APPLICATION_ID,
            migrations=TRACE_MIGRATIONS,
            wait_s=wait_s,
            synchronous="NORMAL",
        )
        self._setups: set[str] = set()
        self.falsified = SqliteFalsified(self._database, self._unpack)

    def save(self, trace: Trace) -> None:
        body = trace.model_dump_json(exclude={"candidates": {"__all__": {"memory"}}})
        seen = [(one.memory.id, one.memory.recorded_at.isoformat()) for one in trace.candidates]
        packed = zlib.compress(json.dumps([body, seen]).encode(), level=1)
        with self._database.writing() as conn:
            # Not replaced in one statement: what the earlier one rested on goes by a trigger on its deletion.
            conn.execute("DELETE FROM trace WHERE namespace = ? AND id = ?", (trace.namespace, str(trace.id)))
            last = conn.execute(
                "INSERT INTO trace (namespace, id, session, body) VALUES (?,?,?,?) RETURNING seq",
                (trace.namespace, str(trace.id), trace.session_id, packed),
            ).fetchone()[0]
            index_rests(conn, trace, last)
            if last % _PRUNE_EVERY == 0 or self._kept < _PRUNE_EVERY:
                conn.execute("DELETE FROM trace WHERE seq <= ?", (last - self._kept,))

    def keep(self, text: str) -> str:
        digest = sha256(text.encode()).hexdigest()
        if digest not in self._setups:
            with self._database.writing() as conn:
                conn.execute("INSERT OR IGNORE INTO setup VALUES (?,?)", (digest, text))
            self._setups.add(digest)
        return digest

    def kept(self, digest: str) -> str | None:
        with self._database.reading() as conn:
            found = conn.execute("SELECT text FROM setup WHERE digest = ?", (digest,)).fetchone()
        return None if found is None else str(found[0])

    def get(self, namespace: str, trace_id: TraceId) -> Trace:
        found = None
        with self._database.reading() as conn:
            if writable(namespace) and writable(trace_id):
                asked = (namespace, str(trace_id))
                found = conn.execute("SELECT body FROM trace WHERE namespace = ? AND id = ?", asked).fetchone()
        if found is None:
            raise NotFound("no such trace in this namespace", where=str(trace_id))
        return self._unpack(namespace, str(trace_id), found[0])

    def decisions(self, limit: int) -> list[Decision]:
        sql = "SELECT id, body FROM trace ORDER BY seq DESC LIMIT ?"
        with self._database.reading() as conn:
            rows = conn.execute(sql, (2 * max(limit, 0),)).fetchall()  # searches among them decide nothing
        decisions: list[Decision] = []
        for one, body in rows:
            with suppress(StoreDamaged, ValueError):  # one that cannot be read tells nothing of the others
                told = json.loads(_opened(one, body)[0]).get("decision")
                decisions += [] if told is None else [Decision.model_validate(told)]
        return decisions[: max(limit, 0)]

    def recent(self, namespace: str, session_id: str, limit: int) -> list[Trace]:
        if not (writable(namespace) and writable(session_id)):
            return []
        with self._database.reading() as conn:
            rows = conn.execute(
                "SELECT id, body FROM trace WHERE namespace = ? AND session = ? ORDER BY seq DESC LIMIT ?",
                (namespace, session_id, max(limit, 0)),
            ).fetchall()
        return [self._unpack(namespace, one, body) for one, body in rows]

    def earlier(self, trace: Trace, limit: int) -> list[Trace]:
        if trace.session_id is None:
            return []
        with self._database.reading() as conn:
            asked = (trace.namespace, trace.session_id, str(trace.id), max(limit, 0))
            rows = conn.execute(
                "SELECT id, body FROM trace WHERE namespace = ?1 AND session = ?2"
                " AND seq < (SELECT seq FROM trace WHERE namespace = ?1 AND id = ?3) ORDER BY seq DESC LIMIT ?4",
                asked,
            ).fetchall()
        return [self._unpack(trace.namespace, one, body) for one, body in rows]

    def _unpack(self, namespace: str, trace_id: str, packed: bytes) -> Trace:
        body, seen = _opened(trace_id, packed)
        sights = [(MemoryId(one), datetime.fromisoformat(recorded_at)) for one, recorded_at in seen]
        memories = self._recall(namespace, sights)
        record = json.loads(body)
        record["candidates"] = [
            {**candidate, "memory": memories[sight]}
            for candidate, sight in zip(record["candidates"], sights, strict=True)
            if sight in memories
        ]
        return Trace.model_validate(record)

    @property
    def database(self) -> Database:
        """The file, for what else is kept in it."""
        return self._database

    def bytes_on_disk(self) -> int:
        return self._database.bytes_on_disk()

    def close(self) -> None:
        self._database.close()


def _opened(trace_id: str, packed: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The trace's JSON, and which memories it saw, recorded when."""
    try:
        body, seen = json.loads(zlib.decompress(packed))
    except (zlib.error, ValueError) as error:
        raise StoreDamaged("a trace cannot be read back", where=trace_id) from error
    return body, seen
