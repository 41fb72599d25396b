"""Who is meant where a message names nobody: the one who wrote it, told by a first person or a verb without subject.

"同意签R15。" and "I'll take the kitchen" are said of their sender; so is what the sender is asked for itself.
"""

from __future__ import annotations

import re

from graphsvc.language.hanwords import word_class
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.events import same_event
from graphsvc.retrieve.extract.frame import Frame
from graphsvc.retrieve.extract.slot import value_at
from graphsvc.retrieve.extract.terms import Covered
from graphsvc.retrieve.extract.words import Reading

_FIRST_PERSON = re.compile(
    r"(?:^|[，,。；;\s：:])(?:我|俺|咱|本人)|\b(?:I|I've|I'm|I'll|I'd|we|We|we've|we'll|We'll"
    r"|our (?:offer|quote|proposal|price|decision|advice|answer|suggestion|invoice|plan))\b"
)
# Who wrote, sent or told: the sender itself is asked for.
_ASKS_SENDER = re.compile(
    r"谁(?:给[^，。?？]{0,6})?(?:写|发|寄|报)(?:来|过来|给|的|了)|(?:发|寄)件人|署名|落款"
    r"|\bwho (?:wrote|sent|e-?mailed|mailed|texted|messaged|signed)\b|\bsender\b",
    re.IGNORECASE,
)
_ASKS_ADDRESSEE = re.compile(
    r"(?:写|发|寄)(?:信|邮件|消息)?(?:给)(?:了)?谁|收件人|给谁(?:写|发|寄)"
    r"|\bwho(?:m)? (?:did|was|is|were) .{0,30}\b(?:write|e-?mail|mail|text|message|addressed|written|sent) to\b"
    r"|\baddressee\b|\brecipient\b",
    re.IGNORECASE,
)


def asks_addressee(question: Question) -> bool:
    """Whether the one a message is addressed to is asked for."""
    return _ASKS_ADDRESSEE.search(question.text) is not None


def addressee(memory: Memory, frame: Frame) -> Value | None:
    """The one a message greets, as a value."""
    span = frame.addressee
    return None if span is None else value_at(memory, "person", *span, memory.text[slice(*span)].casefold())


def speaks(question: Question, covered: Covered, frame: Frame, reading: Reading, nearest: Value | None) -> bool:
    """Whether the clause that covers the question is said of the sender; `nearest` is the best person named."""
    at = best_clause(question, covered, frame, reading)
    if at is None:
        return False
    clause = reading.clauses[at]
    if nearest is not None and clause.start <= nearest.start < clause.end:
        return False
    said = reading.text[clause.start : clause.end]
    if _ASKS_SENDER.search(question.text) or _FIRST_PERSON.search(said):
        return True
    return _without_subject(clause.start, clause.end, question, reading)


def _without_subject(start: int, end: int, question: Question, reading: Reading) -> bool:
    """Whether a Han clause opens with the verb asked for, which nobody is named to do."""
    words = reading.within(start, end)
    if not words or not "\u4e00" <= words[0].text[0] <= "\u9fff" or word_class(words[0].text)[:1] not in {"v", "d"}:
        return False
    # An adverb may go before the verb; the dictionary has some verbs as adverbs.
    opening = words[:2] if word_class(words[0].text)[:1] == "d" else words[:1]
    said = [word.text for word in opening if word.content]
    return any(word in question.text or same_event(question.text, word) for word in said)


def best_clause(question: Question, covered: Covered, frame: Frame, reading: Reading) -> int | None:
    """The clause with most of the question's words and its event, none without any."""
    weights = [0.0] * len(reading.clauses)
    for term, places in zip(covered.terms, covered.places, strict=True):
        for at in {reading.clause_at(start) for start, _ in places if not frame.holds(start)}:
            weights[at] += term.weight
    for at, clause in enumerate(reading.clauses):
        if not frame.holds(clause.start) and same_event(question.text, reading.text[clause.start : clause.end]):
            weights[at] += 0.4
    top = max(weights)
    return weights.index(top) if top > 0 else None


def sender_of(memory: Memory, frame: Frame) -> Value | str | None:
    """The one who speaks: who signed or is named before a colon, as a value, else the memory's sender."""
    if frame.speaker is not None:
        return value_at(memory, "person", *frame.speaker, memory.text[slice(*frame.speaker)].casefold())
    if memory.sender is not None:
        return memory.sender
    if frame.signer is not None:
        return value_at(memory, "person", *frame.signer, memory.text[slice(*frame.signer)].casefold())
    return None
