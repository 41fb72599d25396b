"""A question after it was read: what kind of answer it wants, from whom, about when."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graphsvc.models.base import EntityId, Record
from graphsvc.models.facts import Amount, Attitude, Holder, Label, Language, Mention, Sense, TimeExpression
from graphsvc.models.graph import EdgeType


class Validity(StrEnum):
    """Whether the question asks for what holds, says so itself ("now", "最后"), or for what once held."""

    PRESENT = "present"
    LATEST = "latest"
    HISTORICAL = "historical"


class Route(StrEnum):
    """Which path a question takes after it was read."""

    DIRECT = "direct"
    COMPARE = "compare"
    LATEST = "latest"
    HOWTO = "howto"
    FOLLOW_UP = "follow_up"
    GRAPH = "graph"


class QuestionPart(Record):
    """One part of a compound question: where it stands, and its wording made complete ("what did 李娜 quote?")."""

    start: int
    end: int
    text: str


class Bearer(Record):
    """One whom a name may mean: the entity that stands for them, what to call them, and all their entities."""

    entity: EntityId
    name: str
    entities: tuple[EntityId, ...]


class PersonReference(Record):
    """A person the question names, and the role it gives them; several `bearers` while ambiguous.

    `own` are folded names that can only be theirs, `others` those that can only be a namesake's.
    """

    name: str
    entities: tuple[EntityId, ...]
    role: EdgeType | None = None
    bearers: tuple[Bearer, ...] = ()
    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        return len(self.bearers) > 1


class TimeWindow(Record):
    """Half-open [`begin`, `until`); an absent end is open."""

    begin: datetime | None = None
    until: datetime | None = None


class Question(Record):
    """`asked_at` is the question's now: nothing said later can answer it."""

    text: str
    language: Language
    asked_at: datetime
    asked_by: EntityId | None = None
    conversation_id: str | None = None
    query_type: str
    query_type_probability: float = 1.0
    """How sure the reader is of the type; 1 where a rule gave it."""
    route: Route = Route.DIRECT
    parts: tuple[QuestionPart, ...] = ()
    """The parts of a compound or comparing question, two or more; none of a simple one."""
    negated: bool = False
    """Whether it asks for what is not so ("who did not pay", "哪台没修")."""
    own_words: bool | None = None
    """Whether it asks for what the asker said or sent; None where it does not tell."""
    sides: tuple[str, ...] = ()
    """The sides of a contract it names, as words of the text: 甲方, 乙方, 我方, the supplier."""
    validity: Validity = Validity.PRESENT
    people: tuple[PersonReference, ...] = ()
    window: TimeWindow | None = None
    document_types: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    amounts: tuple[Amount, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    labels: tuple[Label, ...] = ()
    senses: tuple[Sense, ...] = ()
    holder: Holder | None = None
    """Whose fact is asked for."""
    attitude: Attitude = Attitude.NONE
    """Whether it asks what they like, or what they dislike."""
