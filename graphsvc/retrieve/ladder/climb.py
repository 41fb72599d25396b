"""Climb the ladder: ask, ask in other words, say what is missing, hand it to a person.

At most two searches, judged by one bar: the second runs only where the first was not accepted, and its
evidence has to answer what was asked. Nothing here knows how a search is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from graphsvc.models.answer import Attempt, Step
from graphsvc.models.question import Question
from graphsvc.retrieve.ladder.missing import missing
from graphsvc.retrieve.ladder.request import Attempted, OutcomeT, Request
from ontology.model import ValueKind

# Below this share of the threshold, and with less than this share of the question's words, a memory does not even
# resemble the question: of unanswerable questions those about codes nobody wrote down end here.
RESEMBLANCE = 0.2
SHARED_WORDS = 0.15


@dataclass(frozen=True, slots=True)
class Climbed(Generic[OutcomeT]):
    """Where the ladder ended: the search that counts, the step reached, every attempt, and what is missing."""

    outcome: OutcomeT
    step: Step
    attempts: tuple[Attempt, ...]
    missing: tuple[str, ...] = ()


def climb(
    question: Question,
    kind: ValueKind,
    attempt: Callable[[Request], Attempted[OutcomeT]],
    rewritten: Callable[[], Request | None],
) -> Climbed[OutcomeT]:
    """Answer a question with the fewest steps; `rewritten` is asked for the second search only when it is due.

    `kind` is the kind of value the question asks for.
    """
    plain = Request(text=question.text, judged_by=question.text)
    first = attempt(plain)
    attempts = [_recorded(Step.FIRST_ATTEMPT, plain, first)]
    if first.accepted and not first.conflict:
        return Climbed(first.outcome, Step.FIRST_ATTEMPT, tuple(attempts))
    request = None if first.accepted else rewritten()
    better, doubtful = first, () if request is None else request.doubtful
    if request is not None and request.rewrites:
        second = attempt(request)
        attempts.append(_recorded(Step.REWRITTEN, request, second))
        if second.accepted and not second.conflict:
            return Climbed(second.outcome, Step.REWRITTEN, tuple(attempts))
        better = second if second.probability > first.probability else first
    handed_on = better.conflict or not _resembles(better)
    step = Step.FOR_A_PERSON if handed_on else Step.NEEDS_CONFIRMATION
    return Climbed(better.outcome, step, tuple(attempts), missing(question, better, kind, doubtful))


def _resembles(attempted: Attempted[OutcomeT]) -> bool:
    """Whether there is anything that somebody could confirm."""
    if not attempted.candidates:
        return False
    shared = attempted.candidates[0].scores.overlap or 0.0
    return attempted.probability >= RESEMBLANCE * attempted.threshold or shared >= SHARED_WORDS


def _recorded(step: Step, request: Request, attempted: Attempted[OutcomeT]) -> Attempt:
    return Attempt(
        step=step,
        text=request.text,
        rewrites=request.rewrites,
        probability=attempted.probability,
        accepted=attempted.accepted,
    )
