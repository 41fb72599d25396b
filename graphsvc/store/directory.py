"""Who bears a name: entities as the identities they make, by merges, by the table, and by bare names.

A bare name (a mention without an address) is nobody of its own while somebody else bears it: with
one bearer it is theirs, with several it stays open. So a name met before its address, and one met
after, mean the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphsvc.models.base import EntityId
from graphsvc.models.graph import Entity
from graphsvc.models.identity import Alias, Identity, Merge
from graphsvc.store.base import Store

NAMED = frozenset({"person", "organisation", "product"})
# A name that this many bear tells nobody apart; folding its bearers would only cost.
_CROWD = 64


def entity_id(kind: str, key: str) -> EntityId:
    """The id of what is known by one folded name, address or code."""
    return EntityId(f"{kind}:{key}")


def is_bare(entity: Entity) -> bool:
    """Whether an entity is known by its name alone."""
    return "@" not in entity.id and entity.id.removeprefix(f"{entity.type}:") in entity.aliases


@dataclass(frozen=True, slots=True)
class Directory:
    """The identities of one namespace, as they stand now."""

    store: Store
    namespace: str

    def bearers(self, keys: Sequence[str]) -> list[Entity]:
        """Entities that bear one of the folded names, and all that are one with them, by id.

        Those of one identity share their aliases and the `same_as` that stands for them.
        """
        direct = self.store.entities(self.namespace, aliases=keys)
        rows = self.store.identities.aliases(self.namespace, keys=keys)
        named = {one.id: one for one in direct if one.type in NAMED}
        others = [one for one in direct if one.type not in NAMED]
        if not named and not rows:
            return others
        if len(named) > _CROWD:
            return direct
        group = _Groups(self.store, self.namespace)
        found = group.of([*named, *(row.entity for row in rows)])
        return sorted((*others, *found), key=lambda one: one.id)

    def identities(self, entities: Sequence[EntityId]) -> list[Identity]:
        """The identities these entities belong to, by the entity that stands for each."""
        return identities_of(_Groups(self.store, self.namespace).of(entities))


def distinct(entities: Iterable[Entity]) -> dict[EntityId, list[Entity]]:
    """Entities by identity; a bare name that several bear is left with each of them, and is no bearer itself."""
    found: dict[EntityId, list[Entity]] = defaultdict(list)
    for entity in entities:
        found[entity.same_as or entity.id].append(entity)
    full = {one: members for one, members in found.items() if not _loose(members, found)}
    return full or dict(found)


def identities_of(entities: Iterable[Entity]) -> list[Identity]:
    """One record an identity, from entities as a directory gives them."""
    found: dict[EntityId, list[Entity]] = defaultdict(list)
    for entity in entities:
        found[entity.same_as or entity.id].append(entity)
    return [
        Identity(
            entity=one,
            type=members[0].type,
            name=_display_name(one, members),
            members=tuple(sorted(member.id for member in members)),
            aliases=tuple(sorted({alias for member in members for alias in member.aliases})),
        )
        for one, members in sorted(found.items())
    ]


def _loose(members: Sequence[Entity], found: Mapping[EntityId, Sequence[Entity]]) -> bool:
    """A lone bare name that others bear too."""
    if len(members) != 1 or not is_bare(members[0]):
        return False
    key = members[0].id.removeprefix(f"{members[0].type}:")
    return any(key in other.aliases for group in found.values() if group is not members for other in group)


def _display_name(one: EntityId, members: Sequence[Entity]) -> str:
    """What to call them: a name rather than an address, their own before another's, the fullest of those."""
    ranked = sorted(members, key=lambda m: ("@" in m.name, m.id != one, -len(m.name), m.name))
    return ranked[0].name


