"""The strongest way from each start to each node of a local graph, as a product of what its hops keep.

Rounds of relaxation over the arcs, one a hop, all starts at once (Bellman 1958, in the max-product
semiring). A longer way replaces a shorter one only when it is truly stronger; ties go to the lower id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.models.answer import Hop
from graphsvc.models.graph import Node
from graphsvc.retrieve.expand.local import FloatArray, IntArray, LocalGraph


@dataclass(frozen=True, slots=True)
class Chains:
    """`best` (n, starts) is the score that arrived, -inf where nothing did; at its own start, the start's.

    `via` (hops, n, starts) is the arc by which a node's score rose at each hop, -1 where it did not.
    """

    graph: LocalGraph
    best: FloatArray
    via: IntArray

    def arrivals(self, starts: Sequence[Node]) -> FloatArray:
        """As `best`, without each start's own score: what others lent it stays."""
        others = self.best.copy()
        for column, start in enumerate(starts):
            others[self.graph.rows[start], column] = -np.inf
        return others

    def way(self, row: int, column: int) -> tuple[Hop, ...]:
        """The hops from a start to a node, in the order walked."""
        hops: list[Hop] = []
        for hop in range(len(self.via) - 1, -1, -1):
            arc = int(self.via[hop, row, column])
            if arc >= 0:
                hops.append(hop_over(self.graph, arc))
                row = int(self.graph.sources[arc])
        return tuple(reversed(hops))


def strongest(graph: LocalGraph, starts: Sequence[Node], scores: Sequence[float], hops: int) -> Chains:
    """Every node's best score from each start within so many hops."""
    best = np.full((len(graph.nodes), len(starts)), -np.inf)
    for column, (start, score) in enumerate(zip(starts, scores, strict=True)):
        best[graph.rows[start], column] = score
    via = np.full((hops, *best.shape), -1, dtype=np.int64)
    keeps = graph.factors
    arcs = np.flatnonzero(keeps)
    if not arcs.size:
        return Chains(graph, best, via)
    firsts = np.flatnonzero(np.diff(graph.targets[arcs], prepend=-1))
    reached = graph.targets[arcs][firsts]
    lengths = np.diff(firsts, append=arcs.size)
    for hop in range(hops):
        offered = best[graph.sources[arcs]] * keeps[arcs, None]
        top = np.maximum.reduceat(offered, firsts, axis=0)
        winners = np.where(offered == np.repeat(top, lengths, axis=0), arcs[:, None], len(graph.sources))
        winner = np.minimum.reduceat(winners, firsts, axis=0)
        risen = top > best[reached]
        if not risen.any():
            break
        via[hop, reached] = np.where(risen, winner, -1)
        best[reached] = np.where(risen, top, best[reached])
    return Chains(graph, best, via)


def hop_over(graph: LocalGraph, arc: int) -> Hop:
    """An arc as a hop, from where it was walked to where it led."""
    edge = graph.edges[int(graph.edge_of[arc])]
    source, target = graph.nodes[int(graph.sources[arc])], graph.nodes[int(graph.targets[arc])]
    return Hop(source=source.id, target=target.id, type=edge.type, weight=edge.weight)
