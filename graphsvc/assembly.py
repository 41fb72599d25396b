"""Open what the settings name and put it together: encoder, clock, optional models, and the two paths over a store.

What is opened is closed with the stack it is given; nothing here is asked anything.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calibration.registry import Registry
from graphsvc.audit.audit import Audit
from graphsvc.audit.replay import Replayer
from graphsvc.audit.webhooks import Courier, Policy
from graphsvc.encoding.base import Encoder
from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.open import open_encoder, open_reranker
from graphsvc.ingest.keeping import Keeping
from graphsvc.ingest.pipeline import Ingest
from graphsvc.ingest.policy.model_summary import ModelSummariser
from graphsvc.ingest.policy.summary import RuleSummariser, Summariser
from graphsvc.language.centroids import ExampleSpace
from graphsvc.language.labels import LabelTagger
from graphsvc.language.labels.model_tagger import ModelTagger
from graphsvc.language.normalise import fold_key
from graphsvc.language.senses import SenseTagger
from graphsvc.models.stats import Stats
from graphsvc.remote.poster import Poster
from graphsvc.retrieve.accept.judge import Decider, Judge, shipped_registry
from graphsvc.retrieve.answerer.answerer import Answerer
from graphsvc.retrieve.config import load_config
from graphsvc.retrieve.find import Finder
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.parser import Parser
from graphsvc.retrieve.pipeline import Retrieval
from graphsvc.retrieve.rank.rerank import TimedReranker
from graphsvc.settings import Settings
from graphsvc.store.base import Store
from graphsvc.store.open import SQLITE, open_store
from graphsvc.supervise.calibrators import Calibrators
from graphsvc.supervise.health import Watch
from graphsvc.topics.ledger import Ledger
from graphsvc.topics.propose import Proposer
from graphsvc.topics.senses import SenseFinder
from graphsvc.understand.tagger import Tagger
from graphsvc.version import installed_version
from ontology.loader import load_ontology
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


def stored(
    url: str | None, settings: Settings, given: Encoder | None, now: Callable[[], datetime], opened: ExitStack
) -> tuple[Store, Encoder]:
    """The store at a URL, else the settings' one, and the encoder given, else theirs."""
    store = opened.enter_context(closing(open_store(url or settings.store, clock=now, fold=fold_key)))
    return store, given or opened.enter_context(closing(encoder(settings)))


def ontology(settings: Settings) -> Ontology:
    """The library, with the settings' additions."""
    return load_ontology(() if settings.ontology is None else (settings.ontology,))


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
    return opened.enter_context(closing(model))


def summariser(settings: Settings, opened: ExitStack) -> Summariser | None:
    """What sums up long texts: the rules, a language model before them where one is configured; none when it is off."""
    if not settings.summary:
        return None
    if not settings.summary_url:
        return RuleSummariser()
    model = ModelSummariser(
        settings.summary_url,
        settings.summary_model,
        settings.summary_key.get_secret_value(),
        breaker=CircuitBreaker(),
        timeout_s=settings.summary_timeout_s,
    )
    return opened.enter_context(closing(model))


def reranker(settings: Settings, opened: ExitStack) -> TimedReranker | None:
    """The cross-encoder that reads the first candidates again, where one is configured."""
    inner = open_reranker(settings)
    if inner is None:
        return None
    return opened.enter_context(closing(TimedReranker(inner, settings.rerank_timeout_s)))


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
    return opened.enter_context(closing(model))


def clock(settings: Settings) -> Callable[[], datetime]:
    """The time now, in the settings' zone."""
    zone = settings.zone
    return lambda: datetime.now(zone)


@dataclass(frozen=True, slots=True)
class Parts:
    """The two paths and what stands beside them, over one store and one encoder."""

    tagger: Tagger
    space: ExampleSpace
    ingest: Ingest
    keeping: Keeping
    retrieval: Retrieval
    audit: Audit
    calibration: Calibrators


def calibration_folder(store: Store, settings: Settings) -> Path:
    """The settings' folder of calibrators, else one beside the store's files, else one in the cache."""
    if settings.calibration is not None:
        return settings.calibration
    url = store.describe().url
    if url.startswith(SQLITE):
        return Path(url.removeprefix(SQLITE)) / "calibration"
    return settings.cache_dir.expanduser() / "calibration"


def parts(
    store: Store,
    encoder_: Encoder,
    ontology: Ontology,
    settings: Settings,
    *,
    clock_: Callable[[], datetime],
    opened: ExitStack,
) -> Parts:
    """Wire everything; what the parts open is closed with the stack."""
    space = ExampleSpace(ontology, encoder_, cache_dir=settings.cache_dir.expanduser())
    labels = LabelTagger(ontology, encoder_, space=space, model=label_model(ontology, settings, opened))
    tagger = Tagger(ontology, labels, SenseTagger(ontology, encoder_, space=space))
    ingest = Ingest(store, encoder_, tagger, clock_, settings.max_text_chars, summariser=summariser(settings, opened))
    registry = Registry(calibration_folder(store, settings), now=clock_)
    name = str(encoder_.fingerprint)
    judge = Judge(registry, shipped_registry(), encoder=name) if settings.calibrated else Judge()
    finder = Finder(
        store,
        encoder_,
        Parser(tagger, KindReader.of(encoder_)),
        ontology,
        load_config(settings.ranking),
        reranker(settings, opened),
        judge,
    )
    retrieval = Retrieval(
        store, finder, clock_, NearWords(store.words), answerer(settings, opened), explore=settings.explore
    )
    audit = Audit(
        store,
        clock_,
        Replayer(store, retrieval, clock_),
        settings.webhook_private,
        courier(store, settings, clock_, opened),
    )
    calibration = Calibrators(registry, judge, store, Watch(store.traces, judge, clock_))
    keeping = Keeping(store, encoder_, ingest, clock_)
    return Parts(tagger, space, ingest, keeping, retrieval, audit, calibration)


def courier(store: Store, settings: Settings, clock_: Callable[[], datetime], opened: ExitStack) -> Courier:
    """Who takes notices to subscribers, not yet started."""
    policy = Policy(attempts=settings.webhook_attempts)
    poster = Poster(timeout_s=settings.webhook_timeout_s, private=settings.webhook_private)
    made = Courier(store.falsified, poster, clock=clock_, draw=random.random, policy=policy)
    opened.callback(made.stop)
    return made


def proposer(store: Store, encoder_: Encoder, space: ExampleSpace, library: Ontology, settings: Settings) -> Proposer:
    """What proposes topics and senses; the ledger of what it proposed is in the cache folder."""
    ledger = Ledger(settings.cache_dir, store.describe().url)
    return Proposer(store, space, library, SenseFinder(store, encoder_, space, library), ledger)


def stats(store: Store, encoder_: Encoder, library: Ontology, judge: Judge) -> Stats:
    """Counts, versions, and what this installation does without."""
    held = store.describe()
    note = getattr(encoder_, "note", None)
    return Stats(
        version=installed_version(),
        store=held.url,
        schema_version=held.schema_version,
        memories=held.memories,
        entities=held.entities,
        edges=held.edges,
        namespaces=held.namespaces,
        bytes_on_disk=held.bytes_on_disk,
        encoder=str(encoder_.fingerprint),
        ontology=f"{library.version} ({library.content_hash[:12]})",
        notes=tuple(str(one) for one in (_who_decides(judge.now()), note) if one is not None),
    )


def _who_decides(by: Decider) -> str | None:
    return None if by.note is None else f"{by.note}: the fallback rule decides"
