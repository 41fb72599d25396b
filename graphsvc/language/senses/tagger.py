"""Say which sense an ambiguous word has here, or that the text does not say.

The sentence speaks first: cue words beside the word, then the likeness of sentence and word to the
examples of each sense. Where it stays silent the conversation's recent vectors are asked, and last the
user's habits. What none of them settles is handed on unresolved, never guessed.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import ContextEncoder, Encoder, FloatArray, Span, TokenStates
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.centroids import ExampleSpace, softmax
from graphsvc.language.keywords import KeywordIndex, Reading, read
from graphsvc.language.normalise import fold
from graphsvc.language.segment import query_tokens
from graphsvc.language.senses.find import Found, WordFinder
from graphsvc.language.senses.fit import Inventory, fit_inventory
from graphsvc.models.facts import Sense, SenseSource
from ontology.model import Ontology, SenseWord

_CUE = 1.5  # log-odds one cue word adds
_MOST_CUES = 3.0
# Three words beside the ambiguous one make a vector count three fifths; alone it only shows the encoder's habit.
_HALF_HEARD = 2
_TOPIC = 0.6  # what the conversation's vectors count, for they speak of other things too
# What a sense told earlier in the talk counts: one sense per discourse holds for 98 in 100 pairs of uses (Gale, Church
# and Yarowsky, 1992), in talk that wanders for fewer.
_DISCOURSE = 3.0
_HABIT = 3.0  # log-odds from never to always
# Least probability of a sense that is told: of those, some 5 in 100 are wrong on short everyday texts (see
# `tests/benchmarks/senses.py`).
_RESOLVED = 0.8
_SURE = 0.95  # least probability at which a sentence is not held against the talk it stands in
# A text that says a word more often than this says it for the later ones as the whole sentence does.
_MOST_HEARD = 256
_MOST_READ = 100_000  # characters; a memory is a fragment of a document, and no sense hangs on words so far away


@dataclass(frozen=True, slots=True)
class _Heard:
    """What the encoder heard: the centred text, each occurrence's own vector, and the centred topic."""

    inventory: Inventory | None = None
    text: FloatArray | None = None
    words: FloatArray | None = None
    topic: Sequence[FloatArray] = field(default=())

    def own(self, at: int) -> FloatArray | None:
        return self.words[at] if self.words is not None and at < len(self.words) and self.words[at].any() else None


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
        self._finder = WordFinder(ontology)
        self._cues = {
            word.id: KeywordIndex({sense.id: sense.cues for sense in word.senses}) for word in ontology.sense_words
        }
        self._inventory: Inventory | None = None
        self._lock = threading.Lock()

    def tag(
        self,
        text: str,
        *,
        vector: FloatArray | None = None,
        states: TokenStates | FloatArray | None = None,
        passage: str | None = None,
        topic: Sequence[FloatArray] = (),
        told_before: Mapping[str, float] | None = None,
        habits: Mapping[str, float] | None = None,
    ) -> tuple[Sense, ...]:
        """Words of the inventory in the text, in order; `sense` is absent while unresolved.

        The first thousand in the first 100,000 characters, that is: all of them in any text a person wrote.

        `vector` is the text's unit vector and `states` the token states that came with it; without a vector the text
        is encoded here, without states the sentence speaks alone. `passage` is what was encoded when it is more than
        the text: a header, then the text. `topic` are the vectors of what was said before,
        `told_before` the sense ids that were told there, with their probabilities; `habits` how often this user means
        each sense id, in [0, 1] (see `habits_of`). `probability` is that of the likeliest sense, told or
        not.
        """
        said = text[:_MOST_READ]
        folded, reading = fold(said), read(said)
        found = self._finder.find(reading)
        if not found:
            return ()
        spans = [folded.span(one.start, one.end) for one in found]
        passage = text if passage is None else passage
        heard = self._hear(passage, _moved(spans[:_MOST_HEARD], len(passage) - len(text)), vector, states, topic)
        judge = _Judge(
            self._cues, reading, heard, _told_beside(said, found), told_before=told_before or {}, habits=habits or {}
        )
        senses = []
        for at, (one, (start, end)) in enumerate(zip(found, spans, strict=True)):
            sense, probability, source = judge.decide(one.word, heard.own(at))
            surface = text[start:end]
            senses.append(
                Sense(start=start, end=end, surface=surface, sense=sense, probability=probability, source=source)
            )
        return tuple(senses)

    def _hear(
        self,
        text: str,
        spans: Sequence[Span],
        vector: FloatArray | None,
        states: TokenStates | FloatArray | None,
        topic: Sequence[FloatArray],
    ) -> _Heard:
        """The text, its words and its topic in the space of the examples; nothing while the encoder is out of reach."""
        if self._space is None or self._encoder is None:
            return _Heard()
        try:
            inventory = self._fit(self._space)
            if vector is None:
                passages = self._encoder.encode_passages([text])
                vector, states = passages.vectors[0], None if passages.states is None else passages.states[0]
        except EncoderUnavailable:
            return _Heard()
        words = None
        if states is not None and isinstance(self._encoder, ContextEncoder) and self._encoder.word_dimension:
            words = self._encoder.word_vectors(text, spans, states)
        space = self._space.space()
        return _Heard(inventory, space.centre(vector, text), words, [space.centre(one, text) for one in topic])

    def _fit(self, space: ExampleSpace) -> Inventory:
        with self._lock:
            if self._inventory is None:
                self._inventory = fit_inventory(self._ontology, space, self._finder)
            return self._inventory


