"""What agrees or disagrees with the question beside its words: people, time, topic, sense, recency, change.

Each signal is a number in [0, 1]; its weight in the ranking configuration says what it adds, so that an answer
can say why one candidate stands above another. None of them can rescue a candidate the legs did not find.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphsvc.models.facts import Attitude, Certainty, HolderAgreement, Sense
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Confidence, Memory
from graphsvc.models.question import PersonReference, Question, Validity
from graphsvc.retrieve.extract.fit import Fit
from graphsvc.retrieve.rank.talks import ALONE, Standing

_EVEN = 0.75  # a sense that was told with no more than this moves nothing: most wrong ones are told just above
_OPPOSITE = {Attitude.LIKE: Attitude.DISLIKE, Attitude.DISLIKE: Attitude.LIKE}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of a candidate beside its text.

    `age` is its place among its rivals, None outside them; `aged` what it lost by age; `has_value` whether it holds
    the asked-for kind of value, None when none is asked for; `senses` the senses of its words, those its conversation
    gave included; `holder` whether it is about the one the question asks about; `other_attitude` 1 where it tells of
    dislikes and likes are asked for, or the other way round; `talk` how much better its talk covers the question than
    it does alone; `changes` whether it speaks of a change, `standing` its place in its own talk, `fit` how far it
    holds what is asked, None for those too far down to be judged; `in_session` whether it is, or stands beside, what
    answered the session's earlier question.
    """

    age: float | None = None
    aged: float = 0.0
    has_value: float | None = None
    senses: Senses = field(default_factory=dict)
    holder: HolderAgreement = HolderAgreement.UNKNOWN
    other_attitude: float = 0.0
    talk: float = 0.0
    changes: bool = False
    standing: Standing = ALONE
    fit: Fit | None = None
    in_session: bool = False


def signals(memory: Memory, question: Question, around: Circumstances) -> dict[str, float]:
    """The signals of one candidate that are not 0, by name."""
    people, speaking, against = _people(memory, question)
    agree, disagree = _sense(question, around.senses)
    spoken = _takes_part(memory, question, EdgeType.SENT_BY)
    found = {
        "person": people,
        "speaker": speaking,
        "wrong_direction": against,
        "role_broken": _role_broken(memory, question),
        "conversation": float(_same_conversation(memory, question)),
        "talk": around.talk,
        "window": float(_in_window(memory, question)),
        "document": float(memory.document_type in question.document_types),
        "domain": _shared_domain(memory, question),
        "side": _side(memory, question),
        "identifier": _share(question.identifiers, {mention.key for mention in memory.facts.mentions}),
        "amount": _share(
            {(one.value, one.unit) for one in question.amounts}, {(one.value, one.unit) for one in memory.facts.amounts}
        ),
        "value": around.has_value or 0.0,
        "sense": agree,
        "other_sense": disagree,
        "holder": float(around.holder is HolderAgreement.SAME),
        "other_holder": float(around.holder is HolderAgreement.DIFFERENT),
        "other_attitude": around.other_attitude,
        "own_words": float(spoken and question.own_words is True),
        "askers_words": float(spoken and question.own_words is not True),
        "asks": _asks(memory),
        "ageing": around.aged,
        "in_session": float(around.in_session),
        "low_confidence": float(memory.confidence_level is Confidence.LOW),
        "to_asker": float(_takes_part(memory, question, EdgeType.SENT_TO)),
        **_in_talk(question, around),
        **_fitting(around.fit),
        **_recency(question, around.age),
    }
    return {name: round(float(value), 4) for name, value in found.items() if value}


def _people(memory: Memory, question: Question) -> tuple[float, float, float]:
    """How many named people take part as asked, how many speak though no role is asked, how many in another role."""
    agree = speaking = against = 0.0
    for person in question.people:
        roles = {party.role for party in memory.parties if party.entity in person.entities}
        if person.role is None:
            speaks = EdgeType.SENT_BY in roles
            agree += speaks or _spoken_of(memory, person)
            speaking += speaks
        elif person.role in roles:
            agree += 1
        elif roles:
            against += 1
    return agree, speaking, against


def _role_broken(memory: Memory, question: Question) -> float:
    """1 where the question gives somebody a role and the memory, whose parties are known, has others in it."""
    asked = [person for person in question.people if person.role is not None]
    if not asked or not memory.parties:
        return 0.0
    return float(any(not _stands(memory, person) for person in asked))


def _stands(memory: Memory, person: PersonReference) -> bool:
    """Whether the person stands in the role asked for, or nobody does: a chat need not list whom it went to."""
    there = [party.entity for party in memory.parties if party.role is person.role]
    return not there or any(entity in person.entities for entity in there)


def _spoken_of(memory: Memory, person: PersonReference) -> bool:
    """Named in the text as in the question, or by another name that is theirs alone."""
    named = {mention.key for mention in memory.facts.mentions}
    return person.name.casefold() in memory.text.casefold() or not named.isdisjoint(person.own)


def _same_conversation(memory: Memory, question: Question) -> bool:
    return question.conversation_id is not None and memory.conversation_id == question.conversation_id


