"""Merge memories that say the same, so that one of them answers and the others are kept behind it.

The latest by validity of the most confident stays, and ends each earlier one at the moment it begins to hold itself.
So the past reads as it did: asked about a day before that moment, the earlier one answers; and whatever turns up
between the two, however late, overturns the earlier and leaves the later. Nothing is deleted or worded anew: merged
memories stay where they were, with their sources, and an edge of origin `consolidated` leads to each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import blake2b

from graphsvc.ingest.policy.near_duplicates import LEAST_WORDS, says_same, stands
from graphsvc.ingest.policy.wording import Wording, wording_of
from graphsvc.models.audit import LOCAL, Act, Action
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.models.memory import Confidence, Memory, MemoryStatus
from graphsvc.models.upkeep import CONSOLIDATED, Consolidated, ConsolidationPlan, RepeatGroup
from graphsvc.store.base import Store
from graphsvc.store.filters import eq
from graphsvc.store.journal import Noted
from graphsvc.store.pages import pages

_PAGE = 500
_SURENESS = {Confidence.HIGH: 2, None: 1, Confidence.MEDIUM: 1, Confidence.LOW: 0}


def plan(store: Store, namespace: str, now: datetime) -> ConsolidationPlan:
    """What would be merged at `now`, writing nothing; the same for the same memories, and empty after it was done.

    Time and space grow with the memories that stand; only those of one wording are compared, each with each.
    """
    alike: dict[bytes, list[MemoryId]] = defaultdict(list)
    for memory in _standing(store, namespace):
        wording = wording_of(memory)
        if wording.words >= LEAST_WORDS:
            alike[_digest(wording)].append(memory.id)
    groups: list[RepeatGroup] = []
    for ids in alike.values():
        if len(ids) > 1:
            groups += _groups(_unexpired(store.get(namespace, ids), now))
    return ConsolidationPlan(namespace=namespace, groups=tuple(sorted(groups, key=lambda group: group.kept)))


def consolidate(store: Store, planned: ConsolidationPlan, now: datetime, *, by: Act = LOCAL) -> Consolidated:
    """Do what was planned, a group a transaction; stopped half-way it can be planned and done again.

    A group of which a memory was deleted, revised or overturned since is passed over.
    """
    done, passed_over = [], []
    for group in planned.groups:
        members = _unexpired(store.get(planned.namespace, [group.kept, *group.merged]), now)
        if group not in _groups(members):
            passed_over.append(group)
            continue
        _merge(store, planned.namespace, group, now, by)
        done.append(group)
    if done:
        noted = [Noted(Action.CONSOLIDATE, subject=one.kept, after=one.model_dump_json()) for one in done]
        store.journal.append(planned.namespace, noted, by=_reasoned(by))
    return Consolidated(namespace=planned.namespace, done=tuple(done), passed_over=tuple(passed_over))


def _standing(store: Store, namespace: str) -> Iterator[Memory]:
    for page in pages(store, namespace, eq("status", MemoryStatus.ACTIVE.value), size=_PAGE):
        yield from (memory for memory in page if stands(memory))


def _unexpired(memories: Iterable[Memory], now: datetime) -> list[Memory]:
    return [one for one in memories if stands(one) and (one.expires_at is None or one.expires_at > now)]


def _digest(wording: Wording) -> bytes:
    return blake2b("\x1f".join((wording.time or "", *wording.tokens)).encode(), digest_size=16).digest()


def _groups(memories: Sequence[Memory]) -> list[RepeatGroup]:
    """Sets of which every two say the same, each with the one that stays."""
    sets: list[list[Memory]] = []
    for memory in sorted(memories, key=_order):
        home = next((some for some in sets if all(says_same(memory, one) for one in some)), None)
        if home is None:
            sets.append([memory])
        else:
            home.append(memory)
    return [group for some in sets if (group := _group(some)) is not None]


def _group(members: Sequence[Memory]) -> RepeatGroup | None:
    """The latest of the most confident stays; what is later or outlives it stays beside it."""
    kept = max(members, key=lambda one: (_SURENESS[one.confidence_level], *_order(one)))
    merged = [one for one in members if _order(one) < _order(kept) and _outlasts(kept, one)]
    if not merged:
        return None
    return RepeatGroup(kept=kept.id, merged=tuple(one.id for one in merged), since=kept.begins)


def _outlasts(kept: Memory, merged: Memory) -> bool:
    return kept.expires_at is None or (merged.expires_at is not None and merged.expires_at <= kept.expires_at)


def _order(memory: Memory) -> tuple[float, float, str]:
    """By validity; of those said at one moment the one recorded first counts as the latest, so that it stays."""
    return memory.begins.timestamp(), -memory.recorded_at.timestamp(), memory.id


def _merge(store: Store, namespace: str, group: RepeatGroup, now: datetime, by: Act) -> None:
    standings = [
        Standing(id=one, status=MemoryStatus.SUPERSEDED, ended_at=group.since, ended_by=(group.kept,))
        for one in group.merged
    ]
    edges = [
        Edge(
            source=Node(NodeKind.MEMORY, group.kept),
            target=Node(NodeKind.MEMORY, one),
            type=EdgeType.SUPERSEDES,
            event_time=group.since,
            valid_from=group.since,
            recorded_at=now,
            whole=True,
            origin=CONSOLIDATED,
        )
        for one in group.merged
    ]
    store.put_standings(namespace, standings, edges=edges, by=_reasoned(by))


def _reasoned(by: Act) -> Act:
    return Act(actor=by.actor, reason=by.reason or CONSOLIDATED)
