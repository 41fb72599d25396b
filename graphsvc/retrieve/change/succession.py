"""Put in the place of what fell the memory that stands for it, at the moment the question asks of.

The one sought of a chain takes the place and the probability of its best: to a question about the slot it says in
other words what that one said. What fell whole is left out, unless the past or the change itself is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from calibration import fallback
from graphsvc.change.stated import clauses
from graphsvc.models.answer import Candidate, Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.change.asked import OF_ALL, OF_THE_CHANGE, OF_THE_PAST, Sought, sought
from graphsvc.retrieve.change.chain import Chain, chains
from graphsvc.retrieve.change.latest import last_of
from graphsvc.retrieve.change.others import behind_own, of_others, talks
from graphsvc.retrieve.change.ties import Ties
from ontology.model import ValueKind

# A chain none of whose memories is among so many answers nothing that is asked.
MOST_LED = 8
_ABOVE = 1e-3
# So much of a question's words in a chain make it the matter asked about.
_TOUCHED = 0.5
_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The candidates, best first, without what fell; `chain` is the one a question about a change asks of."""

    candidates: tuple[Candidate, ...] = ()
    sought: Sought = Sought.CURRENT
    moment: datetime | None = None
    ties: Ties = field(default_factory=Ties)
    fell: frozenset[MemoryId] = frozenset()
    led: frozenset[MemoryId] = frozenset()
    chain: Chain | None = None

    @property
    def told(self) -> str:
        """What was done, in words; empty where nothing of this search was ever replaced."""
        if not self.led and not self.fell:
            return ""
        return f"asks for what is {self.sought.value}: {len(self.led)} put first, {len(self.fell)} overturned left out"


def moment_of(question: Question, as_of: datetime | None) -> datetime:
    """The moment whose state is asked for: the caller's, else the end of the past the question names, else its now."""
    if as_of is not None:
        return as_of
    until = None if question.window is None else question.window.until
    if until is None or question.validity is Validity.LATEST or until > question.asked_at:
        return question.asked_at
    return until - _INSTANT


def succeed(
    candidates: Sequence[Candidate],
    question: Question,
    ties: Ties,
    *,
    as_of: datetime | None = None,
    kind: ValueKind | None = None,
) -> Succeeded:
    """Candidates that were ranked and judged, best first, in the order in which they stand for each other."""
    wanted, moment = sought(question), moment_of(question, as_of)
    placed = {one.memory.id: one for one in candidates}
    apart = _set_apart(placed, candidates, question, ties, kind)
    candidates = sorted(placed.values(), key=_by_score)
    leads = [one.memory.id for one in candidates[:MOST_LED]]
    if wanted in OF_THE_CHANGE:
        leads = leads[:1]
    told = chains(ties, question, candidates, of_the_change=wanted in OF_THE_CHANGE)
    found = [one for one in told if any(each in leads for each in one.ids)]
    found.sort(key=lambda chain: min(leads.index(one) for one in chain.ids if one in leads))
    led: set[MemoryId] = set()
    for chain in found:
        first = chain.ids if wanted in OF_ALL else chain.sought(wanted, moment, question.text, leads[0])
        led.update(_led(placed, chain, [one for one in first if one in placed]))
        if wanted is Sought.REASON:
            _may_tell_why(placed, chain, first)
    fell = ties.ended(moment) - led if _hides(question, wanted, as_of) else frozenset()
    if wanted is Sought.CURRENT and as_of is None:
        led |= _last_said(placed, ties, apart, fell, moment, outcome=question.validity is Validity.LATEST)
    return Succeeded(
        tuple(sorted((one for key, one in placed.items() if key not in fell), key=_by_score)),
        wanted,
        moment,
        ties,
        frozenset(fell & placed.keys()),
        frozenset(led),
        next(iter(found), None) if wanted in OF_THE_CHANGE else None,
    )


def _set_apart(
    placed: dict[MemoryId, Candidate],
    candidates: Sequence[Candidate],
    question: Question,
    ties: Ties,
    kind: ValueKind | None,
) -> frozenset[MemoryId]:
    """Put what the best's talk tells of others behind what it tells of its own matter."""
    turns = talks(candidates).get(candidates[0].memory.conversation_id or "", ()) if candidates else ()
    apart = of_others(turns, question, ties, kind)
    behind_own(placed, turns, apart)
    return apart


