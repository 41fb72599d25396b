"""Tell the senses of a word apart by the sentence's vector and, where there is one, the word's own.

Both are judged by the centroids of the sense's examples in a space of their own: a sentence seen
from the middle of its language, a word from the middle of its senses, since what all its
occurrences share says nothing. Their scores are added and tempered together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import FloatArray, Span
from graphsvc.language.centroids import (
    Centroids,
    ExampleSpace,
    Fit,
    IntArray,
    Space,
    fit_rows,
    sharpen_of,
    softmax,
    temperature_of,
)
from graphsvc.language.senses.find import WordFinder
from ontology.model import Ontology, SenseWord

# What the word's own vector counts beside the sentence's; from .5 to 2.5 it matters little.
WORD_SHARE = 1.5
_BARE = 0.3  # how much of the encoder's leaning, seen in the bare word, is taken off everywhere
_SUBJECT = 0.25  # what the subject of the sentence counts for a sense of that domain
_LEAST_SUBJECT = 1e-3


@dataclass(frozen=True, slots=True)
class WordSenses:
    """One word's senses: `alone` judges a sentence without the word's vector, `sentence` and `word` both together.

    `middle` float32 `(word_dimension,)` is the middle of the word's senses.
    """

    ids: tuple[str, ...]
    alone: Centroids
    sentence: Centroids
    word: Centroids | None
    middle: FloatArray

    def logits(self, centred: FloatArray, own: FloatArray | None) -> FloatArray:
        """Log-odds float32 `(senses,)` of a centred sentence, and of the word's own vector if it was read."""
        if self.word is None or own is None or not own.any():
            return self.alone.logits(centred)
        both: FloatArray = self.sentence.logits(centred) + self.word.logits(own - self.middle)
        return both


@dataclass(frozen=True, slots=True)
class Rows:
    """A word's examples: centred sentences `(n, d)`, the word's vectors `(n, w)`, `(0, 0)` for none, senses `(n,)`."""

    ids: tuple[str, ...]
    sentences: FloatArray
    words: FloatArray
    members: IntArray

    def middle(self) -> FloatArray:
        """The mean of the senses' means, so that a sense of many examples does not draw it near."""
        means = [self.words[self.members == at].mean(axis=0) for at in range(len(self.ids))]
        middle: FloatArray = np.mean(means, axis=0)
        return middle


def fit_words(groups: Mapping[str, Rows], sentences: Space) -> dict[str, WordSenses]:
    """Senses of several words under one temperature, for a word's few examples give none."""
    said = {key: fit_rows(rows.ids, rows.sentences, rows.members, sentences) for key, rows in groups.items()}
    centred = {key: (rows.words - rows.middle(), rows.middle()) for key, rows in groups.items() if len(rows.words)}
    own: dict[str, Fit] = {}
    if centred:
        space = Space(sentences.means, *sharpen_of(np.concatenate([rows for rows, _ in centred.values()])))
        own = {key: fit_rows(groups[key].ids, rows, groups[key].members, space) for key, (rows, _) in centred.items()}
    alone = temperature_of([(fit.left_out, fit.members) for fit in said.values()])
    both = temperature_of([(together(said[key], fit), fit.members) for key, fit in own.items()]) if own else alone
    return {
        key: WordSenses(
            ids=fit.ids,
            alone=_tempered(fit, alone),
            sentence=_tempered(fit, both),
            word=_tempered(own[key], both / WORD_SHARE) if key in own else None,
            middle=centred[key][1] if key in centred else np.zeros(0, np.float32),
        )
        for key, fit in said.items()
    }


def together(sentence: Fit, word: Fit) -> FloatArray:
    """Untempered scores `(examples, senses)` of both vectors, each example judged without itself."""
    scores: FloatArray = sentence.left_out + np.float32(WORD_SHARE) * word.left_out
    return scores


def _tempered(fit: Fit, temperature: float) -> Centroids:
    return Centroids(fit.ids, fit.directions / temperature, fit.biases / temperature)


@dataclass(frozen=True, slots=True)
class Inventory:
    """Centroids of subjects and of each word's senses, and what each word's vector says when it stands alone."""

    domains: Centroids
    senses: Mapping[str, WordSenses]
    bare: Mapping[str, FloatArray]

    def logits(self, word: SenseWord, centred: FloatArray, own: FloatArray | None) -> FloatArray:
        """Log-odds of the word's senses, in their order, less the encoder's own leaning."""
        found: FloatArray = self.likeness(word, centred, own) - np.float32(_BARE) * self.bare[word.id]
        return found

    def likeness(self, word: SenseWord, centred: FloatArray, own: FloatArray | None) -> FloatArray:
        """By the likeness to a sense's examples, and by the subject its sentences have."""
        senses = self.senses[word.id]
        known = dict(zip(senses.ids, senses.logits(centred, own), strict=True))
        lowest = min(known.values())
        likeness = np.array([known.get(sense.id, lowest) for sense in word.senses], np.float32)
        subjects = dict(zip(self.domains.ids, softmax(self.domains.logits(centred)), strict=True))
        subject = np.log([subjects.get(sense.domain, 0.0) + _LEAST_SUBJECT for sense in word.senses])
        logits: FloatArray = likeness + _SUBJECT * subject.astype(np.float32)
        return logits


def fit_inventory(ontology: Ontology, space: ExampleSpace, finder: WordFinder) -> Inventory:
    """Fit every word of the inventory by its examples; raises `EncoderUnavailable` for new ones out of reach."""
    domains = space.fit({domain.id: domain.examples for domain in ontology.domains})
    groups = {word.id: _rows(word, space, finder) for word in ontology.sense_words}
    fitted = Inventory(domains, fit_words(groups, space.space()), {})
    bare = {}
    for word in ontology.sense_words:
        alone = np.mean([fitted.likeness(word, *one) for one in _alone(word, space)], axis=0)
        bare[word.id] = (alone - alone.mean()).astype(np.float32)
    return Inventory(domains, fitted.senses, bare)


def _rows(word: SenseWord, space: ExampleSpace, finder: WordFinder) -> Rows:
    kept = [sense for sense in word.senses if sense.examples.all]
    texts: list[str] = []
    members: list[int] = []
    for at, sense in enumerate(kept):
        texts += sense.examples.all
        members += [at] * len(sense.examples.all)
    seen = space.space()
    vectors = space.vectors(texts)
    sentences = np.stack([seen.centre(vector, text) for vector, text in zip(vectors, texts, strict=True)])
    own = np.zeros((0, 0), np.float32)
    if space.word_dimension:
        own = space.words(texts, spans_of(word, texts, finder))
    return Rows(tuple(sense.id for sense in kept), sentences, own, np.array(members))


def spans_of(word: SenseWord, texts: Sequence[str], finder: WordFinder) -> list[Span]:
    """Where each example has its word; an example without it is taken whole."""
    return [finder.first_span(text, word) or (0, len(text)) for text in texts]


def _alone(word: SenseWord, space: ExampleSpace) -> list[tuple[FloatArray, FloatArray | None]]:
    """The word's surfaces, each as a sentence of its own."""
    surfaces = word.surfaces.all
    seen = space.space()
    said = [seen.centre(one, text) for one, text in zip(space.vectors(surfaces), surfaces, strict=True)]
    if not space.word_dimension:
        return [(one, None) for one in said]
    return list(zip(said, space.words(surfaces, [(0, len(one)) for one in surfaces]), strict=True))
