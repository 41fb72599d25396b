"""The store port: where memories, vectors, words and edges are kept and narrowed.

A store finds and keeps; it never decides. Fusion, expansion and acceptance live above it.

The contract, in words:

1. *Acknowledged means durable.* `put` returns after the commit; a crash loses nothing it returned.
2. *One transaction a call.* A `put`, `delete` or `set_encoding` is wholly there or not at all.
3. *Idempotent.* The same memory again is `unchanged`; another content under its id is refused.
4. *Namespaces are walls.* No call sees, counts or ranks anything outside the namespace it names.
5. *Filters mean `filters.matches`*, nothing more. An empty `in` list matches nothing.
6. *Filter first.* `nearest` and `match` rank inside the selection; k of them come back whenever
   the selection holds k that the leg can score at all.
7. *Higher is better*, everywhere. Cosines agree between stores to 1e-6. Ties order by id.
8. *A deleted memory leaves* no vector, word, edge, facet or orphaned entity; its tombstone stays.
9. *Readers never wait for the writer.* A writer that cannot get its turn raises `StoreBusy`.
10. *One encoder a store.* Vectors of another fingerprint are refused with `EncoderMismatch`.
11. *No write without its record.* What a call changed and its journal entries are one transaction.
12. *A standing is derived, a memory is not.* `put_standings` changes status and end of a memory, never what it says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.errors import GraphsvcError
from graphsvc.models.audit import LOCAL, Act, Purged
from graphsvc.models.base import MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.facts import Facts, Language
from graphsvc.models.graph import Edge, EdgeType, Entity, Node
from graphsvc.models.memory import ItemStatus, Memory
from graphsvc.store.falsified import Falsified
from graphsvc.store.feedback import FeedbackBook
from graphsvc.store.filters import EVERYTHING, And, Compare, Not, Or
from graphsvc.store.identity import Identities
from graphsvc.store.journal import Journal
from graphsvc.store.traces import Traces
from graphsvc.store.vocabulary import Words

Where = Compare | And | Or | Not


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory with all that hangs on it, ready to be written.

    `vector` is float32 `(dimension,)`, unit length; `tokens` are the search tokens to index, in order.
    Edges start or end at the memory; entities are those they touch. `standings` are where the memory itself and
    others stand because of it.
    """

    memory: Memory
    tokens: tuple[str, ...]
    vector: FloatArray | None = None
    states: TokenStates | None = None
    entities: tuple[Entity, ...] = ()
    edges: tuple[Edge, ...] = ()
    standings: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class PutResult:
    """What became of one entry; `error` is set exactly when the status is `failed`."""

    status: ItemStatus
    error: GraphsvcError | None = None


class Hit(NamedTuple):
    """A memory found by one leg; cosine for `nearest`, BM25 for `match`."""

    id: MemoryId
    score: float
    language: Language


class Selection(Protocol):
    """The memories that satisfied a chain of filters, opaque to all but the store that made it."""

    @property
    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Page:
    """Memories by (event_time, id), greatest first; `after` continues, None at the end."""

    memories: tuple[Memory, ...]
    after: str | None


@dataclass(frozen=True, slots=True)
class Encoding:
    """What is derived from one memory, anew, for `set_encoding`: its vectors, its facts, or both."""

    namespace: str
    id: MemoryId
    vector: FloatArray | None = None
    states: TokenStates | None = None
    facts: Facts | None = None


class EdgeDirection(StrEnum):
    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class StoreDescription:
    """What a store holds; `namespaces` maps each to its number of memories."""

    url: str
    schema_version: int
    fingerprint: Fingerprint | None
    memories: int
    entities: int
    edges: int
    namespaces: dict[str, int] = field(default_factory=dict)
    bytes_on_disk: int | None = None


