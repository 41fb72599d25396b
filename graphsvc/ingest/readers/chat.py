"""Turn chat messages into items: the name, or else the role, becomes the sender.

Messages keep their order: one without a time gets its predecessor's plus a microsecond. A bad
message stays in its place as its error, so that it fails alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from graphsvc.errors import GraphsvcError
from graphsvc.ingest.validate import RawItem, RawMessage, read_message
from graphsvc.models.memory import ChatMessage


def chat_items(messages: Iterable[RawMessage], *, conversation_id: str, now: datetime, limit: int) -> Iterator[RawItem]:
    """One item or error a message; `now` is the time of a first message that has none."""
    previous: datetime | None = None
    for index, raw in enumerate(messages):
        try:
            message = read_message(raw, limit=limit)
        except GraphsvcError as error:
            yield error
            continue
        time = message.time or (previous + timedelta(microseconds=1) if previous else now)
        previous = time
        yield _item(message, index, time, conversation_id)


def _item(message: ChatMessage, index: int, time: datetime, conversation_id: str) -> Mapping[str, object]:
    """A message without id and time is known by its place, so that adding the chat again changes nothing."""
    return {
        "id": message.id or (None if message.time else f"{conversation_id}#{index}"),
        "text": message.content,
        "event_time": time,
        "sender": message.name or message.role,
        "conversation_id": conversation_id,
        "document_type": "chat",
        "metadata": {"role": message.role},
    }
