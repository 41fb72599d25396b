"""The one object of the audit: read and verify the journal, replay, falsify, and tell who asked to be told.

It adds no rule of its own; what is wrong with a call is said by the part that does the work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ValidationError

from graphsvc.audit.falsify import Fall, Falsifier, falsified
from graphsvc.audit.replay import Replayer
from graphsvc.audit.webhooks import Courier, new_subscription
from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.ingest.change import Changes
from graphsvc.models.answer import Answer, SearchResult
from graphsvc.models.audit import (
    LOCAL,
    Act,
    Action,
    Delivery,
    DeliveryState,
    HistoryRow,
    JournalEntry,
    NewSubscription,
    OverturnedAnswer,
    Replayed,
    Subscription,
    Verification,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.change import Standing
from graphsvc.models.memory import ItemResult, MemoryStatus
from graphsvc.store.base import Store
from graphsvc.store.falsified import OverturnedPage
from graphsvc.store.journal import JournalPage, Noted
from graphsvc.store.namespaces import checks_namespace

_OF_A_MEMORY = (Action.ADD, Action.UPDATE, Action.STANDING, Action.DELETE, Action.PURGE, Action.FALSIFY)
_PAGE = 500


@checks_namespace
@dataclass(frozen=True, slots=True)
class Audit:
    """Over one store; `private` lets subscribers stand on private networks, `courier` is woken when there is news."""

    store: Store
    clock: Callable[[], datetime]
    replayer: Replayer
    private: bool = False
    courier: Courier | None = None
    _falsifier: Falsifier = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_falsifier", Falsifier(self.store, self.clock))

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
        """A page of the journal, oldest first; raises as `Journal.read` does."""
        return self.store.journal.read(
            namespace,
            subject=subject,
            actions=actions,
            operation=operation,
            since=since,
            until=until,
            limit=limit,
            after=after,
        )

    def verify(self) -> Verification:
        """Read every chain of the journal from its beginning."""
        return self.store.journal.verify()

    def history(self, namespace: str, memory_id: str) -> list[HistoryRow]:
        """All that happened to one memory, oldest first; raises `NotFound` for one the journal knows nothing of."""
        rows: list[HistoryRow] = []
        after: str | None = None
        while True:
            page = self.read(namespace, subject=memory_id, actions=_OF_A_MEMORY, limit=_PAGE, after=after)
            rows += [_row(entry) for entry in page.entries]
            after = page.after
            if after is None:
                break
        if not rows:
            raise NotFound("the journal knows nothing of such a memory", where=memory_id)
        return rows

    def note_search(self, namespace: str, result: SearchResult, *, by: Act = LOCAL) -> None:
        """Write down that a search was made, and what it showed."""
        self._note(
            namespace, Action.SEARCH, result.trace_id, {"shown": [one.memory.id for one in result.candidates]}, by
        )

    def note_answer(self, namespace: str, answer: Answer, *, by: Act = LOCAL) -> None:
        """Write down that a question was answered, how, and with which evidence."""
        accepted = dict.fromkeys(one.memory_id for one in answer.evidence)
        told = {"status": answer.status.value, "accepted": list(accepted), "step": answer.step.value}
        self._note(namespace, Action.ANSWER, answer.trace_id, told, by)

    def replay(self, namespace: str, trace_id: str) -> Replayed:
        """Raises `NotFound`."""
        return self.replayer.replay(namespace, TraceId(trace_id))

    def ingested(self, namespace: str, results: Sequence[ItemResult]) -> list[OverturnedAnswer]:
        """Find the earlier answers that fell with what these items overturned; to be called after each adding."""
        ids = [one for result in results for one in result.overturns]
        return self._told(self._falsifier.overturned(namespace, ids)) if ids else []

    def falsify(self, namespace: str, memory_id: str, reason: str, *, by: Act = LOCAL) -> list[OverturnedAnswer]:
        """Take a memory back by hand, and with it what rested on it.

        Raises `NotFound`, and `FieldInvalid` for a reason that cannot be kept.
        """
        one = MemoryId(memory_id)
        found = self.store.get(namespace, [one])
        if not found:
            raise NotFound("no such memory", where=memory_id)
        now = self.clock()
        act = _with_reason(by, reason)
        # What a hand took back no memory gives back: it names none that ended it, and ends no later than it had.
        fall = Standing(
            id=one,
            status=MemoryStatus.RETRACTED,
            ended_at=min(now, found[0].ended_at or now),
            stale_sources=found[0].stale_sources,
        )
        self.store.put_standings(namespace, [fall], by=act)
        Changes(self.store).rework(namespace, [one], by=act)  # Who still quotes it is flagged.
        self.store.journal.append(namespace, [Noted(Action.FALSIFY, memory_id)], by=act)
        return self._told(self._falsifier.fell(namespace, [falsified(one, now, reason)]))

    def gone(self, namespace: str, ids: Sequence[MemoryId], reason: str) -> list[OverturnedAnswer]:
        """Find the answers that rested on memories that were deleted or revised, where the caller wants them told."""
        now = self.clock()
        falls = [Fall(one, now, f"{reason} {one}", reason=reason) for one in ids]
        return self._told(self._falsifier.fell(namespace, falls))

    def catch_up(self) -> int:
        """Find what a crash between a write and its record left out, in every namespace; how many answers."""
        found = [one for space in self.store.describe().namespaces for one in self._falsifier.catch_up(space)]
        return len(self._told(found))

    def overturned(self, namespace: str, *, after: str | None = None, limit: int = 100) -> OverturnedPage:
        """The answers that have fallen, in the order found; pass `after` on to see only what is new."""
        return self.store.falsified.overturned(namespace, after=after, limit=limit)

    def subscribe(self, namespace: str, url: str) -> NewSubscription:
        """Have overturned answers told to an address; the secret is shown this once. Raises `FieldInvalid`."""
        subscription = new_subscription(namespace, url, at=self.clock(), private=self.private)
        self.store.falsified.subscribe(subscription)
        return subscription

    def unsubscribe(self, namespace: str, subscription_id: str) -> None:
        """Tell nobody there any more, not even of what waits; raises `NotFound`."""
        if not self.store.falsified.unsubscribe(namespace, subscription_id):
            raise NotFound("no such subscription in this namespace", where=subscription_id)

    def subscriptions(self, namespace: str) -> list[Subscription]:
        return self.store.falsified.subscriptions(namespace)

    def deliveries(self, namespace: str, *, state: DeliveryState | None = None, limit: int = 100) -> list[Delivery]:
        """Notices, newest first; `dead` are those given up."""
        return self.store.falsified.deliveries(namespace, state=state, limit=limit)

    def _note(self, namespace: str, action: Action, trace_id: TraceId, told: Mapping[str, object], by: Act) -> None:
        after = json.dumps(told, ensure_ascii=False)
        self.store.journal.append(namespace, [Noted(action, trace_id, after=after)], by=by)

    def _told(self, fallen: list[OverturnedAnswer]) -> list[OverturnedAnswer]:
        if fallen and self.courier is not None:
            self.courier.wake()
        return fallen


def _with_reason(by: Act, reason: str) -> Act:
    try:
        return Act(actor=by.actor, reason=reason or None)
    except ValidationError as error:
        raise FieldInvalid(error.errors(include_url=False)[0]["msg"], where="reason") from None


def _row(entry: JournalEntry) -> HistoryRow:
    return HistoryRow(
        at=entry.at,
        actor=entry.actor,
        action=entry.action,
        operation=entry.operation,
        reason=entry.reason,
        before=_said(entry.before),
        after=_said(entry.after),
        purged=entry.purged,
    )


def _said(content: str | None) -> str | None:
    """The text of a memory's JSON; of a standing, its status."""
    if content is None:
        return None
    told = json.loads(content)
    return told.get("text", told.get("status")) if isinstance(told, dict) else None
