"""One hash chain in an SQLite file: entries, each with the digest of the one before, and contents that may go.

An entry's digest covers its fields and, of its contents, salted digests only; so a content can be taken out for good
and the chain still follows, while from what is left nobody can tell a short text by trying. Nothing here is keyed:
who can rewrite the file can rewrite the chain, and only a head noted elsewhere tells.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from graphsvc.errors import StoreDamaged
from graphsvc.models.audit import Act
from graphsvc.store.journal import Noted

SALT_BYTES = 16
BATCH = 1000
COLUMNS = "seq, namespace, at, actor, action, subject, operation, reason, before, after, digest"
_GENESIS = "graphsvc journal "
# Contents of one entry lie at 2 * seq (before) and 2 * seq + 1 (after).
BEFORE, AFTER = 0, 1


class Link(NamedTuple):
    """A row of table `journal`; `at` in microseconds, `before` and `after` are salted digests of contents."""

    seq: int
    namespace: str
    at: int
    actor: str
    action: str
    subject: str | None
    operation: str
    reason: str | None
    before: bytes | None
    after: bytes | None
    digest: bytes


class Head(NamedTuple):
    """The last entry of a chain; number 0 of an empty one."""

    seq: int
    digest: bytes


def sound(link: Link) -> bool:
    """Whether every field is of the kind that was written; SQLite keeps whatever somebody else puts there."""
    texts = (link.namespace, link.actor, link.action, link.operation)
    absent = (str(one) if one is None else one for one in (link.subject, link.reason))
    digests = (b"" if one is None else one for one in (link.before, link.after))
    return (
        all(isinstance(one, int) for one in (link.seq, link.at))
        and link.seq > 0
        and all(isinstance(one, str) for one in (*texts, *absent))
        and all(isinstance(one, bytes) for one in (*digests, link.digest))
    )


def genesis(chain: str) -> bytes:
    """What stands for the digest before the first entry: SHA-256 of a constant and the chain's name."""
    return hashlib.sha256((_GENESIS + chain).encode()).digest()


def content_digest(salt: bytes, text: bytes) -> bytes:
    """SHA-256 of the salt, which has a fixed length, and the text in UTF-8."""
    return hashlib.sha256(salt + text).digest()


def link_digest(chain: str, link: Link, previous: bytes) -> bytes:
    """SHA-256 of a JSON array in ASCII without spaces: the chain, every field in order, the previous digest.

    Digests inside it are lower-case hexadecimal; `link.digest` itself is left out.
    """
    contents = [None if one is None else one.hex() for one in (link.before, link.after)]
    fields = [chain, *link[:8], previous.hex(), *contents]
    return hashlib.sha256(json.dumps(fields, separators=(",", ":")).encode("ascii")).digest()


def operation_id(at: int) -> str:
    """A new id; it begins with the time, so that ids of one hour lie together in their index."""
    return f"op_{at & 0xFFFFFFFFFFFFFF:014x}{secrets.token_hex(5)}"


def head(conn: sqlite3.Connection, chain: str) -> Head | None:
    """The head as noted; None when entries are there and no head is."""
    found = conn.execute("SELECT seq, digest FROM journal_head").fetchone()
    if found is not None:
        return Head(*found)
    return None if conn.execute("SELECT 1 FROM journal LIMIT 1").fetchone() else Head(0, genesis(chain))


def write(
    conn: sqlite3.Connection,
    chain: str,
    notes: Iterable[tuple[str, Noted]],
    *,
    at: int,
    by: Act,
    operation: str | None = None,
) -> str:
    """Append what was noted of namespaces to a chain, inside the writer's transaction; the operation's id."""
    operation = operation or operation_id(at)
    last = head(conn, chain)
    if last is None:
        raise StoreDamaged("the journal has lost its head", where=chain, remedy="verify it, and restore a backup")
    began = last
    remaining = iter(notes)
    while part := list(islice(remaining, BATCH)):
        last = _append(conn, chain, part, last, (at, by, operation))
    if last != began:
        conn.execute("INSERT OR REPLACE INTO journal_head VALUES (1, ?, ?)", last)
    return operation


def _append(
    conn: sqlite3.Connection, chain: str, notes: list[tuple[str, Noted]], last: Head, call: tuple[int, Act, str]
) -> Head:
    at, by, operation = call
    links: list[Link] = []
    contents: list[tuple[int, bytes, bytes]] = []
    for namespace, noted in notes:
        seq = last.seq + 1
        before = _seal(2 * seq + BEFORE, noted.before, contents)
        after = _seal(2 * seq + AFTER, noted.after, contents)
        who = (by.actor, str(noted.action), noted.subject, operation, by.reason)
        link = Link(seq, namespace, at, *who, before, after, b"")
        last = Head(seq, link_digest(chain, link, last.digest))
        links.append(link._replace(digest=last.digest))
    conn.executemany("INSERT INTO journal VALUES (?,?,?,?,?,?,?,?,?,?,?)", links)
    conn.executemany("INSERT INTO journal_content VALUES (?,?,?)", contents)
    return last


def _seal(place: int, text: str | None, contents: list[tuple[int, bytes, bytes]]) -> bytes | None:
    """Add a content to those to be written; its digest."""
    if text is None:
        return None
    raw, salt = text.encode(), os.urandom(SALT_BYTES)
    contents.append((place, salt, zlib.compress(raw, level=1)))
    return content_digest(salt, raw)


def contents_of(conn: sqlite3.Connection, seqs: Iterable[int]) -> dict[int, str]:
    """What is left of the entries' contents, by place."""
    places = json.dumps([2 * seq + side for seq in seqs for side in (BEFORE, AFTER)])
    found = conn.execute(
        "SELECT c.place, c.packed FROM json_each(?) AS wanted CROSS JOIN journal_content c ON c.place = wanted.value",
        (places,),
    )
    return {place: unpack(packed, place) for place, packed in found.fetchall()}


def unpack(packed: bytes, place: int) -> str:
    """Raises `StoreDamaged`."""
    try:
        return zlib.decompress(packed).decode()
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise StoreDamaged("a content of the journal cannot be read back", where=f"entry {place >> 1}") from error


def ranges(seqs: Iterable[int]) -> list[list[int]]:
    """Numbers as runs: [[first, last], ...]."""
    runs: list[list[int]] = []
    for seq in sorted(seqs):
        if runs and seq == runs[-1][1] + 1:
            runs[-1][1] = seq
        else:
            runs.append([seq, seq])
    return runs


def covered(seqs: Iterable[int], runs: Iterable[tuple[int, int]]) -> set[int]:
    """Those of the numbers that lie in one of the runs."""
    ordered = sorted(seqs)
    found: set[int] = set()
    for first, last in runs:
        found.update(ordered[bisect_left(ordered, first) : bisect_right(ordered, last)])
    return found


def links(conn: sqlite3.Connection) -> Iterator[tuple[Link, tuple[bytes, bytes] | None, tuple[bytes, bytes] | None]]:
    """Every entry by number, with salt and packed text of what is left of its contents."""
    columns = ", ".join(f"j.{column}" for column in COLUMNS.split(", "))
    cursor = conn.execute(
        f"SELECT {columns}, b.salt, b.packed, a.salt, a.packed FROM journal j"  # noqa: S608 (constants of ours)
        " LEFT JOIN journal_content b ON b.place = 2 * j.seq"
        " LEFT JOIN journal_content a ON a.place = 2 * j.seq + 1 ORDER BY j.seq"
    )
    for row in cursor:
        before, after = row[11:13], row[13:15]
        yield Link(*row[:11]), None if before[0] is None else before, None if after[0] is None else after
