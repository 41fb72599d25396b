"""Decide which entity a party or a mention is: an address is a person, a name is only a hint.

People are joined by address and by what a text says of its own sender, never by likeness.
A name that several people bear is given to the one its circle points at, else tied to each of
them with its weight divided. What merely sounds alike gets a tie below full weight, as a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphsvc.ingest.resolve.circle import Circle, Scene, employer
from graphsvc.language.aliases import (
    address_names,
    address_parts,
    given_name,
    is_han_name,
    name_variants,
    qualified_name,
    same_name,
    surname_of_title,
)
from graphsvc.language.normalise import fold_key
from graphsvc.language.stopwords import STOP_WORDS
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Mention, Sense
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.memory import MemoryInput, Party
from graphsvc.store.base import Store
from graphsvc.store.directory import entity_id

PERSON = "person"
ORGANISATION = "organisation"
CONCEPT = "concept"
LINKED_TYPES = frozenset({PERSON, ORGANISATION, "place", "product", "identifier", "email"})
# A tie by sound or by title is a proposal: shared by those it may mean, and half of a sure one.
PROPOSED = 0.5
# A name that more than this many bear is tied to none of them: it stays a bare name.
_CROWD = 16
# "采购 张伟：…", "Tom Becker: …": what stands before a first colon may name the speaker.
_HEAD = re.compile(r"^([^\n:：,，。.!?！？]{1,24})[:：]")
# What stands between an organisation and its person, and between a person and their organisation.
_ITS_PERSON = re.compile(r"的?|'s |’s ")
_OF = re.compile(r" (?:from|of) |[(（]")


@dataclass(frozen=True, slots=True)
class Resolved:
    """Whom one memory ties to: its parties, and each mention's entities with a weight."""

    parties: tuple[Party, ...]
    mentioned: tuple[tuple[Entity, float], ...]
    entities: tuple[Entity, ...]


