"""Question files as something to learn from: a graph of one file alone, its questions asked, parts that stay apart."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from graphsvc.evaluate.files import EvaluationFile
from graphsvc.evaluate.run import Progress, loaded
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

FOLDS = 4
STRETCH = 12  # questions in a row often share a story: they stay in one part


@contextmanager
def graph_of(
    file: EvaluationFile, settings: Settings, on_progress: Progress | None = None
) -> Iterator[tuple[MemoryGraph, str]]:
    """A graph that holds the file alone, and the namespace it stands in; gone afterwards."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryGraph.open(f"sqlite:///{folder}/stories", settings=settings) as graph,
        loaded(file, graph, on_progress) as namespace,
    ):
        yield graph, namespace


def folds(questions: int) -> list[int]:
    """Which of the `FOLDS` parts each question belongs to, in their order."""
    return [place // STRETCH % FOLDS for place in range(questions)]
