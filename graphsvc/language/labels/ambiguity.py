"""Weigh what the senses of a text's ambiguous words say of its domain, and what a vector wrongly heard in them.

A vector hears the commonest sense of a word wherever the word stands. How much it hears is measured on the library:
what the example sentences of a word's other senses give a domain, beyond what sentences of their subject usually
do. That is taken back while the sense is open or told otherwise; a told sense speaks for its own domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.language.normalise import fold
from graphsvc.models.facts import Sense, SenseSource
from ontology.model import Ontology, SenseWord

# Log-odds, from our own sentences: of 43 told senses 32 had the domain of their text (one of fifteen without them),
# and none of the texts had the domain of another sense of that word. Half of it is a keyword's, see the dictionary.
_TOLD, _OTHERWISE = 1.2, 1.8
_CORRECTED = 2.8  # a person's word; the taggers' mistakes are not in it

Pulls = Mapping[tuple[str, str], float]
Logits = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class Weighed:
    """Log-odds by domain: `added` by told senses, `taken` off for what was heard in a word but not told of it.

    `doubt` in [0, 1] is how much of what is taken off is left to no domain at all, rather than to the others.
    """

    added: Mapping[str, float]
    taken: Mapping[str, float]
    doubt: Mapping[str, float]


class Ambiguity:
    """The words of one inventory and their domains."""

    def __init__(self, ontology: Ontology) -> None:
        self._words = {fold(surface).text: word for word in ontology.sense_words for surface in word.surfaces.all}
        self._of_sense = {sense.id: (word, sense.domain) for word in ontology.sense_words for sense in word.senses}

    def told(self, senses: Sequence[Sense]) -> dict[str, float]:
        """Domains of told senses, with the log-odds each gets beside a vector."""
        found: dict[str, float] = {}
        for one in senses:
            known = self._of_sense.get(one.sense or "")
            if known is not None:
                weight = _CORRECTED if one.source is SenseSource.CORRECTION else _TOLD
                found[known[1]] = max(weight, found.get(known[1], 0.0))
        return found

    def weigh(self, senses: Sequence[Sense], pulls: Pulls) -> Weighed:
        """What is to be added and taken back; a domain that some word's told sense has keeps what it has."""
        added = self.told(senses)
        taken: dict[str, float] = {}
        doubt: dict[str, float] = {}
        for one in senses:
            word, own = self._of_sense.get(one.sense or "", (self._words.get(fold(one.surface).text), None))
            for domain in () if word is None else _domains(word):
                if domain in added:
                    continue
                heard = max(pulls.get((word.id, domain), 0.0), 0.0) if word else 0.0
                taken[domain] = max(heard + (_OTHERWISE if own else 0.0), taken.get(domain, 0.0))
                doubt[domain] = max(1.0 - one.probability if own else 1.0, doubt.get(domain, 0.0))
        return Weighed(added, taken, doubt)


def measure_pulls(ontology: Ontology, ids: Sequence[str], logits: Logits) -> dict[tuple[str, str], float]:
    """Log-odds that a word lends, by its mere presence, to each domain of its senses; by word and domain.

    `logits` gives texts' log-probabilities over the domains `ids`, `(n, ids)`.
    """
    rows = [
        (word, sense.domain, text)
        for word in ontology.sense_words
        for sense in word.senses
        for text in sense.examples.all
    ]
    if not rows:
        return {}
    scores = logits([text for _, _, text in rows])
    owners = np.array([word.id for word, _, _ in rows])
    subjects = np.array([domain for _, domain, _ in rows])
    pulls = {}
    for at, domain in enumerate(ids):
        others = subjects != domain
        usual = scores[others, at].mean() if others.any() else 0.0
        for word in ontology.sense_words:
            heard = others & (owners == word.id)
            if domain in _domains(word) and heard.any():
                pulls[word.id, domain] = float(scores[heard, at].mean() - usual)
    return pulls


def _domains(word: SenseWord) -> list[str]:
    return list(dict.fromkeys(sense.domain for sense in word.senses))
