"""The memory side of one namespace: columns, vectors and words, caught up from SQLite.

Rows only ever come after the last one, so what is new is one range read; what was deleted is in
the tombstones, what gave its id to another row in `replaced`, what stands elsewhere in the
standings. When vectors or facts change or much was deleted, everything is read again.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.models.facts import Language
from graphsvc.store.sqlite.columns import Codebook, Codes, Growing, IntArray, Mask, Positions, member, times
from graphsvc.store.sqlite.words import Words

CHUNK = 4096
TIME_COLUMNS = ("event_time", "recorded_at", "valid_from", "valid_to", "ended_at", "expires_at")
TEXT_COLUMNS = ("language", "document_type", "confidence_level", "status")
# Read everything again when a quarter is dead, and it is worth the trouble.
DEAD_SHARE = 4
DEAD_LEAST = 1000

_ROWS = """
SELECT m.row, m.id, m.event_time, m.recorded_at, m.valid_from, m.valid_to, s.ended_at, m.expires_at,
       m.language, m.document_type, m.confidence_level, coalesce(s.status, 'active'), v.floats, w.tokens
FROM memory m LEFT JOIN vector v ON v.row = m.row LEFT JOIN words w ON w.row = m.row
LEFT JOIN standing s ON s.row = m.row
WHERE m.namespace = ? AND m.row > ? ORDER BY m.row
"""
_STANDINGS = "SELECT seq, row, status, ended_at FROM standing WHERE namespace = ? AND seq > ? ORDER BY seq"
_GONE = ("tombstone", "replaced")
_NUMBERED = (*_GONE, "standing")


@dataclass(frozen=True, slots=True)
class View:
    """What a namespace held at one moment; positions count its memories in the order written.

    `matrix` is float32 `(n, dimension)`, rows of unit length; `alive` and `scorable` are shared
    with later views, so a deletion is seen at once. `status` and `ended_at` stay as they were.
    """

    generation: int
    rows: IntArray
    ids: list[str]
    times: dict[str, IntArray]
    codes: dict[str, Codes]
    books: dict[str, Codebook]
    languages: list[Language]
    matrix: FloatArray
    alive: Mask
    scorable: Mask
    living: int
    words: Words

    @property
    def count(self) -> int:
        return len(self.rows)

    def positions(self, rows: IntArray) -> Positions:
        """Positions of those rows that live here, ascending; rows may come in any order."""
        known = np.unique(rows)
        known = known[member(known, self.rows)]
        places = np.searchsorted(self.rows, known)
        return places[self.alive[places]]

    def everything(self) -> Positions:
        return np.flatnonzero(self.alive)

    def language(self, position: int) -> Language:
        return self.languages[int(self.codes["language"][position])]


class _Arrays:
    """The growing arrays behind the views of one generation."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.rows = Growing(np.int64)
        self.ids: list[str] = []
        self.times = {name: Growing(np.int64) for name in TIME_COLUMNS}
        self.codes = {name: Growing(np.int32) for name in TEXT_COLUMNS}
        self.books = {name: Codebook() for name in TEXT_COLUMNS}
        self.matrix = Growing(np.float32, width=dimension)
        self.alive = Growing(np.bool_)
        self.scorable = Growing(np.bool_)
        self.words = Words()
        self.dead = 0

    def append(self, chunk: Sequence[tuple[object, ...]]) -> None:
        rows, ids, *columns, vectors, words = zip(*chunk, strict=True)
        for name, column in zip(TIME_COLUMNS, columns[: len(TIME_COLUMNS)], strict=True):
            self.times[name].extend(times(column))
        for name, column in zip(TEXT_COLUMNS, columns[len(TIME_COLUMNS) :], strict=True):
            self.codes[name].extend(self.books[name].encode(column))
        self.matrix.extend(unit_rows(vectors, self.dimension))
        self.scorable.extend(np.array([floats is not None for floats in vectors], dtype=np.bool_))
        self.alive.extend(np.ones(len(rows), dtype=np.bool_))
        self.words.append(words)
        self.ids.extend(ids)
        self.rows.extend(np.array(rows, dtype=np.int64))

    def bury(self, rows: IntArray) -> None:
        known = np.unique(rows)
        places = np.searchsorted(self.rows.view, known[member(known, self.rows.view)])
        places = places[self.alive.view[places]]
        self.alive.view[places] = False
        self.scorable.view[places] = False
        self.words.forget(places)
        self.dead += len(places)

    def place(self, rows: IntArray, status: Sequence[str], ended_at: Sequence[int | None]) -> None:
        """Let memories stand elsewhere; rows that are not here are passed over."""
        known = member(rows, self.rows.view)
        places = np.searchsorted(self.rows.view, rows[known])
        self.codes["status"].replace(places, self.books["status"].encode(status)[known])
        self.times["ended_at"].replace(places, times(ended_at)[known])

    def view(self, generation: int) -> View:
        return View(
            generation=generation,
            rows=self.rows.view,
            ids=self.ids,
            times={name: column.view for name, column in self.times.items()},
            codes={name: column.view for name, column in self.codes.items()},
            books=self.books,
            languages=[Language(code) for code in self.books["language"]],
            matrix=self.matrix.view,
            alive=self.alive.view,
            scorable=self.scorable.view,
            living=len(self.rows) - self.dead,
            words=self.words,
        )


