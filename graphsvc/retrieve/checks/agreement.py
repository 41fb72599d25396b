"""Compare what two memories say in answer to one question, slot by slot and never by likeness.

Two statements agree, one is the newer of the same slot, they contradict each other, or they speak of different
things. Where that cannot be told they count as different: a false conflict does more harm than a missed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from graphsvc.change.parting import across_languages, same_source
from graphsvc.change.stated import Statement, build
from graphsvc.change.values import Verdict, compare, is_clock, time_of
from graphsvc.language.change import CHANGE
from graphsvc.models.answer import Value
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.asked import asked_kind
from graphsvc.retrieve.checks.open_slot import locate_open
from graphsvc.retrieve.checks.polarity import Stand, opposed, stand
from graphsvc.retrieve.checks.slots import other_thing, same_slot
from graphsvc.retrieve.checks.statements import Located, locate
from ontology.model import ValueKind


class Relation(StrEnum):
    """How two statements stand to each other; `newer` is the right one's being newer of the same slot."""

    AGREES = "agrees"
    NEWER = "newer"
    CONFLICT = "conflict"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The relation of two memories, the earlier one first, and the words of each that carry it."""

    relation: Relation
    earlier: Memory
    later: Memory
    said: tuple[str, str] = ("", "")
    reporters: tuple[str | None, str | None] = (None, None)


# Beyond this a state that is told anew, by whomever, has had time to change.
_STATE_LASTS = timedelta(days=45)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads each memory once for one question; memories are told apart by id."""

    question: Question
    kind: ValueKind
    _located: dict[MemoryId, Located | None] = field(default_factory=dict)
    _stated: dict[MemoryId, Statement] = field(default_factory=dict)
    _stands: dict[MemoryId, Stand | None] = field(default_factory=dict)

    def relate(self, left: Memory, right: Memory) -> Comparison:
        earlier, later = sorted((left, right), key=lambda memory: (memory.event_time, memory.id))
        if self.kind is ValueKind.YES_NO:
            return _by_polarity(self._stand(earlier), self._stand(later), (earlier, later), self.question)
        first, second = self._locate(earlier), self._locate(later)
        if first is None or second is None:
            return Comparison(Relation.DIFFERENT, earlier, later)
        verdict, said = _verdict(earlier, first.values, later, second.values)
        if verdict is Verdict.INCOMPARABLE:
            return Comparison(Relation.DIFFERENT, earlier, later)
        pair = self._built(earlier, first), self._built(later, second)
        return _comparison(_by_value(*pair, verdict, self.question, self.kind), *pair, said)

    def tells(self, memory: Memory) -> bool:
        """Whether the memory says anything of the kind asked for; one that does not is no match for any other."""
        return self.kind is ValueKind.YES_NO or self._locate(memory) is not None

    def _locate(self, memory: Memory) -> Located | None:
        if memory.id not in self._located:
            self._located[memory.id] = (
                locate_open(memory, self.question)
                if self.kind is ValueKind.NONE
                else locate(memory, self.question, self.kind)
            )
        return self._located[memory.id]

    def _built(self, memory: Memory, found: Located) -> Statement:
        if memory.id not in self._stated:
            self._stated[memory.id] = build(memory, found.clause, found.values)
        return self._stated[memory.id]

    def _stand(self, memory: Memory) -> Stand | None:
        if memory.id not in self._stands:
            self._stands[memory.id] = stand(memory, self.question)
        return self._stands[memory.id]


def relate(left: Memory, right: Memory, question: Question, kind: ValueKind | None = None) -> Comparison:
    """The relation of two memories for one question; `kind` is what its query type asks for, where that is known."""
    return Reader(question, asked_kind(question, kind)).relate(left, right)


def _by_value(first: Statement, second: Statement, verdict: Verdict, question: Question, kind: ValueKind) -> Relation:
    named_in_two_scripts = kind is ValueKind.PERSON and across_languages(first, second)
    if named_in_two_scripts or not (first.stated and second.stated):
        return Relation.DIFFERENT
    if not same_slot(first, second, question, by_time=kind is not ValueKind.TIME):
        return Relation.DIFFERENT
    return Relation.AGREES if verdict is Verdict.SAME else _differing(first, second)


def _verdict(
    left: Memory, values: Sequence[Value], right: Memory, others: Sequence[Value]
) -> tuple[Verdict, tuple[str, str]]:
    """Same where any two values meet; different only where each says one thing, and the two differ."""
    pairs = [(a, b, compare(left, a, right, b)) for a in values for b in others]
    for a, b, verdict in pairs:
        if verdict is Verdict.SAME:
            return verdict, (a.text, b.text)
    if len(pairs) == 1 and pairs[0][2] is Verdict.DIFFERENT:
        return Verdict.DIFFERENT, (pairs[0][0].text, pairs[0][1].text)
    return Verdict.INCOMPARABLE, ("", "")


def _differing(first: Statement, second: Statement) -> Relation:
    """Newer by the words of change or by the same mouth; else a conflict, unless the state had time to change."""
    if CHANGE.search(second.memory.text):
        return Relation.NEWER
    if CHANGE.search(first.memory.text) and across_languages(first, second):
        return Relation.DIFFERENT
    if same_source(first, second):
        return Relation.NEWER if first.memory.event_time < second.memory.event_time else Relation.CONFLICT
    apart = second.memory.event_time - first.memory.event_time
    if apart > _STATE_LASTS and not (_settled(first) and _settled(second)):
        return Relation.NEWER
    return Relation.CONFLICT


def _settled(one: Statement) -> bool:
    """Whether its value lies in the past of its own telling, where nothing changes any more."""
    for value in one.values:
        if value.type != ValueKind.TIME.value:
            return bool(one.periods)
        time = time_of(one.memory, value)
        if is_clock(time) or time.until is None or time.until > one.memory.event_time:
            return False
    return bool(one.values)


def _by_polarity(
    first: Stand | None, second: Stand | None, pair: tuple[Memory, Memory], question: Question
) -> Comparison:
    apart = Comparison(Relation.DIFFERENT, *pair)
    if first is None or second is None:
        return apart
    opposite = opposed(first, second, question)
    if opposite is None or other_thing(first.statement, second.statement, question):
        return apart
    if opposite and not same_slot(first.statement, second.statement, question):
        return apart
    said = tuple(memory.text[slice(*one.statement.clause)] for memory, one in zip(pair, (first, second), strict=True))
    relation = _polar(first, second) if opposite else Relation.AGREES
    return Comparison(relation, *pair, (said[0], said[1]), (first.statement.reporter, second.statement.reporter))


def _polar(first: Stand, second: Stand) -> Relation:
    if second.ceased or first.ceased:
        return Relation.NEWER if second.ceased else Relation.DIFFERENT
    return _differing(first.statement, second.statement)


def _comparison(relation: Relation, first: Statement, second: Statement, said: tuple[str, str]) -> Comparison:
    return Comparison(relation, first.memory, second.memory, said, (first.reporter, second.reporter))


def relations(
    accepted: Sequence[Memory], rivals: Sequence[Memory], question: Question, kind: ValueKind
) -> list[Comparison]:
    """Every accepted memory against each later one of the accepted, and against every rival."""
    read = Reader(question, asked_kind(question, kind))
    found = []
    for place, one in enumerate(accepted):
        found += [read.relate(one, other) for other in (*accepted[place + 1 :], *rivals)]
    return found
