"""Decide which classes of an opinion become labels: a primary one, further ones, or none at all.

What no tagger is sure of gets no label rather than a guessed one. The background domain carries
an intent that is clear, and nothing else.
"""

from __future__ import annotations

from graphsvc.language.labels.base import Asked, Opinion, Ranking
from graphsvc.language.labels.dictionary import DictionaryTagger
from graphsvc.models.facts import Label
from ontology.model import Ontology

# Least probabilities, after calibration.
PRIMARY = 0.5  # of a primary domain: likelier right than wrong; what stays below is out of scope
_SHARED = 0.8  # of two domains together, where a text is about both
_SECONDARY = 0.2  # of a further domain
# An intent says that somebody promised, paid, refused; most texts only tell, so it has to be clear.
_INTENT = 0.6
_FURTHER_INTENT = 0.3  # of an intent beside the first


class Chooser:
    """The rule from probabilities to labels, for one ontology."""

    def __init__(self, ontology: Ontology, dictionary: DictionaryTagger) -> None:
        self._ontology = ontology
        self._dictionary = dictionary
        self._background = {domain.id for domain in ontology.domains if domain.background}
        self._background |= {intent.id for intent in ontology.intents if intent.background}

    def labels(self, opinion: Opinion, asked: Asked) -> tuple[Label, ...]:
        """The primary label first; empty when nothing is likely enough."""
        first = self._first(opinion.domains, opinion.intents)
        if first is None:
            return ()
        entity = opinion.entity or self._dictionary.entity(asked, self._ontology.domain(first[0]))
        sources, acts = opinion.domains.sources, dict(opinion.intents.shares)
        return tuple(
            Label(
                domain=key,
                entity=entity,
                intent=intent,
                probability=round(share, 4),
                intent_probability=None if intent is None else round(acts[intent], 4),
                source=sources[key],
            )
            for key, share, intent in self._combined(first, opinion)
        )

    def _first(self, domains: Ranking, intents: Ranking) -> tuple[str, float] | None:
        """The primary domain, alone or with a second."""
        if not domains.shares:
            return None
        key, share = domains.shares[0]
        if key in self._background:
            clear = self._likely(intents)
            return (key, share) if clear and clear[0] not in self._background else None
        other, less = domains.shares[1] if len(domains.shares) > 1 else ("", 0.0)
        both = less >= _SECONDARY and share + less >= _SHARED and other not in self._background
        return (key, share) if share >= PRIMARY or both else None

    def _combined(self, first: tuple[str, float], opinion: Opinion) -> list[tuple[str, float, str | None]]:
        found = self._likely(opinion.intents)
        intent = found[0] if found else None
        others = [
            (key, share, intent)
            for key, share in opinion.domains.shares
            if share >= _SECONDARY and key != first[0] and key not in self._background
        ]
        return [(*first, intent), *others, *((*first, other) for other in found[1:])]

    def _likely(self, intents: Ranking) -> list[str]:
        """The intent of the text and any further ones; empty when none is clear."""
        if not intents.shares or intents.shares[0][1] < _INTENT:
            return []
        further = [key for key, share in intents.shares[1:] if share >= _FURTHER_INTENT and key not in self._background]
        return [intents.shares[0][0], *further]
