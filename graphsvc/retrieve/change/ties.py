"""The edges of change at the candidates of a question, and the memories at their other ends.

An edge leads from the later memory to the earlier. It counts where both memories had been said when the question was
asked, and where edge and memories were recorded by the moment whose knowledge is asked for. What the store says of
where a memory stands is derived from all its edges; where some do not count it is derived anew from those that do.
What somebody took back by hand no edge gives back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphsvc.models.base import MemoryId
from graphsvc.models.change import TAKEN_BACK
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.config import CHANGE_EDGES
from graphsvc.store.base import Store, Where
from graphsvc.store.filters import matches
from graphsvc.store.known import as_known

OVERTURNING = CHANGE_EDGES - {EdgeType.CONTRADICTS}
_READ = tuple(sorted(CHANGE_EDGES))
# Whose edges are read among the candidates, beside those of which the store says that they fell.
MOST_READ = 12
_PER_NODE = 64


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge of change between two memories; `since` is the moment from which the earlier one no longer holds."""

    kind: EdgeType
    later: MemoryId
    earlier: MemoryId
    slot: str | None
    whole: bool
    since: datetime
    weight: float
    takes_back: bool = False

    @property
    def ends(self) -> frozenset[MemoryId]:
        return frozenset({self.later, self.earlier})


@dataclass(frozen=True, slots=True)
class Ties:
    """What is tied by change to the candidates of one search; `memories` are all ends, `ended_at` those that fell."""

    memories: Mapping[MemoryId, Memory] = field(default_factory=dict)
    overturning: tuple[Tie, ...] = ()
    contradicting: tuple[Tie, ...] = ()
    ended_at: Mapping[MemoryId, datetime] = field(default_factory=dict)

    def ended(self, moment: datetime) -> frozenset[MemoryId]:
        """The memories of which nothing holds any more at a moment."""
        return frozenset(one for one, at in self.ended_at.items() if at <= moment)


def read_ties(
    store: Store, namespace: str, memories: Sequence[Memory], *, asked_at: datetime, known_at: datetime | None
) -> Ties:
    """The ties of some memories, best first, and of those they are tied to."""
    fell = [one for one in memories[MOST_READ:] if one.status is not MemoryStatus.ACTIVE]
    first = _edges(store, namespace, [one.id for one in (*memories[:MOST_READ], *fell)])
    known = {one.id: one for one in as_known(store, namespace, memories, known_at)}
    others = sorted({MemoryId(end.id) for edge in first for end in (edge.source, edge.target)} - known.keys())
    if others:
        known |= {one.id: one for one in as_known(store, namespace, store.get(namespace, others), known_at)}
    edges = {(edge.source, edge.target, edge.type): edge for edge in (*first, *_edges(store, namespace, others))}
    seen = {one.id: one for one in known.values() if _seen(one, asked_at, known_at)}
    counting = [edge for edge in edges.values() if _counts(edge, seen, known_at)]
    left_out = {
        MemoryId(edge.target.id) for edge in edges.values() if edge not in counting and _told(edge, known, known_at)
    }
    ties = [_tie(edge, seen) for edge in counting]
    # What somebody took back by hand was never so: it overturns nothing.
    overturning = in_force([one for one in ties if one.kind in OVERTURNING and not _by_hand(seen[one.later])])
    ends = {end for tie in ties for end in tie.ends}
    return Ties(
        {one: seen[one] for one in sorted(ends)},
        restored(ties, overturning),
        tuple(one for one in ties if one.kind not in OVERTURNING),
        _ended(seen.values(), overturning, left_out),
    )


def in_force(ties: Sequence[Tie]) -> tuple[Tie, ...]:
    """The overturning ties without those of a memory that was itself taken back."""
    takers = {tie.earlier: tie.later for tie in ties if tie.takes_back}
    withdrawn = {tie for tie in ties if _taken_back(tie.later, takers)}
    # Who takes back the last word said of a memory takes back that word, not the memory as well.
    aimed = {(takers[tie.later], tie.earlier) for tie in withdrawn}
    return tuple(
        tie for tie in ties if tie not in withdrawn and not (tie.takes_back and (tie.later, tie.earlier) in aimed)
    )