def _last_said(
    placed: dict[MemoryId, Candidate],
    ties: Ties,
    apart: frozenset[MemoryId],
    fell: frozenset[MemoryId],
    moment: datetime,
    *,
    outcome: bool,
) -> frozenset[MemoryId]:
    """Lift the last turn that gives what is asked for above the best of its talk."""
    there = sorted((one for key, one in placed.items() if key not in fell), key=_by_score)
    if not there or there[0].memory.conversation_id is None:
        return frozenset()
    turns = talks(there)[there[0].memory.conversation_id]
    replaced = {tie.earlier for tie in ties.overturning if tie.since <= moment}
    # What a part of was replaced may still be the best; nothing of it is news any more.
    disputed = {end for tie in ties.contradicting for end in tie.ends}
    last = last_of(turns, apart, frozenset(replaced | disputed), moment, outcome=outcome)
    if last is None:
        return frozenset()
    best = there[0]
    placed[last.memory.id] = _lifted(
        last, max(last.score, best.score + _ABOVE), max(one.probability for one in turns), ()
    )
    return frozenset({last.memory.id})


def _hides(question: Question, wanted: Sought, as_of: datetime | None) -> bool:
    """Whether what fell is kept from the question: not where it asks for the past or for the change."""
    if wanted in OF_THE_CHANGE | OF_THE_PAST:
        return False
    return as_of is not None or moment_of(question, None) == question.asked_at


def _led(placed: dict[MemoryId, Candidate], chain: Chain, first: Sequence[MemoryId]) -> Sequence[MemoryId]:
    """Put the ones sought above all of their chain, in order; the best of the others is whom they stand for."""
    there = [placed[one] for one in chain.ids if one in placed]
    others = [one for one in there if one.memory.id not in first]
    if not first:
        return ()
    probability = max(there, key=lambda one: (one.score, one.memory.id)).probability
    stood_for = max(others, key=lambda one: (one.score, one.memory.id), default=None)
    floor = None if stood_for is None else stood_for.score
    for one in reversed(first):
        raised = placed[one].score if floor is None else max(placed[one].score, floor + _ABOVE)
        placed[one] = _lifted(placed[one], raised, probability, _hop(chain, placed[one], stood_for))
        floor = raised
    return first


def _may_tell_why(placed: dict[MemoryId, Candidate], chain: Chain, first: Sequence[MemoryId]) -> None:
    """Accept what overturned the matter asked about, where it says more than that."""
    touched = any((placed[one].scores.fit.get("covered") or 0.0) >= _TOUCHED for one in chain.ids if one in placed)
    for one in first:
        if touched and one in placed and len(clauses(placed[one].memory.text)) > 1:
            placed[one] = placed[one].model_copy(
                update={"probability": max(placed[one].probability, fallback.THRESHOLD)}
            )


def _hop(chain: Chain, candidate: Candidate, of: Candidate | None) -> tuple[Hop, ...]:
    """The edge between a memory and the one it stands for."""
    if of is None:
        return ()
    one, other = of.memory.id, candidate.memory.id
    ties = [tie for tie in chain.ties if tie.ends == {one, other}]
    return tuple(Hop(source=one, target=other, type=tie.kind, weight=tie.weight) for tie in ties[:1])


def _lifted(candidate: Candidate, score: float, probability: float, path: tuple[Hop, ...]) -> Candidate:
    """What it gains stands among its boosts, so that its parts still add up."""
    gained, scores = score - candidate.score, candidate.scores
    if gained:
        scores = scores.model_copy(
            update={"boosts": scores.boosts | {"stands_for": scores.boosts.get("stands_for", 0.0) + gained}}
        )
    return candidate.model_copy(
        update={
            "score": score,
            "probability": max(probability, candidate.probability),
            "scores": scores,
            "path": candidate.path or path,
        }
    )


def _by_score(candidate: Candidate) -> float:
    """Best first; equals stay in the order in which they were ranked."""
    return -candidate.score
