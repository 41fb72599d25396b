"""Where a memory stands, from the edges of change around it; pure, and the same in whatever order they were drawn.

A memory ends when the earliest of what overturns it wholly begins to hold. What is itself taken back ("ignore my
last message") overturns nothing any more: what it had overturned stands again, as if it had never been said. Members
of a loop hide nobody: no order is guessed among those that would each replace the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from graphsvc.models.base import MemoryId
from graphsvc.models.change import OVERTURNING, TAKEN_BACK, ChangeKind, SlotStatement, Standing, ValueType
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import MemoryStatus

CHANGE_EDGES = tuple(EdgeType(kind.value) for kind in ChangeKind)
OVERTURNING_EDGES = frozenset(EdgeType(kind.value) for kind in OVERTURNING)
# Origins of edges that rules drew; all others are somebody's word.
RULED = "change:"
_VALUELESS = frozenset({ValueType.OPEN, ValueType.YES_NO})
# Verbs that withdraw one's own words, and words that say that all is as it was; neither cancels the thing spoken of.
_WITHDRAWN = re.compile(
    r"当我?没(?:说|讲|提)(?:过)?|(?:忽略|无视|别管|不用管|不必理会|请勿理会)[^，,。]{0,4}(?:上|刚才|前面|之前|那)"
    r"|收回(?:我)?(?:刚才|前面|上面|之前|上一)|(?:还是|仍然?|维持|按照?|照)(?:原来|原计划|原定|原样|老样子|以前|之前)|照旧|一切不变"
    r"|\b(?:ignore|disregard|forget) (?:my|the|that|what i|what was)\b[^.,;]{0,24}"
    r"\b(?:messages?|mails?|e-?mails?|notes?|said|wrote)\b"
    r"|\b(?:i )?(?:take|took) (?:that|it) back\b|\bas (?:before|it was|originally planned)\b|\bback to the original\b",
    re.IGNORECASE,
)


def takes_back(text: str, statements: Iterable[SlotStatement]) -> bool:
    """Whether a text withdraws what was said before and puts no value of its own in its place."""
    return _WITHDRAWN.search(text) is not None and all(
        one.value is None or one.type in _VALUELESS for one in statements
    )


def origin_of(rule: str, *, taking_back: bool) -> str:
    """The origin of an edge that a rule drew."""
    return f"{RULED}{rule}{TAKEN_BACK if taking_back else ''}"


def overturns(edge: Edge) -> bool:
    """Whether an edge ends something of its target, and is none from a memory to itself."""
    return edge.type in OVERTURNING_EDGES and edge.source.id != edge.target.id


def takes_back_words(edge: Edge) -> bool:
    """Whether an edge of change withdraws its target as said, not the thing it speaks of."""
    return edge.type is EdgeType.RETRACTS and edge.whole and edge.origin.endswith(TAKEN_BACK)


@dataclass(frozen=True, slots=True)
class Covering:
    """An edge that overturns a part of a memory, and the span of the part."""

    edge: Edge
    clause: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Fall:
    since: datetime | None
    by: tuple[str, ...]
    retracted: bool

    @property
    def rank(self) -> tuple[bool, float, bool, tuple[str, ...]]:
        """The earliest first, one of unknown time last; of two at once, the one that leaves a value."""
        return self.since is None, self.since.timestamp() if self.since else 0.0, self.retracted, self.by


def standing_of(
    memory_id: str,
    edges: Iterable[Edge],
    *,
    statements: Sequence[SlotStatement] = (),
    partial: Sequence[Covering] = (),
    stale: Iterable[str] = (),
) -> Standing:
    """Where a memory stands, by the overturning edges into it and those around it that take back or close a loop.

    Edges that overturn a part each count once their `partial` spans cover all `statements`; then the memory ends
    with the last part. Edges elsewhere in the graph change nothing.
    """
    known = list({_key(edge): edge for edge in edges if overturns(edge)}.values())
    into = [edge for edge in known if edge.target.id == memory_id]
    counting = _in_force(memory_id, into, known)
    falls = [_Fall(_since(edge), (edge.source.id,), edge.type is EdgeType.RETRACTS) for edge in counting if edge.whole]
    falls += _covered(statements, [one for one in partial if _key(one.edge) in {_key(edge) for edge in counting}])
    told = tuple(MemoryId(one) for one in sorted(set(stale)))
    if not falls:
        return Standing(id=MemoryId(memory_id), stale_sources=told)
    first = min(falls, key=lambda fall: fall.rank)
    together = [fall for fall in falls if (fall.since, fall.retracted) == (first.since, first.retracted)]
    return Standing(
        id=MemoryId(memory_id),
        status=MemoryStatus.RETRACTED if first.retracted else MemoryStatus.SUPERSEDED,
        ended_at=first.since,
        ended_by=tuple(MemoryId(one) for one in sorted({one for fall in together for one in fall.by})),
        stale_sources=told,
    )


def loops_in(edges: Iterable[Edge]) -> list[tuple[MemoryId, ...]]:
    """Memories that wholly overturn one another in a circle, each circle's ids sorted; a memory that does so itself."""
    whole = [edge for edge in edges if edge.whole and edge.type in OVERTURNING_EDGES]
    names = sorted({end for edge in whole for end in (edge.source.id, edge.target.id)})
    if not names:
        return []
    place = {name: index for index, name in enumerate(names)}
    ends = np.array([(place[edge.source.id], place[edge.target.id]) for edge in whole]).T
    table = coo_array((np.ones(len(whole), dtype=np.int8), (ends[0], ends[1])), shape=(len(names), len(names)))
    _, groups = connected_components(table.tocsr(), connection="strong")
    members: dict[int, list[MemoryId]] = defaultdict(list)
    for name, group in zip(names, groups.tolist(), strict=True):
        members[group].append(MemoryId(name))
    itself = {edge.source.id for edge in whole if edge.source.id == edge.target.id}
    return sorted(tuple(one) for one in members.values() if len(one) > 1 or one[0] in itself)


