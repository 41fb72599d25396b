"""An answer worded by a language model, beside the evidence it was checked against."""

from __future__ import annotations

from pydantic import Field

from graphsvc.models.base import MemoryId, Record


class ComposedQuote(Record):
    """Words the model rests on, as they stand in the evidence of that memory but for width and spaces."""

    memory_id: MemoryId
    quote: str


class Composed(Record):
    """What the model `model` says; every quote, number, date and name in it was found where it belongs.

    `confidence` is the model's own word for how sure it is, and no probability.
    """

    text: str
    quotes: tuple[ComposedQuote, ...]
    model: str
    confidence: float = Field(ge=0.0, le=1.0)
