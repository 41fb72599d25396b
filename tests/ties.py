"""Write small graphs by naming their edges: memories and entities come with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphsvc.models.graph import Edge, EdgeType, NodeKind
from graphsvc.store.base import Store
from tests.builders import edge, entity, entity_node, entry, memory_node


def write(store: Store, edges: Iterable[Edge], *, also: Sequence[str] = (), namespace: str = "default") -> None:
    """Memories and entities as the edges name them, each edge brought by one of its memories."""
    brought: dict[str, list[Edge]] = {name: [] for name in also}
    for one in edges:
        memories = [end.id for end in (one.source, one.target) if end.kind is NodeKind.MEMORY]
        for name in memories:
            brought.setdefault(name, [])
        brought[memories[0]].append(one)
    entries = []
    for name, some in brought.items():
        ends = {end.id for one in some for end in (one.source, one.target) if end.kind is NodeKind.ENTITY}
        known = [entity(one) for one in sorted(ends)]
        entries.append(entry(name, f"about {name}", namespace=namespace, edges=some, entities=known))
    assert all(result.error is None for result in store.put(entries))


def follows(later: str, earlier: str, *, weight: float = 1.0) -> Edge:
    return edge(memory_node(later), memory_node(earlier), EdgeType.NEXT_IN_CONVERSATION, weight=weight)


def mentions(name: str, *entities: str) -> list[Edge]:
    return [edge(memory_node(name), entity_node(one)) for one in entities]
