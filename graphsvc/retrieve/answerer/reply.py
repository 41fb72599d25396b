"""The form a language model must answer in: strict JSON, and nothing beside it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphsvc.remote.chat import Form

_Schema = dict[str, object]
MOST_QUOTES = 12
MOST_CHARS = 2_000


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Quote(_Strict):
    memory_id: str
    quote: Annotated[str, Field(max_length=MOST_CHARS)]


class Reply(_Strict):
    """An empty `answer` says that the evidence does not tell."""

    answer: Annotated[str, Field(max_length=MOST_CHARS)]
    quotes: Annotated[list[Quote], Field(max_length=MOST_QUOTES)]
    confidence: Annotated[float, Field(ge=0.0, le=1.0)]


def read_reply(content: str) -> Reply | None:
    """The reply, or nothing where it is not of the form, whole."""
    try:
        return Reply.model_validate_json(content)
    except ValidationError:
        return None


def reply_form() -> Form:
    """The form as a JSON schema: every field asked for, no other, and no bound some servers do not know."""
    text: _Schema = {"type": "string"}
    quotes: _Schema = {"type": "array", "items": _object({"memory_id": text, "quote": text})}
    return Form("answer", _object({"answer": text, "quotes": quotes, "confidence": {"type": "number"}}))


def _object(fields: dict[str, _Schema]) -> _Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
