"""From whatever a caller hands in to a checked memory input, or an error that names item and field."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from graphsvc.errors import FieldInvalid, GraphsvcError
from graphsvc.language.normalise import check_text
from graphsvc.models.base import MemoryId, Record
from graphsvc.models.memory import ChatMessage, Memory, MemoryFields, MemoryInput, Problem

# An error stands for an item that a reader already refused, so that it keeps its place.
RawItem = MemoryInput | Mapping[str, object] | str | GraphsvcError
RawMessage = ChatMessage | Mapping[str, object]
RecordT = TypeVar("RecordT", bound=Record)


def read_item(item: object, *, limit: int) -> MemoryInput:
    """Check one item; raises `TextRefused` or `FieldInvalid`."""
    if isinstance(item, GraphsvcError):
        raise item
    if isinstance(item, MemoryInput):
        check_text(item.text, limit=limit)
        given = item
    else:
        raw = {"text": item} if isinstance(item, str) else item
        given = _validated(MemoryInput, raw, text="text", limit=limit, expected="a text or an object")
    _check_intervals(given)
    return given


def read_message(message: object, *, limit: int) -> ChatMessage:
    """Check one chat message; raises `TextRefused` or `FieldInvalid`."""
    if isinstance(message, ChatMessage):
        return message
    return _validated(ChatMessage, message, text="content", limit=limit, expected="a message object")


def _validated(model: type[RecordT], item: object, *, text: str, limit: int, expected: str) -> RecordT:
    """Check the text first: what is wrong with a text is told in our words, not the validator's."""
    if not isinstance(item, Mapping):
        raise FieldInvalid(f"{expected} was expected, not {type(item).__name__}")
    if isinstance(item.get(text), str):
        check_text(item[text], limit=limit)
    try:
        return model.model_validate(dict(item))
    except ValidationError as error:
        raise explain(error) from None


def explain(error: ValidationError) -> FieldInvalid:
    """The first complaint of a validation, as our error; the field's path is its `where`."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return FieldInvalid("unknown field", where=where, remedy="put your own data under metadata")
    return FieldInvalid(first["msg"].removeprefix("Value error, "), where=where)


def _check_intervals(given: MemoryInput) -> None:
    if given.valid_from and given.valid_to and given.valid_to <= given.valid_from:
        raise FieldInvalid("ends before it begins", where="valid_to", remedy="valid_to must be after valid_from")


def derive_id(given: MemoryInput, namespace: str) -> MemoryId:
    """An id that says what the memory says: the same input in the same namespace has the same id."""
    body = given.model_dump_json(exclude={"id"}, exclude_defaults=True)
    digest = hashlib.sha256(f"{namespace}\x00{body}".encode()).hexdigest()
    return MemoryId(f"mem_{digest[:24]}")


def same_content(given: MemoryInput, stored: Memory) -> bool:
    """Whether a stored memory already says what the caller says now."""
    fields = MemoryFields.model_fields
    same_time = given.event_time is None or given.event_time == stored.event_time
    return same_time and all(getattr(given, name) == getattr(stored, name) for name in fields)


def problem(error: GraphsvcError, *, where: str = "") -> Problem:
    """An error as data, its place prefixed by the item's."""
    place = ", ".join(part for part in (where, error.where) if part)
    return Problem(code=error.code, what=error.what, where=place, remedy=error.remedy)
