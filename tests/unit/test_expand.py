"""Expansion from hits: what comes along, how strongly, and what never does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from graphsvc.models.answer import Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.retrieve.expand.reach import Reach, expand
from graphsvc.retrieve.expand.walk import CONTEXT_WALK, GRAPH_WALK, Reached, Walk
from graphsvc.store.base import EdgeDirection, Store
from graphsvc.store.filters import eq
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, edge, ids, memory_node
from tests.ties import follows, mentions, write

HIT = [(MemoryId("hit"), 0.8)]


def one_hop(store: Store, namespace: str, seeds: Sequence[tuple[MemoryId, float]], walk: Walk) -> list[Reached]:
    """What the default walk is, said plainly: the strongest arrival over one edge, strongest first."""
    starts = {memory_node(i): score for i, score in seeds[: walk.seeds]}
    edges = store.edges(namespace, list(starts), types=walk.decay, per_node=walk.per_node)
    best: dict[MemoryId, Reached] = {}
    for start, score in starts.items():
        for found in edges.get(start, ()):
            other = found.target if found.source == start else found.source
            if other.kind is NodeKind.MEMORY and other != start:
                hop = Hop(source=start.id, target=other.id, type=found.type, weight=found.weight)
                arrived = Reached(MemoryId(other.id), score * found.weight * walk.decay[found.type], (hop,))
                known = best.get(arrived.id)
                if known is None or arrived.score > known.score:
                    best[arrived.id] = arrived
    return sorted(best.values(), key=lambda reached: (-reached.score, reached.id))[: walk.limit]


COMPANY = "organisation:公司"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(tmp_path / "store")
    yield opened
    opened.close()


def names(reach: Reach) -> list[str]:
    return [one.id for one in reach.reached]


def scores(reach: Reach) -> dict[str, float]:
    return {one.id: one.score for one in reach.reached}


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """公司 with 5,000 memories, two hops from the hit; the hit has neighbours of its own. Only read."""
    opened = SqliteStore(tmp_path_factory.mktemp("company"))
    own = [follows("next", "hit"), follows("hit", "before"), *mentions("hit", "product:盘点枪")]
    between = [*mentions("also", "product:盘点枪"), *mentions("before", COMPANY)]
    crowd = [one for n in range(5_000) for one in mentions(f"crowd{n:04}", COMPANY)]
    write(opened, [*own, *between, *crowd])
    yield opened
    opened.close()


class TestHubs:
    def test_a_hub_two_hops_from_a_hit_does_not_flood(self, company: Store) -> None:
        """Report A46: expansion inherits a hub's whole fan-out."""
        walk = replace(GRAPH_WALK, nodes=50, limit=50, per_node=100)
        started = time.perf_counter()
        reach = expand(company, "default", HIT, walk)
        assert time.perf_counter() - started < 1.0
        assert reach.truncated
        assert names(reach)[:3] == ["before", "next", "also"]
        assert len(reach.reached) <= 50
        assert sum(name.startswith("crowd") for name in names(reach)) > 40
        assert expand(company, "default", HIT, walk) == reach

    def test_the_neighbours_of_the_hit_are_kept_when_there_is_room_for_nothing_else(self, company: Store) -> None:
        """Report A46: the hit's own neighbours are kept first."""
        reach = expand(company, "default", HIT, replace(GRAPH_WALK, nodes=3))
        assert names(reach) == ["before", "next"]
        assert reach.truncated

    def test_what_everybody_shares_lends_next_to_nothing(self, company: Store) -> None:
        arrived = scores(expand(company, "default", [(MemoryId("before"), 1.0)], GRAPH_WALK))
        crowd = [score for name, score in arrived.items() if name.startswith("crowd")]
        assert max(crowd) < 0.001

    def test_a_shared_entity_divides_what_it_lends_among_all_who_share_it(self, store: Store) -> None:
        rare = [*mentions("hit", "person:rare"), *mentions("a", "person:rare")]
        common = [one for name in ("hit", "b", "c", "d") for one in mentions(name, "person:common")]
        write(store, [*rare, *common])
        arrived = scores(expand(store, "default", [(MemoryId("hit"), 1.0)], GRAPH_WALK))
        assert arrived == pytest.approx({"a": 0.25 / 2, "b": 0.25 / 4, "c": 0.25 / 4, "d": 0.25 / 4})