def _in_window(memory: Memory, question: Question) -> bool:
    """The memory tells of the asked-for time, or was said in it; a day that ends where it begins is outside.

    Of what was sent or said then, the moment of saying counts; else a memory's own dates decide where it has some:
    April's turnover, told in May, is not May's.
    """
    window = question.window
    if window is None:
        return False
    dated = [(time.begin, time.until) for time in memory.facts.times if time.begin and time.until]
    said = [(memory.event_time, memory.event_time)]
    directed = any(person.role is not None for person in question.people)
    spans = [*said, *dated] if directed or not dated else dated
    return any(
        (window.until is None or begin < window.until)
        and (window.begin is None or end > window.begin or begin >= window.begin)
        for begin, end in spans
    )


def _shared_domain(memory: Memory, question: Question) -> float:
    if not question.labels or not memory.facts.labels:
        return 0.0
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


def _sense(question: Question, told: Senses) -> tuple[float, float]:
    """Told senses of one word agree or exclude each other: how surely they agree, and how surely not."""
    if not told or not question.senses:
        return 0.0, 0.0
    asked = told_senses(question.senses)
    shared = asked.keys() & told.keys()
    if not shared:
        return 0.0, 0.0
    sure = max(sense.probability for sense in question.senses if sense.sense and _word(sense.sense) in shared)
    strength = max(0.0, sure - _EVEN) / (1.0 - _EVEN)
    agree = any(asked[word] & told[word] for word in shared)
    return (strength, 0.0) if agree else (0.0, strength)


def _takes_part(memory: Memory, question: Question, role: EdgeType) -> bool:
    """Whether whoever asks wrote it, or was written to: people ask for what they were told more than what they said."""
    return question.asked_by is not None and any(
        party.role is role and party.entity == question.asked_by for party in memory.parties
    )


def _in_talk(question: Question, around: Circumstances) -> dict[str, float]:
    """What holds now is what was said last and changed what was said before; what once held, what was said first."""
    standing = around.standing
    found = {"talk_above": standing.above}
    if question.validity is Validity.HISTORICAL:
        return found | {"talk_oldest": standing.later}
    return found | {
        "talk_newest": 0.0 if standing.alone else 1.0 - standing.later,
        "talk_last": float(not standing.alone and standing.later == 0.0),
        "changes": float(around.changes),
        "changed_since": float(standing.changed_since),
    }


def _fitting(found: Fit | None) -> dict[str, float]:
    """How far it holds what is asked; what cannot be told is no signal."""
    if found is None:
        return {}
    return {
        "bound": found.slot_bound or 0.0,
        "kind": found.kind_present or 0.0,
        "contrast": found.contrast,
    }


def other_attitude(memory: Memory, question: Question) -> float:
    """1 when the question asks what somebody likes and the memory tells of dislikes alone, or the other way round."""
    told = {claim.attitude for claim in memory.facts.claims}
    opposite = _OPPOSITE.get(question.attitude)
    return float(opposite in told and question.attitude not in told)


def _asks(memory: Memory) -> float:
    """The share of its clauses in which a memory asks, all of it where it ends so: a question answers none."""
    claims = memory.facts.claims
    if memory.text.rstrip().endswith(("?", "？")):
        return 1.0
    return sum(claim.certainty is Certainty.ASKED for claim in claims) / len(claims) if claims else 0.0


def _side(memory: Memory, question: Question) -> float:
    """The share of the contract's sides the question names that the memory is about, by role or by word."""
    if not question.sides:
        return 0.0
    roles = {memory.role_in_context, memory.responsible_party, memory.affected_party}
    return _share(question.sides, {side for side in question.sides if side in roles or side in memory.text})


def _share(asked: Iterable[Hashable], there: Collection[Hashable]) -> float:
    wanted = set(asked)
    return len(wanted.intersection(there)) / len(wanted) if wanted else 0.0


def _recency(question: Question, age: float | None) -> dict[str, float]:
    """Asked for what holds now, the newest rival counts; for what once held, the oldest.

    A question that says neither is left to the other signals: newer is not truer.
    """
    if age is None:
        return {}
    match question.validity:
        case Validity.HISTORICAL:
            return {"oldest_asked": age}
        case Validity.LATEST:
            return {"newest_asked": 1.0 - age}
        case Validity.PRESENT:
            return {}


def ages(scored: Sequence[tuple[Memory, float]], *, margin: float) -> Mapping[str, float]:
    """Each rival's age among the rivals, 0 for the newest to 1 for the oldest, by rank.

    Rivals are the memories within `margin` of the best score, and the best one's talk; the others are left out, and one
    without a rival has no age: nothing is newer than it or older.
    """
    if not scored:
        return {}
    best, top = max(scored, key=lambda one: (one[1], one[0].id))
    talk = best.conversation_id
    rivals = [m for m, score in scored if score >= top - margin or (talk is not None and m.conversation_id == talk)]
    if len(rivals) == 1:
        return {}
    ordered = sorted(rivals, key=lambda m: (m.event_time, m.id), reverse=True)
    return {memory.id: place / (len(ordered) - 1) for place, memory in enumerate(ordered)}
