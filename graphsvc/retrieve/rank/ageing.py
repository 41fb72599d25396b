"""How far a memory has aged when it is asked for, by what kind of thing it is.

What was said in passing loses weight with time, what was agreed, defined or preferred holds until something overturns
it. Half-lives are data, by intent and by kind of document, in the ranking configuration; the weight of the signal
`ageing` says how much a wholly aged memory loses. A question about the past, or about a named time, ages nothing.
"""

from __future__ import annotations

import math
from datetime import timedelta

from graphsvc.models.memory import Memory
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.config import AgeingConfig


def aged(memory: Memory, question: Question, config: AgeingConfig) -> float:
    """The share of its weight a memory has lost, in [0, 1): half after one half-life, none when it does not age."""
    if question.validity is Validity.HISTORICAL or question.window is not None:
        return 0.0
    half_life = half_life_days(memory, config)
    if half_life is None:
        return 0.0
    return 1.0 - math.pow(0.5, max(timedelta(), question.asked_at - memory.event_time) / timedelta(days=half_life))


def half_life_days(memory: Memory, config: AgeingConfig) -> float | None:
    """After how many days it is worth half; None where it does not age.

    The kind of document that never ages goes first, then what the memory surely does, then what it holds, then the
    kind of document.
    """
    kind = memory.document_type or ""
    if kind in config.ageless_documents:
        return None
    label = memory.facts.labels[0] if memory.facts.labels else None
    if label is not None and label.intent is not None and (label.intent_probability or 0.0) >= config.sure_intent:
        if label.intent in config.ageless_intents:
            return None
        if label.intent in config.intents:
            return config.intents[label.intent]
    if any(mention.type in config.ageless_mentions for mention in memory.facts.mentions):
        return None
    return config.documents.get(kind, config.otherwise)
