"""Say which sense an ambiguous word has here, or that the text does not say.

The sentence speaks first: cue words beside the word, then the likeness to example sentences. Where
it stays silent the conversation's recent vectors are asked, and last the user's habits. What none
of them settles is handed on unresolved, never guessed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.centroids import Centroids, ExampleSpace, softmax
from graphsvc.language.keywords import KeywordIndex, Reading, is_whole, read
from graphsvc.language.normalise import fold
from graphsvc.language.segment import query_tokens
from graphsvc.models.facts import Sense
from ontology.model import Ontology, SenseWord

_CUE = 1.5  # log-odds one cue word adds
_MOST_CUES = 3.0
# Three words beside the ambiguous one make a vector count three fifths; alone it only shows the encoder's habit.
_HALF_HEARD = 2
_BARE = 0.3  # how much of that habit, seen in the bare word, is taken off everywhere
_SUBJECT = 0.5  # what the subject of the sentence counts for a sense of that domain
_LEAST_SUBJECT = 1e-3
_TOPIC = 0.6  # what the conversation's vectors count, for they speak of other things too
_HABIT = 3.0  # log-odds from never to always
_RESOLVED = 0.75  # least probability of a sense that is told
_LATIN = re.compile("[a-z]")


@dataclass(frozen=True, slots=True)
class _Found:
    """A word of the inventory in the folded text."""

    start: int
    end: int
    word: SenseWord


@dataclass(frozen=True, slots=True)
class _Fitted:
    """Centroids of subjects and of each word's senses, and what each word's vector says when it stands alone."""

    domains: Centroids
    senses: Mapping[str, Centroids]
    bare: Mapping[str, FloatArray]


class SenseTagger:
    """Thread-safe. Without an encoder, or while it is out of reach, cue words and habits decide alone."""

    def __init__(
        self,
        ontology: Ontology,
        encoder: Encoder | None,
        *,
        cache_dir: Path | None = None,
        space: ExampleSpace | None = None,
    ) -> None:
        self._ontology = ontology
        self._encoder = encoder
        self._space = space or (None if encoder is None else ExampleSpace(ontology, encoder, cache_dir=cache_dir))
        self._words = {fold(surface).text: word for word in ontology.sense_words for surface in word.surfaces.all}
        self._latin = _any_of([surface for surface in self._words if _LATIN.search(surface)])
        self._lengths = sorted({len(surface) for surface in self._words if not _LATIN.search(surface)}, reverse=True)
        self._cues = {
            word.id: KeywordIndex({sense.id: sense.cues for sense in word.senses}) for word in ontology.sense_words
        }
        self._fitted: _Fitted | None = None
        self._lock = threading.Lock()

    def tag(
        self,
        text: str,
        *,
        vector: FloatArray | None = None,
        topic: Sequence[FloatArray] = (),
        habits: Mapping[str, float] | None = None,
    ) -> tuple[Sense, ...]:
        """Every word of the inventory in the text, in order; `sense` is absent while unresolved.

        `vector` is the text's unit vector, encoded here when absent; `topic` the vectors of what was said
        before; `habits` how often this user means each sense id, in [0, 1]. `probability` is that of the
        likeliest sense, told or not.
        """
        folded, reading = fold(text), read(text)
        found = self._find(reading)
        if not found:
            return ()
        fitted, seen, topics = self._seen(text, vector, topic)
        weight = _told_beside(text, [one.word for one in found])
        senses = []
        for one in found:
            sentence = self._of_cues(one.word, reading)
            around: list[FloatArray] = []
            if fitted is not None and seen is not None:
                sentence = sentence + weight * _of_vector(one.word, seen, fitted)
                around = [_of_vector(one.word, vector, fitted) for vector in topics]
            start, end = folded.span(one.start, one.end)
            sense, probability, source = _decide(one.word, sentence, around, habits or {})
            senses.append(
                Sense(
                    start=start, end=end, surface=text[start:end], sense=sense, probability=probability, source=source
                )
            )
        return tuple(senses)

    def _find(self, reading: Reading) -> list[_Found]:
        """Where words of the inventory stand, none inside another."""
        found = [_Found(hit.start(), hit.end(), self._words[hit.group()]) for hit in self._latin.finditer(reading.text)]
        for offset, run, limits in reading.runs:
            taken: set[int] = set()
            for length in self._lengths:
                for start in range(len(run) - length + 1):
                    end = start + length
                    word = self._words.get(run[start:end])
                    if word is not None and is_whole(start, end, limits) and taken.isdisjoint(range(start, end)):
                        taken.update(range(start, end))
                        found.append(_Found(offset + start, offset + end, word))
        return sorted(found, key=lambda one: one.start)

    def _seen(
        self, text: str, vector: FloatArray | None, topic: Sequence[FloatArray]
    ) -> tuple[_Fitted | None, FloatArray | None, list[FloatArray]]:
        """Centroids, and the text and its topic among them; nothing while the encoder is out of reach."""
        if self._space is None or self._encoder is None:
            return None, None, []
        try:
            fitted = self._fit(self._space)
            own = self._encoder.encode_passages([text]).vectors[0] if vector is None else vector
        except EncoderUnavailable:
            return None, None, []
        space = self._space.space()
        return fitted, space.centre(own, text), [space.centre(one, text) for one in topic]

    def _fit(self, space: ExampleSpace) -> _Fitted:
        with self._lock:
            if self._fitted is None:
                self._fitted = _fit(self._ontology, space)
            return self._fitted

    def _of_cues(self, word: SenseWord, reading: Reading) -> FloatArray:
        hits = self._cues[word.id].hits(reading)
        return np.array([_CUE * min(hits.get(sense.id, 0.0), _MOST_CUES) for sense in word.senses], np.float32)


def _fit(ontology: Ontology, space: ExampleSpace) -> _Fitted:
    words = ontology.sense_words
    domains = space.fit({domain.id: domain.examples for domain in ontology.domains})
    senses = space.fit_all({word.id: {sense.id: sense.examples for sense in word.senses} for word in words})
    fitted = _Fitted(domains, senses, {})
    bare = {}
    for word in words:
        surfaces = word.surfaces.all
        seen = [space.space().centre(one, text) for one, text in zip(space.vectors(surfaces), surfaces, strict=True)]
        alone = np.mean(np.stack([_likeness(word, one, fitted) for one in seen]), axis=0)
        bare[word.id] = alone - alone.mean()
    return _Fitted(domains, senses, bare)


def _of_vector(word: SenseWord, centred: FloatArray, fitted: _Fitted) -> FloatArray:
    """Log-odds of the senses by a vector, less the encoder's own leaning."""
    logits: FloatArray = _likeness(word, centred, fitted) - _BARE * fitted.bare[word.id]
    return logits


