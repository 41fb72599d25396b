"""The edges of change of a namespace as they will be: those stored, without those that go, and those drawn anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from graphsvc.ingest.standing import CHANGE_EDGES, OVERTURNING_EDGES
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import EdgeDirection, Store

# More edges than one memory can have of changes to or from the nearest of a few slots.
_PER_NODE = 400

Key = tuple[str, str, str]


def key_of(edge: Edge) -> Key:
    return edge.source.id, edge.target.id, str(edge.type)


@dataclass(slots=True)
class Ties:
    """Edges between memories by either end; `drawn` and `gone` are not yet written."""

    store: Store
    namespace: str
    drawn: dict[Key, Edge] = field(default_factory=dict)
    gone: dict[Key, Edge] = field(default_factory=dict)

    def into(self, ids: Iterable[str], types: Iterable[EdgeType] = CHANGE_EDGES) -> dict[str, list[Edge]]:
        return self._at(ids, types, EdgeDirection.IN, lambda edge: edge.target.id)

    def out_of(self, ids: Iterable[str], types: Iterable[EdgeType] = CHANGE_EDGES) -> dict[str, list[Edge]]:
        return self._at(ids, types, EdgeDirection.OUT, lambda edge: edge.source.id)

    def beyond(self, starts: Iterable[str], *, most: int) -> tuple[set[str], list[Edge]]:
        """What memories wholly overturn, and what those do in turn, with the edges between; stops after `most`."""
        seen = set(starts)
        level = sorted(seen)
        walked: list[Edge] = []
        while level and len(seen) <= most:
            found = [edge for edge in flat(self.out_of(level, OVERTURNING_EDGES)) if edge.whole]
            walked += found
            level = sorted({edge.target.id for edge in found} - seen)
            seen.update(level)
        return seen, walked

    def _at(
        self, ids: Iterable[str], types: Iterable[EdgeType], direction: EdgeDirection, end: Callable[[Edge], str]
    ) -> dict[str, list[Edge]]:
        wanted = dict.fromkeys(ids)
        kinds = frozenset(types)
        if not wanted:
            return {}
        nodes = [Node(NodeKind.MEMORY, one) for one in wanted]
        stored = self.store.edges(self.namespace, nodes, types=kinds, direction=direction, per_node=_PER_NODE)
        found: dict[str, dict[Key, Edge]] = defaultdict(dict)
        for node, edges in stored.items():
            found[node.id] = {key_of(edge): edge for edge in edges if key_of(edge) not in self.gone}
        for key, edge in self.drawn.items():
            if edge.type in kinds and end(edge) in wanted:
                found[end(edge)][key] = edge
        return {one: list(edges.values()) for one, edges in found.items() if edges}


def flat(edges: Mapping[str, Iterable[Edge]]) -> list[Edge]:
    """All of the edges found, each once."""
    return list({key_of(edge): edge for some in edges.values() for edge in some}.values())
