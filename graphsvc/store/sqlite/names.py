"""Which names an entity keeps when a memory that taught it some goes, or says something else.

A name stays while a memory that is still tied to the entity has it: in its text, in who sent or received it, in what
was read of it. What only the memory that went can have taught goes in the same transaction; where an entity has many
ties its names are doubted until a purge. What users say of identities is kept elsewhere and is not touched.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# With more ties than this an entity is looked at in a purge: all of its memories may have to be read.
FEW_TIES = 200
_ADDRESS_SIGN = "@"
_FIELDS = ("sender", "responsible_party", "affected_party")
_LISTS = ("recipients", "cc")
_WORD = re.compile(r"[^\W_]+")
_QUALIFIED = re.compile(r"(?P<name>.+?) ?\((?P<qualifier>.+)\)")
_TIED = """
SELECT source >> 1 FROM (SELECT source FROM edge WHERE target = ?1 AND source & 1 = 0 LIMIT ?2)
UNION SELECT target >> 1 FROM (SELECT target FROM edge WHERE source = ?1 AND target & 1 = 0 LIMIT ?2) ORDER BY 1
"""
_DOUBTED = "SELECT d.entity, d.name FROM doubted d JOIN entity e ON e.row = d.entity WHERE e.namespace = ?"

Fold = Callable[[str], str]


def plain_fold(text: str) -> str:
    """Compatibility forms made one, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@dataclass(frozen=True, slots=True)
class Said:
    """What one memory can teach a name by: its folded text, its folded fields, and the names that were read in it."""

    body: Mapping[str, Any]
    text: str
    fields: tuple[str, ...]
    read: frozenset[str]

    @classmethod
    def of(cls, body: str, fold: Fold) -> Said:
        told = json.loads(body)
        fields = [told.get(name) for name in _FIELDS] + [one for name in _LISTS for one in told.get(name) or ()]
        file = (told.get("source") or {}).get("file")
        folded = [fold(one) for one in fields if one]
        folded += [] if file is None else [fold(file), file.casefold()]
        facts = told.get("facts") or {}
        read = {one["key"] for one in facts.get("mentions") or ()}
        return cls(told, fold(told["text"]), tuple(folded), frozenset(read))

    def has(self, name: str) -> bool:
        """Whether the folded name is here: whole, made of the words of one field, or with what tells it apart."""
        if name in self.read or _whole(self.text, name):
            return True
        if any(_whole(field, name) or _made_of(_WORD.findall(field), name) for field in self.fields):
            return True
        parts = _QUALIFIED.fullmatch(name)
        return parts is not None and self.has(parts["name"]) and self.has(parts["qualifier"])


def doubts(conn: sqlite3.Connection, ties: Mapping[int, Collection[int]], fold: Fold) -> dict[int, set[str]]:
    """By entity, the names that the memories tied to it may have taught it; to be read before those go."""
    said: dict[int, Said | None] = {}
    found: dict[int, set[str]] = {}
    for entity, rows in ties.items():
        names = _names(conn, entity, fold)
        for row in rows:
            if row not in said:
                said[row] = _said(conn, row, fold)
            one = said[row]
            taught = set() if one is None else {name for name in names if one.has(name)}
            found.setdefault(entity, set()).update(taught)
            names -= taught
            if not names:
                break
    return {entity: names for entity, names in found.items() if names}


def settle(conn: sqlite3.Connection, doubted: Mapping[int, Collection[str]], fold: Fold) -> None:
    """Take from entities the doubted names that no memory tied to them has; those of many ties wait for a purge."""
    for entity, names in doubted.items():
        rows = _tied(conn, entity, FEW_TIES + 1)
        if len(rows) > FEW_TIES:
            conn.executemany("INSERT OR IGNORE INTO doubted VALUES (?,?)", [(entity, name) for name in sorted(names)])
        else:
            _forget(conn, entity, names, rows, fold)


