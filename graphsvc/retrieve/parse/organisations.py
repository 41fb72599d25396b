"""An organisation takes part in a mail through its people: it is known by the domain of their addresses.

恒谷 and "Henggu" are the organisation whose people write from henggu.example: the Latin name, or the
pinyin of the Han name, is the domain's own label, whole and unchanged. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.language.aliases import address_parts
from graphsvc.language.normalise import fold_key
from graphsvc.models.graph import EdgeType, Entity
from graphsvc.models.question import PersonReference
from graphsvc.retrieve.parse.namesakes import Lookup, bearers_of, refer, variants_of

ORGANISATION = "organisation"
_DOMAIN = re.compile(r"organisation:(?:[\w-]+\.)+[\w-]{2,}")
# What a Han or Latin name carries beside the word that a domain is named for.
_LEGAL = re.compile(
    r"(?:股份|控股)?(?:有限)?(?:责任)?公司$|集团$|股份$|,? (?:inc|ltd|llc|llp|plc|gmbh|ag|corp|co|company|group)\.?$"
)


def known_by_domain(entity: Entity) -> bool:
    """Whether an entity is an organisation known by the domain its people write from."""
    return entity.type == ORGANISATION and _DOMAIN.fullmatch(entity.id) is not None


def domain_labels(name: str) -> frozenset[str]:
    """Domain labels that a name equals: joined, hyphenated, or in pinyin; without its legal form."""
    key = fold_key(name)
    bare = _LEGAL.sub("", key).strip() or key
    forms = {form for one in {key, bare} for form in variants_of(one)}
    return frozenset(
        {form.replace(" ", "") for form in forms} | {bare.replace(" ", "-"), bare.replace(" ", "").replace(".", "")}
    )


def with_people(name: str, found: Sequence[Entity], domains: Sequence[Entity]) -> tuple[Entity, ...]:
    """The entities a name means, and the organisation of that very domain label where it is named so.

    A name that only people bear stays theirs.
    """
    if found and all(one.type != ORGANISATION for one in found):
        return tuple(found)
    ids = {one.id for one in found}
    others = [one for one in domains if one.id not in ids and known_by_domain(one)]
    labels = domain_labels(name) if others else frozenset()
    return (*found, *(one for one in others if not labels.isdisjoint(one.aliases)))


def refer_to_organisation(name: str, found: Sequence[Entity], role: EdgeType | None, lookup: Lookup) -> PersonReference:
    """A name that its text and its domain both bear is one organisation, not two to choose from."""
    reference = refer(name, found, role, lookup)
    by_domain = [one for one in found if known_by_domain(one)]
    named = [one for one in found if one.type == ORGANISATION and not known_by_domain(one)]
    if len(by_domain) != 1 or len(named) + 1 != len(found) or len(reference.bearers) < 2:
        return reference
    one = bearers_of(named)[0].model_copy(update={"entities": tuple(entity.id for entity in found)})
    return reference.model_copy(update={"bearers": (one,)})


def asker_organisation(asker: str | None, lookup: Lookup) -> tuple[Entity, ...]:
    """The organisation of an asker's own address; none for a public provider, which no entity stands for."""
    address = "" if asker is None else address_parts(asker).address or ""
    labels = address.partition("@")[2].split(".")
    if len(labels) < 2:
        return ()
    wanted = f"{ORGANISATION}:{'.'.join(labels)}"
    return tuple(one for one in lookup([fold_key(label) for label in labels[:-1]]) if one.id == wanted)