@dataclass(slots=True)
class Resolver:
    """Resolves one batch; entities it opened are known to the rest of the batch."""

    store: Store
    namespace: str
    _circle: Circle = field(init=False)
    _known: dict[EntityId, Entity] = field(default_factory=dict)
    _by_alias: dict[str, set[EntityId]] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._circle = Circle(self.store, self.namespace)

    def resolve(self, memory: MemoryInput, mentions: Sequence[Mention], senses: Sequence[Sense] = ()) -> Resolved:
        """Resolve a memory's parties, then the mentions of its text, fuller names first, then its words' told senses.

        A word of several senses stands for a concept of each: company and fruit are two entities, never one.
        """
        touched: dict[EntityId, Entity] = {}
        parties = self._parties(memory, mentions, touched)
        sender = next((party.entity for party in parties if party.role is EdgeType.SENT_BY), None)
        ties: dict[EntityId, float] = {}
        scene = Scene(parties, sender, memory.conversation_id, frozenset())
        told = [sense for sense in senses if sense.sense is not None]
        linked = [one for one in mentions if one.type in LINKED_TYPES and not _is_concept(one, told)]
        for mention in sorted(linked, key=lambda one: (-len(one.key.split()), -len(one.key), one.start)):
            sure = frozenset(one for one, weight in ties.items() if weight == 1.0)
            scene = Scene(parties, sender, memory.conversation_id, sure)
            for entity, weight in self._mentioned(mention, memory.text, mentions, scene):
                touched[entity.id] = entity
                ties[entity.id] = max(weight, ties.get(entity.id, 0.0))
        for sense in told:
            concept = self._concept(sense)
            touched[concept.id] = concept
            ties.setdefault(concept.id, 1.0)
        certain = {party.entity for party in parties} | {one for one, weight in ties.items() if weight == 1.0}
        self._circle.learn(scene, certain)
        mentioned = tuple((self._known[one], weight) for one, weight in ties.items())
        return Resolved(parties, mentioned, tuple(self._known[one] for one in touched))

    def _concept(self, sense: Sense) -> Entity:
        kind = entity_id(CONCEPT, str(sense.sense))
        return self._merge(kind, CONCEPT, sense.surface, {fold_key(sense.surface)})

    def _parties(
        self, memory: MemoryInput, mentions: Sequence[Mention], touched: dict[EntityId, Entity]
    ) -> tuple[Party, ...]:
        parties = []
        for role, raw in _named_parties(memory):
            entity = self._party(raw)
            if role is EdgeType.SENT_BY:
                entity = self._learn_names(entity, memory.text, mentions)
            # What others call somebody is the graph's to know, not this memory's.
            named = address_parts(raw)
            parties.append(Party(role=role, entity=entity.id, name=named.name or named.address or raw))
            touched[entity.id] = entity
            for called, organisation in self._organisation(raw):
                touched[organisation.id] = organisation
                parties.append(Party(role=role, entity=organisation.id, name=called))
        return tuple(dict.fromkeys(parties))

    def _organisation(self, raw: str) -> tuple[tuple[str, Entity], ...]:
        """The organisation an address belongs to, by the name in its domain; none for public mail providers."""
        found = employer(address_parts(raw).address or "")
        if found is None:
            return ()
        domain, name = found
        return ((name, self._merge(entity_id(ORGANISATION, domain), ORGANISATION, name, {name})),)

    def _party(self, raw: str) -> Entity:
        """The person behind an address, else the one bearer of the name, else a new person."""
        party = address_parts(raw)
        if party.address is not None:
            aliases = {fold_key(party.address), *address_names(party.address)}
            if party.name:
                aliases |= same_name(party.name)
            return self._person(fold_key(party.address), party.name or party.address, aliases)
        bearers = [one for one in self._bearers(same_name(raw)) if one.type == PERSON]
        if len(bearers) == 1:
            return bearers[0]
        base, _ = qualified_name(raw)
        return self._person(fold_key(raw), raw, {base, *same_name(raw)})

    def _person(self, key: str, name: str, aliases: set[str]) -> Entity:
        given = {word for alias in aliases if (word := given_name(alias)) and word not in STOP_WORDS}
        return self._merge(entity_id(PERSON, key), PERSON, name, aliases | given)

    def _learn_names(self, sender: Entity, text: str, mentions: Sequence[Mention]) -> Entity:
        """A text that opens with its sender's own name teaches that name, title included."""
        head = _HEAD.match(text)
        if head is None:
            return sender
        names = [m for m in mentions if m.type == PERSON and m.end <= head.end(1)]
        own = [m for m in names if name_variants(m.text) & set(sender.aliases)]
        if not own:
            return sender
        aliases = {own[0].key}
        if own[0].end == head.end(1):
            aliases.add(fold_key(head.group(1)))
        return self._person(sender.id.removeprefix(f"{PERSON}:"), own[0].text, aliases)

    def _mentioned(
        self, mention: Mention, text: str, mentions: Sequence[Mention], scene: Scene
    ) -> list[tuple[Entity, float]]:
        if mention.type == "email":
            return [(self._party(mention.text), 1.0)]
        if mention.type != PERSON:
            entity = self._merge(entity_id(mention.type, mention.key), mention.type, mention.text, {mention.key})
            return [(entity, 1.0)]
        bearers = [one for one in self._bearers(same_name(mention.text)) if one.type == PERSON]
        bare = entity_id(PERSON, mention.key)
        others = [one for one in bearers if one.id != bare] or bearers
        organisation = _organisation_of(mention, text, mentions)
        theirs = None if organisation is None else self._of(organisation, mention, others)
        if theirs is not None:
            return [(theirs, 1.0)]
        if len(others) > 1:
            chosen = self._circle.choose(others, scene)
            others = others if chosen is None else [chosen]
        if others and others[0].id != bare and len(others) <= _CROWD:
            return [(one, 1.0 / len(others)) for one in others]
        known = self._person(mention.key, mention.text, {mention.key})
        return [(known, 1.0), *self._proposed(mention, scene)]

    def _of(self, organisation: str, mention: Mention, bearers: Sequence[Entity]) -> Entity | None:
        """The bearer who belongs to an organisation; a new one when all known bearers belong elsewhere.

        A bare name belongs nowhere and does not count: what it means is seen when it is looked up.
        """
        bare = entity_id(PERSON, mention.key)
        belonging = {one.id: _organisations(one) for one in bearers if one.id != bare}
        found = [one for one in bearers if organisation in belonging.get(one.id, ())]
        if len(found) == 1:
            return found[0]
        if found or not all(belonging.values()):
            return None
        key = f"{mention.key}({organisation})"
        return self._person(key, f"{mention.text} ({organisation})", {key, mention.key})

    def _proposed(self, mention: Mention, scene: Scene) -> list[tuple[Entity, float]]:
        """People a new name may mean by sound, or by the one surname of a title in its conversation."""
        alike = name_variants(mention.text) - same_name(mention.text)
        found = [one for one in self._bearers(alike) if one.type == PERSON]
        surname = surname_of_title(mention.text)
        if surname is not None:
            ids = {party.entity for party in scene.parties}
            if scene.conversation is not None:
                ids |= self._circle.taking_part(scene.conversation)
            found = [one for one in self._read(ids - {scene.sender}) if _has_surname(one, surname)]
            found = found if len(found) == 1 else []
        bare = entity_id(PERSON, mention.key)
        proposed = [one for one in found if one.id != bare]
        return [(one, PROPOSED / len(proposed)) for one in proposed]

    def _bearers(self, aliases: Iterable[str]) -> list[Entity]:
        wanted = sorted(aliases)
        unasked = [alias for alias in wanted if alias not in self._asked]
        if unasked:
            self._asked.update(unasked)
            for entity in self.store.entities(self.namespace, aliases=unasked):
                if entity.id not in self._known:
                    self._remember(entity)
        ids = sorted({i for alias in wanted for i in self._by_alias.get(alias, ())})
        return [self._known[i] for i in ids]

    def _read(self, ids: Iterable[EntityId]) -> list[Entity]:
        """Entities by id."""
        wanted = sorted(ids)
        missing = [one for one in wanted if one not in self._known]
        for entity in self.store.entities(self.namespace, ids=missing) if missing else ():
            self._remember(entity)
        return [self._known[one] for one in wanted if one in self._known]

    def _merge(self, one: EntityId, kind: str, name: str, aliases: set[str]) -> Entity:
        """Add aliases to an entity, opening it when it is new; a name takes the place of an address."""
        found = self._read([one])
        known = found[0] if found else Entity(id=one, type=kind, name=name)
        better = name if "@" in known.name and "@" not in name else known.name
        update = {"aliases": tuple(sorted({*known.aliases, *aliases})), "name": better}
        entity = known.model_copy(update=update)
        self._remember(entity)
        return entity

    def _remember(self, entity: Entity) -> None:
        self._known[entity.id] = entity
        for alias in entity.aliases:
            self._by_alias.setdefault(alias, set()).add(entity.id)


