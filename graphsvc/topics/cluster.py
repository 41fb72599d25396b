"""Group memories that are about one thing, by their stored vectors; the same input gives the same groups.

Each language's mean is taken off first: that of memories of known subjects, held to that of the library's
examples while there are few. Then groups are joined, the two with the highest mean cosine between
their members first (average linkage), while that mean exceeds what one in twenty pairs of example
sentences of different domains reach. Single pairs say little, groups more: last, groups are joined whose middles
agree better than those of a few examples of different domains do, whatever their languages. So both bars are the
encoder's own, not numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from graphsvc.encoding.base import FloatArray
from graphsvc.language.centroids import ExampleSpace
from graphsvc.models.facts import Language
from ontology.model import Words

# Chosen together on groups of English and Chinese sentences, 28 to 306 at a time: a larger share or a mean held less
# leaves small topics apart, a smaller one or a mean held more joins what merely sounds alike.
UNRELATED = 0.95
_DISAGREEING = 0.99  # share of unrelated small groups whose middles stay below the bar of the last step
_SMALL = 4  # examples of such a group
_HELD = 50.0  # sentences that the library's mean counts for
_HAN_SHARE = {Language.ZH: 1.0, Language.EN: 0.0}
_TINY = 1e-9
IntArray = NDArray[np.int64]


def shares_of(languages: Sequence[Language]) -> FloatArray:
    """How much of each text is Chinese: 1, 0, or half of it; float32 `(n,)`."""
    return np.array([_HAN_SHARE.get(language, 0.5) for language in languages], np.float32)


def namespace_means(vectors: FloatArray, shares: FloatArray, means: FloatArray) -> FloatArray:
    """The namespace's mean of each language, float32 `(2, d)`; `means` are those of the library's examples."""
    own = []
    for mean, weights in zip(means, (shares, 1.0 - shares), strict=True):
        own.append((_HELD * mean + weights @ vectors) / (_HELD + weights.sum()))
    return np.stack(own).astype(np.float32)


def centred(vectors: FloatArray, shares: FloatArray, means: FloatArray) -> FloatArray:
    """Vectors seen from the middle of their language, unit length; one that is that middle stays zero."""
    rows = vectors - (shares[:, None] * means[0] + (1.0 - shares)[:, None] * means[1])
    return _unit(rows)


def joining_bar(space: ExampleSpace, domains: Sequence[Words]) -> float:
    """The cosine that `1 - UNRELATED` of the pairs of examples from different domains exceed."""
    parts = _placed(space, domains)
    return _bar(np.concatenate([rows for _, rows in parts]), [of for of, rows in parts for _ in rows], UNRELATED)


def agreement_bar(space: ExampleSpace, domains: Sequence[Words]) -> float:
    """The cosine that hardly any middles of four examples of one language exceed whose domains differ."""
    few = [
        (number, rows[start : start + _SMALL].mean(axis=0))
        for number, rows in _placed(space, domains)
        for start in range(0, len(rows) - _SMALL + 1, _SMALL)
    ]
    if not few:
        return 1.0
    return _bar(_unit(np.stack([middle for _, middle in few])), [number for number, _ in few], _DISAGREEING)


def _placed(space: ExampleSpace, domains: Sequence[Words]) -> list[tuple[int, FloatArray]]:
    """The examples of each domain and language as `centred` places them, with the domain's number."""
    means = space.space().means
    return [
        (number, centred(space.vectors(texts), np.full(len(texts), share, np.float32), means))
        for number, words in enumerate(domains)
        for share, texts in ((1.0, words.zh), (0.0, words.en))
        if texts
    ]


def _bar(placed: FloatArray, members: Sequence[int], share: float) -> float:
    """The cosine that this share of the pairs of different members stays below; 1 where there are none."""
    of = np.array(members)
    left, right = np.triu_indices(len(of), 1)
    apart = of[left] != of[right]
    return float(np.quantile((placed @ placed.T)[left[apart], right[apart]], share)) if apart.any() else 1.0


def clusters(placed: FloatArray, bar: float, *, least: int, agreement: float = 1.0) -> list[IntArray]:
    """Groups of at least `least` rows whose mean cosine stays above `bar`: the largest first, then by first row.

    Groups whose middles have a cosine above `agreement` are made one, the nearest first.
    """
    if len(placed) < max(least, 2):
        return []
    distances = 1.0 - placed.astype(np.float64) @ placed.T.astype(np.float64)
    np.fill_diagonal(distances, 0.0)
    condensed = np.maximum(squareform(distances, checks=False), 0.0)
    numbers = fcluster(linkage(condensed, "average"), 1.0 - bar, criterion="distance")
    found = [np.flatnonzero(numbers == number) for number in np.unique(numbers)]
    several = [rows for rows in found if len(rows) > 1]
    kept = [rows for rows in _agreeing(placed, several, agreement) if len(rows) >= least]
    return sorted(kept, key=lambda rows: (-len(rows), int(rows[0])))


def _agreeing(placed: FloatArray, groups: list[IntArray], bar: float) -> list[IntArray]:
    """The groups with those made one whose middles agree."""
    groups = list(groups)
    while len(groups) > 1:
        middles = _unit(np.stack([placed[rows].mean(axis=0) for rows in groups]))
        alike = np.triu(middles @ middles.T, 1)
        first, second = np.unravel_index(int(alike.argmax()), alike.shape)
        if alike[first, second] <= bar:
            break
        groups[first] = np.sort(np.concatenate([groups[first], groups.pop(int(second))]))
    return groups


def _unit(rows: FloatArray) -> FloatArray:
    unit: FloatArray = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _TINY)).astype(np.float32)
    return unit
