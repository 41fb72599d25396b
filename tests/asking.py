"""Tell a memory graph something and read what it answers, for tests that go the whole way."""

from __future__ import annotations

from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus
from graphsvc.models.memory import Memory
from graphsvc.store.filters import EVERYTHING

REFUSED = {AnswerStatus.NOTHING_RELIABLE, AnswerStatus.NOTHING_STORED}


def tell(graph: MemoryGraph, *texts: str, namespace: str = "default", **fields: object) -> list[Memory]:
    """Add each text with the same fields; the memories as they are kept."""
    results = graph.add([{"text": text, **fields} for text in texts], namespace=namespace)
    assert [result.error for result in results] == [None] * len(texts)
    return [graph.get(str(result.id), namespace=namespace) for result in results]


def quotes(answer: Answer) -> list[str]:
    return [one.quote for one in answer.evidence]


def emptied(graph: MemoryGraph) -> None:
    for namespace in graph.stats().namespaces:
        graph.delete_all(EVERYTHING, namespace=namespace)
