"""Give every memory of a store new vectors, when another encoder takes over."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphsvc.encoding.base import Encoder
from graphsvc.ingest.passage import passage_of
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding, Store

BATCH = 64


def reindex(store: Store, encoder: Encoder, *, on_progress: Callable[[int], None] | None = None) -> int:
    """Re-encode everything and bind the encoder, in one transaction; returns how many memories."""
    done = 0

    def encodings() -> Iterator[Encoding]:
        nonlocal done
        for namespace in sorted(store.describe().namespaces):
            for memories in _pages(store, namespace):
                yield from _encode(encoder, memories)
                done += len(memories)
                if on_progress is not None:
                    on_progress(len(memories))

    store.set_encoding(encoder.fingerprint, encodings())
    return done


def _pages(store: Store, namespace: str) -> Iterator[tuple[Memory, ...]]:
    after: str | None = None
    while True:
        page = store.page(namespace, limit=BATCH, after=after)
        if page.memories:
            yield page.memories
        after = page.after
        if after is None:
            return


def _encode(encoder: Encoder, memories: tuple[Memory, ...]) -> Iterator[Encoding]:
    passages = encoder.encode_passages([passage_of(memory) for memory in memories])
    states = passages.states or (None,) * len(memories)
    for memory, vector, kept in zip(memories, passages.vectors, states, strict=True):
        yield Encoding(memory.namespace, memory.id, vector, kept)
