"""What a tagger is: one text in, an opinion on its domains and intents out, or nothing to say.

Taggers are interchangeable and asked best first. An opinion ranks classes of the closed library
with probabilities; which of them become labels is decided in one place, whoever spoke.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.language.centroids import softmax
from graphsvc.language.keywords import Reading
from graphsvc.models.facts import Label, Mention, Sense


class Source(StrEnum):
    """Who gave a label; two names where two agreed."""

    MODEL = "model"
    CLASSIFIER = "classifier"
    CENTROID = "centroid"
    DICTIONARY = "dictionary"
    DICTIONARY_CLASSIFIER = "dictionary+classifier"
    DICTIONARY_CENTROID = "dictionary+centroid"

    def with_dictionary(self) -> Source:
        """The same tagger when the dictionary found the class as well."""
        return _WITH_DICTIONARY.get(self, self)


_WITH_DICTIONARY = {
    Source.CLASSIFIER: Source.DICTIONARY_CLASSIFIER,
    Source.CENTROID: Source.DICTIONARY_CENTROID,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to be labelled and what helps: its unit vector, what was said before (newest first), its mentions.

    `senses` are those of its ambiguous words, unresolved ones too.
    """

    text: str
    reading: Reading
    vector: FloatArray | None = None
    context: tuple[Label, ...] = ()
    mentions: tuple[Mention, ...] = ()
    senses: tuple[Sense, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """Class ids with probabilities, likeliest first, and the tagger that spoke for each."""

    shares: tuple[tuple[str, float], ...]
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one tagger thinks; `entity` where it names one, else the entity is found by rule."""

    domains: Ranking
    intents: Ranking
    entity: str | None = None


class Tagger(Protocol):
    """Thread-safe. Never raises for a server, a file or an encoder that is out of reach: it has nothing to say then."""

    def judge(self, asked: Asked) -> Opinion | None:
        """An opinion on the text; nothing when another tagger has to be asked."""
        ...


def ranked(ids: Sequence[str], logits: FloatArray, sources: Mapping[str, Source], *, aside: float = -np.inf) -> Ranking:
    """Probabilities of log-odds, likeliest first; ties keep the library's order.

    `aside` are the log-odds of none of them, whose share nobody gets.
    """
    shares = softmax(np.append(logits, np.float32(aside)))[:-1]
    order = np.argsort(-shares, kind="stable")
    return Ranking(tuple((ids[int(at)], float(shares[at])) for at in order), sources)
