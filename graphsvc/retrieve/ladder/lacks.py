"""Why a memory that comes near a question does not answer it: another person, another time, no such value.

Read off the question and the memory alone, so that whoever is asked to confirm can check every word of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate
from graphsvc.models.facts import HolderAgreement
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.models.question import PersonReference, Question, TimeWindow, Validity
from graphsvc.retrieve.parse.ordinals import another


class Lack(StrEnum):
    """What keeps the nearest memory from being the answer, the gravest first."""

    OTHER_IDENTIFIER = "other_identifier"
    OTHER_PERSON = "other_person"
    OTHER_ROLE = "other_role"
    OTHER_HOLDER = "other_holder"
    OTHER_TIME = "other_time"
    ANOTHER_ONE = "another_one"
    NO_LONGER_SO = "no_longer_so"
    NO_VALUE = "no_value"
    UNRELIABLE = "unreliable"
    UNSURE = "unsure"


def lacks(
    question: Question, candidate: Candidate, has_value: bool | None, *, credible: bool = True
) -> tuple[Lack, ...]:
    """All that speaks against the candidate; `UNSURE` alone when nothing but its likeness does."""
    memory = candidate.memory
    found = (
        (Lack.OTHER_IDENTIFIER, bool(question.identifiers) and not _holds_identifier(memory, question)),
        (Lack.OTHER_PERSON, bool(absent(question, memory))),
        (Lack.OTHER_ROLE, bool(elsewhere(question, memory))),
        (Lack.OTHER_HOLDER, candidate.scores.holder is HolderAgreement.DIFFERENT and not _speaks_of(memory, question)),
        (Lack.OTHER_TIME, question.window is not None and not _within(memory, question.window)),
        (Lack.ANOTHER_ONE, another(question.text, memory.text)),
        (Lack.NO_LONGER_SO, _is_over(memory, question)),
        (Lack.NO_VALUE, has_value is False),
        (Lack.UNRELIABLE, not credible),
    )
    return tuple(lack for lack, is_so in found if is_so) or (Lack.UNSURE,)


def absent(question: Question, memory: Memory) -> list[PersonReference]:
    """Whom the question names and the memory does not."""
    return [person for person in question.people if _is_absent(person, memory)]


def elsewhere(question: Question, memory: Memory) -> list[PersonReference]:
    """Who is a party of the memory in another role than was asked for."""
    return [person for person in question.people if _stands_elsewhere(person, memory)]


def _speaks_of(memory: Memory, question: Question) -> bool:
    """Whether the memory names whose fact is asked for: it is no stranger's then, whosever fact it states."""
    held = None if question.holder is None else question.holder.text or question.holder.relation
    return held is not None and fold_key(held) in fold_key(memory.text)


def _holds_identifier(memory: Memory, question: Question) -> bool:
    return not {mention.key for mention in memory.facts.mentions}.isdisjoint(question.identifiers)


def _is_absent(person: PersonReference, memory: Memory) -> bool:
    """Whether the memory neither has the person as a party nor names them in any way we know."""
    if not person.entities or any(party.entity in person.entities for party in memory.parties):
        return False
    text = fold_key(memory.text)
    return not any(name in text for name in _names(person))


def _stands_elsewhere(person: PersonReference, memory: Memory) -> bool:
    """Whether the person is a party of the memory, though never in the role asked for."""
    roles = {party.role for party in memory.parties if party.entity in person.entities}
    return person.role is not None and bool(roles) and person.role not in roles


def _names(person: PersonReference) -> Iterable[str]:
    yield fold_key(person.name)
    yield from person.own
    for bearer in person.bearers:
        yield fold_key(bearer.name)


def _within(memory: Memory, window: TimeWindow) -> bool:
    """Whether it was said, or what it says is dated, inside the window."""
    spans = [(memory.event_time, memory.event_time)]
    spans += [(time.begin or time.until, time.until or time.begin) for time in memory.facts.times]  # type: ignore[misc]  # either end may be open
    return any(
        first is not None
        and last is not None
        and (window.until is None or first < window.until)
        and (window.begin is None or last > window.begin or first >= window.begin)
        for first, last in spans
    )


def _is_over(memory: Memory, question: Question) -> bool:
    if question.validity is Validity.HISTORICAL:
        return False
    over = memory.valid_to is not None and memory.valid_to <= question.asked_at
    return over or memory.status is not MemoryStatus.ACTIVE
