"""Read a question: what kind of answer it wants, from whom and to whom, about when, of which sort.

Names are found by the graph's own aliases before any model is asked, so a name nobody listed
is known as soon as one memory bears it. What is not said stays open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphsvc.language.aliases import address_parts, surname_of_title
from graphsvc.language.claims import asked_about
from graphsvc.language.normalise import fold_key, language_of
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Facts, Mention
from graphsvc.models.graph import Entity
from graphsvc.models.question import Bearer, PersonReference, Question, QuestionPart
from graphsvc.retrieve.parse import aspects, organisations, wording
from graphsvc.retrieve.parse.given_names import bearers_by_given, given_names
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.namesakes import Lookup, bearers_of, variants_of
from graphsvc.retrieve.parse.parties import Span
from graphsvc.retrieve.parse.roles import Directions, directions
from graphsvc.retrieve.parse.route import route
from graphsvc.retrieve.parse.split import parts_of
from graphsvc.retrieve.parse.validity import validity
from graphsvc.retrieve.parse.window import meant_past, window
from graphsvc.store.directory import is_bare
from graphsvc.understand.tagger import Seen, Setting, Tagger

_WORDS = re.compile(r"[\u4e00-\u9fff·]+|[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ.'-]*")
_LONGEST_NAME_WORDS = 3
# Verbs of sending and saying that a tagger glues to the name before them.
_VERB = re.compile("[发寄写说讲问回转抄传][来出给了过]?")
_NAMED = frozenset({"person", "organisation"})
# What differs in one digit is another one.
_CODES = frozenset({"identifier", "ip"})
# A product is looked for by its other names once it has some; by its own, words find it.
PRODUCT = "product"
_LONGEST_NAME_HAN = 6
# Some two hundred Han characters have so many stretches; further on a name is known as it is written, not by its sound,
# for romanising a stretch is dear.
_MOST_ROMANISED = 1000


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
    found: tuple[Entity, ...]
    also: tuple[EntityId, ...] = ()
    """The given name by itself, where memories speak of nobody else by it."""


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads questions with one ontology's wording and taggers."""

    tagger: Tagger
    kinds: KindReader = field(default_factory=KindReader)

    def parse(self, asked: Asked, seen: Seen, setting: Setting, *, lookup: Lookup) -> Question:
        """Read one question; `lookup` finds entities by folded alias."""
        text = asked.text
        facts = self.tagger.read(text, seen, setting)
        names = _with_given(text, facts.mentions, _find_names(text, facts.mentions, lookup), lookup)
        spans = [(name.start, name.end) for name in names]
        times = [(time.start, time.end) for time in facts.times]
        given = directions(text, _party_spans(names, facts.mentions), times)
        parts = parts_of(text, spans, times)
        kind, probability = self.kinds.read(text, seen.vector, self.tagger.ontology)
        speaker = _speaker(asked.by, lookup)
        people = _people(names, given, parts, lookup)
        if not parts:  # in a compound question each part has its own sender
            people += _askers(given, speaker, asked.by, lookup)
        validity_asked = validity(text)
        holder, attitude = asked_about(text, facts.mentions, setting.speaker)
        return Question(
            text=text,
            language=language_of(text),
            asked_at=asked.at,
            asked_by=None if speaker is None else speaker.entity,
            conversation_id=asked.conversation_id,
            query_type=kind,
            query_type_probability=probability,
            route=route(text, kind, validity_asked),
            parts=parts,
            negated=aspects.negated(text),
            own_words=aspects.own_words(text),
            sides=aspects.sides(text),
            validity=validity_asked,
            people=people,
            window=window(
                text,
                meant_past(text, kind, facts.times, asked.at),
                asked.at,
                directed=any(one.role is not None for one in people),
            ),
            document_types=wording.document_types(text),
            identifiers=_identifiers(facts),
            mentions=facts.mentions,
            amounts=facts.amounts,
            times=facts.times,
            labels=facts.labels,
            senses=facts.senses,
            holder=holder,
            attitude=attitude,
        )


def _identifiers(facts: Facts) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.key for m in facts.mentions if m.type in _CODES))


def _speaker(given: str | None, lookup: Lookup) -> Bearer | None:
    """The person who asks: by address, else the only bearer of the name."""
    if given is None:
        return None
    party = address_parts(given)
    bearers = bearers_of(lookup([fold_key(party.address or given)]))
    return bearers[0] if len(bearers) == 1 else None