class Partition:
    """Keeps one namespace's view current; `known` holds the positions of common facet values."""

    def __init__(self, namespace: int) -> None:
        self.namespace = namespace
        self.lock = threading.Lock()
        self.known: OrderedDict[tuple[str, object], tuple[int, Positions]] = OrderedDict()
        self._arrays = _Arrays(0)
        self._view = self._arrays.view(0)
        self._change = -1
        self._last = dict.fromkeys(_NUMBERED, 0)  # of each numbered table, the last row that was read

    def catch_up(self, conn: sqlite3.Connection) -> View:
        """Read what SQLite has and this has not, in one snapshot."""
        with self.lock:
            began = not conn.in_transaction
            if began:
                conn.execute("BEGIN")
            try:
                self._read_changes(conn)
            finally:
                if began:
                    conn.execute("COMMIT")
            return self._view

    @property
    def view(self) -> View:
        return self._view

    def _read_changes(self, conn: sqlite3.Connection) -> None:
        before = (self._view.generation, len(self._arrays.rows), dict(self._last))
        generation = before[0]
        if self._arrays.dead > max(DEAD_LEAST, len(self._arrays.rows) // DEAD_SHARE) or self._vectors_changed(conn):
            generation += 1
            self._start_again(conn)
        self._read_standings(conn)  # before the new rows, which come with theirs
        self._read_rows(conn)
        self._read_gone(conn)
        if before != (generation, len(self._arrays.rows), self._last):
            self._view = self._arrays.view(generation)

    def _vectors_changed(self, conn: sqlite3.Connection) -> bool:
        return encoding_change(conn) != self._change

    def _start_again(self, conn: sqlite3.Connection) -> None:
        fingerprint = read_meta(conn, "fingerprint")
        self._change = encoding_change(conn)
        self._arrays = _Arrays(json.loads(fingerprint)["dimension"] if fingerprint else 0)
        for table in _NUMBERED:
            sql = f"SELECT coalesce(max(seq), 0) FROM {table} WHERE namespace = ?"  # noqa: S608 (a name of ours)
            self._last[table] = int(conn.execute(sql, (self.namespace,)).fetchone()[0])
        self.known.clear()

    def _read_rows(self, conn: sqlite3.Connection) -> None:
        arrays = self._arrays
        last = int(arrays.rows.view[-1]) if len(arrays.rows) else 0
        cursor = conn.execute(_ROWS, (self.namespace, last))
        reserved = False
        while chunk := cursor.fetchmany(CHUNK):
            if len(chunk) == CHUNK and not reserved:
                counted = conn.execute("SELECT count(*) FROM memory WHERE namespace = ?", (self.namespace,))
                arrays.matrix.reserve(arrays.dead + int(counted.fetchone()[0]))
                reserved = True
            arrays.append(chunk)

    def _read_gone(self, conn: sqlite3.Connection) -> None:
        for table in _GONE:
            sql = f"SELECT seq, row FROM {table} WHERE namespace = ? AND seq > ? ORDER BY seq"  # noqa: S608 (as above)
            found = conn.execute(sql, (self.namespace, self._last[table])).fetchall()
            if found:
                self._last[table] = found[-1][0]
                self._arrays.bury(np.array([row for _, row in found], dtype=np.int64))

    def _read_standings(self, conn: sqlite3.Connection) -> None:
        found = conn.execute(_STANDINGS, (self.namespace, self._last["standing"])).fetchall()
        if found:
            numbers, rows, status, ended_at = zip(*found, strict=True)
            self._last["standing"] = numbers[-1]
            self._arrays.place(np.array(rows, dtype=np.int64), status, ended_at)


def unit_rows(blobs: Sequence[bytes | None], dimension: int) -> FloatArray:
    """Stored vectors as rows of unit length; absent ones are zero."""
    empty = bytes(4 * dimension)
    joined = b"".join(empty if floats is None else floats for floats in blobs)
    rows = np.frombuffer(joined, dtype="<f4").reshape(len(blobs), dimension).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    norms[norms == 0] = 1.0
    unit: FloatArray = (rows / norms[:, None]).astype(np.float32)
    return unit


def encoding_change(conn: sqlite3.Connection) -> int:
    """Counts the times vectors or facts of stored memories were changed."""
    return int(read_meta(conn, "encoding_change") or 0)


def read_meta(conn: sqlite3.Connection, key: str) -> str | None:
    found = conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if found is None else str(found[0])
