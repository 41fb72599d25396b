"""Put another content under an id, and change where memories stand, inside the writer's transaction.

A row never changes: the new content gets a row of its own, which takes over the id, the standing, and the edges
others have at it. The old row is told in `replaced`, not in a tombstone, as nothing was deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphsvc.errors import NotFound, RevisionOutdated, StoreError
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge
from graphsvc.models.memory import Memory
from graphsvc.store.base import Entry
from graphsvc.store.sqlite import names
from graphsvc.store.sqlite.erase import erase_content, erase_orphans
from graphsvc.store.sqlite.planner import rows_of_ids
from graphsvc.store.sqlite.remembered import read_memory
from graphsvc.store.sqlite.rows import encoding_error
from graphsvc.store.sqlite.standings import Stood, write_standings
from graphsvc.store.sqlite.write import Prepared, bound_encoder, insert, next_row, node_codes, tie, write_edges

_EDGES_GONE = "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'edges_gone'"


@dataclass(frozen=True, slots=True)
class Revised:
    """A memory before and after, as read; `stood` are all that stand elsewhere for it."""

    before: Memory
    after: Memory
    stood: list[Stood]


def next_of(entry: Entry, revision: int) -> Entry:
    """The entry as the revision that follows."""
    return replace(entry, memory=entry.memory.model_copy(update={"revision": revision + 1}))


def revise(conn: sqlite3.Connection, space: int, prepared: Prepared, *, fold: names.Fold = names.plain_fold) -> Revised:
    """Write the prepared entry in place of the revision before it; raises as the port says."""
    memory_id = str(prepared.entry.memory.id)
    old = rows_of_ids(conn, "memory", space, [memory_id]).get(memory_id)
    before = None if old is None else read_memory(conn, old)
    if old is None or before is None:
        raise NotFound("no such memory in this namespace", where=memory_id)
    _check_revision(before, prepared.entry.memory.revision - 1)
    fingerprint, encoder = bound_encoder(conn)
    error = prepared.error or encoding_error(prepared.entry.vector, prepared.entry.states, fingerprint)
    if error is not None:
        raise error
    row = next_row(conn, "memory")
    touched = _erase_own_edges(conn, old)
    doubted = names.doubts(conn, dict.fromkeys(touched, (old,)), fold)
    erase_content(conn, [old])
    insert(conn, [(row, space, prepared)], encoder)
    conn.execute("UPDATE edge SET target = ? WHERE target = ?", (row << 1, old << 1))
    conn.execute("UPDATE standing SET row = ? WHERE row = ?", (row, old))
    tie(conn, space, [(row, prepared.entry)], fresh=False)
    erase_orphans(conn, sorted(touched))
    names.settle(conn, doubted, fold)
    stood = write_standings(conn, space, prepared.standings)
    conn.execute("INSERT INTO replaced (namespace, row) VALUES (?,?)", (space, old))
    conn.execute(_EDGES_GONE)
    after = read_memory(conn, row)
    if after is None:
        raise StoreError("the memory just written cannot be read", where=memory_id)
    return Revised(before, after, stood)


def stand(
    conn: sqlite3.Connection, space: int, standings: Sequence[Standing], *, edges: Sequence[Edge], gone: Sequence[Edge]
) -> list[Stood]:
    """Take edges away, draw others, and say where memories stand; who stands elsewhere for it.

    An edge in both is drawn anew, whatever its weight.
    """
    _erase_edges(conn, space, gone)
    write_edges(conn, space, edges)
    return write_standings(conn, space, standings)


def check_revisions(conn: sqlite3.Connection, rows: Sequence[int], revision: int | None) -> None:
    """Raise unless the memories are all at that revision; None is any."""
    if revision is not None:
        for row in rows:
            memory = read_memory(conn, row)
            if memory is not None:
                _check_revision(memory, revision)


def _check_revision(stored: Memory, revision: int) -> None:
    if stored.revision != revision:
        raise RevisionOutdated(
            f"the memory is at revision {stored.revision}, not {revision}",
            where=str(stored.id),
            remedy="read it again and decide on what it says now",
        )


def _erase_own_edges(conn: sqlite3.Connection, row: int) -> set[int]:
    """Delete the edges a memory drew: those from it, and those from entities, which say nothing themselves.

    The rows of the entities they touched.
    """
    code = row << 1
    sql = "DELETE FROM edge WHERE source = ?1 OR (target = ?1 AND source & 1) RETURNING source, target"
    ends = {end for pair in conn.execute(sql, (code,)).fetchall() for end in pair}
    return {end >> 1 for end in ends if end & 1}


def _erase_edges(conn: sqlite3.Connection, space: int, gone: Sequence[Edge]) -> None:
    """Delete edges by source, target and type, and the entities that none names any more."""
    codes = node_codes(conn, space, {node for edge in gone for node in (edge.source, edge.target)})
    named = [(codes.get(edge.source), str(edge.type), codes.get(edge.target)) for edge in gone]
    erased = conn.executemany("DELETE FROM edge WHERE source = ? AND type = ? AND target = ?", named).rowcount
    if erased > 0:
        conn.execute(_EDGES_GONE)
        erase_orphans(conn, sorted({code >> 1 for code in codes.values() if code & 1}))
