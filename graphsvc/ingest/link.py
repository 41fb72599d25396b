"""Tie a memory into the graph: role edges, mentions, its place in conversation, thread and document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphsvc.ingest.resolve import Resolved
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.graph import Edge, EdgeType, Entity, Node, NodeKind
from graphsvc.models.memory import Memory
from graphsvc.store.base import Store
from graphsvc.store.filters import Op, both, compare, eq


@dataclass(slots=True)
class Linker:
    """Links one batch; what came earlier in the batch counts as already there."""

    store: Store
    namespace: str
    _latest: dict[str, tuple[datetime, MemoryId]] = field(default_factory=dict)
    _batch: set[MemoryId] = field(default_factory=set)

    def link(self, memory: Memory, resolved: Resolved) -> tuple[tuple[Edge, ...], tuple[Entity, ...]]:
        """The memory's edges, and the entities they touch."""
        documents = _document(memory)
        ties = [(party.role, party.entity, 1.0, "party") for party in memory.parties]
        ties += [(EdgeType.MENTIONS, entity.id, weight, "text") for entity, weight in resolved.mentioned]
        ties += [(EdgeType.PART_OF, entity.id, 1.0, "source") for entity in documents]
        edges = [
            Edge(
                source=Node(NodeKind.MEMORY, memory.id),
                target=Node(NodeKind.ENTITY, entity),
                type=kind,
                weight=weight,
                event_time=memory.event_time,
                origin=origin,
            )
            for kind, entity, weight, origin in ties
        ]
        edges += self._context(memory)
        self._batch.add(memory.id)
        return tuple(edges), (*resolved.entities, *documents)

    def _context(self, memory: Memory) -> list[Edge]:
        edges = []
        previous = self._previous(memory)
        if previous is not None:
            edges.append(_between(memory, previous, memory.id, EdgeType.NEXT_IN_CONVERSATION, "conversation_id"))
        root = memory.thread_root_id
        if root is not None and root != memory.id and self._exists(MemoryId(root)):
            edges.append(_between(memory, memory.id, root, EdgeType.REPLIES_TO, "thread_root_id"))
        edges += [
            _between(memory, memory.id, source, EdgeType.REFERENCES, "derived_from")
            for source in memory.derived_from
            if source != memory.id
        ]
        return edges

    def _previous(self, memory: Memory) -> MemoryId | None:
        """The conversation's last memory that is not later than this one."""
        conversation = memory.conversation_id
        if conversation is None:
            return None
        earlier = compare("event_time", Op.LTE, memory.event_time)
        page = self.store.page(self.namespace, both(eq("conversation_id", conversation), earlier), limit=1)
        found = [(m.event_time, m.id) for m in page.memories if m.id != memory.id]
        latest = self._latest.get(conversation)
        if latest is not None and latest[0] <= memory.event_time:
            found.append(latest)
        if latest is None or memory.event_time >= latest[0]:
            self._latest[conversation] = (memory.event_time, memory.id)
        return max(found)[1] if found else None

    def _exists(self, memory_id: MemoryId) -> bool:
        return memory_id in self._batch or bool(self.store.get(self.namespace, [memory_id]))


def _between(memory: Memory, source: str, target: str, kind: EdgeType, origin: str) -> Edge:
    return Edge(
        source=Node(NodeKind.MEMORY, source),
        target=Node(NodeKind.MEMORY, target),
        type=kind,
        event_time=memory.event_time,
        origin=origin,
    )


def _document(memory: Memory) -> Sequence[Entity]:
    if memory.source is None or memory.source.file is None:
        return ()
    file = memory.source.file
    return (Entity(id=EntityId(f"document:{file}"), type="document", name=file, aliases=(file.casefold(),)),)
