"""Run evaluation files through a memory graph: load, ask every query, measure.

Every file has a fresh namespace, which is emptied afterwards.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import TypedDict

from graphsvc.encoding.base import Encoder
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.baselines import METHODS, Baselines
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.evaluate.report import Outcome, Report, report
from graphsvc.language.passage import passage_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import ItemStatus
from graphsvc.store.filters import EVERYTHING

Progress = Callable[[int], None]
DEPTH = 10


def run(files: Sequence[Path], graph: MemoryGraph, on_progress: Progress | None = None) -> Report:
    """Measure the product on every file; raises `FieldInvalid` when a memory cannot be loaded."""
    return report([o for path in files for o in _run_file(read_evaluation(path), graph, on_progress)])


def baselines(files: Sequence[Path], encoder: Encoder) -> dict[str, Report]:
    """The same files ranked by plain BM25, plain vectors and their min-max mix."""
    ranked = [_baselines(read_evaluation(path), encoder) for path in files]
    return {method: report([o for outcomes in ranked for o in outcomes[method]]) for method in METHODS}


@contextmanager
def loaded(file: EvaluationFile, graph: MemoryGraph, on_progress: Progress | None = None) -> Iterator[str]:
    """A namespace that holds the file's memories alone, emptied afterwards; raises `FieldInvalid` for a bad one."""
    namespace = f"evaluate-{secrets.token_hex(6)}"
    try:
        results = graph.add(file.memories, namespace=namespace, on_progress=on_progress)
        failed = [r.error for r in results if r.status is ItemStatus.FAILED and r.error]
        if failed:
            raise FieldInvalid(failed[0].what, where=f"{file.path}, {failed[0].where}")
        yield namespace
    finally:
        graph.delete_all(EVERYTHING, namespace=namespace)


class Asking(TypedDict):
    """Who asks, when and where, as `MemoryGraph.search` and `answer` take it."""

    asked_at: datetime | None
    asked_by: str | None
    conversation_id: str | None


def asking(query: QueryLine) -> Asking:
    """What a file says of how a question is asked."""
    return Asking(asked_at=query.asked_at, asked_by=query.asked_by, conversation_id=query.conversation_id)


def _run_file(file: EvaluationFile, graph: MemoryGraph, on_progress: Progress | None) -> list[Outcome]:
    with loaded(file, graph, on_progress) as namespace:
        outcomes = []
        for query in file.queries:
            outcomes.append(_ask(file, query, graph, namespace))
            if on_progress is not None:
                on_progress(1)
        return outcomes


def _ask(file: EvaluationFile, query: QueryLine, graph: MemoryGraph, namespace: str) -> Outcome:
    """One `answer`; its trace holds the candidates that `search` would give."""
    started = perf_counter()
    answer = graph.answer(query.text, namespace=namespace, **asking(query))
    ms = (perf_counter() - started) * 1000
    candidates = graph.trace(answer.trace_id, namespace=namespace).candidates
    return _outcome(file, query, [candidate.memory.id for candidate in candidates]).model_copy(
        update={
            "status": answer.status,
            "evidence": tuple(e.memory_id for e in answer.evidence),
            "probability": candidates[0].probability if candidates else 0.0,
            "ms": round(ms, 3),
        }
    )


def _baselines(file: EvaluationFile, encoder: Encoder) -> dict[str, list[Outcome]]:
    """What was said after the question is left out here too, so that only the ranking differs."""
    times = {str(memory.id): memory.event_time for memory in file.memories}
    plain = Baselines([passage_of(memory) for memory in file.memories], encoder, list(times))
    outcomes: dict[str, list[Outcome]] = {method: [] for method in METHODS}
    for query in file.queries:
        at = query.asked_at
        allowed = None if at is None else {i for i, time in times.items() if time is None or time <= at}
        for method in METHODS:
            outcomes[method].append(_outcome(file, query, plain.rank(query.text, method, allowed)))
    return outcomes


def _outcome(file: EvaluationFile, query: QueryLine, ranked: Sequence[str]) -> Outcome:
    han = any("\u3400" <= character <= "\u9fff" for character in query.text)
    return Outcome(
        file=file.path.name,
        id=query.id,
        language="zh" if han else "en",
        query_type=query.query_type,
        relevant=query.relevant,
        forbidden=query.forbidden,
        answerable=query.answerable,
        conflict=query.conflict,
        ranked=tuple(ranked[:DEPTH]),
    )
