"""Walk typed edges from the best hits: neighbours lend their score, and may come along.

The walk is bounded at every node, decays with every hop, never leaves the funnel's selection,
and gives the same result each time. What came only by an edge carries the path it came by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphsvc.models.answer import Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import ROLE_EDGES, EdgeType


@dataclass(frozen=True, slots=True)
class Walk:
    """Which edges are walked, how much of a score each keeps, and how far and wide the walk may go.

    `decay` is what one hop over an edge of a type keeps of the score, in (0, 1]; absent types are not
    walked. At most `per_node` edges of a type are followed at a node, or what `caps` says of that type.
    `nodes` is how many nodes, `limit` how many memories among them, may be reached beside the seeds.
    A walk that meets `time_limit_s` (seconds) keeps what it has; only then may two runs differ.
    """

    decay: Mapping[EdgeType, float]
    seeds: int = 20
    per_node: int = 12
    limit: int = 60
    hops: int = 1
    caps: Mapping[EdgeType, int] = field(default_factory=dict)
    nodes: int = 200
    time_limit_s: float | None = None

    def __post_init__(self) -> None:
        if not all(0.0 < kept <= 1.0 for kept in self.decay.values()):
            raise ValueError("each decay lies in (0, 1]: a hop never adds to a score")
        if min(self.per_node, *self.caps.values(), self.limit, self.hops, self.nodes) < 1:
            raise ValueError("per_node, caps, limit, hops and nodes are at least 1")


CONTEXT_WALK = Walk(
    decay={
        EdgeType.NEXT_IN_CONVERSATION: 0.15,
        EdgeType.REPLIES_TO: 0.12,
        EdgeType.SUPERSEDES: 0.50,
        EdgeType.RETRACTS: 0.50,
        EdgeType.CONTRADICTS: 0.50,
        EdgeType.REFERENCES: 0.30,
    }
)

# For questions about the graph itself: also from memory to entity to memory. What two memories share is
# divided by how many share it, so these decays stand for an entity that only they know.
GRAPH_WALK = Walk(
    decay={
        **CONTEXT_WALK.decay,
        **dict.fromkeys(ROLE_EDGES, 0.50),
        EdgeType.CC_TO: 0.25,
        EdgeType.MENTIONS: 0.50,
        EdgeType.PART_OF: 0.30,
        EdgeType.CONTAINS: 0.30,
        EdgeType.TRIGGERED_BY: 0.50,
        EdgeType.SAME_TOPIC: 0.20,
    },
    per_node=32,
    hops=3,
)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory reached over edges: the score that arrived, and the way it took."""

    id: MemoryId
    score: float
    path: tuple[Hop, ...]