def _moved(spans: Sequence[Span], by: int) -> list[Span]:
    return [(start + by, end + by) for start, end in spans]


class _Judge:
    """Decides the words of one text; what only the text says of a word is worked out once."""

    def __init__(
        self,
        cues: Mapping[str, KeywordIndex],
        reading: Reading,
        heard: _Heard,
        weight: float,
        *,
        told_before: Mapping[str, float],
        habits: Mapping[str, float],
    ) -> None:
        self._cues = cues
        self._reading = reading
        self._heard = heard
        self._weight = weight
        self._told_before = told_before
        self._habits = habits
        self._told: dict[str, FloatArray] = {}
        self._later: dict[str, list[tuple[SenseSource, FloatArray]]] = {}
        self._decided: dict[str, tuple[str | None, float, SenseSource]] = {}

    def decide(self, word: SenseWord, own: FloatArray | None) -> tuple[str | None, float, SenseSource]:
        """Sense or none, the likeliest one's probability, and the source that settled the matter."""
        if own is None and word.id in self._decided:
            return self._decided[word.id]
        if word.id not in self._told:
            self._told[word.id] = self._of_cues(word)
            self._later[word.id] = self._of_others(word)
        sentence, heard = self._told[word.id], self._heard
        if heard.inventory is not None and heard.text is not None:
            sentence = sentence + self._weight * heard.inventory.logits(word, heard.text, own)
        decided = _settle(word, [(SenseSource.SENTENCE, sentence), *self._later[word.id]])
        if own is None:
            self._decided[word.id] = decided
        return decided

    def _of_cues(self, word: SenseWord) -> FloatArray:
        hits = self._cues[word.id].hits(self._reading)
        return np.array([_CUE * min(hits.get(sense.id, 0.0), _MOST_CUES) for sense in word.senses], np.float32)

    def _of_others(self, word: SenseWord) -> list[tuple[SenseSource, FloatArray]]:
        """What the topic and the user's habits say of the word, in the order they are asked."""
        steps: list[tuple[SenseSource, FloatArray]] = []
        inventory = self._heard.inventory
        before = np.array([_DISCOURSE * self._told_before.get(sense.id, 0.0) for sense in word.senses], np.float32)
        if inventory is not None and self._heard.topic:
            around = [inventory.logits(word, one, None) for one in self._heard.topic]
            before = before + np.float32(_TOPIC) * np.mean(np.stack(around), axis=0)
        if before.any():
            steps.append((SenseSource.TOPIC, before))
        if any(sense.id in self._habits for sense in word.senses):
            usual = [_HABIT * self._habits.get(sense.id, 0.0) for sense in word.senses]
            steps.append((SenseSource.HABITS, np.array(usual, np.float32)))
        return steps


@lru_cache(maxsize=4096)
def _tokens_of(surface: str) -> tuple[str, ...]:
    return tuple(query_tokens(surface))


def _told_beside(text: str, found: Sequence[Found]) -> float:
    """How far a sentence's vector can be trusted, by how much else the sentence says; in [0, 1)."""
    words = {one.word.id: one.word for one in found}
    own = {token for word in words.values() for surface in word.surfaces.all for token in _tokens_of(surface)}
    count = len(set(query_tokens(text)) - own)
    return count / (count + _HALF_HEARD)


def _settle(word: SenseWord, steps: Sequence[tuple[SenseSource, FloatArray]]) -> tuple[str | None, float, SenseSource]:
    """The first source that settles the matter, each resting on those before it.

    A sentence that leans one way is still held against its talk; one that is sure is not.
    """
    logits = np.zeros(len(word.senses), np.float32)
    best = 0.0
    for source, evidence in steps:
        logits = logits + evidence
        shares = softmax(logits)
        at = int(shares.argmax())
        best = round(float(shares[at]), 4)
        held_against = (
            source is SenseSource.SENTENCE and steps[-1][0] is not source and steps[1][0] is SenseSource.TOPIC
        )
        if best >= (_SURE if held_against else _RESOLVED):
            return word.senses[at].id, best, source
    return None, best, SenseSource.UNRESOLVED
