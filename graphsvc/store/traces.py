"""The port of traces: what lay behind the last searches and answers, by id and by session.

It stands beside the `Store` port. A trace keeps which memories it saw; those deleted since are gone
from it when it is read. The service keeps no session of its own: it is what its traces say.
"""

from __future__ import annotations

from typing import Protocol

from graphsvc.models.answer import Decision, Trace
from graphsvc.models.base import TraceId


class Traces(Protocol):
    """Thread-safe. The oldest traces beyond the store's limit are dropped."""

    def save(self, trace: Trace) -> None:
        """Keep a trace; one of the same id is replaced."""
        ...

    def get(self, namespace: str, trace_id: TraceId) -> Trace:
        """Raises `NotFound`."""
        ...

    def keep(self, text: str) -> str:
        """Keep a text that many traces name, once; its digest."""
        ...

    def kept(self, digest: str) -> str | None:
        """The text of a digest, None when it is not kept."""
        ...

    def earlier(self, trace: Trace, limit: int) -> list[Trace]:
        """The traces of its session before it, newest first; none where it has no session."""
        ...

    def decisions(self, limit: int) -> list[Decision]:
        """How the last answers of all namespaces were decided, newest first; nothing else is read of them."""
        ...

    def recent(self, namespace: str, session_id: str, limit: int) -> list[Trace]:
        """The last traces of a session of this namespace, newest first; none of a session nobody knows."""
        ...
