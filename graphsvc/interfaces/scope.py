"""What a deletion is told to delete, and the one way both faces do it: exactly one scope, or nothing goes."""

from __future__ import annotations

from dataclasses import dataclass

from graphsvc.errors import ScopeMissing
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import Act
from graphsvc.models.base import MemoryId
from graphsvc.store.base import Where
from graphsvc.store.filters import eq


@dataclass(frozen=True, slots=True)
class Scope:
    """One of: a filter, a document by its file name, a conversation by its id, a person by name, address or id."""

    where: Where | None = None
    file: str | None = None
    conversation: str | None = None
    person: str | None = None

    def delete(self, graph: MemoryGraph, namespace: str, by: Act) -> list[MemoryId]:
        """Delete what it names; raises `ScopeMissing` unless one is given, and as `forget_person` does."""
        given = [name for name in ("where", "file", "conversation", "person") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ScopeMissing(f"{' and '.join(given)} together", where=given[1], remedy="give one of them")
        if self.person is not None:
            return graph.keeping.forget_person(namespace, self.person, by=by)
        return graph.delete_all(self._filter(), namespace=namespace, by=by)

    def _filter(self) -> Where | None:
        if self.file is not None:
            return eq("file", self.file)
        return self.where if self.conversation is None else eq("conversation_id", self.conversation)