@dataclass(slots=True)
class _Groups:
    """Gathers identities for one question; what was read once is not read again."""

    store: Store
    namespace: str
    _entities: dict[EntityId, Entity] = field(default_factory=dict)
    _owners: dict[str, frozenset[EntityId]] = field(default_factory=dict)

    def of(self, seeds: Sequence[EntityId]) -> list[Entity]:
        """Every entity of the seeds' identities, known by its identity."""
        seeds = self._settled(dict.fromkeys(seeds))
        links = self.store.identities.links(self.namespace, list(seeds))
        roots = _roots(seeds, links)
        rows = self.store.identities.aliases(self.namespace, entities=list(roots))
        self._read(roots)
        for one in roots:
            self._entities.setdefault(one, _unmet(one, [row for row in rows if row.entity == one]))
        names: dict[EntityId, set[str]] = defaultdict(set)
        for one, root in roots.items():
            names[root] |= {*self._entities[one].aliases, *(row.key for row in rows if row.entity == one)}
        self._fold(roots, names)
        called = {row.entity: row.alias for row in reversed(rows) if "@" not in row.alias}
        return [self._one(one, root, names[root], called.get(one)) for one, root in sorted(roots.items())]

    def _one(self, one: EntityId, root: EntityId, names: set[str], called: str | None) -> Entity:
        """An entity under all the names of its identity, and called by the user's own word before an address."""
        entity = self._entities[one]
        name = called if called is not None and "@" in entity.name else entity.name
        aliases = tuple(sorted({*entity.aliases, *names}))
        return entity.model_copy(update={"name": name, "same_as": root, "aliases": aliases})

    def _settled(self, seeds: Iterable[EntityId]) -> list[EntityId]:
        """Seeds with each bare name replaced by its only bearer, if it has one."""
        wanted = list(seeds)
        self._read(wanted)
        found = []
        for one in wanted:
            entity = self._entities.get(one)
            owner = None if entity is None else self._owner(entity, frozenset())
            found.append(owner or one)
        return list(dict.fromkeys(found))

    def _fold(self, roots: dict[EntityId, EntityId], names: Mapping[EntityId, set[str]]) -> None:
        """Add the bare names that are an identity's alone."""
        bare = {entity_id(root.partition(":")[0], key): root for root, keys in names.items() for key in keys}
        self._read([one for one in bare if one not in roots])
        for one in sorted(bare):
            entity = self._entities.get(one)
            if entity is None or one in roots:
                continue
            owner = self._owner(entity, frozenset())
            if owner in roots:
                roots[one] = roots[owner]

    def _owner(self, bare: Entity, passed: frozenset[EntityId]) -> EntityId | None:
        """The one entity that a bare name belongs to; none when it bears itself, or several do."""
        if bare.type not in NAMED or not is_bare(bare) or bare.id in passed:
            return None
        key = bare.id.removeprefix(f"{bare.type}:")
        owners = self._bearing(key, bare)
        settled = {}
        for one in owners:
            entity = self._entities.get(one)
            further = None if entity is None else self._owner(entity, passed | {bare.id})
            settled[one] = further or one
        if not settled or len(set(settled.values())) > _CROWD:
            return None
        links = self.store.identities.links(self.namespace, [bare.id, *settled.values()])
        if any(bare.id in {link.kept, link.joined} for link in links):
            return None  # somebody said who it is
        roots = _roots(list(settled.values()), links)
        return min(roots) if len(set(roots.values())) == 1 else None

    def _bearing(self, key: str, bare: Entity) -> frozenset[EntityId]:
        """Who else bears a bare name: by the user's table first, else by what was learnt."""
        known = self._owners.get(bare.id)
        if known is None:
            rows = self.store.identities.aliases(self.namespace, keys=[key])
            told = [row.entity for row in rows if row.entity.startswith(f"{bare.type}:")]
            learnt = self.store.entities(self.namespace, aliases=[key])
            if told:
                self._read(told)
            else:
                self._entities |= {one.id: one for one in learnt if one.id not in self._entities}
                told = [one.id for one in learnt if one.type == bare.type]
            known = self._owners[bare.id] = frozenset(one for one in told if one != bare.id)
        return known

    def _read(self, ids: Iterable[EntityId]) -> None:
        missing = [one for one in ids if one not in self._entities]
        if missing:
            self._entities |= {one.id: one for one in self.store.entities(self.namespace, ids=missing)}


def _unmet(one: EntityId, rows: Sequence[Alias]) -> Entity:
    """What the table alone knows: no memory speaks of it yet."""
    kind, _, key = one.partition(":")
    names = [row.alias for row in rows if "@" not in row.alias]
    return Entity(id=one, type=kind, name=names[0] if names and "@" in key else key, aliases=(key,))


def _roots(seeds: Iterable[EntityId], links: Sequence[Merge]) -> dict[EntityId, EntityId]:
    """The entity that stands for each seed and for each that a link ties to one.

    It is the one no link joined to another; of several, the one kept first.
    """
    joined = {link.joined for link in links}
    near: dict[EntityId, set[EntityId]] = defaultdict(set)
    for link in links:
        near[link.kept].add(link.joined)
        near[link.joined].add(link.kept)
    roots: dict[EntityId, EntityId] = {}
    for seed in seeds:
        if seed in roots:
            continue
        members, waiting = {seed}, [seed]
        while waiting:
            fresh = near[waiting.pop()] - members
            members |= fresh
            waiting += sorted(fresh)
        tops = members - joined
        root = next((link.kept for link in links if link.kept in tops), seed)
        roots |= dict.fromkeys(members, root)
    return roots
