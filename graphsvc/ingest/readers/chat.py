"""Turn chat messages into memory inputs: the name, or else the role, becomes the sender.

Messages keep their order: one without a time gets its predecessor's plus a microsecond.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from graphsvc.models.memory import ChatMessage, MemoryInput


def read_chat(messages: Iterable[ChatMessage], *, conversation_id: str, now: datetime) -> Iterator[MemoryInput]:
    """One input a message; `now` is the time of a first message that has none."""
    previous: datetime | None = None
    for index, message in enumerate(messages):
        time = message.time or (previous + timedelta(microseconds=1) if previous else now)
        previous = time
        yield MemoryInput(
            id=message.id or (None if message.time else f"{conversation_id}#{index}"),
            text=message.content,
            event_time=time,
            sender=message.name or message.role,
            conversation_id=conversation_id,
            document_type="chat",
            metadata={"role": message.role},
        )
