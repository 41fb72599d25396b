"""Builders of the records tests speak about: every argument has a plain default, nothing is random unless seeded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.models.answer import Candidate, Scores, Stage, Trace
from graphsvc.models.base import EntityId, MemoryId, TraceId
from graphsvc.models.change import Standing
from graphsvc.models.facts import Facts, Label, Language
from graphsvc.models.graph import Edge, EdgeType, Entity, Node, NodeKind
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.models.question import Question
from graphsvc.store.base import Entry

NOW = datetime(2026, 3, 6, 2, 0, tzinfo=UTC)
DIMENSION = 8
FINGERPRINT = Fingerprint(name="test", variant="plain", version="1", dimension=DIMENSION, state_dimension=4)


def fixed_clock() -> datetime:
    return NOW


def memory(
    memory_id: str = "m1", text: str = "仓库盘点 on Friday", *, namespace: str = "default", **fields: object
) -> Memory:
    """A memory of today; any field may be given, `domain` as a shorthand for one label."""
    domain = fields.pop("domain", None)
    if domain is not None:
        fields["facts"] = Facts(labels=(Label(domain=str(domain), probability=1.0, source="test"),))
    given = {"language": Language.MIXED, "event_time": NOW, "recorded_at": NOW, **fields}
    return Memory.model_validate({"id": memory_id, "namespace": namespace, "text": text, **given})


def entry(
    memory_id: str = "m1",
    text: str = "仓库盘点 on Friday",
    *,
    tokens: Iterable[str] | None = None,
    vector: FloatArray | None = None,
    states: TokenStates | None = None,
    entities: Sequence[Entity] = (),
    edges: Sequence[Edge] = (),
    standings: Sequence[Standing] = (),
    namespace: str = "default",
    **fields: object,
) -> Entry:
    """An entry of `memory(...)`; tokens are the words of its text unless given."""
    return Entry(
        memory=memory(memory_id, text, namespace=namespace, **fields),
        tokens=tuple(text.casefold().split() if tokens is None else tokens),
        vector=vector,
        states=states,
        entities=tuple(entities),
        edges=tuple(edges),
        standings=tuple(standings),
    )


def ended(memory_id: str, *by: str, hours: float = 0.0, status: MemoryStatus = MemoryStatus.SUPERSEDED) -> Standing:
    """The standing of a memory that others ended, `hours` after NOW."""
    return Standing(
        id=MemoryId(memory_id), status=status, ended_at=NOW + timedelta(hours=hours), ended_by=tuple(map(MemoryId, by))
    )


def axis(place: int = 0, *, dimension: int = DIMENSION) -> FloatArray:
    """The unit vector along one axis."""
    vector = np.zeros(dimension, dtype=np.float32)
    vector[place] = 1.0
    return vector


def at_cosine(cosine: float, *, place: int = 1, dimension: int = DIMENSION) -> FloatArray:
    """A unit vector with this cosine to `axis(0)`, leaning towards another axis."""
    vector = np.zeros(dimension, dtype=np.float32)
    vector[0], vector[place] = cosine, np.sqrt(1.0 - cosine**2)
    return vector


def random_unit(seed: int, *, dimension: int = DIMENSION) -> FloatArray:
    vector = np.random.default_rng(seed).standard_normal(dimension)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def token_states(seed: int, count: int = 3, *, width: int = FINGERPRINT.state_dimension // 2) -> TokenStates:
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, 256, size=(count, width), dtype=np.uint8)
    return TokenStates(codes, draw.random(count).astype(np.float32))


def memory_node(memory_id: str = "m1") -> Node:
    return Node(NodeKind.MEMORY, memory_id)


def entity_node(entity_id: str) -> Node:
    return Node(NodeKind.ENTITY, entity_id)


def entity(entity_id: str, *aliases: str, kind: str = "person", name: str | None = None) -> Entity:
    return Entity(id=EntityId(entity_id), type=kind, name=name or entity_id, aliases=aliases or (entity_id,))


def edge(
    source: Node,
    target: Node,
    kind: EdgeType = EdgeType.MENTIONS,
    *,
    weight: float = 1.0,
    hours: float | None = 0.0,
) -> Edge:
    """An edge from one node to another, `hours` after NOW; None leaves it without a time."""
    time = None if hours is None else NOW + timedelta(hours=hours)
    return Edge(source=source, target=target, type=kind, weight=weight, event_time=time, origin="test")


def trace(trace_id: str = "t1", *memories: Memory, namespace: str = "default") -> Trace:
    """A trace whose candidates are the memories, in order."""
    return Trace(
        id=TraceId(trace_id),
        namespace=namespace,
        created_at=NOW,
        question=Question(text="谁负责盘点", language=Language.ZH, asked_at=NOW, query_type="general"),
        stages=(Stage(name="stored", remaining=len(memories), ms=0.1),),
        candidates=tuple(
            Candidate(memory=one, score=1.0 / (place + 1), probability=0.5, scores=Scores(dense=0.5))
            for place, one in enumerate(memories)
        ),
        total_ms=1.5,
    )


def ids(*names: str) -> list[MemoryId]:
    return [MemoryId(name) for name in names]
