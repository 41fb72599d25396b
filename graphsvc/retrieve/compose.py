"""From accepted candidates to an answer: quoted sentences, typed values, parts, and the status they add up to.

Nothing is worded here: every value is a span of a memory's own text, or there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.models.answer import AnswerStatus, Candidate, Evidence, Part, Value
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.change import both_sides
from graphsvc.retrieve.extract.choose import Extracted, all_values, answers
from graphsvc.retrieve.extract.compare import compare
from graphsvc.retrieve.find import Found
from graphsvc.retrieve.parse.namesakes import names_only


@dataclass(frozen=True, slots=True)
class Told:
    """What the accepted candidates tell of one question; each memory is read once."""

    question: Question
    accepted: tuple[Candidate, ...]
    found: tuple[Extracted | None, ...]

    @classmethod
    def of(cls, search: Found, accepted: Sequence[Candidate]) -> Told:
        question, tokens = search.question, search.tokens
        return cls(question, tuple(accepted), tuple(answers(one.memory, question, tokens) for one in accepted))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Each candidate's sentence that answers, with the reasons for it."""
        return tuple(_evidence(one, found) for one, found in zip(self.accepted, self.found, strict=True))

    @property
    def value(self) -> Value | None:
        """The typed value the first candidate answers with, where the question asks for one."""
        return _placed(self.found[0]) if self.found else None

    @property
    def sides(self) -> tuple[Value, ...]:
        """The value before a change and the one after it, where both are asked for; empty where not both are known.

        One memory that tells the change gives both; else the earliest and the latest of the accepted that differ.
        """
        if not both_sides(self.question):
            return ()
        for candidate in self.accepted:
            told = all_values(candidate.memory, self.question)
            if len(told) == len(("before", "after")):
                return tuple(value.model_copy(update={"memory_id": candidate.memory.id}) for value in told)
        pairs = zip(self.accepted, self.found, strict=True)
        ordered = sorted(pairs, key=lambda pair: (pair[0].memory.event_time, pair[0].memory.id))
        values = [value for _, found in ordered if (value := _placed(found)) is not None]
        if not values or (values[0].normalised or values[0].text) == (values[-1].normalised or values[-1].text):
            return ()
        return values[0], values[-1]

    @property
    def as_part(self) -> Part:
        """The answer to one part of a question; open where nothing was accepted for it."""
        return Part(question=self.question.text, value=self.value, evidence=self.evidence)


def compared(question: Question, parts: Sequence[Told]) -> Value | None:
    """Of two parts that each gave a value of like unit, the one the question asks for, or how far they are apart."""
    sides = [one.found[0] for one in parts if one.found and one.found[0] is not None]
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


def _placed(found: Extracted | None) -> Value | None:
    return (
        None if found is None or found.value is None else found.value.model_copy(update={"memory_id": found.memory.id})
    )


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
        stale=bool(memory.stale_sources),
    )
