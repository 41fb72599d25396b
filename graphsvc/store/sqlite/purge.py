"""Remove for good what deleted memories left behind: contents in the journal, traces, notices, names of entities.

Each file is cleared in one transaction together with its `purge` entry, the questions first; then both are written
anew and their logs emptied. Interrupted anywhere it leaves two whole chains, and run again it does the rest.
Not looked for are a deleted memory's words in what somebody said themselves: in another memory, or in a question
that did not see it.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.errors import StoreDamaged
from graphsvc.models.answer import RewriteKind
from graphsvc.models.audit import Act, Action, Purged
from graphsvc.models.base import read_moment
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite import chain, falsified, feedback, names
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.journal import MEMORIES, QUESTIONS
from graphsvc.store.sqlite.rows import micros

_SPACES = """
SELECT code, name FROM namespace WHERE (?1 IS NULL AND code IN (SELECT namespace FROM tombstone)) OR name = ?1
ORDER BY name
"""
_DELETED = """
SELECT t.id, max(t.deleted_at), json_extract(b.json, '$.recorded_at') FROM tombstone t
LEFT JOIN memory m ON m.namespace = t.namespace AND m.id = t.id LEFT JOIN body b ON b.row = m.row
WHERE t.namespace = ? GROUP BY t.id
"""
# Of a memory put again under its id only what was said up to the deletion goes.
_OF_DELETED = """
SELECT j.seq, j.subject FROM (SELECT DISTINCT id FROM tombstone WHERE namespace = ?1) AS gone
CROSS JOIN journal j ON j.subject = gone.id AND j.namespace = ?2 AND j.action <> 'identity'
WHERE j.seq <= (SELECT max(d.seq) FROM journal d WHERE d.subject = gone.id AND d.namespace = ?2 AND d.action = 'delete')
AND EXISTS (SELECT 1 FROM journal_content WHERE place IN (2 * j.seq, 2 * j.seq + 1))
"""
_OF_FORGOTTEN = """
SELECT j.seq FROM journal j WHERE j.namespace = ?2 AND j.action = 'identity' AND j.subject IS NOT NULL
AND j.subject NOT IN (
    SELECT kept FROM same_as WHERE namespace = ?1 UNION SELECT joined FROM same_as WHERE namespace = ?1
    UNION SELECT entity FROM nickname WHERE namespace = ?1)
"""
_INGESTS = """
SELECT j.seq, c.packed FROM journal j JOIN journal_content c ON c.place = 2 * j.seq + 1
WHERE j.namespace = ? AND j.action = 'ingest'
"""
_CONTENTS = """
SELECT j.seq, j.subject, j.at, c.place, c.packed FROM journal_content c JOIN journal j ON j.seq = c.place >> 1
WHERE j.namespace = ? AND j.action <> 'purge'
"""
_LISTED = "IN (SELECT value FROM json_each(?))"
_FALLEN = f"namespace = ? AND trace {_LISTED}"
_FORGET_FALLEN = tuple(f"DELETE FROM {table} WHERE {_FALLEN}" for table in ("delivery", "overturned"))  # noqa: S608 (ours)
_FORGET_TRACES = f"DELETE FROM trace WHERE seq {_LISTED}"  # noqa: S608 (a constant of ours)


@dataclass(frozen=True, slots=True)
class Deleted:
    """When a memory was last deleted, and when the one that has its id now was recorded, if one has."""

    at: int
    put_again: datetime | None


@dataclass(frozen=True, slots=True)
class Space:
    """A namespace and the ids deleted in it."""

    code: int
    name: str
    deleted: dict[str, Deleted]


def purge(
    memories: Database,
    questions: Database,
    namespace: str | None,
    *,
    at: int,
    by: Act,
    fold: names.Fold = names.plain_fold,
) -> Purged:
    """Of one namespace or of all; raises `StoreBusy` when readers hold a file for longer than a writer waits."""
    operation = chain.operation_id(at)
    call = (at, by, operation)
    spaces = _spaces(memories, namespace)
    with questions.writing(synced=True) as conn:
        cleared = {space.name: _clear_questions(conn, space, call) for space in spaces}
    gone = contents = 0
    with memories.writing() as conn:
        for space in spaces:
            names.settle_all(conn, space.code, fold)
            counted = _clear_memories(conn, space, cleared[space.name], call)
            gone += counted[0]
            contents += counted[1]
    for database in (questions, memories):
        database.compact()
    return Purged(
        memories=gone,
        journal_contents=contents + sum(one for one, _ in cleared.values()),
        traces=sum(traces for _, traces in cleared.values()),
    )


def _spaces(memories: Database, namespace: str | None) -> list[Space]:
    with memories.reading() as conn:
        found = conn.execute(_SPACES, (namespace,)).fetchall()
        return [Space(code, name, _deleted(conn, code)) for code, name in found]


def _deleted(conn: sqlite3.Connection, code: int) -> dict[str, Deleted]:
    rows = conn.execute(_DELETED, (code,)).fetchall()
    return {one: Deleted(at, None if again is None else read_moment(again)) for one, at, again in rows}


_Call = tuple[int, Act, str]


def _clear_memories(conn: sqlite3.Connection, space: Space, asked: tuple[int, int], call: _Call) -> tuple[int, int]:
    """Take the contents out of the chain of memories; of how many memories, and how many contents."""
    found = conn.execute(_OF_DELETED, (space.code, space.name)).fetchall()
    entries = {seq for seq, _ in found}
    entries |= _ingests(conn, space.name, sorted(entries))
    entries |= {seq for (seq,) in conn.execute(_OF_FORGOTTEN, (space.code, space.name)).fetchall()}
    contents = _take_out(conn, entries)
    memories = len({subject for _, subject in found})
    counts = {"memories": memories, "journal_contents": contents, "traces": asked[1]}
    _note(conn, MEMORIES, space.name, (counts, entries), call)
    return memories, contents


def _clear_questions(conn: sqlite3.Connection, space: Space, call: _Call) -> tuple[int, int]:
    """Take out what asking kept of the deleted memories; how many contents, and how many traces."""
    if not space.deleted:
        return 0, 0
    traces = dict(_traces(conn, space))
    ids = json.dumps(sorted(traces.values()))
    falsified.forget(conn, space.name, json.dumps(sorted(space.deleted)))
    feedback.forget(conn, space.name, ids, {one: gone.at for one, gone in space.deleted.items()})
    for sql in _FORGET_FALLEN:
        conn.execute(sql, (space.name, ids))
    conn.execute(_FORGET_TRACES, (json.dumps(sorted(traces)),))
    entries = set(_tainted(conn, space, set(traces.values())))
    contents = _take_out(conn, entries)
    if traces or contents:
        counts = {"journal_contents": contents, "traces": len(traces)}
        _note(conn, QUESTIONS, space.name, (counts, entries), call)
    return contents, len(traces)


def _note(
    conn: sqlite3.Connection, name: str, namespace: str, removed: tuple[dict[str, int], set[int]], call: _Call
) -> None:
    """The `purge` entry: counts, and which entries' contents went, by which verification knows them."""
    at, by, operation = call
    counts, entries = removed
    after = json.dumps({**counts, "entries": chain.ranges(entries)})
    chain.write(conn, name, [(namespace, Noted(Action.PURGE, after=after))], at=at, by=by, operation=operation)


