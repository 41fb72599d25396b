"""The port of identities: merges as links between entities, and the user's table of aliases.

It stands beside the `Store` port and shares its laws: acknowledged means durable, one transaction
a call, namespaces are walls, readers never wait. Entities are named by id and need not be stored
yet: what is said of one today holds for the memories of tomorrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graphsvc.models.audit import Act
from graphsvc.models.base import EntityId
from graphsvc.models.graph import Entity
from graphsvc.models.identity import Alias, Merge, MergeRule


@dataclass(frozen=True, slots=True)
class Link:
    """A merge to be made: `joined` becomes one with `kept`, on whose word and why."""

    kept: EntityId
    joined: EntityId
    rule: MergeRule
    by: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NewAlias:
    """A row to be added; `joins` is the entity an address stands for, absent for a mere name."""

    alias: str
    key: str
    entity: EntityId
    by: str
    at: datetime
    joins: EntityId | None = None


class Identities(Protocol):
    """Thread-safe. The links in force are a forest: no merge joins what is one already."""

    def links(self, namespace: str, entities: Sequence[EntityId]) -> list[Merge]:
        """The merges in force that hold together the identities of these entities, oldest first."""
        ...

    def merge(self, namespace: str, link: Link) -> Merge:
        """Join two identities; raises `MergeRefused` when they are one already."""
        ...

    def undo(self, namespace: str, merge_id: str, *, by: str, at: datetime) -> Merge:
        """Take one link back, and the alias that drew it; raises `NotFound`, or `MergeRefused` the second time."""
        ...

    def merges(self, namespace: str, *, limit: int, before: str | None = None) -> list[Merge]:
        """Merges, undone ones too, newest first; those older than `before` when given."""
        ...

    def aliases(
        self, namespace: str, *, keys: Sequence[str] | None = None, entities: Sequence[EntityId] | None = None
    ) -> list[Alias]:
        """Rows with one of the keys or of one of the entities, all of them when neither is given; by entity and key."""
        ...

    def add_aliases(self, namespace: str, rows: Sequence[NewAlias]) -> list[Alias]:
        """Add rows in one transaction; what is there already stays as it is."""
        ...

    def remove_alias(self, namespace: str, key: str, entity: EntityId, *, by: str, at: datetime) -> None:
        """Remove a row and undo the merge it made; raises `NotFound`."""
        ...

    def forget(self, namespace: str, entities: Sequence[EntityId], *, by: Act, at: datetime) -> int:
        """Erase every merge and alias that names one of these entities, undone ones too; how many there were.

        What the journal kept of them goes with the next purge.
        """
        ...

    def scan(self, namespace: str, *, kinds: Sequence[str], limit: int, after: str | None = None) -> list[Entity]:
        """Stored entities of these types, by id, those behind `after` when given."""
        ...
