"""What the conversations of one batch are about, as the batch goes by.

Turns that came earlier in the batch count as already said; the store is asked once a conversation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from graphsvc.encoding.base import FloatArray
from graphsvc.models.memory import Memory
from graphsvc.store.base import Store
from graphsvc.understand.topic import NO_TOPIC, TURNS, Topic, Turn, recent_turns, topic_of


@dataclass(slots=True)
class Talks:
    """Follows one batch of one namespace."""

    store: Store
    namespace: str
    _turns: dict[str, list[Turn]] = field(default_factory=dict)

    def before(self, conversation_id: str | None, event_time: datetime) -> Topic:
        """The topic of the last turns not later than a moment."""
        if conversation_id is None:
            return NO_TOPIC
        turns = self._turns.get(conversation_id)
        if turns is None:
            turns = self._turns[conversation_id] = recent_turns(self.store, self.namespace, conversation_id, event_time)
        said = [turn for turn in turns if turn[0].event_time <= event_time]
        said.sort(key=lambda turn: (turn[0].event_time, turn[0].id), reverse=True)
        return topic_of(said[:TURNS])

    def said(self, memory: Memory, vector: FloatArray | None) -> None:
        """Take a turn of the batch in, so that later ones can be read against it."""
        turns = self._turns.get(memory.conversation_id or "")
        if turns is not None:
            turns.append((memory, vector))
