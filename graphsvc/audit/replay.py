"""Ask a question again as it was asked: on what was known then, with the settings of then, and on what is known now.

Neither run leaves a trace or is noted in the session. What of then cannot be had again is said, never passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic import ValidationError

from graphsvc.audit import differences
from graphsvc.audit.restore import restore
from graphsvc.errors import NotFound
from graphsvc.models.answer import Decision, Trace
from graphsvc.models.audit import Placed, Replayed, Run, Setup
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.memory import Memory
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.ladder.session import REMEMBERED
from graphsvc.retrieve.pipeline import Retrieval
from graphsvc.retrieve.recorded import ask_again, setup_of
from graphsvc.store.base import Store
from graphsvc.store.open import rewound
from graphsvc.store.rewind import Rewind


@dataclass(slots=True)
class ScratchTraces:
    """Traces of one run, in memory: the session before it, newest first, and what it leaves."""

    session: Sequence[Trace] = ()
    saved: list[Trace] = field(default_factory=list)

    def save(self, trace: Trace) -> None:
        self.saved.append(trace)

    def keep(self, text: str) -> str:
        return text

    def kept(self, digest: str) -> str | None:
        return digest

    def get(self, namespace: str, trace_id: TraceId) -> Trace:
        for one in (*self.saved, *self.session):
            if (one.namespace, one.id) == (namespace, trace_id):
                return one
        raise NotFound("no such trace in this namespace", where=trace_id)

    def recent(self, namespace: str, session_id: str, limit: int) -> list[Trace]:
        mine = [one for one in self.session if (one.namespace, one.session_id) == (namespace, session_id)]
        return mine[: max(limit, 0)]

    def decisions(self, limit: int) -> list[Decision]:
        return [one.decision for one in reversed(self.saved) if one.decision is not None][: max(limit, 0)]

    def earlier(self, trace: Trace, limit: int) -> list[Trace]:
        return [] if trace.session_id is None else self.recent(trace.namespace, trace.session_id, limit)


@dataclass(frozen=True, slots=True)
class Replayer:
    """Replays the traces of `store`; `retrieval` is what answers now, `clock` the now of today's run."""

    store: Store
    retrieval: Retrieval
    clock: Callable[[], datetime]
    rewind: Rewind = rewound

    def replay(self, namespace: str, trace_id: TraceId) -> Replayed:
        """Raises `NotFound` for no such trace, or one of an earlier version that does not say what was asked."""
        trace = self.store.traces.get(namespace, trace_id)
        if trace.call is None:
            raise NotFound("the trace does not say what was asked", where=trace_id, remedy="ask the question again")
        session = self.store.traces.earlier(trace, REMEMBERED)
        setup, notes = self._setup(trace)
        with self.rewind(self.store.describe().url, namespace, trace.created_at) as past:
            encoder = self.retrieval.finder.encoder
            notes += restore(past.store, self.store.journal, encoder, namespace, trace.created_at)
            then = self._run(past.store, trace, session, at=trace.call.at, config=_config(setup))
        now = self._run(self.store, trace, session, at=self.clock(), config=None)
        recorded = _run_of(trace)
        there = {one.id: one for one in self.store.get(namespace, [*trace.seen, *trace.accepted])}
        deleted = tuple(one for one in dict.fromkeys((*trace.seen, *trace.accepted)) if one not in there)
        notes += _missing(past.deleted, deleted)
        exact = not deleted and differences.same(recorded, then)
        if not (exact or deleted or notes):
            notes += [f"run again on what was known then: {one}" for one in _apart(recorded, then, there)]
        return Replayed(
            trace_id=trace.id,
            namespace=namespace,
            question=trace.call.text,
            known_at=trace.created_at,
            recorded=recorded,
            then=then,
            now=now,
            exact=exact,
            deleted=deleted,
            notes=tuple(notes),
            differences=(
                *(f"{one} was deleted since and cannot be shown" for one in deleted),
                *differences.between(recorded, now, memories=there, deleted=deleted),
                *differences.set_up(setup, setup_of(self.retrieval.finder)),
            ),
        )

    def _setup(self, trace: Trace) -> tuple[Setup | None, list[str]]:
        """What the trace was answered with, and what of it cannot be had again."""
        text = None if trace.setup is None else self.store.traces.kept(trace.setup)
        if text is None:
            return None, ["run with the settings of now: those of then are not kept"]
        setup, now = Setup.model_validate_json(text), setup_of(self.retrieval.finder)
        notes = [] if _config(setup) else ["run with the ranking of now: this release cannot read that of then"]
        notes += [
            f"run with the {name} of now, which is another than then"
            for name in ("acceptance", "encoder", "ontology", "reranker")
            if getattr(setup, name) != getattr(now, name)
        ]
        return setup, notes

    def _run(
        self, store: Store, trace: Trace, session: Sequence[Trace], *, at: datetime, config: RankingConfig | None
    ) -> Run:
        assert trace.call is not None
        live = self.retrieval
        scratch = ScratchTraces(session)
        finder = replace(live.finder, store=store, config=config or live.finder.config)
        # Only evidence is compared, so no language model is asked to word it.
        retrieval = replace(
            live, store=store, finder=finder, near=NearWords(store.words), answerer=None, traces=scratch
        )
        ask = ask_again(trace.call, trace.namespace, at=at, session_id=trace.session_id)
        if trace.decision is None:
            retrieval.search(ask)
        else:
            retrieval.answer(ask)
        return _run_of(scratch.saved[-1])


def _config(setup: Setup | None) -> RankingConfig | None:
    if setup is None:
        return None
    try:
        return RankingConfig.model_validate_json(setup.ranking)
    except ValidationError:
        return None


def _run_of(trace: Trace) -> Run:
    return Run(
        candidates=tuple(Placed(id=one.memory.id, score=one.score) for one in trace.candidates),
        decision=trace.decision,
        accepted=trace.accepted,
    )


def _apart(recorded: Run, then: Run, there: Mapping[MemoryId, Memory]) -> list[str]:
    """What a run on what was known then has otherwise, though nothing is known that could not be brought back."""
    told = differences.between(recorded, then, memories=there, deleted=())
    return told or ["other scores, as what is tied to what changed since"]


def _missing(deleted: Sequence[MemoryId], seen: Iterable[MemoryId]) -> list[str]:
    """Memories deleted since that the trace did not show still had a part in the statistics of words."""
    others = len(set(deleted) - set(seen))
    return [f"{others} more memories of then were deleted since"] if others else []
