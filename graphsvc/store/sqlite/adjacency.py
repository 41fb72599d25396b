"""The edges at nodes, strongest first, read from ordered indexes and remembered by node.

A hub costs what is asked of it, not what it has. What is remembered of a node is dropped when
an edge of it was added; when anything was taken away, all of it is.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any

from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import EdgeDirection
from graphsvc.store.sqlite.connection import Connection
from graphsvc.store.sqlite.partition import read_meta
from graphsvc.store.sqlite.rows import moment

REMEMBERED_NODES = 50_000
_MANY = 10_000

# The other end is a memory when its code is even, an entity when it is odd.
_ROW = """
SELECT e.{end}, e.row, e.{other}, coalesce(m.id, n.id) AS name, e.type, e.weight,
       e.event_time, e.valid_from, e.valid_to, e.recorded_at, e.slot, e.whole, e.origin
"""
_NAMES = """
LEFT JOIN memory m ON m.row = e.{other} >> 1 AND e.{other} & 1 = 0
LEFT JOIN entity n ON n.row = e.{other} >> 1 AND e.{other} & 1 = 1
"""
# The first of many nodes in one go, in the order of the index, which knows no names ...
_OF_MANY = """
FROM json_each(?) j CROSS JOIN edge e ON e.row IN (
    SELECT row FROM edge WHERE {end} = j.value {types} ORDER BY weight DESC, event_time DESC LIMIT ?)
"""
# ... and those of one node whose last place is shared by edges that only names tell apart.
_OF_ONE = " WHERE e.{end} = ? {types} ORDER BY e.weight DESC, e.event_time DESC, name, e.type LIMIT ?"
_AT_MANY = _ROW + _OF_MANY + _NAMES
_AT_ONE = _ROW + " FROM edge e " + _NAMES + _OF_ONE
_ENDS = (("source", "target", EdgeDirection.OUT), ("target", "source", EdgeDirection.IN))

Question = tuple[EdgeDirection, tuple[str, ...] | None, int]


class Adjacency:
    """Shared by all readers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edges: OrderedDict[int, dict[Question, list[Edge]]] = OrderedDict()
        self._dropped = 0
        self._last_edge = -1
        self._last_gone = (-1, -1)

    def at(self, conn: Connection, codes: Mapping[Node, int], question: Question) -> dict[Node, list[Edge]]:
        """The edges at each node, by its code."""
        self._catch_up(conn)
        found: dict[Node, list[Edge]] = {}
        missing: list[Node] = []
        with self._lock:
            stamp = self._dropped
            for node, code in codes.items():
                known = self._edges.get(code, {}).get(question)
                if known is None:
                    missing.append(node)
                else:
                    found[node] = known
        found |= _read(conn, {codes[node]: node for node in missing}, question)
        with self._lock:
            if stamp == self._dropped:
                self._remember({codes[node]: found[node] for node in missing}, question)
        return {node: list(edges) for node, edges in found.items()}

    def _remember(self, edges: Mapping[int, list[Edge]], question: Question) -> None:
        for code, some in edges.items():
            self._edges.setdefault(code, {})[question] = some
            self._edges.move_to_end(code)
        while len(self._edges) > REMEMBERED_NODES:
            self._edges.popitem(last=False)

    def _catch_up(self, conn: Connection) -> None:
        version = conn.version()
        if conn.seen.get(self) == version:
            return
        with self._lock:
            gone = (_highest(conn, "tombstone", "seq"), int(read_meta(conn, "edges_gone") or 0))
            new = conn.execute(
                "SELECT row, source, target FROM edge WHERE row > ? ORDER BY row LIMIT ?", (self._last_edge, _MANY)
            ).fetchall()
            if gone != self._last_gone or len(new) == _MANY:
                self._edges.clear()
            for _, source, target in new:
                self._edges.pop(source, None)
                self._edges.pop(target, None)
            self._dropped += 1
            self._last_gone = gone
            self._last_edge = new[-1][0] if len(new) < _MANY and new else _highest(conn, "edge", "row")
        conn.seen[self] = version


def _highest(conn: sqlite3.Connection, table: str, column: str) -> int:
    return int(conn.execute(f"SELECT coalesce(max({column}), 0) FROM {table}").fetchone()[0])  # noqa: S608 (ours)


@dataclass(frozen=True, slots=True, order=True)
class _Ranked:
    """One edge at one node; compares strongest first, then newest (without a time last), then by ids."""

    weakness: float
    age: float
    source: str
    target: str
    type: str
    row: int
    values: tuple[Any, ...] = field(compare=False)
    outgoing: bool = field(compare=False)


def _read(conn: sqlite3.Connection, nodes: Mapping[int, Node], question: Question) -> dict[Node, list[Edge]]:
    direction, types, limit = question
    ranked: dict[int, list[_Ranked]] = {code: [] for code in nodes}
    marks = "" if types is None else f"AND type IN ({','.join('?' * len(types))})"
    for end, other, way in _ENDS:
        if direction in {way, EdgeDirection.BOTH} and nodes and limit:
            for code, rows in _at_end(conn, list(nodes), (end, other, marks), types or (), limit).items():
                ranked[code] += (_rank(nodes[code], row, outgoing=end == "source") for row in rows)
    return {nodes[code]: _edges(nodes[code], sorted(some), limit) for code, some in ranked.items()}


def _at_end(
    conn: sqlite3.Connection, codes: list[int], words: tuple[str, str, str], types: tuple[str, ...], limit: int
) -> dict[int, list[Any]]:
    """The rows of the first edges that start, or end, at each node."""
    end, other, marks = words
    found: dict[int, list[Any]] = {}
    sql = _AT_MANY.format(end=end, other=other, types=marks)
    for row in conn.execute(sql, (json.dumps(codes), *types, limit + 1)).fetchall():
        found.setdefault(row[0], []).append(row)
    for code, rows in found.items():
        if len(rows) > limit:
            rows.sort(key=lambda row: (-row[5], row[6] is None, -(row[6] or 0)))
            if rows[limit - 1][5:7] == rows[limit][5:7]:
                one = _AT_ONE.format(end=end, other=other, types=marks.replace("type", "e.type"))
                rows[:] = conn.execute(one, (code, *types, limit)).fetchall()
    return found


def _rank(node: Node, values: tuple[Any, ...], *, outgoing: bool) -> _Ranked:
    _, row, _, name, kind, weight, time, *_ = values
    source, target = (node.id, name) if outgoing else (name, node.id)
    return _Ranked(-weight, inf if time is None else -time, source, target, kind, row, values, outgoing)


def _edges(node: Node, ranked: list[_Ranked], limit: int) -> list[Edge]:
    """The first of these, an edge from a node to itself once."""
    chosen = {one.row: one for one in ranked}
    return [_edge(node, one) for one in islice(chosen.values(), limit)]


def _edge(node: Node, ranked: _Ranked) -> Edge:
    _, _, code, name, kind, weight, *times, slot, whole, origin = ranked.values
    event_time, valid_from, valid_to, recorded_at = map(moment, times)
    other = Node(NodeKind.ENTITY if code & 1 else NodeKind.MEMORY, name)
    return Edge(
        source=node if ranked.outgoing else other,
        target=other if ranked.outgoing else node,
        type=EdgeType(kind),
        weight=weight,
        event_time=event_time,
        valid_from=valid_from,
        valid_to=valid_to,
        recorded_at=recorded_at,
        slot=slot,
        whole=bool(whole),
        origin=origin,
    )
