"""From accepted candidates to an answer: quoted sentences, typed values, parts, and the status they add up to.

Nothing is worded here: every value is a span of a memory's own text, or there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.models.answer import AnswerStatus, Candidate, Evidence, Part, Value
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.change import both_sides
from graphsvc.retrieve.extract.choose import Extracted, all_values, answers
from graphsvc.retrieve.extract.compare import compare
from graphsvc.retrieve.find import Found
from graphsvc.retrieve.parse.namesakes import names_only


def evidence_of(candidates: Sequence[Candidate], question: Question, tokens: Sequence[str]) -> tuple[Evidence, ...]:
    """Each candidate's sentence that answers, with the reasons for it."""
    return tuple(_evidence(candidate, answers(candidate.memory, question, tokens)) for candidate in candidates)


def value_of(candidate: Candidate, question: Question, tokens: Sequence[str]) -> Value | None:
    """The typed value a candidate answers with, where the question asks for one."""
    found = answers(candidate.memory, question, tokens)
    return None if found is None or found.value is None else _placed(found)


def sides_of(accepted: Sequence[Candidate], question: Question, tokens: Sequence[str]) -> tuple[Value, ...]:
    """The value before a change and the one after it, where both are asked for; empty where not both are known.

    One memory that tells the change gives both; else the earliest and the latest of the accepted that differ.
    """
    if not both_sides(question):
        return ()
    for candidate in accepted:
        told = all_values(candidate.memory, question)
        if len(told) == len(("before", "after")):
            return tuple(value.model_copy(update={"memory_id": candidate.memory.id}) for value in told)
    ordered = sorted(accepted, key=lambda one: (one.memory.event_time, one.memory.id))
    found = [value for one in ordered if (value := value_of(one, question, tokens)) is not None]
    if not found or (found[0].normalised or found[0].text) == (found[-1].normalised or found[-1].text):
        return ()
    return found[0], found[-1]


def part_of(found: Found, accepted: Sequence[Candidate]) -> Part:
    """The answer to one part of a question; open where nothing was accepted for it."""
    question = found.question
    if not accepted:
        return Part(question=question.text)
    return Part(
        question=question.text,
        value=value_of(accepted[0], question, found.tokens),
        evidence=evidence_of(accepted, question, found.tokens),
    )


def compared(question: Question, parts: Sequence[tuple[Found, Sequence[Candidate]]]) -> Value | None:
    """Of two parts that each gave a value of like unit, the one the question asks for, or how far they are apart."""
    found = [answers(accepted[0].memory, part.question, part.tokens) for part, accepted in parts if accepted]
    sides = [one for one in found if one is not None]
    return compare(sides[0], sides[1], question) if len(sides) == len(parts) == 2 else None


def status_of(
    question: Question, accepted: Sequence[Candidate], *, conflict: bool, several: bool, stored: int
) -> AnswerStatus:
    """What the answer amounts to; `several` where more than one sense or bearer of a name answers."""
    if not accepted:
        if names_only(question):
            return AnswerStatus.AMBIGUOUS
        return AnswerStatus.NOTHING_RELIABLE if stored else AnswerStatus.NOTHING_STORED
    if conflict:
        return AnswerStatus.CONFLICT
    return AnswerStatus.AMBIGUOUS if several or names_only(question) else AnswerStatus.ANSWERED


def _placed(found: Extracted) -> Value | None:
    return None if found.value is None else found.value.model_copy(update={"memory_id": found.memory.id})


def _evidence(candidate: Candidate, found: Extracted | None) -> Evidence:
    memory = candidate.memory
    start, end = (0, len(memory.text)) if found is None else found.sentence
    reasons = [f"{name} {value:+.2f}" for name, value in candidate.scores.boosts.items()]
    reasons += [f"{hop.type.value} from {hop.source}" for hop in candidate.path]
    if found is not None and found.party is not None:
        reasons.insert(0, f"said by {found.party}")
    return Evidence(
        memory_id=memory.id,
        start=start,
        end=end,
        quote=memory.text[start:end],
        probability=candidate.probability,
        reasons=tuple(reasons),
        source=memory.source,
    )
