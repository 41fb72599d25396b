"""Read a node's edges within the caps of a walk: some of each type, those that stood at a time.

Most nodes have few edges and are read whole in one batch. What has more is read again type by type,
so that many of one kind never crowd out the few of another; nobody's edges are ever all read.
An entity known to be one with others has their edges too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.models.base import EntityId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.retrieve.expand.walk import Walk
from graphsvc.store.base import Store
from graphsvc.store.directory import Directory

# How often a list that a past moment thins out is read again, each time this many times as long.
_DEEPER = 2
_LONGER = 4

Kin = Callable[[Sequence[EntityId]], Mapping[EntityId, Sequence[EntityId]]]
"""All that are one with each of some entities, itself too or not; absent where it is alone."""


def kin_of(directory: Directory) -> Kin:
    """Kin as a directory has them: by merges, by the user's table, and by bare names with one bearer."""

    def kin(entities: Sequence[EntityId]) -> dict[EntityId, Sequence[EntityId]]:
        return {member: one.members for one in directory.identities(entities) for member in one.members}

    return kin


@dataclass(frozen=True, slots=True)
class Arms:
    """The edges kept at one node, strongest first within a type; `cut` when there are more."""

    edges: tuple[Edge, ...] = ()
    cut: bool = False

    def share(self, node: Node) -> float:
        """What part of a score each edge away from the node carries on.

        A memory passes its score on; an entity divides it among its edges. One with more edges than were
        read divides it once more by as many: what everybody shares ties nobody to anybody.
        """
        if node.kind is NodeKind.MEMORY or not self.edges:
            return 1.0
        return 1.0 / len(self.edges) ** (2 if self.cut else 1)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads edges of one namespace for one walk; with `at`, only those that stood then."""

    store: Store
    namespace: str
    walk: Walk
    at: datetime | None = None
    kin: Kin | None = None

    def arms(self, nodes: Sequence[Node]) -> dict[Node, Arms]:
        """The arms of each node, by kind and id."""
        entities = sorted(EntityId(node.id) for node in nodes if node.kind is NodeKind.ENTITY)
        related = {} if self.kin is None or not entities else self.kin(entities)
        others = {node: _others(node, related) for node in sorted(nodes)}
        own = self._own({*others, *(one for some in others.values() for one in some)})
        return {node: _united(node, own[node], [own[one] for one in some]) for node, some in others.items()}

    def _own(self, nodes: Iterable[Node]) -> dict[Node, Arms]:
        """The arms of each node alone."""
        wanted = sorted(nodes)
        most = max(self._cap(kind) for kind in self.walk.decay) if self.walk.decay else 0
        read = self.store.edges(self.namespace, wanted, types=self.walk.decay, per_node=most + 1)
        many = [node for node in wanted if len(read[node]) > most]
        deep = self._type_by_type(many)
        return {node: deep[node] if node in deep else self._within_caps(read[node]) for node in wanted}

    def _cap(self, kind: EdgeType) -> int:
        return self.walk.caps.get(kind, self.walk.per_node)

    def _within_caps(self, edges: Iterable[Edge]) -> Arms:
        """A whole list of edges, cut to the cap of each type."""
        kept: list[Edge] = []
        counted: dict[EdgeType, int] = {}
        cut = False
        for edge in edges:
            if self._walked(edge):
                counted[edge.type] = counted.get(edge.type, 0) + 1
                if counted[edge.type] <= self._cap(edge.type):
                    kept.append(edge)
                else:
                    cut = True
        return Arms(tuple(kept), cut)

    def _type_by_type(self, nodes: Sequence[Node]) -> dict[Node, Arms]:
        if not nodes:
            return {}
        kept: dict[Node, list[Edge]] = {node: [] for node in nodes}
        cut: set[Node] = set()
        for kind in sorted(self.walk.decay):
            for node, arms in self._of_type(nodes, kind).items():
                kept[node] += arms.edges
                if arms.cut:
                    cut.add(node)
        return {node: Arms(tuple(edges), node in cut) for node, edges in kept.items()}

    def _of_type(self, nodes: Sequence[Node], kind: EdgeType) -> Mapping[Node, Arms]:
        cap = self._cap(kind)
        found: dict[Node, Arms] = {}
        open_nodes, asked = list(nodes), cap + 1
        for deeper in range(_DEEPER + 1):
            read = self.store.edges(self.namespace, open_nodes, types=[kind], per_node=asked)
            thinned = []
            for node in open_nodes:
                stood = [edge for edge in read[node] if self._walked(edge)]
                more = len(read[node]) == asked
                found[node] = Arms(tuple(stood[:cap]), more or len(stood) > cap)
                if self.at is not None and more and len(stood) < cap and deeper < _DEEPER:
                    thinned.append(node)
            if not thinned:
                break
            open_nodes, asked = thinned, asked * _LONGER
        return found

    def _walked(self, edge: Edge) -> bool:
        if edge.weight <= 0.0:
            return False
        if self.at is None:
            return True
        over = edge.valid_to is not None and edge.valid_to <= self.at
        later = edge.event_time is not None and edge.event_time > self.at
        return not over and not later


def _others(node: Node, related: Mapping[EntityId, Sequence[EntityId]]) -> list[Node]:
    if node.kind is NodeKind.MEMORY:
        return []
    return [Node(node.kind, one) for one in sorted(related.get(EntityId(node.id), ())) if one != node.id]


def _united(node: Node, own: Arms, others: Sequence[Arms]) -> Arms:
    """A node's arms with those of its kin, which end at the node instead; a tie that both have is one."""
    if not others:
        return own
    united = {(edge.source, edge.target, edge.type): edge for edge in own.edges}
    for edge in (edge for arms in others for edge in arms.edges):
        end = "target" if edge.source.kind is NodeKind.MEMORY else "source"
        moved = edge.model_copy(update={end: node})
        united.setdefault((moved.source, moved.target, moved.type), moved)
    return Arms(tuple(united.values()), own.cut or any(arms.cut for arms in others))
