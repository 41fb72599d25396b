"""Turn a plain text into fragments, one memory input each, that know their span in it."""

from __future__ import annotations

from collections.abc import Iterator

from graphsvc.ingest.splitters.plain import fragments
from graphsvc.language.normalise import check_text
from graphsvc.models.memory import MemoryInput, Source

MAX_TEXT_CHARS = 5_000_000


def text_items(text: str, *, file: str | None) -> Iterator[MemoryInput]:
    """The text's fragments; raises `TextRefused` for a text that is empty, damaged or too long."""
    check_text(text, limit=MAX_TEXT_CHARS)
    for start, end in fragments(text):
        source = Source(file=file, start=start, end=end)
        yield MemoryInput(text=text[start:end], source=source, document_type="note")
