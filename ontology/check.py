"""Laws between entries: what refers to another entry finds it, and wording compiles.

Each entry was already right by itself when it comes here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ontology.draft import Draft
from ontology.errors import OntologyInvalid
from ontology.model import Domain, Entry, Intent, SenseWord

Drafts = Mapping[str, Mapping[str, Draft]]


def references(built: Mapping[str, Sequence[Entry]], drafts: Drafts) -> None:
    """Domains name known entity types, senses known domains, and there is one background of each kind."""
    entity_types = [entry.id for entry in built["entity_type"]]
    domains = [entry.id for entry in built["domain"]]
    for entry in (*built["domain"], *built["sense_word"]):
        if isinstance(entry, Domain):
            for entity in entry.entities:
                _refer(entity, entity_types, "entity type", drafts["domain"][entry.id], ("entities",))
        elif isinstance(entry, SenseWord):
            draft = drafts["sense_word"][entry.id]
            if not entry.surfaces.all:
                raise _refused(draft, ("surfaces",), "is missing", "write surfaces.zh = [...] or surfaces.en = [...]")
            for sense in entry.senses:
                _refer(sense.domain, domains, "domain", draft, ("sense", sense.id.split(".")[-1], "domain"))
    for kind in ("domain", "intent"):
        _one_background(built[kind], drafts[kind])


def patterns(drafts: Sequence[Draft], *, shipped: Path) -> None:
    """Every pattern a user wrote compiles; those of the shipped files are tested, not compiled at each start."""
    for draft in drafts:
        for file, table in draft.sources:
            if file.parent == shipped:
                continue
            for language, texts in table.get("patterns", {}).items():
                for pattern in texts:
                    try:
                        re.compile(pattern)
                    except re.error as error:
                        raise OntologyInvalid(
                            f"{pattern!r} is no regular expression: {error}",
                            file=file,
                            key=".".join((*draft.path, "patterns", language)),
                            remedy="correct it, and write \\\\ for each backslash between double quotes",
                        ) from None


def _refer(key: str, known: Sequence[str], what: str, draft: Draft, path: tuple[str, ...]) -> None:
    if key not in known:
        raise _refused(draft, path, f"{key!r} is no {what}", f"known: {', '.join(known)}")


def _one_background(entries: Sequence[Entry], drafts: Mapping[str, Draft]) -> None:
    ids = [entry.id for entry in entries if isinstance(entry, Domain | Intent) and entry.background]
    if len(ids) > 1:
        raise _refused(drafts[ids[-1]], ("background",), f"{ids[0]!r} is the background already", "leave it out")
    if not ids:
        raise OntologyInvalid("no background is left", key=next(iter(drafts.values())).path[0])


def _refused(draft: Draft, path: tuple[str, ...], reason: str, remedy: str) -> OntologyInvalid:
    return OntologyInvalid(reason, file=draft.file_of(path), key=".".join((*draft.path, *path)), remedy=remedy)
