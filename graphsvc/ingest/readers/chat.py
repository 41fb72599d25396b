"""Turn chat messages into memory inputs: the name, or else the role, becomes the sender.

Messages keep their order: one without a time gets its predecessor's plus a microsecond. A bad
message stays in its place as its error, so that it fails alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from pydantic import ValidationError

from graphsvc.errors import GraphsvcError
from graphsvc.ingest.validate import RawMessage, explain, read_message
from graphsvc.models.memory import ChatMessage, MemoryInput


def chat_items(
    messages: Iterable[RawMessage], *, conversation_id: str, now: datetime, limit: int
) -> Iterator[MemoryInput | GraphsvcError]:
    """One input or error a message; `now` is the time of a first message that has none."""
    previous: datetime | None = None
    for index, raw in enumerate(messages):
        try:
            message = read_message(raw, limit=limit)
        except GraphsvcError as error:
            yield error
            continue
        time = message.time or (previous + timedelta(microseconds=1) if previous else now)
        previous = time
        yield _input(message, index, time, conversation_id)


def _input(message: ChatMessage, index: int, time: datetime, conversation_id: str) -> MemoryInput | GraphsvcError:
    """A message without id and time is known by its place, so that adding the chat again changes nothing."""
    place = None if message.time else f"{conversation_id}#{index}"
    try:
        return MemoryInput(
            id=message.id or place,
            text=message.content,
            event_time=message.time or time,
            sender=message.name or message.role,
            conversation_id=conversation_id,
            document_type="chat",
            metadata={"role": message.role},
        )
    except ValidationError as error:
        return explain(error)
