"""Laws of walking the graph: bounded, repeatable, within the namespace, and only ever losing strength."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.retrieve.expand.paths import Pathfinding, paths
from graphsvc.retrieve.expand.reach import Reach, expand
from graphsvc.retrieve.expand.related import NEIGHBOURHOOD, Relating, related
from graphsvc.retrieve.expand.walk import GRAPH_WALK, Walk
from graphsvc.store.base import Store
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import edge, entity, entity_node, entry, memory_node

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
MEMORIES = [f"m{n}" for n in range(8)]
ENTITIES = [f"person:{n}" for n in range(4)]
_FRESH = count()

Seeds = list[tuple[MemoryId, float]]


@dataclass(frozen=True)
class Drawn:
    """A graph by the edges that each memory brings."""

    edges: Mapping[str, Sequence[Edge]]

    def put(self, store: Store, order: Sequence[str]) -> str:
        """A namespace of its own that holds it, written in this order."""
        namespace = f"n{next(_FRESH)}"
        entries = []
        for name in order:
            brought = self.edges.get(name, ())
            known = {one.target.id for one in brought if one.target.kind is NodeKind.ENTITY}
            entities = [entity(one) for one in sorted(known)]
            entries.append(entry(name, name, namespace=namespace, edges=brought, entities=entities))
        assert all(result.error is None for result in store.put(entries))
        return namespace


@st.composite
def graphs(draw: st.DrawFn) -> Drawn:
    between = st.tuples(st.sampled_from(MEMORIES), st.sampled_from(MEMORIES)).filter(lambda pair: pair[0] != pair[1])
    mentions = st.tuples(st.sampled_from(MEMORIES), st.sampled_from(ENTITIES))
    context = draw(st.sets(between, max_size=12))
    named = draw(st.sets(mentions, max_size=16))
    ties: list[tuple[Node, Node, EdgeType]] = []
    for source, target in sorted(context):
        kind = draw(st.sampled_from([EdgeType.NEXT_IN_CONVERSATION, EdgeType.REFERENCES]))
        ties.append((memory_node(source), memory_node(target), kind))
    for source, target in sorted(named):
        kind = draw(st.sampled_from([EdgeType.MENTIONS, EdgeType.SENT_BY]))
        ties.append((memory_node(source), entity_node(target), kind))
    weights = st.sampled_from([0.0, 0.3, 0.7, 1.0])
    found: dict[str, list[Edge]] = {}
    for source_node, target_node, kind in ties:
        one = edge(source_node, target_node, kind, weight=draw(weights), hours=draw(st.sampled_from([-1.0, 0.0, None])))
        found.setdefault(source_node.id, []).append(one)
    return Drawn(found)


SEEDS = st.lists(
    st.tuples(st.sampled_from([MemoryId(one) for one in MEMORIES]), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    min_size=1,
    max_size=4,
    unique_by=lambda seed: seed[0],
)
WALKS = st.builds(
    lambda hops, per_node, nodes, limit: replace(GRAPH_WALK, hops=hops, per_node=per_node, nodes=nodes, limit=limit),
    st.integers(1, 3),
    st.integers(1, 5),
    st.integers(1, 12),
    st.integers(1, 8),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("walks")
    opened = SqliteStore(folder)
    yield opened
    opened.close()


def _beside(reach: Reach, seeds: Seeds) -> set[MemoryId]:
    return {one.id for one in reach.reached} - {one for one, _ in seeds}


@QUICK
@given(graphs(), SEEDS, WALKS)
def test_what_is_reached_stays_within_the_budget(store: Store, graph: Drawn, seeds: Seeds, walk: Walk) -> None:
    reach = expand(store, graph.put(store, MEMORIES), seeds, walk)
    assert len(_beside(reach, seeds)) <= min(walk.nodes, walk.limit)
    assert all(len(one.path) <= walk.hops for one in reach.reached)


@QUICK
@given(graphs(), SEEDS, WALKS)
def test_no_score_is_above_that_of_its_seed(store: Store, graph: Drawn, seeds: Seeds, walk: Walk) -> None:
    scores = dict(seeds)
    for one in expand(store, graph.put(store, MEMORIES), seeds, walk).reached:
        begin = scores[MemoryId(one.path[0].source)]
        assert 0.0 <= one.score <= begin
        assert one.score > 0.0 or begin == 0.0


@QUICK
@given(graphs(), SEEDS, WALKS)
def test_a_path_leads_hop_by_hop_from_a_seed_over_stored_edges(
    store: Store, graph: Drawn, seeds: Seeds, walk: Walk
) -> None:
    stored = {
        (frozenset((one.source.id, one.target.id)), one.type, one.weight)
        for edges in graph.edges.values()
        for one in edges
    }
    for one in expand(store, graph.put(store, MEMORIES), seeds, walk).reached:
        assert one.path[0].source in dict(seeds)
        assert one.path[-1].target == one.id
        assert all(a.target == b.source for a, b in zip(one.path, one.path[1:], strict=False))
        assert {(frozenset((hop.source, hop.target)), hop.type, hop.weight) for hop in one.path} <= stored


@QUICK
@given(graphs(), SEEDS, WALKS, st.permutations(MEMORIES))
def test_neither_the_order_of_writing_nor_that_of_seeds_is_of_account(
    store: Store, graph: Drawn, seeds: Seeds, walk: Walk, order: list[str]
) -> None:
    shuffled = sorted(seeds, key=lambda seed: order.index(seed[0]))
    left = expand(store, graph.put(store, MEMORIES), seeds, walk)
    right = expand(store, graph.put(store, order), shuffled, walk)
    assert left == right


@QUICK
@given(graphs(), SEEDS, WALKS, st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_a_larger_budget_never_takes_a_node_away(
    store: Store, graph: Drawn, seeds: Seeds, walk: Walk, more: tuple[int, int]
) -> None:
    namespace = graph.put(store, MEMORIES)
    small = expand(store, namespace, seeds, walk)
    larger = replace(walk, nodes=walk.nodes + more[0], limit=walk.limit + more[1])
    large = expand(store, namespace, seeds, larger)
    assert {one.id for one in small.reached} <= {one.id for one in large.reached}


@QUICK
@given(graphs(), SEEDS, WALKS)
def test_a_walk_that_was_not_cut_finds_what_one_without_bounds_does(
    store: Store, graph: Drawn, seeds: Seeds, walk: Walk
) -> None:
    namespace = graph.put(store, MEMORIES)
    reach = expand(store, namespace, seeds, walk)
    free = expand(store, namespace, seeds, replace(walk, per_node=1_000, nodes=1_000, limit=1_000))
    assert not free.truncated
    assert reach.truncated or reach == free


@QUICK
@given(graphs(), graphs(), SEEDS, WALKS)
def test_the_same_ids_in_another_namespace_change_nothing(
    store: Store, graph: Drawn, other: Drawn, seeds: Seeds, walk: Walk
) -> None:
    namespace = graph.put(store, MEMORIES)
    before = expand(store, namespace, seeds, walk), related(store, namespace, [entity_node(ENTITIES[0])])
    other.put(store, MEMORIES)
    assert (expand(store, namespace, seeds, walk), related(store, namespace, [entity_node(ENTITIES[0])])) == before


@QUICK
@given(graphs(), st.permutations(MEMORIES), st.lists(st.sampled_from(MEMORIES), min_size=1, max_size=3))
def test_relatedness_rests_on_the_graph_alone(store: Store, graph: Drawn, order: list[str], starts: list[str]) -> None:
    nodes = [memory_node(one) for one in starts]
    settings_ = Relating(walk=replace(NEIGHBOURHOOD, per_node=3))
    left = related(store, graph.put(store, MEMORIES), nodes, settings_)
    right = related(store, graph.put(store, order), nodes[::-1], settings_)
    assert left == right
    assert sum(one.score for one in left.memories) + sum(one.score for one in left.entities) < 1.0


@QUICK
@given(graphs(), st.sampled_from(ENTITIES), st.sampled_from([*ENTITIES, *MEMORIES]))
def test_a_path_back_is_as_long_as_the_path_there(store: Store, graph: Drawn, start: str, goal: str) -> None:
    namespace = graph.put(store, MEMORIES)
    a, b = entity_node(start), memory_node(goal) if goal in MEMORIES else entity_node(goal)
    there, back = paths(store, namespace, [a], [b]), paths(store, namespace, [b], [a])
    assert [len(one.edges) for one in there.chains[:1]] == [len(one.edges) for one in back.chains[:1]]
    for chain in there.chains:
        assert (chain.nodes[0], chain.nodes[-1]) == (a, b)
        assert len(set(chain.nodes)) == len(chain.nodes)
        assert 0.0 < chain.strength <= 1.0


@QUICK
@given(graphs(), st.sampled_from(ENTITIES), st.sampled_from(MEMORIES), st.integers(1, 6))
def test_the_path_found_is_the_shortest_there_is(
    store: Store, graph: Drawn, start: str, goal: str, longest: int
) -> None:
    namespace = graph.put(store, MEMORIES)
    found = paths(store, namespace, [entity_node(start)], [memory_node(goal)], Pathfinding(longest=longest))
    length = _distance(graph, entity_node(start), memory_node(goal))
    assert [len(one.edges) for one in found.chains[:1]] == ([length] if length <= longest else [])


def _distance(graph: Drawn, start: Node, goal: Node) -> float:
    """How many edges of any weight above nothing lie between two nodes, by plain search."""
    near: dict[Node, set[Node]] = {}
    for edges in graph.edges.values():
        for one in edges:
            if one.weight > 0.0:
                near.setdefault(one.source, set()).add(one.target)
                near.setdefault(one.target, set()).add(one.source)
    seen, frontier, length = {start}, {start}, 0
    while frontier:
        if goal in frontier:
            return length
        frontier = {one for node in frontier for one in near.get(node, ())} - seen
        seen |= frontier
        length += 1
    return float("inf")
