"""A graph memory for AI assistants: who said it to whom, when it held, and whether it may be used."""

from graphsvc.errors import GraphsvcError
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus, Candidate, Evidence, Leg, SearchResult, Trace
from graphsvc.models.memory import ChatMessage, ItemResult, Memory, MemoryInput
from graphsvc.settings import Settings

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
