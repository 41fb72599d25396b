"""Merges and aliases in SQLite: links between ids, read as the identities they hold together.

A link is checked and written in one turn of the writer, so two merges at once can neither be
lost nor close a circle. A record is never deleted but with its whole namespace.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from graphsvc.errors import MergeRefused, NotFound
from graphsvc.models.audit import LOCAL, Act, Action
from graphsvc.models.base import EntityId
from graphsvc.models.graph import Entity
from graphsvc.models.identity import Alias, Merge, MergeRule
from graphsvc.store.identity import Link, NewAlias
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite.connection import Connection, Database
from graphsvc.store.sqlite.rows import writable
from graphsvc.store.sqlite.write import Spaces

_LISTED = "IN (SELECT value FROM json_each(?))"
_SECOND = _LISTED.replace("?", "?2")
_LINKS = f"""
SELECT number, record FROM same_as WHERE namespace = ?1 AND in_force AND kept {_LISTED.replace("?", "?2")}
UNION SELECT number, record FROM same_as WHERE namespace = ?1 AND in_force AND joined {_LISTED.replace("?", "?2")}
"""  # noqa: S608 (constants of ours)

# The entity an entry is about, and what was said of it.
_FORGET = (
    f"DELETE FROM same_as WHERE namespace = ?1 AND (kept {_SECOND} OR joined {_SECOND}) RETURNING kept, record",  # noqa: S608 (ours)
    f"DELETE FROM nickname WHERE namespace = ?1 AND entity {_SECOND} RETURNING entity, record",  # noqa: S608 (ours)
)

TakeNotes = Callable[[Connection, Iterable[tuple[str, Noted]], Act, datetime], None]
ReadEntity = Callable[[Connection, int], Entity | None]


class SqliteIdentities:
    """`code_of` gives a namespace's number, `read_entity` an entity by its row; `note` writes to the journal."""

    def __init__(
        self,
        database: Database,
        *,
        code_of: Callable[[Connection, str], int],
        read_entity: ReadEntity,
        note: TakeNotes,
    ) -> None:
        self._database = database
        self._code_of = code_of
        self._read_entity = read_entity
        self._note = note

    def links(self, namespace: str, entities: Sequence[EntityId]) -> list[Merge]:
        with self._database.reading() as conn:
            return _links(conn, self._code_of(conn, namespace), entities)

    def merge(self, namespace: str, link: Link) -> Merge:
        with self._database.writing() as conn:
            merge = _join(conn, Spaces(conn).open(namespace), link)
            self._note(conn, [_merged(namespace, merge)], _act(link.by, link.reason), link.at)
            return merge

    def undo(self, namespace: str, merge_id: str, *, by: str, at: datetime) -> Merge:
        with self._database.writing() as conn:
            code = self._code_of(conn, namespace)
            undone = _undo(conn, code, merge_id, by=by, at=at)
            conn.execute("DELETE FROM nickname WHERE namespace = ? AND merge = ?", (code, merge_id))
            self._note(conn, [_undone(namespace, undone)], _act(by), at)
        return undone

    def merges(self, namespace: str, *, limit: int, before: str | None = None) -> list[Merge]:
        older = "" if before is None else "AND number < ?"
        sql = f"SELECT record FROM same_as WHERE namespace = ? {older} ORDER BY number DESC LIMIT ?"  # noqa: S608 (ours)
        with self._database.reading() as conn:
            start = () if before is None else (_number(before),)
            found = conn.execute(sql, (self._code_of(conn, namespace), *start, limit)).fetchall()
        return [Merge.model_validate_json(record) for (record,) in found]

    def aliases(
        self, namespace: str, *, keys: Sequence[str] | None = None, entities: Sequence[EntityId] | None = None
    ) -> list[Alias]:
        with self._database.reading() as conn:
            return _aliases(conn, self._code_of(conn, namespace), keys, entities)

    def add_aliases(self, namespace: str, rows: Sequence[NewAlias]) -> list[Alias]:
        with self._database.writing() as conn:
            code = Spaces(conn).open(namespace)
            added: list[Alias] = []
            for row in rows:
                known = _alias(conn, code, row.key, row.entity)
                added.append(known or _add(conn, code, row))
                if known is None:
                    noted = Noted(Action.IDENTITY, str(row.entity), after=added[-1].model_dump_json())
                    self._note(conn, [(namespace, noted)], _act(row.by), row.at)
            return added

    def remove_alias(self, namespace: str, key: str, entity: EntityId, *, by: str, at: datetime) -> None:
        with self._database.writing() as conn:
            code = self._code_of(conn, namespace)
            found = _alias(conn, code, key, entity)
            if found is None:
                raise NotFound(
                    "no such alias of that entity", where=key, remedy="list the aliases to see what there is"
                )
            conn.execute("DELETE FROM nickname WHERE namespace = ? AND key = ? AND entity = ?", (code, key, entity))
            noted = [(namespace, Noted(Action.IDENTITY, str(entity), before=found.model_dump_json()))]
            if found.merge is not None:
                noted.append(_undone(namespace, _undo(conn, code, found.merge, by=by, at=at)))
            self._note(conn, noted, _act(by), at)

    def forget(self, namespace: str, entities: Sequence[EntityId], *, by: Act, at: datetime) -> int:
        listed = json.dumps([str(one) for one in dict.fromkeys(entities) if writable(one)])
        with self._database.writing() as conn:
            code = self._code_of(conn, namespace)
            found: list[tuple[str, str]] = []
            for sql in _FORGET:
                found += conn.execute(sql, (code, listed)).fetchall()
            self._note(conn, _erased(namespace, found), by, at)
        return len(found)

    def scan(self, namespace: str, *, kinds: Sequence[str], limit: int, after: str | None = None) -> list[Entity]:
        sql = f"SELECT row FROM entity WHERE namespace = ? AND id > ? AND type {_LISTED} ORDER BY id LIMIT ?"  # noqa: S608 (ours)
        with self._database.reading() as conn:
            asked = (self._code_of(conn, namespace), after or "", json.dumps(list(kinds)), limit)
            rows = [row for (row,) in conn.execute(sql, asked).fetchall()]
            return [entity for row in rows if (entity := self._read_entity(conn, row)) is not None]


