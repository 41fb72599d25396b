"""The one object people hold: it wires store, encoder, ingest and retrieval, and has no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from types import TracebackType
from typing import Self

from graphsvc import assembly
from graphsvc.audit.audit import Audit
from graphsvc.encoding.base import Encoder
from graphsvc.errors import ScopeMissing
from graphsvc.ingest.correct import correct_sense
from graphsvc.ingest.keeping import Keeping
from graphsvc.ingest.readers.chat import chat_items
from graphsvc.ingest.readers.text import text_items
from graphsvc.ingest.reindex import reindex, relabel
from graphsvc.ingest.resolve.identities import IdentityBook
from graphsvc.ingest.validate import RawItem, RawMessage
from graphsvc.language.normalise import check_text
from graphsvc.models.answer import Answer, Leg, SearchResult, Trace
from graphsvc.models.audit import LOCAL, Act, Overruled, Purged
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.calibration import CalibrationHealth, Feedback, Verdict
from graphsvc.models.change import ChangeKind
from graphsvc.models.facts import Facts
from graphsvc.models.memory import ItemResult, ItemStatus, Memory
from graphsvc.models.stats import Stats
from graphsvc.models.topics import Proposals, ProposedSense, ProposedTopic
from graphsvc.retrieve.ask import Ask
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.retrieve.rank.pool import ALL_LEGS
from graphsvc.settings import Settings
from graphsvc.store.base import Page, Store, Where
from graphsvc.store.filters import EVERYTHING
from graphsvc.store.namespaces import checks_namespace
from graphsvc.supervise.calibrators import Calibrators
from graphsvc.supervise.feedback import give
from graphsvc.topics.gather import gather
from graphsvc.topics.pairs import Pair, training_pairs
from graphsvc.topics.propose import LEAST, MOST, UNSURE, Proposer
from graphsvc.understand.tagger import read_facts
from ontology.model import Ontology

Clock = Callable[[], datetime]
Progress = Callable[[int], None]

_BOTH_LANGUAGES = "Anna met 张伟 at the bank in Hamburg, 他们谈了合同。"


@checks_namespace
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
        self._parts = assembly.parts(store, encoder, ontology, settings, clock_=clock, opened=self._opened)

    @property
    def audit(self) -> Audit:
        """The journal, replays, answers that have fallen, and who is told of them."""
        return self._parts.audit

    @property
    def calibration(self) -> Calibrators:
        """Which calibrators there are, which of them decides, and how another takes its place."""
        return self._parts.calibration

    @property
    def keeping(self) -> Keeping:
        """What may be done to stored memories beyond this class's own verbs: overrule, forget somebody, upkeep."""
        return self._parts.keeping

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
            now = clock or assembly.clock(settings)
            store, chosen = assembly.stored(url, settings, encoder, now, opened)
            if not rebind:
                store.set_encoding(chosen.fingerprint)
            graph = cls(store, chosen, assembly.ontology(settings), settings, now)
            opened.push(graph._opened)
            graph._opened = opened.pop_all()
        if not rebind:
            graph.keeping.settle()
        return graph

    def add(
        self,
        items: Iterable[RawItem],
        *,
        namespace: str = "default",
        on_progress: Progress | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        """Add memories; one result an item, in order. A bad item fails alone and says why.

        What is reported as created is durable. The same item again is `unchanged`. Earlier answers that rested on what
        is overturned by it are listed by `audit.overturned`.
        """
        return self._add(items, namespace, on_progress, by)

    def add_chat(
        self,
        messages: Iterable[RawMessage],
        *,
        conversation_id: str,
        namespace: str = "default",
        on_progress: Progress | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        """Add the messages of one conversation, in their order."""
        items = chat_items(
            messages, conversation_id=conversation_id, now=self._clock(), limit=self._settings.max_text_chars
        )
        return self._add(items, namespace, on_progress, by)

    def add_text(
        self,
        text: str,
        *,
        file: str | None = None,
        namespace: str = "default",
        on_progress: Progress | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        """Add a plain text, split into fragments that know their span; raises `TextRefused`."""
        return self._add(text_items(text, file=file), namespace, on_progress, by)

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
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        by: Act = LOCAL,
    ) -> SearchResult:
        """Ranked candidates for a question, best first; `min_similarity` is a floor on the cosine.

        `diversity` in [0, 1] trades closeness for variety; a follow-up leans on the last questions of `session_id`.
        `as_of` asks what held at that moment, `known_at` what the store knew at that moment.
        Raises `FieldInvalid`, naming the argument, and `TextRefused` for the question itself.
        """
        asked = self._asked(question, asked_at, asked_by, conversation_id)
        result = self._parts.retrieval.search(
            Ask.checked(
                asked,
                namespace,
                where=where,
                limit=limit,
                min_similarity=min_similarity,
                legs=legs,
                diversity=diversity,
                session_id=session_id,
                as_of=as_of,
                known_at=known_at,
            )
        )
        self.audit.note_search(namespace, result, by=by)
        return result

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
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        by: Act = LOCAL,
    ) -> Answer:
        """A decision with its evidence, or the word that there is nothing reliable; raises as `search` does."""
        asked = self._asked(question, asked_at, asked_by, conversation_id)
        ask = Ask.checked(asked, namespace, where=where, session_id=session_id, as_of=as_of, known_at=known_at)
        answer = self._parts.retrieval.answer(ask)
        self.audit.note_answer(namespace, answer, by=by)
        self.calibration.watch.count(answer.status)
        return answer

    def feedback(
        self,
        trace_id: str,
        verdict: Verdict,
        *,
        memory_id: str | None = None,
        corrected_by: str | None = None,
        namespace: str = "default",
        by: Act = LOCAL,
    ) -> Feedback:
        """Say whether an answer, or one memory of it, was right, or which memory answers; a later word replaces it.

        Raises `NotFound` for another namespace's trace or memory, and `FieldInvalid`.
        """
        return give(
            self.store,
            self._clock,
            namespace,
            trace_id,
            verdict,
            memory_id=memory_id,
            corrected_by=corrected_by,
            by=by,
        )

    def calibration_health(self) -> CalibrationHealth:
        """How recent decisions went, and how far their questions are from what the calibrator was made from."""
        return self.calibration.watch.health()

    def get(self, memory_id: str, *, namespace: str = "default") -> Memory:
        """One memory; raises `NotFound`."""
        return self.keeping.get(namespace, memory_id)

    def get_all(
        self, *, namespace: str = "default", where: Where | None = None, limit: int = 100, after: str | None = None
    ) -> Page:
        """One page of a namespace's memories, newest first."""
        return self.store.page(namespace, EVERYTHING if where is None else where, limit=limit, after=after)

    def update(
        self,
        memory_id: str,
        fields: Mapping[str, object],
        *,
        namespace: str = "default",
        revision: int | None = None,
        by: Act = LOCAL,
    ) -> Memory:
        """Put other values into a memory's fields, as `keeping.update` does; answers that rested on it have fallen."""
        memory, revised = self.keeping.update(namespace, memory_id, fields, revision=revision, by=by)
        if revised:
            self.audit.gone(namespace, [memory.id], "revised")
        return memory

    def delete(
        self, memory_id: str, *, namespace: str = "default", revision: int | None = None, by: Act = LOCAL
    ) -> None:
        """Delete one memory and all that hangs on it, with `revision` only at that one; raises as `keeping` does."""
        self.keeping.delete(namespace, memory_id, revision=revision, by=by)

    def delete_all(self, where: Where | None, *, namespace: str = "default", by: Act = LOCAL) -> list[MemoryId]:
        """Delete what a filter matches; raises `ScopeMissing` without one (`EVERYTHING` empties the namespace)."""
        if where is None:
            raise ScopeMissing("nothing says what to delete", remedy="give a filter, or EVERYTHING for the namespace")
        return self.keeping.delete_where(namespace, where, by=by)

    def supersede(
        self,
        later: str,
        earlier: str,
        *,
        kind: ChangeKind = ChangeKind.SUPERSEDES,
        namespace: str = "default",
        by: Act = LOCAL,
    ) -> Overruled:
        """Say that one memory overturns another; raises `NotFound`, and `ChangeRefused` naming the ids."""
        change = self.keeping.supersede(namespace, later, earlier, kind=kind, by=by)
        told = ItemResult(index=0, status=ItemStatus.UNCHANGED, id=change.later, overturns=(change.earlier,))
        return Overruled(change=change, overturned=tuple(self.audit.ingested(namespace, [told])))

    def relink(self, *, namespace: str = "default", on_progress: Progress | None = None, by: Act = LOCAL) -> int:
        """Find again what changes what, and the answers that fell with it; how many edges and standings changed."""
        changed = self.keeping.relink(namespace, on_progress=on_progress, by=by)
        if changed:
            self.audit.catch_up()
        return changed

    def purge(self, *, namespace: str | None = None, by: Act = LOCAL) -> Purged:
        """Remove for good what deleted memories left behind, in one namespace or in all."""
        return self.keeping.purge(namespace, by=by)

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
        self._parts.retrieval.near.warm_up()

    def understand(self, text: str, *, at: datetime | None = None) -> Facts:
        """The facts of a text said at `at` (else now), as they would be kept with it; raises `TextRefused`."""
        check_text(text, limit=self._settings.max_text_chars)
        return read_facts(self._parts.tagger, self.encoder, text, at=at or self._clock())

    def relabel(self, *, namespace: str = "default", on_progress: Progress | None = None) -> tuple[int, int]:
        """Label what is stored again by this graph's library, without encoding it; how many were read, and changed."""
        return relabel(self.store, self.encoder, self._parts.tagger, namespace, on_progress=on_progress)

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
        return assembly.stats(self.store, self.encoder, self.ontology, self._parts.calibration.judge)

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
        return assembly.proposer(self.store, self.encoder, self._parts.space, self.ontology, self._settings)

    def _add(self, items: Iterable[RawItem], namespace: str, on_progress: Progress | None, by: Act) -> list[ItemResult]:
        results = self._parts.ingest.add(items, namespace=namespace, on_progress=on_progress, by=by)
        self.audit.ingested(namespace, results)
        return results

    def _asked(self, text: str, at: datetime | None, by: str | None, conversation_id: str | None) -> Asked:
        return Asked(text, self._clock() if at is None else at, by, conversation_id)
