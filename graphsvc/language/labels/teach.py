"""Teach the head domains and intents, and calibrate what it says together with centroids and dictionary.

Own sentences weigh as they come; public sets and bare keywords are balanced by domain and weigh
less, for they are narrow. Calibration is on own sentences, each judged by a head that had not seen it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.language.centroids import ExampleSpace, IntArray, softmax
from graphsvc.language.keywords import read
from graphsvc.language.labels.base import Asked
from graphsvc.language.labels.classifier import joined
from graphsvc.language.labels.corpora import Corpus, Example, own_sentences, own_statements
from graphsvc.language.labels.dictionary import DictionaryTagger, Said
from graphsvc.language.labels.fit import (
    Rows,
    balanced,
    calibration_error,
    fit_linear,
    fit_temperature,
    joined_rows,
)
from graphsvc.language.labels.head import Linear, han_share, middle
from ontology.model import Domain, Intent, Ontology

# Of .01 to .1, .1 to 1 and .1 to 1 these were best for own sentences that a head had not seen.
STRENGTH = 0.03
_PUBLIC = 0.3  # weight of all public sentences, in that of all own ones
_KEYWORD = 0.1  # weight of one keyword, in that of a sentence
_FOLDS = 5
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Taught:
    """One part of the head; accuracies of head, centroids and dictionary together, on own sentences held out."""

    linear: Linear
    accuracy: dict[str, float]
    calibration_error: float


class Teacher:
    """Encodes what there is to learn once, and fits both parts over it."""

    def __init__(self, ontology: Ontology, encoder: Encoder) -> None:
        self._ontology = ontology
        self._encoder = encoder
        self._space = ExampleSpace(ontology, encoder)
        self._dictionary = DictionaryTagger(ontology)
        self._own = own_sentences(ontology)
        self._statements = own_statements()
        self._known: dict[str, FloatArray] = {}
        everything = [one for part in self._own.values() for one in part]
        vectors = self._encoded([one.text for one in everything])
        shares = np.array([han_share(one.text) for one in everything])
        self.means = np.stack([vectors[shares == 1.0].mean(axis=0), vectors[shares == 0.0].mean(axis=0)])

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences of our own there are, by origin."""
        return {name: len(part) for name, part in self._own.items()} | {"statements": len(self._statements)}

    def centred(self, texts: Sequence[str]) -> FloatArray:
        """Vectors of texts as seen from the middle of their language, float32 `(n, d)`."""
        vectors = self._encoded(texts)
        return vectors - np.stack([middle(self.means, han_share(text)) for text in texts])

    def _encoded(self, texts: Sequence[str]) -> FloatArray:
        """Vectors of texts, each encoded once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode_passages(new).vectors, strict=True))
        return np.stack([self._known[text] for text in texts])

    def domains(self, corpora: Sequence[Corpus]) -> Taught:
        """The head's domains, from own sentences, public sets and keywords."""
        entries = self._ontology.domains
        at = {one.id: place for place, one in enumerate(entries)}
        own = [one for part in self._own.values() for one in part]
        rows = self._rows(own, at)
        public = [one for corpus in corpora for one in corpus.taught]
        lent = self._rows(public, at)
        lent = Rows(lent.vectors, lent.members, balanced(lent.members, len(at), _PUBLIC * len(own)))
        lent = joined_rows([lent, self._keywords(at)])
        last = len(self._own["sentences"])
        space = self._space.space()
        fitted = self._space.fit({one.id: one.examples for one in entries})
        # Centroids are made of the examples, so that only the other sentences are new to both.
        new = own[-last:]
        raw = self._encoded([one.text for one in new])
        seen = np.stack([fitted.logits(space.centre(row, one.text)) for row, one in zip(raw, new, strict=True)])
        heard = [self._dictionary.domains(_asked(one.text)) for one in new]
        ids = tuple(at)
        head = _unseen(rows, lent, len(ids))[-last:]
        logits = _summed(ids, (fitted.ids, seen), head, heard)
        return self._taught(entries, joined_rows([rows, lent]), logits, new, at)

    def intents(self) -> Taught:
        """The head's intents, from the library's examples and from statements that do nothing but tell.

        The examples are as many of each intent; what people write is mostly of none, and the statements say so.
        """
        entries = self._ontology.intents
        at = {one.id: place for place, one in enumerate(entries)}
        examples = [Example(text, one.id) for one in entries for _, texts in one.examples for text in texts]
        own = [*examples, *self._statements]
        rows = self._rows(own, at)
        words = {one.id: one.examples for one in entries}
        shares, _ = self._space.left_out(words)
        fitted, space = self._space.fit(words), self._space.space()
        raw = self._encoded([one.text for one in self._statements])
        new = [fitted.logits(space.centre(row, one.text)) for row, one in zip(raw, self._statements, strict=True)]
        seen = np.concatenate([np.log(shares + _EPSILON), np.log(softmax(np.stack(new)) + _EPSILON)])
        heard = [self._dictionary.intents(_asked(one.text)) for one in own]
        ids = tuple(at)
        logits = _summed(ids, (ids, seen), _unseen(rows, None, len(ids)), heard)
        return self._taught(entries, rows, logits, own, at)

    def _rows(self, examples: Sequence[Example], at: dict[str, int]) -> Rows:
        members = np.array([at[one.domain] for one in examples])
        return Rows(self.centred([one.text for one in examples]), members, np.ones(len(members)))

    def _keywords(self, at: dict[str, int]) -> Rows:
        """Bare words, which lie in a place of their own: the middle of each language's words is taken off."""
        vectors, members = [], []
        for place in range(2):
            listed = [
                (word, at[one.id])
                for one in self._ontology.domains
                for word in (one.keywords.zh, one.keywords.en)[place]
            ]
            found = self._encoded([word for word, _ in listed])
            vectors.append(found - found.mean(axis=0))
            members += [member for _, member in listed]
        return Rows(np.concatenate(vectors), np.array(members), np.full(len(members), _KEYWORD))

    def _taught(
        self,
        entries: Sequence[Domain] | Sequence[Intent],
        rows: Rows,
        logits: FloatArray,
        judged: Sequence[Example],
        at: dict[str, int],
    ) -> Taught:
        members = np.array([at[one.domain] for one in judged])
        temperature = fit_temperature(logits, members)
        right = logits.argmax(axis=1) == members
        han = np.array([han_share(one.text) for one in judged])
        directions, biases = fit_linear(rows, len(at), strength=STRENGTH)
        return Taught(
            Linear(tuple(one.id for one in entries), directions, biases, temperature),
            {"zh": round(float(right[han == 1.0].mean()), 3), "en": round(float(right[han == 0.0].mean()), 3)},
            round(calibration_error(softmax(logits / temperature), members), 3),
        )