def _take_out(conn: sqlite3.Connection, entries: set[int]) -> int:
    """Remove contents, keep of `entries` those that had some; how many contents there were."""
    places = json.dumps(sorted(2 * seq + side for seq in entries for side in (chain.BEFORE, chain.AFTER)))
    sql = f"DELETE FROM journal_content WHERE place {_LISTED} RETURNING place"  # noqa: S608 (a constant of ours)
    removed = [place for (place,) in conn.execute(sql, (places,)).fetchall()]
    entries &= {place >> 1 for place in removed}
    return len(removed)


def _ingests(conn: sqlite3.Connection, namespace: str, entries: Sequence[int]) -> set[int]:
    """The `ingest` entries that name a file which one of these entries of deleted memories names."""
    named: dict[str, set[int]] = {}
    for seq, packed in conn.execute(_INGESTS, (namespace,)).fetchall():
        file = json.loads(chain.unpack(packed, 2 * seq + chain.AFTER)).get("file")
        if file is not None:
            named.setdefault(file, set()).add(seq)
    if not named:
        return set()
    files = set(_files(conn, entries))
    return {seq for file, seqs in named.items() if file in files for seq in seqs}


def _files(conn: sqlite3.Connection, entries: Sequence[int]) -> Iterator[str]:
    for start in range(0, len(entries), chain.BATCH):
        for content in chain.contents_of(conn, entries[start : start + chain.BATCH]).values():
            file = (json.loads(content).get("source") or {}).get("file")
            if file is not None:
                yield file


def _traces(conn: sqlite3.Connection, space: Space) -> Iterator[tuple[int, str]]:
    """Number and id of the traces that name a deleted memory, and of what leaned on those in their sessions."""
    sessions: set[str] = set()
    cursor = conn.execute("SELECT seq, id, session, body FROM trace WHERE namespace = ? ORDER BY seq", (space.name,))
    for seq, one, session, packed in cursor:
        try:
            body, seen = json.loads(zlib.decompress(packed))
            record = json.loads(body)
        except (zlib.error, ValueError) as error:
            raise StoreDamaged("a trace cannot be read back", where=one) from error
        made = micros(read_moment(record["created_at"]))
        named = {*texts(record), *(memory for memory, _ in seen)} & space.deleted.keys()
        fresh = {(memory, read_moment(recorded)) for memory, recorded in seen}
        leans = session in sessions and any(
            rewrite["kind"] == RewriteKind.FOLLOW_UP
            for attempt in record.get("attempts", ())
            for rewrite in attempt.get("rewrites", ())
        )
        if leans or any(_of_the_dead(memory, space.deleted[memory], made, fresh) for memory in named):
            if session is not None:
                sessions.add(session)
            yield seq, one


def _of_the_dead(memory: str, deleted: Deleted, made: int, seen: set[tuple[str, datetime]]) -> bool:
    """Whether a trace speaks of the deleted memory, and not of one that has its id now."""
    return made <= deleted.at or deleted.put_again is None or (memory, deleted.put_again) not in seen


def _tainted(conn: sqlite3.Connection, space: Space, traces: set[str]) -> Iterator[int]:
    """The entries of the chain of questions whose contents name a deleted memory or a trace that went."""
    for seq, subject, at, place, packed in conn.execute(_CONTENTS, (space.name,)).fetchall():
        try:
            named = {subject, *texts(json.loads(chain.unpack(packed, place)))}
        except ValueError:
            yield seq  # what cannot be read may say anything
            continue
        dead = (space.deleted[one] for one in named & space.deleted.keys())
        if named & traces or any(one.put_again is None or at <= one.at for one in dead):
            yield seq


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
