"""Who did what, when, to what, before and after, and why: the journal's records, and what follows from them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from graphsvc.models.answer import Decision
from graphsvc.models.base import MemoryId, Moment, Namespace, Record, ShortText, TraceId
from graphsvc.models.change import Change


class Act(Record):
    """Who acts, and why; every call that writes or asks carries one."""

    actor: ShortText = "local"
    reason: ShortText | None = None


LOCAL = Act()


class Action(StrEnum):
    """What was done. `ingest` is one call of adding, whatever became of its items; the others are one memory's.

    `standing` is a memory overturned, reopened or flagged by what came to be known. `promote` and `rollback` are of
    calibrators, which serve every namespace; the entry stands where the caller was.
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
    PROMOTE = "promote"
    ROLLBACK = "rollback"


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


class Overruled(Record):
    """The change as written down, and the answers that rested on the earlier memory."""

    change: Change
    overturned: tuple[OverturnedAnswer, ...]


class Purged(Record):
    """What a purge removed for good."""

    memories: int
    journal_contents: int
    traces: int


class HistoryRow(Record):
    """One change of one memory: its text before and after, absent where there was none or it was purged."""

    at: Moment
    actor: str
    action: Action
    operation: str
    reason: str | None = None
    before: str | None = None
    after: str | None = None
    purged: bool = False


class Setup(Record):
    """What an answer was made with: the ranking's and the rule's own texts, and the names of what else had a part."""

    ranking: str
    acceptance: str
    encoder: str
    ontology: str
    reranker: str | None = None


class Placed(Record):
    """A candidate's place in one run; `score` compares within the run only."""

    id: MemoryId
    score: float


class Run(Record):
    """What one run of a question gave; `accepted` are the memories whose evidence was handed out."""

    candidates: tuple[Placed, ...]
    decision: Decision | None = None
    accepted: tuple[MemoryId, ...] = ()


class Replayed(Record):
    """One question three times: as its trace has it, run again on what was known then, and run on what is known now.

    `exact` says that the second gave the same memories in the same order, scores within 1e-6, and accepted the same.
    `deleted` are memories the trace saw that are gone, so that they cannot be shown; `notes` say what of then could
    not be brought back, `differences` what is otherwise now, both in words.
    """

    trace_id: TraceId
    namespace: Namespace
    question: str
    known_at: Moment
    recorded: Run
    then: Run
    now: Run
    exact: bool
    deleted: tuple[MemoryId, ...] = ()
    notes: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


class Subscription(Record):
    """Who is told of overturned answers of a namespace; the secret is the store's and the subscriber's alone."""

    id: ShortText
    namespace: Namespace
    url: str
    created_at: Moment


class NewSubscription(Subscription):
    """A subscription as it is handed out once, with the secret its deliveries are signed with."""

    secret: str


class DeliveryState(StrEnum):
    """`dead` is what was tried as often as is allowed, or what the receiver wants no more."""

    WAITING = "waiting"
    DONE = "done"
    DEAD = "dead"


class Delivery(Record):
    """One notice to one subscriber; `due_at` is when it is tried next, `status` the last HTTP status, 0 for none."""

    id: str
    subscription: str
    namespace: Namespace
    trace_id: TraceId
    state: DeliveryState
    attempts: int = 0
    created_at: Moment
    due_at: Moment
    status: int | None = None
