"""Memories and questions with the facts their words hold, read without an encoder: no labels and no senses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from graphsvc.language.amounts import find_amounts
from graphsvc.language.claims import find_claims
from graphsvc.language.entities import find_mentions
from graphsvc.language.normalise import language_of
from graphsvc.language.times import find_times
from graphsvc.models.answer import Candidate, Scores
from graphsvc.models.facts import Facts
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from ontology.loader import load_ontology
from ontology.model import Ontology, ValueKind

ASKED_AT = datetime.fromisoformat("2024-12-01T09:00:00+08:00")
SAID_AT = "2024-04-03T09:00:00+08:00"


@lru_cache(maxsize=1)
def _ontology() -> Ontology:
    return load_ontology()


def said(memory_id: str, fields: Mapping[str, Any]) -> Memory:
    """A memory of the given fields, `text` among them, with its mentions, amounts, times and claims."""
    text = fields["text"]
    at = datetime.fromisoformat(fields.get("event_time", SAID_AT))
    mentions = tuple(find_mentions(text))
    facts = Facts(
        mentions=mentions,
        amounts=tuple(find_amounts(text)),
        times=tuple(find_times(text, at)),
        claims=tuple(find_claims(text, mentions, fields.get("sender"))),
    )
    given = {"language": language_of(text), "recorded_at": at, **fields, "event_time": at}
    return Memory.model_validate({"id": memory_id, "namespace": "default", "facts": facts, **given})


def asked(text: str) -> tuple[Question, ValueKind]:
    """A question, and the kind of value its type asks for."""
    mentions = tuple(find_mentions(text))
    types = _ontology().query_types_of(text)
    question = Question(
        text=text,
        language=language_of(text),
        asked_at=ASKED_AT,
        query_type=types[0].id if types else "general",
        mentions=mentions,
        amounts=tuple(find_amounts(text)),
        times=tuple(find_times(text, ASKED_AT)),
        identifiers=tuple(mention.key for mention in mentions if mention.type in {"identifier", "ip"}),
    )
    return question, types[0].value if types else ValueKind.NONE


def candidate(memory: Memory, score: float = 1.0) -> Candidate:
    return Candidate(memory=memory, score=score, probability=score / 2, scores=Scores())
