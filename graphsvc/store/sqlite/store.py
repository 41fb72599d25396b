"""The embedded store: the contract of `store.base` over one folder with two SQLite files.

Writes go to SQLite alone. Every read first catches the memory side up with what was committed,
by whichever process, and never answers from memory what SQLite has forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.errors import FieldInvalid, StoreError, VectorInvalid
from graphsvc.models.audit import LOCAL, Act, Purged
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge, EdgeType, Entity, Node
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
from graphsvc.store.sqlite import chain, erase, lookup, names, notes, revise, write
from graphsvc.store.sqlite import unsettled as waiting
from graphsvc.store.sqlite.adjacency import Adjacency
from graphsvc.store.sqlite.columns import Positions
from graphsvc.store.sqlite.connection import Connection, Database
from graphsvc.store.sqlite.copies import sweep
from graphsvc.store.sqlite.feedback import SqliteFeedback
from graphsvc.store.sqlite.identities import SqliteIdentities, forget_namespace
from graphsvc.store.sqlite.journal import MEMORIES, QUESTIONS, SqliteJournal
from graphsvc.store.sqlite.nearest import best_of, nearest
from graphsvc.store.sqlite.paging import newest, newest_of_all, read_cursor, write_cursor
from graphsvc.store.sqlite.partition import View
from graphsvc.store.sqlite.planner import Planner, rows_of_ids
from graphsvc.store.sqlite.purge import purge
from graphsvc.store.sqlite.remembered import Remembered
from graphsvc.store.sqlite.rows import micros, writable
from graphsvc.store.sqlite.schema import APPLICATION_ID, MIGRATIONS
from graphsvc.store.sqlite.seen import Sight, seen
from graphsvc.store.sqlite.selection import SqliteSelection, moved, ours
from graphsvc.store.sqlite.spaces import Spaces
from graphsvc.store.sqlite.traces import KEPT_TRACES, SqliteTraces
from graphsvc.store.sqlite.vocabulary import SqliteWords

WAIT_S = 30.0


def utc_now() -> datetime:
    return datetime.now(UTC)


class SqliteStore:
    """Opens or makes the store in a folder.

    `wait_s` bounds how long a writer waits for its turn; `kept_traces` how many traces stay; `fold` is how the aliases
    that are put were folded.
    Raises `StoreDamaged`, `StoreVersion` or `StoreBusy`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wait_s: float = WAIT_S,
        kept_traces: int = KEPT_TRACES,
        clock: Callable[[], datetime] = utc_now,
        fold: names.Fold = names.plain_fold,
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(str(error), where=str(folder), remedy="name a folder that can be made") from error
        sweep(folder)
        self._folder = folder
        self._clock = clock
        self._fold = fold
        self._spaces = Spaces()
        self._memories = Remembered()
        self._adjacency = Adjacency()
        self._database = Database(
            folder / "memories.sqlite3", application_id=APPLICATION_ID, migrations=MIGRATIONS, wait_s=wait_s
        )
        self.identities = SqliteIdentities(
            self._database, code_of=self._spaces.code, read_entity=lookup.read_entity, note=self._note
        )
        self.words = SqliteWords(self._view)
        try:
            self.traces = SqliteTraces(folder / "traces.sqlite3", wait_s=wait_s, recall=self._seen, kept=kept_traces)
        except BaseException:
            self._database.close()
            raise
        self.falsified = self.traces.falsified
        self.feedback = SqliteFeedback(self.traces.database, chain_name=QUESTIONS, clock=clock)
        self.journal = SqliteJournal({MEMORIES: self._database, QUESTIONS: self.traces.database}, clock=clock)

    def put(self, entries: Sequence[Entry], *, by: Act = LOCAL) -> list[PutResult]:
        prepared = [write.prepare(entry) for entry in entries]
        if not prepared:
            return []
        with self._database.writing() as conn:
            written = write.put(conn, prepared)
            self._note(conn, notes.of_put(conn, prepared, written), by)
            return written.results

    def get(self, namespace: str, ids: Sequence[MemoryId]) -> list[Memory]:
        with self._database.reading(snapshot=True) as conn:
            rows = rows_of_ids(conn, "memory", self._spaces.code(conn, namespace), ids)
            memories = self._memories.read(conn, list(rows.values()))
        found = (memories.get(rows[one]) for one in ids if one in rows)
        return [memory for memory in found if memory is not None]

    def page(self, namespace: str, where: Where = EVERYTHING, *, limit: int = 100, after: str | None = None) -> Page:
        if limit < 1:
            raise FieldInvalid("must be at least 1", where="limit")
        start = None if after is None else read_cursor(after)
        with self._database.reading(snapshot=True) as conn:
            if where == EVERYTHING:
                keys = newest_of_all(conn, self._spaces.code(conn, namespace), start, limit + 1)
            else:
                partition, view = self._spaces.current(conn, namespace)
                keys = newest(view, Planner(partition, view, conn).narrow(where), start, limit + 1)
            memories = self._memories.read(conn, [row for _, _, row in keys[:limit]])
        kept = tuple(memories[row] for _, _, row in keys[:limit] if row in memories)
        return Page(kept, None if len(keys) <= limit else write_cursor(keys[limit - 1]))

    def revise(self, entry: Entry, *, revision: int, unsettled: Collection[MemoryId] = (), by: Act = LOCAL) -> Memory:
        prepared = write.prepare(revise.next_of(entry, revision))
        with self._database.writing() as conn:
            code = self._spaces.code(conn, entry.memory.namespace)
            revised = revise.revise(conn, code, prepared, fold=self._fold)
            waiting.note(conn, code, unsettled)
            self._note(conn, notes.of_revision(conn, revised), by)
        self._memories.clear()
        return revised.after

    def put_standings(
        self,
        namespace: str,
        standings: Sequence[Standing],
        *,
        edges: Sequence[Edge] = (),
        gone: Sequence[Edge] = (),
        settled: Collection[MemoryId] = (),
        by: Act = LOCAL,
    ) -> None:
        with self._database.writing() as conn:
            code = self._spaces.code(conn, namespace)
            stood = revise.stand(conn, code, standings, edges=edges, gone=gone)
            waiting.strike(conn, code, settled)
            self._note(conn, notes.of_stood(conn, stood), by)

    def unsettled(self) -> dict[str, list[MemoryId]]:
        with self._database.reading() as conn:
            return waiting.waiting(conn)

    def delete(
        self,
        namespace: str,
        where: Where,
        *,
        revision: int | None = None,
        unsettled: Collection[MemoryId] = (),
        by: Act = LOCAL,
    ) -> list[MemoryId]:
        with self._database.writing() as conn:
            partition = self._spaces.partition(conn, namespace)
            view = partition.catch_up(conn)
            positions = Planner(partition, view, conn).narrow(where)
            ids = [view.ids[position] for position in positions]
            rows = view.rows[positions].tolist()
            revise.check_revisions(conn, rows, revision)
            said = forget_namespace(conn, partition.namespace, namespace) if where == EVERYTHING else []
            self._note(conn, (*notes.of_delete(conn, namespace, rows), *said), by)
            if ids:
                # What somebody else tied to them meanwhile is theirs to settle as well.
                tied = set() if where == EVERYTHING else waiting.tied(conn, rows) | set(unsettled)
                waiting.note(conn, partition.namespace, tied - set(map(MemoryId, ids)))
                erase.erase(conn, partition.namespace, rows, ids, micros(self._clock()), fold=self._fold)
        if ids:
            self._memories.clear()
            self._database.truncate_log()
        return [MemoryId(one) for one in sorted(ids)]

    def purge(self, namespace: str | None = None, *, by: Act = LOCAL) -> Purged:
        if namespace is not None and not writable(namespace):
            return Purged(memories=0, journal_contents=0, traces=0)
        sweep(self._folder)
        at = micros(self._clock())
        return purge(self._database, self.traces.database, namespace, at=at, by=by, fold=self._fold)

    def select(self, namespace: str, where: Where = EVERYTHING, *, within: Selection | None = None) -> SqliteSelection:
        with self._database.reading() as conn:
            partition, view = self._spaces.current(conn, namespace)
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
        with self._database.reading(snapshot=True) as conn:
            return lookup.vectors(conn, self._spaces.code(conn, namespace), ids)

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
            codes = write.node_codes(conn, self._spaces.code(conn, namespace), nodes)
            found = self._adjacency.at(conn, codes, (direction, wanted, max(per_node, 0)))
        return {node: found.get(node, []) for node in nodes}

    def entities(self, namespace: str, *, ids: Sequence[str] = (), aliases: Sequence[str] = ()) -> list[Entity]:
        with self._database.reading() as conn:
            return lookup.entities(conn, self._spaces.code(conn, namespace), ids, aliases)

    def set_encoding(self, fingerprint: Fingerprint, encodings: Iterable[Encoding] = ()) -> None:
        if encodings == ():
            with self._database.reading() as conn:
                if write.bound_encoder(conn)[0] == fingerprint:
                    return
        with self._database.writing() as conn:
            erase.set_encoding(conn, fingerprint, encodings)

    def describe(self) -> StoreDescription:
        with self._database.reading() as conn:
            size = self._database.bytes_on_disk() + self.traces.bytes_on_disk()
            return lookup.describe(conn, f"sqlite:///{self._folder.as_posix()}", size)

    def close(self) -> None:
        self.traces.close()
        self._database.close()

    def _seen(self, namespace: str, sights: Sequence[Sight]) -> dict[Sight, Memory]:
        return seen(self.get, self.journal, namespace, sights)

    def _note(self, conn: Connection, noted: Iterable[notes.Note], by: Act, at: datetime | None = None) -> None:
        chain.write(conn, MEMORIES, noted, at=micros(at or self._clock()), by=by)

    def _selected(self, selection: Selection) -> tuple[View, Positions | None]:
        """The selected memories that still live, in the view they now live in."""
        chosen = ours(selection, self)
        view = self._view(chosen.namespace)
        return view, moved(chosen, view)

    def _view(self, namespace: str) -> View:
        with self._database.reading() as conn:
            return self._spaces.current(conn, namespace)[1]


def _hits(view: View, positions: Positions, scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[Hit]:
    return [
        Hit(MemoryId(view.ids[position]), score, view.language(position))
        for position, score in zip(positions.tolist(), scores.tolist(), strict=True)
    ]