class TestBounds:
    def test_many_edges_of_one_type_never_crowd_out_the_few_of_another(self, store: Store) -> None:
        replies = [edge(memory_node(f"r{n:02}"), memory_node("hit"), EdgeType.REPLIES_TO, hours=n) for n in range(30)]
        older = edge(memory_node("new"), memory_node("hit"), EdgeType.SUPERSEDES, weight=0.9, hours=-9)
        write(store, [*replies, older])
        reach = expand(store, "default", HIT, CONTEXT_WALK)
        assert names(reach)[0] == "new"
        assert names(reach)[1:] == [f"r{n:02}" for n in range(18, 30)]
        assert reach.truncated

    def test_a_type_may_have_a_cap_of_its_own(self, store: Store) -> None:
        replies = [edge(memory_node(f"r{n}"), memory_node("hit"), EdgeType.REPLIES_TO) for n in range(5)]
        write(store, [*replies, follows("hit", "before"), follows("next", "hit")])
        reach = expand(store, "default", HIT, replace(CONTEXT_WALK, caps={EdgeType.REPLIES_TO: 2}))
        assert names(reach) == ["before", "next", "r0", "r1"]
        assert reach.truncated

    def test_where_there_is_no_room_for_all_the_strongest_come_and_of_equals_the_lower_id(self, store: Store) -> None:
        ties = [follows("hit", "a", weight=0.5), follows("hit", "d"), follows("hit", "c"), follows("hit", "b")]
        write(store, ties)
        for room, expected in ((1, ["b"]), (2, ["b", "c"]), (4, ["b", "c", "d", "a"])):
            reach = expand(store, "default", HIT, replace(CONTEXT_WALK, nodes=room))
            assert names(reach) == expected
            assert names(expand(store, "default", HIT, replace(CONTEXT_WALK, limit=room))) == expected
            assert reach.truncated == (room < 4)

    def test_what_is_reached_whole_is_not_called_truncated(self, store: Store) -> None:
        write(store, [follows("hit", "before"), follows("before", "earlier")])
        reach = expand(store, "default", HIT, replace(CONTEXT_WALK, hops=2))
        assert names(reach) == ["before", "earlier"]
        assert [one.score for one in reach.reached] == pytest.approx([0.8 * 0.15, 0.8 * 0.15 * 0.15])
        assert [(hop.source, hop.target) for hop in reach.reached[1].path] == [("hit", "before"), ("before", "earlier")]
        assert [(hop.source, hop.target) for hop in reach.hops] == [("hit", "before"), ("before", "earlier")]
        assert not reach.truncated

    def test_a_longer_way_counts_where_it_is_the_stronger(self, store: Store) -> None:
        replaced = [edge(memory_node(a), memory_node(b), EdgeType.SUPERSEDES) for a, b in (("hit", "x"), ("x", "y"))]
        write(store, [*replaced, follows("hit", "y")])
        walk = replace(CONTEXT_WALK, hops=2)
        by_id = {one.id: one for one in expand(store, "default", HIT, walk).reached}
        assert by_id[MemoryId("y")].score == pytest.approx(0.8 * 0.25)
        assert [hop.target for hop in by_id[MemoryId("y")].path] == ["x", "y"]

    def test_when_the_time_is_up_what_was_reached_is_kept(self, store: Store) -> None:
        write(store, [follows("hit", "before"), follows("before", "earlier")])
        ticks = iter([0.0, 0.1, 9.0])
        walk = replace(CONTEXT_WALK, hops=2, time_limit_s=1.0)
        reach = expand(store, "default", HIT, walk, timer=lambda: next(ticks))
        assert names(reach) == ["before"]
        assert reach.truncated

    def test_only_the_strongest_seeds_set_out_whatever_order_they_come_in(self, store: Store) -> None:
        write(store, [follows("s1", "a"), follows("s2", "b")])
        seeds = [(MemoryId("s2"), 0.1), (MemoryId("s1"), 0.9), (MemoryId("s2"), 0.3)]
        assert names(expand(store, "default", seeds, replace(CONTEXT_WALK, seeds=1))) == ["a"]
        assert scores(expand(store, "default", seeds, CONTEXT_WALK)) == pytest.approx({"a": 0.135, "b": 0.045})

    def test_seeds_lend_to_each_other_but_never_to_themselves(self, store: Store) -> None:
        write(store, [follows("s1", "s2")])
        seeds = [(MemoryId("s1"), 0.9), (MemoryId("s2"), 0.5)]
        arrived = scores(expand(store, "default", seeds, replace(CONTEXT_WALK, hops=3)))
        assert arrived == pytest.approx({"s1": 0.5 * 0.15, "s2": 0.9 * 0.15})

    def test_nothing_is_reached_from_nothing(self, store: Store) -> None:
        assert expand(store, "default", [], GRAPH_WALK) == Reach()
        assert expand(store, "default", [(MemoryId("unknown"), 1.0)], GRAPH_WALK) == Reach()

    @pytest.mark.parametrize("decay", [0.0, 1.5, float("nan")])
    def test_a_walk_whose_hops_would_add_to_a_score_is_refused(self, decay: float) -> None:
        with pytest.raises(ValueError, match="decay"):
            Walk(decay={EdgeType.MENTIONS: decay})

    def test_a_walk_without_room_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            replace(CONTEXT_WALK, nodes=0)

    def test_the_default_walk_reaches_what_one_hop_always_did(self, store: Store) -> None:
        chain = [follows(f"m{n + 1}", f"m{n}", weight=0.5 + n / 20) for n in range(9)]
        jumps = [edge(memory_node("m0"), memory_node("m5"), EdgeType.SUPERSEDES), *mentions("m1", "person:a")]
        write(store, [*chain, *jumps])
        seeds = [(MemoryId(f"m{n}"), 1.0 / (n + 1)) for n in range(6)]
        reach = expand(store, "default", seeds, CONTEXT_WALK)
        before = one_hop(store, "default", seeds, CONTEXT_WALK)
        assert [(one.id, one.path) for one in reach.reached] == [(one.id, one.path) for one in before]
        assert [one.score for one in reach.reached] == pytest.approx([one.score for one in before])


