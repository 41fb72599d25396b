"""Write a batch of entries in one transaction, with the edges of change it brings and where memories stand then.

What cannot be known before the write is set right after it: an entry that was refused, and memories that another
writer put in meanwhile. Both come out as if everything had been written one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graphsvc.ingest.change import Changes, Worked
from graphsvc.models.audit import Act
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge
from graphsvc.models.memory import ItemStatus
from graphsvc.store.base import Entry, PutResult, Store


@dataclass(frozen=True, slots=True)
class Written:
    """What became of an entry, and the memories it superseded, retracted or corrected."""

    result: PutResult
    overturns: tuple[MemoryId, ...] = ()


def write(
    store: Store,
    changes: Changes | None,
    namespace: str,
    entries: Sequence[Entry],
    *,
    taken: Collection[MemoryId],
    by: Act,
) -> list[Written]:
    """Write entries of one namespace, one result each; ids that are `taken` stand for other content already.

    Without `changes` nothing is looked for.
    """
    if changes is None or not entries:
        return [Written(result) for result in store.put(entries, by=by)] if entries else []
    before = store.select(namespace).count
    # Of two entries with one id the first is written.
    fresh = {one.memory.id: (one.memory, one.tokens) for one in reversed(entries) if one.memory.id not in taken}
    worked = changes.of_batch(namespace, fresh)
    results = store.put(with_changes(entries, worked, fresh), by=by)
    created = {
        entry.memory.id for entry, result in zip(entries, results, strict=True) if result.status is ItemStatus.CREATED
    }
    if created != fresh.keys() or store.select(namespace).count != before + len(created):
        changes.rework(namespace, created, by=by)
    elif redrawn := [edge for edge in worked.edges if not fresh.keys() & {edge.source.id, edge.target.id}]:
        store.put_standings(namespace, worked.standings, edges=redrawn, gone=worked.gone, by=by)
    elif worked.gone:
        store.put_standings(namespace, worked.standings, gone=worked.gone, by=by)
    return [
        Written(result, worked.overturned_by(entry.memory.id) if result.status is ItemStatus.CREATED else ())
        for entry, result in zip(entries, results, strict=True)
    ]


def with_changes(entries: Sequence[Entry], worked: Worked, fresh: Collection[MemoryId]) -> list[Entry]:
    """The entries, each with the edges that start or end at it, and with the standings it is the last to bear on."""
    if not worked:
        return list(entries)
    edges: dict[str, list[Edge]] = defaultdict(list)
    bearing: dict[str, set[str]] = defaultdict(set)
    for edge in worked.edges:
        ends = [edge.source.id, edge.target.id]
        owner = next((one for one in ends if one in fresh), None)
        if owner is not None:
            edges[owner].append(edge)
            bearing[edge.target.id].add(owner)
    place = {entry.memory.id: index for index, entry in reversed(list(enumerate(entries)))}
    standings: dict[int, list[Standing]] = defaultdict(list)
    for standing in worked.standings:
        owners = [place[MemoryId(one)] for one in (*bearing[standing.id], standing.id) if one in place]
        standings[max(owners, default=len(entries) - 1)].append(standing)
    return [
        replace(entry, edges=(*entry.edges, *edges[entry.memory.id]), standings=tuple(standings[index]))
        if place[entry.memory.id] == index
        else entry
        for index, entry in enumerate(entries)
    ]
