"""Put back what the journal says of a moment: where memories stood, and what revised ones said.

A restored text is indexed and encoded anew; its ties are those of its present form. What a purge took out of the
journal cannot be put back, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from graphsvc.encoding.base import Encoder
from graphsvc.errors import EncodingError
from graphsvc.ingest.nearby import tokens_of
from graphsvc.language.passage import passage_of
from graphsvc.models.audit import Action, JournalEntry
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.graph import Node, NodeKind
from graphsvc.models.memory import Memory
from graphsvc.store.base import EdgeDirection, Entry, Store
from graphsvc.store.filters import Op, compare
from graphsvc.store.journal import Journal

_PAGE = 500
_ALL_EDGES = 10_000


def restore(past: Store, journal: Journal, encoder: Encoder, namespace: str, at: datetime) -> list[str]:
    """Put a copy's memories back to `at`; in words, what could not be."""
    lost: list[str] = []
    for entry in _first_since(journal, namespace, Action.UPDATE, at):
        memory_id = MemoryId(str(entry.subject))
        if entry.before is None:
            lost.append(f"what {memory_id} said before it was revised was purged")
            continue
        before = Memory.model_validate_json(entry.before)
        if before.recorded_at <= at:
            lost += _put_back(past, encoder, before)
    past.delete(namespace, compare("recorded_at", Op.GT, at))
    standings = []
    for entry in _first_since(journal, namespace, Action.STANDING, at):
        if entry.before is None:
            lost.append(f"where {entry.subject} stood was purged")
        else:
            standings.append(Standing.model_validate_json(entry.before))
    if standings:
        past.put_standings(namespace, standings)
    return lost


def _first_since(journal: Journal, namespace: str, action: Action, at: datetime) -> Iterator[JournalEntry]:
    """The first entry of a kind behind `at` for each memory: what it was before is what it was then."""
    seen: set[str | None] = set()
    after: str | None = None
    while True:
        page = journal.read(namespace, actions=[action], since=at, limit=_PAGE, after=after)
        for entry in page.entries:
            if entry.at > at and entry.subject not in seen:
                seen.add(entry.subject)
                yield entry
        after = page.after
        if after is None:
            return


def _put_back(past: Store, encoder: Encoder, before: Memory) -> list[str]:
    """Write an earlier revision over the present one; nothing brings back what was deleted."""
    present = past.get(before.namespace, [before.id])
    if not present:
        return []
    try:
        passages = encoder.encode_passages([passage_of(before)])
    except EncodingError:
        return [f"what {before.id} said before it was revised could not be encoded"]
    node = Node(NodeKind.MEMORY, before.id)
    found = past.edges(before.namespace, [node], direction=EdgeDirection.BOTH, per_node=_ALL_EDGES)[node]
    own = tuple(edge for edge in found if edge.source == node or edge.source.kind is NodeKind.ENTITY)
    ends = {end.id for edge in own for end in (edge.source, edge.target) if end.kind is NodeKind.ENTITY}
    entry = Entry(
        memory=before,
        tokens=tokens_of(before),
        vector=passages.vectors[0],
        states=None if passages.states is None else passages.states[0],
        entities=tuple(past.entities(before.namespace, ids=[EntityId(one) for one in sorted(ends)])),
        edges=own,
    )
    past.revise(entry, revision=present[0].revision)
    same = set(before.facts.mentions) == set(present[0].facts.mentions) and before.parties == present[0].parties
    return [] if same else [f"who and what {before.id} is tied to is as it is since it was revised"]
