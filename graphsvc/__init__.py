"""A graph memory for AI assistants: who said it to whom, when it held, and whether it may be used.

`MemoryGraph` is loaded when it is first asked for: it brings the encoder's runtime with it, and
reading a record or a setting needs none of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphsvc.errors import GraphsvcError
from graphsvc.models.answer import Answer, AnswerStatus, Candidate, Evidence, Leg, SearchResult, Trace
from graphsvc.models.memory import ChatMessage, ItemResult, Memory, MemoryInput
from graphsvc.settings import Settings

if TYPE_CHECKING:
    from graphsvc.memory_graph import MemoryGraph

__all__ = [
    "Answer",
    "AnswerStatus",
    "Candidate",
    "ChatMessage",
    "Evidence",
    "GraphsvcError",
    "ItemResult",
    "Leg",
    "Memory",
    "MemoryGraph",
    "MemoryInput",
    "SearchResult",
    "Settings",
    "Trace",
]


def __getattr__(name: str) -> object:
    if name == "MemoryGraph":
        from graphsvc.memory_graph import MemoryGraph  # noqa: PLC0415  # see the module's docstring

        return MemoryGraph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
