"""Which side a memory takes on a yes-or-no question: its clause nearest to the question, and its polarity."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphsvc.change import words
from graphsvc.change.stated import Statement, build
from graphsvc.models.facts import Certainty, Claim, Polarity
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.statements import asked_words

_NEGATOR = re.compile(
    r"不是|并不|从来?不|没有|不会|不能|不再|不|没|未|别"
    r"|\b(?:not|never|no longer|no|isn't|aren't|wasn't|weren't|doesn't|don't|"
    r"didn't|hasn't|haven't|won't|can't|cannot)\b",
    re.IGNORECASE,
)
_TAKES_SIDE = frozenset({Certainty.CERTAIN, Certainty.HEDGED, Certainty.PLANNED})


@dataclass(frozen=True, slots=True)
class Stand:
    """A clause that says yes or no to what is asked; `ceased` where it was so and is no more."""

    statement: Statement
    negated: bool
    ceased: bool
    covered: tuple[str, ...]


def stand(memory: Memory, question: Question) -> Stand | None:
    """The claim that shares most words with the question, the first on a tie; None where none shares any."""
    asked = _words(question.text)
    found: tuple[tuple[str, ...], Claim] | None = None
    for claim in memory.facts.claims:
        covered = words.shared(asked, _words(memory.text[claim.start : claim.end]))
        if claim.certainty in _TAKES_SIDE and covered and (found is None or len(covered) > len(found[0])):
            found = covered, claim
    if found is None:
        return None
    covered, claim = found
    return Stand(
        build(_without_negators(memory), (claim.start, claim.end), ()),
        negated=claim.polarity is Polarity.NEGATED,
        ceased=claim.polarity is Polarity.CEASED,
        covered=covered,
    )


def opposed(one: Stand, other: Stand, question: Question) -> bool | None:
    """Whether one says yes and the other no; None where they do not speak of the same predicate."""
    asked = _words(question.text)
    both = words.shared(words.shared(asked, one.covered), other.covered)
    said = [word for word in asked if word in one.covered or word in other.covered]
    if not both or said[-1] not in both:
        return None
    return (one.negated or one.ceased) != (other.negated or other.ceased)


def _words(text: str) -> tuple[str, ...]:
    return words.content_words(_NEGATOR.sub(lambda found: " " * len(found.group()), text)) or asked_words(text)


def _without_negators(memory: Memory) -> Memory:
    """The same memory, spans kept, with its negators blanked: 不过敏 is cut as 过敏 is."""
    blank = _NEGATOR.sub(lambda found: " " * len(found.group()), memory.text)
    return memory.model_copy(update={"text": blank})
