"""How far what was accepted may be relied on: its stated confidence, and how it is put forward.

What is hedged counts one level lower, and so does hearsay; a text that only asks states nothing. Evidence of low
confidence stands only beside two of high confidence that agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum

from graphsvc.change import words
from graphsvc.change.stated import clauses
from graphsvc.language.segment import sentences
from graphsvc.models.facts import Certainty
from graphsvc.models.memory import Confidence, Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.statements import asked_words

RELIABLE_NEEDED = 2


class Level(IntEnum):
    """What a memory weighs as evidence; one that only asks weighs nothing."""

    NOTHING = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


_STATED = {Confidence.LOW: Level.LOW, Confidence.MEDIUM: Level.MEDIUM, Confidence.HIGH: Level.HIGH}
_ASKS = re.compile(r"[?？]\s*$|吗[。!！]?\s*$")
_UNSURE = frozenset({Certainty.HEDGED, Certainty.HYPOTHETICAL})


def level(memory: Memory, question: Question) -> Level:
    """The weight of a memory for one question, by the clause that shares most of the question's words.

    Hearsay and hedging lower a stated level; where none was stated only words such as "maybe" and "I heard" do: most
    of what people tell each other comes from somebody, and names him. Hedging is part of one's own words.
    """
    if only_asks(memory.text):
        return Level.NOTHING
    stated = Level.MEDIUM if memory.confidence_level is None else _STATED[memory.confidence_level]
    start, end = _near(memory, question)
    claims = [claim for claim in memory.facts.claims if claim.start < end and start < claim.end]
    if question.own_words:
        return Level(max(Level.LOW, stated))
    unsure = words.hedged(memory.text[start:end])
    if memory.confidence_level is not None:
        unsure = unsure or any(claim.certainty in _UNSURE or claim.quoted for claim in claims)
    return Level(max(Level.LOW, stated - int(unsure)))


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    spans = sentences(text)
    return bool(spans) and all(_ASKS.search(text[start:end]) for start, end in spans)


def reliable(accepted: Sequence[Memory], confirming: Callable[[], Sequence[Memory]], question: Question) -> bool:
    """Whether any accepted memory weighs enough, or two of high confidence confirm what it says.

    `confirming` gives the memories that agree with the first accepted one; it is called only where that matters.
    """
    levels = [level(memory, question) for memory in accepted]
    if max(levels, default=Level.NOTHING) >= Level.MEDIUM:
        return True
    return sum(level(memory, question) is Level.HIGH for memory in confirming()) >= RELIABLE_NEEDED


def _near(memory: Memory, question: Question) -> tuple[int, int]:
    asked = asked_words(question.text)
    return max(
        clauses(memory.text),
        key=lambda s: (len(words.shared(asked, words.words_in(memory.text, s))), -s[0]),
    )
