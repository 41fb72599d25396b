"""A MemoryGraph of a hundred lines: substring search, no encoder, and any call can be made to fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Self

from graphsvc.errors import NotFound, RevisionOutdated, ScopeMissing
from graphsvc.models.answer import (
    Answer,
    AnswerStatus,
    Candidate,
    Decision,
    Evidence,
    Scores,
    SearchResult,
    Stage,
    Trace,
)
from graphsvc.models.audit import LOCAL, Act, Overruled, Purged
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.calibration import CalibrationHealth, Feedback, Verdict
from graphsvc.models.change import ChangeKind
from graphsvc.models.facts import Facts, Language
from graphsvc.models.memory import ItemResult, ItemStatus, Memory, MemoryFields, MemoryInput, Problem
from graphsvc.models.question import Question
from graphsvc.models.stats import Stats
from graphsvc.models.topics import Proposals, ProposedTopic
from graphsvc.store.base import Page, Where
from graphsvc.store.filters import EVERYTHING, matches
from graphsvc.topics.pairs import Pair, PairKind
from ontology.loader import load_ontology
from ontology.model import Ontology
from tests.interfaces.fake_calibration import HEALTH, FakeCalibrators, said
from tests.interfaces.fake_parts import FakeAudit, FakeKeeping

NOW = datetime(2026, 3, 6, 2, 0, tzinfo=UTC)


class FakeGraph:
    """`failure`, when set, is raised by every call but `close`; `asked` holds the arguments of the last question.

    `given`, when set, is what every question is answered with.
    """

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.memories: dict[tuple[str, str], Memory] = {}
        self.traces: dict[tuple[str, str], Trace] = {}
        self.asked: dict[str, object] = {}
        self.facts = Facts()
        self.proposals = Proposals(
            namespace="default", memories=0, unlabelled=0, unsure=0, considered=0, criterion="likeness"
        )
        self.given: tuple[Answer, Trace] | None = None
        self.closed = False
        self.keeping = FakeKeeping(self)
        self.audit = FakeAudit(self)
        self.calibration = FakeCalibrators(self)
        self.encoder = SimpleNamespace(fingerprint="fake")
        self.store = SimpleNamespace(feedback=self.calibration)

    def add(
        self,
        items: Iterable[object],
        *,
        namespace: str = "default",
        on_progress: Callable[[int], None] | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        self.meet_failure()
        self.asked = {"by": by}
        results = []
        for index, item in enumerate(items):
            results.append(self._add_one(index, item, namespace))
            if on_progress is not None:
                on_progress(1)
        return results

    def add_chat(
        self,
        messages: Iterable[object],
        *,
        conversation_id: str,
        namespace: str = "default",
        on_progress: Callable[[int], None] | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        items = [
            {
                "text": one.get("content"),
                "sender": one.get("name") or one.get("role"),
                "conversation_id": conversation_id,
            }
            if isinstance(one, Mapping)
            else one
            for one in messages
        ]
        return self.add(items, namespace=namespace, on_progress=on_progress, by=by)

    def add_text(
        self,
        text: str,
        *,
        file: str | None = None,
        namespace: str = "default",
        on_progress: Callable[[int], None] | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        items = [{"text": part, "source": {"file": file}} for part in text.split("\n\n") if part.strip()]
        return self.add(items, namespace=namespace, on_progress=on_progress, by=by)

    def reindex(self, *, on_progress: Callable[[int], None] | None = None) -> int:
        self.meet_failure()
        return len(self.memories)

    @property
    def ontology(self) -> Ontology:
        self.meet_failure()
        return load_ontology()

    def understand(self, text: str, *, at: datetime | None = None) -> Facts:
        self.meet_failure()
        self.asked = {"text": text, "at": at}
        return self.facts

    def correct_sense(self, memory_id: str, surface: str, sense: str, *, namespace: str = "default") -> Memory:
        self.asked = {"id": memory_id, "surface": surface, "sense": sense}
        return self.get(memory_id, namespace=namespace)

    def propose(self, *, namespace: str = "default", **asked: object) -> Proposals:
        self.meet_failure()
        self.asked = {"namespace": namespace, **asked}
        return self.proposals

    def proposal(self, proposal_id: str, *, namespace: str = "default") -> ProposedTopic:
        self.meet_failure()
        self.asked = {"namespace": namespace}
        found = [one for one in self.proposals.topics if one.id == proposal_id]
        if not found:
            raise NotFound("no such proposal", where=proposal_id, remedy="see graphsvc ontology propose")
        return found[0]

    def relabel(
        self, *, namespace: str = "default", on_progress: Callable[[int], None] | None = None
    ) -> tuple[int, int]:
        self.meet_failure()
        return len(self._matching(namespace, EVERYTHING)), 1

    def training_pairs(self, *, namespace: str = "default") -> Iterator[Pair]:
        self.meet_failure()
        for one in self._matching(namespace, EVERYTHING):
            yield Pair(
                kind=PairKind.LABEL, query=one.text, context=(), positive="近", label="food", sense=None, negatives=()
            )

    def stats(self) -> Stats:
        self.meet_failure()
        namespaces = dict(Counter(namespace for namespace, _ in self.memories))
        return Stats(
            version="1.2.3",
            store="sqlite:////secret/place",
            schema_version=1,
            memories=len(self.memories),
            entities=0,
            edges=0,
            namespaces=namespaces,
            bytes_on_disk=None,
            encoder="fake",
            ontology="1",
            notes=("no vectors",),
        )

    def search(self, question: str, *, namespace: str = "default", limit: int = 10, **asked: object) -> SearchResult:
        self.meet_failure()
        self.asked = {"question": question, "namespace": namespace, "limit": limit, **asked}
        trace = self._find(question, namespace, limit)
        return SearchResult(candidates=trace.candidates, trace_id=trace.id, stages=trace.stages)

    def answer(self, question: str, *, namespace: str = "default", **asked: object) -> Answer:
        self.meet_failure()
        self.asked = {"question": question, "namespace": namespace, **asked}
        if self.given is not None:
            given, behind = self.given
            self.traces[namespace, behind.id] = behind
            return given
        trace = self._find(question, namespace, 10)
        if not trace.candidates:
            return Answer(status=AnswerStatus.NOTHING_RELIABLE, stages=trace.stages, trace_id=trace.id)
        memory = trace.candidates[0].memory
        start = memory.text.find(question)
        evidence = Evidence(
            memory_id=memory.id,
            start=start,
            end=start + len(question),
            quote=question,
            probability=0.9,
            reasons=("same words",),
        )
        return Answer(status=AnswerStatus.ANSWERED, evidence=(evidence,), stages=trace.stages, trace_id=trace.id)

    def feedback(self, trace_id: str, verdict: Verdict, *, namespace: str = "default", **asked: object) -> Feedback:
        self.trace(trace_id, namespace=namespace)
        self.asked = {"verdict": verdict, "namespace": namespace, **asked}
        about = {name: asked[name] for name in ("memory_id", "corrected_by")}
        return said(trace_id, verdict=verdict, namespace=namespace, **about)

    def calibration_health(self) -> CalibrationHealth:
        self.meet_failure()
        return HEALTH

    def get(self, memory_id: str, *, namespace: str = "default") -> Memory:
        self.meet_failure()
        if (namespace, memory_id) not in self.memories:
            raise NotFound("no such memory", where=memory_id)
        return self.memories[namespace, memory_id]

    def get_all(
        self, *, namespace: str = "default", where: Where | None = None, limit: int = 100, after: str | None = None
    ) -> Page:
        self.meet_failure()
        found = self._matching(namespace, where or EVERYTHING)
        return Page(memories=tuple(found[:limit]), after=None)

    def update(
        self,
        memory_id: str,
        fields: Mapping[str, object],
        *,
        namespace: str = "default",
        revision: int | None = None,
        by: Act = LOCAL,
    ) -> Memory:
        return self.keeping.update(memory_id, fields, namespace=namespace, revision=revision, by=by)

    def purge(self, *, namespace: str | None = None, by: Act = LOCAL) -> Purged:
        return self.keeping.purge(namespace=namespace, by=by)

    def supersede(
        self,
        later: str,
        earlier: str,
        *,
        kind: ChangeKind = ChangeKind.SUPERSEDES,
        namespace: str = "default",
        by: Act = LOCAL,
    ) -> Overruled:
        change = self.keeping.supersede(namespace, later, earlier, kind=kind, by=by)
        told = ItemResult(index=0, status=ItemStatus.UNCHANGED, id=change.later, overturns=(change.earlier,))
        return Overruled(change=change, overturned=tuple(self.audit.ingested(namespace, [told])))

    def relink(
        self, *, namespace: str = "default", on_progress: Callable[[int], None] | None = None, by: Act = LOCAL
    ) -> int:
        changed = self.keeping.relink(namespace, on_progress=on_progress, by=by)
        if changed:
            self.audit.catch_up()
        return changed

    def delete(
        self, memory_id: str, *, namespace: str = "default", revision: int | None = None, by: Act = LOCAL
    ) -> None:
        stored = self.get(memory_id, namespace=namespace)
        if revision is not None and stored.revision != revision:
            raise RevisionOutdated(f"the memory is at revision {stored.revision}, not {revision}", where=memory_id)
        self.asked = {"by": by}
        del self.memories[namespace, memory_id]

    def delete_all(self, where: Where | None, *, namespace: str = "default", by: Act = LOCAL) -> list[MemoryId]:
        self.meet_failure()
        self.asked = {"where": where, "by": by}
        if where is None:
            raise ScopeMissing("nothing says what to delete", remedy="give a filter")
        ids = [memory.id for memory in self._matching(namespace, where)]
        for memory_id in ids:
            del self.memories[namespace, memory_id]
        return ids

    def trace(self, trace_id: str, *, namespace: str = "default") -> Trace:
        self.meet_failure()
        if (namespace, trace_id) not in self.traces:
            raise NotFound("no such trace", where=trace_id)
        return self.traces[namespace, trace_id]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True

    def meet_failure(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _add_one(self, index: int, item: object, namespace: str) -> ItemResult:
        try:
            given = MemoryInput.model_validate({"text": item} if isinstance(item, str) else item)
        except ValueError as error:
            problem = Problem(code="field-invalid", what=str(error), where=f"item {index + 1}, text")
            return ItemResult(index=index, status=ItemStatus.FAILED, error=problem)
        memory_id = MemoryId(given.id or f"mem_{given.text}")
        known = (namespace, memory_id) in self.memories
        fields: Mapping[str, object] = {name: getattr(given, name) for name in MemoryFields.model_fields}
        memory = Memory.model_validate(
            {
                **fields,
                "id": memory_id,
                "namespace": namespace,
                "language": Language.ZH,
                "event_time": given.event_time or NOW,
                "recorded_at": NOW,
            }
        )
        self.memories[namespace, memory_id] = memory
        return ItemResult(index=index, status=ItemStatus.UNCHANGED if known else ItemStatus.CREATED, id=memory_id)

    def _matching(self, namespace: str, where: Where) -> list[Memory]:
        return [memory for (space, _), memory in self.memories.items() if space == namespace and matches(memory, where)]

    def _find(self, question: str, namespace: str, limit: int) -> Trace:
        stored = self._matching(namespace, EVERYTHING)
        found = [memory for memory in stored if question in memory.text][:limit]
        trace = Trace(
            id=TraceId(f"trace_{len(self.traces)}"),
            namespace=namespace,
            created_at=NOW,
            question=Question(text=question, language=Language.ZH, asked_at=NOW, query_type="general"),
            stages=(
                Stage(name="parse", remaining=1, ms=0.1),
                Stage(name="stored", remaining=len(stored), ms=0.1),
                Stage(name="rank", remaining=len(found), ms=0.2),
            ),
            candidates=tuple(
                Candidate(memory=m, score=1.0, probability=0.9, scores=Scores(lexical=2.0)) for m in found
            ),
            decision=Decision(
                method="default", threshold=0.5, probability=0.9, features={"lexical": 2.0, "late": None}
            ),
            total_ms=0.4,
        )
        self.traces[namespace, trace.id] = trace
        return trace
