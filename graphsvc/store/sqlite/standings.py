"""Where memories stand now: one row a memory, beside the memory, whose own rows never change.

Each change takes a new, higher `seq`, so "seq > n" is all that changed after n, as with tombstones. A memory
without a row stands as it was put: active, ended by nothing. What it was before is the journal's to tell.

The ids in `ended_by` and `stale_sources` are kept as given. When one of them is deleted, where the others stand
must be found anew from what is left, and only the layer that knows how (`graphsvc.change`) can do so: it follows
a deletion with `put_standings`, and the store filters nothing in between.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.models.change import Standing
from graphsvc.models.memory import Memory
from graphsvc.store.sqlite.planner import rows_of_ids
from graphsvc.store.sqlite.rows import STANDING_FIELDS, moment, optional_micros

# The columns `read_standing` reads, of table `standing` under the name s.
COLUMNS = "s.status, s.ended_at, s.ended_by, s.stale_sources"

_AT_ROWS = f"""
SELECT wanted.value, {COLUMNS} FROM json_each(?) AS wanted CROSS JOIN standing s ON s.row = wanted.value
"""  # noqa: S608 (a constant of ours)

Columns = tuple[str | None, int | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Stood:
    """A memory of a namespace that stands elsewhere now than it did."""

    namespace: int
    before: Standing
    after: Standing


def standing_of(memory: Memory) -> Standing:
    return Standing.model_validate({"id": memory.id, **{name: getattr(memory, name) for name in STANDING_FIELDS}})


def placed(memory: Memory, standing: Standing) -> Memory:
    """The memory, standing there."""
    return memory.model_copy(update={name: getattr(standing, name) for name in STANDING_FIELDS})


def read_standing(memory_id: str, columns: Columns) -> Standing:
    """From `COLUMNS`; the status is absent where the memory has no row, and then it stands as put."""
    status, ended_at, ended_by, stale_sources = columns
    if status is None:
        return Standing.model_validate({"id": memory_id})
    return Standing.model_validate(
        {
            "id": memory_id,
            "status": status,
            "ended_at": moment(ended_at),
            "ended_by": tuple(json.loads(ended_by or "[]")),
            "stale_sources": tuple(json.loads(stale_sources or "[]")),
        }
    )


def write_standings(conn: sqlite3.Connection, space: int, standings: Sequence[Standing]) -> list[Stood]:
    """Say where memories of a namespace stand, the last word for each; what that changed.

    Those of unknown memories are passed over.
    """
    last = {str(one.id): one for one in standings}
    rows = rows_of_ids(conn, "memory", space, list(last))
    listed = json.dumps(list(rows.values()))
    known = {row: columns for row, *columns in conn.execute(_AT_ROWS, (listed,)).fetchall()}
    stood: list[Stood] = []
    for one, row in rows.items():
        columns = known.get(row)
        before = read_standing(one, (None,) * 4 if columns is None else tuple(columns))
        if before != last[one]:
            stood.append(Stood(space, before, last[one]))
    # A row replaced gets the next number, which is how others learn of the change.
    conn.executemany(
        "INSERT OR REPLACE INTO standing (namespace, row, status, ended_at, ended_by, stale_sources)"
        " VALUES (?,?,?,?,?,?)",
        [(space, rows[str(one.after.id)], *_columns(one.after)) for one in stood],
    )
    return stood


def last_change(conn: sqlite3.Connection) -> int:
    """The number of the latest change still in force, 0 without any."""
    return int(conn.execute("SELECT coalesce(max(seq), 0) FROM standing").fetchone()[0])


def _columns(standing: Standing) -> tuple[str, int | None, str, str]:
    return (
        str(standing.status),
        optional_micros(standing.ended_at),
        json.dumps(standing.ended_by),
        json.dumps(standing.stale_sources),
    )
