"""One search, from a question as it was read to candidates that were ranked and judged; nothing is decided.

Funnel, legs, edges and signals in that order; each stage leaves its count and time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Encoder, FloatArray
from graphsvc.errors import EncodingError
from graphsvc.language.normalise import check_text, visible
from graphsvc.language.passage import passage_of
from graphsvc.language.segment import query_tokens
from graphsvc.models.answer import Candidate, Hop, Leg
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.accept import decide as accept
from graphsvc.retrieve.accept.judge import RULE, Decider, Judge
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS, Ask, Clockwork
from graphsvc.retrieve.change.coming import tied
from graphsvc.retrieve.change.succession import Succeeded, succeed
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.expand.edges import Edges
from graphsvc.retrieve.expand.same_day import same_day
from graphsvc.retrieve.funnel import Narrowed, narrow
from graphsvc.retrieve.ladder.route import Reach as Wanted
from graphsvc.retrieve.parse import occasions, wording
from graphsvc.retrieve.parse.namesakes import known_to, told_names
from graphsvc.retrieve.parse.parser import Asked, Parser
from graphsvc.retrieve.rank.answering import FEATURE, answering, nets, preferred
from graphsvc.retrieve.rank.attend import Attention
from graphsvc.retrieve.rank.cover import COVERED, MOST_COVERING, covered, in_this_order
from graphsvc.retrieve.rank.mix import score
from graphsvc.retrieve.rank.outdated import in_order_of_time
from graphsvc.retrieve.rank.pool import Pool, RankRequest, gather
from graphsvc.retrieve.rank.rerank import MOST_RERANKED, TimedReranker, lifted
from graphsvc.retrieve.rank.weigh import Weighing
from graphsvc.store.base import Selection, Store
from graphsvc.store.directory import Directory
from graphsvc.store.known import as_known
from graphsvc.understand.habits import setting_of
from graphsvc.understand.tagger import Seen, Setting
from graphsvc.understand.topic import NO_TOPIC, recent_turns, topic_of
from ontology.model import Ontology, ValueKind

# What an answer says it did without while the encoder is out of reach.
VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Read:
    """A question as it was read: what it asks, its vectors, and what had to be done without."""

    question: Question
    query: EncodedQuery
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What one search found, best first; `stored` is how many memories the namespace holds, `by` who judged."""

    question: Question
    kind: ValueKind
    candidates: tuple[Candidate, ...]
    stored: int
    tokens: tuple[str, ...]
    hops: tuple[Hop, ...] = ()
    truncated: bool = False
    degraded: tuple[str, ...] = ()
    change: Succeeded = field(default_factory=Succeeded)
    by: Decider = RULE


Prefers = Callable[[Memory], bool]


def nobody_preferred(memory: Memory) -> bool:  # noqa: ARG001  the neutral preference looks at nothing
    return False