def _is_concept(mention: Mention, told: Sequence[Sense]) -> bool:
    """A thing named by a word whose sense was told is that sense's concept; a person is not."""
    if mention.type == PERSON:
        return False
    return any(sense.start <= mention.start and mention.end <= sense.end for sense in told)


def _organisation_of(mention: Mention, text: str, mentions: Sequence[Mention]) -> str | None:
    """The organisation a text says a person is of: `Acme的张伟`, `财务部张伟`, `Lena from Acme`."""
    for other in mentions:
        if other.type != ORGANISATION:
            continue
        before = other.end <= mention.start and _ITS_PERSON.fullmatch(text[other.end : mention.start])
        after = mention.end <= other.start and _OF.fullmatch(text[mention.end : other.start])
        if before or after:
            return other.key
    return None


def _organisations(person: Entity) -> frozenset[str]:
    """What a person is known to belong to: the domain of an address, a qualifier of the name."""
    found = employer(person.id)
    qualifier = qualified_name(person.id.removeprefix(f"{PERSON}:"))[1]
    return frozenset((*(found or ()), *((qualifier,) if qualifier else ())))


def _has_surname(person: Entity, surname: str) -> bool:
    return any(is_han_name(alias) and alias.startswith(surname) for alias in person.aliases)


def _named_parties(memory: MemoryInput) -> list[tuple[EdgeType, str]]:
    parties = [(EdgeType.SENT_BY, memory.sender)]
    parties += [(EdgeType.SENT_TO, one) for one in memory.recipients]
    parties += [(EdgeType.CC_TO, one) for one in memory.cc]
    parties += [
        (EdgeType.RESPONSIBLE_FOR, memory.responsible_party),
        (EdgeType.AFFECTED_BY, memory.affected_party),
    ]
    return [(role, raw) for role, raw in parties if raw is not None]
