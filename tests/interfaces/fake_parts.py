"""The keeping and the audit of a `FakeGraph`: what they were asked stands in the graph's `asked`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphsvc.errors import ChangeRefused, FieldInvalid, NotFound, RevisionOutdated
from graphsvc.models.answer import Decision
from graphsvc.models.audit import (
    LOCAL,
    Act,
    Action,
    Break,
    Delivery,
    DeliveryState,
    HistoryRow,
    JournalEntry,
    NewSubscription,
    OverturnedAnswer,
    Placed,
    Purged,
    Replayed,
    Run,
    Subscription,
    Verification,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.change import Change, ChangeKind
from graphsvc.models.memory import ItemResult, Memory
from graphsvc.models.upkeep import Consolidated, ConsolidationPlan, RepeatGroup
from graphsvc.store.falsified import OverturnedPage
from graphsvc.store.filters import eq
from graphsvc.store.journal import JournalPage

if TYPE_CHECKING:
    from tests.interfaces.fakes import FakeGraph

NOW = datetime(2026, 3, 6, 2, 0, tzinfo=UTC)
TRACE = TraceId("tr_1")
FALLEN = OverturnedAnswer(
    trace_id=TRACE,
    namespace="default",
    question="仓库几点关门",
    answered_at=NOW,
    overturned_at=NOW,
    because=(MemoryId("m1"),),
    by=(MemoryId("m2"),),
    through=("m3",),
    reason="改了时间",
)


class FakeKeeping:
    """Over the memories of a fake graph; `plan` is what a consolidation finds."""

    def __init__(self, graph: FakeGraph) -> None:
        self.graph = graph
        self.plan = ConsolidationPlan(namespace="default")

    def update(
        self, memory_id: str, fields: Mapping[str, object], *, namespace: str, revision: int | None, by: Act
    ) -> Memory:
        stored = self.graph.get(memory_id, namespace=namespace)
        self.graph.asked = {"fields": fields, "revision": revision, "by": by}
        if revision not in {None, stored.revision}:
            raise RevisionOutdated(f"the memory is at revision {stored.revision}, not {revision}", where=memory_id)
        told = Memory.model_validate(stored.model_dump() | dict(fields) | {"revision": stored.revision + 1})
        self.graph.memories[namespace, memory_id] = told
        return told

    def forget_person(self, namespace: str, name: str, *, by: Act = LOCAL) -> list[MemoryId]:
        found = self.graph.delete_all(eq("sender", name), namespace=namespace, by=by)
        if not found:
            raise NotFound("nobody of that name", where=name)
        return found

    def supersede(
        self,
        namespace: str,
        later: str,
        earlier: str,
        *,
        kind: ChangeKind = ChangeKind.SUPERSEDES,
        by: Act = LOCAL,
    ) -> Change:
        self.graph.asked = {"kind": kind, "by": by}
        first, second = (self.graph.get(one, namespace=namespace) for one in (later, earlier))
        if first == second:
            raise ChangeRefused("a memory cannot replace itself", where=later)
        return Change(
            kind=kind,
            later=first.id,
            earlier=second.id,
            clause=(0, len(second.text)),
            whole=True,
            slot="told",
            since=first.event_time,
            rule="told",
        )

    def relink(self, namespace: str, *, on_progress: Callable[[int], None] | None = None, by: Act = LOCAL) -> int:
        self.graph.meet_failure()
        self.graph.asked = {"by": by}
        count = sum(space == namespace for space, _ in self.graph.memories)
        if on_progress is not None:
            on_progress(count)
        return count

    def expire(self, namespace: str, *, by: Act = LOCAL) -> list[MemoryId]:
        self.graph.meet_failure()
        self.graph.asked = {"by": by}
        gone = [
            memory.id
            for (space, _), memory in self.graph.memories.items()
            if space == namespace and memory.expires_at is not None and memory.expires_at <= NOW
        ]
        for one in gone:
            del self.graph.memories[namespace, one]
        return gone

    def repeats(self, namespace: str) -> ConsolidationPlan:
        self.graph.meet_failure()
        return self.plan if namespace == self.plan.namespace else ConsolidationPlan(namespace=namespace)

    def consolidate(self, planned: ConsolidationPlan, *, by: Act = LOCAL) -> Consolidated:
        self.graph.asked = {"by": by}
        return Consolidated(namespace=planned.namespace, done=planned.groups[:1], passed_over=planned.groups[1:])

    def purge(self, *, namespace: str | None, by: Act) -> Purged:
        self.graph.meet_failure()
        self.graph.asked = {"namespace": namespace, "by": by}
        return Purged(memories=1, journal_contents=2, traces=3)


class FakeAudit:
    """What it shows is set beforehand; `caught_up` counts the times it was told to look for what was left out."""

    courier = None

    def __init__(self, graph: FakeGraph) -> None:
        self.graph = graph
        self.fallen: dict[str, list[OverturnedAnswer]] = {}
        self.entries: list[JournalEntry] = []
        self.breaks: tuple[Break, ...] = ()
        self.hooks: list[NewSubscription] = []
        self.notices: list[Delivery] = []
        self.caught_up = 0

    def read(self, namespace: str | None = None, *, limit: int, after: str | None, **asked: object) -> JournalPage:
        self.graph.meet_failure()
        self.graph.asked = {"namespace": namespace, "limit": limit, "after": after, **asked}
        found = [one for one in self.entries if one.namespace == namespace]
        return JournalPage(tuple(found[:limit]), "next" if len(found) > limit else None)

    def verify(self) -> Verification:
        self.graph.meet_failure()
        return Verification(entries=1234, heads={"memories": "ab" * 32, "questions": "cd" * 32}, breaks=self.breaks)

    def history(self, namespace: str, memory_id: str) -> list[HistoryRow]:
        memory = self.graph.get(memory_id, namespace=namespace)
        shared = {"at": NOW, "actor": "Mei", "operation": "op_1"}
        return [
            HistoryRow(action=Action.ADD, after=memory.text, **shared),
            HistoryRow(action=Action.UPDATE, before=memory.text, after="七点", reason="改了", **shared),
            HistoryRow(action=Action.DELETE, purged=True, **shared),
        ]

    def replay(self, namespace: str, trace_id: str) -> Replayed:
        self.graph.trace(trace_id, namespace=namespace)
        places = tuple(Placed(id=MemoryId(f"m{number}"), score=1.0 / number) for number in range(1, 8))
        decision = Decision(method="rule", threshold=0.3, probability=0.75, features={})
        recorded = Run(candidates=places, decision=decision, accepted=(MemoryId("m1"),))
        return Replayed(
            trace_id=TraceId(trace_id),
            namespace=namespace,
            question="仓库几点关门",
            known_at=NOW,
            recorded=recorded,
            then=recorded,
            now=Run(candidates=()),
            exact=True,
            deleted=(MemoryId("m9"),),
            notes=("names of then",),
            differences=("m1 went, it was 1st",),
        )

    def ingested(self, namespace: str, results: list[ItemResult]) -> list[OverturnedAnswer]:
        self.graph.asked |= {"overturns": [one for result in results for one in result.overturns]}
        return self.fallen.get(namespace, [])

    def falsify(self, namespace: str, memory_id: str, reason: str, *, by: Act = LOCAL) -> list[OverturnedAnswer]:
        self.graph.get(memory_id, namespace=namespace)
        self.graph.asked = {"reason": reason, "by": by}
        return self.fallen.get(namespace, [])

    def catch_up(self) -> int:
        self.graph.meet_failure()
        self.caught_up += 1
        return 0

    def overturned(self, namespace: str, *, after: str | None = None, limit: int = 100) -> OverturnedPage:
        self.graph.meet_failure()
        first = int(after or 0)
        found = self.fallen.get(namespace, [])[first : first + limit]
        return OverturnedPage(tuple(found), str(first + len(found)))

    def subscribe(self, namespace: str, url: str) -> NewSubscription:
        self.graph.meet_failure()
        if not url.startswith("http"):
            raise FieldInvalid("must be an http:// or https:// address", where="url")
        hook = NewSubscription(
            id=f"wh_{len(self.hooks)}", namespace=namespace, url=url, created_at=NOW, secret="whsec_s"
        )
        self.hooks.append(hook)
        return hook

    def unsubscribe(self, namespace: str, subscription_id: str) -> None:
        found = [one for one in self.hooks if (one.namespace, one.id) == (namespace, subscription_id)]
        if not found:
            raise NotFound("no such subscription in this namespace", where=subscription_id)
        self.hooks.remove(found[0])

    def subscriptions(self, namespace: str) -> list[Subscription]:
        self.graph.meet_failure()
        told = [one.model_dump(exclude={"secret"}) for one in self.hooks if one.namespace == namespace]
        return [Subscription.model_validate(one) for one in told]

    def deliveries(self, namespace: str, *, state: DeliveryState | None = None, limit: int = 100) -> list[Delivery]:
        self.graph.meet_failure()
        found = [one for one in self.notices if one.namespace == namespace and state in {None, one.state}]
        return found[:limit]


def entry(seq: int, *, namespace: str = "default", **fields: object) -> JournalEntry:
    told = {
        "chain": "memories",
        "at": NOW,
        "actor": "Mei",
        "action": Action.UPDATE,
        "subject": "m1",
        "operation": "op_1",
        "digest": "ab" * 32,
        **fields,
    }
    return JournalEntry.model_validate({"seq": seq, "namespace": namespace, **told})


def group(kept: str, *merged: str) -> RepeatGroup:
    return RepeatGroup(kept=MemoryId(kept), merged=tuple(map(MemoryId, merged)), since=NOW)


def notice(state: DeliveryState = DeliveryState.WAITING, **fields: object) -> Delivery:
    told = {"id": "d_1", "subscription": "wh_0", "namespace": "default", "trace_id": TRACE, "state": state}
    return Delivery.model_validate({**told, "created_at": NOW, "due_at": NOW, **fields})