@dataclass(frozen=True, slots=True)
class Finder:
    """Reads questions and searches one store with one encoder."""

    store: Store
    encoder: Encoder
    parser: Parser
    ontology: Ontology
    config: RankingConfig
    reranker: TimedReranker | None = None
    judge: Judge = field(default_factory=Judge)

    def read(self, ask: Ask, text: str, setting: Setting, clockwork: Clockwork) -> Read:
        """What a question, in this wording, asks for in its setting; raises `TextRefused`."""
        check_text(text, limit=MAX_QUESTION_CHARS)
        text = visible(text)
        query, degraded = self.encode(text)
        clockwork.mark("encode", 1)
        question = self.parser.parse(
            replace(ask.asked, text=text),
            Seen() if degraded else Seen(query.vector, query.states),
            setting,
            lookup=known_to(ask.asked.by, self.store, ask.namespace, ask.visible, ask.asked.at),
        )
        clockwork.mark("parse", 1, question.query_type)
        return Read(question, query, degraded)

    def encode(self, text: str) -> tuple[EncodedQuery, tuple[str, ...]]:
        """The encoded question; without its encoder a question still runs on words alone."""
        try:
            return self.encoder.encode_query(text), ()
        except EncodingError:
            return EncodedQuery(vector=_no_vector(self.encoder)), (VECTORS,)

    def find(
        self,
        ask: Ask,
        read: Read,
        clockwork: Clockwork,
        *,
        searched: str | None = None,
        words: Sequence[str] = (),
        reach: Wanted = Wanted.CONTEXT,
        prefers: Prefers = nobody_preferred,
    ) -> Found:
        """Candidates for a question; `searched` is another wording to look for, with extra `words`.

        They are scored and judged against the question itself: no other wording makes a memory look like an answer.
        """
        question, namespace = read.question, ask.namespace
        narrowed = self._narrowed(ask, question)
        clockwork.extend(narrowed.stages)
        tokens = tuple(query_tokens(question.text))
        own = self._request(ask, read, tokens)
        wide = own if searched is None else self._widened(own, searched, words)
        pool = gather(self.store, namespace, narrowed.selection, wide, self.config.mix)
        pool = replace(pool, memories=self._known(ask, pool.memories))
        ranked = score(self.store, namespace, pool, own, self.config.mix)
        clockwork.mark("rank", len(ranked), "vectors, words, token states")
        edges = Edges(self.store, namespace, narrowed.selection, self.config)
        walked = edges.walked(question, ranked, pool, reach)
        raised, paths, joined = edges.lifted(ranked, walked, own)
        joined = self._known(ask, joined)
        clockwork.mark("expand", len(raised), f"{len(paths)} came along by an edge")
        kind = wording.asked_for(question.query_type, self.ontology)
        attention = Attention(question, read.query, self.encoder, self.store, namespace)
        weighing = Weighing(question, kind, tokens, self.config, Directory(self.store, namespace), prefers, attention)
        weighed = weighing.candidates(raised, {**pool.memories, **joined}, paths)
        clockwork.mark("weigh", len(weighed), "people, time, topic, sense, change, fit")
        weighed, late = self._rerank(question.text, weighed, clockwork)
        weighed = preferred(self._answering(question, weighed, own), self.config.answers)
        if own.several:
            weighed = self._cover(attention, weighed, own)
            weighed = self._same_day(namespace, narrowed.selection, weighed, own, weighing)
            clockwork.mark("cover", len(weighed), "so that the first tell of all the question asks of")
        ties, along = tied(self.store, ask, narrowed.selection, weighed, own, weighing)
        by = self.judge.now()
        ordered = self._answering(question, in_order_of_time((*weighed, *along), question), own)
        judged = accept.judged(ordered, question, by)
        succeeded = succeed(judged, question, ties, as_of=ask.as_of, kind=kind)
        if succeeded.told:
            clockwork.mark("change", len(succeeded.candidates), succeeded.told)
        return Found(
            question,
            kind,
            succeeded.candidates,
            narrowed.stages[0].remaining,
            tokens,
            walked.hops,
            walked.truncated,
            (*read.degraded, *late, *(() if nets() is not None else (FEATURE,))),
            succeeded,
            by,
        )

    def _narrowed(self, ask: Ask, question: Question) -> Narrowed:
        """What the funnel leaves of the namespace."""
        return narrow(
            self.store,
            ask.namespace,
            question,
            where=ask.where,
            config=self.config.funnel,
            as_of=ask.as_of,
            known_at=ask.known_at,
        )

    def _request(self, ask: Ask, read: Read, tokens: Sequence[str]) -> RankRequest:
        """What is ranked by: the question's vectors and words, and the names that those it names go by."""
        names = told_names(self.store, ask.namespace, read.question)
        told = [token for name in names for token in query_tokens(name)]
        several = occasions.several(read.question)
        return RankRequest(read.query, tuple(dict.fromkeys((*tokens, *told))), ask.legs, ask.min_similarity, several)

    def _widened(self, own: RankRequest, searched: str, words: Sequence[str]) -> RankRequest:
        """The same request in another wording, with extra words."""
        tokens = tuple(dict.fromkeys((*query_tokens(searched), *own.tokens, *words)))
        return replace(own, query=self.encode(searched)[0], tokens=tokens)

    def _known(self, ask: Ask, memories: Mapping[MemoryId, Memory]) -> Mapping[MemoryId, Memory]:
        """Memories as they stood by what was known at the moment whose knowledge is asked for."""
        if ask.known_at is None:
            return memories
        return {one.id: one for one in as_known(self.store, ask.namespace, list(memories.values()), ask.known_at)}

    def _answering(
        self, question: Question, candidates: Sequence[Candidate], request: RankRequest
    ) -> tuple[Candidate, ...]:
        """The first candidates with what the nets read of whether they answer."""
        if Leg.LATE not in request.legs:
            return tuple(candidates)
        return answering(candidates, self.encoder, question.text, request.query)

    def _rerank(
        self, text: str, candidates: tuple[Candidate, ...], clockwork: Clockwork
    ) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
        """The first candidates read again by a cross-encoder, where one is configured and in time."""
        if self.reranker is None:
            return candidates, ()
        read = self.reranker.rerank(text, [passage_of(one.memory) for one in candidates[:MOST_RERANKED]])
        clockwork.mark("rerank", len(read.parts), self.reranker.name)
        return lifted(candidates, read.parts, self.config.reranker), read.degraded

    def _cover(
        self, attention: Attention, candidates: tuple[Candidate, ...], request: RankRequest
    ) -> tuple[Candidate, ...]:
        """The first candidates in an order in which each part of the question has its memory among them."""
        if Leg.LATE not in request.legs or not self.config.cover:
            return candidates
        kept = attention.kept([one.memory.id for one in candidates[:MOST_COVERING]])
        return covered(candidates, kept, request.query, gain=self.config.cover, places=COVERED)

    def _same_day(
        self,
        namespace: str,
        selection: Selection,
        candidates: tuple[Candidate, ...],
        request: RankRequest,
        weighing: Weighing,
    ) -> tuple[Candidate, ...]:
        """What else is of the best candidates' days takes the last of the first places, where that is asked for."""
        if not occasions.same_day(weighing.question.text) or request.min_similarity is not None:
            return candidates
        seeds = [one.memory for one in candidates[: self.config.day_seeds]]
        first = {one.memory.id for one in candidates[:COVERED]}
        found = same_day(self.store, namespace, selection, seeds, request.query.vector, known=first)
        there = {one.memory.id: one for one in candidates}
        new = {one.id: one for one in found if one.id not in there}
        # Their parts are kept raw, as those of what came along by an edge.
        scored = score(self.store, namespace, Pool(new), request, self.config.mix)
        joined = weighing.candidates([replace(one, score=0.0, scaled={}) for one in scored], new, {})
        there |= {one.memory.id: one for one in joined}
        of_day = [there[one.id] for one in found if one.id in there]
        moved = {one.memory.id for one in of_day}
        others = [one for one in candidates if one.memory.id not in moved]
        place = max(len(seeds), COVERED - len(of_day))
        return in_this_order((*others[:place], *of_day, *others[place:]))

    def setting(self, asked: Asked, namespace: str) -> Setting:
        """What a question is read against in any wording: its conversation so far, and the habits of whoever asks."""
        topic = NO_TOPIC
        if asked.conversation_id is not None:
            topic = topic_of(recent_turns(self.store, namespace, asked.conversation_id, asked.at))
        return setting_of(self.store, self.ontology, namespace, author=asked.by, at=asked.at, topic=topic)


def _no_vector(encoder: Encoder) -> FloatArray:
    return np.zeros(encoder.fingerprint.dimension, dtype=np.float32)
