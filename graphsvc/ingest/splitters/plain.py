"""Split plain text into fragments: a paragraph each, and sentences where a paragraph is long.

Fragments never cut a sentence, never overlap, and point into the text they came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.language.segment import sentences

MAX_FRAGMENT_CHARS = 600
_PARAGRAPH = re.compile(r"[^\r\n](?:(?!\r?\n[ \t]*\r?\n).)*", re.DOTALL)


def fragments(text: str, *, limit: int = MAX_FRAGMENT_CHARS) -> Iterator[tuple[int, int]]:
    """Spans of the fragments, in order; one longer than `limit` characters is a single long sentence."""
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = _trim(text, *paragraph.span())
        if start == end:
            continue
        if end - start <= limit:
            yield start, end
        else:
            yield from _pack(text, start, end, limit)


def _pack(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Fill fragments with whole sentences up to the limit."""
    opened: int | None = None
    closed = start
    for first, last in sentences(text[start:end]):
        if opened is not None and start + last - opened > limit:
            yield opened, closed
            opened = None
        if opened is None:
            opened = start + first
        closed = start + last
    if opened is not None:
        yield opened, closed


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