def _unseen(rows: Rows, lent: Rows | None, classes: int) -> FloatArray:
    """Each row's log-odds by a head taught without its fold, float32 `(n, classes)`."""
    folds = np.random.default_rng(0).integers(0, _FOLDS, len(rows.members))
    logits = np.zeros((len(rows.members), classes), np.float32)
    for fold in range(_FOLDS):
        kept = rows.where(folds != fold)
        kept = kept if lent is None else joined_rows([kept, lent])
        directions, biases = fit_linear(kept, classes, strength=STRENGTH)
        logits[folds == fold] = rows.vectors[folds == fold] @ directions.T + biases
    return logits


def _summed(
    ids: tuple[str, ...], seen: tuple[tuple[str, ...], FloatArray], head: FloatArray, heard: Sequence[Said]
) -> FloatArray:
    """What the classifier makes of each row before its temperature, float32 `(n, classes)`."""
    rows = []
    for centroid, taught, said in zip(seen[1], head, heard, strict=True):
        both = joined(
            ids, dict(zip(seen[0], centroid.tolist(), strict=True)), dict(zip(ids, taught.tolist(), strict=True))
        )
        rows.append(both + np.array([said.log_odds.get(key, 0.0) for key in ids], np.float32))
    return np.stack(rows)


def _asked(text: str) -> Asked:
    return Asked(text, read(text))


def members_of(examples: Sequence[Example], ids: Sequence[str]) -> IntArray:
    """The place of each example's class among `ids`."""
    at = {key: place for place, key in enumerate(ids)}
    return np.array([at[one.domain] for one in examples])
