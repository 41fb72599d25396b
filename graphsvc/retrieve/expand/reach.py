"""Expand hits over typed edges: what they reach, with the score that arrived and the way it took.

Bounded at every node and in all, decaying with every hop, divided where an entity is shared, never
out of the namespace, and the same each time. The hits' own neighbours are kept before any further node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

import numpy as np

from graphsvc.models.answer import Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Node, NodeKind
from graphsvc.retrieve.expand.arms import Kin
from graphsvc.retrieve.expand.chains import Chains, strongest
from graphsvc.retrieve.expand.local import gather
from graphsvc.retrieve.expand.walk import Reached, Walk
from graphsvc.store.base import Store


@dataclass(frozen=True, slots=True)
class Reach:
    """Memories reached, strongest first, ties by id; seeds among them where another seed lends to them.

    `hops` are the edges those scores came over, each once. `truncated` when a cap on the edges of a
    node, the budget of nodes or memories, or the time limit left something out.
    """

    reached: tuple[Reached, ...] = ()
    hops: tuple[Hop, ...] = ()
    truncated: bool = False


def expand(
    store: Store,
    namespace: str,
    seeds: Iterable[tuple[MemoryId, float]],
    walk: Walk,
    *,
    at: datetime | None = None,
    kin: Kin | None = None,
    timer: Callable[[], float] = perf_counter,
) -> Reach:
    """Walk from the strongest seeds; `at` leaves out edges that had ended by then, or came later.

    With `kin`, an entity passed has the edges of all that are one with it.
    A seed's score counts from 0 up, of one given twice the higher; nothing reached has more than its
    seed. `timer` (seconds) is read only where the walk has a time limit.
    """
    scores: dict[Node, float] = {}
    for memory_id, score in seeds:
        node = Node(NodeKind.MEMORY, memory_id)
        scores[node] = max(score, scores.get(node, 0.0))
    starts = sorted(scores, key=lambda node: (-scores[node], node))[: walk.seeds]
    if not starts:
        return Reach()
    graph = gather(store, namespace, {node: scores[node] for node in starts}, walk, at=at, kin=kin, timer=timer)
    reached = memories_of(strongest(graph, starts, [scores[node] for node in starts], walk.hops), starts)
    return Reach(reached, hops_of([one.path for one in reached]), graph.truncated)


def memories_of(chains: Chains, starts: Sequence[Node]) -> tuple[Reached, ...]:
    """The memories that a chain leads to, each by its strongest, strongest first."""
    arrived = chains.arrivals(starts)
    columns = arrived.argmax(axis=1)
    found = [
        Reached(MemoryId(node.id), float(arrived[row, columns[row]]), chains.way(row, int(columns[row])))
        for row, node in enumerate(chains.graph.nodes)
        if node.kind is NodeKind.MEMORY and np.isfinite(arrived[row, columns[row]])
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.id)))


def hops_of(paths: Iterable[Sequence[Hop]]) -> tuple[Hop, ...]:
    """The hops of all paths, each once, in the order met."""
    return tuple(dict.fromkeys(hop for path in paths for hop in path))
