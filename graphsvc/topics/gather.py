"""Read what a namespace holds: its memories with their stored vectors, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.store.base import Store
from graphsvc.store.filters import eq
from graphsvc.store.pages import pages
from ontology.model import Ontology

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Held:
    """Active memories that have a vector; `vectors` float32 `(n, d)`, one row a memory, unit length."""

    namespace: str
    memories: tuple[Memory, ...]
    vectors: FloatArray


def gather(store: Store, namespace: str) -> Held:
    """All of a namespace, by (event_time, id), greatest first."""
    memories, rows = [], []
    for memory, vector in _read(store, namespace):
        memories.append(memory)
        rows.append(vector)
    vectors = np.stack(rows) if rows else np.zeros((0, 0), np.float32)
    return Held(namespace, tuple(memories), vectors)


def domain_of(memory: Memory, ontology: Ontology) -> str | None:
    """The first domain of a memory that says what it is about; none while only the background fits."""
    for label in memory.facts.labels:
        domain = ontology.domain(label.domain)
        if domain is None or not domain.background:
            return label.domain
    return None


def _read(store: Store, namespace: str) -> Iterator[tuple[Memory, FloatArray]]:
    for page in pages(store, namespace, eq("status", MemoryStatus.ACTIVE), size=_PAGE):
        kept = store.vectors(namespace, [memory.id for memory in page])
        yield from ((memory, kept[memory.id][0]) for memory in page if memory.id in kept)
