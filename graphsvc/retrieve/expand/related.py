"""What hangs on some nodes: personalised PageRank over the local graph around them.

A walker sets out from the starts, follows edges by their weight and type, and is called back with
probability 1 - damping at each step (Jeh & Widom 2003); an entity too well connected to be read
whole sends most of its walkers back. Scores add up to 1 and are the same each time, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter

import numpy as np
from scipy import sparse

from graphsvc.models.answer import Hop
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.graph import Node, NodeKind
from graphsvc.retrieve.expand.arms import Kin
from graphsvc.retrieve.expand.chains import Chains, strongest
from graphsvc.retrieve.expand.local import FloatArray, LocalGraph, gather
from graphsvc.retrieve.expand.reach import hops_of
from graphsvc.retrieve.expand.walk import GRAPH_WALK, Reached, Walk
from graphsvc.store.base import Store

NEIGHBOURHOOD = replace(GRAPH_WALK, per_node=64, hops=2, nodes=2_000, limit=2_000)


@dataclass(frozen=True, slots=True)
class Relating:
    """`tolerance` bounds the change of all scores together in the last round, hence their error to six times that.

    `limit` is how many memories, and how many entities, come back.
    """

    walk: Walk = NEIGHBOURHOOD
    damping: float = 0.85
    tolerance: float = 1e-10
    limit: int = 60

    def __post_init__(self) -> None:
        if not 0.0 < self.damping < 1.0 or self.tolerance <= 0.0:
            raise ValueError("damping lies between 0 and 1, tolerance above 0")


DEFAULT_RELATING = Relating()


@dataclass(frozen=True, slots=True)
class ReachedEntity:
    """An entity among what is related: its score, and the strongest way to it."""

    id: EntityId
    score: float
    path: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Memories and entities by score, ties by id, without the starts; `hops` are those of their paths.

    A score is the share of time the walker spends there, in (0, 1).
    """

    memories: tuple[Reached, ...] = ()
    entities: tuple[ReachedEntity, ...] = ()
    hops: tuple[Hop, ...] = ()
    truncated: bool = False


def related(
    store: Store,
    namespace: str,
    starts: Sequence[Node],
    settings: Relating = DEFAULT_RELATING,
    *,
    at: datetime | None = None,
    kin: Kin | None = None,
    timer: Callable[[], float] = perf_counter,
) -> Related:
    """What hangs on the starts, taken together; `at` leaves out edges that had ended by then, or came later.

    With `kin`, an entity has the edges of all that are one with it.
    """
    given = frozenset(starts)
    begins = sorted(given)
    if not begins:
        return Related()
    graph = gather(store, namespace, dict.fromkeys(begins, 1.0), settings.walk, at=at, kin=kin, timer=timer)
    restart = np.zeros(len(graph.nodes))
    restart[[graph.rows[node] for node in begins]] = 1.0 / len(begins)
    scores = pagerank(graph, restart, damping=settings.damping, tolerance=settings.tolerance)
    chains = strongest(graph, begins, [1.0] * len(begins), settings.walk.hops)
    ranked = sorted(
        (row for row, node in enumerate(graph.nodes) if node not in given and scores[row] > 0.0),
        key=lambda row: (-scores[row], graph.nodes[row]),
    )
    memories = _first(ranked, graph, NodeKind.MEMORY, settings.limit)
    entities = _first(ranked, graph, NodeKind.ENTITY, settings.limit)
    near = tuple(Reached(MemoryId(graph.nodes[row].id), float(scores[row]), _way(chains, row)) for row in memories)
    around = tuple(
        ReachedEntity(EntityId(graph.nodes[row].id), float(scores[row]), _way(chains, row)) for row in entities
    )
    ways = [*(one.path for one in near), *(one.path for one in around)]
    return Related(near, around, hops_of(ways), graph.truncated)


def pagerank(graph: LocalGraph, restart: FloatArray, *, damping: float, tolerance: float) -> FloatArray:
    """Scores (n,), adding up to 1, by power iteration; what a node does not pass on goes back to `restart` (n,)."""
    size = len(graph.nodes)
    ties = sparse.csr_array((graph.ties, (graph.targets, graph.sources)), shape=(size, size))
    leaving = np.asarray(ties.sum(axis=0), dtype=np.float64).ravel()
    passed = np.divide(_passed_on(graph, restart), leaving, out=np.zeros(size), where=leaving > 0.0)
    scores = restart
    # The change shrinks by the damping each round: as many as it takes from 2, the largest there can be.
    for _ in range(int(np.ceil(np.log(tolerance / 2.0) / np.log(damping))) + 1):
        spread = damping * (ties @ (scores * passed))
        moved = spread + (1.0 - spread.sum()) * restart
        change = np.abs(moved - scores).sum()
        scores = moved
        if change < tolerance:
            break
    return scores


def _passed_on(graph: LocalGraph, restart: FloatArray) -> FloatArray:
    """What part of its score each node passes on: all of it, but for entities that are more than was read of them."""
    parts = np.ones(len(graph.nodes))
    for node, arms in graph.arms.items():
        row = graph.rows[node]
        if node.kind is NodeKind.ENTITY and arms.cut and restart[row] == 0.0 and arms.edges:
            parts[row] = 1.0 / len(arms.edges)
    return parts


def _first(ranked: Sequence[int], graph: LocalGraph, kind: NodeKind, limit: int) -> list[int]:
    return [row for row in ranked if graph.nodes[row].kind is kind][:limit]


def _way(chains: Chains, row: int) -> tuple[Hop, ...]:
    return chains.way(row, int(chains.best[row].argmax()))
