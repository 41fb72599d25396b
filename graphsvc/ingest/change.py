"""On the write path: which memories a new one bears on, the edges of change between them, and where they stand then.

An edge is what the pure relation says of two memories and the talk between them; standings follow from the edges. So
the order of arrival changes nothing: who comes late is related to both sides, and what was said around it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphsvc.change import relate, statements_of
from graphsvc.ingest.nearby import BETWEEN, TURNS, Nearby, tokens_of
from graphsvc.ingest.overrule import overrule
from graphsvc.ingest.settle import Settling, Statements, by_hand, quotes, touched_by
from graphsvc.ingest.standing import OVERTURNING_EDGES, RULED, loops_in, origin_of, takes_back
from graphsvc.ingest.ties import Key, Ties, flat, key_of
from graphsvc.ingest.told import Relate, ToldOnce
from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Change, ChangeKind, Standing
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.models.memory import Memory
from graphsvc.store.base import Store
from graphsvc.store.pages import pages

NEAREST = 32
BATCH = 64

Pair = tuple[MemoryId, MemoryId]


@dataclass(frozen=True, slots=True)
class Worked:
    """What a batch changes: `edges` drawn, those `gone`, and where memories stand that stood elsewhere before."""

    edges: tuple[Edge, ...] = ()
    gone: tuple[Edge, ...] = ()
    standings: tuple[Standing, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edges or self.gone or self.standings)

    def overturned_by(self, memory_id: str) -> tuple[MemoryId, ...]:
        """The memories that one superseded, retracted or corrected."""
        ended = {e.target.id for e in self.edges if e.source.id == memory_id and e.type in OVERTURNING_EDGES}
        return tuple(MemoryId(one) for one in sorted(ended))


@dataclass(frozen=True, slots=True)
class Changes:
    """Change detection over one store; `relation` and `statements` are pure functions of their arguments."""

    store: Store
    relation: Relate = relate
    statements: Statements = statements_of

    def of_batch(self, namespace: str, fresh: Mapping[MemoryId, tuple[Memory, Sequence[str]]]) -> Worked:
        """What memories not yet stored change, given with their search tokens; nothing is written."""
        if not fresh:
            return Worked()
        memories = {one: memory for one, (memory, _) in fresh.items()}
        return _Pass(self, namespace, memories, {one: tokens for one, (_, tokens) in fresh.items()}).run(stored=False)

    def rework(self, namespace: str, ids: Collection[MemoryId], *, by: Act = LOCAL) -> int:
        """Relate stored memories anew and say where they stand; how many edges and standings that changed."""
        changed = 0
        wanted = sorted(ids)
        for start in range(0, len(wanted), BATCH):
            memories = {one.id: one for one in self.store.get(namespace, wanted[start : start + BATCH])}
            tokens = {one: tokens_of(memory) for one, memory in memories.items()}
            worked = _Pass(self, namespace, memories, tokens).run(stored=True)
            if worked:
                self.store.put_standings(namespace, worked.standings, edges=worked.edges, gone=worked.gone, by=by)
            changed += len(worked.edges) + len(worked.gone) + len(worked.standings)
        return changed

    def affected_by(self, namespace: str, ids: Collection[MemoryId]) -> set[MemoryId]:
        """The memories to `rework` once these are deleted: what they overturn or quote, and the turns around them."""
        ties = Ties(self.store, namespace)
        found: set[str] = set()
        wanted = sorted(ids)
        for start in range(0, len(wanted), BATCH):
            some = wanted[start : start + BATCH]
            out = flat(ties.out_of(some))
            found |= {edge.target.id for edge in out} | touched_by(ties, out)
            into = flat(ties.into(some, (EdgeType.REPEATS, EdgeType.REFERENCES)))
            found |= {edge.source.id for edge in into}
            memories = {one.id: one for one in self.store.get(namespace, some)}
            nearby = Nearby(self.store, namespace, memories, dict.fromkeys(memories, ()))
            for memory in memories.values():
                found |= {one.id for one in (*nearby.before(memory), *nearby.after(memory))}
        return {MemoryId(one) for one in found - set(ids)}

    def relink(self, namespace: str, *, on_progress: Callable[[int], None] | None = None, by: Act = LOCAL) -> int:
        """Relate all memories of a namespace anew, as after an upgrade; how many edges and standings that changed."""
        changed = 0
        once = replace(self, relation=ToldOnce(self.relation))
        for memories in pages(self.store, namespace, size=BATCH):
            changed += once.rework(namespace, [memory.id for memory in memories], by=by)
            if on_progress is not None:
                on_progress(len(memories))
        return changed

    def supersede(
        self,
        namespace: str,
        later_id: MemoryId,
        earlier_id: MemoryId,
        *,
        kind: ChangeKind = ChangeKind.SUPERSEDES,
        at: datetime | None = None,
        by: Act = LOCAL,
    ) -> Change:
        """Write down, on somebody's word at `at`, that one memory wholly overturns another.

        Raises `NotFound`, and `ChangeRefused` naming the ids for a memory and itself, for two that would replace
        each other, and for a second successor that has nothing to do with the first.
        """
        change, edge, gone = overrule(self.store, namespace, later_id, earlier_id, kind=kind, at=at)
        ties = Ties(self.store, namespace, {key_of(edge): edge}, {key_of(one): one for one in gone})
        touched = touched_by(ties, (edge, *gone))
        settling = Settling(ties, {}, _Pass(self, namespace, {}, {}).told, self.statements)
        self.store.put_standings(namespace, settling.standings(touched), edges=[edge], gone=gone, by=by)
        return change

    def loops(self, namespace: str) -> list[tuple[MemoryId, ...]]:
        """Memories that overturn one another in a circle, from edges put there by others; the ids of each circle."""
        ties = Ties(self.store, namespace)
        edges: list[Edge] = []
        for memories in pages(self.store, namespace, size=BATCH):
            edges += flat(ties.out_of([memory.id for memory in memories], OVERTURNING_EDGES))
        return loops_in(edges)


@dataclass(slots=True)
class _Pass:
    """One pass over one batch; `fresh` are stored already when they are related anew."""

    changes: Changes
    namespace: str
    fresh: Mapping[MemoryId, Memory]
    tokens: Mapping[MemoryId, Sequence[str]]
    nearby: Nearby = field(init=False)
    ties: Ties = field(init=False)

    def __post_init__(self) -> None:
        self.nearby = Nearby(self.changes.store, self.namespace, self.fresh, self.tokens)
        self.ties = Ties(self.changes.store, self.namespace)

    def run(self, *, stored: bool) -> Worked:
        pairs, spanning = self._pairs()
        existing = self._existing(pairs, spanning, stored=stored)
        found = {pair: self._edge(*ends, redrawn=pair in spanning) for pair, ends in pairs.items()}
        for pair, edge in _nearest(found, pairs).items():
            self._compare(existing.get(frozenset(pair), ()), edge)
        drawn, gone = list(self.ties.drawn.values()), list(self.ties.gone.values())
        touched = touched_by(self.ties, (*drawn, *gone))
        touched |= self._restanding() if stored else {one for one, memory in self.fresh.items() if quotes(memory)}
        unstored = {} if stored else self.fresh
        standings = Settling(self.ties, unstored, self.told, self.changes.statements).standings(touched)
        return Worked(tuple(drawn), tuple(gone), tuple(standings))

    def _restanding(self) -> set[str]:
        """The batch, and what stands again because those of it that had overturned it were taken back by hand."""
        false = [one for one, memory in self.fresh.items() if by_hand(memory)]
        return set(self.fresh) | (touched_by(self.ties, flat(self.ties.out_of(false))) if false else set())

    def _pairs(self) -> tuple[dict[Pair, tuple[Memory, Memory]], set[Pair]]:
        """Pairs to relate, earlier first, and those of them that only have a memory of the batch between them."""
        pairs: dict[Pair, tuple[Memory, Memory]] = {}
        spanning: dict[Pair, tuple[Memory, Memory]] = {}
        for memory in self.fresh.values():
            for other in self.nearby.of(memory).values():
                pairs.setdefault(*_ordered(memory, other))
            before = self.nearby.before(memory)
            for steps, later in enumerate(self.nearby.after(memory)[:BETWEEN]):
                if later.id not in self.fresh:
                    for earlier in before[steps - TURNS :]:
                        spanning.setdefault(*_ordered(earlier, later))
        between = set(spanning) - set(pairs)
        return spanning | pairs, between

    def _existing(
        self, pairs: dict[Pair, tuple[Memory, Memory]], spanning: set[Pair], *, stored: bool
    ) -> dict[frozenset[MemoryId], list[Edge]]:
        """The edges there are between two memories; what was related once is added to the pairs to relate again."""
        edges: list[Edge] = []
        if stored:
            edges += flat(self.ties.into(self.fresh)) + flat(self.ties.out_of(self.fresh))
            self._add_known(pairs, edges)
        if spanning:
            edges += flat(self.ties.out_of({later for _, later in spanning}))
        existing: dict[frozenset[MemoryId], dict[Key, Edge]] = defaultdict(dict)
        for edge in edges:
            existing[frozenset(_ends(edge))][key_of(edge)] = edge
        return {pair: list(some.values()) for pair, some in existing.items()}

    def _add_known(self, pairs: dict[Pair, tuple[Memory, Memory]], edges: Iterable[Edge]) -> None:
        """What was related once is related again, near or not."""
        missing = {one for edge in edges for one in _ends(edge)}
        known = {one.id: one for one in self.changes.store.get(self.namespace, sorted(missing))}
        for edge in edges:
            source, target = known.get(MemoryId(edge.source.id)), known.get(MemoryId(edge.target.id))
            if source is not None and target is not None and source.id != target.id:
                pairs.setdefault(*_ordered(source, target))

    def told(self, earlier: Memory, later: Memory) -> Change | None:
        return self.changes.relation(earlier, later, between=self.nearby.between(earlier, later))

    def _edge(self, earlier: Memory, later: Memory, *, redrawn: bool) -> Edge | None:
        change = self.told(earlier, later)
        if change is None:
            return None
        # What comes to be known by a third memory is known since that one was recorded.
        recorded = [earlier.recorded_at, later.recorded_at]
        recorded += [max(one.recorded_at for one in self.fresh.values())] if redrawn else []
        taking_back = change.kind is ChangeKind.RETRACTS and takes_back(later.text, self.changes.statements(later))
        return drawn_edge(change, later, max(recorded), taking_back=taking_back)

    def _compare(self, existing: Sequence[Edge], edge: Edge | None) -> None:
        """Draw an edge unless it is there, or somebody's own word is; take away what follows no more."""
        if any(not one.origin.startswith(RULED) for one in existing):
            return
        for one in existing:
            if edge is None or not _same(one, edge):
                self.ties.gone[key_of(one)] = one
        if edge is not None and not any(_same(one, edge) for one in existing):
            self.ties.drawn[key_of(edge)] = edge


