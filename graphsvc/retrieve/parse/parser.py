"""Read a question: what kind of answer it wants, from whom and to whom, about when, of which sort.

Names are found by the graph's own aliases before any model is asked, so a name nobody listed
is known as soon as one memory bears it. What is not said stays open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.aliases import address_parts, name_variants, surname_of_title
from graphsvc.language.claims import asked_about
from graphsvc.language.normalise import fold_key, language_of
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Anchor, Mention, TimeExpression
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.question import Bearer, PersonReference, Question, TimeWindow
from graphsvc.retrieve.parse import wording
from graphsvc.retrieve.parse.namesakes import Lookup, bearers_of, refer
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


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads questions with one ontology's wording and taggers."""

    tagger: Tagger

    def parse(self, asked: Asked, seen: Seen, setting: Setting, *, lookup: Lookup) -> Question:
        """Read one question; `lookup` finds entities by folded alias."""
        text = asked.text
        facts = self.tagger.read(text, seen, setting)
        names = _find_names(text, facts.mentions, lookup)
        speaker = _speaker(asked.by, lookup)
        validity = wording.validity(text)
        holder, attitude = asked_about(text, facts.mentions, setting.speaker)
        return Question(
            text=text,
            language=language_of(text),
            asked_at=asked.at,
            asked_by=None if speaker is None else speaker.entity,
            conversation_id=asked.conversation_id,
            query_type=wording.query_type(text, self.tagger.ontology),
            validity=validity,
            people=_people(text, names, speaker, lookup),
            window=_window(facts.times, asked.at),
            document_types=wording.document_types(text),
            identifiers=tuple(dict.fromkeys(m.key for m in facts.mentions if m.type in _CODES)),
            mentions=facts.mentions,
            amounts=facts.amounts,
            times=facts.times,
            labels=facts.labels,
            senses=facts.senses,
            holder=holder,
            attitude=attitude,
        )


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
    variants = {span: name_variants(text[span[0] : span[1]]) for span in spans}
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
        found = exact or {one for key in variants[start, end] for one in bearers.get(key, ())}
        if found and not any(start < name.end and name.start < end for name in names):
            names.append(_Name(start, end, text[start:end], tuple(known[one] for one in sorted(found))))
    return sorted(names, key=lambda name: name.start)


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


def _people(text: str, names: Sequence[_Name], speaker: Bearer | None, lookup: Lookup) -> tuple[PersonReference, ...]:
    people = [refer(n.text, n.found, _role(text, n), lookup) for n in names]
    if speaker is not None:
        role = wording.role_of_speaker(text)
        if role is not None:
            people.append(PersonReference(name="I", entities=speaker.entities, role=role, bearers=(speaker,)))
    return tuple(people)


def _role(text: str, name: _Name) -> EdgeType | None:
    """The role the words around a name give it; nothing is sent by a product."""
    if all(entity.type == PRODUCT for entity in name.found):
        return None
    return wording.role_of(text, name.start, name.end)


def _window(times: Sequence[TimeExpression], now: datetime) -> TimeWindow | None:
    """The first stretch of the past the question names; times still to come are its subject, not its window.

    "Before March" has no begin: it is the past where its end is not still to come.
    """
    for time in times:
        if time.anchor not in {Anchor.ABSOLUTE, Anchor.SPEAKER}:
            continue
        known = time.begin or time.until
        if known is not None and (known < now if time.begin else known <= now):
            return TimeWindow(begin=time.begin, until=time.until)
    return None
