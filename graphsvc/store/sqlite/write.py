"""Write entries, inside the writer's transaction: memories first, then entities, edges, and where memories stand.

Row numbers are given out here, so every table is filled with one statement. An entry that cannot
be written fails alone; an edge whose other end is not stored is left out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from graphsvc.encoding.base import Fingerprint
from graphsvc.errors import DuplicateId, FieldInvalid, GraphsvcError
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge, Entity, Node, NodeKind
from graphsvc.models.memory import ItemStatus, Memory
from graphsvc.store.base import Entry, PutResult
from graphsvc.store.sqlite.planner import rows_of_ids
from graphsvc.store.sqlite.rows import (
    EDGE_COLUMNS,
    SqlValue,
    body_json,
    check_memory,
    edge_row,
    encoding_error,
    facets,
    memory_row,
    same_content,
    states_bytes,
    vector_bytes,
)
from graphsvc.store.sqlite.standings import Stood, standing_of, write_standings
from graphsvc.store.sqlite.words import join_tokens

_UNCHANGED = PutResult(ItemStatus.UNCHANGED)
_CREATED = PutResult(ItemStatus.CREATED)
_ADDRESS_SIGN = "@"


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as it will be written; made before the writer's turn, so that the turn is short."""

    entry: Entry
    body: str
    tokens: str
    facets: tuple[tuple[str, SqlValue], ...]
    vector: bytes | None
    states: tuple[bytes, bytes] | None
    standings: tuple[Standing, ...]
    error: GraphsvcError | None


@dataclass(frozen=True, slots=True)
class Written:
    """One result for each entry, in order, and who stands elsewhere for it."""

    results: list[PutResult]
    stood: list[Stood]


def prepare(entry: Entry) -> Prepared:
    memory = entry.memory
    # A memory may come with its standing, as from a backup; what the entry says of it counts after that.
    own = standing_of(memory)
    error: GraphsvcError | None = None
    try:
        check_memory(memory)
    except FieldInvalid as found:
        error = found
    return Prepared(
        entry=entry,
        body=body_json(memory),
        tokens=join_tokens(entry.tokens),
        facets=tuple(facets(memory)) if error is None else (),
        vector=None if entry.vector is None else vector_bytes(entry.vector),
        states=None if entry.states is None else states_bytes(entry.states),
        standings=(*((own,) if own != Standing(id=memory.id) else ()), *entry.standings),
        error=error,
    )


def bound_encoder(conn: sqlite3.Connection) -> tuple[Fingerprint | None, int]:
    """The bound fingerprint, and the number its vectors carry."""
    meta = dict(conn.execute("SELECT key, value FROM meta WHERE key IN ('fingerprint', 'encoder')").fetchall())
    text = meta.get("fingerprint")
    return (None if text is None else Fingerprint(**json.loads(text))), int(meta["encoder"])


def fingerprint_json(fingerprint: Fingerprint) -> str:
    return json.dumps(asdict(fingerprint))


def put(conn: sqlite3.Connection, prepared: Sequence[Prepared]) -> Written:
    """Write what can be written."""
    fingerprint, encoder = bound_encoder(conn)
    spaces = Spaces(conn)
    rows = next_row(conn, "memory")
    accepted: dict[tuple[int, str], tuple[int, Prepared]] = {}
    results: list[PutResult] = []
    for one in prepared:
        memory = one.entry.memory
        key = (spaces.open(memory.namespace), str(memory.id))
        earlier = accepted[key][1].entry.memory if key in accepted else _stored(conn, *key)
        if earlier is not None:
            results.append(_against(earlier, memory))
            continue
        error = one.error or encoding_error(one.entry.vector, one.entry.states, fingerprint)
        if error is not None:
            results.append(PutResult(ItemStatus.FAILED, error))
            continue
        accepted[key] = (rows + len(accepted), one)
        results.append(_CREATED)
    insert(conn, [(row, space, one) for (space, _), (row, one) in accepted.items()], encoder)
    stood: list[Stood] = []
    for space in {space for space, _ in accepted}:
        written = [one for (of, _), one in accepted.items() if of == space]
        tie(conn, space, [(row, one.entry) for row, one in written], fresh=True)
        stood += write_standings(conn, space, [standing for _, one in written for standing in one.standings])
    return Written(results, stood)