def drawn_edge(change: Change, later: Memory, recorded_at: datetime, *, taking_back: bool = False) -> Edge:
    """The edge that stands for a change, of the type of that name."""
    return Edge(
        source=Node(NodeKind.MEMORY, change.later),
        target=Node(NodeKind.MEMORY, change.earlier),
        type=EdgeType(change.kind.value),
        weight=change.certainty,
        event_time=later.event_time,
        valid_from=change.since,
        recorded_at=recorded_at,
        slot=change.slot,
        whole=change.whole,
        origin=origin_of(change.rule, taking_back=taking_back),
    )


def _nearest(found: Mapping[Pair, Edge | None], pairs: Mapping[Pair, tuple[Memory, Memory]]) -> dict[Pair, Edge | None]:
    """Without the edges beyond the nearest of a slot, seen from either end; they would say nothing new."""
    by_end: dict[tuple[str, str, str | None], list[Pair]] = defaultdict(list)
    for pair, edge in found.items():
        if edge is not None:
            by_end["earlier", pair[1], edge.slot].append(pair)
            by_end["later", pair[0], edge.slot].append(pair)
    far: set[Pair] = set()
    for (side, _, _), some in by_end.items():
        if len(some) > NEAREST:
            place = 0 if side == "earlier" else 1
            some.sort(key=lambda pair: validity(pairs[pair][place]), reverse=side == "earlier")
            far.update(some[NEAREST:])
    return {pair: edge for pair, edge in found.items() if pair not in far}


def validity(memory: Memory) -> tuple[datetime, str]:
    """What makes one memory later than another: from when it holds, not when it arrived."""
    return memory.begins, memory.id


def _ordered(one: Memory, other: Memory) -> tuple[Pair, tuple[Memory, Memory]]:
    earlier, later = sorted((one, other), key=validity)
    return (earlier.id, later.id), (earlier, later)


def _ends(edge: Edge) -> Pair:
    return MemoryId(edge.target.id), MemoryId(edge.source.id)


def _same(one: Edge, other: Edge) -> bool:
    """Whether two edges say the same; when it was recorded is the first one's."""
    return one.model_copy(update={"recorded_at": None}) == other.model_copy(update={"recorded_at": None})
