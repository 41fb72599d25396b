"""Read a chain from its beginning, and say where it does not hold.

Found are a changed field or content, entries that are missing or out of place, a cut end, a content that is gone
though no later purge says so, and one of no entry. Not found is a chain rewritten as a whole, head and all.
"""

from __future__ import annotations

import json
import sqlite3
import zlib

from graphsvc.models.audit import Action, Break
from graphsvc.store.sqlite.chain import Head, Link, content_digest, covered, genesis, head, link_digest, links, sound

REPORTED = 100  # breaks of one chain; who rewrites much is told of the first ones
_Content = tuple[bytes, bytes] | None
_STRAY = "SELECT DISTINCT place >> 1 FROM journal_content WHERE place >> 1 NOT IN (SELECT seq FROM journal) LIMIT ?"


class _Reader:
    def __init__(self, chain: str) -> None:
        self.chain = chain
        self.entries = 0
        self.last = Head(0, genesis(chain))
        self.breaks: list[Break] = []
        self.absent: list[tuple[int, int]] = []
        # Entries whose contents are gone, by namespace, until a purge says that it took them.
        self.missing: dict[str, set[int]] = {}

    def report(self, seq: int, what: str) -> None:
        self.breaks.append(Break(chain=self.chain, seq=seq, what=what))

    def follow(self, link: Link) -> None:
        """Whether the entry comes next, and is what was written."""
        self.entries += 1
        expected = self.last.seq + 1
        if link.seq != expected:
            self.absent.append((expected, link.seq - 1))
            self.report(expected, f"missing: entries {expected} to {link.seq - 1}")
        elif link_digest(self.chain, link, self.last.digest) != link.digest:
            self.report(link.seq, "changed, or not in its place: the digest does not follow")
        self.last = Head(link.seq, link.digest)

    def pass_over(self, seq: object, digest: object) -> None:
        """An entry that is none: fields of another kind than were written."""
        self.entries += 1
        place = self.last.seq + 1
        self.report(place, "changed: it holds values of another kind than were written")
        self.last = Head(seq if isinstance(seq, int) else place, digest if isinstance(digest, bytes) else b"")

    def weigh(self, link: Link, before: _Content, after: _Content) -> None:
        """Whether the contents are those that were written."""
        for name, digest, content in (("before", link.before, before), ("after", link.after, after)):
            if digest is not None and content is None:
                self.missing.setdefault(link.namespace, set()).add(link.seq)
            elif content is not None and (digest is None or _digest(content) != digest):
                self.report(link.seq, f"the content of `{name}` is not what was written")
        if link.action == Action.PURGE and after is not None:
            self._settle(link.namespace, after)

    def _settle(self, namespace: str, after: tuple[bytes, bytes]) -> None:
        try:
            runs = [(int(first), int(last)) for first, last in json.loads(zlib.decompress(after[1]))["entries"]]
        except (zlib.error, ValueError, KeyError, TypeError):
            return  # a changed content; it was reported as one
        waiting = self.missing.get(namespace, set())
        self.missing[namespace] = waiting - covered(waiting, runs)

    def end(self, noted: Head | None) -> None:
        """Whether the chain ends where its head says, and nothing is gone unsaid."""
        for seq in sorted(seq for left in self.missing.values() for seq in left):
            self.report(seq, "a content is gone, and no purge took it")
        if noted is None:
            self.report(self.last.seq, "the head is missing")
        elif noted.seq > self.last.seq:
            self.absent.append((self.last.seq + 1, noted.seq))
            self.report(self.last.seq + 1, f"missing: entries {self.last.seq + 1} to {noted.seq}, the end")
        elif noted != self.last:
            self.report(self.last.seq, "the head names another entry as the last")


def verify(conn: sqlite3.Connection, chain: str) -> tuple[int, str, list[Break]]:
    """Entries read, the last digest as hexadecimal, and the breaks, in order of number; inside one snapshot."""
    reader = _Reader(chain)
    for link, before, after in links(conn):
        if not sound(link):
            reader.pass_over(link.seq, link.digest)
            continue
        reader.follow(link)
        reader.weigh(link, before, after)
    reader.end(head(conn, chain))
    strays = {int(seq) for (seq,) in conn.execute(_STRAY, (REPORTED,)).fetchall()}
    for seq in sorted(strays - covered(strays, reader.absent)):
        reader.report(seq, "a content of no entry")
    found = sorted(reader.breaks, key=lambda one: one.seq)
    return reader.entries, reader.last.digest.hex(), found[:REPORTED]


def _digest(content: tuple[bytes, bytes]) -> bytes | None:
    try:
        return content_digest(content[0], zlib.decompress(content[1]))
    except (zlib.error, TypeError):
        return None  # what cannot be read, or is no sequence of bytes, is not what was written
