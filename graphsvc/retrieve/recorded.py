"""What a trace says of the asking itself: the call, what it was answered with, and what the answer quoted.

With these the same question can be asked again as it was, and an answer be found that rests on words that have fallen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from calibration import fallback
from calibration.features import FEATURES
from graphsvc.models.answer import Call, Evidence, Rest
from graphsvc.models.audit import Setup
from graphsvc.retrieve.accept.judge import Decider
from graphsvc.retrieve.ask import Ask
from graphsvc.retrieve.find import Finder
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.store.filters import parse_filter

_RULE = fallback.to_toml(
    fallback.THRESHOLD,
    fallback.BIAS,
    {one.name: weight for one, weight in zip(FEATURES, fallback.WEIGHTS, strict=True)},
)


def call_of(ask: Ask) -> Call:
    """The call, with the filter as JSON."""
    return Call(
        text=ask.asked.text,
        at=ask.asked.at,
        by=ask.asked.by,
        conversation_id=ask.asked.conversation_id,
        where=None if ask.where is None else ask.where.model_dump_json(),
        limit=ask.limit,
        min_similarity=ask.min_similarity,
        legs=tuple(sorted(ask.legs)),
        diversity=ask.diversity,
        as_of=ask.as_of,
        known_at=ask.known_at,
    )


def ask_again(call: Call, namespace: str, *, at: datetime, session_id: str | None) -> Ask:
    """The call put once more, with another now; raises `FilterInvalid` for a filter this release does not know."""
    return Ask.checked(
        Asked(call.text, at, call.by, call.conversation_id),
        namespace,
        where=None if call.where is None else parse_filter(json.loads(call.where)),
        limit=call.limit,
        min_similarity=call.min_similarity,
        legs=frozenset(call.legs),
        diversity=call.diversity,
        session_id=session_id,
        as_of=call.as_of,
        known_at=call.known_at,
    )


def setup_of(finder: Finder, by: Decider | None = None) -> Setup:
    """What a finder answers with; `by` is who decided, the one who decides now unless given."""
    by = by or finder.judge.now()
    return Setup(
        ranking=finder.config.model_dump_json(),
        acceptance=_RULE if by.calibrator is None else by.method,
        encoder=str(finder.encoder.fingerprint),
        ontology=finder.ontology.content_hash,
        reranker=None if finder.reranker is None else finder.reranker.name,
    )


def rests_of(evidence: Iterable[Evidence]) -> tuple[Rest, ...]:
    """The quoted spans of evidence."""
    return tuple(Rest(memory_id=one.memory_id, start=one.start, end=one.end) for one in evidence)
