"""What requests and responses hold, beyond the records of `models`.

Items of a batch are not checked here: the write path checks each, so that one bad item
does not refuse the others.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    FiniteFloat,
    SkipValidation,
    StringConstraints,
    field_validator,
    model_validator,
)

from graphsvc.interfaces.where import read_where
from graphsvc.models.answer import Leg
from graphsvc.models.base import MemoryId, Moment, Record, ShortText
from graphsvc.models.memory import ChatMessage, ItemResult, Memory, MemoryInput
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS
from graphsvc.store.base import Where

FORMS = ("memory", "memories", "messages")

QuestionText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS)]
WhereField = Annotated[Where | None, BeforeValidator(lambda data: None if data is None else read_where(data))]


def _only_number(value: object) -> object:
    """Text and truth are no numbers, though either could be taken for one."""
    if isinstance(value, bool | str):
        raise ValueError(f"a number was expected, not {'true or false' if isinstance(value, bool) else 'text'}")
    return value


def _only_truth(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


OnlyNumbers = BeforeValidator(_only_number)
Truth = Annotated[bool, BeforeValidator(_only_truth)]


class AddBody(Record):
    """One `memory`, many `memories`, or the `messages` of a conversation.

    A bare memory object and a bare list of memories are read as `memory` and `memories`.
    """

    memory: Annotated[MemoryInput | None, SkipValidation] = None
    memories: tuple[Annotated[MemoryInput, SkipValidation], ...] = ()
    messages: tuple[Annotated[ChatMessage, SkipValidation], ...] = ()
    conversation_id: ShortText | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_bare(cls, data: object) -> object:
        if isinstance(data, list):
            return {"memories": data}
        if isinstance(data, dict) and not any(form in data for form in FORMS):
            return {"memory": data}
        return data

    @model_validator(mode="after")
    def _check_form(self) -> AddBody:
        given = [form for form in FORMS if getattr(self, form) not in (None, ())]
        if len(given) != 1:
            raise ValueError(f"holds {' and '.join(given) or 'nothing to add'}; give one of {', '.join(FORMS)}")
        if ("messages" in given) != (self.conversation_id is not None):
            raise ValueError("conversation_id goes with messages, and messages need one")
        return self


class AddResult(Record):
    """One result an item, in order."""

    results: tuple[ItemResult, ...]


class QuestionBody(Record):
    """A question, and what its caller knows about it."""

    question: QuestionText
    asked_at: Moment | None = Field(default=None, description="the question's \"now\"; the server's clock if absent")
    asked_by: ShortText | None = Field(default=None, description='who says "I" in the question')
    conversation_id: ShortText | None = Field(default=None, description="the conversation the question belongs to")
    session_id: ShortText | None = Field(
        default=None, description="whose last five questions a follow-up leans on; unknown ones begin a new session"
    )
    where: WhereField = Field(default=None, description="a filter that is always kept")
    as_of: Moment | None = Field(default=None, description="asks what held at that moment")
    known_at: Moment | None = Field(default=None, description="asks what the store knew at that moment")


class SearchBody(QuestionBody):
    """A question whose candidates are wanted, ranked."""

    limit: Annotated[int, OnlyNumbers] = Field(default=10, ge=1, le=200)
    min_similarity: Annotated[FiniteFloat | None, OnlyNumbers] = Field(
        default=None, ge=-1, le=1, description="a floor on the cosine"
    )
    legs: tuple[Leg, ...] = Field(default=tuple(Leg), description="the ways of finding; all when absent, else some")
    diversity: Annotated[FiniteFloat, OnlyNumbers] = Field(
        default=0.0, ge=0, le=1, description="0 ranks by score alone, 1 by unlikeness to what stands before"
    )

    @field_validator("legs")
    @classmethod
    def _some_leg(cls, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
        # As a bound of the field it would make the schema of an item one that is met by anything.
        if not legs:
            raise ValueError(f"names no way of finding; known: {', '.join(Leg)}")
        return legs


class UnderstandBody(Record):
    """`at` is when the text was said (the server's clock if absent); its offset is the zone its times are read in."""

    text: Annotated[str, StringConstraints(min_length=1)]
    at: Moment | None = None


class SenseBody(Record):
    """`surface` is the word as the memory writes it, `sense` a sense id such as `bank.river`."""

    surface: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    sense: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MemoryPage(Record):
    """Newest first; `after` asks for the next page, absent at the end."""

    memories: tuple[Memory, ...]
    after: str | None


class Deleted(Record):
    ids: tuple[MemoryId, ...]
    count: int


class NamespaceStats(Record):
    """What one namespace holds and what runs it; nothing is told of the others."""

    namespace: str
    memories: int
    version: str
    encoder: str
    ontology: str
    notes: tuple[str, ...]


class Health(Record):
    """`warnings` want looking at, though everything is answered."""

    status: str
    warnings: tuple[str, ...] = ()
