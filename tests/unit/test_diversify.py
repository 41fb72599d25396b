"""Diversity on request: the best stays first, the new comes before the repeated."""

from __future__ import annotations

import numpy as np
import pytest

from graphsvc.encoding.base import FloatArray, TokenStates
from graphsvc.errors import FieldInvalid
from graphsvc.models.answer import Candidate, Scores
from graphsvc.models.base import MemoryId
from graphsvc.retrieve.rank.diversify import MOST_DIVERSIFIED, cosines, diversified, mmr
from tests.builders import at_cosine, axis, memory

Kept = dict[MemoryId, tuple[FloatArray, TokenStates | None]]


def candidate(name: str, score: float, text: str | None = None) -> Candidate:
    return Candidate(memory=memory(name, text or name), score=score, probability=0.0, scores=Scores())


def kept(**vectors: FloatArray) -> Kept:
    return {MemoryId(name): (vector, None) for name, vector in vectors.items()}


def ids(candidates: tuple[Candidate, ...]) -> list[str]:
    return [one.memory.id for one in candidates]


ASPECTS = (candidate("price", 1.0), candidate("price-again", 0.95), candidate("delivery", 0.8))
VECTORS = kept(**{"price": axis(0), "price-again": at_cosine(0.96), "delivery": axis(2)})


def test_another_aspect_comes_before_more_of_the_same() -> None:
    assert ids(diversified(ASPECTS, VECTORS, 0.7)) == ["price", "delivery", "price-again"]


def test_without_diversity_nothing_moves() -> None:
    assert diversified(ASPECTS, VECTORS, 0.0) == ASPECTS


def test_a_little_diversity_does_not_outweigh_relevance() -> None:
    assert ids(diversified(ASPECTS, VECTORS, 0.1)) == ["price", "price-again", "delivery"]


def test_what_repeats_another_word_for_word_goes_last() -> None:
    found = (
        candidate("a", 1.0, "预算是80万元"),
        candidate("b", 0.99, "预算是８０万元"),
        candidate("c", 0.2, "预算是60万元"),
        candidate("d", 0.1, "周五开会"),
    )
    vectors = kept(a=axis(0), b=at_cosine(0.99), c=at_cosine(0.985, place=2), d=axis(3))
    assert ids(diversified(found, vectors, 0.01)) == ["a", "c", "d", "b"]


def test_the_same_words_with_vectors_apart_are_no_repetition() -> None:
    found = (candidate("a", 1.0, "好的"), candidate("b", 0.9, "好的"), candidate("c", 0.1))
    assert ids(diversified(found, kept(a=axis(0), b=axis(1), c=axis(2)), 0.1)) == ["a", "b", "c"]


def test_one_without_a_vector_is_neither_favoured_nor_lost() -> None:
    vectors = {name: pair for name, pair in VECTORS.items() if name != "price-again"}
    assert sorted(ids(diversified(ASPECTS, vectors, 0.9))) == sorted(ids(ASPECTS))
    assert ids(diversified(ASPECTS, {}, 1.0)) == ids(ASPECTS)


def test_the_tail_of_a_long_list_is_left_as_it_is() -> None:
    many = tuple(candidate(f"m{i:03}", 1.0 - i / 1000) for i in range(MOST_DIVERSIFIED + 3))
    assert diversified(many, {}, 0.5)[-3:] == many[-3:]


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan")])
def test_a_diversity_out_of_bounds_is_refused(diversity: float) -> None:
    with pytest.raises(FieldInvalid):
        diversified(ASPECTS, VECTORS, diversity)


def test_each_pick_follows_the_formula() -> None:
    """Carbonell and Goldstein 1998, by hand: scores and cosines scaled to [0, 1], half of each."""
    scores = np.array([1.0, 0.75, 0.5, 0.0], np.float32)
    alike = np.array([[1, 0.8, 0.4, 0], [0.8, 1, 0.6, 0], [0.4, 0.6, 1, 0.2], [0, 0, 0.2, 1]], np.float32)
    # After 0: 1 has .75-1.0, 2 has .5-.5, 3 has 0-0; the earlier of the equals, 2. Then 1 has .75-1, 3 has 0-.25.
    assert mmr(scores, alike, 0.5) == [0, 2, 1, 3]


def test_cosines_are_unknown_where_a_vector_is_absent() -> None:
    alike = cosines([axis(0), None, at_cosine(0.5)])
    assert alike[0, 2] == pytest.approx(0.5)
    assert np.isnan(alike[1]).all()
    assert np.isnan(alike[:, 1]).all()
