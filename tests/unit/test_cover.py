"""The first candidates cover the question together: each part gets its memory, and the best one stays first."""

from __future__ import annotations

import numpy as np

from graphsvc.encoding.base import EncodedQuery, FloatArray, TokenStates
from graphsvc.encoding.late import pack
from graphsvc.models.answer import Candidate, Scores
from graphsvc.models.base import MemoryId
from graphsvc.retrieve.rank.cover import BOOST, covered, covering, in_this_order
from tests.builders import axis, memory

# Three memories of the flood, one of the election; the tokens are "flood" and "election".
SCORES = np.array([0.9, 0.8, 0.7, 0.4], np.float32)
COVERAGE = np.array([[0.9, 0.1], [0.85, 0.1], [0.8, 0.15], [0.1, 0.9]], np.float32)
EVEN = np.array([0.5, 0.5], np.float32)


def order(gain: float, *, scores: FloatArray = SCORES, places: int = 10) -> list[int]:
    return covering(scores, COVERAGE, EVEN, gain=gain, places=places)


def candidate(name: str, score: float) -> Candidate:
    return Candidate(memory=memory(name, name), score=score, probability=0.0, scores=Scores())


def kept(*rows: tuple[str, list[list[float]]]) -> dict[MemoryId, tuple[FloatArray, TokenStates | None]]:
    return {MemoryId(name): (axis(0), pack(np.array(states, np.float32))) for name, states in rows}


def test_the_memory_of_the_other_part_comes_second() -> None:
    assert order(2.0) == [0, 3, 1, 2]


def test_without_gain_the_order_is_that_of_the_scores() -> None:
    assert order(0.0) == [0, 1, 2, 3]


def test_the_best_stays_first_though_another_covers_more() -> None:
    both = np.vstack([COVERAGE[:3], [[0.9, 0.9]]]).astype(np.float32)
    assert covering(SCORES, both, EVEN, gain=5.0, places=10)[0] == 0


def test_what_is_covered_already_earns_nothing_again() -> None:
    coverage = np.array([[0.9, 0.1], [0.9, 0.1], [0.1, 0.1]], np.float32)
    scores = np.array([0.5, 0.3, 0.4], np.float32)
    assert covering(scores, coverage, EVEN, gain=5.0, places=3) == [0, 2, 1]


def test_equal_candidates_keep_their_order() -> None:
    scores = np.full(3, 0.5, np.float32)
    assert covering(scores, np.full((3, 2), 0.4, np.float32), EVEN, gain=2.0, places=3) == [0, 1, 2]


def test_places_beyond_those_asked_for_go_by_score() -> None:
    assert order(2.0, places=1) == [0, 1, 2, 3]


def test_nothing_is_mutated_and_every_row_comes_once() -> None:
    rng = np.random.default_rng(3)
    scores, coverage = rng.random(30, np.float32), rng.random((30, 6), np.float32)
    before = scores.copy(), coverage.copy()
    found = covering(scores, coverage, np.full(6, 1 / 6, np.float32), gain=2.0, places=10)
    assert sorted(found) == list(range(30))
    assert np.array_equal(scores, before[0])
    assert np.array_equal(coverage, before[1])


def test_a_question_without_tokens_moves_nothing() -> None:
    assert covering(SCORES, np.zeros((4, 0), np.float32), np.zeros(0, np.float32), gain=2.0, places=4) == [0, 1, 2, 3]


def test_candidates_are_read_by_their_token_states_and_say_what_their_place_gave_them() -> None:
    query = EncodedQuery(vector=axis(0), states=np.eye(2, 4, dtype=np.float32))
    flood, election = [[1.0, 0.0, 0.0, 0.0]], [[0.0, 1.0, 0.0, 0.0]]
    found = covered(
        [candidate("flood", 0.9), candidate("flood-again", 0.8), candidate("election", 0.3)],
        kept(("flood", flood), ("flood-again", flood), ("election", election)),
        query,
        gain=2.0,
        places=10,
    )
    assert [one.memory.id for one in found] == ["flood", "election", "flood-again"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    raised = found[1]
    assert abs(raised.scores.boosts[BOOST] - (raised.score - 0.3)) < 1e-9


def test_without_token_states_candidates_stay_as_they_are() -> None:
    given = (candidate("a", 0.9), candidate("b", 0.8))
    assert covered(given, {}, EncodedQuery(vector=axis(0)), gain=2.0, places=10) == given


def test_candidates_in_the_order_of_their_scores_are_left_alone() -> None:
    given = (candidate("a", 0.9), candidate("b", 0.9), candidate("c", 0.1))
    assert in_this_order(given) == given
