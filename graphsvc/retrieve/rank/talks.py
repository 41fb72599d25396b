"""Where a candidate stands in its own talk: how well the talk does as a whole, and what came before and after it there.

In a talk the turn that is worded like the question is often the one that brought the matter up, and the turn that
settles it says neither its name nor its kind. So a turn may lean on its talk, and its place in time counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory


@dataclass(frozen=True, slots=True)
class Standing:
    """One turn among those of its talk that score near the best.

    `above` is how far the talk's best stands above it, `later` the share of the others that came after it, in [0, 1],
    `alone` whether there is no other; `changed_since` whether one that came after it speaks of a change.
    """

    above: float = 0.0
    later: float = 0.0
    alone: bool = True
    changed_since: bool = False


ALONE = Standing()


def standings(
    scored: Sequence[tuple[Memory, float]], changing: Iterable[MemoryId], *, within: float
) -> Mapping[MemoryId, Standing]:
    """The standing of every candidate that belongs to a talk; others count that score within `within` of the best."""
    change = frozenset(changing)
    best = max((score for _, score in scored), default=0.0)
    talks: dict[str, list[tuple[Memory, float]]] = {}
    for memory, score in scored:
        if memory.conversation_id is not None:
            talks.setdefault(memory.conversation_id, []).append((memory, score))
    return {
        memory.id: _standing(memory, score, turns, change, best - within)
        for turns in talks.values()
        for memory, score in turns
    }


def _standing(
    memory: Memory, score: float, turns: Sequence[tuple[Memory, float]], change: frozenset[MemoryId], floor: float
) -> Standing:
    others = [(one, its) for one, its in turns if one.id != memory.id]
    near = [one for one, its in others if its >= floor]
    after = [one for one in near if one.event_time > memory.event_time]
    top = max((its for _, its in others), default=score)
    return Standing(
        above=min(1.0, max(0.0, top - score)),
        later=len(after) / len(near) if near else 0.0,
        alone=not near,
        changed_since=any(one.id in change for one in after),
    )
