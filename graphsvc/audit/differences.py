"""What is otherwise between two runs of one question, in words a person reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from graphsvc.models.answer import Decision
from graphsvc.models.audit import Placed, Run, Setup
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory, MemoryStatus

# Cosines agree between stores, and between the sizes of one store, to this much.
TOLERANCE = 1e-6


def same(one: Run, other: Run) -> bool:
    """Whether two runs gave the same memories in the same order with the same scores, and accepted the same."""
    pairs = zip(one.candidates, other.candidates, strict=False)
    return (
        len(one.candidates) == len(other.candidates)
        and all(a.id == b.id and abs(a.score - b.score) <= TOLERANCE for a, b in pairs)
        and one.accepted == other.accepted
    )


def between(
    earlier: Run, later: Run, *, memories: Mapping[MemoryId, Memory], deleted: Collection[MemoryId]
) -> list[str]:
    """Which memories came, went and moved, and what was accepted; `memories` are those there now."""
    was, now = _places(earlier.candidates), _places(later.candidates)
    told = [_went(one, place, memories) for one, place in was.items() if one not in now and one not in deleted]
    told += [f"{one} came, {_nth(place)}" for one, place in now.items() if one not in was]
    told += [
        f"{one} moved from {_nth(was[one])} to {_nth(place)}"
        for one, place in now.items()
        if one in was and was[one] != place
    ]
    if earlier.accepted != later.accepted:
        told.append(f"accepted then {_listed(earlier.accepted)}, now {_listed(later.accepted)}")
    return told + _decided(earlier.decision, later.decision)


def set_up(then: Setup | None, now: Setup) -> list[str]:
    """What questions are answered with now and were not then."""
    if then is None:
        return ["what it was answered with is not kept"]
    told = []
    if then.ranking != now.ranking:
        told.append("the numbers of the ranking changed")
    if then.acceptance != now.acceptance:
        told.append("the acceptance rule changed")
    if then.encoder != now.encoder:
        told.append(f"the encoder was {then.encoder}, is {now.encoder}")
    if then.ontology != now.ontology:
        told.append(f"the ontology was {then.ontology[:12]}, is {now.ontology[:12]}")
    if then.reranker != now.reranker:
        told.append(f"the re-ranker was {then.reranker or 'none'}, is {now.reranker or 'none'}")
    return told


def _places(placed: Sequence[Placed]) -> dict[MemoryId, int]:
    return {one.id: place for place, one in enumerate(placed, 1)}


def _went(one: MemoryId, place: int, memories: Mapping[MemoryId, Memory]) -> str:
    memory = memories.get(one)
    why = ""
    if memory is not None and memory.status is not MemoryStatus.ACTIVE:
        by = f" by {_listed(memory.ended_by)}" if memory.ended_by else ""
        why = f": {memory.status.value}{by}"
    return f"{one} went, was {_nth(place)}{why}"


def _decided(earlier: Decision | None, later: Decision | None) -> list[str]:
    if earlier is None or later is None:
        return []
    told = []
    if earlier.method != later.method:
        told.append(f"decided by {earlier.method} then, by {later.method} now")
    if earlier.threshold != later.threshold:
        told.append(f"the threshold was {earlier.threshold:.4g}, is {later.threshold:.4g}")
    return told


def _listed(ids: Sequence[MemoryId]) -> str:
    return ", ".join(ids) or "nothing"


def _nth(place: int) -> str:
    return f"number {place}"
