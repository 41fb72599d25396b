"""Memories said so many days after NOW, with the facts their words hold and one label where an intent is named."""

from __future__ import annotations

from datetime import timedelta

from graphsvc.models.facts import Label
from graphsvc.models.memory import Memory
from tests import statements
from tests.builders import NOW


def said(memory_id: str, text: str, *, days: float = 0.0, intent: str | None = None, **fields: object) -> Memory:
    """Read at the moment it is said; any further field of a memory may be given."""
    at = NOW + timedelta(days=days)
    one = statements.said(memory_id, {"text": text, "event_time": at.isoformat(), "sender": fields.get("sender")})
    labels = () if intent is None else (_label(intent),)
    given = {"namespace": "default", "recorded_at": at, "facts": one.facts.model_copy(update={"labels": labels})}
    return Memory.model_validate(one.model_copy(update={**given, **fields}).model_dump())


def _label(intent: str) -> Label:
    return Label(domain="general", intent=intent, probability=1.0, intent_probability=1.0, source="test")
