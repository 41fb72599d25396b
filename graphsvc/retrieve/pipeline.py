"""The ask path: read, search, decide, check; where that fails, another wording, then what is missing, then a person.

Every answer leaves a trace of its stages, scores, edges, attempts and checks, so that it can be unfolded.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from graphsvc.models.answer import (
    Answer,
    Attempt,
    Candidate,
    Check,
    Decision,
    Evidence,
    Rest,
    SearchResult,
    Trace,
)
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.composed import Composed
from graphsvc.models.question import Question, Route
from graphsvc.retrieve import compose
from graphsvc.retrieve.accept import decide as accept
from graphsvc.retrieve.accept.explore import explore
from graphsvc.retrieve.accept.meanings import one_each
from graphsvc.retrieve.answerer.answerer import Answerer
from graphsvc.retrieve.ask import Ask, Clockwork
from graphsvc.retrieve.change.examine import examine, whole_chain
from graphsvc.retrieve.change.telling import value_of
from graphsvc.retrieve.checks.check import Checked
from graphsvc.retrieve.checks.completeness import FollowUp, complete_with
from graphsvc.retrieve.decided import Decided, Posed, together
from graphsvc.retrieve.find import Finder, Found
from graphsvc.retrieve.ladder.climb import Climbed, climb
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.ladder.repair import repair
from graphsvc.retrieve.ladder.request import Attempted, Request
from graphsvc.retrieve.ladder.rewrite import rewrite
from graphsvc.retrieve.ladder.route import path_of
from graphsvc.retrieve.ladder.session import complete, last_turns
from graphsvc.retrieve.parse import wording
from graphsvc.retrieve.parse.namesakes import ambiguous
from graphsvc.retrieve.rank.diversify import diversified
from graphsvc.retrieve.recorded import call_of, rests_of, setup_of
from graphsvc.store.base import Store
from graphsvc.store.directory import Directory
from graphsvc.store.traces import Traces
from graphsvc.understand.tagger import Setting

MOST_HOPS = 50
# Each part is a search of its own; what a question asks beyond so many is left to the next question.
MOST_PARTS = 6
_NAMED = frozenset({"person", "organisation"})


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The ask path over one store; `clock` dates the traces, `explore` is the share of refusals shown for feedback."""

    store: Store
    finder: Finder
    clock: Callable[[], datetime]
    near: NearWords
    answerer: Answerer | None = None
    explore: float = 0.0
    traces: Traces | None = None
    """Where traces are kept and sessions read, the store's own unless another is given."""

    @property
    def kept(self) -> Traces:
        return self.store.traces if self.traces is None else self.traces

    def search(self, ask: Ask) -> SearchResult:
        """Ranked candidates; nothing is decided."""
        clockwork = Clockwork()
        asked = self._read(ask, clockwork)
        found = self._find(ask, asked, clockwork)
        if ask.diversity:
            kept = self.store.vectors(ask.namespace, [one.memory.id for one in found.candidates])
            found = replace(found, candidates=diversified(found.candidates, kept, ask.diversity))
            clockwork.mark("diversify", len(found.candidates), f"diversity {ask.diversity:g}")
        trace = self._trace(ask, found, clockwork)
        return SearchResult(
            candidates=found.candidates[: ask.limit],
            trace_id=trace.id,
            stages=trace.stages,
            degraded=found.degraded,
            ambiguous=ambiguous(found.question),
        )

    def answer(self, ask: Ask) -> Answer:
        """A decision: evidence, or the word that there is none, and then what is missing."""
        clockwork = Clockwork()
        asked = self._read(ask, clockwork)
        question = asked.question

        def attempt(request: Request) -> Attempted[Decided]:
            decided = self._attempt(ask, asked, request, clockwork)
            kind_missing = decided.decision.features.get("kind_missing")
            return Attempted(
                decided,
                decided.found.candidates,
                decided.decision.probability if decided.credible else 0.0,
                decided.decision.threshold,
                has_value=None if kind_missing is None else kind_missing < 1.0,
                conflict=bool(decided.checked.conflicts),
                credible=decided.credible,
            )

        def rewritten() -> Request | None:
            directory = Directory(self.store, ask.namespace)
            repaired = repair(question, ask.namespace, self.near, partial(_names_among, directory))
            known = partial(self.store.words.known, ask.namespace)
            return rewrite(question, repaired, self.finder.ontology, known)

        kind = wording.asked_for(question.query_type, self.finder.ontology)
        climbed = climb(question, kind, attempt, rewritten)
        return self._answer(ask, climbed, self._parts(ask, asked, clockwork), clockwork)

    def _read(self, ask: Ask, clockwork: Clockwork) -> Posed:
        """The question as it stands, or written out from its session where it leans on that."""
        setting = self.finder.setting(ask.asked, ask.namespace)
        read = self.finder.read(ask, ask.asked.text, setting, clockwork)
        turns = last_turns(self.kept, ask.namespace, ask.session_id)
        done = complete(read.question, turns)
        if done.text != read.question.text:
            read = self.finder.read(ask, done.text, setting, clockwork)
        path = path_of(read.question)
        question = read.question.model_copy(update={"validity": path.validity_of(read.question)})
        if path.route is Route.FOLLOW_UP and not turns:
            question = question.model_copy(update={"route": Route.DIRECT})
        return Posed(replace(read, question=question), setting, path, done.prefer)

    def _find(self, ask: Ask, asked: Posed, clockwork: Clockwork, request: Request | None = None) -> Found:
        return self.finder.find(
            ask,
            asked.read,
            clockwork,
            searched=None if request is None or request.text == asked.question.text else request.text,
            words=() if request is None else request.words,
            reach=asked.path.reach,
            prefers=asked.prefer.prefers,
        )

    def _attempt(self, ask: Ask, asked: Posed, request: Request, clockwork: Clockwork) -> Decided:
        """One search of the ladder; a repaired question is read anew."""
        if request.judged_by != asked.question.text:
            asked = replace(asked, read=self.finder.read(ask, request.judged_by, asked.setting, clockwork))
        found = self._find(ask, asked, clockwork, request)
        decision = accept.decide(found.candidates, found.question, found.by)
        checked = self._checked(ask, asked.setting, found, decision, clockwork)
        clockwork.mark("accept", len(checked.evidence), f"{decision.method}, threshold {decision.threshold:g}")
        return Decided(found, decision, checked)

    def _checked(self, ask: Ask, setting: Setting, found: Found, decision: Decision, clockwork: Clockwork) -> Checked:
        """The three checks of what the decision let through; what a check finds missing is searched for once."""
        if not found.candidates or decision.probability < decision.threshold:
            return Checked(evidence=())
        accepted = whole_chain(found.change) or one_each(found.question, found.candidates) or found.candidates[:1]
        first = examine(found.question, accepted, found.change, found.kind)
        wanted = first.follow_ups
        if not wanted:
            return first
        more = self._follow_up(ask, setting, found, wanted[0], clockwork)
        filled = complete_with(wanted, accepted, more, found.question)
        if len(filled) == len(accepted):
            return first
        return examine(found.question, filled, found.change, found.kind)

    def _follow_up(
        self, ask: Ask, setting: Setting, found: Found, wanted: FollowUp, clockwork: Clockwork
    ) -> Sequence[Candidate]:
        """A second search for the missing part, among what stands in the same talk, thread or file."""
        read = self.finder.read(ask, wanted.text, setting, clockwork)
        again = self.finder.find(ask, read, clockwork, words=wanted.tokens)
        clockwork.mark("follow up", len(again.candidates), f"for the {wanted.wanted.value}")
        fell = found.change.fell
        found_both = (*found.candidates, *again.candidates)
        return [one for one in found_both if wanted.holds(one.memory) and one.memory.id not in fell]

    def _parts(self, ask: Ask, asked: Posed, clockwork: Clockwork) -> list[Decided]:
        """Each part of a compound question, searched and decided on its own."""
        if not asked.path.parts_apart or not asked.question.parts:
            return []
        decided = []
        for part in asked.question.parts[:MOST_PARTS]:
            own = replace(asked, read=self.finder.read(ask, part.text, asked.setting, clockwork))
            decided.append(self._attempt(ask, own, Request(part.text, part.text), clockwork))
        return decided

    def _answer(self, ask: Ask, climbed: Climbed[Decided], parts: Sequence[Decided], clockwork: Clockwork) -> Answer:
        decided = climbed.outcome
        found, checked = decided.found, decided.checked
        question = found.question
        accepted = together(decided, parts)
        conflict = bool(checked.conflicts)
        told = compose.Told.of(found, accepted)
        apart = [compose.Told.of(one.found, one.accepted) for one in parts]
        # Each part has its own value; of the whole there is one where they are compared.
        value = compose.compared(question, apart) if apart else told.value
        if not apart and accepted and found.change.chain is not None:
            value = value_of(found.change.chain, found.change.sought, question) or value
        evidence = told.evidence
        composed, without = self._composed(question, evidence, conflict=conflict)
        clockwork.mark("answer", len(evidence))
        trace_id = _new_id()
        explored = explore(decided, trace_id, self.explore) if not accepted else None
        trace = self._trace(
            ask,
            found,
            clockwork,
            decided.decision,
            trace_id=trace_id,
            explored=None if explored is None else explored.memory_id,
            attempts=climbed.attempts,
            checks=checked.checks,
            accepted=accepted,
            rests=rests_of(evidence),
        )
        return Answer(
            status=compose.status_of(
                question,
                accepted,
                conflict=conflict,
                several=not parts and len(one_each(question, accepted)) > 1,
                stored=found.stored,
            ),
            value=value,
            values=told.sides,
            composed=composed,
            evidence=evidence,
            parts=tuple(one.as_part for one in apart),
            checks=checked.checks,
            missing=(*checked.missing, *climbed.missing, *(one.text for one in question.parts[MOST_PARTS:])),
            conflicts=checked.conflicts,
            step=climbed.step,
            stages=trace.stages,
            trace_id=trace.id,
            degraded=(*found.degraded, *without),
            calibration=found.by.note,
            target_error=found.by.target_error,
            explored=explored,
            ambiguous=ambiguous(question),
        )

    def _composed(
        self, question: Question, evidence: Sequence[Evidence], *, conflict: bool
    ) -> tuple[Composed | None, tuple[str, ...]]:
        """A language model's wording of undisputed evidence; where it is refused or away, what was done without."""
        if self.answerer is None or not evidence or conflict:
            return None, ()
        told = self.answerer.answer(question, evidence)
        return (told, ()) if isinstance(told, Composed) else (None, told.degraded)

    def _trace(
        self,
        ask: Ask,
        found: Found,
        clockwork: Clockwork,
        decision: Decision | None = None,
        *,
        attempts: tuple[Attempt, ...] = (),
        checks: tuple[Check, ...] = (),
        accepted: Sequence[Candidate] = (),
        rests: tuple[Rest, ...] = (),
        trace_id: TraceId | None = None,
        explored: MemoryId | None = None,
    ) -> Trace:
        trace = Trace(
            id=trace_id or _new_id(),
            namespace=ask.namespace,
            created_at=self.clock(),
            question=found.question,
            stages=tuple(clockwork.stages),
            candidates=found.candidates[: max(ask.limit, 10)],
            decision=decision,
            accepted=tuple(one.memory.id for one in accepted),
            session_id=ask.session_id,
            hops=found.hops[:MOST_HOPS],
            truncated=found.truncated or len(found.hops) > MOST_HOPS,
            attempts=attempts,
            checks=checks,
            degraded=found.degraded,
            call=call_of(ask),
            setup=self.kept.keep(setup_of(self.finder, found.by).model_dump_json()),
            seen=tuple(one.memory.id for one in found.candidates[: max(ask.limit, 10)]),
            rests=rests,
            explored=explored,
            total_ms=clockwork.total_ms,
        )
        self.kept.save(trace)
        return trace


def _new_id() -> TraceId:
    return TraceId(f"tr_{secrets.token_hex(12)}")


def _names_among(directory: Directory, words: Sequence[str]) -> set[str]:
    """Which of some folded words are the name of a person or organisation."""
    return {alias for one in directory.bearers(words) if one.type in _NAMED for alias in one.aliases} & set(words)
