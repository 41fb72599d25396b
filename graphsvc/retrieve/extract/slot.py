"""A value that could fill what is asked for, with how well its kind fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory


@dataclass(frozen=True, slots=True)
class Slot:
    """A value and how well its kind fits, in (0, 1]."""

    value: Value
    fit: float


def value_at(memory: Memory, kind: str, start: int, end: int, normalised: str | None = None) -> Value:
    """A span of the memory's text as a value."""
    return Value(type=kind, text=memory.text[start:end], start=start, end=end, normalised=normalised)


def marked(text: str, spans: Sequence[tuple[int, int]]) -> bytearray:
    """One byte for each character, 1 where a span covers it."""
    marks = bytearray(len(text))
    for start, end in spans:
        marks[start:end] = b"\x01" * (end - start)
    return marks