def _act(by: str, reason: str = "") -> Act:
    """Who it was, as far as a journal's fields hold it."""
    longest = 500
    return Act(actor=by[:longest] or LOCAL.actor, reason=reason[:longest] or None)


def _merged(namespace: str, merge: Merge) -> tuple[str, Noted]:
    return namespace, Noted(Action.IDENTITY, str(merge.kept), after=merge.model_dump_json())


def _undone(namespace: str, merge: Merge) -> tuple[str, Noted]:
    before = merge.model_copy(update={"undone_by": None, "undone_at": None})
    return namespace, Noted(Action.IDENTITY, str(merge.kept), before.model_dump_json(), merge.model_dump_json())


def forget_namespace(conn: sqlite3.Connection, code: int, namespace: str) -> list[tuple[str, Noted]]:
    """Erase what was said of a namespace's identities; what to note of it."""
    found: list[tuple[str, str]] = []
    for table, entity in (("same_as", "kept"), ("nickname", "entity")):
        sql = f"DELETE FROM {table} WHERE namespace = ? RETURNING {entity}, record"  # noqa: S608 (names of ours)
        found += conn.execute(sql, (code,)).fetchall()
    return _erased(namespace, found)


def _erased(namespace: str, found: Sequence[tuple[str, str]]) -> list[tuple[str, Noted]]:
    return [(namespace, Noted(Action.IDENTITY, entity, before=record)) for entity, record in found]


def group(links: Iterable[Merge], entity: EntityId) -> tuple[EntityId, ...]:
    """The entities that links hold together with one, itself among them, by id."""
    pairs = [(link.kept, link.joined) for link in links]
    found, waiting = {entity}, [entity]
    while waiting:
        one = waiting.pop()
        for left, right in pairs:
            other = right if left == one else left if right == one else one
            if other not in found:
                found.add(other)
                waiting.append(other)
    return tuple(sorted(found))


