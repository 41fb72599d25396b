"""Questions about the graph: what hangs on something, and how two things are tied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from graphsvc.models.base import EntityId
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.identity import MergeRule
from graphsvc.retrieve.expand.arms import kin_of
from graphsvc.retrieve.expand.local import LocalGraph, gather
from graphsvc.retrieve.expand.paths import Pathfinding, Paths, paths
from graphsvc.retrieve.expand.related import NEIGHBOURHOOD, Related, Relating, pagerank, related
from graphsvc.store.base import Store
from graphsvc.store.directory import Directory
from graphsvc.store.identity import Link
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, edge, entity_node, memory_node
from tests.ties import follows, mentions, write

LI, WANG, GUN = (entity_node(one) for one in ("person:李娜", "person:王强", "product:盘点枪"))
COMPANY = entity_node("organisation:公司")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(tmp_path / "store")
    yield opened
    opened.close()


def sent_by(name: str, person: str) -> Edge:
    return edge(memory_node(name), entity_node(person), EdgeType.SENT_BY)


def names(found: Paths) -> list[list[str]]:
    return [[node.id for node in chain.nodes] for chain in found.chains]


def found_ids(found: Related) -> list[str]:
    return [*(one.id for one in found.memories), *(one.id for one in found.entities)]


class TestRelated:
    def order(self, store: Store) -> None:
        """李娜 sent an order for the gun, 王强 answered; the lunch has to do with neither."""
        write(
            store,
            [
                sent_by("order", LI.id),
                *mentions("order", GUN.id),
                sent_by("reply", WANG.id),
                edge(memory_node("reply"), memory_node("order"), EdgeType.REPLIES_TO),
                *mentions("manual", GUN.id),
                *mentions("lunch", "person:other"),
            ],
        )

    def test_what_hangs_on_somebody_comes_nearest_first(self, store: Store) -> None:
        self.order(store)
        found = related(store, "default", [LI], Relating(walk=replace(NEIGHBOURHOOD, hops=3)))
        assert [one.id for one in found.memories] == ["order", "manual", "reply"]
        assert [one.id for one in found.entities] == [GUN.id, WANG.id]
        assert [hop.target for hop in found.memories[1].path] == ["order", GUN.id, "manual"]
        assert not found.truncated

    def test_it_goes_no_further_than_its_hops(self, store: Store) -> None:
        self.order(store)
        found = related(store, "default", [LI])
        assert [one.id for one in found.memories] == ["order", "reply"]
        assert [one.id for one in found.entities] == [GUN.id]

    def test_what_both_starts_lead_to_comes_before_what_one_does(self, store: Store) -> None:
        both = [*mentions("both", LI.id, WANG.id)]
        alone = [*mentions("a-li", LI.id), *mentions("b-wang", WANG.id)]
        write(store, [*alone, *both])
        assert [one.id for one in related(store, "default", [WANG, LI]).memories] == ["both", "a-li", "b-wang"]

    def test_only_the_first_come_back(self, store: Store) -> None:
        self.order(store)
        found = related(store, "default", [LI], Relating(walk=replace(NEIGHBOURHOOD, hops=3), limit=1))
        assert found_ids(found) == ["order", GUN.id]

    def test_a_hub_hands_on_next_to_nothing(self, store: Store) -> None:
        crowd = [one for n in range(100) for one in mentions(f"crowd{n:02}", COMPANY.id)]
        write(store, [*mentions("order", LI.id, COMPANY.id, GUN.id), *mentions("manual", GUN.id), *crowd])
        found = related(store, "default", [LI], Relating(walk=replace(NEIGHBOURHOOD, hops=3)))
        score = {str(one.id): one.score for one in found.memories}
        assert found.truncated
        assert score["manual"] > 50 * max(value for name, value in score.items() if name.startswith("crowd"))

    def test_what_had_ended_or_came_later_ties_nothing(self, store: Store) -> None:
        later = edge(memory_node("later"), LI, EdgeType.MENTIONS, hours=1)
        ended = edge(memory_node("ended"), LI, EdgeType.RESPONSIBLE_FOR).model_copy(update={"valid_to": NOW})
        write(store, [later, ended, sent_by("order", LI.id)])
        assert [one.id for one in related(store, "default", [LI], at=NOW).memories] == ["order"]

    def test_the_same_ids_elsewhere_are_not_related(self, store: Store) -> None:
        write(store, mentions("ours", LI.id), namespace="a")
        write(store, mentions("theirs", LI.id, GUN.id), namespace="b")
        found = related(store, "a", [LI])
        assert found_ids(found) == ["ours"]

    def test_nothing_is_related_to_nothing(self, store: Store) -> None:
        assert related(store, "default", []) == Related()
        assert related(store, "default", [LI]) == Related()

    @pytest.mark.parametrize("settings", [{"damping": 1.0}, {"damping": 0.0}, {"tolerance": 0.0}])
    def test_a_rank_that_never_settles_is_refused(self, settings: dict[str, float]) -> None:
        with pytest.raises(ValueError, match="damping"):
            Relating(**settings)  # type: ignore[arg-type]  # only floats are given


class TestPagerank:
    def graph(self, store: Store) -> LocalGraph:
        write(
            store,
            [
                *mentions("a", LI.id, WANG.id),
                *mentions("b", WANG.id),
                follows("b", "a", weight=0.4),
                follows("c", "b"),
                sent_by("c", LI.id),
            ],
        )
        return gather(store, "default", {LI: 1.0}, replace(NEIGHBOURHOOD, hops=3))

    def test_it_solves_the_equation_of_the_walker(self, store: Store) -> None:
        """Against the linear system itself, (1 - d) (I - d P)^-1 s."""
        graph = self.graph(store)
        size = len(graph.nodes)
        ties = np.zeros((size, size))
        np.add.at(ties, (graph.targets, graph.sources), graph.ties)
        restart = np.zeros(size)
        restart[graph.rows[LI]] = 1.0
        expected = np.linalg.solve(np.eye(size) - 0.85 * ties / ties.sum(axis=0), 0.15 * restart)
        found = pagerank(graph, restart, damping=0.85, tolerance=1e-10)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert found.sum() == pytest.approx(1.0, abs=1e-12)

    def test_a_start_tied_to_nothing_keeps_it_all(self, store: Store) -> None:
        graph = gather(store, "default", {GUN: 1.0}, NEIGHBOURHOOD)
        assert pagerank(graph, np.ones(1), damping=0.85, tolerance=1e-10).tolist() == [1.0]


class TestPaths:
    def test_a_chain_shows_each_edge_as_stored_and_as_walked(self, store: Store) -> None:
        write(store, [sent_by("order", LI.id), *mentions("order", GUN.id), *mentions("manual", GUN.id, WANG.id)])
        found = paths(store, "default", [LI], [WANG])
        chain = found.chains[0]
        assert names(found) == [[LI.id, "order", GUN.id, "manual", WANG.id]]
        assert [(one.source.id, one.type, one.target.id) for one in chain.edges] == [
            ("order", EdgeType.SENT_BY, LI.id),
            ("order", EdgeType.MENTIONS, GUN.id),
            ("manual", EdgeType.MENTIONS, GUN.id),
            ("manual", EdgeType.MENTIONS, WANG.id),
        ]
        assert [(hop.source, hop.target) for hop in chain.hops] == [
            (LI.id, "order"), ("order", GUN.id), (GUN.id, "manual"), ("manual", WANG.id),
        ]  # fmt: skip
        assert chain.strength == pytest.approx(0.5**4 / 2)
        assert not found.truncated

    def test_of_chains_as_short_the_more_telling_comes_first(self, store: Store) -> None:
        common = [*mentions("a1", LI.id, COMPANY.id), *mentions("a2", WANG.id, COMPANY.id)]
        rare = [*mentions("b1", LI.id, GUN.id), *mentions("b2", WANG.id, GUN.id)]
        more = [one for n in range(9) for one in mentions(f"c{n}", COMPANY.id)]
        write(store, [*common, *rare, *more])
        assert [one[2] for one in names(paths(store, "default", [LI], [WANG]))] == [GUN.id, COMPANY.id]
        assert len(paths(store, "default", [LI], [WANG], Pathfinding(limit=1)).chains) == 1

    def crowd(self, store: Store, *more: Edge) -> None:
        """Both work at 公司, as a hundred others do."""
        both = [*mentions("a", LI.id, COMPANY.id), *mentions("b", WANG.id, COMPANY.id)]
        write(store, [*both, *more, *(one for n in range(100) for one in mentions(f"crowd{n:02}", COMPANY.id))])

    def test_a_longer_chain_is_given_before_one_through_what_everybody_shares(self, store: Store) -> None:
        self.crowd(store, follows("x", "a"), *mentions("x", GUN.id), *mentions("y", GUN.id), follows("y", "b"))
        found = paths(store, "default", [LI], [WANG])
        assert names(found) == [[LI.id, "a", "x", GUN.id, "y", "b", WANG.id]]

    def test_a_chain_through_what_everybody_shares_is_given_where_there_is_no_other(self, store: Store) -> None:
        self.crowd(store)
        found = paths(store, "default", [LI], [WANG])
        assert names(found) == [[LI.id, "a", COMPANY.id, "b", WANG.id]]
        assert found.chains[0].strength < 0.5**4 / 1000

    def test_a_hub_that_is_asked_about_is_an_end_like_any_other(self, store: Store) -> None:
        self.crowd(store)
        found = paths(store, "default", [LI], [COMPANY])
        assert names(found) == [[LI.id, "a", COMPANY.id]]
        assert found.chains[0].strength == pytest.approx(0.25)
        assert found.truncated

    def test_no_chain_is_longer_than_asked(self, store: Store) -> None:
        write(store, [*mentions("a", LI.id), follows("b", "a"), follows("c", "b"), *mentions("c", WANG.id)])
        assert len(paths(store, "default", [LI], [WANG], Pathfinding(longest=4)).chains[0].edges) == 4
        assert paths(store, "default", [LI], [WANG], Pathfinding(longest=3)) == Paths()

    def test_an_end_may_be_all_the_entities_of_one_identity(self, store: Store) -> None:
        mail = entity_node("person:li@example.com")
        write(store, [*mentions("a", LI.id), *mentions("b", mail.id, WANG.id)])
        assert names(paths(store, "default", [LI, mail], [WANG])) == [[mail.id, "b", WANG.id]]

    def test_a_chain_passes_from_a_name_to_an_address_that_are_one(self, store: Store) -> None:
        address = EntityId("person:chen@example.com")
        write(store, [*mentions("a", LI.id, "person:陈晨"), *mentions("b", WANG.id), sent_by("b", address)])
        assert paths(store, "default", [LI], [WANG]) == Paths()
        link = Link(kept=address, joined=EntityId("person:陈晨"), rule=MergeRule.USER, by="test", at=NOW)
        store.identities.merge("default", link)
        kin = kin_of(Directory(store, "default"))
        chain = paths(store, "default", [LI], [WANG], kin=kin).chains[0]
        assert [node.id for node in chain.nodes[1::2]] == ["a", "b"]
        assert chain.nodes[2].id in {address, "person:陈晨"}
        assert chain.strength == pytest.approx(0.5**4 / 2)
        assert "b" in {one.id for one in related(store, "default", [entity_node("person:陈晨")], kin=kin).memories}

    def test_what_is_one_is_tied_by_no_edge(self, store: Store) -> None:
        write(store, mentions("a", LI.id))
        chain = paths(store, "default", [LI], [LI, WANG]).chains[0]
        assert (chain.nodes, chain.edges, chain.strength) == ((LI,), (), 1.0)

    def test_an_end_that_is_nothing_is_tied_to_nothing(self, store: Store) -> None:
        write(store, mentions("a", LI.id))
        assert paths(store, "default", [LI], []) == Paths()
        assert paths(store, "default", [LI], [entity_node("person:unmet")]) == Paths()

    def test_edges_of_types_not_walked_make_no_chain(self, store: Store) -> None:
        write(store, [sent_by("a", LI.id), *mentions("a", WANG.id)])
        roles = {EdgeType.SENT_BY: 0.5}
        assert paths(store, "default", [LI], [WANG], Pathfinding(walk=replace(NEIGHBOURHOOD, decay=roles))) == Paths()

    def test_an_edge_that_came_later_makes_no_chain(self, store: Store) -> None:
        later = edge(memory_node("a"), WANG, EdgeType.MENTIONS, hours=1)
        write(store, [*mentions("a", LI.id), later])
        assert paths(store, "default", [LI], [WANG], at=NOW) == Paths()
        assert len(paths(store, "default", [LI], [WANG], at=NOW + timedelta(hours=1)).chains) == 1

    def test_the_same_ids_elsewhere_make_no_chain(self, store: Store) -> None:
        write(store, mentions("a", LI.id), namespace="a")
        write(store, mentions("a", LI.id, WANG.id), namespace="b")
        assert paths(store, "a", [LI], [WANG]) == Paths()


def test_a_long_talk_of_two_costs_no_more_than_its_caps(store: Store) -> None:
    """Each of 5,000 turns names both: what is read of them is bounded, and so is the time."""
    turns = [f"t{place:04}" for place in range(5_000)]
    write(
        store,
        [
            one
            for place, turn in enumerate(turns)
            for one in (*mentions(turn, LI.id, WANG.id), *([follows(turn, turns[place - 1])] if place else []))
        ],
    )
    started = perf_counter()
    found = related(store, "default", [LI, WANG], kin=kin_of(Directory(store, "default")))
    assert perf_counter() - started < 0.5
    assert found.truncated
    assert len(found.memories) == Relating().limit
