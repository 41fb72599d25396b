"""That one memory replaces another, on somebody's word: checked against what is already written, never guessed."""

from __future__ import annotations

from datetime import datetime

from graphsvc.errors import ChangeRefused, NotFound
from graphsvc.ingest.standing import CHANGE_EDGES, OVERTURNING_EDGES, RULED
from graphsvc.ingest.ties import Ties, flat
from graphsvc.models.base import MemoryId
from graphsvc.models.change import OVERTURNING, Change, ChangeKind
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.store.base import Store

TOLD = "told"
# More than any chain of changes a person follows; beyond it a loop is taken for granted rather than searched on.
_SEARCH = 10_000


def overrule(
    store: Store, namespace: str, later_id: MemoryId, earlier_id: MemoryId, *, kind: ChangeKind, at: datetime | None
) -> tuple[Change, Edge, list[Edge]]:
    """The change, its edge, and the edges between the two that rules drew and that make way for it.

    It is known since `at`, when it was said; without that, since both memories were recorded.
    """
    if kind not in OVERTURNING:
        raise ChangeRefused(f"{kind} overturns nothing", where="kind", remedy="supersedes, retracts or corrects")
    if later_id == earlier_id:
        raise ChangeRefused("a memory cannot replace itself", where=later_id)
    found = {memory.id: memory for memory in store.get(namespace, [later_id, earlier_id])}
    for one in (later_id, earlier_id):
        if one not in found:
            raise NotFound("no such memory", where=one)
    ties = Ties(store, namespace)
    _refuse_loop(ties, later_id, earlier_id)
    _refuse_fork(ties, later_id, earlier_id)
    later, earlier = found[later_id], found[earlier_id]
    # Nothing ends before it begins, whichever of the two the caller calls the later.
    since = max(later.begins, earlier.begins)
    change = Change(
        kind=kind,
        later=later_id,
        earlier=earlier_id,
        clause=(0, len(earlier.text)),
        whole=True,
        slot=TOLD,
        since=since,
        rule=TOLD,
    )
    edge = Edge(
        source=Node(NodeKind.MEMORY, later_id),
        target=Node(NodeKind.MEMORY, earlier_id),
        type=EdgeType(kind.value),
        event_time=later.event_time,
        valid_from=since,
        recorded_at=at or max(later.recorded_at, earlier.recorded_at),
        whole=True,
        origin=TOLD,
    )
    between = [one for one in flat(ties.out_of([later_id])) if one.target.id == earlier_id]
    between += [one for one in flat(ties.out_of([earlier_id])) if one.target.id == later_id]
    return change, edge, [one for one in between if one.origin.startswith(RULED)]


def _refuse_loop(ties: Ties, later_id: MemoryId, earlier_id: MemoryId) -> None:
    """Raise where the earlier one already replaces the later, itself or through others."""
    reached, walked = ties.beyond([earlier_id], most=_SEARCH)
    if later_id not in reached and len(reached) <= _SEARCH:
        return
    before = {edge.target.id: edge.source.id for edge in reversed(walked)}
    path: list[str] = [later_id]
    while path[-1] in before and before[path[-1]] not in path:
        path.append(before[path[-1]])
    raise ChangeRefused(
        "they would replace each other", where=", ".join(reversed(path)), remedy="take the earlier change back first"
    )


def _refuse_fork(ties: Ties, later_id: MemoryId, earlier_id: MemoryId) -> None:
    """Raise where another memory, unrelated to the later one, is the current successor of the earlier."""
    whole = [edge for edge in flat(ties.into([earlier_id], OVERTURNING_EDGES)) if edge.whole]
    successors = {edge.source.id for edge in whole} - {later_id, earlier_id}
    if not successors:
        return
    replaced = flat(ties.into(successors, OVERTURNING_EDGES))
    current = successors - {edge.target.id for edge in replaced if edge.whole}
    related = (*flat(ties.into([later_id], CHANGE_EDGES)), *flat(ties.out_of([later_id], CHANGE_EDGES)))
    unrelated = current - {end for edge in related for end in (edge.source.id, edge.target.id)}
    if unrelated:
        raise ChangeRefused(
            "another memory replaces it already, and which of the two holds is not known",
            where=", ".join((earlier_id, later_id, *sorted(unrelated))),
            remedy="say first which of the two replaces the other",
        )