def _links(conn: sqlite3.Connection, code: int, entities: Sequence[EntityId]) -> list[Merge]:
    """Follow links from the entities until nothing new is reached."""
    found: dict[int, Merge] = {}
    seen: set[EntityId] = set()
    waiting = {one for one in entities if writable(one)}
    while waiting:
        seen |= waiting
        rows = conn.execute(_LINKS, (code, json.dumps(sorted(waiting)))).fetchall()
        fresh = {number: Merge.model_validate_json(record) for number, record in rows if number not in found}
        found |= fresh
        waiting = {end for link in fresh.values() for end in (link.kept, link.joined)} - seen
    return [found[number] for number in sorted(found)]


def _join(conn: sqlite3.Connection, code: int, link: Link) -> Merge:
    links = _links(conn, code, [link.kept, link.joined])
    kept, joined = group(links, link.kept), group(links, link.joined)
    if link.joined in kept:
        what = "an entity cannot be joined with itself" if link.kept == link.joined else "the two are one already"
        raise MergeRefused(what, where=f"{link.kept} and {link.joined}", remedy="name two that are apart")
    last = conn.execute("SELECT coalesce(max(number), 0) FROM same_as WHERE namespace = ?", (code,)).fetchone()[0]
    merge = Merge(
        id=f"m{last + 1}",
        kept=link.kept,
        joined=link.joined,
        rule=link.rule,
        reason=link.reason,
        made_by=link.by,
        made_at=link.at,
        before=(kept, joined),
        after=tuple(sorted({*kept, *joined})),
    )
    row = (code, last + 1, str(link.kept), str(link.joined), 1, merge.model_dump_json())
    conn.execute("INSERT INTO same_as VALUES (?,?,?,?,?,?)", row)
    return merge


def _undo(conn: sqlite3.Connection, code: int, merge_id: str, *, by: str, at: datetime) -> Merge:
    number = _number(merge_id)
    asked = (code, number)
    found = conn.execute("SELECT record FROM same_as WHERE namespace = ? AND number = ?", asked).fetchone()
    if found is None:
        raise NotFound("no such merge in this namespace", where=merge_id)
    merge = Merge.model_validate_json(found[0])
    if merge.undone_at is not None:
        raise MergeRefused("the merge was undone already", where=merge_id)
    undone = merge.model_copy(update={"undone_by": by, "undone_at": at})
    sql = "UPDATE same_as SET in_force = 0, record = ? WHERE namespace = ? AND number = ?"
    conn.execute(sql, (undone.model_dump_json(), *asked))
    return undone


def _aliases(
    conn: sqlite3.Connection, code: int, keys: Sequence[str] | None, entities: Sequence[EntityId] | None
) -> list[Alias]:
    head = "SELECT key, entity, record FROM nickname WHERE namespace = ?"
    found: list[tuple[str, str, str]] = []
    if keys is None and entities is None:
        found = conn.execute(head, (code,)).fetchall()
    for column, wanted in (("key", keys), ("entity", entities)):
        listed = [one for one in wanted or () if writable(one)]
        if listed:
            found += conn.execute(f"{head} AND {column} {_LISTED}", (code, json.dumps(listed))).fetchall()
    rows = {(entity, key): record for key, entity, record in found}
    return [Alias.model_validate_json(rows[place]) for place in sorted(rows)]


def _alias(conn: sqlite3.Connection, code: int, key: str, entity: EntityId) -> Alias | None:
    if not (writable(key) and writable(entity)):
        return None
    sql = "SELECT record FROM nickname WHERE namespace = ? AND key = ? AND entity = ?"
    found = conn.execute(sql, (code, key, str(entity))).fetchone()
    return None if found is None else Alias.model_validate_json(found[0])


def _add(conn: sqlite3.Connection, code: int, row: NewAlias) -> Alias:
    merge = None
    if row.joins is not None and row.joins not in group(_links(conn, code, [row.entity]), row.entity):
        reason = f"{row.alias} is another address of {row.entity}"
        merge = _join(conn, code, Link(row.entity, row.joins, MergeRule.ALIAS, row.by, row.at, reason)).id
    alias = Alias(alias=row.alias, key=row.key, entity=row.entity, added_by=row.by, added_at=row.at, merge=merge)
    values = (code, row.key, str(row.entity), merge, alias.model_dump_json())
    conn.execute("INSERT INTO nickname VALUES (?,?,?,?,?)", values)
    return alias


def _number(merge_id: str) -> int:
    """The number in a merge's id; none at all for what is no id of ours."""
    digits = merge_id.removeprefix("m")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else 0