def _in_force(memory_id: str, into: Sequence[Edge], known: Sequence[Edge]) -> list[Edge]:
    """Edges into a memory that are neither part of a loop nor taken back."""
    circle: set[str] = set()
    if not all(edge.origin.startswith(RULED) for edge in known):
        circle = {one for loop in loops_in(known) if memory_id in loop for one in loop}
    takers: dict[str, list[str]] = defaultdict(list)
    for edge in known:
        if takes_back_words(edge):
            takers[edge.target.id].append(edge.source.id)
    withdrawn = {edge.source.id for edge in into if _withdrawn(edge.source.id, takers, frozenset({memory_id}))}
    # Who takes back the last word said of a memory takes back that word, not the memory as well.
    aimed = {one for source in withdrawn for one in takers[source]}
    return [
        edge
        for edge in into
        if edge.source.id not in circle
        and edge.source.id not in withdrawn
        and not (takes_back_words(edge) and edge.source.id in aimed)
    ]


def _withdrawn(name: str, takers: Mapping[str, Sequence[str]], seen: frozenset[str]) -> bool:
    """Whether somebody takes it back whose own word was not taken back; a circle takes nothing back."""
    return any(one not in seen and not _withdrawn(one, takers, seen | {name, one}) for one in takers.get(name, ()))


def _covered(statements: Sequence[SlotStatement], partial: Sequence[Covering]) -> list[_Fall]:
    """The fall of a memory each of whose statements some part overturns."""
    if not statements or len(partial) < 2:
        return []
    firsts: list[_Fall] = []
    for statement in statements:
        bearing = [
            _Fall(_since(one.edge), (one.edge.source.id,), one.edge.type is EdgeType.RETRACTS)
            for one in partial
            if one.clause[0] < statement.end and statement.start < one.clause[1]
        ]
        if not bearing:
            return []
        firsts.append(min(bearing, key=lambda fall: fall.rank))
    last = max(firsts, key=lambda fall: fall.rank)
    by = tuple(sorted({one for fall in firsts for one in fall.by}))
    return [_Fall(last.since, by, all(fall.retracted for fall in firsts))]


def _since(edge: Edge) -> datetime | None:
    return edge.valid_from or edge.event_time


def _key(edge: Edge) -> tuple[str, str, str]:
    return edge.source.id, edge.target.id, str(edge.type)
