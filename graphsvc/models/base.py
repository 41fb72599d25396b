"""The one base of every record that crosses an edge: frozen, and closed to unknown fields."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, NewType

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, StringConstraints

MemoryId = NewType("MemoryId", str)
EntityId = NewType("EntityId", str)
TraceId = NewType("TraceId", str)


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("holds a NUL character")
    return text


def read_moment(value: object) -> datetime:
    """An aware datetime, given as one or as ISO 8601 text with a UTC offset; raises `ValueError`."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{value!r} is not an ISO 8601 time") from None
    if not isinstance(value, datetime):
        raise ValueError(f"{value!r} is not a time; write ISO 8601 text such as 2026-03-05T15:00:00+08:00")
    if value.tzinfo is None:
        raise ValueError(f"{value.isoformat()!r} has no UTC offset; add one, such as +08:00")
    return value


ShortText = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_without_nul)]
Namespace = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_without_nul)]
Moment = Annotated[AwareDatetime, BeforeValidator(read_moment)]


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
