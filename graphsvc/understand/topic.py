"""What was said last in a conversation: the topic a short text is read against.

Both paths ask for it, the write path for a new memory and the ask path for a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphsvc.encoding.base import FloatArray
from graphsvc.models.facts import Label
from graphsvc.models.memory import Memory
from graphsvc.store.base import Store
from graphsvc.store.filters import Op, both, compare, eq

# A talk's subject is that of its last few turns; older ones speak of other things.
TURNS = 5


@dataclass(frozen=True, slots=True)
class Topic:
    """`vectors` unit vectors and `labels` the primary label of each turn that has one, both newest first.

    `senses` are the sense ids told in these turns, each with its highest probability.
    """

    vectors: tuple[FloatArray, ...] = ()
    labels: tuple[Label, ...] = ()
    senses: Mapping[str, float] = field(default_factory=dict)


NO_TOPIC = Topic()
# A turn of a talk, with its vector if it has one.
Turn = tuple[Memory, FloatArray | None]


def recent_turns(
    store: Store, namespace: str, conversation_id: str, until: datetime, *, limit: int = TURNS
) -> list[Turn]:
    """The conversation's last turns not later than `until`, newest first, each with its vector if it has one."""
    where = both(eq("conversation_id", conversation_id), compare("event_time", Op.LTE, until))
    turns = store.page(namespace, where, limit=limit).memories
    kept = store.vectors(namespace, [turn.id for turn in turns]) if turns else {}
    return [(turn, kept[turn.id][0] if turn.id in kept else None) for turn in turns]


def topic_of(turns: Sequence[Turn]) -> Topic:
    """The topic of turns given newest first."""
    vectors = tuple(vector for _, vector in turns if vector is not None)
    labels = tuple(turn.facts.labels[0] for turn, _ in turns if turn.facts.labels)
    senses: dict[str, float] = {}
    for turn, _ in turns:
        for sense in turn.facts.senses:
            if sense.sense is not None:
                senses[sense.sense] = max(senses.get(sense.sense, 0.0), sense.probability)
    return Topic(vectors, labels, senses)
