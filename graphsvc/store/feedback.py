"""The port of feedback: what people said of answers, one word for each answer and memory.

It stands over the same file as the traces, and outlives them: a trace may be dropped for age, the lesson stays until
what it speaks of is purged.
"""

from __future__ import annotations

from typing import Protocol

from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.calibration import Feedback


class FeedbackBook(Protocol):
    """Thread-safe, and safe between processes."""

    def put(self, feedback: Feedback, *, by: Act = LOCAL) -> None:
        """Keep it in place of any earlier word on the same answer and memory; one transaction with its record."""
        ...

    def lessons(self, namespace: str | None = None) -> list[Feedback]:
        """Every word that something can be learnt from, of one namespace or of all, oldest first."""
        ...

    def count(self) -> int:
        """How many words are kept in all namespaces together."""
        ...
