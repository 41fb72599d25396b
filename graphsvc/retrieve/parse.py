"""Read a question: what kind of answer it wants, from whom and to whom, about when, of which sort.

Names are found by the graph's own aliases before any model is asked, so a name nobody listed
is known as soon as one memory bears it. What is not said stays open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.encoding.base import FloatArray
from graphsvc.language.aliases import address_parts, name_variants
from graphsvc.language.amounts import find_amounts
from graphsvc.language.entities import Gazetteer, find_mentions
from graphsvc.language.labels import LabelTagger
from graphsvc.language.normalise import fold_key, language_of
from graphsvc.language.senses import SenseTagger
from graphsvc.language.times import find_times
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Anchor, Mention, TimeExpression
from graphsvc.models.graph import Entity
from graphsvc.models.question import PersonReference, Question, TimeWindow
from graphsvc.retrieve import wording
from ontology.model import Ontology

Lookup = Callable[[Sequence[str]], list[Entity]]
_WORDS = re.compile(r"[\u4e00-\u9fff·]+|[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ.'-]*")
_LONGEST_NAME_WORDS = 3
_NAMED = frozenset({"person", "organisation"})
_LONGEST_NAME_HAN = 6


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as it came, with who asked, when and where."""

    text: str
    at: datetime
    by: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Name:
    """A stretch of the question that names known entities."""

    start: int
    end: int
    text: str
    entities: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads questions with one ontology's wording and taggers."""

    ontology: Ontology
    labels: LabelTagger
    senses: SenseTagger
    gazetteer: Gazetteer | None = None

    def parse(self, asked: Asked, *, vector: FloatArray | None, lookup: Lookup) -> Question:
        """Read one question; `lookup` finds entities by folded alias."""
        text = asked.text
        mentions = tuple(find_mentions(text, self.gazetteer))
        times = tuple(find_times(text, asked.at))
        names = _find_names(text, mentions, lookup)
        speaker = _speaker(asked.by, lookup)
        validity = wording.validity(text)
        return Question(
            text=text,
            language=language_of(text),
            asked_at=asked.at,
            asked_by=speaker,
            conversation_id=asked.conversation_id,
            query_type=wording.query_type(text, self.ontology),
            validity=validity,
            people=_people(text, names, speaker),
            window=_window(times, asked.at),
            document_types=wording.document_types(text),
            identifiers=tuple(dict.fromkeys(m.key for m in mentions if m.type == "identifier")),
            mentions=mentions,
            amounts=tuple(find_amounts(text)),
            times=times,
            labels=self.labels.tag(text, vector, mentions=mentions),
            senses=self.senses.tag(text, vector=vector),
        )


def _speaker(given: str | None, lookup: Lookup) -> EntityId | None:
    """The person who asks: by address, else the only bearer of the name."""
    if given is None:
        return None
    party = address_parts(given)
    bearers = lookup([fold_key(party.address or given)])
    return bearers[0].id if len(bearers) == 1 else None


def _find_names(text: str, mentions: Sequence[Mention], lookup: Lookup) -> list[_Name]:
    """The longest stretches whose folded form is a person's alias, never inside a longer name."""
    spans = _name_spans(text, mentions)
    variants = {span: name_variants(text[span[0] : span[1]]) for span in spans}
    bearers: dict[str, set[EntityId]] = {}
    for entity in lookup(sorted({key for keys in variants.values() for key in keys})):
        if entity.type in _NAMED:
            for alias in entity.aliases:
                bearers.setdefault(alias, set()).add(entity.id)
    names: list[_Name] = []
    for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        exact = bearers.get(fold_key(text[start:end]), set())
        found = exact or {one for key in variants[start, end] for one in bearers.get(key, ())}
        if found and not any(start < name.end and name.start < end for name in names):
            names.append(_Name(start, end, text[start:end], tuple(sorted(found))))
    return sorted(names, key=lambda name: name.start)


def _name_spans(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Every stretch that could be a name: runs of Han characters and of Latin words, and mentions."""
    people = [(m.start, m.end) for m in mentions if m.type == "person"]
    spans = dict.fromkeys(people)
    words = list(_WORDS.finditer(text))
    for index, word in enumerate(words):
        first, last = word.span()
        if "\u4e00" <= text[first] <= "\u9fff":
            for start in range(first, last - 1):
                for end in range(start + 2, min(start + _LONGEST_NAME_HAN, last) + 1):
                    spans.setdefault((start, end))
        else:
            for follower in words[index : index + _LONGEST_NAME_WORDS]:
                spans.setdefault((first, follower.end()))
    return [s for s in spans if not any(p[0] <= s[0] and s[1] <= p[1] and s != p for p in people)]


def _people(text: str, names: Sequence[_Name], asked_by: EntityId | None) -> tuple[PersonReference, ...]:
    people = [
        PersonReference(name=n.text, entities=n.entities, role=wording.role_of(text, n.start, n.end)) for n in names
    ]
    if asked_by is not None:
        role = wording.role_of_speaker(text)
        if role is not None:
            people.append(PersonReference(name="I", entities=(asked_by,), role=role))
    return tuple(people)


def _window(times: Sequence[TimeExpression], now: datetime) -> TimeWindow | None:
    """The first stretch of the past the question names; times still to come are its subject, not its window."""
    for time in times:
        past = time.begin is not None and time.begin < now
        if past and time.anchor in {Anchor.ABSOLUTE, Anchor.SPEAKER}:
            return TimeWindow(begin=time.begin, until=time.until)
    return None
