"""Gather the part of the graph around some nodes, once, as a small graph in CSR order.

Nodes are admitted hop by hop, within a hop the strongest first, until the budget is spent: so the
nearest come first, a larger budget only adds, and the order of anything given or stored is of no
account. Every hop asks the store again whether the memories it reached are of the namespace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter

import numpy as np
import numpy.typing as npt

from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.retrieve.expand.arms import Arms, Kin, Reader
from graphsvc.retrieve.expand.walk import Walk
from graphsvc.store.base import Store
from graphsvc.store.filters import one_of

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
EdgeKey = tuple[Node, Node, EdgeType]


@dataclass(frozen=True, slots=True)
class LocalGraph:
    """Nodes by kind and id, each edge once, and two arcs an edge, ordered by target, source and edge.

    `sources`, `targets` and `edge_of` (arcs,) say where an arc leads and
    whose it is, `ties` (arcs,) hold decay times weight, in (0, 1]. `share` (n,) is what part each arc away
    from a node carries on: 0 for an entity whose edges were not read. `arms` are those that were.
    """

    nodes: tuple[Node, ...]
    rows: Mapping[Node, int]
    edges: tuple[Edge, ...]
    sources: IntArray
    targets: IntArray
    edge_of: IntArray
    ties: FloatArray
    share: FloatArray
    arms: Mapping[Node, Arms]
    truncated: bool

    @property
    def factors(self) -> FloatArray:
        """What each arc keeps of a score, shape (arcs,)."""
        return self.ties * self.share[self.sources]


def gather(
    store: Store,
    namespace: str,
    starts: Mapping[Node, float],
    walk: Walk,
    *,
    at: datetime | None = None,
    kin: Kin | None = None,
    timer: Callable[[], float] = perf_counter,
) -> LocalGraph:
    """The graph within the walk's bounds around the starts, each with the score it sets out with.

    `truncated` when a cap, the budget or the time limit left something out.
    """
    gathering = _Gathering(Reader(store, namespace, walk, at, kin), dict(starts))
    frontier: Sequence[Node] = sorted(starts)
    deadline = None if walk.time_limit_s is None else timer() + walk.time_limit_s
    for _ in range(walk.hops):
        if not frontier:
            break
        if deadline is not None and timer() >= deadline:
            gathering.truncated = True
            break
        frontier = gathering.step(frontier)
    return _assembled(gathering, walk)


@dataclass(slots=True)
class _Gathering:
    """What is admitted so far, with the strength it was admitted at."""

    reader: Reader
    strength: dict[Node, float]
    reached: int = 0
    memories: int = 0
    truncated: bool = False
    edges: dict[EdgeKey, Edge] = field(default_factory=dict)
    arms: dict[Node, Arms] = field(default_factory=dict)

    def step(self, frontier: Sequence[Node]) -> list[Node]:
        """One hop on from the nodes admitted last; those that are new, nothing once the budget is spent."""
        arriving: dict[Node, float] = {}
        for node, arms in self.reader.arms(frontier).items():
            self.arms[node] = arms
            self.truncated |= arms.cut
            lent = self.strength[node] * arms.share(node)
            for edge in arms.edges:
                self.edges[edge.source, edge.target, edge.type] = edge
                other = edge.target if edge.source == node else edge.source
                if other not in self.strength:
                    arrived = lent * edge.weight * self.reader.walk.decay[edge.type]
                    arriving[other] = max(arrived, arriving.get(other, 0.0))
        return self._admit(arriving)

    def _admit(self, arriving: Mapping[Node, float]) -> list[Node]:
        ordered = sorted(arriving, key=lambda node: (-arriving[node], node))
        chosen = self._within_budget(ordered)
        # The first that found no room is looked at too: it alone says that something was cut.
        looked_at = ordered[: len(chosen) + 1]
        if len(self._ours(looked_at)) < len(looked_at):
            ordered = self._ours(ordered)
            chosen = self._within_budget(ordered)
        self.strength |= {node: arriving[node] for node in chosen}
        self.reached += len(chosen)
        self.memories += sum(node.kind is NodeKind.MEMORY for node in chosen)
        if len(chosen) < len(ordered):
            self.truncated = True
            return []
        return chosen

    def _within_budget(self, ordered: Sequence[Node]) -> list[Node]:
        """The first of these: a prefix, so that a larger budget only adds."""
        chosen: list[Node] = []
        room = self.reader.walk.limit - self.memories
        for node in ordered[: self.reader.walk.nodes - self.reached]:
            room -= node.kind is NodeKind.MEMORY
            if room < 0:
                break
            chosen.append(node)
        return chosen

    def _ours(self, nodes: Sequence[Node]) -> list[Node]:
        """Those that are no memories of elsewhere. The store walls namespaces; this is the second lock."""
        store, namespace = self.reader.store, self.reader.namespace
        ids = [MemoryId(node.id) for node in nodes if node.kind is NodeKind.MEMORY]
        if not ids or store.select(namespace, one_of("id", ids)).count == len(ids):
            return list(nodes)
        known = {memory.id for memory in store.get(namespace, ids)}
        return [node for node in nodes if node.kind is not NodeKind.MEMORY or node.id in known]


def _assembled(gathering: _Gathering, walk: Walk) -> LocalGraph:
    nodes = tuple(sorted(gathering.strength))
    rows = {node: row for row, node in enumerate(nodes)}
    keys = sorted(key for key in gathering.edges if key[0] != key[1] and key[0] in rows and key[1] in rows)
    edges = tuple(gathering.edges[key] for key in keys)
    ends = np.array([(rows[source], rows[target]) for source, target, _ in keys], dtype=np.int64).reshape(-1, 2)
    sources, targets = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
    edge_of = np.tile(np.arange(len(edges)), 2)
    order = np.lexsort((edge_of, sources, targets))
    ties = np.array([edge.weight * walk.decay[edge.type] for edge in edges], dtype=np.float64)
    return LocalGraph(
        nodes=nodes,
        rows=rows,
        edges=edges,
        sources=sources[order],
        targets=targets[order],
        edge_of=edge_of[order],
        ties=ties[edge_of[order]],
        share=np.array([_share(node, gathering.arms.get(node)) for node in nodes], dtype=np.float64),
        arms=gathering.arms,
        truncated=gathering.truncated,
    )


def _share(node: Node, arms: Arms | None) -> float:
    if node.kind is NodeKind.MEMORY:
        return 1.0
    return 0.0 if arms is None else arms.share(node)
