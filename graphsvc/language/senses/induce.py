"""Find that one word is used in several senses, from where it was used.

Occurrences are split in two by what the word and its sentence are like, and each part again, as
long as the parts lie apart *and* speak of different subjects: one meaning has many neighbourhoods,
but two subjects that explain the split are rarely one meaning. What is found is a proposal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from graphsvc.encoding.base import FloatArray, Span
from graphsvc.language.centroids import IntArray
from graphsvc.language.normalise import fold, language_of
from graphsvc.language.segment import query_tokens

LEAST_OF_A_SENSE = 5
LEAST_OF_A_WORD = 12  # below this the subjects of a few texts look different by chance
# Where no looked-at word of one meaning is parted, see `tests/benchmarks/senses.py`: of the words only reported there
# 4 of 10 with several senses are parted (adjusted Rand index .81), and 0 of 9 with one. A proposal may come late.
LEAST_APART = 0.05  # mean silhouette
LEAST_EXPLAINED = 0.25  # how much of the split the subjects explain, of 1
_MOST_SENSES = 6
_MOST_OCCURRENCES = 400  # linkage keeps all distances
_ROUNDS = 20
_CUES = 8
_EXAMPLES = 6
_LEAST_TEXTS_OF_A_CUE = 2
_TELLING = 3.0  # a cue is this many times as frequent in its sense as elsewhere


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One use of a word.

    `word` and `sentence` are unit vectors, float32 `(w,)` and `(d,)`: of the word where it stands (the sentence's
    again when the encoder has none) and of its text. `subjects` are the text's domains with their probabilities.
    """

    id: str
    text: str
    span: Span
    word: FloatArray
    sentence: FloatArray
    subjects: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ProposedSense:
    """A group of uses. `examples` are the ids of the most typical ones, `members` of all, in the order given.

    `domain` is the subject most of them have; `cues` are words of their texts that others lack.
    """

    surface: str
    domain: str | None
    cues: tuple[str, ...]
    examples: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Induced:
    """What was found for a surface: no senses where its uses are one, else two or more, the most used first.

    `apart` is the mean silhouette of the first split, `explained` how much of it the subjects explain; both in [0, 1].
    """

    surface: str
    senses: tuple[ProposedSense, ...]
    apart: float = 0.0
    explained: float = 0.0


@dataclass(frozen=True, slots=True)
class _Uses:
    """Occurrences as rows: features `(n, f)` and shares of the subjects `(n, subjects)`."""

    features: FloatArray
    subjects: FloatArray
    domains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Split:
    sides: tuple[IntArray, IntArray]
    apart: float
    explained: float

    def holds(self) -> bool:
        return self.apart >= LEAST_APART and self.explained >= LEAST_EXPLAINED


