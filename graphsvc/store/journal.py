"""The port of the journal: who did what, when, to what, before and after, and why; hash-chained.

The store writes the entries of its own writes; everything else is appended. What is written with memories and what is
written with traces are two chains, so that asking never waits for the writer of memories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graphsvc.models.audit import LOCAL, Act, Action, JournalEntry, Verification
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing


@dataclass(frozen=True, slots=True)
class Noted:
    """Something to be written down; `before` and `after` are JSON."""

    action: Action
    subject: str | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class JournalPage:
    """Entries in order of time, oldest first; `after` continues, None at the end."""

    entries: tuple[JournalEntry, ...]
    after: str | None


class Journal(Protocol):
    """Thread-safe, and safe between processes. Entries are never changed; a purge takes contents out, not entries."""

    def append(self, namespace: str, noted: Sequence[Noted], *, by: Act = LOCAL) -> str:
        """Write entries of one operation to the chain of questions; the operation's id.

        Durable when this returns; of searches and answers alone a power cut may take the last ones. Raises
        `FieldInvalid` for a text that is no valid Unicode.
        """
        ...

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
        """A page of the entries that match, over all chains, by time, chain and number; `until` is exclusive.

        Raises `FieldInvalid` for a cursor that is none or a limit below 1.
        """
        ...

    def stood(self, namespace: str, ids: Sequence[MemoryId], at: datetime) -> dict[MemoryId, Standing]:
        """Where memories stood at a moment, of those that have come to stand elsewhere since.

        What a purge took out is not told.
        """
        ...

    def verify(self) -> Verification:
        """Read every chain from its beginning; where a digest does not follow, there is a break."""
        ...