def settle_all(conn: sqlite3.Connection, space: int, fold: Fold) -> None:
    """The same for all that wait in a namespace, however many ties they have."""
    waiting: dict[int, set[str]] = {}
    for entity, name in conn.execute(_DOUBTED, (space,)).fetchall():
        waiting.setdefault(entity, set()).add(name)
    for entity, names in waiting.items():
        _forget(conn, entity, names, _tied(conn, entity, -1), fold)
        conn.execute("DELETE FROM doubted WHERE entity = ?", (entity,))


def _forget(conn: sqlite3.Connection, entity: int, names: Collection[str], rows: Sequence[int], fold: Fold) -> None:
    known = conn.execute("SELECT id, type, name FROM entity WHERE row = ?", (entity,)).fetchone()
    if known is None:
        return
    left = set(names)
    for said in _each(conn, rows, fold):
        left = {name for name in left if not said.has(name)}
        if not left:
            return
    conn.executemany("DELETE FROM alias WHERE entity = ? AND alias = ?", [(entity, name) for name in sorted(left)])
    one, kind, name = known
    if fold(name) in left:
        chosen = _chosen(_each(conn, rows, fold), (one, kind), _names(conn, entity, fold) - left, fold)
        conn.execute("UPDATE entity SET name = ? WHERE row = ?", (chosen or one.partition(":")[2], entity))


def _chosen(said: Iterator[Said], entity: tuple[str, str], names: Collection[str], fold: Fold) -> str | None:
    """The first name that a memory calls it by, of those that are no address first; else the longest there is."""
    one, kind = entity
    address: str | None = None
    for memory in said:
        parties = [party["name"] for party in memory.body.get("parties") or () if party["entity"] == one]
        mentions = (memory.body.get("facts") or {}).get("mentions") or ()
        called = [mention["text"] for mention in mentions if mention["type"] == kind and mention["key"] in names]
        for name in (*parties, *called):
            # Earlier versions wrote a party down by what others called it.
            if memory.has(fold(name)):
                if _ADDRESS_SIGN not in name:
                    return str(name)
                address = address or name
    return address or max(sorted(names), key=len, default=None)


def _names(conn: sqlite3.Connection, entity: int, fold: Fold) -> set[str]:
    """The aliases of an entity, and its folded name."""
    found = {alias for (alias,) in conn.execute("SELECT alias FROM alias WHERE entity = ?", (entity,)).fetchall()}
    return found | {fold(name) for (name,) in conn.execute("SELECT name FROM entity WHERE row = ?", (entity,))}


def _tied(conn: sqlite3.Connection, entity: int, most: int) -> list[int]:
    return [row for (row,) in conn.execute(_TIED, (entity << 1 | 1, most)).fetchall()]


def _each(conn: sqlite3.Connection, rows: Sequence[int], fold: Fold) -> Iterator[Said]:
    for row in rows:
        said = _said(conn, row, fold)
        if said is not None:
            yield said


def _said(conn: sqlite3.Connection, row: int, fold: Fold) -> Said | None:
    found = conn.execute("SELECT json FROM body WHERE row = ?", (row,)).fetchone()
    return None if found is None else Said.of(found[0], fold)


def _whole(text: str, name: str) -> bool:
    """Whether a name is in a text, not as a part of a longer word; Chinese has no marks between words."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if not (_joined(text[max(start - 1, 0) : start], name[0]) or _joined(name[-1], text[end : end + 1])):
            return True
        start = text.find(name, start + 1)
    return False


def _joined(left: str, right: str) -> bool:
    return bool(left and right) and all(one.isalnum() and not "\u2e80" <= one <= "\u9fff" for one in (left, right))


def _made_of(words: Collection[str], name: str) -> bool:
    """Whether each part of a name is some of the words joined: what an address or a reversed name is read as."""
    parts = _WORD.findall(name)
    return bool(parts) and all(_joins(words, part) for part in parts)


def _joins(words: Collection[str], part: str) -> bool:
    reached = {0}
    for end in range(1, len(part) + 1):
        if any(
            len(word) <= end and end - len(word) in reached and part.startswith(word, end - len(word)) for word in words
        ):
            reached.add(end)
    return len(part) in reached
