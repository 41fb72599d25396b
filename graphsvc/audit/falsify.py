"""From what has fallen to every earlier answer that rested on it, directly or through what was drawn from it.

An answer falls with a memory whose evidence it handed out, a derived memory with what it was derived from, and so on.
Only an answer given before the fall, and not itself given from what overturned it, can fall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from graphsvc.change.relate import relate
from graphsvc.models.answer import Trace
from graphsvc.models.audit import OverturnedAnswer
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.change import OVERTURNING, Change
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.store.base import EdgeDirection, Store
from graphsvc.store.falsified import Overturning
from graphsvc.store.filters import one_of

# A derivation deeper, or a fall wider, than this is cut off and said so in the log.
DEEPEST = 8
WIDEST = 1_000
_MOST_BEARING = 64
_BATCH = 200
_TYPES = tuple(EdgeType(kind.value) for kind in sorted(OVERTURNING))
_log = structlog.get_logger(__name__)

Relate = Callable[[Memory, Memory], Change | None]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Fall:
    """A memory that fell at `at`: the `clause` of it, or all of it; `since` when it ceased to hold, of a succession."""

    memory: MemoryId
    at: datetime
    cause: str
    by: tuple[MemoryId, ...] = ()
    clause: Span | None = None
    since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A memory or answer that fell because of `roots`, by way of `through`."""

    roots: tuple[MemoryId, ...]
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Falsifier:
    """Walks one store; `clock` dates what is recorded, `relate` tells which clause of a partly overturned text fell."""

    store: Store
    clock: Callable[[], datetime]
    relate: Relate = relate

    def overturned(self, namespace: str, ids: Sequence[MemoryId]) -> list[OverturnedAnswer]:
        """Record the answers that fell with memories overturned by others, and queue the notices; what was new.

        May be called again: an answer falls once by one cause.
        """
        nodes = [Node(NodeKind.MEMORY, one) for one in dict.fromkeys(ids)]
        found = self.store.edges(namespace, nodes, types=_TYPES, direction=EdgeDirection.IN, per_node=_MOST_BEARING)
        falls = self._falls(namespace, [edge for edges in found.values() for edge in edges])
        return self.fell(namespace, falls)

    def catch_up(self, namespace: str) -> list[OverturnedAnswer]:
        """The same for all that any kept answer rests on: what a crash between a write and its record left out.

        Whatever was falsified or revised is caught up with as well.
        """
        rested = self.store.falsified.rested(namespace)
        found: list[OverturnedAnswer] = []
        for start in range(0, len(rested), _BATCH):
            batch = rested[start : start + _BATCH]
            found += self.overturned(namespace, batch)
            found += self.fell(namespace, [fall for one in self.store.get(namespace, batch) for fall in _by_hand(one)])
        return found

    def fell(self, namespace: str, falls: Sequence[Fall]) -> list[OverturnedAnswer]:
        """Record the answers that fell with these, and what rested on those; what was new, oldest answer first."""
        by_cause: dict[str, list[Fall]] = {}
        for one in falls:
            by_cause.setdefault(one.cause, []).append(one)
        fallen = [answer for cause, some in by_cause.items() for answer in self._walk(namespace, cause, some)]
        return self.store.falsified.record(namespace, fallen, at=self.clock()) if fallen else []

    def _falls(self, namespace: str, edges: Sequence[Edge]) -> list[Fall]:
        """The falls by these edges; where the whole memory stands all the same, what overturned it was taken back."""
        ends = {MemoryId(end.id) for edge in edges for end in (edge.source, edge.target)}
        known = {one.id: one for one in self.store.get(namespace, sorted(ends))}
        fallen = {one for one, memory in known.items() if memory.status is not MemoryStatus.ACTIVE}
        return [self._fall(edge, known) for edge in edges if not edge.whole or edge.target.id in fallen]

    def _fall(self, edge: Edge, texts: dict[MemoryId, Memory]) -> Fall:
        later, earlier = MemoryId(edge.source.id), MemoryId(edge.target.id)
        clause = None
        if not edge.whole and later in texts and earlier in texts:
            change = self.relate(texts[earlier], texts[later])
            clause = None if change is None or change.whole else change.clause
        return Fall(
            earlier,
            edge.recorded_at or self.clock(),
            f"by {later}",
            (later,),
            clause,
            (edge.valid_from or edge.event_time) if edge.type is EdgeType.SUPERSEDES else None,
            edge.type.value if edge.slot is None else f"{edge.type.value}: {edge.slot}",
        )

    def _walk(self, namespace: str, cause: str, falls: Sequence[Fall]) -> list[Overturning]:
        """Breadth first, each memory and answer once, so that circles end."""
        roots: dict[MemoryId, Fall] = {}
        for one in sorted(falls, key=lambda fall: (fall.clause is not None, fall.at)):
            roots.setdefault(one.memory, one)  # All of it before a part of it.
        memories = {memory: _Reached((memory,)) for memory in roots}
        answers: dict[TraceId, tuple[Trace, _Reached]] = {}
        fresh = dict(memories)
        for _ in range(DEEPEST):
            fallen = self._answers(namespace, fresh, roots, answers)
            answers |= fallen
            below = {str(one): way for one, way in fresh.items()}
            below |= {str(one.id): _Reached(way.roots, (*way.through, one.id)) for one, way in fallen.values()}
            fresh = self._derived(namespace, below, memories.keys())
            memories |= fresh
            if not fresh or len(memories) > WIDEST:
                break
        if fresh:
            _log.warning("falsification_cut_off", memories=len(memories), answers=len(answers))
        told = sorted(answers.values(), key=lambda pair: (pair[0].created_at, pair[0].id))
        return [Overturning(cause, _record(trace, reached, roots)) for trace, reached in told]

    def _answers(
        self,
        namespace: str,
        fresh: dict[MemoryId, _Reached],
        roots: dict[MemoryId, Fall],
        known: dict[TraceId, tuple[Trace, _Reached]],
    ) -> dict[TraceId, tuple[Trace, _Reached]]:
        """The answers that rest on these memories, save those of another time or another clause."""
        found: dict[TraceId, tuple[Trace, _Reached]] = {}
        for trace in self.store.falsified.resting_on(namespace, sorted(fresh), limit=WIDEST):
            ways = [_way(trace, one, fresh[one], roots) for one in trace.accepted if one in fresh]
            joined = _joined([way for way in ways if way.roots])
            if joined.roots and trace.id not in known:
                found[trace.id] = (trace, joined)
        return found

    def _derived(
        self, namespace: str, below: dict[str, _Reached], known: Iterable[MemoryId]
    ) -> dict[MemoryId, _Reached]:
        """The memories that say they were drawn from one of these memories or answers, not met before."""
        names, seen = sorted(below), set(known)
        found: dict[MemoryId, _Reached] = {}
        for start in range(0, len(names), _BATCH):
            where = one_of("derived_from", names[start : start + _BATCH])
            for one in self.store.page(namespace, where, limit=WIDEST).memories:
                if one.id not in seen:
                    found[one.id] = _joined([below[name] for name in one.derived_from if name in below])
        return {one: _Reached(way.roots, (*way.through, one)) for one, way in found.items()}


