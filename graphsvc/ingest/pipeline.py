"""The write path: check, tag, encode, resolve, link, relate, store; one result for every item.

A batch is written in one transaction, with what it changes for the memories before it. An item that cannot be
read, encoded or written fails alone, with its place and reason; adding the same item again changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from graphsvc.change import relate
from graphsvc.encoding.base import Encoder, FloatArray, TokenStates
from graphsvc.errors import DuplicateId, EncodingError, GraphsvcError
from graphsvc.ingest.change import Changes
from graphsvc.ingest.link import Linker
from graphsvc.ingest.nearby import tokens_of
from graphsvc.ingest.policy.near_duplicates import NearDuplicates, repeats
from graphsvc.ingest.policy.summary import Summariser
from graphsvc.ingest.resolve import Resolver
from graphsvc.ingest.talk import Talks
from graphsvc.ingest.told import Relate
from graphsvc.ingest.validate import RawItem, derive_id, problem, read_item, same_content
from graphsvc.ingest.writing import write
from graphsvc.language.normalise import language_of
from graphsvc.language.passage import passage_of
from graphsvc.models.audit import LOCAL, Act, Action
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import ItemResult, ItemStatus, Memory, MemoryFields, MemoryInput
from graphsvc.store.base import Entry, Store
from graphsvc.store.journal import Noted
from graphsvc.understand.habits import setting_of
from graphsvc.understand.tagger import Seen, Tagger

BATCH = 64
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class _Item:
    """A checked item on its way: its place in the call, its id, and whether the id is derived."""

    index: int
    given: MemoryInput
    id: MemoryId
    derived: bool


@dataclass(frozen=True, slots=True)
class _Encoded:
    vector: FloatArray
    states: TokenStates | None
    passage: str


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one batch shares: where it goes, and what its earlier items taught."""

    namespace: str
    resolver: Resolver
    linker: Linker
    talks: Talks
    duplicates: NearDuplicates


