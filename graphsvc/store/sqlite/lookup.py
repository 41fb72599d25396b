"""Vectors, entities and counts, read straight from the tables that hold them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from graphsvc.encoding.base import FloatArray, TokenStates
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Entity
from graphsvc.store.base import StoreDescription
from graphsvc.store.sqlite.planner import rows_of_ids
from graphsvc.store.sqlite.rows import read_states, read_vector, writable
from graphsvc.store.sqlite.write import bound_encoder

# A cross join keeps the list outside, so that each of its members is one look-up by key.
_ENCODED = """
SELECT v.row, v.floats, s.codes, s.scales FROM json_each(?) AS wanted
CROSS JOIN vector v ON v.row = wanted.value LEFT JOIN states s ON s.row = v.row
"""
_BEARERS = """
SELECT a.entity FROM json_each(?) AS wanted CROSS JOIN alias a ON a.namespace = ? AND a.alias = wanted.value
"""
_COUNTED = """
SELECT n.name, c.count FROM (SELECT namespace, count(*) AS count FROM memory GROUP BY namespace) c
JOIN namespace n ON n.code = c.namespace ORDER BY n.name
"""


def vectors(
    conn: sqlite3.Connection, space: int, ids: Sequence[MemoryId]
) -> dict[MemoryId, tuple[FloatArray, TokenStates | None]]:
    """Vectors and token states of the memories that have them."""
    rows = rows_of_ids(conn, "memory", space, ids)
    kept = {row: blobs for row, *blobs in conn.execute(_ENCODED, (json.dumps(list(rows.values())),)).fetchall()}
    found: dict[MemoryId, tuple[FloatArray, TokenStates | None]] = {}
    for one, row in rows.items():
        if row in kept:
            floats, codes, scales = kept[row]
            states = None if codes is None else read_states(codes, scales)
            found[MemoryId(one)] = (read_vector(floats), states)
    return found


def entities(conn: sqlite3.Connection, space: int, ids: Sequence[str], aliases: Sequence[str]) -> list[Entity]:
    """Entities with one of the ids or one of the aliases, by id."""
    rows = set(rows_of_ids(conn, "entity", space, ids).values())
    borne = json.dumps([alias for alias in dict.fromkeys(aliases) if writable(alias)])
    rows.update(row for (row,) in conn.execute(_BEARERS, (borne, space)).fetchall())
    return sorted((one for row in rows if (one := read_entity(conn, row))), key=lambda one: one.id)


def read_entity(conn: sqlite3.Connection, row: int) -> Entity | None:
    found = conn.execute("SELECT id, type, name FROM entity WHERE row = ?", (row,)).fetchone()
    if found is None:
        return None
    aliases = conn.execute("SELECT alias FROM alias WHERE entity = ? ORDER BY alias", (row,)).fetchall()
    return Entity(id=found[0], type=found[1], name=found[2], aliases=tuple(alias for (alias,) in aliases))


def describe(conn: sqlite3.Connection, url: str, bytes_on_disk: int) -> StoreDescription:
    namespaces = dict(conn.execute(_COUNTED).fetchall())
    return StoreDescription(
        url=url,
        schema_version=int(conn.execute("PRAGMA user_version").fetchone()[0]),
        fingerprint=bound_encoder(conn)[0],
        memories=sum(namespaces.values()),
        entities=int(conn.execute("SELECT count(*) FROM entity").fetchone()[0]),
        edges=int(conn.execute("SELECT count(*) FROM edge").fetchone()[0]),
        namespaces=namespaces,
        bytes_on_disk=bytes_on_disk,
    )
