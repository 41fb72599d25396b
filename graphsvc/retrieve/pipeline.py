"""The ask path: parse, funnel, rank, expand, accept, answer; every step leaves its count and time."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Encoder, FloatArray
from graphsvc.errors import EncodingError
from graphsvc.language.normalise import check_text
from graphsvc.language.segment import query_tokens
from graphsvc.models.answer import (
    Answer,
    AnswerStatus,
    Candidate,
    Decision,
    Evidence,
    Hop,
    Leg,
    SearchResult,
    Stage,
    Trace,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.question import Question
from graphsvc.retrieve.accept import decide as accept
from graphsvc.retrieve.accept.meanings import one_each
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.expand.walk import Reached, Walk, expand
from graphsvc.retrieve.extract import values as extract
from graphsvc.retrieve.funnel import narrow
from graphsvc.retrieve.parse import wording
from graphsvc.retrieve.parse.namesakes import ambiguous, names_only, told_names
from graphsvc.retrieve.parse.parser import Asked, Parser
from graphsvc.retrieve.rank.mix import Ranked, score
from graphsvc.retrieve.rank.pool import ALL_LEGS, Pool, RankRequest, gather
from graphsvc.retrieve.rank.weigh import Weighing
from graphsvc.store.base import Selection, Store, Where
from graphsvc.store.directory import Directory
from graphsvc.store.filters import one_of
from graphsvc.understand.habits import setting_of
from graphsvc.understand.tagger import Seen, Setting
from graphsvc.understand.topic import NO_TOPIC, recent_turns, topic_of
from ontology.model import Ontology, ValueKind

MAX_QUESTION_CHARS = 2000
# What an answer says it did without while the encoder is out of reach.
VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Ask:
    """One question with everything the caller said about it."""

    asked: Asked
    namespace: str
    where: Where | None = None
    limit: int = 10
    min_similarity: float | None = None
    legs: frozenset[Leg] = ALL_LEGS


@dataclass(slots=True)
class _Clockwork:
    """The stages of one run, each with its time."""

    stages: list[Stage] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)
    _last: float = field(default_factory=perf_counter)

    def mark(self, name: str, remaining: int, applied: str = "") -> None:
        now = perf_counter()
        self.stages.append(
            Stage(name=name, remaining=remaining, ms=round((now - self._last) * 1000, 3), applied=applied)
        )
        self._last = now

    def extend(self, stages: Sequence[Stage]) -> None:
        self.stages += stages
        self._last = perf_counter()

    @property
    def total_ms(self) -> float:
        return round((perf_counter() - self.started) * 1000, 3)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, before anything is decided."""

    question: Question
    kind: ValueKind
    candidates: tuple[Candidate, ...]
    stored: int
    tokens: tuple[str, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The ask path over one store and encoder."""

    store: Store
    encoder: Encoder
    parser: Parser
    ontology: Ontology
    clock: Callable[[], datetime]
    config: RankingConfig

    def search(self, ask: Ask) -> SearchResult:
        """Ranked candidates; nothing is decided."""
        clockwork = _Clockwork()
        found = self._find(ask, clockwork)
        trace = self._trace(ask, found, clockwork, None)
        return SearchResult(
            candidates=found.candidates[: ask.limit],
            trace_id=trace.id,
            stages=trace.stages,
            degraded=found.degraded,
            ambiguous=ambiguous(found.question),
        )

    def answer(self, ask: Ask) -> Answer:
        """A decision: evidence, or the word that there is none."""
        clockwork = _Clockwork()
        found = self._find(ask, clockwork)
        decision = accept.decide(found.candidates, found.question, found.kind)
        accepted = self._accepted(found, decision)
        clockwork.mark("accept", len(accepted), f"{decision.method}, threshold {decision.threshold:g}")
        trace = self._trace(ask, found, clockwork, decision)
        return self._answer(found, accepted, trace)

    def _find(self, ask: Ask, clockwork: _Clockwork) -> Found:
        text = ask.asked.text
        check_text(text, limit=MAX_QUESTION_CHARS)
        query, degraded = self._encode(text)
        clockwork.mark("encode", 1)
        directory = Directory(self.store, ask.namespace)
        question = self.parser.parse(
            ask.asked,
            Seen() if degraded else Seen(query.vector, query.states),
            self._setting(ask),
            lookup=directory.bearers,
        )
        clockwork.mark("parse", 1, question.query_type)
        narrowed = narrow(self.store, ask.namespace, question, where=ask.where, config=self.config.funnel)
        clockwork.extend(narrowed.stages)
        tokens = tuple(query_tokens(text))
        said = told_names(self.store, ask.namespace, question)
        also = [token for name in said for token in query_tokens(name)]
        request = RankRequest(query, tuple(dict.fromkeys((*tokens, *also))), ask.legs, ask.min_similarity)
        pool = gather(self.store, ask.namespace, narrowed.selection, request, self.config.mix)
        ranked = score(self.store, ask.namespace, pool, request, self.config.mix)
        clockwork.mark("rank", len(ranked), "vectors, words, token states")
        ranked, paths = self._expand(ask, narrowed.selection, ranked, request)
        clockwork.mark("expand", len(ranked), f"{len(paths)} came along by an edge")
        joined = self.store.get(ask.namespace, list(paths))
        memories = {**pool.memories, **{memory.id: memory for memory in joined}}
        kind = wording.asked_for(question.query_type, self.ontology)
        weighing = Weighing(question, kind, tokens, self.config, directory)
        candidates = weighing.candidates(ranked, memories, paths)
        clockwork.mark("weigh", len(candidates), "people, time, topic, sense, recency")
        return Found(question, kind, candidates, narrowed.stages[0].remaining, tokens, degraded)

    def _setting(self, ask: Ask) -> Setting:
        """What the question is read against: its conversation so far, and the habits of whoever asks."""
        asked, topic = ask.asked, NO_TOPIC
        if asked.conversation_id is not None:
            topic = topic_of(recent_turns(self.store, ask.namespace, asked.conversation_id, asked.at))
        return setting_of(self.store, self.ontology, ask.namespace, author=asked.by, at=asked.at, topic=topic)

    def _encode(self, text: str) -> tuple[EncodedQuery, tuple[str, ...]]:
        """The encoded question; without its encoder a question still runs on words alone."""
        try:
            return self.encoder.encode_query(text), ()
        except EncodingError:
            return EncodedQuery(vector=_no_vector(self.encoder)), (VECTORS,)

    def _expand(
        self, ask: Ask, selection: Selection, ranked: list[Ranked], request: RankRequest
    ) -> tuple[list[Ranked], dict[MemoryId, tuple[Hop, ...]]]:
        """Neighbours lend their score; those not yet ranked come along where the funnel holds them.

        What comes back has no order yet: weighing gives it one.
        """
        reached = expand(self.store, ask.namespace, [(one.id, one.score) for one in ranked], Walk(self.config.walk))
        known = {one.id for one in ranked}
        new = [one for one in reached if one.id not in known]
        joined = self._join(ask, selection, new, request)
        lent = {one.id: one.score for one in reached}
        lifted = [
            replace(one, score=one.score + lent.get(one.id, 0.0), lent=lent.get(one.id, 0.0))
            for one in (*ranked, *joined)
        ]
        ways = {one.id: one.path for one in new}
        return lifted, {one.id: ways[one.id] for one in joined}

    def _join(self, ask: Ask, selection: Selection, new: Sequence[Reached], request: RankRequest) -> list[Ranked]:
        if not new or request.min_similarity is not None:
            return []
        inside = self.store.select(ask.namespace, one_of("id", [one.id for one in new]), within=selection)
        hits = self.store.nearest(inside, request.query.vector, inside.count) if inside.count else []
        pool = Pool({one.id: one for one in self.store.get(ask.namespace, [hit.id for hit in hits])})
        # Their parts are kept raw; min-max among themselves would flatter them.
        return [
            replace(one, score=0.0, scaled={})
            for one in score(self.store, ask.namespace, pool, request, self.config.mix)
        ]

    def _accepted(self, found: Found, decision: Decision) -> tuple[Candidate, ...]:
        if not found.candidates or decision.probability < decision.threshold:
            return ()
        return one_each(found.question, found.candidates) or found.candidates[:1]

    def _answer(self, found: Found, accepted: Sequence[Candidate], trace: Trace) -> Answer:
        if not accepted:
            status = AnswerStatus.NOTHING_RELIABLE if found.stored else AnswerStatus.NOTHING_STORED
            return Answer(
                status=AnswerStatus.AMBIGUOUS if names_only(found.question) else status,
                stages=trace.stages,
                trace_id=trace.id,
                degraded=found.degraded,
                ambiguous=ambiguous(found.question),
            )
        evidence = tuple(_evidence(candidate, found.tokens) for candidate in accepted)
        span = (evidence[0].start, evidence[0].end)
        unclear = names_only(found.question) or len(accepted) > 1
        return Answer(
            status=AnswerStatus.AMBIGUOUS if unclear else AnswerStatus.ANSWERED,
            value=extract.value(accepted[0].memory, found.kind, span, found.question),
            evidence=evidence,
            stages=trace.stages,
            trace_id=trace.id,
            degraded=found.degraded,
            ambiguous=ambiguous(found.question),
        )

    def _trace(self, ask: Ask, found: Found, clockwork: _Clockwork, decision: Decision | None) -> Trace:
        trace = Trace(
            id=TraceId(f"tr_{secrets.token_hex(12)}"),
            namespace=ask.namespace,
            created_at=self.clock(),
            question=found.question,
            stages=tuple(clockwork.stages),
            candidates=found.candidates[: max(ask.limit, 10)],
            decision=decision,
            degraded=found.degraded,
            total_ms=clockwork.total_ms,
        )
        self.store.traces.save(trace)
        return trace


def _evidence(candidate: Candidate, tokens: Sequence[str]) -> Evidence:
    memory = candidate.memory
    start, end = extract.quote(memory, tokens)
    reasons = [f"{name} {value:+.2f}" for name, value in candidate.scores.boosts.items()]
    reasons += [f"{hop.type.value} from {hop.source}" for hop in candidate.path]
    return Evidence(
        memory_id=memory.id,
        start=start,
        end=end,
        quote=memory.text[start:end],
        probability=candidate.probability,
        reasons=tuple(reasons),
        source=memory.source,
    )


def _no_vector(encoder: Encoder) -> FloatArray:
    return np.zeros(encoder.fingerprint.dimension, dtype=np.float32)
