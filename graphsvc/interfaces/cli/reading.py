"""Read what `graphsvc add` is given into batches that remember each item's line.

A line that cannot be read keeps its place as an item that will fail, so that ids which count
places stay the same once the line is mended.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from graphsvc.errors import FieldInvalid
from graphsvc.ingest.readers.jsonl import Line, parse_lines
from graphsvc.models.memory import Problem

FORMATS = ("auto", "jsonl", "chat", "text")
_BY_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "chat"}
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Batch:
    """The items of one source; `lines` numbers them from 1 where they have lines, `broken` holds complaints."""

    name: str
    format: str
    items: tuple[Mapping[str, object] | str, ...]
    lines: tuple[int, ...] = ()
    broken: Mapping[int, Problem] = field(default_factory=dict)
    conversation: str | None = None


def read_source(name: str, format_: str, conversation: str | None) -> Batch:
    """One file, or standard input for "-"; raises `FieldInvalid` when the source as a whole cannot be read."""
    data = _read_bytes(name)
    kind = _guess(name, data) if format_ == "auto" else format_
    if kind == "text":
        if conversation is not None:
            raise click.UsageError(f"--conversation goes with chats and JSON lines, and {name} is read as text")
        return Batch(name, kind, (_decode(data, name),))
    listed = kind == "chat" and data.removeprefix(_BOM).lstrip().startswith(b"[")
    lines = _list_lines(data, name) if listed else list(parse_lines(data.splitlines()))
    batch = Batch(
        name,
        kind,
        tuple(_in_conversation(line.data or {}, conversation if kind == "jsonl" else None) for line in lines),
        tuple(line.number for line in lines),
        {index: line.error for index, line in enumerate(lines) if line.error is not None},
        conversation or (None if name == "-" else Path(name).stem),
    )
    if kind == "chat" and batch.conversation is None:
        raise click.UsageError("a chat from standard input needs --conversation")
    return batch


def _in_conversation(item: dict[str, object], conversation: str | None) -> dict[str, object]:
    return item if conversation is None else {"conversation_id": conversation, **item}


def _read_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FieldInvalid(reason, where=name, remedy="name a readable file, or '-' for standard input") from None


def _guess(name: str, data: bytes) -> str:
    """By suffix; standard input by its first character."""
    if name != "-":
        return _BY_SUFFIX.get(Path(name).suffix.lower(), "text")
    return {b"{": "jsonl", b"[": "chat"}.get(data.removeprefix(_BOM).lstrip()[:1], "text")


def _decode(data: bytes, name: str) -> str:
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldInvalid(f"not UTF-8 at byte {error.start}", where=name, remedy="save the file as UTF-8") from None


def _list_lines(data: bytes, name: str) -> list[Line]:
    """The messages of a JSON list; their places stand for line numbers."""
    try:
        listed = json.loads(_decode(data, name))
    except (ValueError, RecursionError) as error:
        raise FieldInvalid(f"not JSON: {error}", where=name) from None
    return list(_checked(listed))


def _checked(listed: Iterable[object]) -> Iterable[Line]:
    for number, one in enumerate(listed, 1):
        if isinstance(one, dict):
            yield Line(number, data=one)
        else:
            what = f"a message object was expected, not {type(one).__name__}"
            yield Line(number, error=Problem(code=FieldInvalid.code, what=what, where=f"message {number}"))
