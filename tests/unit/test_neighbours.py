"""Reading a turn together with the turns beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import late_scores, pack
from graphsvc.errors import VectorInvalid
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Edge, EdgeType, Node, NodeKind
from graphsvc.retrieve.rank.neighbours import Beside, Shares, beside, neighbours, read_together

ONE, TWO, THREE, FOUR = (MemoryId(name) for name in ("one", "two", "three", "four"))
CHAIN = {ONE: Beside(None, TWO), TWO: Beside(ONE, THREE), THREE: Beside(TWO, FOUR), FOUR: Beside(THREE, None)}


def unit_rows(tokens: int, seed: int, dimension: int = 16) -> FloatArray:
    rows = np.random.default_rng(seed).standard_normal((tokens, dimension)).astype(np.float32)
    unit: FloatArray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def axis(*places: int) -> FloatArray:
    """Rows at right angles, of values that packing keeps exactly."""
    signs = [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
    return np.array([signs[place] for place in places], np.float32) * np.float32(0.5)


def question(states: FloatArray | None, weights: list[float] | None = None) -> EncodedQuery:
    return EncodedQuery(np.ones(1, np.float32), states, None if weights is None else np.array(weights, np.float32))


def following(source: str, target: str, kind: EdgeType = EdgeType.NEXT_IN_CONVERSATION) -> Edge:
    ends = (Node(NodeKind.MEMORY, source), Node(NodeKind.MEMORY, target))
    return Edge(source=ends[0], target=ends[1], type=kind, origin="conversation_id")


def test_a_turn_stands_between_the_one_it_follows_and_the_one_that_follows_it() -> None:
    assert beside([following("one", "two"), following("two", "three")]) == {
        ONE: Beside(None, TWO),
        TWO: Beside(ONE, THREE),
        THREE: Beside(TWO, None),
    }


def test_other_edges_put_nobody_beside_anybody() -> None:
    assert beside([following("one", "two", EdgeType.REPLIES_TO)]) == {}


def test_of_two_turns_that_follow_one_the_first_edge_counts() -> None:
    turns = beside([following("one", "two"), following("one", "three")])
    assert turns[ONE].after == TWO
    assert turns[THREE].before == ONE


def test_neighbours_are_named_once_and_never_a_seed() -> None:
    assert neighbours(CHAIN, [TWO, THREE]) == (ONE, FOUR)
    assert neighbours(CHAIN, [ONE, THREE]) == (TWO, FOUR)
    assert neighbours(CHAIN, [MemoryId("stranger")]) == ()


def test_an_answer_is_covered_by_what_it_was_asked() -> None:
    asked = question(axis(0, 1), [0.5, 0.5])
    states = {ONE: pack(axis(0)), TWO: pack(axis(1)), FOUR: pack(axis(1))}
    scores = read_together(asked, states, CHAIN, Shares(before=0.75, after=0.0))
    assert np.allclose(scores.score, [0.5, 0.5 + 0.5 * 0.75, 0.5], atol=1e-5)
    assert np.allclose(scores.coverage[1], [0.75, 1.0], atol=1e-5)
    assert scores.uncovered[1] == pytest.approx(0.125, abs=1e-5)


def test_the_better_of_both_sides_counts_not_their_sum() -> None:
    asked = question(axis(0), [1.0])
    states = {ONE: pack(axis(0)), TWO: pack(axis(1)), THREE: pack(axis(0))}
    scores = read_together(asked, states, CHAIN, Shares(before=0.75, after=0.5))
    assert scores.score[1] == pytest.approx(0.75, abs=1e-5)


def test_a_neighbour_lends_what_it_has_itself_and_nothing_borrowed() -> None:
    asked = question(axis(0), [1.0])
    states = {ONE: pack(axis(0)), TWO: pack(axis(1)), THREE: pack(axis(2))}
    scores = read_together(asked, states, CHAIN, Shares(before=1.0, after=1.0))
    assert np.allclose(scores.score, [1.0, 1.0, 0.0], atol=1e-5)


def test_a_neighbour_without_states_lends_nothing() -> None:
    asked = question(unit_rows(5, 1))
    states = {TWO: pack(unit_rows(6, 2)), FOUR: pack(unit_rows(3, 3))}
    alone = late_scores(asked, list(states.values()))
    assert np.array_equal(read_together(asked, states, CHAIN).score, alone.score)


def test_a_passage_without_tokens_still_borrows() -> None:
    empty = TokenStates(np.zeros((0, 2), np.uint8), np.zeros(0, np.float32))
    scores = read_together(question(axis(0), [1.0]), {ONE: pack(axis(0)), TWO: empty}, CHAIN, Shares(before=0.5))
    assert np.allclose(scores.score, [1.0, 0.5], atol=1e-5)


def test_no_candidates_give_no_scores() -> None:
    scores = read_together(question(unit_rows(3, 1)), {}, CHAIN)
    assert scores.score.shape == (0,)
    assert scores.coverage.shape == (0, 3)


def test_a_question_without_states_is_refused() -> None:
    with pytest.raises(VectorInvalid):
        read_together(question(None), {ONE: pack(axis(0))}, CHAIN)


@given(
    lengths=st.lists(st.integers(1, 8), min_size=4, max_size=4),
    before=st.floats(0, 1),
    after=st.floats(0, 1),
    seed=st.integers(0, 10_000),
)
def test_reading_together_never_lowers_a_score_nor_passes_the_best_of_the_three(
    lengths: list[int], before: float, after: float, seed: int
) -> None:
    asked = question(unit_rows(5, seed))
    states = {turn: pack(unit_rows(n, seed + n + at)) for at, (turn, n) in enumerate(zip(CHAIN, lengths, strict=True))}
    own = late_scores(asked, list(states.values())).coverage
    joint = read_together(asked, states, CHAIN, Shares(before, after)).coverage
    rows = range(len(own))
    best = np.stack([own[max(row - 1, 0) : row + 2].max(axis=0) for row in rows])
    assert (joint >= own - 1e-6).all()
    assert (joint <= best + 1e-6).all()


@given(order=st.permutations(list(CHAIN)), seed=st.integers(0, 10_000))
def test_the_order_of_candidates_changes_no_score(order: list[MemoryId], seed: int) -> None:
    asked = question(unit_rows(5, seed))
    states = {turn: pack(unit_rows(4, seed + at)) for at, turn in enumerate(CHAIN)}
    scores = dict(zip(CHAIN, read_together(asked, states, CHAIN).score, strict=True))
    shuffled = read_together(asked, {turn: states[turn] for turn in order}, CHAIN)
    for turn, score in zip(order, shuffled.score, strict=True):
        assert score == pytest.approx(scores[turn], abs=1e-5)
