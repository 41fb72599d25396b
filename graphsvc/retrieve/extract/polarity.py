"""Yes or no, with the words that say so: the claim that covers what was asked, and its polarity.

What is only planned, hedged, asked or supposed answers neither yes nor no.
"""

from __future__ import annotations

import re

from graphsvc.models.answer import Value
from graphsvc.models.facts import Certainty, Claim, Polarity
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.events import same_event
from graphsvc.retrieve.extract.needed import excluded, unmet
from graphsvc.retrieve.extract.terms import Covered
from graphsvc.retrieve.extract.words import Reading

# Less of the question's words than this in the claim, and it may speak of something else.
_LEAST_COVERED = 0.6
# The word for a state stands there as its opposite.
_OPPOSED = 0.4
_OPPOSED_SHARE = 0.85
# What a missing object or complement takes off what is covered.
_LACKING = 0.8
# Verbs whose own meaning is an end: "was cancelled" says yes to "was it cancelled?".
_ENDING = re.compile(r"取消|停|戒|结束|作废|撤|\b(?:cancel|stop|quit|end|cease|discontinu|call)\w*", re.IGNORECASE)
_UNSURE = re.compile(
    r"可能|也许|大概|估计|应该|说不定|打算|准备|计划|将|\b(?:might|(?-i:may)|maybe|perhaps|probably|should|will|plans?"
    r"|hopes?|going to)\b",
    re.IGNORECASE,
)


def yes_no(memory: Memory, question: Question, covered: Covered, reading: Reading) -> tuple[Value | None, float]:
    """The value with `yes` or `no`, and how much of the question its claim covers in [0, 1]."""
    best: tuple[float, Claim] | None = None
    for claim in memory.facts.claims:
        share = _share(claim, covered, question, reading)
        if best is None or share > best[0]:
            best = share, claim
    if best is None:
        return None, 0.0
    share, claim = best
    start, end = claim.start, claim.end
    lacking = unmet(question, covered, reading, (start, end))
    opposed = excluded(question.text, memory.text[start:end])
    answer = _answer(claim, question, reading.text)
    if lacking or share < _LEAST_COVERED - (_OPPOSED if opposed else 0.0) or answer is None:
        return None, share * (1.0 - _LACKING * lacking)
    if opposed:
        answer, share = not answer, max(share, _OPPOSED_SHARE)
    words = memory.text[start:end]
    return Value(type="yes_no", text=words, start=start, end=end, normalised="yes" if answer else "no"), share


def _share(claim: Claim, covered: Covered, question: Question, reading: Reading) -> float:
    """The share of the question's words in the claim; its verb may be another of the same event."""
    total = got = 0.0
    words = reading.text[claim.start : claim.end]
    for term, places in zip(covered.terms, covered.places, strict=True):
        total += term.weight
        if any(claim.start <= start < claim.end for start, _ in places):
            got += term.weight
        elif same_event(term.word.text, words):
            got += 0.8 * term.weight
    if not total and same_event(question.text, words):
        return 0.7
    return got / total if total else 0.0


def _answer(claim: Claim, question: Question, text: str) -> bool | None:
    if claim.certainty is not Certainty.CERTAIN or claim.quoted:
        return None
    words = text[claim.start : claim.end]
    if claim.polarity is Polarity.AFFIRMED:
        if _UNSURE.search(words):
            return None
        holds = True
    elif claim.polarity is Polarity.CEASED:
        verb = text[slice(*claim.predicate)] if claim.predicate else ""
        holds = bool(_ENDING.search(verb)) and bool(_ENDING.search(question.text))
    else:
        holds = False
    return holds != question.negated
