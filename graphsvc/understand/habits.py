"""What a user's own memories tell of the senses they usually mean.

Asked only for words that text and conversation left open; the newest of the author's memories in
which such a word was settled are counted, and those where somebody set it right count most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.normalise import fold_key
from graphsvc.language.senses import Use, count_uses, habits_of
from graphsvc.models.facts import SenseSource
from graphsvc.store.base import Store
from graphsvc.store.filters import Op, both, compare, eq, one_of
from graphsvc.understand.tagger import Setting, speaker_name
from graphsvc.understand.topic import Topic
from ontology.model import Ontology

# The newest memories that are looked at: habits change, and a question cannot wait for a whole life.
_MOST_MEMORIES = 60
_DAY = 86_400.0


def setting_of(
    store: Store, ontology: Ontology, namespace: str, *, author: str | None, at: datetime, topic: Topic
) -> Setting:
    """What a text is read against that `author`, a sender as it was given, said at `at` in a talk of that topic."""
    return Setting(at, speaker_name(author), topic, AuthorHabits(store, ontology, namespace, author, at))


@dataclass(frozen=True, slots=True)
class AuthorHabits:
    """Habits of one author as of a moment; without an author, of the whole namespace."""

    store: Store
    ontology: Ontology
    namespace: str
    author: str | None
    at: datetime

    def __call__(self, surfaces: Sequence[str]) -> Mapping[str, float]:
        """How often each sense of these surfaces is meant, in [0, 1), by sense id; empty where nothing is known."""
        senses = [sense for surface in surfaces for sense in _senses_of(self.ontology, surface)]
        if not senses:
            return {}
        where = both(one_of("sense", senses), compare("event_time", Op.LTE, self.at))
        if self.author is not None:
            where = both(eq("sender", self.author), where)
        uses: list[Use] = []
        corrections: Counter[str] = Counter()
        for memory in self.store.page(self.namespace, where, limit=_MOST_MEMORIES).memories:
            age = (self.at - memory.event_time).total_seconds() / _DAY
            for sense in memory.facts.senses:
                if sense.sense is None or sense.sense not in senses:
                    continue
                if sense.source is SenseSource.CORRECTION:
                    corrections[sense.sense] += 1
                elif sense.source is not SenseSource.HABITS:  # a guess from habit must not feed it
                    uses.append(Use(sense.sense, sense.probability, age))
        return habits_of(count_uses(uses), corrections)


def _senses_of(ontology: Ontology, surface: str) -> list[str]:
    """The sense ids of the inventory's words that are written so."""
    key = fold_key(surface)
    return [
        sense.id
        for word in ontology.sense_words
        if any(fold_key(form) == key for form in word.surfaces.all)
        for sense in word.senses
    ]
