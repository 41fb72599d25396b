"""How two things are tied: the shortest chains of edges between them, the most telling first.

Both ends are gathered outwards until they meet, within the walk's bounds. A chain through what
everybody shares explains nothing: it is given only where there is no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter

import numpy as np
import numpy.typing as npt

from graphsvc.models.answer import Hop
from graphsvc.models.graph import Edge, Node, NodeKind
from graphsvc.retrieve.expand.arms import Kin, Reader
from graphsvc.retrieve.expand.chains import hop_over
from graphsvc.retrieve.expand.local import FloatArray, IntArray, LocalGraph, gather
from graphsvc.retrieve.expand.related import NEIGHBOURHOOD
from graphsvc.retrieve.expand.walk import Walk
from graphsvc.store.base import Store

_Way = tuple[float, tuple[int, ...]]
"""Strength, negated, and the arcs walked."""


@dataclass(frozen=True, slots=True)
class Pathfinding:
    """Chains of at most `longest` edges, the first `limit` of the shortest; the walk's own hops are of no account."""

    walk: Walk = NEIGHBOURHOOD
    longest: int = 6
    limit: int = 3


DEFAULT_PATHFINDING = Pathfinding()


@dataclass(frozen=True, slots=True)
class Chain:
    """From one end to the other: the nodes passed, the edges between them as stored, the same as walked.

    `strength`, in (0, 1], is what a score keeps along the way. No edges where the ends are one.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    hops: tuple[Hop, ...]
    strength: float


@dataclass(frozen=True, slots=True)
class Paths:
    """Chains of equal length, strongest first; none, and not `truncated`, means there is no chain so short."""

    chains: tuple[Chain, ...] = ()
    truncated: bool = False


def paths(
    store: Store,
    namespace: str,
    a: Collection[Node],
    b: Collection[Node],
    settings: Pathfinding = DEFAULT_PATHFINDING,
    *,
    at: datetime | None = None,
    kin: Kin | None = None,
    timer: Callable[[], float] = perf_counter,
) -> Paths:
    """The shortest chains from any of `a` to any of `b`: each end may be all the entities of one identity.

    `at` leaves out edges that had ended by then, or came later. With `kin`, an entity passed has the edges of
    all that are one with it, and stands at their end.
    """
    ends = sorted({*a, *b})
    if same := sorted({*a} & {*b}):
        return Paths(tuple(Chain((node,), (), (), 1.0) for node in same[: settings.limit]))
    if not a or not b:
        return Paths()
    otherwise: tuple[Chain, ...] = ()
    truncated = False
    for depth in range(1, (settings.longest + 1) // 2 + 1):
        walk = replace(settings.walk, hops=depth)
        graph = gather(store, namespace, dict.fromkeys(ends, 1.0), walk, at=at, kin=kin, timer=timer)
        truncated = graph.truncated
        search = _Search.over(graph, a, b, Reader(store, namespace, walk, at, kin))
        if chains := search.telling(settings.longest, settings.limit):
            return Paths(chains, truncated)
        otherwise = otherwise or search.shortest(settings.longest, settings.limit)
    return Paths(otherwise, truncated)


@dataclass(slots=True)
class _Search:
    """One local graph, searched between the rows of both ends."""

    graph: LocalGraph
    reader: Reader
    begins: IntArray
    goals: IntArray
    share: FloatArray
    shared_by_all: npt.NDArray[np.bool_]

    @classmethod
    def over(cls, graph: LocalGraph, a: Collection[Node], b: Collection[Node], reader: Reader) -> _Search:
        begins, goals = (np.array(sorted(graph.rows[node] for node in ends), dtype=np.int64) for ends in (a, b))
        search = cls(graph, reader, begins, goals, graph.share.copy(), np.zeros(len(graph.nodes), dtype=np.bool_))
        for node, arms in graph.arms.items():
            search.shared_by_all[graph.rows[node]] = node.kind is NodeKind.ENTITY and arms.cut
        # An end is what is asked about, however much hangs on it.
        for ends in (begins, goals):
            search.share[ends] = 1.0
            search.shared_by_all[ends] = False
        return search

    def telling(self, longest: int, limit: int) -> tuple[Chain, ...]:
        """The best chains through nothing that everybody shares."""
        return self._best(longest, limit, barring=True)

    def shortest(self, longest: int, limit: int) -> tuple[Chain, ...]:
        return self._best(longest, limit, barring=False)

    def _best(self, longest: int, limit: int, *, barring: bool) -> tuple[Chain, ...]:
        while True:
            barred = self.shared_by_all if barring else np.zeros_like(self.shared_by_all)
            arcs = self._on_the_way(longest, barred)
            unread = np.unique(self.graph.sources[arcs])
            unread = unread[self.share[unread] == 0.0]
            if not unread.size:
                return tuple(self._chain(way) for way in self._ways(arcs, limit))
            self._measure(unread)

    def _measure(self, rows: IntArray) -> None:
        """Read how much is tied to entities a chain would pass, where the gathering stopped at them."""
        nodes = [self.graph.nodes[row] for row in rows]
        for row, arms in zip(rows, self.reader.arms(nodes).values(), strict=True):
            self.share[row] = arms.share(self.graph.nodes[row])
            self.shared_by_all[row] = arms.cut

    def _on_the_way(self, longest: int, barred: npt.NDArray[np.bool_]) -> IntArray:
        """The arcs that lie on a shortest chain, if there is one of at most so many edges."""
        sources, targets = self.graph.sources, self.graph.targets
        there = self._distances(self.begins, barred, longest)
        back = self._distances(self.goals, barred, longest)
        length = there[self.goals].min()
        on = (there[sources] + 1 == there[targets]) & (there[targets] + back[targets] == length)
        return np.flatnonzero(on & (length <= longest))

    def _distances(self, ends: IntArray, barred: npt.NDArray[np.bool_], longest: int) -> FloatArray:
        distance = np.full(len(self.graph.nodes), np.inf)
        distance[ends] = 0
        for length in range(longest):
            onward = self.graph.targets[distance[self.graph.sources] == length]
            fresh = onward[np.isinf(distance[onward]) & ~barred[onward]]
            if not fresh.size:
                break
            distance[fresh] = length + 1
        return distance

    def _ways(self, arcs: IntArray, limit: int) -> list[_Way]:
        """The strongest of the chains made of these arcs, each pair of nodes tied by its strongest edge."""
        keeps = self.graph.ties * self.share[self.graph.sources]
        between: dict[tuple[int, int], int] = {}
        for arc in arcs.tolist():
            pair = int(self.graph.sources[arc]), int(self.graph.targets[arc])
            if pair not in between or keeps[arc] > keeps[between[pair]]:
                between[pair] = arc
        found: list[_Way] = []
        ways: dict[int, list[_Way]] = {int(row): [(-1.0, ())] for row in self.begins}
        goals = frozenset(self.goals.tolist())
        while ways:
            onward: dict[int, list[_Way]] = {}
            for (source, target), arc in between.items():
                for strength, walked in ways.get(source, ()):
                    onward.setdefault(target, []).append((strength * float(keeps[arc]), (*walked, arc)))
            ways = {row: sorted(some, key=self._order)[:limit] for row, some in onward.items()}
            found += [way for row in goals & ways.keys() for way in ways[row]]
        return sorted(found, key=self._order)[:limit]

    def _order(self, way: _Way) -> tuple[float, tuple[int, ...]]:
        """Strongest first, then by the nodes passed."""
        strength, arcs = way
        passed = (int(row) for arc in arcs for row in (self.graph.sources[arc], self.graph.targets[arc]))
        return strength, tuple(passed)

    def _chain(self, way: _Way) -> Chain:
        strength, arcs = way
        rows = [int(self.graph.sources[arcs[0]]), *(int(self.graph.targets[arc]) for arc in arcs)]
        return Chain(
            nodes=tuple(self.graph.nodes[row] for row in rows),
            edges=tuple(self.graph.edges[int(self.graph.edge_of[arc])] for arc in arcs),
            hops=tuple(hop_over(self.graph, arc) for arc in arcs),
            strength=-strength,
        )
