"""The edges at nodes, strongest first, read from ordered indexes and remembered by node.

A hub costs what is asked of it, not what it has. What is remembered of a node is dropped when
an edge of it was added; when anything was deleted, all of it is.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping

from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import EdgeDirection
from graphsvc.store.sqlite.connection import Connection
from graphsvc.store.sqlite.rows import moment

REMEMBERED_NODES = 50_000
_MANY = 10_000

# The other end is a memory when its code is even, an entity when it is odd.
_AT = """
SELECT e.row, e.{other}, coalesce(m.id, n.id) AS name, e.type, e.weight,
       e.event_time, e.valid_from, e.valid_to, e.origin
FROM edge e
LEFT JOIN memory m ON m.row = e.{other} >> 1 AND e.{other} & 1 = 0
LEFT JOIN entity n ON n.row = e.{other} >> 1 AND e.{other} & 1 = 1
WHERE e.{end} = ? {types}
ORDER BY e.weight DESC, e.event_time DESC, name, e.type LIMIT ?
"""

Question = tuple[EdgeDirection, tuple[str, ...] | None, int]


class Adjacency:
    """Shared by all readers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edges: OrderedDict[int, dict[Question, list[Edge]]] = OrderedDict()
        self._dropped = 0
        self._last_edge = -1
        self._last_tombstone = -1

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
        for node in missing:
            found[node] = _read(conn, node, codes[node], question)
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
            tombstone = _highest(conn, "tombstone", "seq")
            new = conn.execute(
                "SELECT row, source, target FROM edge WHERE row > ? ORDER BY row LIMIT ?", (self._last_edge, _MANY)
            ).fetchall()
            if tombstone != self._last_tombstone or len(new) == _MANY:
                self._edges.clear()
            for _, source, target in new:
                self._edges.pop(source, None)
                self._edges.pop(target, None)
            self._dropped += 1
            self._last_tombstone = tombstone
            self._last_edge = new[-1][0] if len(new) < _MANY and new else _highest(conn, "edge", "row")
        conn.seen[self] = version


def _highest(conn: sqlite3.Connection, table: str, column: str) -> int:
    return int(conn.execute(f"SELECT coalesce(max({column}), 0) FROM {table}").fetchone()[0])  # noqa: S608 (ours)


def _read(conn: sqlite3.Connection, node: Node, code: int, question: Question) -> list[Edge]:
    direction, types, limit = question
    chosen: dict[int, Edge] = {}
    marks = "" if types is None else f"AND e.type IN ({','.join('?' * len(types))})"
    for end, other in (("source", "target"), ("target", "source")):
        if direction is (EdgeDirection.IN if end == "source" else EdgeDirection.OUT):
            continue
        sql = _AT.format(end=end, other=other, types=marks)
        for row in conn.execute(sql, (code, *(types or ()), limit)).fetchall():
            chosen.setdefault(row[0], _edge(node, row, outgoing=end == "source"))
    return sorted(chosen.values(), key=_order)[:limit]


def _edge(
    node: Node, row: tuple[int, int, str, str, float, int | None, int | None, int | None, str], *, outgoing: bool
) -> Edge:
    _, code, name, kind, weight, event_time, valid_from, valid_to, origin = row
    other = Node(NodeKind.ENTITY if code & 1 else NodeKind.MEMORY, name)
    return Edge(
        source=node if outgoing else other,
        target=other if outgoing else node,
        type=EdgeType(kind),
        weight=weight,
        event_time=moment(event_time),
        valid_from=moment(valid_from),
        valid_to=moment(valid_to),
        origin=origin,
    )


def _order(edge: Edge) -> tuple[float, bool, float, str, str, str]:
    """Strongest, then newest (those without a time last), then by ids and type."""
    time = edge.event_time
    return (
        -edge.weight,
        time is None,
        0.0 if time is None else -time.timestamp(),
        edge.source.id,
        edge.target.id,
        edge.type,
    )
