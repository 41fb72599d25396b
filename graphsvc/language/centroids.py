"""Classify vectors by the centroids of a few example sentences.

Each language's mean is taken off first (a small encoder keeps languages in different places), so
that one centroid serves both; then the common spread of all sentences is divided out, which makes
this a linear discriminant with a shared, shrunken covariance (Hastie et al., Elements of
Statistical Learning, 4.3). The softmax temperature is the one that fits the examples best when
each is judged by centroids made without it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import Encoder, FloatArray, Span
from graphsvc.language.examples import SHIPPED, ExampleVectors
from graphsvc.language.normalise import language_of
from graphsvc.models.facts import Language
from ontology.model import Ontology, Words

# Shrinkage in mean variances: of .1 to 30, 3 was best for domains and intents in ten-fold runs over the examples.
_SHRINKAGE = 3.0
_HAN_SHARE = {Language.ZH: 1.0, Language.EN: 0.0}
IntArray = NDArray[np.int64]
_TINY = 1e-9
_NO_SPREAD = 1e-6  # of unit vectors; rounding alone stays far below
_TEMPERATURES = np.geomspace(0.02, 50.0, 60)


@dataclass(frozen=True, slots=True)
class Space:
    """`means` float32 `(2, d)`: zh, en; `sharpen` float32 `(d, d)`: the inverse of the common covariance.

    `noise` is the squared length, so sharpened, of one sentence's own deviation.
    """

    means: FloatArray
    sharpen: FloatArray
    noise: float

    def centre(self, vector: FloatArray, text: str) -> FloatArray:
        """The vector as seen from the middle of its text's language; between the two for mixed text."""
        share = _HAN_SHARE.get(language_of(text), 0.5)
        centred: FloatArray = vector - (share * self.means[0] + (1.0 - share) * self.means[1])
        return centred


@dataclass(frozen=True, slots=True)
class Centroids:
    """Linear scores of the classes `ids`; `logits` are log-odds up to a constant, already tempered."""

    ids: tuple[str, ...]
    directions: FloatArray
    biases: FloatArray

    def logits(self, centred: FloatArray) -> FloatArray:
        """float32 `(classes,)` for one centred vector."""
        scores: FloatArray = self.directions @ centred + self.biases
        return scores


@dataclass(frozen=True, slots=True)
class Fit:
    """Untempered scores, and what they give each example when it is left out of its class."""

    ids: tuple[str, ...]
    directions: FloatArray
    biases: FloatArray
    left_out: FloatArray
    members: IntArray


class ExampleSpace:
    """The example sentences of one ontology as one encoder sees them; made at first use, then kept."""

    def __init__(
        self, ontology: Ontology, encoder: Encoder, *, cache_dir: Path | None = None, shipped: Path | None = SHIPPED
    ) -> None:
        self.ontology = ontology
        self.encoder = encoder
        self._vectors = ExampleVectors(encoder, cache_dir=cache_dir, shipped=shipped)
        self._space: Space | None = None
        self._lock = threading.Lock()

    def space(self) -> Space:
        """Means and spread over every example sentence there is; raises `EncoderUnavailable`."""
        with self._lock:
            if self._space is None:
                words = [*all_examples(self.ontology)]
                zh = self._vectors.of(_unique(text for one in words for text in one.zh))
                en = self._vectors.of(_unique(text for one in words for text in one.en))
                self._space = space_of(zh, en)
            return self._space

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """float32 `(n, d)`, unit length: sentences or bare words, kept as the examples are."""
        return self._vectors.of(texts)

    @property
    def word_dimension(self) -> int:
        """Length of the vectors of single words; 0 when the encoder has none."""
        return self._vectors.word_dimension

    def words(self, texts: Sequence[str], spans: Sequence[Span]) -> FloatArray:
        """float32 `(n, word_dimension)`, unit length: the word at each text's span, kept as the examples are."""
        return self._vectors.words(texts, spans)

    def fit(self, classes: Mapping[str, Words]) -> Centroids:
        """Centroids of classes given by their example sentences; classes without any are left out."""
        return self.fit_all({"": classes})[""]

    def fit_all(self, groups: Mapping[str, Mapping[str, Words]]) -> dict[str, Centroids]:
        """Centroids of several independent choices, under one temperature: a word's few examples give none."""
        space = self.space()
        fits = {name: fit_rows(*self._rows(classes, space), space) for name, classes in groups.items()}
        temperature = temperature_of([(fit.left_out, fit.members) for fit in fits.values()])
        return {
            name: Centroids(fit.ids, fit.directions / temperature, fit.biases / temperature)
            for name, fit in fits.items()
        }

    def left_out(self, classes: Mapping[str, Words]) -> tuple[FloatArray, IntArray]:
        """Probabilities `(n, classes)` of each example judged without itself, and the class it belongs to."""
        fit = fit_rows(*self._rows(classes, self.space()), self.space())
        return softmax(fit.left_out / temperature_of([(fit.left_out, fit.members)])), fit.members

    def _rows(self, classes: Mapping[str, Words], space: Space) -> tuple[tuple[str, ...], FloatArray, IntArray]:
        """Centred example vectors and the class each belongs to."""
        kept = {key: words for key, words in classes.items() if words.all}
        rows, members = [], []
        for index, words in enumerate(kept.values()):
            for language, (_, texts) in enumerate(words):
                if texts:
                    rows.append(self._vectors.of(texts) - space.means[language])
                    members += [index] * len(texts)
        return tuple(kept), np.concatenate(rows), np.array(members)