class TestTime:
    def test_an_edge_that_had_ended_or_came_later_is_not_walked(self, store: Store) -> None:
        ended = follows("hit", "ended").model_copy(update={"valid_to": NOW})
        lasting = follows("hit", "lasting").model_copy(update={"valid_to": NOW + timedelta(hours=1)})
        later = edge(memory_node("hit"), memory_node("later"), EdgeType.REFERENCES, hours=1)
        timeless = edge(memory_node("hit"), memory_node("timeless"), EdgeType.REFERENCES, hours=None)
        write(store, [ended, lasting, later, timeless])
        assert names(expand(store, "default", HIT, CONTEXT_WALK, at=NOW)) == ["timeless", "lasting"]
        assert names(expand(store, "default", HIT, CONTEXT_WALK)) == ["later", "timeless", "ended", "lasting"]

    def test_what_came_later_does_not_hide_what_stood_then(self, store: Store) -> None:
        """The store gives the newest first, and a cap would keep those alone."""
        late = [edge(memory_node(f"r{n:02}"), memory_node("hit"), EdgeType.REPLIES_TO, hours=n + 1) for n in range(40)]
        early = edge(memory_node("early"), memory_node("hit"), EdgeType.REPLIES_TO, hours=-1)
        write(store, [*late, early])
        assert names(expand(store, "default", HIT, CONTEXT_WALK, at=NOW)) == ["early"]


class _Leaky:
    """A store whose edges lead out of the namespace, as no store's should."""

    def __init__(self, store: Store, leaks: Sequence[Edge]) -> None:
        self._store = store
        self._leaks = leaks
        self.select, self.get = store.select, store.get
        self.asked: list[str] = []

    def edges(
        self,
        namespace: str,
        nodes: Sequence[Node],
        *,
        types: Iterable[EdgeType] | None = None,
        direction: EdgeDirection = EdgeDirection.BOTH,
        per_node: int = 50,
    ) -> dict[Node, list[Edge]]:
        self.asked += [node.id for node in nodes]
        found = self._store.edges(namespace, nodes, types=types, direction=direction, per_node=per_node)
        return {
            node: [*some, *(leak for leak in self._leaks if leak.source == node)][:per_node]
            for node, some in found.items()
        }


class TestNamespaces:
    def test_the_same_ids_elsewhere_are_never_walked(self, store: Store) -> None:
        write(store, [follows("hit", "ours")], also=["shared"], namespace="a")
        write(store, [follows("hit", "shared"), follows("shared", "theirs")], namespace="b")
        assert names(expand(store, "a", HIT, replace(CONTEXT_WALK, hops=3))) == ["ours"]
        assert names(expand(store, "b", HIT, replace(CONTEXT_WALK, hops=3))) == ["shared", "theirs"]

    def test_an_edge_that_leads_out_of_the_namespace_is_stopped_at_its_first_hop(self, store: Store) -> None:
        write(store, [follows("hit", "ours"), follows("ours", "further")], namespace="a")
        write(store, [follows("theirs", "more")], namespace="b")
        leaks = [follows("hit", "theirs"), follows("ours", "more"), follows("theirs", "further")]
        leaky = _Leaky(store, leaks)
        reach = expand(cast("Store", leaky), "a", HIT, replace(CONTEXT_WALK, hops=3, nodes=2))
        assert names(reach) == ["ours", "further"]
        assert set(leaky.asked) == {"hit", "ours", "further"}

    def test_a_deleted_memory_is_no_way_to_its_neighbours(self, store: Store) -> None:
        write(store, [follows("hit", "gone"), follows("gone", "behind")])
        walk = replace(CONTEXT_WALK, hops=2)
        assert names(expand(store, "default", HIT, walk)) == ["gone", "behind"]
        assert store.delete("default", eq("id", "gone")) == ids("gone")
        assert expand(store, "default", HIT, walk) == Reach()
