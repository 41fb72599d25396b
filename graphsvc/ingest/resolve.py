"""Decide which entity a party or a mention is: an address is a person, a name is only a hint.

People are joined by address and by what a text says of its own sender, never by likeness.
A name that several people bear is tied to each of them, with its weight divided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphsvc.language.aliases import address_names, address_parts, name_variants
from graphsvc.language.normalise import fold_key
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Mention
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.memory import MemoryInput, Party
from graphsvc.store.base import Store

PERSON = "person"
ORGANISATION = "organisation"
LINKED_TYPES = frozenset({PERSON, "organisation", "place", "product", "identifier", "email"})
# Domains where an address says nothing of an employer.
PUBLIC_MAIL = frozenset(
    {
        "126.com",
        "163.com",
        "aol.com",
        "foxmail.com",
        "gmail.com",
        "gmx.de",
        "hotmail.com",
        "icloud.com",
        "live.com",
        "mail.com",
        "mail.ru",
        "me.com",
        "outlook.com",
        "proton.me",
        "protonmail.com",
        "qq.com",
        "sina.com",
        "sohu.com",
        "yahoo.com",
        "yandex.ru",
        "yeah.net",
    }
)
_SHORTEST_GIVEN_NAME = 3
# "采购 张伟：…", "Tom Becker: …": what stands before a first colon may name the speaker.
_HEAD = re.compile(r"^([^\n:：,，。.!?！？]{1,24})[:：]")


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
    _known: dict[EntityId, Entity] = field(default_factory=dict)
    _by_alias: dict[str, set[EntityId]] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)

    def resolve(self, memory: MemoryInput, mentions: Sequence[Mention]) -> Resolved:
        """Resolve a memory's parties, then the mentions of its text."""
        touched: dict[EntityId, Entity] = {}
        parties = self._parties(memory, mentions, touched)
        mentioned: dict[EntityId, tuple[Entity, float]] = {}
        for mention in mentions:
            if mention.type in LINKED_TYPES:
                found = self._mentioned(mention)
                for entity in found:
                    touched[entity.id] = entity
                    mentioned.setdefault(entity.id, (entity, 1.0 / len(found)))
        return Resolved(parties, tuple(mentioned.values()), tuple(touched.values()))

    def _parties(
        self, memory: MemoryInput, mentions: Sequence[Mention], touched: dict[EntityId, Entity]
    ) -> tuple[Party, ...]:
        parties = []
        for role, raw in _named_parties(memory):
            entity = self._party(raw)
            if role is EdgeType.SENT_BY:
                entity = self._learn_names(entity, memory.text, mentions)
            for one in (entity, *self._organisation(raw)):
                touched[one.id] = one
                parties.append(Party(role=role, entity=one.id, name=one.name))
        return tuple(dict.fromkeys(parties))

    def _organisation(self, raw: str) -> tuple[Entity, ...]:
        """The organisation an address belongs to, known by its domain; none for public mail providers."""
        address = address_parts(raw).address
        domain = "" if address is None else address.rpartition("@")[2]
        labels = domain.split(".")
        if len(labels) < 2 or domain in PUBLIC_MAIL:
            return ()
        short = len(labels) > 2 and len(labels[-2]) <= 3  # co.uk, com.cn
        name = labels[-3] if short else labels[-2]
        return (self._merge(EntityId(f"{ORGANISATION}:{domain}"), ORGANISATION, name, {name}),)

    def _party(self, raw: str) -> Entity:
        """The person behind an address, else the one bearer of the name, else a new person."""
        party = address_parts(raw)
        if party.address is not None:
            aliases = {fold_key(party.address), *address_names(party.address)}
            name = party.name or party.address
            if party.name:
                aliases |= {fold_key(party.name)}
            aliases |= {given for alias in sorted(aliases) for given in _given_name(alias)}
            return self._merge(EntityId(f"{PERSON}:{fold_key(party.address)}"), PERSON, name, aliases)
        key = fold_key(raw)
        bearers = [e for e in self._bearers(name_variants(raw)) if e.type == PERSON]
        if len(bearers) == 1:
            return bearers[0]
        return self._merge(EntityId(f"{PERSON}:{key}"), PERSON, raw, {key, *_given_name(key)})

    def _learn_names(self, sender: Entity, text: str, mentions: Sequence[Mention]) -> Entity:
        """A text that opens with its sender's own name teaches that name, title included."""
        head = _HEAD.match(text)
        if head is None:
            return sender
        names = [m for m in mentions if m.type == PERSON and m.end <= head.end(1)]
        own = [m for m in names if name_variants(m.text) & set(sender.aliases)]
        if not own:
            return sender
        aliases = {own[0].key, *_given_name(own[0].key)}
        if own[0].end == head.end(1):
            aliases.add(fold_key(head.group(1)))
        return self._merge(sender.id, PERSON, sender.name, aliases)

    def _mentioned(self, mention: Mention) -> list[Entity]:
        if mention.type == "email":
            return [self._party(mention.text)]
        if mention.type == PERSON:
            bearers = [e for e in self._bearers(name_variants(mention.text)) if e.type == PERSON]
            if bearers:
                return bearers
        entity_id = EntityId(f"{mention.type}:{mention.key}")
        return [self._merge(entity_id, mention.type, mention.text, {mention.key})]

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

    def _merge(self, entity_id: EntityId, kind: str, name: str, aliases: set[str]) -> Entity:
        known = self._known.get(entity_id)
        if known is None:
            stored = self.store.entities(self.namespace, ids=[entity_id])
            known = stored[0] if stored else Entity(id=entity_id, type=kind, name=name)
        entity = known.model_copy(update={"aliases": tuple(sorted({*known.aliases, *aliases}))})
        self._remember(entity)
        return entity

    def _remember(self, entity: Entity) -> None:
        self._known[entity.id] = entity
        for alias in entity.aliases:
            self._by_alias.setdefault(alias, set()).add(entity.id)


def _given_name(key: str) -> tuple[str, ...]:
    """The first word of a Latin full name: people are asked for by it, ambiguous as it may be."""
    words = key.split(" ")
    return (words[0],) if len(words) > 1 and words[0].isascii() and len(words[0]) >= _SHORTEST_GIVEN_NAME else ()


def _named_parties(memory: MemoryInput) -> list[tuple[EdgeType, str]]:
    parties = [(EdgeType.SENT_BY, memory.sender)]
    parties += [(EdgeType.SENT_TO, one) for one in memory.recipients]
    parties += [(EdgeType.CC_TO, one) for one in memory.cc]
    parties += [
        (EdgeType.RESPONSIBLE_FOR, memory.responsible_party),
        (EdgeType.AFFECTED_BY, memory.affected_party),
    ]
    return [(role, raw) for role, raw in parties if raw is not None]
