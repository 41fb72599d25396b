"""Derive anew what a store keeps beside its texts: vectors for another encoder, labels for another library."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator

from graphsvc.encoding.base import Encoder
from graphsvc.language.claims import find_claims
from graphsvc.language.passage import passage_of
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding, Store
from graphsvc.store.pages import pages
from graphsvc.understand.habits import setting_of
from graphsvc.understand.tagger import Seen, Tagger
from graphsvc.understand.topic import TURNS, Turn, topic_of

BATCH = 64


def reindex(store: Store, encoder: Encoder, *, on_progress: Callable[[int], None] | None = None) -> int:
    """Re-encode everything and bind the encoder, in one transaction; returns how many memories."""
    done = 0

    def encodings() -> Iterator[Encoding]:
        nonlocal done
        for namespace in sorted(store.describe().namespaces):
            for memories in pages(store, namespace, size=BATCH):
                yield from _encode(encoder, memories)
                done += len(memories)
                if on_progress is not None:
                    on_progress(len(memories))

    store.set_encoding(encoder.fingerprint, encodings())
    return done


def relabel(
    store: Store,
    encoder: Encoder,
    tagger: Tagger,
    namespace: str,
    *,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[int, int]:
    """Label a namespace again by the tagger's library, from the stored vectors; how many were read, and changed.

    Labels, senses and claims change (a memory of an earlier release has no claims), nothing else: mentions hold up
    edges, and times and amounts do not hang on the library. Conversations are read in their order, so that a turn
    is judged by the new topic of those before. What changed is written in one transaction.
    """
    memories = [memory for page in pages(store, namespace, size=BATCH) for memory in page]
    memories.sort(key=lambda memory: (memory.event_time, memory.id))
    changed = []
    talks: dict[str, deque[Turn]] = defaultdict(lambda: deque(maxlen=TURNS))
    for start in range(0, len(memories), BATCH):
        batch = memories[start : start + BATCH]
        kept = store.vectors(namespace, [memory.id for memory in batch])
        for memory in batch:
            vector, states = kept.get(memory.id, (None, None))
            talk: deque[Turn] = deque() if memory.conversation_id is None else talks[memory.conversation_id]
            seen = Seen(vector, states, passage_of(memory))
            setting = setting_of(
                store, tagger.ontology, namespace, author=memory.sender, at=memory.event_time, topic=topic_of(talk)
            )
            labels, senses = tagger.classify(
                memory.text, seen, setting, memory.facts.mentions, corrected=memory.facts.senses
            )
            claims = tuple(find_claims(memory.text, memory.facts.mentions, setting.speaker))
            facts = memory.facts.model_copy(update={"labels": labels, "senses": senses, "claims": claims})
            if facts != memory.facts:
                changed.append(Encoding(namespace, memory.id, facts=facts))
            talk.appendleft((memory.model_copy(update={"facts": facts}), vector))
        if on_progress is not None:
            on_progress(len(batch))
    if changed:
        store.set_encoding(encoder.fingerprint, changed)
    return len(memories), len(changed)


def _encode(encoder: Encoder, memories: tuple[Memory, ...]) -> Iterator[Encoding]:
    passages = encoder.encode_passages([passage_of(memory) for memory in memories])
    states = passages.states or (None,) * len(memories)
    for memory, vector, kept in zip(memories, passages.vectors, states, strict=True):
        yield Encoding(memory.namespace, memory.id, vector, kept)