def _likeness(word: SenseWord, centred: FloatArray, fitted: _Fitted) -> FloatArray:
    """Log-odds from the likeness to a sense's examples, and from the subject its sentences have."""
    centroids = fitted.senses[word.id]
    known = dict(zip(centroids.ids, centroids.logits(centred), strict=True))
    lowest = min(known.values())
    likeness = np.array([known.get(sense.id, lowest) for sense in word.senses], np.float32)
    subjects = dict(zip(fitted.domains.ids, softmax(fitted.domains.logits(centred)), strict=True))
    subject = np.log([subjects.get(sense.domain, 0.0) + _LEAST_SUBJECT for sense in word.senses])
    logits: FloatArray = likeness + _SUBJECT * subject.astype(np.float32)
    return logits


def _told_beside(text: str, words: Sequence[SenseWord]) -> float:
    """How far a sentence's vector can be trusted, by how much else the sentence says; in [0, 1)."""
    own = {token for word in words for surface in word.surfaces.all for token in query_tokens(surface)}
    count = len(set(query_tokens(text)) - own)
    return count / (count + _HALF_HEARD)


def _decide(
    word: SenseWord, sentence: FloatArray, topic: Sequence[FloatArray], habits: Mapping[str, float]
) -> tuple[str | None, float, str]:
    """The first source that settles the matter, each resting on those before it."""
    steps: list[tuple[str, FloatArray]] = [("sentence", sentence)]
    if topic:
        steps.append(("topic", _TOPIC * np.mean(np.stack(topic), axis=0)))
    if any(sense.id in habits for sense in word.senses):
        steps.append(("habits", np.array([_HABIT * habits.get(sense.id, 0.0) for sense in word.senses], np.float32)))
    logits = np.zeros(len(word.senses), np.float32)
    best = 0.0
    for source, evidence in steps:
        logits = logits + evidence
        shares = softmax(logits)
        at = int(shares.argmax())
        best = round(float(shares[at]), 4)
        if best >= _RESOLVED:
            return word.senses[at].id, best, source
    return None, best, "unresolved"


def _any_of(surfaces: Sequence[str]) -> re.Pattern[str]:
    """Latin words as wholes; a Han character may touch them, an address or a path may not."""
    choices = "|".join(re.escape(surface) for surface in sorted(surfaces, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<![a-z0-9_@/])(?:{choices})(?![a-z0-9_@/])")
