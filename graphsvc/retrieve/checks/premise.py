"""A value the question itself names, against what was found: "is the budget still 80万?", "why 40 boxes?"."""

from __future__ import annotations

from dataclasses import dataclass

from graphsvc.change import words
from graphsvc.change.stated import clauses
from graphsvc.change.values import Verdict, compare_amounts
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.statements import asked_words
from ontology.model import ValueKind


@dataclass(frozen=True, slots=True)
class Premise:
    """The value asked about, the one that was found, and whether they agree; `asked_whether` where that is asked."""

    asked: str
    said: str
    holds: bool
    asked_whether: bool


def premise(question: Question, memory: Memory, kind: ValueKind) -> Premise | None:
    """The first amount of the question against those in the clause nearest to it; None where nothing compares."""
    asked = asked_words(question.text)
    spans = clauses(memory.text)
    near = max(spans, key=lambda s: (len(words.shared(asked, words.words_in(memory.text, s))), -s[0]))
    found = [one for one in memory.facts.amounts if near[0] <= one.start < near[1]]
    if not words.shared(asked, words.words_in(memory.text, near)):
        return None
    for named in question.amounts:
        verdicts = [(one, compare_amounts(named, one)) for one in found]
        known = [(one, verdict) for one, verdict in verdicts if verdict is not Verdict.INCOMPARABLE]
        if known:
            same = next((one for one, verdict in known if verdict is Verdict.SAME), None)
            if same is None and len(known) > 1:
                return None
            said = same or known[0][0]
            return Premise(named.text, said.text, same is not None, kind is ValueKind.YES_NO)
    return None
