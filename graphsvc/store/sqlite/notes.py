"""What the store's own writes put into the journal: one note an effect, with the memory's JSON before and after.

Notes of a call are written in its transaction; they are read from what is stored, never from what was asked for.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from graphsvc.models.audit import Action
from graphsvc.models.memory import ItemStatus
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite.chain import BATCH
from graphsvc.store.sqlite.revise import Revised
from graphsvc.store.sqlite.standings import Stood
from graphsvc.store.sqlite.write import Prepared, Written

Note = tuple[str, Noted]
_BODIES = """
SELECT m.id, b.json FROM json_each(?) AS wanted CROSS JOIN memory m ON m.row = wanted.value JOIN body b ON b.row = m.row
"""

_NAMES = "SELECT code, name FROM namespace WHERE code IN (SELECT value FROM json_each(?))"


def of_put(conn: sqlite3.Connection, prepared: Sequence[Prepared], written: Written) -> Iterator[Note]:
    """One `ingest` a namespace, with counts and the file if all are of one; one `add` a memory created.

    Then one `standing` for each that stands elsewhere for it.
    """
    by_space: dict[str, list[tuple[Prepared, ItemStatus]]] = {}
    for one, result in zip(prepared, written.results, strict=True):
        by_space.setdefault(one.entry.memory.namespace, []).append((one, result.status))
    for namespace, items in by_space.items():
        statuses = Counter(status for _, status in items)
        counts: dict[str, object] = {str(status): statuses[status] for status in ItemStatus}
        files = {None if (source := one.entry.memory.source) is None else source.file for one, _ in items}
        if len(files) == 1 and None not in files:
            counts["file"] = files.pop()
        yield namespace, Noted(Action.INGEST, after=json.dumps(counts, ensure_ascii=False))
        for one, status in items:
            if status is ItemStatus.CREATED:
                yield namespace, Noted(Action.ADD, str(one.entry.memory.id), after=one.body)
    yield from of_stood(conn, written.stood)


def of_delete(conn: sqlite3.Connection, namespace: str, rows: Sequence[int]) -> Iterator[Note]:
    """One `delete` a memory, with what it said; to be written before the memories go."""
    for start in range(0, len(rows), BATCH):
        part = json.dumps(rows[start : start + BATCH])
        for memory_id, body in conn.execute(_BODIES, (part,)).fetchall():
            yield namespace, Noted(Action.DELETE, memory_id, before=body)


def of_revision(conn: sqlite3.Connection, revised: Revised) -> Iterator[Note]:
    """One `update`, then what stands elsewhere for it."""
    texts = (revised.before.model_dump_json(), revised.after.model_dump_json())
    yield revised.after.namespace, Noted(Action.UPDATE, str(revised.after.id), *texts)
    yield from of_stood(conn, revised.stood)


def of_stood(conn: sqlite3.Connection, stood: Sequence[Stood]) -> Iterator[Note]:
    """One `standing` a memory that stands elsewhere now."""
    listed = json.dumps(sorted({one.namespace for one in stood}))
    names = dict(conn.execute(_NAMES, (listed,)).fetchall()) if stood else {}
    for one in stood:
        texts = (one.before.model_dump_json(), one.after.model_dump_json())
        yield names[one.namespace], Noted(Action.STANDING, str(one.after.id), *texts)
