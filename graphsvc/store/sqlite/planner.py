"""From a filter and a selection to positions, at a cost that follows what is left.

Rare facet values come from SQL indexes, times and small vocabularies from columns in memory,
common facet values from remembered positions; inside a narrow selection rows are asked one by one.
The meaning is that of `filters.matches`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from graphsvc.store.base import Where
from graphsvc.store.filters import ORDERED, TIME_FIELDS, And, Compare, Not, Op, Or
from graphsvc.store.sqlite.columns import MISSING_CODE, MISSING_TIME, IntArray, Mask, Positions, intersect, member
from graphsvc.store.sqlite.partition import TEXT_COLUMNS, Partition, View
from graphsvc.store.sqlite.rows import SqlValue, facet_value, micros, writable

# Below this many memories each one's facets are looked up; above, the value's memories are read.
NARROW = 256
REMEMBERED_VALUES = 128
_IN_LIST = 512

_FACETS = "SELECT f.row FROM facet f WHERE f.namespace = ? AND f.field = ? "
_FACETS_OF_ROWS = (
    "SELECT DISTINCT f.row FROM json_each(?) j CROSS JOIN facet f INDEXED BY facet_of_row"
    " ON f.row = j.value AND f.field = ? "
)

T = TypeVar("T", bound=np.generic)

_COMPARISONS: dict[Op, Callable[[IntArray, int], Mask]] = {
    Op.EQ: lambda column, value: column == value,
    Op.IN: lambda column, value: column == value,
    Op.GT: lambda column, value: column > value,
    Op.GTE: lambda column, value: column >= value,
    Op.LT: lambda column, value: column < value,
    Op.LTE: lambda column, value: column <= value,
}
_SIGNS = {Op.GT: ">", Op.GTE: ">=", Op.LT: "<", Op.LTE: "<="}


@dataclass(frozen=True, slots=True)
class Planner:
    """Narrows one view of a namespace; `conn` reads the facets behind it."""

    partition: Partition
    view: View
    conn: sqlite3.Connection

    def narrow(self, where: Where, inside: Positions | None = None) -> Positions:
        """Ascending positions of the living memories, of those `inside` if given, that match."""
        match where:
            case And(all=parts):
                return self._all(parts, inside)
            case Or(any=parts):
                found = [self.narrow(part, inside) for part in parts]
                return self._union(found)
            case Not(negate=part):
                return self._without(self._those(inside), self.narrow(part, inside))
            case Compare():
                return self._compare(where, inside)

    def _all(self, parts: Sequence[Where], inside: Positions | None) -> Positions:
        """Rare values first, then columns, then common values, then whatever is nested."""
        waiting: list[tuple[int, int, Where]] = []
        for place, part in enumerate(parts):
            rare = self._rare(part) if inside is None or len(inside) > NARROW else None
            if rare is not None:
                inside = rare if inside is None else intersect(rare, inside)
            else:
                waiting.append((_cost(part), place, part))
        for _, _, part in sorted(waiting, key=lambda one: one[:2]):
            if inside is not None and not len(inside):
                return inside
            inside = self.narrow(part, inside)
        return self._those(inside)

    def _rare(self, part: Where) -> Positions | None:
        """Positions of a value that few memories have, None when they are many or it is no such filter."""
        if not (isinstance(part, Compare) and part.op in {Op.EQ, Op.IN} and _is_facet(part.field)):
            return None
        rows: list[int] = []
        for value in _wanted(part):
            encoded = facet_value(value)
            if encoded is None or (part.field, encoded) in self.partition.known:
                return None
            rows += self._holders(part.field, encoded, limit=NARROW + 1 - len(rows))
            if len(rows) > NARROW:
                return None
        return self.view.positions(np.array(rows, dtype=np.int64))

    def _compare(self, where: Compare, inside: Positions | None) -> Positions:
        if where.field in TIME_FIELDS:
            return self._where(_time_mask(_part(self.view.times[where.field], inside), where), inside)
        if where.field in TEXT_COLUMNS:
            return self._where(self._text_mask(where, inside), inside)
        if where.field == "id":
            return self._ids(where, inside)
        if where.op is Op.EXISTS:
            present = self._facets(where.field, "", (), inside)
            return present if where.value else self._without(self._those(inside), present)
        if where.op in ORDERED:
            return self._ordered(where, inside)
        found = [self._equal(where.field, value, inside) for value in _wanted(where)]
        return self._union(found)

    def _text_mask(self, where: Compare, inside: Positions | None) -> Mask:
        column = _part(self.view.codes[where.field], inside)
        if where.op is Op.EXISTS:
            present: Mask = (column != MISSING_CODE) == where.value
            return present
        book = self.view.books[where.field]
        codes = [code for value in _wanted(where) if (code := book.get(str(value))) is not None]
        return np.isin(column, codes)

    def _ids(self, where: Compare, inside: Positions | None) -> Positions:
        if where.op is Op.EXISTS:
            return self._those(inside) if where.value else np.empty(0, np.int64)
        ids = [str(value) for value in _wanted(where)]
        rows = list(rows_of_ids(self.conn, "memory", self.partition.namespace, ids).values())
        return self._kept(rows, inside)

    def _equal(self, field: str, value: object, inside: Positions | None) -> Positions:
        encoded = facet_value(value)
        if encoded is None:
            return np.empty(0, np.int64)
        if inside is not None and len(inside) <= NARROW:
            return self._facets(field, "AND f.value = ?", (encoded,), inside)
        found = self._common(field, encoded)
        return found if inside is None else intersect(found, inside)

    def _ordered(self, where: Compare, inside: Positions | None) -> Positions:
        encoded = facet_value(where.value)
        if encoded is None:
            return np.empty(0, np.int64)
        # SQLite sorts numbers before texts before blobs (our truth values): keep within the kind.
        kind = {"str": "text", "bytes": "blob"}.get(type(encoded).__name__)
        same_kind = f"typeof(f.value) = '{kind}'" if kind else "typeof(f.value) IN ('integer', 'real')"
        return self._facets(where.field, f"AND f.value {_SIGNS[where.op]} ? AND {same_kind}", (encoded,), inside)

    def _facets(self, field: str, condition: str, values: tuple[SqlValue, ...], inside: Positions | None) -> Positions:
        """Memories with a facet of this field under a condition of our own making."""
        if inside is not None and len(inside) <= NARROW:
            rows = json.dumps(self.view.rows[inside].tolist())
            found = self.conn.execute(_FACETS_OF_ROWS + condition, (rows, field, *values)).fetchall()
        else:
            found = self.conn.execute(_FACETS + condition, (self.partition.namespace, field, *values)).fetchall()
        return self._kept([row for (row,) in found], inside)

    def _common(self, field: str, value: SqlValue) -> Positions:
        """All positions of a value; remembered when there are many, then only the new rows are read."""
        partition, key = self.partition, (field, value)
        nothing = (0, np.empty(0, np.int64))
        with partition.lock:
            current = partition.view.generation == self.view.generation
            last, positions = partition.known.get(key, nothing) if current else nothing
        rows = np.array(self._holders(field, value, after=last), dtype=np.int64)
        rows = rows[rows <= self.view.rows[-1]] if self.view.count else rows[:0]
        if len(rows):
            positions = np.concatenate([positions, self.view.positions(rows)])
            last = int(rows[-1])
        if len(positions) > NARROW:
            with partition.lock:
                if partition.view.generation == self.view.generation:
                    partition.known[key] = (last, positions)
                    partition.known.move_to_end(key)
                    while len(partition.known) > REMEMBERED_VALUES:
                        partition.known.popitem(last=False)
        positions = positions[: np.searchsorted(positions, self.view.count)]
        return positions[self.view.alive[positions]]

    def _holders(self, field: str, value: SqlValue, *, after: int = 0, limit: int = -1) -> list[int]:
        sql = "SELECT row FROM facet WHERE namespace = ? AND field = ? AND value = ? AND row > ? ORDER BY row LIMIT ?"
        found = self.conn.execute(sql, (self.partition.namespace, field, value, after, limit))
        return [row for (row,) in found]

    def _kept(self, rows: Sequence[int], inside: Positions | None) -> Positions:
        found = self.view.positions(np.array(rows, dtype=np.int64))
        return found if inside is None else intersect(found, inside)

    def _those(self, inside: Positions | None) -> Positions:
        return self.view.everything() if inside is None else inside

    def _where(self, mask: Mask, inside: Positions | None) -> Positions:
        return np.flatnonzero(mask & self.view.alive) if inside is None else inside[mask]

    def _union(self, found: Sequence[Positions]) -> Positions:
        """Of many, marking each costs less than sorting them all."""
        if sum(map(len, found)) <= NARROW:
            return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
        marked = np.zeros(self.view.count, dtype=np.bool_)
        for some in found:
            marked[some] = True
        return np.flatnonzero(marked)

    def _without(self, those: Positions, some: Positions) -> Positions:
        if len(those) <= NARROW:
            return those[~member(those, some)]
        left = np.ones(self.view.count, dtype=np.bool_)
        left[some] = False
        return those[left[those]]


def rows_of_ids(conn: sqlite3.Connection, table: str, namespace: int, ids: Sequence[str]) -> dict[str, int]:
    """Rows of the memories or entities (by `table`) that exist, by id."""
    known = [one for one in dict.fromkeys(ids) if writable(one)]
    rows: dict[str, int] = {}
    for part in _parts(known):
        marks = ",".join("?" * len(part))
        sql = f"SELECT id, row FROM {table} WHERE namespace = ? AND id IN ({marks})"  # noqa: S608 (marks and a table of ours)
        rows.update(conn.execute(sql, (namespace, *part)).fetchall())
    return rows


def _parts(values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Lists padded to a power of two, so that few different statements are ever prepared."""
    for start in range(0, len(values), _IN_LIST):
        part = tuple(values[start : start + _IN_LIST])
        size = 1 << (len(part) - 1).bit_length()
        yield part + part[-1:] * (size - len(part))


def _part(column: NDArray[T], inside: Positions | None) -> NDArray[T]:
    return column if inside is None else column[inside]


def _wanted(where: Compare) -> tuple[object, ...]:
    return where.value if isinstance(where.value, tuple) else (where.value,)


def _is_facet(field: str) -> bool:
    return field not in TIME_FIELDS and field not in TEXT_COLUMNS and field != "id"


def _cost(part: Where) -> int:
    if not isinstance(part, Compare):
        return 3
    return (2 if part.op is Op.EXISTS else 1) if _is_facet(part.field) else 0


def _time_mask(column: IntArray, where: Compare) -> Mask:
    present: Mask = column != MISSING_TIME
    if where.op is Op.EXISTS:
        return present if where.value else ~present
    mask = np.zeros(len(column), dtype=np.bool_)
    for value in _wanted(where):
        if isinstance(value, datetime):
            mask |= _COMPARISONS[where.op](column, micros(value))
    return mask & present
