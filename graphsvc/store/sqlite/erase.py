"""Delete memories and all that hangs on them, and change the vectors and facts of those that stay.

Both run inside the writer's transaction. A deletion leaves a tombstone, id and time, no content; entities that stay
lose the names that nobody else knows them by.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from graphsvc.encoding.base import Fingerprint
from graphsvc.errors import EncoderMismatch
from graphsvc.models.facts import Facts
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding
from graphsvc.store.sqlite import names
from graphsvc.store.sqlite.planner import rows_of_ids
from graphsvc.store.sqlite.rows import body_json, check_memory, encoding_error, facets, states_bytes, vector_bytes
from graphsvc.store.sqlite.write import bound_encoder, fingerprint_json

T = TypeVar("T")

_BATCH = 1000
_OF_ROWS = "IN (SELECT value FROM json_each(?))"


def erase(
    conn: sqlite3.Connection,
    namespace: int,
    rows: Sequence[int],
    ids: Sequence[str],
    now: int,
    *,
    fold: names.Fold = names.plain_fold,
) -> None:
    """Delete these memories of a namespace; `fold` is what its aliases were folded by."""
    ties: dict[int, set[int]] = defaultdict(set)
    for part in _batches(rows):
        for entity, tied in _erase_edges(conn, part).items():
            ties[entity] |= tied
    doubted = names.doubts(conn, _staying(conn, ties), fold)
    for part in _batches(rows):
        erase_content(conn, part)
        conn.execute(f"DELETE FROM standing WHERE row {_OF_ROWS}", (json.dumps(part),))  # noqa: S608 (a constant of ours)
    conn.executemany(
        "INSERT INTO tombstone (namespace, id, row, deleted_at) VALUES (?,?,?,?)",
        [(namespace, one, row, now) for one, row in zip(ids, rows, strict=True)],
    )
    if conn.execute("SELECT 1 FROM memory WHERE namespace = ? LIMIT 1", (namespace,)).fetchone() is None:
        left = conn.execute("SELECT row FROM entity WHERE namespace = ?", (namespace,)).fetchall()
        erase_orphans(conn, sorted(row for (row,) in left))
    names.settle(conn, doubted, fold)


def erase_content(conn: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Delete what these memories say and what was derived from it; edges and standing stay."""
    text = json.dumps(rows)
    for table in ("facet", "memory", "body", "words", "vector", "states"):
        conn.execute(f"DELETE FROM {table} WHERE row {_OF_ROWS}", (text,))  # noqa: S608 (as above)


def _erase_edges(conn: sqlite3.Connection, rows: Sequence[int]) -> dict[int, set[int]]:
    """Delete the edges at these memories; the entities they touched, each with the memories it was tied to."""
    codes = json.dumps([row << 1 for row in rows])
    ties: dict[int, set[int]] = defaultdict(set)
    for end in ("source", "target"):
        sql = f"DELETE FROM edge WHERE {end} {_OF_ROWS} RETURNING source, target"  # noqa: S608 (as above)
        for pair in conn.execute(sql, (codes,)).fetchall():
            entity, memory = sorted(pair, key=lambda code: code & 1, reverse=True)
            if entity & 1 and not memory & 1:
                ties[entity >> 1].add(memory >> 1)
    return ties


