"""Read a turn of a conversation together with the turns beside it.

"Three times a week" answers what the turn before it asked, and holds no word of it. So each question
token may take its best match from an adjacent turn as well, at a share of what that adds; the turn
before counts for more than the one after, since it is what a turn replies to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import LateScores, best_matches, summed
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType


@dataclass(frozen=True, slots=True)
class Shares:
    """What part of a neighbour's better match counts, in [0, 1]; chosen on three conversations of LoCoMo."""

    before: float = 0.75
    after: float = 0.5


DEFAULT_SHARES = Shares()


@dataclass(frozen=True, slots=True)
class Beside:
    """The turns next to one: the one it follows and the one that follows it."""

    before: MemoryId | None = None
    after: MemoryId | None = None


def beside(edges: Iterable[Edge]) -> dict[MemoryId, Beside]:
    """Who stands beside whom, from edges that lead from a turn to the next one; of several the first edge counts."""
    before: dict[MemoryId, MemoryId] = {}
    after: dict[MemoryId, MemoryId] = {}
    for edge in edges:
        if edge.type is EdgeType.NEXT_IN_CONVERSATION:
            earlier, later = MemoryId(edge.source.id), MemoryId(edge.target.id)
            before.setdefault(later, earlier)
            after.setdefault(earlier, later)
    return {turn: Beside(before.get(turn), after.get(turn)) for turn in sorted(before.keys() | after.keys())}


def neighbours(turns: Mapping[MemoryId, Beside], seeds: Sequence[MemoryId]) -> tuple[MemoryId, ...]:
    """The turns beside the seeds that are no seeds themselves, each once, in the seeds' order."""
    sides = (turns.get(seed, Beside()) for seed in seeds)
    found = (turn for side in sides for turn in (side.before, side.after))
    known = set(seeds)
    return tuple(dict.fromkeys(turn for turn in found if turn is not None and turn not in known))


def read_together(
    query: EncodedQuery,
    states: Mapping[MemoryId, TokenStates],
    turns: Mapping[MemoryId, Beside],
    shares: Shares = DEFAULT_SHARES,
    *,
    own: FloatArray | None = None,
) -> LateScores:
    """Late-interaction scores of `states` in their order, each read with those of its neighbours that are among them.

    A turn never scores below what it has by itself, nor a question token above the best of the three. What stands
    in a neighbour only is looked up there alone: a neighbour lends its own matches, not what it borrowed. `own` are
    the states' best matches where they are known already. Raises `VectorInvalid` as `late_scores` does.
    """
    rows = {turn: row for row, turn in enumerate(states)}
    own = best_matches(query, list(states.values())) if own is None else own
    sides = [turns.get(turn, Beside()) for turn in states]
    before = _better(own, rows, [side.before for side in sides])
    after = _better(own, rows, [side.after for side in sides])
    gain = np.maximum(np.float32(shares.before) * before, np.float32(shares.after) * after)
    joint: FloatArray = own + gain
    return summed(query, joint)


def _better(own: FloatArray, rows: Mapping[MemoryId, int], others: Sequence[MemoryId | None]) -> FloatArray:
    """How much better each row's other one matches than the row itself; 0 where it does not, or is not there."""
    better = np.zeros_like(own)
    pairs = [(row, rows[other]) for row, other in enumerate(others) if other is not None and other in rows]
    if pairs:
        here, there = np.array(pairs, np.int64).T
        better[here] = np.maximum(own[there] - own[here], 0)
    return better
