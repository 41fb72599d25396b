"""What rests on what, what has fallen, and the outbox of notices, in the file of the traces.

An overturned answer is inserted once by trace and cause; only then are its notices. A notice is taken under a lease
in one statement, so two processes never hold the same one.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime

from graphsvc.errors import FieldInvalid
from graphsvc.models.answer import Trace
from graphsvc.models.audit import Delivery, DeliveryState, NewSubscription, OverturnedAnswer, Subscription
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.store.falsified import OverturnedPage, Overturning, Parcel
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.rows import EPOCH, micros, moment, writable

_RESTING = """
SELECT DISTINCT t.seq, t.id, t.body FROM json_each(?2) AS wanted
CROSS JOIN trace_rests r ON r.namespace = ?1 AND r.memory = wanted.value JOIN trace t ON t.seq = r.seq
ORDER BY t.seq LIMIT ?3
"""
_TAKE = """
UPDATE delivery SET lease = ?3, held_until = ?2, attempts = attempts + 1 WHERE id = (
    SELECT id FROM delivery WHERE state = 'waiting' AND due <= ?1 AND held_until <= ?1 ORDER BY due, id LIMIT 1)
RETURNING id, subscription, body, attempts
"""
_HELD = "WHERE id = ? AND lease = ? AND state = 'waiting'"
_LISTED = """
SELECT id, subscription, namespace, trace, state, attempts, created_at, due, status FROM delivery
WHERE namespace = ?1 AND (?2 IS NULL OR state = ?2) ORDER BY created_at DESC, id LIMIT ?3
"""
_NAMING = """
SELECT o.seq FROM overturned o WHERE (?1 IS NULL OR o.namespace = ?1) AND (?2 IS NULL OR EXISTS (
    SELECT 1 FROM json_each(o.ids) AS named WHERE named.value IN (SELECT value FROM json_each(?2))))