def induce(surface: str, occurrences: Sequence[Occurrence]) -> Induced:
    """Propose senses of a surface by its uses; the same uses give the same senses.

    Of more than 400 uses, evenly chosen ones are looked at. An occurrence counts once: give each text's first.
    """
    if len(occurrences) < LEAST_OF_A_WORD:
        return Induced(surface, ())
    step = max(1, -(-len(occurrences) // _MOST_OCCURRENCES))
    seen = occurrences[::step]
    uses = _uses(seen)
    first = _split(uses, np.arange(len(seen)))
    if first is None or not first.holds():
        return Induced(surface, (), *((first.apart, first.explained) if first else ()))
    groups = sorted(_grow(uses, first), key=lambda rows: (-len(rows), int(rows[0])))
    senses = tuple(_propose(surface, seen, uses, rows) for rows in groups)
    return Induced(surface, senses, round(first.apart, 4), round(first.explained, 4))


def _uses(occurrences: Sequence[Occurrence]) -> _Uses:
    domains = tuple(sorted({domain for one in occurrences for domain in one.subjects}))
    subjects = np.array([[one.subjects.get(domain, 0.0) for domain in domains] for one in occurrences], np.float32)
    subjects = subjects.reshape(len(occurrences), len(domains))
    rest = np.maximum(1.0 - subjects.sum(axis=1, keepdims=True), 0.0)
    shares = np.concatenate([subjects, rest], axis=1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), np.float32(1e-9))
    languages = np.array([language_of(one.text).value for one in occurrences])
    word = _centred(np.stack([one.word for one in occurrences]), languages)
    sentence = _centred(np.stack([one.sentence for one in occurrences]), languages)
    features = (np.concatenate([word, sentence], axis=1) / np.sqrt(2)).astype(np.float32)
    return _Uses(features, shares.astype(np.float32), domains)


def _centred(rows: FloatArray, languages: np.ndarray[tuple[int], np.dtype[np.str_]]) -> FloatArray:
    """Rows from the middle of their language, at unit length: an encoder keeps languages in different places."""
    centred = rows - rows.mean(axis=0)
    for language in np.unique(languages):
        own = languages == language
        if own.sum() >= LEAST_OF_A_SENSE:
            centred[own] = rows[own] - rows[own].mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    unit: FloatArray = (centred / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


def _grow(uses: _Uses, split: _Split) -> list[IntArray]:
    """Split the larger side first, until no side parts into two subjects or there are senses enough."""
    kept: list[IntArray] = []
    waiting = list(split.sides)
    while waiting:
        rows = waiting.pop(0)
        again = None if len(kept) + len(waiting) + 2 > _MOST_SENSES else _split(uses, rows)
        if again is not None and again.holds():
            waiting = sorted([*waiting, *again.sides], key=len, reverse=True)
        else:
            kept.append(rows)
    return kept


def _split(uses: _Uses, rows: IntArray) -> _Split | None:
    """The best two parts of the rows: Ward's first cut, then moved until every row is with its nearer mean."""
    if len(rows) < 2 * LEAST_OF_A_SENSE:
        return None
    features = uses.features[rows].astype(np.float64)
    side = fcluster(linkage(features, "ward"), 2, "maxclust").astype(np.int64) - 1
    for _ in range(_ROUNDS):
        if not 0 < side.sum() < len(side):
            return None
        means = np.stack([features[side == at].mean(axis=0) for at in (0, 1)])
        nearer = ((features[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        if (nearer == side).all():
            break
        side = nearer
    sides = rows[side == 0], rows[side == 1]
    if min(map(len, sides)) < LEAST_OF_A_SENSE:
        return None
    return _Split(sides, _silhouette(features, side), _explained(uses, sides))


def _silhouette(features: np.ndarray[tuple[int, ...], np.dtype[np.float64]], side: IntArray) -> float:
    """Rousseeuw (1987): how much nearer a row's own side is than the other, -1 to 1, averaged."""
    squares = (features**2).sum(axis=1)
    distance = np.sqrt(np.maximum(squares[:, None] + squares - 2 * features @ features.T, 0.0))
    sizes = np.bincount(side, minlength=2)
    sums = np.stack([distance[:, side == at].sum(axis=1) for at in (0, 1)], axis=1)
    at = np.arange(len(side))
    own = sums[at, side] / np.maximum(sizes[side] - 1, 1)
    other = sums[at, 1 - side] / sizes[1 - side]
    return float(((other - own) / np.maximum(np.maximum(own, other), 1e-12)).mean())


def _explained(uses: _Uses, sides: tuple[IntArray, IntArray]) -> float:
    """Mutual information of side and subject over the entropy of the side; 0 when both have one main subject.

    Less what chance gives so many subjects in so few texts (Miller 1955).
    """
    means = np.stack([uses.subjects[rows].mean(axis=0) for rows in sides])
    named = means[:, : len(uses.domains)]
    if not named.any() or named[0].argmax() == named[1].argmax():
        return 0.0
    weights = np.array([len(rows) for rows in sides], np.float64)
    total = weights.sum()
    weights /= total
    whole = weights @ means
    information = _entropy(whole) - float(weights @ [_entropy(one) for one in means])
    chance = ((whole > 0.5 / total).sum() - 1) / (2 * total)
    return max(0.0, float((information - chance) / _entropy(weights)))


def _entropy(shares: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def _propose(surface: str, occurrences: Sequence[Occurrence], uses: _Uses, rows: IntArray) -> ProposedSense:
    shares = uses.subjects[rows].mean(axis=0)[: len(uses.domains)]
    typical = uses.features[rows] @ uses.features[rows].mean(axis=0)
    order = rows[np.argsort(-typical, kind="stable")][:_EXAMPLES]
    return ProposedSense(
        surface=surface,
        domain=uses.domains[int(shares.argmax())] if len(shares) and shares.max() > 0 else None,
        cues=tuple(_cues(surface, occurrences, set(rows.tolist()))),
        examples=tuple(occurrences[at].id for at in order.tolist()),
        members=tuple(occurrences[at].id for at in sorted(rows.tolist())),
    )


def _cues(surface: str, occurrences: Sequence[Occurrence], inside: set[int]) -> Iterator[str]:
    """Words of some of these texts that are far rarer in the others, the most telling first."""
    within, without = Counter[str](), Counter[str]()
    for at, one in enumerate(occurrences):
        (within if at in inside else without).update(set(query_tokens(one.text)))
    few, others = len(inside), len(occurrences) - len(inside)
    own = set(query_tokens(surface)) | {fold(surface).text}
    ratios = {
        token: (count + 0.5) / (few + 1) * (others + 1) / (without[token] + 0.5)
        for token, count in within.items()
        if count >= _LEAST_TEXTS_OF_A_CUE and token not in own
    }
    telling = [token for token, ratio in ratios.items() if ratio >= _TELLING]
    telling.sort(key=lambda token: (-within[token] * np.log(ratios[token]), token))
    yield from telling[:_CUES]
