"""The one object people hold: it wires store, encoder, ingest and retrieval, and has no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from types import TracebackType
from typing import Self

from graphsvc import assembly
from graphsvc.encoding.base import Encoder
from graphsvc.errors import NotFound, ScopeMissing
from graphsvc.ingest.correct import correct_sense
from graphsvc.ingest.pipeline import Ingest
from graphsvc.ingest.readers.chat import chat_items
from graphsvc.ingest.readers.text import text_items
from graphsvc.ingest.reindex import reindex, relabel
from graphsvc.ingest.resolve.identities import IdentityBook
from graphsvc.ingest.validate import RawItem, RawMessage
from graphsvc.language.centroids import ExampleSpace
from graphsvc.language.labels import LabelTagger
from graphsvc.language.normalise import check_text
from graphsvc.language.senses import SenseTagger
from graphsvc.models.answer import Answer, Leg, SearchResult, Trace
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.facts import Facts
from graphsvc.models.memory import ItemResult, Memory
from graphsvc.models.stats import Stats
from graphsvc.models.topics import Proposals, ProposedSense, ProposedTopic
from graphsvc.retrieve.ask import Ask
from graphsvc.retrieve.config import load_config
from graphsvc.retrieve.find import Finder
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.parser import Asked, Parser
from graphsvc.retrieve.pipeline import Retrieval
from graphsvc.retrieve.rank.pool import ALL_LEGS
from graphsvc.settings import Settings
from graphsvc.store.base import Page, Store, Where
from graphsvc.store.filters import EVERYTHING, eq
from graphsvc.store.open import open_store
from graphsvc.topics.gather import gather
from graphsvc.topics.ledger import Ledger
from graphsvc.topics.pairs import Pair, training_pairs
from graphsvc.topics.propose import LEAST, MOST, UNSURE, Proposer
from graphsvc.topics.senses import SenseFinder
from graphsvc.understand.tagger import Tagger, read_facts
from graphsvc.version import installed_version
from ontology.loader import load_ontology
from ontology.model import Ontology

Clock = Callable[[], datetime]
Progress = Callable[[int], None]

_BOTH_LANGUAGES = "Anna met 张伟 at the bank in Hamburg, 他们谈了合同。"


class MemoryGraph:
    """A graph of memories in one store; thread-safe, and a context manager.

    Every call names a namespace and sees nothing outside it.
    """

    def __init__(self, store: Store, encoder: Encoder, ontology: Ontology, settings: Settings, clock: Clock) -> None:
        self.store = store
        self.encoder = encoder
        self.ontology = ontology
        self._settings = settings
        self._clock = clock
        self._opened = ExitStack()
        space = ExampleSpace(ontology, encoder, cache_dir=settings.cache_dir.expanduser())
        model = assembly.label_model(ontology, settings, self._opened)
        labels = LabelTagger(ontology, encoder, space=space, model=model)
        senses = SenseTagger(ontology, encoder, space=space)
        self._space = space
        self._tagger = Tagger(ontology, labels, senses)
        self._ingest = Ingest(store, encoder, self._tagger, clock, settings.max_text_chars)
        finder = Finder(
            store,
            encoder,
            Parser(self._tagger, KindReader.of(encoder)),
            ontology,
            load_config(settings.ranking),
            assembly.reranker(settings, self._opened),
        )
        answerer = assembly.answerer(settings, self._opened)
        self._retrieval = Retrieval(store, finder, clock, NearWords(store.words), answerer)

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        encoder: Encoder | None = None,
        clock: Clock | None = None,
        rebind: bool = False,
    ) -> MemoryGraph:
        """Open or create a store; raises `EncoderMismatch` when another encoder wrote it.

        With `rebind` such a store opens all the same, to be re-indexed before anything else.
        """
        settings = settings or Settings.from_environment()
        with ExitStack() as opened:
            store = opened.enter_context(closing(open_store(url or settings.store)))
            chosen = encoder or opened.enter_context(closing(assembly.encoder(settings)))
            if not rebind:
                store.set_encoding(chosen.fingerprint)
            extra = () if settings.ontology is None else (settings.ontology,)
            graph = cls(store, chosen, load_ontology(extra), settings, clock or assembly.clock(settings))
            opened.push(graph._opened)
            graph._opened = opened.pop_all()
        return graph

    def add(
        self, items: Iterable[RawItem], *, namespace: str = "default", on_progress: Progress | None = None
    ) -> list[ItemResult]:
        """Add memories; one result an item, in order. A bad item fails alone and says why.

        What is reported as created is durable. The same item again is `unchanged`.
        """
        return self._ingest.add(items, namespace=namespace, on_progress=on_progress)

    def add_chat(
        self,
        messages: Iterable[RawMessage],
        *,
        conversation_id: str,
        namespace: str = "default",
        on_progress: Progress | None = None,
    ) -> list[ItemResult]:
        """Add the messages of one conversation, in their order."""
        items = chat_items(
            messages, conversation_id=conversation_id, now=self._clock(), limit=self._settings.max_text_chars
        )
        return self._ingest.add(items, namespace=namespace, on_progress=on_progress)

    def add_text(
        self,
        text: str,
        *,
        file: str | None = None,
        namespace: str = "default",
        on_progress: Progress | None = None,
    ) -> list[ItemResult]:
        """Add a plain text, split into fragments that know their span; raises `TextRefused`."""
        return self._ingest.add(text_items(text, file=file), namespace=namespace, on_progress=on_progress)

    def search(
        self,
        question: str,
        *,
        namespace: str = "default",
        asked_at: datetime | None = None,
        asked_by: str | None = None,
        conversation_id: str | None = None,
        where: Where | None = None,
        limit: int = 10,
        min_similarity: float | None = None,
        legs: frozenset[Leg] = ALL_LEGS,
        diversity: float = 0.0,
        session_id: str | None = None,
    ) -> SearchResult:
        """Ranked candidates for a question, best first; `min_similarity` is a floor on the cosine.

        `diversity` in [0, 1] trades closeness for variety; a follow-up leans on the last questions of `session_id`.
        Raises `FieldInvalid`, naming the argument, and `TextRefused` for the question itself.
        """
        asked = self._asked(question, asked_at, asked_by, conversation_id)
        return self._retrieval.search(
            Ask.checked(
                asked,
                namespace,
                where=where,
                limit=limit,
                min_similarity=min_similarity,
                legs=legs,
                diversity=diversity,
                session_id=session_id,
            )
        )

    def answer(
        self,
        question: str,
        *,
        namespace: str = "default",
        asked_at: datetime | None = None,
        asked_by: str | None = None,
        conversation_id: str | None = None,
        where: Where | None = None,
        session_id: str | None = None,
    ) -> Answer:
        """A decision with its evidence, or the word that there is nothing reliable; raises as `search` does."""
        asked = self._asked(question, asked_at, asked_by, conversation_id)
        return self._retrieval.answer(Ask.checked(asked, namespace, where=where, session_id=session_id))

    def get(self, memory_id: str, *, namespace: str = "default") -> Memory:
        """One memory; raises `NotFound`."""
        found = self.store.get(namespace, [MemoryId(memory_id)])
        if not found:
            raise NotFound("no such memory", where=memory_id)
        return found[0]

    def get_all(
        self, *, namespace: str = "default", where: Where | None = None, limit: int = 100, after: str | None = None
    ) -> Page:
        """One page of a namespace's memories, newest first."""
        return self.store.page(namespace, EVERYTHING if where is None else where, limit=limit, after=after)

    def delete(self, memory_id: str, *, namespace: str = "default") -> None:
        """Delete one memory and all that hangs on it; raises `NotFound`."""
        if not self.store.delete(namespace, eq("id", memory_id)):
            raise NotFound("no such memory", where=memory_id)

    def delete_all(self, where: Where | None, *, namespace: str = "default") -> list[MemoryId]:
        """Delete what a filter matches; raises `ScopeMissing` without one (`EVERYTHING` empties the namespace)."""
        if where is None:
            raise ScopeMissing("nothing says what to delete", remedy="give a filter, or EVERYTHING for the namespace")
        return self.store.delete(namespace, where)

    def trace(self, trace_id: str, *, namespace: str = "default") -> Trace:
        """Everything behind a search or an answer; raises `NotFound`."""
        return self.store.traces.get(namespace, TraceId(trace_id))

    def reindex(self, *, on_progress: Progress | None = None) -> int:
        """Encode every memory anew with this graph's encoder; returns how many there were."""
        return reindex(self.store, self.encoder, on_progress=on_progress)

    def identities(self, *, namespace: str = "default") -> IdentityBook:
        """Who is one with whom in a namespace: its aliases, merges and proposals, to read and to change."""
        return IdentityBook(self.store, namespace, self._clock)

    def warm_up(self) -> None:
        """Load what the first question or memory would have to wait for, some seconds."""
        self.understand(_BOTH_LANGUAGES)
        self._retrieval.near.warm_up()

    def understand(self, text: str, *, at: datetime | None = None) -> Facts:
        """The facts of a text said at `at` (else now), as they would be kept with it; raises `TextRefused`."""
        check_text(text, limit=self._settings.max_text_chars)
        return read_facts(self._tagger, self.encoder, text, at=at or self._clock())

    def relabel(self, *, namespace: str = "default", on_progress: Progress | None = None) -> tuple[int, int]:
        """Label what is stored again by this graph's library, without encoding it; how many were read, and changed."""
        return relabel(self.store, self.encoder, self._tagger, namespace, on_progress=on_progress)

    def correct_sense(self, memory_id: str, surface: str, sense: str, *, namespace: str = "default") -> Memory:
        """Set right which sense a word has in a memory; raises `NotFound`, or `FieldInvalid` for an unknown sense."""
        memory = self.get(memory_id, namespace=namespace)
        return correct_sense(
            self.store, self.ontology, self.encoder.fingerprint, memory, surface=surface, sense_id=sense
        )

    def propose(
        self, *, namespace: str = "default", least: int = LEAST, most: int = MOST, below: float = UNSURE
    ) -> Proposals:
        """Topics and senses that the namespace's memories call for and the library lacks."""
        return self._proposer().propose(namespace, least=least, most=most, below=below)

    def proposal(self, proposal_id: str, *, namespace: str = "default") -> ProposedTopic | ProposedSense:
        """One of those proposed last; raises `NotFound`."""
        return self._proposer().find(namespace, proposal_id)

    def training_pairs(self, *, namespace: str = "default") -> Iterator[Pair]:
        """Pairs of the namespace's memories to fine-tune an encoder with."""
        return training_pairs(gather(self.store, namespace), self.ontology)

    def stats(self) -> Stats:
        """Counts, versions, and what this installation does without."""
        held = self.store.describe()
        return Stats(
            version=installed_version(),
            store=held.url,
            schema_version=held.schema_version,
            memories=held.memories,
            entities=held.entities,
            edges=held.edges,
            namespaces=held.namespaces,
            bytes_on_disk=held.bytes_on_disk,
            encoder=str(self.encoder.fingerprint),
            ontology=f"{self.ontology.version} ({self.ontology.content_hash[:12]})",
            notes=("no trained calibrator: the fallback rule decides", *_notes(self.encoder)),
        )

    def close(self) -> None:
        """Close the store, and the encoder unless it was given; further calls raise `StoreError`."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _proposer(self) -> Proposer:
        ledger = Ledger(self._settings.cache_dir, self.store.describe().url)
        senses = SenseFinder(self.store, self.encoder, self._space, self.ontology)
        return Proposer(self.store, self._space, self.ontology, senses, ledger)

    def _asked(self, text: str, at: datetime | None, by: str | None, conversation_id: str | None) -> Asked:
        return Asked(text, self._clock() if at is None else at, by, conversation_id)


def _notes(encoder: Encoder) -> tuple[str, ...]:
    note = getattr(encoder, "note", None)
    return () if note is None else (str(note),)
