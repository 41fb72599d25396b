"""A question that is nothing but an ambiguous word asks for each of its senses, and is never answered in one of them.

The memories say which senses there are; nothing is decided between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate
from graphsvc.models.question import Question
from graphsvc.retrieve.parse.namesakes import bare_words


def one_each(question: Question, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The best candidate for each sense of the bare word, best first; none when the question or memories say which."""
    asked = bare_words(question)
    if not any(sense.sense is None and fold_key(sense.surface) == asked for sense in question.senses):
        return ()
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        for sense in candidate.memory.facts.senses:
            if sense.sense is not None and fold_key(sense.surface) == asked:
                best.setdefault(sense.sense, candidate)
    found = {candidate.memory.id: candidate for candidate in best.values()}
    return tuple(found.values()) if len(found) > 1 else ()