def falsified(memory: MemoryId, at: datetime, reason: str) -> Fall:
    """The fall of a memory that somebody took back."""
    return Fall(memory, at, f"falsified {memory}", reason=reason)


def _by_hand(memory: Memory) -> Iterator[Fall]:
    if memory.revision > 1:
        yield Fall(memory.id, memory.recorded_at, f"revised {memory.id}", reason="revised")
    if memory.status is MemoryStatus.RETRACTED and not memory.ended_by:
        yield falsified(memory.id, memory.ended_at or memory.recorded_at, "falsified")


def _way(trace: Trace, memory: MemoryId, reached: _Reached, roots: dict[MemoryId, Fall]) -> _Reached:
    """How an answer was reached over a memory it rests on, from those roots it does fall with."""
    with_it = tuple(root for root in reached.roots if _falls(trace, memory, roots[root], memory == root))
    return _Reached(with_it, reached.through)


def _joined(ways: Sequence[_Reached]) -> _Reached:
    return _Reached(
        tuple(dict.fromkeys(root for way in ways for root in way.roots)),
        tuple(dict.fromkeys(step for way in ways for step in way.through)),
    )


def _falls(trace: Trace, memory: MemoryId, fall: Fall, directly: bool) -> bool:
    """Whether an answer, resting on a memory, falls with it."""
    if trace.created_at > fall.at or set(fall.by) & set(trace.accepted):
        return False
    if trace.created_at == fall.at and set(fall.by) & {one.memory.id for one in trace.candidates}:
        return False
    as_of = None if trace.call is None else trace.call.as_of
    if fall.since is not None and as_of is not None and as_of < fall.since:
        return False  # What held at that moment still did.
    if not directly or fall.clause is None:
        return True
    start, end = fall.clause
    spans = [(one.start, one.end) for one in trace.rests if one.memory_id == memory]
    return not spans or any(left < end and start < right for left, right in spans)


def _record(trace: Trace, reached: _Reached, roots: dict[MemoryId, Fall]) -> OverturnedAnswer:
    falls = [roots[one] for one in reached.roots]
    return OverturnedAnswer(
        trace_id=trace.id,
        namespace=trace.namespace,
        question=trace.question.text if trace.call is None else trace.call.text,
        answered_at=trace.created_at,
        overturned_at=min(one.at for one in falls),
        because=tuple(one.memory for one in falls),
        by=tuple(dict.fromkeys(by for one in falls for by in one.by)),
        through=reached.through,
        reason="; ".join(dict.fromkeys(one.reason for one in falls if one.reason)),
    )
