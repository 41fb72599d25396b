"""Labelled rows to train a calibrator on, from question files and from what people said of answers.

A question gives one row: the features of its best candidate, and whether that one answers. A variant helps to fit and
is never measured on: a story's question before one memory alone. (Rows with its answers hidden made every fit worse.)
Twins are fitted to as well and never measured on: nobody's memories all come in pairs.
The explicit rule decides while questions are asked, so that the same files give the same rows whatever is promoted;
what a net told that has seen the story is asked again of those that have not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from calibration.dataset import Row
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.evaluate.held_out import HeldOut
from graphsvc.evaluate.notes import are_notes, are_twins, read_lessons
from graphsvc.evaluate.run import Progress, asking
from graphsvc.evaluate.stories import graph_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Trace
from graphsvc.settings import Settings
from graphsvc.store.base import Where
from graphsvc.store.feedback import FeedbackBook
from graphsvc.store.filters import eq
from graphsvc.supervise.rows import ALONE, TWINS, row_of

ALONE_EVERY = 3


def question_rows(
    files: Sequence[Path], settings: Settings, on_progress: Progress | None = None, *, variants: bool = True
) -> list[Row]:
    """Rows of question files, in their order; `variants` adds those to fit on. Raises `FieldInvalid` for a bad file."""
    plain = settings.model_copy(update={"calibrated": False, "explore": 0.0})
    return [row for path in files for row in _of_file(read_lessons(path), plain, on_progress, variants=variants)]


def feedback_rows(book: FeedbackBook, namespace: str | None = None) -> list[Row]:
    """One row an answer that somebody judged, the last word counting; of one namespace or of all."""
    return [row_of(one) for one in book.lessons(namespace)]


def _of_file(
    file: EvaluationFile, settings: Settings, on_progress: Progress | None, *, variants: bool
) -> Iterator[Row]:
    stories, source = stories_of(file), TWINS if are_twins(file) else file.path.stem
    with graph_of(file, settings, on_progress) as (graph, namespace):
        held_out = HeldOut.of(file, graph.encoder)
        for place, query in enumerate(file.queries):
            asked = _Asked(graph, namespace, file, query, stories[query.id], held_out)
            yield from asked.row(source)
            if variants and not are_notes(file.path):
                yield from _variants(asked, place)
            if on_progress is not None:
                on_progress(1)


def _variants(asked: _Asked, place: int) -> Iterator[Row]:
    """Of every third question before one memory, a right and a wrong one: with no rival nothing can be compared."""
    query, file = asked.query, asked.file
    if place % ALONE_EVERY or not file.memories:
        return
    right = query.relevant[:1] if query.answerable else ()
    others = query.forbidden[:1] or (file.memories[place % len(file.memories)].id,)
    for lone in dict.fromkeys(one for one in (*right, *others) if one is not None):
        yield from asked.row(ALONE, eq("id", lone))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question of a file before the graph that holds it; `story` is its group."""

    graph: MemoryGraph
    namespace: str
    file: EvaluationFile
    query: QueryLine
    story: str
    held_out: HeldOut

    def row(self, source: str, where: Where | None = None) -> Iterator[Row]:
        """None where nothing is found at all: then there is nothing to decide."""
        query = self.query
        answer = self.graph.answer(query.text, namespace=self.namespace, **asking(query), where=where)
        trace = self.graph.trace(answer.trace_id, namespace=self.namespace)
        if trace.decision is None or not trace.candidates:
            return
        best = trace.candidates[0].memory.id
        yield Row(
            id=f"{self.file.path.stem}:{query.id}:{source}:{best if source == ALONE else ''}",
            group=self.story,
            query_type=trace.question.query_type,
            values=self.held_out.told(query, trace.candidates[0].memory, trace.decision.features),
            right=query.answerable and best in query.relevant,
            answerable=query.answerable,
            source=source,
            language=_language(trace),
        )


def _language(trace: Trace) -> str:
    return trace.question.language.value


def stories_of(file: EvaluationFile) -> dict[str, str]:
    """Each question's story, as an opaque name: what is tied by a talk, a thread, or a question that names it.

    A question that names nothing goes with the one before it, since questions in a row often share a story.
    """
    ties = _Ties()
    for memory in file.memories:
        for kind, name in (("talk", memory.conversation_id), ("thread", memory.thread_root_id)):
            if name:
                ties.tie(f"memory {memory.id}", f"{kind} {name}")
    before: str | None = None
    for query in file.queries:
        own = f"query {query.id}"
        named = [f"memory {one}" for one in (*query.relevant, *query.forbidden)]
        named += [f"talk {query.conversation_id}"] if query.conversation_id else []
        for one in named or ([before] if before else []):
            ties.tie(own, one)
        before = own
    return {one.id: _opaque(file.path.stem, ties.root(f"query {one.id}")) for one in file.queries}


def _opaque(file: str, name: str) -> str:
    return sha256(f"{file}\x1f{name}".encode()).hexdigest()[:16]


class _Ties:
    """Union-find by name; the least name of what is tied stands for it."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def root(self, name: str) -> str:
        while (above := self._above.get(name, name)) != name:
            self._above[name] = self._above.get(above, above)
            name = above
        return name

    def tie(self, one: str, other: str) -> None:
        least, most = sorted((self.root(one), self.root(other)))
        self._above[most] = least