@dataclass(frozen=True, slots=True)
class Ingest:
    """The write path over one store and encoder; `max_chars` bounds one memory's text.

    `relation` tells how a later memory bears on an earlier one; without it no change is looked for. Long texts are
    summed up by `summariser`, where there is one.
    """

    store: Store
    encoder: Encoder
    tagger: Tagger
    clock: Clock
    max_chars: int
    relation: Relate | None = relate
    summariser: Summariser | None = None

    def add(
        self,
        items: Iterable[RawItem],
        *,
        namespace: str,
        on_progress: Callable[[int], None] | None = None,
        by: Act = LOCAL,
    ) -> list[ItemResult]:
        """Add items in batches; results are in order, one an item."""
        results: list[ItemResult] = []
        for batch in _batches(items):
            results += self._add_batch(batch, start=len(results), namespace=namespace, by=by)
            if on_progress is not None:
                on_progress(len(batch))
        if results and all(result.status is ItemStatus.UNCHANGED for result in results):
            # The store was given nothing to write down.
            known = {"created": 0, "unchanged": len(results), "failed": 0}
            self.store.journal.append(namespace, [Noted(Action.INGEST, after=json.dumps(known))], by=by)
        return results

    def prepare(self, given: MemoryInput, memory_id: MemoryId, namespace: str) -> Entry:
        """A checked memory as it would be written under an id, without what it changes; raises `EncodingError`."""
        item = _Item(0, given, memory_id, derived=False)
        return self._entry(item, self._encode_together([item])[0], self._batch(namespace))

    def _batch(self, namespace: str) -> _Batch:
        return _Batch(
            namespace,
            Resolver(self.store, namespace),
            Linker(self.store, namespace),
            Talks(self.store, namespace),
            NearDuplicates(self.store, namespace),
        )

    def _add_batch(self, batch: Sequence[RawItem], *, start: int, namespace: str, by: Act) -> list[ItemResult]:
        results: dict[int, ItemResult] = {}
        items = list(self._read(batch, start, namespace, results))
        stored = {m.id: m for m in self.store.get(namespace, [item.id for item in items])}
        fresh = []
        for item in items:
            known = stored.get(item.id)
            if known is not None and same_content(item.given, known):
                results[item.index] = ItemResult(index=item.index, status=ItemStatus.UNCHANGED, id=item.id)
            else:
                fresh.append(item)
        self._write(fresh, namespace, results, stored.keys(), by)
        return [results[index] for index in sorted(results)]

    def _read(
        self, batch: Sequence[RawItem], start: int, namespace: str, results: dict[int, ItemResult]
    ) -> Iterator[_Item]:
        for index, raw in enumerate(batch, start):
            try:
                given = read_item(raw, limit=self.max_chars)
            except GraphsvcError as error:
                results[index] = _failed(index, error)
                continue
            derived = given.id is None
            yield _Item(index, given, derive_id(given, namespace) if derived else MemoryId(str(given.id)), derived)

    def _write(
        self,
        items: Sequence[_Item],
        namespace: str,
        results: dict[int, ItemResult],
        taken: Collection[MemoryId],
        by: Act,
    ) -> None:
        """Write what can be encoded; ids that are `taken` stand for other content and will be refused."""
        encoded = self._encode(items, results)
        ready = [item for item in items if item.index in encoded]
        if not ready:
            return
        batch = self._batch(namespace)
        entries = [self._entry(item, encoded[item.index], batch) for item in ready]
        changes = None if self.relation is None else Changes(self.store, self.relation)
        written = write(self.store, changes, namespace, entries, taken=taken, by=by)
        for item, one in zip(ready, written, strict=True):
            result = one.result
            if result.error is None:
                results[item.index] = ItemResult(
                    index=item.index,
                    status=result.status,
                    id=item.id,
                    near_duplicate_of=batch.duplicates.found.get(item.id),
                    overturns=one.overturns,
                )
            elif item.derived and isinstance(result.error, DuplicateId):
                # A derived id stands for the content: whoever wrote it meanwhile wrote this.
                results[item.index] = ItemResult(index=item.index, status=ItemStatus.UNCHANGED, id=item.id)
            else:
                results[item.index] = _failed(item.index, result.error, item.id)

    def _encode(self, items: Sequence[_Item], results: dict[int, ItemResult]) -> dict[int, _Encoded]:
        """Encode in one batch; when that fails, one by one, so that only the culprit fails."""
        if not items:
            return {}
        try:
            return self._encode_together(items)
        except EncodingError as error:
            if len(items) == 1:
                results[items[0].index] = _failed(items[0].index, error, items[0].id)
                return {}
        return {index: one for item in items for index, one in self._encode([item], results).items()}

    def _encode_together(self, items: Sequence[_Item]) -> dict[int, _Encoded]:
        texts = [passage_of(item.given) for item in items]
        passages = self.encoder.encode_passages(texts)
        states = passages.states or (None,) * len(items)
        return {
            item.index: _Encoded(passages.vectors[row], states[row], texts[row])  # one row a text
            for row, item in enumerate(items)
        }

    def _entry(self, item: _Item, encoded: _Encoded, batch: _Batch) -> Entry:
        now = self.clock()
        given = item.given
        event_time = given.event_time or now
        topic = batch.talks.before(given.conversation_id, event_time)
        seen = Seen(encoded.vector, encoded.states, encoded.passage)
        setting = setting_of(
            self.store, self.tagger.ontology, batch.namespace, author=given.sender, at=event_time, topic=topic
        )
        facts = self.tagger.tag(given.text, seen, setting)
        resolved = batch.resolver.resolve(given, facts.mentions, facts.senses)
        memory = Memory(
            **{name: getattr(given, name) for name in MemoryFields.model_fields},
            id=item.id,
            namespace=batch.namespace,
            language=language_of(given.text),
            event_time=event_time,
            recorded_at=now,
            parties=resolved.parties,
            facts=facts,
            summary=None if self.summariser is None else self.summariser.summarise(given.text, facts),
        )
        tokens = tokens_of(given)
        batch.talks.said(memory, encoded.vector)
        edges, entities = batch.linker.link(memory, resolved)
        repeated = batch.duplicates.of(memory, tokens)
        if repeated is not None:
            edges = (*edges, repeats(memory, repeated, now))
        return Entry(
            memory=memory,
            tokens=tokens,
            vector=encoded.vector,
            states=encoded.states,
            entities=entities,
            edges=edges,
        )


def _batches(items: Iterable[RawItem]) -> Iterator[list[RawItem]]:
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _failed(index: int, error: GraphsvcError, memory_id: MemoryId | None = None) -> ItemResult:
    return ItemResult(
        index=index, status=ItemStatus.FAILED, id=memory_id, error=problem(error, where=f"item {index + 1}")
    )
