"""The embedded store: the contract of `store.base` over one folder with two SQLite files.

Writes go to SQLite alone. Every read first catches the memory side up with what was committed,
by whichever process, and never answers from memory what SQLite has forgotten.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.errors import FieldInvalid, StoreError, VectorInvalid
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node
from graphsvc.models.graph import Entity as EntityRecord
from graphsvc.models.memory import Memory
from graphsvc.store.base import (
    EdgeDirection,
    Encoding,
    Entry,
    Hit,
    Page,
    PutResult,
    Selection,
    StoreDescription,
    Where,
)
from graphsvc.store.filters import EVERYTHING
from graphsvc.store.sqlite import erase, write
from graphsvc.store.sqlite.adjacency import Adjacency
from graphsvc.store.sqlite.columns import Positions
from graphsvc.store.sqlite.connection import Connection, Database
from graphsvc.store.sqlite.identities import SqliteIdentities, forget_namespace
from graphsvc.store.sqlite.nearest import best_of, nearest
from graphsvc.store.sqlite.paging import newest, newest_of_all, read_cursor, write_cursor
from graphsvc.store.sqlite.partition import Partition, View, encoding_change
from graphsvc.store.sqlite.planner import Planner, rows_of_ids
from graphsvc.store.sqlite.rows import micros, read_states, read_vector, writable
from graphsvc.store.sqlite.schema import APPLICATION_ID, MIGRATIONS
from graphsvc.store.sqlite.selection import SqliteSelection, moved, ours
from graphsvc.store.sqlite.traces import KEPT_TRACES, SqliteTraces
from graphsvc.store.sqlite.vocabulary import SqliteWords

WAIT_S = 30.0
REMEMBERED_MEMORIES = 4_096
# A cross join keeps the list outside, so that each of its members is one look-up by key.
_ENCODED = """
SELECT v.row, v.floats, s.codes, s.scales FROM json_each(?) AS wanted
CROSS JOIN vector v ON v.row = wanted.value LEFT JOIN states s ON s.row = v.row
"""
_BEARERS = """
SELECT a.entity FROM json_each(?) AS wanted CROSS JOIN alias a ON a.namespace = ? AND a.alias = wanted.value
"""
_NOWHERE = -1  # the number of a namespace nothing was ever put into


def _now() -> datetime:
    return datetime.now(UTC)


class SqliteStore:
    """Opens or makes the store in a folder.

    `wait_s` bounds how long a writer waits for its turn; `kept_traces` how many traces stay.
    Raises `StoreDamaged`, `StoreVersion` or `StoreBusy`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wait_s: float = WAIT_S,
        kept_traces: int = KEPT_TRACES,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(str(error), where=str(folder), remedy="name a folder that can be made") from error
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, int] = {}
        self._partitions: dict[int, Partition] = {}
        self._memories: OrderedDict[int, Memory] = OrderedDict()
        self._remembered_at = -1  # the change of encodings after which they were read
        self._adjacency = Adjacency()
        self._database = Database(
            folder / "memories.sqlite3", application_id=APPLICATION_ID, migrations=MIGRATIONS, wait_s=wait_s
        )
        self.identities = SqliteIdentities(self._database, code_of=self._code, read_entity=_entity)
        self.words = SqliteWords(self._view)
        try:
            self.traces = SqliteTraces(folder / "traces.sqlite3", wait_s=wait_s, recall=self.get, kept=kept_traces)
        except BaseException:
            self._database.close()
            raise

    def put(self, entries: Sequence[Entry]) -> list[PutResult]:
        prepared = [write.prepare(entry) for entry in entries]
        if not prepared:
            return []
        with self._database.writing() as conn:
            return write.put(conn, prepared)

    def get(self, namespace: str, ids: Sequence[MemoryId]) -> list[Memory]:
        with self._database.reading() as conn:
            rows = rows_of_ids(conn, "memory", self._code(conn, namespace), ids)
            memories = self._read_memories(conn, list(rows.values()))
        found = (memories.get(rows[one]) for one in ids if one in rows)
        return [memory for memory in found if memory is not None]

    def page(self, namespace: str, where: Where = EVERYTHING, *, limit: int = 100, after: str | None = None) -> Page:
        if limit < 1:
            raise FieldInvalid("must be at least 1", where="limit")
        start = None if after is None else read_cursor(after)
        with self._database.reading() as conn:
            if where == EVERYTHING:
                keys = newest_of_all(conn, self._code(conn, namespace), start, limit + 1)
            else:
                partition, view = self._current(conn, namespace)
                keys = newest(view, Planner(partition, view, conn).narrow(where), start, limit + 1)
            memories = self._read_memories(conn, [row for _, _, row in keys[:limit]])
        kept = tuple(memories[row] for _, _, row in keys[:limit] if row in memories)
        return Page(kept, None if len(keys) <= limit else write_cursor(keys[limit - 1]))

    def delete(self, namespace: str, where: Where) -> list[MemoryId]:
        with self._database.writing() as conn:
            partition = self._partition(self._code(conn, namespace))
            view = partition.catch_up(conn)
            positions = Planner(partition, view, conn).narrow(where)
            ids = [view.ids[position] for position in positions]
            if where == EVERYTHING:
                forget_namespace(conn, partition.namespace)
            if ids:
                erase.erase(conn, partition.namespace, view.rows[positions].tolist(), ids, micros(self._clock()))
        if ids:
            with self._lock:
                self._memories.clear()
            self._database.truncate_log()
        return [MemoryId(one) for one in sorted(ids)]

    def select(self, namespace: str, where: Where = EVERYTHING, *, within: Selection | None = None) -> SqliteSelection:
        with self._database.reading() as conn:
            partition, view = self._current(conn, namespace)
            inside = None
            if within is not None:
                earlier = ours(within, self)
                if earlier.namespace != namespace:
                    raise FieldInvalid("a selection of another namespace", where="within")
                inside = moved(earlier, view)
            if where == EVERYTHING:
                return SqliteSelection(self, namespace, view, inside)
            positions = Planner(partition, view, conn).narrow(where, inside)
            return SqliteSelection(self, namespace, view, None if len(positions) == view.living else positions)

    def nearest(self, selection: Selection, vector: FloatArray, k: int) -> list[Hit]:
        view, positions = self._selected(selection)
        width = view.matrix.shape[1]
        if not width or not view.count:
            return []
        if vector.shape != (width,):
            raise VectorInvalid(f"a vector of shape {vector.shape}, expected ({width},)", where="vector")
        return _hits(view, *nearest(view, positions, vector, k))

    def match(self, selection: Selection, tokens: Sequence[str], k: int) -> list[Hit]:
        view, positions = self._selected(selection)
        found = view.words.search(tokens, view.count, positions)
        living = view.alive[found.positions]
        hits: list[Hit] = []
        for group in (living & found.complete, living & ~found.complete):
            places, scores = found.positions[group], found.scores[group]
            best = best_of(scores, places, view.ids, k - len(hits))
            hits += _hits(view, places[best], scores[best])
        return hits

    def vectors(self, namespace: str, ids: Sequence[MemoryId]) -> dict[MemoryId, tuple[FloatArray, TokenStates | None]]:
        found: dict[MemoryId, tuple[FloatArray, TokenStates | None]] = {}
        with self._database.reading() as conn:
            rows = rows_of_ids(conn, "memory", self._code(conn, namespace), ids)
            listed = json.dumps(list(rows.values()))
            kept = {row: blobs for row, *blobs in conn.execute(_ENCODED, (listed,)).fetchall()}
        for one, row in rows.items():
            if row in kept:
                floats, codes, scales = kept[row]
                states = None if codes is None else read_states(codes, scales)
                found[MemoryId(one)] = (read_vector(floats), states)
        return found

    def edges(
        self,
        namespace: str,
        nodes: Sequence[Node],
        *,
        types: Iterable[EdgeType] | None = None,
        direction: EdgeDirection = EdgeDirection.BOTH,
        per_node: int = 50,
    ) -> dict[Node, list[Edge]]:
        wanted = None if types is None else tuple(sorted({str(kind) for kind in types}))
        with self._database.reading() as conn:
            codes = write.node_codes(conn, self._code(conn, namespace), nodes)
            found = self._adjacency.at(conn, codes, (direction, wanted, max(per_node, 0)))
        return {node: found.get(node, []) for node in nodes}

    def entities(self, namespace: str, *, ids: Sequence[str] = (), aliases: Sequence[str] = ()) -> list[EntityRecord]:
        with self._database.reading() as conn:
            code = self._code(conn, namespace)
            rows = set(rows_of_ids(conn, "entity", code, ids).values())
            borne = json.dumps([alias for alias in dict.fromkeys(aliases) if writable(alias)])
            rows.update(row for (row,) in conn.execute(_BEARERS, (borne, code)).fetchall())
            return sorted((one for row in rows if (one := _entity(conn, row))), key=lambda one: one.id)

    def set_encoding(self, fingerprint: Fingerprint, encodings: Iterable[Encoding] = ()) -> None:
        if encodings == ():
            with self._database.reading() as conn:
                if write.bound_encoder(conn)[0] == fingerprint:
                    return
        with self._database.writing() as conn:
            erase.set_encoding(conn, fingerprint, encodings)

    def describe(self) -> StoreDescription:
        with self._database.reading() as conn:
            counted = conn.execute(
                "SELECT n.name, c.count FROM (SELECT namespace, count(*) AS count FROM memory GROUP BY namespace) c"
                " JOIN namespace n ON n.code = c.namespace ORDER BY n.name"
            )
            namespaces = dict(counted.fetchall())
            return StoreDescription(
                url=f"sqlite:///{self._folder.as_posix()}",
                schema_version=int(conn.execute("PRAGMA user_version").fetchone()[0]),
                fingerprint=write.bound_encoder(conn)[0],
                memories=sum(namespaces.values()),
                entities=int(conn.execute("SELECT count(*) FROM entity").fetchone()[0]),
                edges=int(conn.execute("SELECT count(*) FROM edge").fetchone()[0]),
                namespaces=namespaces,
                bytes_on_disk=self._database.bytes_on_disk() + self.traces.bytes_on_disk(),
            )

    def close(self) -> None:
        self.traces.close()
        self._database.close()

    def _code(self, conn: Connection, namespace: str) -> int:
        code = self._codes.get(namespace)
        if code is None and writable(namespace):
            found = conn.execute("SELECT code FROM namespace WHERE name = ?", (namespace,)).fetchone()
            if found is not None:
                code = self._codes[namespace] = int(found[0])
        return _NOWHERE if code is None else code

    def _partition(self, code: int) -> Partition:
        known = self._partitions.get(code)
        if known is None:
            with self._lock:
                known = self._partitions.setdefault(code, Partition(code))
        return known

    def _current(self, conn: Connection, namespace: str) -> tuple[Partition, View]:
        """The namespace as last committed."""
        partition = self._partition(self._code(conn, namespace))
        version = conn.version()
        if conn.seen.get(partition) == version:
            return partition, partition.view
        view = partition.catch_up(conn)
        conn.seen[partition] = version
        return partition, view

    def _selected(self, selection: Selection) -> tuple[View, Positions | None]:
        """The selected memories that still live, in the view they now live in."""
        chosen = ours(selection, self)
        view = self._view(chosen.namespace)
        return view, moved(chosen, view)

    def _view(self, namespace: str) -> View:
        with self._database.reading() as conn:
            return self._current(conn, namespace)[1]

    def _read_memories(self, conn: Connection, rows: Sequence[int]) -> dict[int, Memory]:
        """Memories by row; only `set_encoding` changes a row's facts, until then what was read is remembered."""
        change = encoding_change(conn)
        with self._lock:
            if change > self._remembered_at:
                self._memories.clear()
                self._remembered_at = change
        found: dict[int, Memory] = {}
        for row in rows:
            memory = self._memories.get(row)
            if memory is None:
                body = conn.execute("SELECT json FROM body WHERE row = ?", (row,)).fetchone()
                if body is None:
                    continue
                memory = Memory.model_validate_json(body[0])
            found[row] = memory
        with self._lock:
            # A change that came while these were read makes them old; they are not remembered then.
            for row, memory in found.items() if change == self._remembered_at else ():
                self._memories[row] = memory
                self._memories.move_to_end(row)
            while len(self._memories) > REMEMBERED_MEMORIES:
                self._memories.popitem(last=False)
        return found


def _hits(view: View, positions: Positions, scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[Hit]:
    return [
        Hit(MemoryId(view.ids[position]), score, view.language(position))
        for position, score in zip(positions.tolist(), scores.tolist(), strict=True)
    ]


def _entity(conn: Connection, row: int) -> EntityRecord | None:
    found = conn.execute("SELECT id, type, name FROM entity WHERE row = ?", (row,)).fetchone()
    if found is None:
        return None
    aliases = conn.execute("SELECT alias FROM alias WHERE entity = ? ORDER BY alias", (row,)).fetchall()
    return EntityRecord(id=found[0], type=found[1], name=found[2], aliases=tuple(alias for (alias,) in aliases))
