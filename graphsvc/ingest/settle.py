"""Find anew where memories stand once edges around them were drawn or went; what it takes is read from the graph.

Nothing is judged of texts here but one thing: which parts of a memory several edges together overturn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.ingest.standing import (
    CHANGE_EDGES,
    OVERTURNING_EDGES,
    RULED,
    Covering,
    overturns,
    standing_of,
    takes_back_words,
)
from graphsvc.ingest.ties import Ties, flat
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Change, SlotStatement, Standing
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import Memory, MemoryStatus

Relation = Callable[[Memory, Memory], Change | None]
Statements = Callable[[Memory], tuple[SlotStatement, ...]]

_QUOTING = (EdgeType.REPEATS, EdgeType.REFERENCES)
# Loops through derived edges alone cannot be: those go from later to earlier. Others are looked for this far.
_LOOP_SEARCH = 256
_DIGESTS = frozenset({"summary", "minutes", "report", "digest", "recap", "纪要", "会议纪要", "总结", "摘要", "报告"})


def is_digest(memory: Memory) -> bool:
    """Whether a memory retells others by its kind of document."""
    return memory.document_type is not None and memory.document_type.casefold() in _DIGESTS


def quotes(memory: Memory) -> bool:
    """Whether a memory may still say what others say no more, without being overturned itself."""
    return bool(memory.derived_from) or is_digest(memory)


def by_hand(memory: Memory) -> bool:
    """Whether somebody took a memory back: no other ended it."""
    return memory.status is MemoryStatus.RETRACTED and not memory.ended_by


@dataclass(slots=True)
class Settling:
    """One pass over a namespace; `fresh` are memories not yet stored, `relation` tells how one bears on another."""

    ties: Ties
    fresh: Mapping[MemoryId, Memory]
    relation: Relation
    statements: Statements

    def standings(self, touched: Collection[str]) -> list[Standing]:
        """Where the touched memories and those that quote them stand, as far as it is not where they stood."""
        if not touched:
            return []
        into = self.ties.into(touched, (*CHANGE_EDGES, EdgeType.REFERENCES))
        quoting = {edge.source.id for edge in flat(into) if edge.type in _QUOTING} - set(touched)
        memories = self._memories([*touched, *quoting])
        quoting = {one for one in quoting if one in memories and quotes(memories[MemoryId(one)])}
        into |= self.ties.into(quoting)
        ids = [one for one in sorted({*touched, *quoting}) if one in memories]
        around = self._around(ids, flat(into))
        found = {one: self._found(memories[MemoryId(one)], into.get(one, ()), around) for one in ids}
        for one in ids:
            stale = self._stale(memories[MemoryId(one)], found)
            if stale:
                found[one] = found[one].model_copy(update={"stale_sources": stale})
        return [found[one] for one in ids if found[one] != self._stood(memories[MemoryId(one)])]

    def _around(self, ids: Sequence[str], known: Sequence[Edge]) -> list[Edge]:
        """The edges that take back what bears on the memories, and those that may close a loop with it."""
        around: list[Edge] = []
        overturning = [edge for edge in known if overturns(edge)]
        sources = {edge.source.id for edge in overturning}
        seen: set[str] = set()
        while sources:
            seen |= sources
            taking = [edge for edge in flat(self.ties.into(sources, (EdgeType.RETRACTS,))) if takes_back_words(edge)]
            around += taking
            sources = {edge.source.id for edge in taking} - seen
        if not all(edge.origin.startswith(RULED) for edge in overturning):
            around += self.ties.beyond(ids, most=_LOOP_SEARCH)[1]
        return around

    def _found(self, memory: Memory, into: Sequence[Edge], around: Sequence[Edge]) -> Standing:
        """By its edges; what somebody took back by hand, with no memory that ended it, no edge gives back."""
        standing = self._standing(memory, into, around)
        return self._stood(memory).model_copy(update={"stale_sources": ()}) if by_hand(memory) else standing

    def _standing(self, memory: Memory, into: Sequence[Edge], around: Sequence[Edge]) -> Standing:
        into, around = self._believed(into), self._believed(around)
        parts = [edge for edge in into if overturns(edge) and not edge.whole]
        if len({edge.source.id for edge in parts}) < 2:
            return standing_of(memory.id, (*into, *around))
        sources = self._memories([edge.source.id for edge in parts])
        partial = []
        for edge in parts:
            later = sources.get(MemoryId(edge.source.id))
            change = None if later is None else self.relation(memory, later)
            if change is not None:
                partial.append(Covering(edge, change.clause))
        return standing_of(memory.id, (*into, *around), statements=self.statements(memory), partial=partial)

    def _believed(self, edges: Sequence[Edge]) -> list[Edge]:
        """Without those of memories that somebody took back: what was never so ended nothing and takes nothing back."""
        sources = self._memories([edge.source.id for edge in edges])
        false = {one for one, memory in sources.items() if by_hand(memory)}
        return [edge for edge in edges if edge.source.id not in false]

    def _stale(self, memory: Memory, found: Mapping[str, Standing]) -> tuple[MemoryId, ...]:
        """The fallen memories whose value it still quotes."""
        if not quotes(memory):
            return ()
        sources = [MemoryId(one) for one in memory.derived_from]
        if is_digest(memory):
            repeated = flat(self.ties.out_of([memory.id], (EdgeType.REPEATS,)))
            sources += [MemoryId(edge.target.id) for edge in repeated]
        known = self._memories(sources)
        fallen = []
        for one in dict.fromkeys(sources):
            source = known.get(one)
            if source is None or one == memory.id:
                continue
            told = source.sender is None or source.sender != memory.sender or one in memory.derived_from
            status = found[one].status if one in found else source.status
            if told and status is not MemoryStatus.ACTIVE:
                fallen.append(one)
        return tuple(sorted(fallen))

    def _stood(self, memory: Memory) -> Standing:
        return Standing(
            id=memory.id,
            status=memory.status,
            ended_at=memory.ended_at,
            ended_by=memory.ended_by,
            stale_sources=memory.stale_sources,
        )

    def _memories(self, ids: Iterable[str]) -> dict[MemoryId, Memory]:
        wanted = [MemoryId(one) for one in dict.fromkeys(ids)]
        found = {one: self.fresh[one] for one in wanted if one in self.fresh}
        missing = [one for one in wanted if one not in found]
        if missing:
            found.update((one.id, one) for one in self.ties.store.get(self.ties.namespace, missing))
        return found


def touched_by(ties: Ties, edges: Iterable[Edge]) -> set[str]:
    """The memories that may stand elsewhere because these edges were drawn or went."""
    touched: set[str] = set()
    reopened: set[str] = set()
    for edge in edges:
        if edge.type in OVERTURNING_EDGES:
            touched.add(edge.target.id)
        if edge.type is EdgeType.REPEATS:
            touched.add(edge.source.id)
        if takes_back_words(edge):
            reopened.add(edge.target.id)
    # What takes back a taking back gives the first word its force again, and so on.
    seen: set[str] = set()
    while reopened:
        seen |= reopened
        out = flat(ties.out_of(reopened, OVERTURNING_EDGES))
        touched |= {edge.target.id for edge in out}
        reopened = {edge.target.id for edge in out if takes_back_words(edge)} - seen
    return touched
