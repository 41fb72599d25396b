"""Walk typed edges from the best hits: neighbours lend their score, and may come along.

The walk is bounded at every node, decays with every hop, never leaves the funnel's selection,
and gives the same result each time. What came only by an edge carries the path it came by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.models.answer import Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import Store


@dataclass(frozen=True, slots=True)
class Walk:
    """`decay` is what one hop over an edge of a type keeps of the score; absent types are not walked."""

    decay: Mapping[EdgeType, float]
    seeds: int = 20
    per_node: int = 12
    limit: int = 60


CONTEXT_WALK = Walk(
    decay={
        EdgeType.NEXT_IN_CONVERSATION: 0.15,
        EdgeType.REPLIES_TO: 0.12,
        EdgeType.SUPERSEDES: 0.50,
        EdgeType.RETRACTS: 0.50,
        EdgeType.CONTRADICTS: 0.50,
        EdgeType.REFERENCES: 0.30,
    }
)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory reached over edges: the score that arrived, and the way it took."""

    id: MemoryId
    score: float
    path: tuple[Hop, ...]


def expand(store: Store, namespace: str, seeds: Sequence[tuple[MemoryId, float]], walk: Walk) -> list[Reached]:
    """Memories one hop from the first seeds, the strongest arrival of each, strongest first."""
    starts = {Node(NodeKind.MEMORY, i): score for i, score in seeds[: walk.seeds]}
    edges = store.edges(namespace, list(starts), types=walk.decay, per_node=walk.per_node)
    best: dict[MemoryId, Reached] = {}
    for start, score in starts.items():
        for arrived in _arrivals(start, score, edges.get(start, ()), walk):
            known = best.get(arrived.id)
            if known is None or arrived.score > known.score:
                best[arrived.id] = arrived
    return sorted(best.values(), key=lambda reached: (-reached.score, reached.id))[: walk.limit]


def _arrivals(start: Node, score: float, edges: Iterable[Edge], walk: Walk) -> Iterable[Reached]:
    for edge in edges:
        other = edge.target if edge.source == start else edge.source
        if other.kind is NodeKind.MEMORY and other != start:
            hop = Hop(source=start.id, target=other.id, type=edge.type, weight=edge.weight)
            yield Reached(MemoryId(other.id), score * edge.weight * walk.decay[edge.type], (hop,))
