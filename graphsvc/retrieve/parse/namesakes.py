"""Whom a name in a question means: its bearers, and the names that tell them from their namesakes.

A name of one bearer is theirs under all their names; a name of several stays ambiguous and says
whom it may mean. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from graphsvc.language.aliases import given_name, name_variants
from graphsvc.language.normalise import fold_key
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.question import Bearer, PersonReference, Question
from graphsvc.store.base import Store
from graphsvc.store.directory import distinct, identities_of

Lookup = Callable[[Sequence[str]], list[Entity]]
_STRETCHES_KEPT = 16_384
_MARKS = " ?？!！.。,，"


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