def all_examples(ontology: Ontology) -> Iterable[Words]:
    """The example sentences every centroid is made of."""
    yield from (domain.examples for domain in ontology.domains)
    yield from (intent.examples for intent in ontology.intents)
    yield from (sense.examples for word in ontology.sense_words for sense in word.senses)


def softmax(logits: FloatArray) -> FloatArray:
    """Probabilities of logits, float32, of the same shape."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: FloatArray = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _unique(texts: Iterable[str]) -> Sequence[str]:
    return list(dict.fromkeys(texts))


def space_of(zh: FloatArray, en: FloatArray) -> Space:
    """The space of sentences of both languages, float32 `(n, d)` each; a language may have none."""
    means = np.stack([rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1], np.float32) for rows in (zh, en)])
    return Space(means.astype(np.float32), *sharpen_of(np.concatenate([zh - means[0], en - means[1]])))


def sharpen_of(centred: FloatArray) -> tuple[FloatArray, float]:
    """The inverse of the rows' shrunken covariance, float32 `(d, d)`, and the noise of one row in it.

    Where all rows are one (an encoder that tells nothing apart) both are zero: every class then scores alike.
    """
    wide = centred.astype(np.float64)
    covariance = wide.T @ wide / max(len(wide), 1)
    dimension, variance = covariance.shape[0], float(np.trace(covariance))
    if variance < _NO_SPREAD:
        return np.zeros((dimension, dimension), np.float32), 0.0
    sharpen = np.linalg.inv(covariance + _SHRINKAGE * variance / dimension * np.eye(dimension))
    return sharpen.astype(np.float32), float(np.trace(covariance @ sharpen))


def fit_rows(ids: tuple[str, ...], rows: FloatArray, members: IntArray, space: Space) -> Fit:
    """Centroids of centred rows, float32 `(n, d)`, of the classes `members` says, `(n,)` indices of `ids`."""
    sizes = np.bincount(members, minlength=len(ids)).astype(np.float32)
    centroids = np.zeros((len(ids), rows.shape[1]), np.float32)
    np.add.at(centroids, members, rows)
    centroids /= sizes[:, None]
    directions, biases = _linear(centroids, sizes, space)
    left_out = rows @ directions.T + biases
    left_out[np.arange(len(rows)), members] = _without_itself(rows, centroids[members], sizes[members], space)
    return Fit(ids, directions, biases, left_out, members)


def _linear(centroids: FloatArray, sizes: FloatArray, space: Space) -> tuple[FloatArray, FloatArray]:
    """Directions and biases; the mean of few sentences is too long by their noise, which is taken off."""
    directions: FloatArray = centroids @ space.sharpen
    biases: FloatArray = -0.5 * (np.einsum("kd,kd->k", directions, centroids) - space.noise / sizes)
    return directions, biases.astype(np.float32)


def _without_itself(rows: FloatArray, centroids: FloatArray, sizes: FloatArray, space: Space) -> FloatArray:
    """Each row's score for its own class, had it not been among the examples; a lone example has none."""
    others = np.maximum(sizes - 1.0, 1.0)
    reduced = (centroids * sizes[:, None] - rows) / others[:, None]
    directions, biases = _linear(reduced, others, space)
    scores: FloatArray = np.einsum("nd,nd->n", directions, rows) + biases
    return scores


def temperature_of(judged: Sequence[tuple[FloatArray, IntArray]]) -> float:
    """The temperature under which the right classes are likeliest."""
    losses = []
    for one in _TEMPERATURES:
        shares = [softmax(scores / one)[np.arange(len(members)), members] for scores, members in judged]
        losses.append(-np.log(np.concatenate(shares) + _TINY).mean())
    return float(_TEMPERATURES[int(np.argmin(losses))])
