"""Speak for classes by a text's vector: the trained head and the centroids of examples, one word each.

Their log-odds are mixed (a discriminative and a generative reading of the same vector err
differently), the dictionary's are added, and the sum is tempered. A class the head was not taught,
such as a domain a user added, is judged by its centroid alone.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.centroids import Centroids, ExampleSpace, Space, softmax
from graphsvc.language.labels.ambiguity import Ambiguity, Pulls, Weighed, measure_pulls
from graphsvc.language.labels.base import Asked, Opinion, Ranking, Source, ranked
from graphsvc.language.labels.dictionary import DictionaryTagger, Said
from graphsvc.language.labels.head import Head, Linear, read_head
from ontology.model import Domain, Intent, Ontology

# Sentences like those the head was taught with ask for more of it, others for less; of 0.5 to 1 this served both.
_HEAD_SHARE = 0.7
_NOTHING = Weighed({}, {}, {})


@dataclass(frozen=True, slots=True)
class _Fitted:
    space: Space
    domains: Centroids
    intents: Centroids
    head: Head | None
    pulls: Pulls


@dataclass(frozen=True, slots=True)
class _Seen:
    """One choice over one text: both readings and where the text lies in each."""

    centroids: Centroids
    centred: FloatArray
    head: Linear | None
    head_centred: FloatArray


class ClassifierTagger:
    """Has nothing to say while the encoder is out of reach. `head_path=None` leaves the centroids alone."""

    def __init__(
        self,
        ontology: Ontology,
        encoder: Encoder,
        dictionary: DictionaryTagger,
        space: ExampleSpace,
        *,
        head_path: Path | None,
    ) -> None:
        self._ontology = ontology
        self._encoder = encoder
        self._dictionary = dictionary
        self._space = space
        self._ambiguity = Ambiguity(ontology)
        self._head_path = head_path
        self._fitted: _Fitted | None = None
        self._lock = threading.Lock()

    def judge(self, asked: Asked) -> Opinion | None:
        """An opinion on the vector and the words together."""
        try:
            fitted = self._fit()
            vector = asked.vector
            if vector is None:
                vector = self._encoder.encode_passages([asked.text]).vectors[0]
        except EncoderUnavailable:
            return None
        centred = fitted.space.centre(vector, asked.text)
        head = fitted.head
        head_centred = centred if head is None else head.centre(vector, asked.text)
        domains = _Seen(fitted.domains, centred, None if head is None else head.domains, head_centred)
        intents = _Seen(fitted.intents, centred, None if head is None else head.intents, head_centred)
        return Opinion(
            _rank(
                self._ontology.domains,
                self._dictionary.domains(asked),
                domains,
                self._ambiguity.weigh(asked.senses, fitted.pulls),
            ),
            _rank(self._ontology.intents, self._dictionary.intents(asked), intents),
        )

    def _fit(self) -> _Fitted:
        with self._lock:
            if self._fitted is None:
                library = self._ontology
                head = None if self._head_path is None else read_head(self._head_path)
                if head is not None:
                    head = head.of(library.domains, library.intents) if head.reads(self._encoder) else None
                space, domains = self._space.space(), self._space.fit({one.id: one.examples for one in library.domains})
                ids = [one.id for one in library.domains]

                def judged(texts: Sequence[str]) -> FloatArray:
                    vectors = self._space.vectors(texts)
                    return np.stack(
                        [
                            _judged(vector, text, ids=ids, seen=(space, domains, head))
                            for vector, text in zip(vectors, texts, strict=True)
                        ]
                    )

                self._fitted = _Fitted(
                    space,
                    domains,
                    self._space.fit({one.id: one.examples for one in library.intents}),
                    head,
                    measure_pulls(library, ids, judged),
                )
            return self._fitted


def joined(ids: Sequence[str], centroid: dict[str, float], head: dict[str, float]) -> FloatArray:
    """Log-odds `(ids,)` of both readings together.

    A class the head does not know gets from it what its centroid has against the classes the head does know.
    """
    lowest = min(centroid.values())
    seen = np.array([centroid.get(key, lowest) for key in ids], np.float64)
    known = np.array([key in head for key in ids])
    if not known.any():
        return seen.astype(np.float32)
    taught = np.array([head.get(key, 0.0) for key in ids], np.float64)
    # Both on one scale: log-probabilities among the classes both readings have.
    seen -= _log_total(seen[known])
    taught -= _log_total(taught[known])
    taught[~known] = seen[~known]
    both: FloatArray = (_HEAD_SHARE * taught + (1.0 - _HEAD_SHARE) * seen).astype(np.float32)
    return both


def _log_total(logits: NDArray[np.float64]) -> float:
    """The logarithm of the summed powers; scipy's own takes longer than the rest of a label."""
    highest = float(logits.max())
    return highest + float(np.log(np.exp(logits - highest).sum()))


def _judged(
    vector: FloatArray, text: str, *, ids: Sequence[str], seen: tuple[Space, Centroids, Head | None]
) -> FloatArray:
    """Log-probabilities `(ids,)` of the domains by both readings of one vector."""
    space, centroids, head = seen
    centroid = dict(zip(centroids.ids, centroids.logits(space.centre(vector, text)).tolist(), strict=True))
    taught: dict[str, float] = {}
    if head is not None:
        scores = head.domains.logits(head.centre(vector, text)).tolist()
        taught = dict(zip(head.domains.ids, scores, strict=True))
    both = joined(ids, centroid, taught)
    return both - np.float32(_log_total(both.astype(np.float64)))


def _rank(
    entries: Sequence[Domain] | Sequence[Intent], said: Said, seen: _Seen, weighed: Weighed = _NOTHING
) -> Ranking:
    """Every reading's log-odds added and made into probabilities."""
    ids = [entry.id for entry in entries]
    centroid = dict(zip(seen.centroids.ids, seen.centroids.logits(seen.centred).tolist(), strict=True))
    head: dict[str, float] = {}
    temperature = 1.0
    if seen.head is not None:
        head = dict(zip(seen.head.ids, seen.head.logits(seen.head_centred).tolist(), strict=True))
        temperature = seen.head.temperature
    logits = joined(ids, centroid, head)
    told = np.array([said.log_odds.get(key, 0.0) for key in ids], np.float32)
    shares = softmax(logits)
    sources = {
        key: _source(key in head, key in said.named, likely=share * len(ids) >= 1.0)
        for key, share in zip(ids, shares.tolist(), strict=True)
    }
    whole = logits + told + np.array([weighed.added.get(key, 0.0) for key in ids], np.float32)
    left = whole - np.array([weighed.taken.get(key, 0.0) for key in ids], np.float32)
    aside = _aside(whole, left, np.array([weighed.doubt.get(key, 0.0) for key in ids]))
    return ranked(ids, left / np.float32(temperature), sources, aside=aside / temperature)


def _aside(whole: FloatArray, left: FloatArray, doubt: NDArray[np.float64]) -> float:
    """Log-odds of no class: what was taken off and is in doubt keeps its share, so that no other class gains by it."""
    highest = float(whole.max())
    taken = np.exp(whole.astype(np.float64) - highest) - np.exp(left.astype(np.float64) - highest)
    total = float((doubt * taken).sum())
    return highest + math.log(total) if total > 0.0 else -math.inf


def _source(taught: bool, named: bool, *, likely: bool) -> Source:
    spoke = Source.CLASSIFIER if taught else Source.CENTROID
    if not named:
        return spoke
    return spoke.with_dictionary() if likely else Source.DICTIONARY
