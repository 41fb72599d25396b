"""Gather the candidates of a question: the best of each leg, and the turns of the talks these belong to.

A turn of a talk often leaves out what the talk is about ("moved to Thursday"), so no leg finds it by itself; it
comes along with the turns that were found. Everything stays inside the funnel's selection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphsvc.encoding.base import EncodedQuery, FloatArray
from graphsvc.models.answer import Leg
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.models.graph import EdgeType, Node, NodeKind
from graphsvc.models.memory import Memory
from graphsvc.retrieve.config import MixWeights
from graphsvc.retrieve.rank.neighbours import Beside, beside, neighbours
from graphsvc.retrieve.rank.overlap import overlap
from graphsvc.store.base import Hit, Selection, Store
from graphsvc.store.filters import eq, one_of

ALL_LEGS = frozenset(Leg)
# How many of the words' best hits say how far the question's words reach.
_COVERAGE_FROM = 3


@dataclass(frozen=True, slots=True)
class RankRequest:
    """What to rank by; `min_similarity` is a floor on the cosine, `several` says that no one memory may answer."""

    query: EncodedQuery
    tokens: tuple[str, ...]
    legs: frozenset[Leg] = ALL_LEGS
    min_similarity: float | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates before scoring: those a leg found first, then those that came `along`; BM25 of those the words found.

    `covered` in [0, 1] is the share of the question's words that the best of them hold, together where it needs
    several: where words hardly overlap, their order says little and counts little.
    """

    memories: Mapping[MemoryId, Memory]
    along: frozenset[MemoryId] = frozenset()
    lexical: Mapping[MemoryId, float] = field(default_factory=dict)
    covered: float = 0.0
    turns: Mapping[MemoryId, Beside] = field(default_factory=dict)


def gather(store: Store, namespace: str, selection: Selection, request: RankRequest, weights: MixWeights) -> Pool:
    """The union of the two legs' best, and the talks of the very best."""
    near: list[Hit] = []
    if Leg.DENSE in request.legs:
        near = _nearest(store, selection, namespace, request.query.vector, weights.leg_size)
    words: list[Hit] = []
    if Leg.LEXICAL in request.legs:
        words = store.match(selection, request.tokens, weights.leg_size)
    found = _load(store, namespace, (hit.id for hit in (*near, *words)))
    covered = _covered([found[hit.id].text for hit in words[:_COVERAGE_FROM] if hit.id in found], request)
    talks = _talks([found[hit.id] for leg in (words, near) for hit in leg[: weights.talk_seeds] if hit.id in found])
    along: dict[MemoryId, Memory] = {}
    if talks and request.min_similarity is None:
        inside = store.select(namespace, one_of("conversation_id", talks), within=selection)
        mates = store.nearest(inside, request.query.vector, weights.talk_size) if inside.count else []
        along = _load(store, namespace, (hit.id for hit in mates if hit.id not in found))
    turns = _turns(store, namespace, found)
    seeds = list(dict.fromkeys(hit.id for leg in (words, near) for hit in leg[: weights.turn_seeds] if hit.id in found))
    new = [i for i in neighbours(turns, seeds) if i not in found and i not in along]
    if new and request.min_similarity is None:
        inside = store.select(namespace, one_of("id", new), within=selection)
        hits = store.nearest(inside, request.query.vector, inside.count) if inside.count else []
        along |= _load(store, namespace, (hit.id for hit in hits))
    return Pool({**found, **along}, frozenset(along), {hit.id: hit.score for hit in words}, covered, turns)


def _covered(texts: Sequence[str], request: RankRequest) -> float:
    """The share of the question's words that the best text holds, or all of them where it needs several."""
    read = ["\n".join(texts)] if request.several else texts
    return max((overlap(text, request.tokens) or 0.0 for text in read), default=0.0)


def _turns(store: Store, namespace: str, found: Mapping[MemoryId, Memory]) -> dict[MemoryId, Beside]:
    """Who stands beside whom, among the turns of conversations."""
    nodes = [Node(NodeKind.MEMORY, i) for i, memory in found.items() if memory.conversation_id is not None]
    edges = store.edges(namespace, nodes, types=[EdgeType.NEXT_IN_CONVERSATION], per_node=2) if nodes else {}
    return beside(edge for node in nodes for edge in edges.get(node, ()))


def _load(store: Store, namespace: str, ids: Iterable[MemoryId]) -> dict[MemoryId, Memory]:
    return {memory.id: memory for memory in store.get(namespace, list(dict.fromkeys(ids)))}


def _talks(seeds: Sequence[Memory]) -> list[str]:
    return list(dict.fromkeys(one.conversation_id for one in seeds if one.conversation_id is not None))


def _nearest(store: Store, selection: Selection, namespace: str, vector: FloatArray, k: int) -> list[Hit]:
    """The k nearest of each language: cosines of two languages do not compare."""
    hits: list[Hit] = []
    for language in Language:
        spoken = store.select(namespace, eq("language", language.value), within=selection)
        hits += store.nearest(spoken, vector, k) if spoken.count else []
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))
