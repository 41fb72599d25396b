"""Who did what, when, to what, before and after, and why: the journal's records, and what follows from them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from graphsvc.models.base import MemoryId, Moment, Record, ShortText, TraceId


class Act(Record):
    """Who acts, and why; every call that writes or asks carries one."""

    actor: ShortText = "local"
    reason: ShortText | None = None


LOCAL = Act()


class Action(StrEnum):
    """What was done. `ingest` is one call of adding, whatever became of its items; the others are one memory's.

    `standing` is a memory overturned, reopened or flagged by what came to be known.
    """

    INGEST = "ingest"
    ADD = "add"
    UPDATE = "update"
    STANDING = "standing"
    DELETE = "delete"
    PURGE = "purge"
    SEARCH = "search"
    ANSWER = "answer"
    FEEDBACK = "feedback"
    FALSIFY = "falsify"
    IDENTITY = "identity"
    CONSOLIDATE = "consolidate"


class JournalEntry(Record):
    """One link of the chain; `before` and `after` are JSON of what changed, absent where there is none or purged.

    `digest` covers every field, the previous digest and salted digests of the contents, so that removing a content
    breaks nothing and changing anything does. `purged` says that a content was there.
    """

    seq: int = Field(ge=1)
    chain: str
    namespace: str
    at: Moment
    actor: str
    action: Action
    subject: str | None = None
    operation: str
    reason: str | None = None
    before: str | None = None
    after: str | None = None
    purged: bool = False
    digest: str


class Break(Record):
    """Where a chain does not hold: the entry's number and what is wrong with it."""

    chain: str
    seq: int
    what: str


class Verification(Record):
    """`entries` read over all chains, `heads` the last digest of each; it holds when `breaks` is empty."""

    entries: int
    heads: dict[str, str]
    breaks: tuple[Break, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.breaks


class OverturnedAnswer(Record):
    """An earlier answer that rested on something that has fallen.

    `because` are the memories that fell, `by` what overturned them; `through` are the memories or answers in between
    when it did not rest on them directly.
    """

    trace_id: TraceId
    namespace: str
    question: str
    answered_at: Moment
    overturned_at: Moment
    because: tuple[MemoryId, ...]
    by: tuple[MemoryId, ...] = ()
    through: tuple[str, ...] = ()
    reason: str = ""


class Purged(Record):
    """What a purge removed for good."""

    memories: int
    journal_contents: int
    traces: int
