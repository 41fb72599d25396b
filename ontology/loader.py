"""From TOML files to one Ontology: the shipped library, then a user's own layers over it.

Within a layer an id may be written once. In a later layer the same id extends the earlier entry:
single values are replaced, lists grow, tables are merged; `replace = true` puts the new entry in
the old one's place. Anything that does not fit is refused with file, key, reason and remedy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from ontology import check
from ontology.draft import KINDS, Draft, read_layer
from ontology.errors import OntologyInvalid
from ontology.model import Entry, Ontology

_SHIPPED = Path(__file__).with_name("data")


def load_ontology(extra: Sequence[Path] = ()) -> Ontology:
    """The shipped library with each of `extra`, a TOML file or a folder of them, laid over it in turn.

    Raises `OntologyInvalid`.
    """
    drafts: dict[str, dict[str, Draft]] = {kind: {} for kind in KINDS}
    versions = []
    for place in (_SHIPPED, *extra):
        layer = read_layer(Path(place))
        versions += layer.versions
        for kind, entries in layer.entries.items():
            for key, draft in entries.items():
                earlier = drafts[kind].get(key)
                drafts[kind][key] = draft if earlier is None else earlier.extended(draft)
            if kind == "query_type":  # a user's own wording is narrower than ours and is tried first
                drafts[kind] = {**{key: drafts[kind][key] for key in entries}, **drafts[kind]}
    built = {kind: tuple(_build(kind, draft) for draft in drafts[kind].values()) for kind in KINDS}
    check.references(built, drafts)
    check.patterns([draft for kind in ("intent", "query_type") for draft in drafts[kind].values()], shipped=_SHIPPED)
    return _assemble("+".join(versions), built)


def _build(kind: str, draft: Draft) -> Entry:
    try:
        return KINDS[kind].model_validate(draft.record())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = tuple(str(part) for part in first["loc"])
        raise _refused(draft, path, first["type"], first["msg"]) from None


def _refused(draft: Draft, path: tuple[str, ...], type_: str, message: str) -> OntologyInvalid:
    path = draft.written(path)
    key = ".".join((*draft.path, *path))
    file = draft.file_of(path)
    if type_ == "missing":
        return OntologyInvalid("is missing", file=file, key=key, remedy=f"add {path[-1]!r}")
    if type_ == "extra_forbidden":
        known = ", ".join(draft.known(path))
        return OntologyInvalid("is not known here", file=file, key=key, remedy=f"known: {known}")
    return OntologyInvalid(message, file=file, key=key, remedy="correct the value")


def _assemble(version: str, built: Mapping[str, tuple[Entry, ...]]) -> Ontology:
    groups = {f"{kind}s": entries for kind, entries in built.items()}
    content = {name: [entry.model_dump(mode="json") for entry in entries] for name, entries in groups.items()}
    digest = hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    return Ontology(version=version, content_hash=digest, **groups)  # type: ignore[arg-type]  # KINDS ties name to type
