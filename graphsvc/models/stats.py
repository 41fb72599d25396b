"""What a store holds and what runs it, for `stats` and the health of a service."""

from __future__ import annotations

from graphsvc.models.base import Record


class Stats(Record):
    """`notes` say what this installation has to do without, in words."""

    version: str
    store: str
    schema_version: int
    memories: int
    entities: int
    edges: int
    namespaces: dict[str, int]
    bytes_on_disk: int | None
    encoder: str
    ontology: str
    notes: tuple[str, ...] = ()
