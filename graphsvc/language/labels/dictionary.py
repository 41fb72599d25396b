"""Speak for classes by the words of a text: keywords of domains, wording of intents, nouns of entity types.

Needs nothing but the ontology, so it always has an opinion. Beside a classifier its findings are
log-odds that are added to the classifier's own; alone they must say more before a class is lifted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.language.keywords import KeywordIndex
from graphsvc.language.labels.ambiguity import Ambiguity
from graphsvc.language.labels.base import Asked, Opinion, Ranking, Source, ranked
from graphsvc.language.normalise import fold
from graphsvc.language.segment import index_tokens
from graphsvc.models.facts import Label
from ontology.model import Domain, Intent, Ontology, Words

# Weights of keywords and wording stay below what the library's examples ask for, since the same hands wrote both.
_KEYWORD = 1.2  # log-odds one keyword adds
_WORDING = 2.0  # log-odds a matching pattern adds
_CONTEXT = 0.8  # log-odds a label of certainty said just before adds to its domain
_FADING = 0.5  # what is left of it one label further back
_MOST_KEYWORDS = 3.0
# Alone, the dictionary must say more: one keyword just lifts its domain, two that disagree lift none.
_ALONE = 3.0  # times the log-odds it has beside a classifier
_UNKNOWN = 2.5  # log-odds of the background where no classifier speaks
_MENTIONED, _SPOKEN_OF, _EXPECTED = 1.0, 0.8, 0.6


@dataclass(frozen=True, slots=True)
class Said:
    """Log-odds by class id, and the classes the text's own words name (the conversation's topic is no word)."""

    log_odds: Mapping[str, float]
    named: frozenset[str]


class DictionaryTagger:
    """Keywords, wording and entity rules of one ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        surfaces = {_form(surface) for word in ontology.sense_words for surface in word.surfaces.all}
        self._owners: dict[str, list[str]] = {}
        for domain in ontology.domains:
            for form in dict.fromkeys(_form(word) for word in domain.keywords.all):
                self._owners.setdefault(form, []).append(domain.id)
        self._keywords = KeywordIndex(
            {one.id: _those(one.keywords, lambda word: _form(word) not in surfaces) for one in ontology.domains}
        )
        # Keywords of several senses, each by itself, for a text may settle one and not another.
        self._ambiguous = KeywordIndex({form: Words(zh=(form,)) for form in self._owners if form in surfaces})
        self._senses = Ambiguity(ontology)
        self._nouns = KeywordIndex({kind.id: kind.keywords for kind in ontology.entity_types})

    def judge(self, asked: Asked) -> Opinion:
        """An opinion on words alone; the background leads where they say nothing."""
        return Opinion(
            self._alone(self._ontology.domains, self.domains(asked)),
            self._alone(self._ontology.intents, self.intents(asked)),
        )

    def domains(self, asked: Asked) -> Said:
        """What keywords, told senses and the conversation's topic say of the domains."""
        hits = self._hits(asked)
        said = {key: _KEYWORD * min(count, _MOST_KEYWORDS) for key, count in hits.items()}
        for key, weight in self._topic(asked.context).items():
            said[key] = said.get(key, 0.0) + weight
        return Said(said, frozenset(hits))

    def intents(self, asked: Asked) -> Said:
        """What the wording says of the intents."""
        worded = [one.id for one in self._ontology.intents if one.patterns.found_in(asked.reading.text)]
        return Said(dict.fromkeys(worded, _WORDING), frozenset(worded))

    def entity(self, asked: Asked, domain: Domain | None) -> str | None:
        """The entity type with most said of it; the domain's usual types break ties."""
        votes: dict[str, float] = {}
        for kind, count in self._nouns.hits(asked.reading).items():
            votes[kind] = votes.get(kind, 0.0) + _SPOKEN_OF * min(count, 2.0)
        for mention in asked.mentions:
            if self._ontology.entity_type(mention.type) is not None:
                votes[mention.type] = votes.get(mention.type, 0.0) + _MENTIONED
        expected = () if domain is None else domain.entities
        for place, kind in enumerate(expected):
            if kind in votes:
                votes[kind] += _EXPECTED / (place + 1)
        return max(sorted(votes), key=lambda kind: votes[kind]) if votes else None

    def _hits(self, asked: Asked) -> dict[str, float]:
        """How many keywords of each domain occur; one of several senses is a keyword of its sense's domain alone."""
        hits = self._keywords.hits(asked.reading)
        settled = {_form(sense.surface) for sense in asked.senses}
        for form in self._ambiguous.hits(asked.reading):
            owners = () if form in settled else self._owners[form]
            for owner in owners:
                hits[owner] = hits.get(owner, 0.0) + 1.0 / len(owners)
        for domain in self._senses.told(asked.senses):
            hits[domain] = hits.get(domain, 0.0) + 1.0
        return hits

    def _topic(self, context: Sequence[Label]) -> dict[str, float]:
        """The prior of what was said before: the newest label counts most, the background's none."""
        prior: dict[str, float] = {}
        weight = _CONTEXT
        for label in context:
            domain = self._ontology.domain(label.domain)
            if domain is not None and not domain.background:
                prior[domain.id] = prior.get(domain.id, 0.0) + weight * label.probability
                weight *= _FADING
        return prior

    def _alone(self, entries: Sequence[Domain] | Sequence[Intent], said: Said) -> Ranking:
        ids = [entry.id for entry in entries]
        base = [_UNKNOWN if entry.background else 0.0 for entry in entries]
        told = [_ALONE * said.log_odds.get(key, 0.0) for key in ids]
        return ranked(
            ids, np.array(base, np.float32) + np.array(told, np.float32), dict.fromkeys(ids, Source.DICTIONARY)
        )


def _form(word: str) -> str:
    """A word as two of one form are compared: folded, English endings aside."""
    folded = fold(word).text.strip()
    return " ".join(index_tokens(folded)) if folded.isascii() and folded.isalpha() else folded


def _those(words: Words, wanted: Callable[[str], bool]) -> Words:
    return Words(zh=tuple(filter(wanted, words.zh)), en=tuple(filter(wanted, words.en)))
