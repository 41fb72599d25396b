"""A memory, as a caller hands it in and as the graph keeps it."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field, FiniteFloat

from graphsvc.models.base import EntityId, MemoryId, Moment, Namespace, Record, ShortText
from graphsvc.models.facts import Facts, Language
from graphsvc.models.graph import EdgeType

Scalar = Annotated[str, Field(max_length=2000)] | int | FiniteFloat | bool | None
_BEFORE = timedelta(microseconds=1)
Metadata = Annotated[dict[ShortText, Scalar], Field(max_length=64)]


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class MemoryStatus(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class Source(Record):
    """Where a fragment was cut from; `start` and `end` count characters of the whole text."""

    file: str | None = None
    page: int | None = Field(default=None, ge=1)
    section: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)


class MemoryFields(Record):
    """What a caller may say about a memory; `event_time` is when it was said or happened.

    `derived_from` are ids of memories or answers it was drawn from; after `expires_at` it is found no more.
    """

    text: str
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    document_type: ShortText | None = None
    confidence_level: Confidence | None = None
    conversation_id: ShortText | None = None
    thread_root_id: ShortText | None = None
    source: Source | None = None
    sender: ShortText | None = None
    recipients: tuple[ShortText, ...] = ()
    cc: tuple[ShortText, ...] = ()
    responsible_party: ShortText | None = None
    affected_party: ShortText | None = None
    role_in_context: ShortText | None = None
    clause_id: ShortText | None = None
    section: ShortText | None = None
    level: int | None = Field(default=None, ge=0)
    derived_from: tuple[ShortText, ...] = ()
    expires_at: Moment | None = None
    metadata: Metadata = Field(default_factory=dict)


class MemoryInput(MemoryFields):
    """One memory to be added; without an `id` one is derived from what it says, so adding twice is safe."""

    id: ShortText | None = None
    event_time: Moment | None = None


class ChatMessage(Record):
    """One message of a chat, as chat interfaces exchange them."""

    role: ShortText
    content: str
    name: ShortText | None = None
    time: Moment | None = None
    id: ShortText | None = None


class Party(Record):
    """Who stands in which role: an entity of the graph, reached by a role edge."""

    role: EdgeType
    entity: EntityId
    name: str


class Memory(MemoryFields):
    """A memory as stored: the caller's fields, our derived facts, its place in time, and where it stands now.

    `summary` holds the sentences of a long text that carry its numbers, dates and names. `ended_at` is when what it
    says ceased to hold because of `ended_by`; `stale_sources` are overturned memories whose value it still quotes.
    """

    id: MemoryId
    namespace: Namespace
    language: Language
    event_time: Moment
    recorded_at: Moment
    parties: tuple[Party, ...] = ()
    facts: Facts = Facts()
    summary: str | None = None
    revision: int = 1
    status: MemoryStatus = MemoryStatus.ACTIVE
    ended_at: Moment | None = None
    ended_by: tuple[MemoryId, ...] = ()
    stale_sources: tuple[MemoryId, ...] = ()

    @property
    def begins(self) -> datetime:
        """From when what it says holds, as far as it tells: memories of one slot are ordered by this, not by arrival.

        What was told only after it had ended began before that end.
        """
        if self.valid_from is not None:
            return self.valid_from
        ended = self.valid_to is not None and self.valid_to <= self.event_time
        if self.valid_to is not None and ended and self.valid_to.replace(tzinfo=None) > datetime.min:
            return self.valid_to - _BEFORE
        return self.event_time


class ItemStatus(StrEnum):
    CREATED = "created"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class Problem(Record):
    """A failure as data: the error's code, what, where and what to do."""

    code: str
    what: str
    where: str = ""
    remedy: str = ""


class ItemResult(Record):
    """What became of one item of a batch; `index` is its place in the batch, from 0.

    `near_duplicate_of` is an earlier memory that says the same in nearly the same words; `overturns` are the memories
    it superseded, retracted or corrected.
    """

    index: int
    status: ItemStatus
    id: MemoryId | None = None
    near_duplicate_of: MemoryId | None = None
    overturns: tuple[MemoryId, ...] = ()
    error: Problem | None = None