def restored(ties: Sequence[Tie], standing: Sequence[Tie]) -> tuple[Tie, ...]:
    """The standing ties; what stands again since its successor was taken back stands for that one now."""
    given: list[Tie] = []
    for tie in ties:
        if tie.kind not in OVERTURNING or tie in standing:
            continue
        given += [
            replace(one, later=tie.earlier, takes_back=False, slot=tie.slot)
            for one in standing
            if one.takes_back and one.earlier == tie.later
        ]
    emptied = {one.earlier for one in given}
    return (*(one for one in standing if not (one.takes_back and one.earlier in emptied)), *given)


def may_join(memory: Memory, ties: Ties, question: Question, *, where: Where | None, as_of: datetime | None) -> bool:
    """Whether a memory that an edge of change leads to may be shown: in the caller's filter, and holding by then."""
    if where is not None and not matches(memory, where):
        return False
    if memory.expires_at is not None and memory.expires_at <= question.asked_at:
        return False
    if as_of is None and question.validity is Validity.HISTORICAL:
        return True
    moment = question.asked_at if as_of is None else as_of
    begun = min((memory.begins, *(one.since for one in ties.overturning if one.later == memory.id)))
    return begun <= moment and (memory.valid_to is None or memory.valid_to > moment)


def _edges(store: Store, namespace: str, ids: Sequence[MemoryId]) -> list[Edge]:
    if not ids:
        return []
    found = store.edges(namespace, [Node(NodeKind.MEMORY, one) for one in ids], types=_READ, per_node=_PER_NODE)
    return [edge for node in sorted(found) for edge in found[node]]


def _seen(memory: Memory, asked_at: datetime, known_at: datetime | None) -> bool:
    return memory.event_time <= asked_at and (known_at is None or memory.recorded_at <= known_at)


def _counts(edge: Edge, seen: Mapping[MemoryId, Memory], known_at: datetime | None) -> bool:
    """An edge that does not say when it was recorded was known with its memories."""
    known = known_at is None or edge.recorded_at is None or edge.recorded_at <= known_at
    return known and edge.weight > 0.0 and {edge.source.id, edge.target.id} <= seen.keys()


def _told(edge: Edge, known: Mapping[MemoryId, Memory], known_at: datetime | None) -> bool:
    """Whether where its earlier memory stands may come of an edge that does not count.

    Where memories stood by what was known then is known, unless by an edge that says it was recorded later.
    """
    if known_at is None or edge.recorded_at is None or edge.recorded_at <= known_at:
        return True
    fallen = known.get(MemoryId(edge.target.id))
    return fallen is not None and edge.source.id in fallen.ended_by


def _tie(edge: Edge, seen: Mapping[MemoryId, Memory]) -> Tie:
    later, earlier = MemoryId(edge.source.id), MemoryId(edge.target.id)
    since = edge.valid_from or seen[later].begins
    back = edge.type is EdgeType.RETRACTS and edge.whole and edge.origin.endswith(TAKEN_BACK)
    return Tie(edge.type, later, earlier, edge.slot, edge.whole, since, edge.weight, back)


def _taken_back(memory: MemoryId, takers: Mapping[MemoryId, MemoryId], seen: frozenset[MemoryId] = frozenset()) -> bool:
    taker = takers.get(memory)
    if taker is None or taker in seen:
        return False
    return not _taken_back(taker, takers, seen | {memory, taker})


def _by_hand(memory: Memory) -> bool:
    return memory.status is MemoryStatus.RETRACTED and not memory.ended_by


def _ended(memories: Iterable[Memory], ties: Sequence[Tie], left_out: set[MemoryId]) -> dict[MemoryId, datetime]:
    """When each memory that fell did: as the store has it, or from the ties that count where some do not."""
    found: dict[MemoryId, datetime] = {}
    for one in memories:
        if one.id not in left_out or _by_hand(one):
            if one.status is not MemoryStatus.ACTIVE:
                found[one.id] = one.ended_at or one.event_time
            continue
        falls = [tie.since for tie in ties if tie.earlier == one.id and tie.whole]
        if falls:
            found[one.id] = min(falls)
    return found