def _find_names(text: str, mentions: Sequence[Mention], lookup: Lookup) -> list[_Name]:
    """The longest stretches whose folded form is a person's alias, never inside a longer name."""
    spans = _name_spans(text, mentions)
    variants = {span: _forms(text[slice(*span)]) for span in spans[:_MOST_ROMANISED]}
    variants |= {span: frozenset({fold_key(text[slice(*span)])}) for span in spans[_MOST_ROMANISED:]}
    known: dict[EntityId, Entity] = {}
    bearers: dict[str, set[EntityId]] = {}
    for entity in lookup(sorted({key for keys in variants.values() for key in keys})):
        if entity.type in _NAMED or (entity.type == PRODUCT and len(entity.aliases) > 1):
            known[entity.id] = entity
            for alias in entity.aliases:
                bearers.setdefault(alias, set()).add(entity.id)
    names: list[_Name] = []
    for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        exact = bearers.get(fold_key(text[start:end]), set())
        any_form = {one for key in variants[start, end] for one in bearers.get(key, ())}
        domains = [known[one] for one in sorted(any_form)]
        meant = organisations.with_people(text[start:end], [known[one] for one in sorted(exact or any_form)], domains)
        if meant and not any(start < name.end and name.start < end for name in names):
            names.append(_Name(start, end, text[start:end], meant))
    return sorted(names, key=lambda name: name.start)


def _forms(stretch: str) -> frozenset[str]:
    return variants_of(stretch) | organisations.domain_labels(stretch)


def _with_given(text: str, mentions: Sequence[Mention], names: Sequence[_Name], lookup: Lookup) -> list[_Name]:
    """Names with those whom a given name of two Han characters means: 文柏 for 戚文柏."""
    bare = {(one.start, one.end): one for one in names if all(is_bare(entity) for entity in one.found)}
    spans = given_names(text, mentions, [(n.start, n.end) for n in names if (n.start, n.end) not in bare])
    spans = [one for one in spans if one in bare or not any(one[0] < n.end and n.start < one[1] for n in names)]
    meant = bearers_by_given([text[slice(*one)] for one in spans], lookup)
    full = {}
    for span in spans:
        found, same = meant.get(text[slice(*span)], ()), bare.get(span)
        if found:
            also = () if same is None else tuple(entity.id for entity in same.found)
            full[span] = _Name(*span, text[slice(*span)], found, also)
    kept = [one for one in names if (one.start, one.end) not in full]
    return sorted([*kept, *full.values()], key=lambda name: name.start)


def _name_spans(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Every stretch that could be a name: runs of Han characters and of Latin words, and mentions."""
    people = [(m.start, m.end) for m in mentions if m.type in {"person", "email"}]
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
    return [s for s in spans if not any(p[0] <= s[0] and s[1] <= p[1] and not _stands(text, s, p) for p in people)]


def _stands(text: str, span: tuple[int, int], person: tuple[int, int]) -> bool:
    """Whether a stretch of what was taken for a person may be the name, and the rest not part of it.

    The taggers take 张伟发 (张伟 sent) and 老张休假 (old Zhang is on leave) for names; 王伟 is no part of 王伟明.
    """
    if span == person:
        return True
    rest = text[span[1] : person[1]]
    titled = surname_of_title(text[span[0] : span[1]]) is not None
    return span[0] == person[0] and (titled or _VERB.fullmatch(rest) is not None)


def _party_spans(names: Sequence[_Name], mentions: Sequence[Mention]) -> list[Span]:
    """Known names, and people and organisations that no memory names yet: they too send and receive.

    What was taken for a name with its verb (张伟发) counts by the known name inside; nothing is sent by a product.
    """
    spans = [(one.start, one.end) for one in names if any(entity.type != PRODUCT for entity in one.found)]
    found = [(m.start, m.end) for m in mentions if m.type in {*_NAMED, "email"}]
    return spans + [one for one in found if not any(one[0] < s[1] and s[0] < one[1] for s in spans)]


def _people(
    names: Sequence[_Name], given: Directions, parts: Sequence[QuestionPart], lookup: Lookup
) -> tuple[PersonReference, ...]:
    """Whom the question names; one whom only some of its parts name has no role in the whole."""
    people = []
    for name in names:
        shared = all(name.text in part.text for part in parts)
        role = given.names.get((name.start, name.end)) if shared else None
        person = organisations.refer_to_organisation(name.text, name.found, role, lookup)
        people.append(person.model_copy(update={"entities": (*person.entities, *name.also)}) if name.also else person)
    return tuple(people)


def _askers(
    given: Directions, speaker: Bearer | None, asker: str | None, lookup: Lookup
) -> tuple[PersonReference, ...]:
    """The asker as "I" and the asker's organisation as "we", where the question gives them a role."""
    found = []
    if speaker is not None and given.me is not None:
        found.append(PersonReference(name="I", entities=speaker.entities, role=given.me, bearers=(speaker,)))
    if given.we is not None:
        ours = organisations.asker_organisation(asker, lookup)
        if ours:
            entities = tuple(one.id for one in ours)
            found.append(PersonReference(name="we", entities=entities, role=given.we, bearers=bearers_of(ours)))
    return tuple(found)
