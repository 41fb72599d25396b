"""Put what was replaced behind what replaces it, and what is of another day behind what is of the day asked about.

Words alone rank the old wording first: "the cache is Redis" is nearer to "which cache is used" than "it moved from
Redis to Memcached". Neither is a matter of degree, so no weight decides it.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.change import words
from graphsvc.models.answer import Candidate
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.checks.newer import Replacing
from graphsvc.retrieve.checks.statements import asked_words
from graphsvc.retrieve.ladder.dates import absolute

# Every pair of these is compared; further down an order changes no answer.
MOST_COMPARED = 6
_BEHIND = 1e-3


def in_order_of_time(candidates: tuple[Candidate, ...], question: Question) -> tuple[Candidate, ...]:
    """What is of the asked-for day before what is of another, and what replaces before what it replaces."""
    if any(absolute(time, question.asked_at, han=False) for time in question.times):
        candidates = inside_first(candidates, question)
    return behind_newer(candidates, question)


def behind_newer(candidates: Sequence[Candidate], question: Question) -> tuple[Candidate, ...]:
    """The candidates, best first, each replaced one right behind the one that replaces it.

    What it loses stands among its boosts, so that its parts still add up. A question about the past moves nothing.
    """
    if question.validity is Validity.HISTORICAL:
        return tuple(candidates)
    placed = {one.memory.id: one for one in candidates}
    replacing = Replacing.of(question)
    # Newest first: what replaces has its own place before what it replaces is put behind it.
    best = sorted(candidates[:MOST_COMPARED], key=lambda one: (one.memory.event_time, one.memory.id), reverse=True)
    for place, old in enumerate(best):
        newer = [
            placed[new.memory.id]
            for new in best[:place]
            if _may_stand_for(new.memory, question) and replacing.replaces(new.memory, old.memory)
        ]
        if newer:
            placed[old.memory.id] = _lowered(old, max(one.score for one in newer) - _BEHIND, "replaced")
    return tuple(sorted(placed.values(), key=lambda one: (-one.score, one.memory.id)))


def inside_first(candidates: Sequence[Candidate], question: Question) -> tuple[Candidate, ...]:
    """The candidates, best first, those dated elsewhere behind one of the asked-for time that covers as much.

    For questions that count from the moment of asking: "yesterday" says when, "the 22nd" may be part of the thing.
    Only what gives a date of its own is moved: of the rest nobody knows of which day it tells.
    """
    best = candidates[:MOST_COMPARED]
    inside = [one for one in best if one.scores.signals.get("window")]
    if question.window is None or not inside:
        return tuple(candidates)
    placed = {one.memory.id: one for one in candidates}
    for one in best:
        rivals = [rival.score for rival in inside if _covered(rival) >= _covered(one)]
        if one not in inside and rivals and _is_dated(one.memory):
            placed[one.memory.id] = _lowered(one, max(rivals) - _BEHIND, "window")
    return tuple(sorted(placed.values(), key=lambda one: (-one.score, one.memory.id)))


def _covered(candidate: Candidate) -> float:
    return candidate.scores.fit.get("covered") or 0.0


def _is_dated(memory: Memory) -> bool:
    return any(time.begin is not None and time.until is not None for time in memory.facts.times)


def _may_stand_for(newer: Memory, question: Question) -> bool:
    """Whether it speaks of all that is asked; of half of it where the latest is asked for."""
    asked = asked_words(question.text)
    found = words.shared(asked, words.content_words(newer.text))
    needed = 0.5 if question.validity is Validity.LATEST else 1.0
    return len(found) >= needed * len(asked)


def _lowered(candidate: Candidate, most: float, why: str) -> Candidate:
    lost = candidate.score - most
    if lost <= 0.0:
        return candidate
    boosts = candidate.scores.boosts
    scores = candidate.scores.model_copy(update={"boosts": boosts | {why: boosts.get(why, 0.0) - lost}})
    return candidate.model_copy(update={"score": most, "scores": scores})