class Spaces:
    """Namespace numbers; a namespace keeps its number for good."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._codes: dict[str, int] = {}

    def open(self, name: str) -> int:
        code = self._codes.get(name)
        if code is None:
            self._conn.execute("INSERT INTO namespace (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            code = self._codes[name] = int(
                self._conn.execute("SELECT code FROM namespace WHERE name = ?", (name,)).fetchone()[0]
            )
        return code


def _stored(conn: sqlite3.Connection, namespace: int, memory_id: str) -> Memory | None:
    found = conn.execute(
        "SELECT b.json FROM memory m JOIN body b ON b.row = m.row WHERE m.namespace = ? AND m.id = ?",
        (namespace, memory_id),
    ).fetchone()
    return None if found is None else Memory.model_validate_json(found[0])


def _against(earlier: Memory, memory: Memory) -> PutResult:
    if same_content(earlier, memory):
        return _UNCHANGED
    error = DuplicateId(
        "the id stands for another content already", where=str(memory.id), remedy="use another id, or delete it first"
    )
    return PutResult(ItemStatus.FAILED, error)


def insert(conn: sqlite3.Connection, written: Sequence[tuple[int, int, Prepared]], encoder: int) -> None:
    """Write memories, each at its row of a namespace; what ties them comes after."""
    conn.executemany(
        "INSERT INTO memory VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        [memory_row(row, space, one.entry.memory) for row, space, one in written],
    )
    conn.executemany("INSERT INTO body VALUES (?,?)", [(row, one.body) for row, _, one in written])
    conn.executemany("INSERT INTO words VALUES (?,?)", [(row, one.tokens) for row, _, one in written])
    conn.executemany(
        "INSERT INTO vector VALUES (?,?,?)",
        [(row, encoder, one.vector) for row, _, one in written if one.vector is not None],
    )
    conn.executemany(
        "INSERT INTO states VALUES (?,?,?)", [(row, *one.states) for row, _, one in written if one.states is not None]
    )
    conn.executemany(
        "INSERT INTO facet VALUES (?,?,?,?)",
        [(space, field, value, row) for row, space, one in written for field, value in one.facets],
    )


def tie(conn: sqlite3.Connection, space: int, written: Sequence[tuple[int, Entry]], *, fresh: bool) -> None:
    """Write the entities and edges of memories, each by its row; `fresh` rows have no edges yet."""
    codes = {Node(NodeKind.MEMORY, str(entry.memory.id)): row << 1 for row, entry in written}
    new = set(codes.values()) if fresh else set()
    codes |= _write_entities(conn, space, [entity for _, entry in written for entity in entry.entities])
    write_edges(conn, space, [edge for _, entry in written for edge in entry.edges], codes=codes, fresh=new)


def _write_entities(conn: sqlite3.Connection, space: int, entities: Sequence[Entity]) -> dict[Node, int]:
    """Insert new entities, add new aliases to known ones; the codes of them all.

    The first name stays, unless it is an address and a later one is not.
    """
    first: dict[str, Entity] = {}
    for entity in entities:
        known = first.setdefault(str(entity.id), entity)
        if _ADDRESS_SIGN in known.name and _ADDRESS_SIGN not in entity.name:
            first[str(entity.id)] = entity
    rows = rows_of_ids(conn, "entity", space, list(first))
    after = next_row(conn, "entity")
    new = {one: after + place for place, one in enumerate(id_ for id_ in first if id_ not in rows)}
    conn.executemany(
        "INSERT INTO entity VALUES (?,?,?,?,?)",
        [(row, space, one, first[one].type, first[one].name) for one, row in new.items()],
    )
    conn.executemany(
        f"UPDATE entity SET name = ? WHERE row = ? AND instr(name, '{_ADDRESS_SIGN}')",  # noqa: S608 (a constant of ours)
        [(first[one].name, row) for one, row in rows.items() if _ADDRESS_SIGN not in first[one].name],
    )
    rows |= new
    conn.executemany(
        "INSERT OR IGNORE INTO alias VALUES (?,?,?)",
        [(space, alias, rows[str(entity.id)]) for entity in entities for alias in entity.aliases],
    )
    return {Node(NodeKind.ENTITY, one): row << 1 | 1 for one, row in rows.items()}


def strongest(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each source, target and type: the one of greater weight, else the first."""
    kept: dict[tuple[Node, Node, str], Edge] = {}
    for edge in edges:
        key = (edge.source, edge.target, str(edge.type))
        if key not in kept or edge.weight > kept[key].weight:
            kept[key] = edge
    return list(kept.values())


def node_codes(conn: sqlite3.Connection, space: int, nodes: Iterable[Node]) -> dict[Node, int]:
    """Codes of the nodes that exist."""
    wanted = list(nodes)
    codes: dict[Node, int] = {}
    for kind, table, bit in ((NodeKind.MEMORY, "memory", 0), (NodeKind.ENTITY, "entity", 1)):
        rows = rows_of_ids(conn, table, space, [node.id for node in wanted if node.kind is kind])
        codes.update({Node(kind, one): row << 1 | bit for one, row in rows.items()})
    return codes


def write_edges(
    conn: sqlite3.Connection,
    space: int,
    edges: Iterable[Edge],
    *,
    codes: Mapping[Node, int] | None = None,
    fresh: Collection[int] = (),
) -> None:
    """Write the edges whose ends are stored; `codes` are ends already known, the `fresh` have no edges yet."""
    edges = strongest(edges)
    known = dict(codes or {})
    ends = {node for edge in edges for node in (edge.source, edge.target)}
    known |= node_codes(conn, space, [node for node in ends if node not in known])
    row = next_row(conn, "edge")
    values: list[tuple[object, ...]] = []
    for edge in edges:
        source, target = known.get(edge.source), known.get(edge.target)
        if source is None or target is None:
            continue
        if source not in fresh and target not in fresh and not _makes_way(conn, source, target, edge):
            continue
        values.append((row + len(values), source, target, *edge_row(edge)))
    conn.executemany(f"INSERT INTO edge ({EDGE_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", values)  # noqa: S608 (ours)


def _makes_way(conn: sqlite3.Connection, source: int, target: int, edge: Edge) -> bool:
    """Whether an edge between two older nodes is new, or stronger than the one it then replaces."""
    key = (source, str(edge.type), target)
    found = conn.execute("SELECT row, weight FROM edge WHERE source = ? AND type = ? AND target = ?", key).fetchone()
    if found is None:
        return True
    if found[1] >= edge.weight:
        return False
    conn.execute("DELETE FROM edge WHERE row = ?", (found[0],))
    return True


def next_row(conn: sqlite3.Connection, table: str) -> int:
    """Above every row the table ever had."""
    found = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return 1 if found is None else int(found[0]) + 1
