"""The journal over two files: the chain of what is written with memories, and that of what is asked.

Each chain has its own writer, so that asking never waits for the writer of memories; reading merges them by time.
What asking itself notes survives a crash, but a power cut may take the last of it; everything else is synced.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import NamedTuple

from graphsvc.errors import FieldInvalid, StoreDamaged
from graphsvc.models.audit import LOCAL, Act, Action, Break, JournalEntry, Verification
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.store.journal import JournalPage, Noted
from graphsvc.store.sqlite import chain
from graphsvc.store.sqlite.chain import Link
from graphsvc.store.sqlite.connection import Connection, Database
from graphsvc.store.sqlite.rows import EPOCH, micros, moment, writable
from graphsvc.store.sqlite.verify import verify

MEMORIES = "memories"
QUESTIONS = "questions"
_ASKING = frozenset({Action.SEARCH, Action.ANSWER})
_ACTIONS = frozenset(Action)
# The first change of where a memory stands behind a moment: what it was before is where it stood then.
_FIRST_SINCE = """
SELECT min(j.seq) FROM json_each(?1) AS wanted CROSS JOIN journal j ON j.subject = wanted.value AND j.namespace = ?2
WHERE j.action = 'standing' AND j.at > ?3 GROUP BY j.subject
"""
_MOST = 1_000_000  # entries of one page


class Cursor(NamedTuple):
    """The last entry of a page."""

    at: int
    chain: str
    seq: int


class _Asked(NamedTuple):
    """What `read` was asked for, as conditions of SQL and their values."""

    conditions: list[str]
    values: list[object]


class SqliteJournal:
    """`chains` maps the name of each chain to the file it is in; `append` writes to the one named `questions`."""

    def __init__(self, chains: Mapping[str, Database], *, clock: Callable[[], datetime]) -> None:
        self._chains = dict(sorted(chains.items()))
        self._clock = clock

    def append(self, namespace: str, noted: Sequence[Noted], *, by: Act = LOCAL) -> str:
        for text in (namespace, *(part for one in noted for part in (one.subject, one.before, one.after))):
            if text is not None and not writable(text):
                raise FieldInvalid("holds a lone surrogate", where="journal", remedy="write valid Unicode")
        at = micros(self._clock())
        if not noted:
            return chain.operation_id(at)
        synced = any(one.action not in _ASKING for one in noted)
        with self._chains[QUESTIONS].writing(synced=synced) as conn:
            return chain.write(conn, QUESTIONS, ((namespace, one) for one in noted), at=at, by=by)

    def read(
        self,
        namespace: str | None = None,
        *,
        subject: str | None = None,
        actions: Sequence[Action] = (),
        operation: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> JournalPage:
        if limit < 1:
            raise FieldInvalid("must be at least 1", where="limit")
        limit = min(limit, _MOST)
        start = None if after is None else _read_cursor(after)
        for where, one in (("since", since), ("until", until)):
            if one is not None and one.tzinfo is None:
                raise FieldInvalid("has no UTC offset", where=where, remedy="add one, such as +08:00")
        if not all(writable(one) for one in (namespace, subject, operation) if one is not None):
            return JournalPage((), None)
        asked = _asked(namespace, subject=subject, actions=actions, operation=operation, since=since, until=until)
        with ExitStack() as opened:
            open_ = {name: opened.enter_context(database.reading()) for name, database in self._chains.items()}
            found = [(name, link) for name, conn in open_.items() for link in _links(conn, name, asked, start, limit)]
            found.sort(key=lambda one: _place(*one))
            page = found[:limit]
            entries = _entries(open_, page)
        following = None if len(found) <= limit else _write_cursor(_place(*page[-1]))
        return JournalPage(tuple(entries[_place(*one)] for one in page), following)

    def stood(self, namespace: str, ids: Sequence[MemoryId], at: datetime) -> dict[MemoryId, Standing]:
        wanted = json.dumps([one for one in dict.fromkeys(ids) if writable(one)])
        if not writable(namespace):
            return {}
        with self._chains[MEMORIES].reading() as conn:
            seqs = [seq for (seq,) in conn.execute(_FIRST_SINCE, (wanted, namespace, micros(at))).fetchall()]
            contents = chain.contents_of(conn, seqs)
        told = [contents[place] for seq in seqs if (place := 2 * seq + chain.BEFORE) in contents]
        return {one.id: one for one in map(Standing.model_validate_json, told)}

    def verify(self) -> Verification:
        entries, heads, breaks = 0, {}, list[Break]()
        for name, database in self._chains.items():
            with database.reading() as conn:
                conn.execute("BEGIN")
                read, heads[name], found = verify(conn, name)
            entries += read
            breaks += found
        return Verification(entries=entries, heads=heads, breaks=tuple(breaks))


def _place(name: str, link: Link) -> Cursor:
    return Cursor(link.at, name, link.seq)


def _asked(
    namespace: str | None,
    *,
    subject: str | None,
    actions: Sequence[Action],
    operation: str | None,
    since: datetime | None,
    until: datetime | None,
) -> _Asked:
    """A plus before a column keeps its index out of it, where a rarer one is there."""
    narrow = subject is not None or operation is not None
    bounds = (None if one is None else micros(one) for one in (since, until))
    wanted: list[tuple[str, object]] = [
        ("subject = ?", subject),
        (("+" if subject is not None else "") + "operation = ?", operation),
        (("+" if narrow else "") + "namespace = ?", namespace),
        *zip(("at >= ?", "at < ?"), bounds, strict=True),
    ]
    asked = _Asked([sql for sql, value in wanted if value is not None], [v for _, v in wanted if v is not None])
    if actions:
        asked.conditions.append(f"action IN ({','.join('?' * len(actions))})")
        asked.values.extend(str(action) for action in actions)
    return asked


def _links(conn: Connection, name: str, asked: _Asked, start: Cursor | None, limit: int) -> list[Link]:
    """The first matching entries of one chain behind the cursor, one more than a page holds."""
    conditions, values = list(asked.conditions), list(asked.values)
    if start is not None:
        same = name == start.chain
        conditions.append("(at, seq) > (?, ?)" if same else "at >= ?" if name > start.chain else "at > ?")
        values += [start.at, start.seq] if same else [start.at]
    where = " AND ".join(conditions) or "1"
    sql = f"SELECT {chain.COLUMNS} FROM journal WHERE {where} ORDER BY at, seq LIMIT ?"  # noqa: S608 (texts of ours)
    found = [Link(*row) for row in conn.execute(sql, (*values, limit + 1)).fetchall()]
    for link in found:
        if not (chain.sound(link) and link.action in _ACTIONS):
            raise StoreDamaged("an entry of the journal cannot be read back", where=f"entry {link.seq} of {name}")
    return found


def _entries(conns: Mapping[str, Connection], page: Sequence[tuple[str, Link]]) -> dict[Cursor, JournalEntry]:
    read: dict[Cursor, JournalEntry] = {}
    for name, conn in conns.items():
        mine = [link for of, link in page if of == name]
        contents = chain.contents_of(conn, [link.seq for link in mine])
        read |= {_place(name, link): _entry(name, link, contents) for link in mine}
    return read


def _entry(name: str, link: Link, contents: Mapping[int, str]) -> JournalEntry:
    before, after = contents.get(2 * link.seq + chain.BEFORE), contents.get(2 * link.seq + chain.AFTER)
    gone = (link.before is not None and before is None) or (link.after is not None and after is None)
    return JournalEntry(
        seq=link.seq,
        chain=name,
        namespace=link.namespace,
        at=moment(link.at) or EPOCH,
        actor=link.actor,
        action=Action(link.action),
        subject=link.subject,
        operation=link.operation,
        reason=link.reason,
        before=before,
        after=after,
        purged=gone,
        digest=link.digest.hex(),
    )


def _write_cursor(place: Cursor) -> str:
    return f"{place.at}:{place.chain}:{place.seq}"


def _read_cursor(text: str) -> Cursor:
    at, _, rest = text.partition(":")
    name, _, seq = rest.partition(":")
    try:
        place = Cursor(int(at), name, int(seq))
    except ValueError:
        place = None
    if place is None or not all(-(2**63) <= number < 2**63 for number in (place.at, place.seq)):
        raise FieldInvalid("is no cursor of a page", where="after", remedy="pass on what the page before gave")
    return place
