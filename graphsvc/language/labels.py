"""Label a text with domain–entity–intent out of the closed library, or leave it unlabelled.

Two taggers speak: a dictionary of keywords and wording, and the centroids of example sentences.
Their log-odds are added; what neither is sure of gets no label rather than a guessed one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.centroids import Centroids, ExampleSpace, softmax
from graphsvc.language.keywords import KeywordIndex, Reading, read
from graphsvc.models.facts import Label, Mention
from ontology.model import Domain, Intent, Ontology

# Where the library's own examples, each judged without itself, are right in some 85 of 100 by centroids alone. Weights
# of keywords and wording stay below what those examples ask for, since the same hands wrote both.
_PRIMARY = 0.55  # least probability of a primary domain
_SHARED = 0.8  # least probability of two domains together, where a text is about both
_SECONDARY = 0.2  # least probability of a further domain, and of an intent beside the first
_INTENT = 0.5
_KEYWORD = 1.2  # log-odds one keyword adds
_WORDING = 2.0  # log-odds a matching pattern adds
_CONTEXT = 0.7  # log-odds the conversation's label adds
_MOST_KEYWORDS = 3.0
# Alone, the dictionary must say more: one keyword just lifts its domain, two that disagree lift none.
_ALONE = 3.0  # times the log-odds it has beside centroids
_UNKNOWN = 2.5  # log-odds of the background where no centroid speaks
_MENTIONED, _SPOKEN_OF, _EXPECTED = 1.0, 0.8, 0.6


@dataclass(frozen=True, slots=True)
class _Fitted:
    domains: Centroids
    intents: Centroids


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Class ids with probabilities, likeliest first, and the tagger that spoke for each."""

    shares: tuple[tuple[str, float], ...]
    sources: Mapping[str, str]


