"""Open what the settings name: the encoder, the clock, and the models that are optional.

What is opened is closed with the stack it is given; nothing here is asked anything.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime

from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.open import open_encoder, open_reranker
from graphsvc.language.labels.model_tagger import ModelTagger
from graphsvc.retrieve.answerer.answerer import Answerer
from graphsvc.retrieve.rank.rerank import TimedReranker
from graphsvc.settings import Settings
from ontology.model import Ontology


def encoder(settings: Settings) -> CachedEncoder:
    """The encoder the settings name, behind the persistent cache."""
    inner = open_encoder(
        settings.encoder,
        openai_url=settings.openai_url,
        openai_model=settings.openai_model,
        openai_key=settings.openai_key.get_secret_value(),
        bge_model=settings.bge_model,
    )
    return CachedEncoder(inner, settings.cache_dir.expanduser() / "embeddings.sqlite")


def label_model(ontology: Ontology, settings: Settings, opened: ExitStack) -> ModelTagger | None:
    """The language model that is asked for labels first, where one is configured."""
    if not settings.label_url:
        return None
    model = ModelTagger(
        ontology,
        settings.label_url,
        settings.label_model,
        settings.label_key.get_secret_value(),
        breaker=CircuitBreaker(),
        timeout_s=settings.label_timeout_s,
    )
    opened.callback(model.close)
    return model


def reranker(settings: Settings, opened: ExitStack) -> TimedReranker | None:
    """The cross-encoder that reads the first candidates again, where one is configured."""
    inner = open_reranker(settings)
    if inner is None:
        return None
    timed = TimedReranker(inner, settings.rerank_timeout_s)
    opened.callback(timed.close)
    return timed


def answerer(settings: Settings, opened: ExitStack) -> Answerer | None:
    """The language model that words an answer from the evidence, where one is configured."""
    if not settings.answer_url:
        return None
    model = Answerer(
        settings.answer_url,
        settings.answer_model,
        settings.answer_key.get_secret_value(),
        breaker=CircuitBreaker(),
        timeout_s=settings.answer_timeout_s,
    )
    opened.callback(model.close)
    return model


def clock(settings: Settings) -> Callable[[], datetime]:
    """The time now, in the settings' zone."""
    zone = settings.zone
    return lambda: datetime.now(zone)
