"""Memories as they stood by what a store knew at a moment: what came to be known later has not changed them yet.

It is the journal that tells; what a memory says is taken as it is, as one revised since was recorded since. What was
deleted since has ended nothing, then as now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.store.base import Store


def as_known(store: Store, namespace: str, memories: Sequence[Memory], at: datetime | None) -> list[Memory]:
    """The memories, in order, each standing where it stood at `at`; as they are without it."""
    if at is None or not memories:
        return list(memories)
    stood = store.journal.stood(namespace, [one.id for one in memories], at)
    named = sorted({one for standing in stood.values() for one in (*standing.ended_by, *standing.stale_sources)})
    there = {one.id for one in store.get(namespace, named)} if named else set()
    return [_placed(one, stood[one.id], there) if one.id in stood else one for one in memories]


def _placed(memory: Memory, stood: Standing, there: set[MemoryId]) -> Memory:
    by = tuple(one for one in stood.ended_by if one in there)
    stale = tuple(one for one in stood.stale_sources if one in there)
    if stood.ended_by and not by:
        stood = Standing(id=memory.id)
    fields = {"status": MemoryStatus(stood.status), "ended_at": stood.ended_at}
    return memory.model_copy(update={**fields, "ended_by": by, "stale_sources": stale})
