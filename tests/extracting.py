"""Questions and memories as the extraction tests need them: read by the real readers, at a fixed time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import cache

from graphsvc.language.amounts import find_amounts
from graphsvc.language.claims import find_claims
from graphsvc.language.entities import find_mentions
from graphsvc.language.normalise import language_of
from graphsvc.language.times import find_times
from graphsvc.models.facts import Facts
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question, Validity
from ontology.loader import load_ontology
from ontology.model import Ontology
from tests.builders import memory

_ZONE = timezone(timedelta(hours=8))
SAID_AT = datetime(2025, 5, 12, 10, tzinfo=_ZONE)
ASKED_AT = datetime(2025, 5, 20, 10, tzinfo=_ZONE)


@cache
def _ontology() -> Ontology:
    return load_ontology()


def told(text: str, *, memory_id: str = "m", sender: str | None = None) -> Memory:
    """A memory with everything but labels and senses understood."""
    mentions = tuple(find_mentions(text))
    facts = Facts(
        mentions=mentions,
        amounts=tuple(find_amounts(text)),
        times=tuple(find_times(text, SAID_AT)),
        claims=tuple(find_claims(text, mentions)),
    )
    return memory(memory_id, text, language=language_of(text), event_time=SAID_AT, sender=sender, facts=facts)


def asked(text: str, *, validity: object = Validity.PRESENT) -> Question:
    """A question with its type by the ontology's wording."""
    return Question(
        text=text,
        language=language_of(text),
        asked_at=ASKED_AT,
        query_type=next((kind.id for kind in _ontology().query_types_of(text)), "general"),
        validity=Validity(str(validity)),
        mentions=tuple(find_mentions(text)),
        amounts=tuple(find_amounts(text)),
        times=tuple(find_times(text, ASKED_AT)),
    )