"""

Unpack = Callable[[str, str, bytes], Trace]


def index_rests(conn: sqlite3.Connection, trace: Trace, seq: int) -> None:
    """Note which memories an answer rests on, inside the transaction that keeps its trace."""
    conn.executemany(
        "INSERT OR IGNORE INTO trace_rests VALUES (?,?,?)",
        [(trace.namespace, str(one), seq) for one in trace.accepted],
    )


class SqliteFalsified:
    """`unpack` reads a trace from its namespace, id and body."""

    def __init__(self, database: Database, unpack: Unpack) -> None:
        self._database = database
        self._unpack = unpack

    def resting_on(self, namespace: str, ids: Sequence[MemoryId], *, limit: int) -> list[Trace]:
        wanted = json.dumps([str(one) for one in dict.fromkeys(ids) if writable(one)])
        if not writable(namespace):
            return []
        with self._database.reading() as conn:
            rows = conn.execute(_RESTING, (namespace, wanted, max(limit, 0))).fetchall()
        return [self._unpack(namespace, one, body) for _, one, body in rows]

    def rested(self, namespace: str) -> list[MemoryId]:
        sql = "SELECT DISTINCT memory FROM trace_rests WHERE namespace = ? ORDER BY memory"
        with self._database.reading() as conn:
            return (
                [MemoryId(one) for (one,) in conn.execute(sql, (namespace,)).fetchall()] if writable(namespace) else []
            )

    def record(self, namespace: str, fallen: Sequence[Overturning], *, at: datetime) -> list[OverturnedAnswer]:
        new: list[OverturnedAnswer] = []
        with self._database.writing(synced=True) as conn:
            for one in fallen:
                if _insert(conn, namespace, one):
                    _queue(conn, namespace, one.answer, micros(at))
                    new.append(one.answer)
        return new

    def overturned(self, namespace: str, *, after: str | None = None, limit: int = 100) -> OverturnedPage:
        if limit < 1:
            raise FieldInvalid("must be at least 1", where="limit")
        start = _cursor(after)
        sql = "SELECT seq, record FROM overturned WHERE namespace = ? AND seq > ? ORDER BY seq LIMIT ?"
        rows: list[tuple[int, str]] = []
        if writable(namespace):
            with self._database.reading() as conn:
                rows = conn.execute(sql, (namespace, start, limit)).fetchall()
        answers = tuple(OverturnedAnswer.model_validate_json(record) for _, record in rows)
        return OverturnedPage(answers, str(rows[-1][0] if rows else start))

    def subscribe(self, subscription: NewSubscription) -> None:
        row = (subscription.id, subscription.namespace, subscription.url, subscription.secret)
        with self._database.writing(synced=True) as conn:
            conn.execute("INSERT INTO subscription VALUES (?,?,?,?,?)", (*row, micros(subscription.created_at)))

    def unsubscribe(self, namespace: str, subscription_id: str) -> bool:
        if not (writable(namespace) and writable(subscription_id)):
            return False
        with self._database.writing(synced=True) as conn:
            asked = (namespace, subscription_id)
            gone = conn.execute("DELETE FROM subscription WHERE namespace = ? AND id = ?", asked).rowcount
            if gone:
                conn.execute("DELETE FROM delivery WHERE subscription = ?", (subscription_id,))
        return bool(gone)

    def subscriptions(self, namespace: str) -> list[Subscription]:
        sql = "SELECT id, namespace, url, created_at FROM subscription WHERE namespace = ? ORDER BY created_at, id"
        if not writable(namespace):
            return []
        with self._database.reading() as conn:
            rows = conn.execute(sql, (namespace,)).fetchall()
        return [Subscription(id=a, namespace=b, url=c, created_at=_time(d)) for a, b, c, d in rows]

    def take(self, now: datetime, *, until: datetime) -> Parcel | None:
        due = self.next_due()
        if due is None or due > now:
            return None
        lease = secrets.token_hex(8)
        with self._database.writing(synced=True) as conn:
            found = conn.execute(_TAKE, (micros(now), micros(until), lease)).fetchone()
            if found is None:
                return None
            one, subscription, body, attempts = found
            sql = "SELECT url, secret FROM subscription WHERE id = ?"
            url, secret = conn.execute(sql, (subscription,)).fetchone()
        return Parcel(one, lease, subscription, url, secret, body, attempts)

    def done(self, parcel: Parcel, *, status: int) -> bool:
        with self._database.writing(synced=True) as conn:
            sql = f"UPDATE delivery SET state = 'done', status = ?, held_until = 0 {_HELD}"  # noqa: S608 (ours)
            return bool(conn.execute(sql, (status, parcel.id, parcel.lease)).rowcount)

    def failed(self, parcel: Parcel, *, status: int, retry_at: datetime | None) -> bool:
        held = (status, parcel.id, parcel.lease)
        with self._database.writing(synced=True) as conn:
            if retry_at is None:
                sql = f"UPDATE delivery SET state = 'dead', status = ?, held_until = 0 {_HELD}"  # noqa: S608 (ours)
                return bool(conn.execute(sql, held).rowcount)
            due = micros(retry_at)
            sql = f"UPDATE delivery SET due = ?, status = ?, held_until = 0 {_HELD}"  # noqa: S608 (ours)
            mine = conn.execute(sql, (due, *held)).rowcount
            if mine:
                # One who does not answer is not asked again for each notice in turn.
                sql = "UPDATE delivery SET due = ?1 WHERE subscription = ?2 AND state = 'waiting' AND due < ?1"
                conn.execute(sql, (due, parcel.subscription))
            return bool(mine)

    def next_due(self) -> datetime | None:
        sql = "SELECT min(max(due, held_until)) FROM delivery WHERE state = 'waiting'"
        with self._database.reading() as conn:
            return moment(conn.execute(sql).fetchone()[0])

    def deliveries(self, namespace: str, *, state: DeliveryState | None = None, limit: int = 100) -> list[Delivery]:
        if not writable(namespace):
            return []
        with self._database.reading() as conn:
            asked = (namespace, None if state is None else state.value, max(limit, 0))
            rows = conn.execute(_LISTED, asked).fetchall()
        return [
            Delivery(
                id=one,
                subscription=subscription,
                namespace=space,
                trace_id=TraceId(trace),
                state=DeliveryState(stands),
                attempts=attempts,
                created_at=_time(created),
                due_at=_time(due),
                status=status,
            )
            for one, subscription, space, trace, stands, attempts, created, due, status in rows
        ]

    def forget(self, namespace: str | None, ids: Sequence[MemoryId] | None) -> None:
        named = None if ids is None else json.dumps([str(one) for one in ids if writable(one)])
        with self._database.writing(synced=True) as conn:
            forget(conn, namespace, named)


def forget(conn: sqlite3.Connection, namespace: str | None, ids: str | None) -> None:
    """Take out the overturned answers that name one of `ids`, a JSON list, and the notices of them; None is all."""
    asked = (namespace, ids)
    conn.execute(f"DELETE FROM delivery WHERE overturned IN ({_NAMING})", asked)  # noqa: S608 (ours)
    conn.execute(f"DELETE FROM overturned WHERE seq IN ({_NAMING})", asked)  # noqa: S608 (ours)


def _insert(conn: sqlite3.Connection, namespace: str, one: Overturning) -> bool:
    answer = one.answer
    ids = json.dumps([*answer.because, *answer.by, *answer.through])
    row = (namespace, str(answer.trace_id), one.cause, ids, answer.model_dump_json())
    sql = "INSERT OR IGNORE INTO overturned (namespace, trace, cause, ids, record) VALUES (?,?,?,?,?)"
    return bool(conn.execute(sql, row).rowcount)


def _queue(conn: sqlite3.Connection, namespace: str, answer: OverturnedAnswer, now: int) -> None:
    seq = conn.execute("SELECT last_insert_rowid()").fetchone()[0]
    to = conn.execute("SELECT id FROM subscription WHERE namespace = ? ORDER BY id", (namespace,)).fetchall()
    for (subscription,) in to:
        one = f"dl_{secrets.token_hex(12)}"
        body = json.dumps(
            {"id": one, "type": "answer.overturned", "answer": answer.model_dump(mode="json")},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        row = (one, subscription, namespace, seq, str(answer.trace_id), body, now, now)
        conn.execute(
            "INSERT INTO delivery (id, subscription, namespace, overturned, trace, body, created_at, due)"
            " VALUES (?,?,?,?,?,?,?,?)",
            row,
        )


def _cursor(after: str | None) -> int:
    text = after or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise FieldInvalid("is no cursor of ours", where="after", remedy="pass on what the last page gave")
    return int(text)


def _time(value: int) -> datetime:
    return moment(value) or EPOCH