def _staying(conn: sqlite3.Connection, ties: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """Delete those of the entities that are orphans now; the others."""
    erase_orphans(conn, sorted(ties))
    staying: dict[int, set[int]] = {}
    for part in _batches(sorted(ties)):
        sql = f"SELECT row FROM entity WHERE row {_OF_ROWS}"  # noqa: S608 (as above)
        staying |= {row: ties[row] for (row,) in conn.execute(sql, (json.dumps(part),)).fetchall()}
    return staying


def erase_orphans(conn: sqlite3.Connection, entities: Sequence[int]) -> None:
    """Delete those of the entities that no edge names any more."""
    for part in _batches(entities):
        orphans = conn.execute(
            "SELECT value FROM json_each(?)"
            " WHERE NOT EXISTS (SELECT 1 FROM edge WHERE source = value << 1 | 1)"
            " AND NOT EXISTS (SELECT 1 FROM edge WHERE target = value << 1 | 1)",
            (json.dumps(part),),
        ).fetchall()
        text = json.dumps([row for (row,) in orphans])
        conn.execute(f"DELETE FROM alias WHERE entity {_OF_ROWS}", (text,))  # noqa: S608 (as above)
        conn.execute(f"DELETE FROM doubted WHERE entity {_OF_ROWS}", (text,))  # noqa: S608 (as above)
        conn.execute(f"DELETE FROM entity WHERE row {_OF_ROWS}", (text,))  # noqa: S608 (as above)


def set_encoding(conn: sqlite3.Connection, fingerprint: Fingerprint, encodings: Iterable[Encoding]) -> None:
    """Bind an encoder, write vectors and facts; raises as the port says, and then all is undone."""
    bound, encoder = bound_encoder(conn)
    other = bound is not None and bound != fingerprint
    if other:
        encoder += 1
    written = sum(_write_encodings(conn, part, fingerprint, encoder) for part in _batches(encodings))
    if other:
        left = int(conn.execute("SELECT count(*) FROM vector WHERE encoder <> ?", (encoder,)).fetchone()[0])
        if left:
            raise EncoderMismatch(
                f"the store holds vectors of {bound}, not of {fingerprint}; {left} memories would be left without",
                remedy="open it with that encoder, or reindex with the new one",
            )
    if bound != fingerprint:
        conn.execute("INSERT OR REPLACE INTO meta VALUES ('fingerprint', ?)", (fingerprint_json(fingerprint),))
        conn.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (str(encoder),))
    if written or bound != fingerprint:
        conn.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'encoding_change'")


def _write_encodings(
    conn: sqlite3.Connection, encodings: Sequence[Encoding], fingerprint: Fingerprint, encoder: int
) -> int:
    """Replace the vectors and facts of those memories that exist; how many that were."""
    rows = _rows_of(conn, encodings)
    written = 0
    for one in encodings:
        error = encoding_error(one.vector, one.states, fingerprint)
        if error is not None:
            error.where = f"{one.id}, {error.where}"
            raise error
        row = rows.get((one.namespace, str(one.id)))
        if row is None:
            continue
        if one.vector is not None:
            conn.execute("INSERT OR REPLACE INTO vector VALUES (?,?,?)", (row, encoder, vector_bytes(one.vector)))
            conn.execute("DELETE FROM states WHERE row = ?", (row,))
            if one.states is not None:
                conn.execute("INSERT INTO states VALUES (?,?,?)", (row, *states_bytes(one.states)))
        if one.facts is not None:
            _write_facts(conn, row, one.facts)
        written += 1
    return written


def _write_facts(conn: sqlite3.Connection, row: int, facts_: Facts) -> None:
    """Put other facts into a memory's body, and what filters ask of them beside it."""
    body, space = conn.execute(
        "SELECT b.json, m.namespace FROM body b JOIN memory m ON m.row = b.row WHERE b.row = ?", (row,)
    ).fetchone()
    memory = Memory.model_validate_json(body).model_copy(update={"facts": facts_})
    check_memory(memory)
    conn.execute("UPDATE body SET json = ? WHERE row = ?", (body_json(memory), row))
    conn.execute("DELETE FROM facet WHERE row = ?", (row,))
    conn.executemany(
        "INSERT INTO facet VALUES (?,?,?,?)", [(space, field, value, row) for field, value in facets(memory)]
    )


def _rows_of(conn: sqlite3.Connection, encodings: Sequence[Encoding]) -> dict[tuple[str, str], int]:
    rows: dict[tuple[str, str], int] = {}
    for name in {one.namespace for one in encodings}:
        found = conn.execute("SELECT code FROM namespace WHERE name = ?", (name,)).fetchone()
        if found is not None:
            ids = [str(one.id) for one in encodings if one.namespace == name]
            rows |= {(name, one): row for one, row in rows_of_ids(conn, "memory", int(found[0]), ids).items()}
    return rows


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while part := list(islice(iterator, _BATCH)):
        yield part
