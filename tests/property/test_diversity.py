"""Laws of diversity: nothing is lost, the best stays first, 0 changes nothing, input order does not matter."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphsvc.encoding.base import FloatArray
from graphsvc.retrieve.rank.diversify import mmr

SIZES = st.integers(1, 12)
SEEDS = st.integers(0, 10_000)
DIVERSITIES = st.floats(0.0, 1.0)


def drawn(size: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Distinct falling scores and the cosines of random unit vectors."""
    draw = np.random.default_rng(seed)
    vectors = draw.standard_normal((size, 6))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = np.sort(draw.permutation(1000)[:size] / 1000)[::-1]
    return scores.astype(np.float32), (vectors @ vectors.T).astype(np.float32)


@given(SIZES, SEEDS, DIVERSITIES)
def test_the_order_is_a_permutation_with_the_best_first(size: int, seed: int, diversity: float) -> None:
    scores, alike = drawn(size, seed)
    order = mmr(scores, alike, diversity, texts=[i % 3 for i in range(size)])
    assert sorted(order) == list(range(size))
    assert order[0] == 0


@given(SIZES, SEEDS)
def test_no_diversity_is_the_order_as_it_was(size: int, seed: int) -> None:
    scores, alike = drawn(size, seed)
    assert mmr(scores, alike, 0.0, texts=["same"] * size) == list(range(size))


# At 1 the scores count for nothing, and equal likeness ties.
@given(SIZES, SEEDS, st.floats(0.01, 0.95))
def test_the_order_of_the_others_in_the_input_does_not_matter(size: int, seed: int, diversity: float) -> None:
    scores, alike = drawn(size, seed)
    places = np.concatenate([[0], 1 + np.random.default_rng(seed).permutation(size - 1)])
    shuffled = mmr(scores[places], alike[np.ix_(places, places)], diversity)
    assert [int(places[i]) for i in shuffled] == mmr(scores, alike, diversity)


@given(st.integers(2, 12), SEEDS, DIVERSITIES)
def test_the_second_is_never_more_like_the_first_than_it_was_without_diversity(
    size: int, seed: int, diversity: float
) -> None:
    scores, alike = drawn(size, seed)
    assert alike[0, mmr(scores, alike, diversity)[1]] <= alike[0, 1] + 1e-6