class LabelTagger:
    """Thread-safe. `encoder=None` leaves the dictionary alone; so does an encoder that is out of reach."""

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
        self._fitted: _Fitted | None = None
        self._lock = threading.Lock()
        self._keywords = KeywordIndex({domain.id: domain.keywords for domain in ontology.domains})
        self._nouns = KeywordIndex({kind.id: kind.keywords for kind in ontology.entity_types})
        self._background = {domain.id for domain in ontology.domains if domain.background}
        self._background |= {intent.id for intent in ontology.intents if intent.background}

    def tag(
        self,
        text: str,
        vector: FloatArray | None = None,
        context: Sequence[Label] = (),
        *,
        mentions: Sequence[Mention] = (),
    ) -> tuple[Label, ...]:
        """Labels, the primary one first; empty when nothing is likely enough.

        `vector` is the text's unit vector, encoded here when absent; `context` the labels of what was
        said before; `mentions` help to find the entity type. `probability` is that of the domain; further
        labels carry other domains, or the same domain with a second intent.
        """
        reading = read(text)
        fitted, centred = self._seen(text, vector)
        domains = self._domains(reading, fitted, centred, context)
        intents = self._intents(reading, fitted, centred)
        first = self._first_domain(domains, intents)
        if first is None:
            return ()
        entity = self._entity(reading, self._ontology.domain(first[0]), mentions)
        labels = [
            Label(domain=key, entity=entity, intent=intent, probability=round(share, 4), source=domains.sources[key])
            for key, share, intent in self._combined(first, domains, intents)
        ]
        return tuple(labels)

    def _seen(self, text: str, vector: FloatArray | None) -> tuple[_Fitted | None, FloatArray | None]:
        """The centroids and the text's place among them; nothing while the encoder is out of reach."""
        if self._space is None or self._encoder is None:
            return None, None
        try:
            fitted = self._fit(self._space)
            seen = self._encoder.encode_passages([text]).vectors[0] if vector is None else vector
        except EncoderUnavailable:
            return None, None
        return fitted, self._space.space().centre(seen, text)

    def _fit(self, space: ExampleSpace) -> _Fitted:
        with self._lock:
            if self._fitted is None:
                self._fitted = _Fitted(
                    space.fit({domain.id: domain.examples for domain in self._ontology.domains}),
                    space.fit({intent.id: intent.examples for intent in self._ontology.intents}),
                )
            return self._fitted

    def _domains(
        self, reading: Reading, fitted: _Fitted | None, centred: FloatArray | None, context: Sequence[Label]
    ) -> _Ranking:
        hits = self._keywords.hits(reading)
        said = {key: _KEYWORD * min(count, _MOST_KEYWORDS) for key, count in hits.items()}
        for label in context[:1]:
            said[label.domain] = said.get(label.domain, 0.0) + _CONTEXT
        centroids = None if fitted is None else fitted.domains
        return self._rank(self._ontology.domains, said, set(hits), centroids, centred)

    def _intents(self, reading: Reading, fitted: _Fitted | None, centred: FloatArray | None) -> _Ranking:
        worded = {intent.id: _WORDING for intent in self._ontology.intents if intent.patterns.found_in(reading.text)}
        centroids = None if fitted is None else fitted.intents
        return self._rank(self._ontology.intents, worded, set(worded), centroids, centred)

    def _rank(
        self,
        entries: Sequence[Domain] | Sequence[Intent],
        said: Mapping[str, float],
        hits: set[str],
        centroids: Centroids | None,
        centred: FloatArray | None,
    ) -> _Ranking:
        """Both taggers' log-odds added and made into probabilities."""
        ids = [entry.id for entry in entries]
        if centroids is None or centred is None:
            logits = np.array([_UNKNOWN if key in self._background else 0.0 for key in ids], np.float32)
            said = {key: _ALONE * value for key, value in said.items()}
            seen: set[str] = set()
        else:
            found = dict(zip(centroids.ids, centroids.logits(centred), strict=True))
            lowest = min(found.values())
            logits = np.array([found.get(key, lowest) for key in ids], np.float32)
            shares = softmax(logits)
            seen = {key for key, share in zip(ids, shares, strict=True) if share >= 1.0 / len(ids)}
        logits += np.array([said.get(key, 0.0) for key in ids], np.float32)
        shares = softmax(logits)
        order = np.argsort(-shares, kind="stable")
        ranked = tuple((ids[int(at)], float(shares[at])) for at in order)
        sources = {key: _source(key in hits, key in seen, encoded=centroids is not None) for key in ids}
        return _Ranking(ranked, sources)

    def _first_domain(self, domains: _Ranking, intents: _Ranking) -> tuple[str, float] | None:
        """The primary domain, alone or with a second; the background only to carry an intent that is clear."""
        (key, share), (other, less) = domains.shares[:2]
        if key in self._background:
            clear = self._likely_intents(intents)
            return (key, share) if clear and clear[0] not in self._background else None
        both = less >= _SECONDARY and share + less >= _SHARED and other not in self._background
        return (key, share) if share >= _PRIMARY or both else None

    def _combined(
        self, first: tuple[str, float], domains: _Ranking, intents: _Ranking
    ) -> list[tuple[str, float, str | None]]:
        found = self._likely_intents(intents)
        intent = found[0] if found else None
        labels: list[tuple[str, float, str | None]] = [(*first, intent)]
        others = [
            (key, share, intent)
            for key, share in domains.shares
            if share >= _SECONDARY and key != first[0] and key not in self._background
        ]
        second = [(*first, other) for other in found[1:]]
        return labels + others + second

    def _likely_intents(self, intents: _Ranking) -> list[str]:
        """The intent of the text and any further ones; empty when none is clear."""
        key, share = intents.shares[0]
        if share < _INTENT:
            return []
        further = [other for other, less in intents.shares[1:] if less >= _SECONDARY and other not in self._background]
        return [key, *further]

    def _entity(self, reading: Reading, domain: Domain | None, mentions: Sequence[Mention]) -> str | None:
        """The entity type with most said of it; the domain's usual types break ties."""
        votes: dict[str, float] = {}
        for kind, count in self._nouns.hits(reading).items():
            votes[kind] = votes.get(kind, 0.0) + _SPOKEN_OF * min(count, 2.0)
        for mention in mentions:
            if self._ontology.entity_type(mention.type) is not None:
                votes[mention.type] = votes.get(mention.type, 0.0) + _MENTIONED
        expected = () if domain is None else domain.entities
        for place, kind in enumerate(expected):
            if kind in votes:
                votes[kind] += _EXPECTED / (place + 1)
        return max(votes, key=lambda kind: votes[kind]) if votes else None


def _source(hit: bool, seen: bool, *, encoded: bool) -> str:
    if hit and (seen or not encoded):
        return "dictionary+centroid" if encoded else "dictionary"
    return "dictionary" if hit else "centroid"
