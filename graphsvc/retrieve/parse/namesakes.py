"""Whom a name in a question means: its bearers, and the names that tell them from their namesakes.

A name of one bearer is theirs under all their names; a name of several stays ambiguous and says
whom it may mean. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from graphsvc.language.aliases import address_parts, given_name, name_variants
from graphsvc.language.normalise import fold_key
from graphsvc.models.base import EntityId
from graphsvc.models.graph import EdgeType, Entity, Node, NodeKind
from graphsvc.models.question import Bearer, PersonReference, Question
from graphsvc.store.base import Selection, Store, Where
from graphsvc.store.directory import Directory, distinct, identities_of
from graphsvc.store.filters import Op, both, compare, either, one_of

Lookup = Callable[[Sequence[str]], list[Entity]]
_STRETCHES_KEPT = 16_384
_MARKS = " ?？!！.。,，"
# An entity with more memories than this is looked for by what they name as well.
_MOST_TIES = 64


@lru_cache(maxsize=_STRETCHES_KEPT)
def variants_of(stretch: str) -> frozenset[str]:
    """The folded forms a stretch of a question may take as a name; worked out once, for romanising is dear."""
    return name_variants(stretch)


def refer(name: str, found: Sequence[Entity], role: EdgeType | None, lookup: Lookup) -> PersonReference:
    """What a name in a question refers to, given the entities that bear it."""
    bearers = bearers_of(found)
    own, others = _told_apart(found, lookup) if len(bearers) == 1 else ((), ())
    entities = tuple(entity.id for entity in found)
    return PersonReference(name=name, entities=entities, role=role, bearers=bearers, own=own, others=others)


def bearers_of(found: Iterable[Entity]) -> tuple[Bearer, ...]:
    """Those whom entities stand for, each once."""
    return tuple(
        Bearer(entity=identity.entity, name=identity.name, entities=identity.members)
        for members in distinct(found).values()
        for identity in identities_of(members)
    )


def ambiguous(question: Question) -> tuple[PersonReference, ...]:
    """The people of a question whose name several bear."""
    return tuple(person for person in question.people if person.ambiguous)


def names_only(question: Question) -> bool:
    """Whether a question is nothing but an ambiguous name, so that any answer would be a guess."""
    asked = bare_words(question)
    return any(fold_key(person.name) == asked for person in ambiguous(question))


def bare_words(question: Question) -> str:
    """The folded question without the marks around it, to compare with a name or a word."""
    return fold_key(question.text).strip(_MARKS)


def told_names(store: Store, namespace: str, question: Question) -> tuple[str, ...]:
    """Other names that users gave to those a question names, so that words find them under these too.

    Names of the table, and those of entities a merge made one with them; what was merely learnt is left out.
    """
    meant = [person for person in question.people if len(person.bearers) == 1 and person.entities]
    entities = [one for person in meant for one in person.entities]
    if not entities:
        return ()
    rows = store.identities.aliases(namespace, entities=entities)
    links = store.identities.links(namespace, entities)
    joined = {end for link in links for end in (link.kept, link.joined)}
    names = [row.alias for row in rows] + [one.name for one in store.entities(namespace, ids=sorted(joined))]
    names += [key for one in {row.entity for row in rows} if "@" not in (key := one.partition(":")[2])]
    asked = fold_key(question.text)
    return tuple(sorted({name for name in names if "@" not in name and fold_key(name) not in asked}))


def _told_apart(found: Sequence[Entity], lookup: Lookup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that can only be the one bearer's, and those that can only be a namesake's."""
    ids = {entity.id for entity in found}
    aliases = {alias for entity in found for alias in entity.aliases}
    given = sorted({word for alias in aliases if (word := given_name(alias)) is not None})
    others = [one for one in lookup(given) if one.id not in ids and one.type == found[0].type] if given else []
    shared = {alias for one in others for alias in one.aliases} & aliases
    theirs = {alias for one in others for alias in one.aliases if " " in alias} - aliases
    words = {word for alias in aliases for word in alias.split(" ")}
    return tuple(sorted((aliases | words) - shared)), tuple(sorted(theirs))


def known_to(asker: str | None, store: Store, namespace: str, where: Where | None, at: datetime) -> Lookup:
    """Finds those of whom the memories inside the caller's filter speak, as far as they were said by then.

    A name that only a memory beyond these bears is not told: it would tell of that memory. Whom no memory speaks of
    at all stands in the user's own table, and stays; so does whoever asks, by address.
    """
    own = None if asker is None else address_parts(asker).address
    directory = Directory(store, namespace)
    said = compare("event_time", Op.LTE, at)
    inside = store.select(namespace, said if where is None else both(where, said))
    if inside.count == store.select(namespace).count:
        return directory.bearers

    def lookup(keys: Sequence[str]) -> list[Entity]:
        found = directory.bearers(keys)
        met = store.edges(namespace, [Node(NodeKind.ENTITY, one.id) for one in found], per_node=_MOST_TIES)
        ties = {
            node.id: {end.id for edge in edges for end in (edge.source, edge.target) if end.kind is NodeKind.MEMORY}
            for node, edges in met.items()
        }
        return [
            one
            for one in found
            if not ties.get(one.id)
            or (own is not None and one.id.endswith(f":{fold_key(own)}"))
            or _speak_of(one.id, ties[one.id], store, namespace, inside)
        ]

    return lookup


def _speak_of(entity: EntityId, ties: set[str], store: Store, namespace: str, inside: Selection) -> bool:
    """Whether a memory of the selection has an edge to the entity, or names it."""
    named = either(one_of("party", [entity]), one_of("mention", [entity.partition(":")[2]]))
    where = one_of("id", sorted(ties))
    return store.select(namespace, either(where, named) if len(ties) >= _MOST_TIES else where, within=inside).count > 0
