"""What agrees or disagrees with the question beside its words: people, time, topic, sense, recency.

Each agreement adds a named amount to the mixed score, so that an answer can say why one
candidate stands above another. None of them can rescue a candidate the legs did not find.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphsvc.models.facts import HolderAgreement, Sense
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Confidence, Memory
from graphsvc.models.question import PersonReference, Question, Validity


@dataclass(frozen=True, slots=True)
class Boosts:
    """Additions to a score in [0, 1]; negative ones push down."""

    person: float = 0.05
    wrong_direction: float = -0.10
    conversation: float = 0.35
    window: float = 0.06
    document: float = 0.05
    domain: float = 0.03
    sense: float = 0.10
    other_sense: float = -0.20
    holder: float = 0.05
    other_holder: float = -0.15
    other_attitude: float = -0.15
    value: float = 0.12
    newest_asked: float = 0.20
    oldest_asked: float = 0.20
    rivals_within: float = 0.20
    low_confidence: float = -0.05


DEFAULT_BOOSTS = Boosts()
_EVEN = 0.75  # a sense that was told with no more than this moves nothing: most wrong ones are told just above


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of a candidate beside its text.

    `age` is its place among its rivals, None outside them; `has_value` whether it holds the asked-for kind of value,
    None when none is asked for; `senses` the senses of its words, those its conversation gave included; `holder`
    whether it is about the one the question asks about; `other_attitude` 1 where it tells of dislikes and likes are
    asked for, or the other way round.
    """

    age: float | None = None
    has_value: float | None = None
    senses: Senses = field(default_factory=dict)
    holder: HolderAgreement = HolderAgreement.UNKNOWN
    other_attitude: float = 0.0


def boosts(memory: Memory, question: Question, around: Circumstances, weights: Boosts) -> dict[str, float]:
    """The named additions for one candidate."""
    found = {
        "person": _person(memory, question, weights),
        "conversation": weights.conversation * _same_conversation(memory, question),
        "window": weights.window * _in_window(memory, question),
        "document": weights.document * (memory.document_type in question.document_types),
        "domain": weights.domain * _shared_domain(memory, question),
        "holder": _holder(around.holder, weights),
        "attitude": weights.other_attitude * around.other_attitude,
        "sense": _sense(question, around.senses, weights),
        "value": weights.value * (around.has_value or 0.0),
        "recency": 0.0 if around.age is None else _recency(question, around.age, weights),
        "confidence": weights.low_confidence * (memory.confidence_level is Confidence.LOW),
    }
    return {name: round(float(value), 4) for name, value in found.items() if value}


def _person(memory: Memory, question: Question, weights: Boosts) -> float:
    """Named people count where they take part; the asked-for direction counts against its reverse."""
    total = 0.0
    for person in question.people:
        roles = {party.role for party in memory.parties if party.entity in person.entities}
        if person.role is None:
            total += weights.person * (EdgeType.SENT_BY in roles or _spoken_of(memory, person))
        elif person.role in roles:
            total += weights.person
        elif roles:
            total += weights.wrong_direction
    return total


def _spoken_of(memory: Memory, person: PersonReference) -> bool:
    """Named in the text as in the question, or by another name that is theirs alone."""
    named = {mention.key for mention in memory.facts.mentions}
    return person.name.casefold() in memory.text.casefold() or not named.isdisjoint(person.own)


def _same_conversation(memory: Memory, question: Question) -> bool:
    return question.conversation_id is not None and memory.conversation_id == question.conversation_id


def _in_window(memory: Memory, question: Question) -> bool:
    """The memory was said inside the asked-for time, or speaks of it."""
    window = question.window
    if window is None:
        return False
    spans = [(memory.event_time, memory.event_time)]
    spans += [(time.begin, time.until) for time in memory.facts.times if time.begin and time.until]
    return any(
        (window.until is None or begin < window.until) and (window.begin is None or end >= window.begin)
        for begin, end in spans
    )


def _shared_domain(memory: Memory, question: Question) -> float:
    asked = {label.domain: label.probability for label in question.labels}
    return max(
        (asked[label.domain] * label.probability for label in memory.facts.labels if label.domain in asked), default=0
    )


Senses = Mapping[str, frozenset[str]]
"""The senses each word of the inventory was told to have, by the word's id."""


def told_senses(senses: Iterable[Sense]) -> Senses:
    found: dict[str, frozenset[str]] = {}
    for sense in senses:
        if sense.sense is not None:
            word = _word(sense.sense)
            found[word] = found.get(word, frozenset()) | {sense.sense}
    return found


def _word(sense: str) -> str:
    return sense.partition(".")[0]


def _sense(question: Question, told: Senses, weights: Boosts) -> float:
    """Told senses of one word agree or exclude each other."""
    asked = told_senses(question.senses)
    shared = asked.keys() & told.keys()
    if not shared:
        return 0.0
    sure = max(sense.probability for sense in question.senses if sense.sense and _word(sense.sense) in shared)
    agree = any(asked[word] & told[word] for word in shared)
    return (weights.sense if agree else weights.other_sense) * max(0.0, sure - _EVEN) / (1.0 - _EVEN)


def _holder(found: HolderAgreement, weights: Boosts) -> float:
    match found:
        case HolderAgreement.SAME:
            return weights.holder
        case HolderAgreement.DIFFERENT:
            return weights.other_holder
        case HolderAgreement.UNKNOWN:
            return 0.0


def _recency(question: Question, age: float, weights: Boosts) -> float:
    """Asked for what holds now, prefer the newest rival; for what once held, the oldest.

    A question that says neither is left to the other scores: newer is not truer.
    """
    match question.validity:
        case Validity.HISTORICAL:
            return weights.oldest_asked * age
        case Validity.LATEST:
            return weights.newest_asked * (1.0 - age)
        case Validity.PRESENT:
            return 0.0


def ages(scored: Sequence[tuple[Memory, float]], *, margin: float) -> Mapping[str, float]:
    """Each rival's age among the rivals, 0 for the newest to 1 for the oldest, by rank.

    Rivals are the memories within `margin` of the best score; the others are left out.
    """
    best = max((score for _, score in scored), default=0.0)
    rivals = [memory for memory, score in scored if score >= best - margin]
    ordered = sorted(rivals, key=lambda m: (m.event_time, m.id), reverse=True)
    last = max(len(ordered) - 1, 1)
    return {memory.id: place / last for place, memory in enumerate(ordered)}