class Store(Protocol):
    """Thread-safe. Every id belongs to a namespace; the same id in two namespaces is two memories."""

    @property
    def identities(self) -> Identities:
        """Merges and aliases: the port of `store.identity`, over the same data."""
        ...

    @property
    def traces(self) -> Traces:
        """What lay behind earlier searches and answers: the port of `store.traces`."""
        ...

    @property
    def falsified(self) -> Falsified:
        """Which answers rested on what, and which have fallen: the port of `store.falsified`."""
        ...

    @property
    def feedback(self) -> FeedbackBook:
        """What people said of answers: the port of `store.feedback`."""
        ...

    @property
    def words(self) -> Words:
        """Which words the memories hold: the port of `store.vocabulary`."""
        ...

    @property
    def journal(self) -> Journal:
        """Who did what, when and why: the port of `store.journal`."""
        ...

    def put(self, entries: Sequence[Entry], *, by: Act = LOCAL) -> list[PutResult]:
        """Write entries in one transaction, one result each, in order; one journal operation.

        A zero, NaN or wrong-length vector, or one that is not of unit length to 1e-3, fails its entry
        with `VectorInvalid`, any vector with `EncoderMismatch` while no encoder is bound, an id of
        other content with `DuplicateId`, an integer beyond 64 bits or an infinite amount with
        `FieldInvalid`; the others are written. Entities of one id are merged: aliases unite, the first
        name that is no address stays. An edge of the same source, target and type is kept once: the one of greater
        weight, else the first. An edge whose other end is neither stored nor in this call is left out.
        """
        ...

    def get(self, namespace: str, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories that exist, in the order asked for."""
        ...

    def page(self, namespace: str, where: Where = EVERYTHING, *, limit: int = 100, after: str | None = None) -> Page:
        """One keyset page; raises `FieldInvalid` for a cursor that is none or a limit below 1."""
        ...

    def revise(self, entry: Entry, *, revision: int, unsettled: Collection[MemoryId] = (), by: Act = LOCAL) -> Memory:
        """Put another content under an id, edges and entities anew, in one transaction; the memory as stored.

        Edges of others at it stay. With it is written down that those `unsettled` must be told anew where they stand.
        Raises `NotFound`, `RevisionOutdated` unless `revision` is the stored one, and what `put` gives as an error.
        """
        ...

    def put_standings(
        self,
        namespace: str,
        standings: Sequence[Standing],
        *,
        edges: Sequence[Edge] = (),
        gone: Sequence[Edge] = (),
        settled: Collection[MemoryId] = (),
        by: Act = LOCAL,
    ) -> None:
        """Say where memories stand now, draw edges of change between them, and take away those in `gone`.

        A standing replaces the earlier one of its memory; those of unknown memories are passed over. The `settled`
        are unsettled no more.
        """
        ...

    def unsettled(self) -> dict[str, list[MemoryId]]:
        """By namespace, the memories that must be told anew where they stand; some are left only by a crash."""
        ...

    def delete(
        self,
        namespace: str,
        where: Where,
        *,
        revision: int | None = None,
        unsettled: Collection[MemoryId] = (),
        by: Act = LOCAL,
    ) -> list[MemoryId]:
        """Delete what matches and all that hangs on it; returns the ids. `EVERYTHING` empties the namespace.

        With `revision` raises `RevisionOutdated`, and nothing goes, unless all that matches is at that one. Entities
        that stay lose the names that no memory tied to them has; where those are many, a purge takes them.
        With it is written down that those `unsettled`, and those tied to it by what bears on one another, must be told
        anew where they stand.
        """
        ...

    def purge(self, namespace: str | None = None, *, by: Act = LOCAL) -> Purged:
        """Remove for good what deleted memories left in journal and traces, of one namespace or of all.

        Afterwards no file of the store holds a byte of what they said.
        """
        ...

    def select(self, namespace: str, where: Where = EVERYTHING, *, within: Selection | None = None) -> Selection:
        """Narrow to what matches, inside an earlier selection of the same namespace if given."""
        ...

    def nearest(self, selection: Selection, vector: FloatArray, k: int) -> list[Hit]:
        """The k of highest cosine, exactly; a zero or non-finite query finds nothing."""
        ...

    def match(self, selection: Selection, tokens: Sequence[str], k: int) -> list[Hit]:
        """The k of highest BM25 score: first those with all of the tokens, then those with some; ties by id.

        Scores rest on counts of the namespace alone. A token is never syntax; no tokens find nothing.
        """
        ...

    def vectors(self, namespace: str, ids: Sequence[MemoryId]) -> dict[MemoryId, tuple[FloatArray, TokenStates | None]]:
        """Vectors and packed token states of the memories that have them."""
        ...

    def edges(
        self,
        namespace: str,
        nodes: Sequence[Node],
        *,
        types: Iterable[EdgeType] | None = None,
        direction: EdgeDirection = EdgeDirection.BOTH,
        per_node: int = 50,
    ) -> dict[Node, list[Edge]]:
        """Edges at each node asked for, at most `per_node`; always repeatable.

        Strongest first, then newest (those without a time last), then by source, target and type.
        """
        ...

    def entities(self, namespace: str, *, ids: Sequence[str] = (), aliases: Sequence[str] = ()) -> list[Entity]:
        """Entities with one of the ids or one of the folded aliases, by id."""
        ...

    def set_encoding(self, fingerprint: Fingerprint, encodings: Iterable[Encoding] = ()) -> None:
        """Bind an encoder, or re-bind with new vectors for every memory, in one transaction.

        An encoding without a vector leaves the one there is, one without facts the facts; what filters ask of
        facts follows them. A memory's content and revision stay. Raises `EncoderMismatch` when another encoder
        is bound and a memory that has a vector would be left without, `VectorInvalid` and `FieldInvalid` as
        `put` does. Memories deleted meanwhile are passed over.
        """
        ...

    def describe(self) -> StoreDescription:
        """Counts and sizes, over all namespaces."""
        ...

    def close(self) -> None:
        """Release files and connections; further calls raise `StoreError`."""
        ...
