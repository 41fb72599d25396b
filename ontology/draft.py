"""Read the TOML files of one layer into drafts: raw tables that still know which file said what.

Lists of texts are brought to one form (an array, or a block with one text a line) so that layers
can be merged before anything is validated.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from ontology.errors import OntologyInvalid
from ontology.model import Domain, EdgeTypeInfo, EntityType, Entry, Intent, QueryType, Sense, SenseWord

Table = dict[str, Any]  # TOML as it was parsed, before it is validated
KINDS: Mapping[str, type[Entry]] = MappingProxyType(
    {
        "domain": Domain,
        "intent": Intent,
        "entity_type": EntityType,
        "edge_type": EdgeTypeInfo,
        "query_type": QueryType,
        "sense_word": SenseWord,
    }
)
_LISTS = frozenset({"keywords", "examples", "patterns", "surfaces", "cues"})
_LANGUAGES = ("zh", "en")
_ID = re.compile(r"\w[\w-]*")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Draft:
    """One entry as written, with the tables it was put together from, oldest first."""

    path: tuple[str, str]
    table: Table
    sources: tuple[tuple[Path, Table], ...]

    def extended(self, later: Draft) -> Draft:
        """This entry with a later layer's words for it."""
        if later.table.get("replace") is True:
            return later
        return Draft(self.path, _merged(self.table, later.table), self.sources + later.sources)

    def record(self) -> Table:
        """What the model is made from: ids filled in, senses as a list."""
        kind, key = self.path
        record = {"id": key, **{name: value for name, value in self.table.items() if name != "replace"}}
        if kind == "sense_word" and isinstance(record.get("sense"), dict):
            senses = record.pop("sense")
            record["senses"] = [{"id": f"{key}.{name}", **table} for name, table in senses.items()]
        return record

    def written(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """A path in the record, as it stands in the file."""
        if path[:1] != ("senses",):
            return path
        names = list(self.table.get("sense", {}))
        rest = path[1:]
        return ("sense", names[int(rest[0])], *rest[1:]) if rest and names else ("sense", *rest)

    def file_of(self, path: tuple[str, ...]) -> Path:
        """The last file that holds `path`, or the longest part of it that any file holds."""
        for length in range(len(path), 0, -1):
            for file, table in reversed(self.sources):
                if _holds(table, path[:length]):
                    return file
        return self.sources[0][0]

    def known(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """The keys that may stand where `path` ends."""
        if any(part in _LISTS for part in path[:-1]):
            return _LANGUAGES
        model: type[BaseModel] = Sense if path[:1] == ("sense",) else KINDS[self.path[0]]
        names = [name for name in model.model_fields if name != "id"]
        return ("sense", *(n for n in names if n != "senses")) if model is SenseWord else (*names,)


@dataclass(frozen=True)
class Layer:
    """The drafts of one folder or file by kind and id, and the versions its files gave."""

    entries: dict[str, dict[str, Draft]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    versions: list[str] = field(default_factory=list)


def read_layer(place: Path) -> Layer:
    """Every `*.toml` of a folder in the order of their names, or one file; raises `OntologyInvalid`."""
    if not place.exists():
        raise OntologyInvalid("does not exist", file=place, remedy="give a TOML file or a folder of them")
    layer = Layer()
    for file in sorted(place.glob("*.toml")) if place.is_dir() else [place]:
        _add(layer, file, _parse(file))
    return layer


def _parse(file: Path) -> Table:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise OntologyInvalid(
            error.strerror or "cannot be read", file=file, remedy="check its name and rights"
        ) from None
    if raw.startswith(_MARKS):
        raise OntologyInvalid("starts with a byte order mark", file=file, line=1, remedy="save it as plain UTF-8")
    try:
        return tomllib.loads(raw.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        reason = f"is not UTF-8 (byte 0x{raw[error.start]:02x})"
        raise OntologyInvalid(reason, file=file, line=line, remedy="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _unparsed(file, str(error), raw) from None
    except RecursionError:
        raise OntologyInvalid("is nested too deeply", file=file, remedy="no entry needs so many brackets") from None


def _unparsed(file: Path, message: str, raw: bytes) -> OntologyInvalid:
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    line = int(place[1]) if place and place[1] else raw.count(b"\n") + 1
    reason = message[: place.start()] if place else message
    twice = re.search(r"Cannot (?:declare|overwrite|mutate)", reason) is not None
    if twice:
        key = ".".join(re.findall(r"'([^']+)'", reason))
        return OntologyInvalid("is written twice", file=file, key=key, line=line, remedy="keep one of them")
    return OntologyInvalid(f"is not TOML: {reason}", file=file, line=line, remedy="correct that line")


def _add(layer: Layer, file: Path, document: Table) -> None:
    for kind, tables in document.items():
        if kind == "ontology":
            layer.versions.append(_version(file, tables))
            continue
        if kind not in KINDS:
            raise OntologyInvalid("is not known here", file=file, key=kind, remedy=f"known: {', '.join(KINDS)}")
        if not isinstance(tables, dict):
            raise OntologyInvalid("is not a table", file=file, key=kind, remedy=f"write [{kind}.some_id]")
        for key, table in tables.items():
            draft = _draft(file, kind, key, table)
            if key in layer.entries[kind]:
                other = layer.entries[kind][key].sources[0][0]
                raise OntologyInvalid(
                    f"is already in {other.name}", file=file, key=f"{kind}.{key}", remedy="keep one of them"
                )
            layer.entries[kind][key] = draft


def _version(file: Path, table: object) -> str:
    version = table.get("version") if isinstance(table, dict) and set(table) == {"version"} else None
    if not isinstance(version, str):
        raise OntologyInvalid("needs a version, a text, and nothing else", file=file, key="ontology")
    return version


def _draft(file: Path, kind: str, key: str, table: object) -> Draft:
    where = f"{kind}.{key}"
    if not _ID.fullmatch(key):
        raise OntologyInvalid("is no id", file=file, key=where, remedy="letters, digits, _ and - only")
    if not isinstance(table, dict):
        raise OntologyInvalid("is not a table", file=file, key=where, remedy=f"write [{where}]")
    if "id" in table:
        raise OntologyInvalid("is not known here", file=file, key=f"{where}.id", remedy="the table's name is the id")
    if not isinstance(table.get("replace", False), bool):
        raise OntologyInvalid(
            "is not true or false", file=file, key=f"{where}.replace", remedy="write true, or nothing"
        )
    whole = _with_lists(file, where, table)
    if kind == "sense_word":
        whole["sense"] = _senses(file, f"{where}.sense", table.get("sense", {}))
    return Draft((kind, key), whole, ((file, whole),))


def _senses(file: Path, where: str, senses: object) -> Table:
    if not isinstance(senses, dict):
        raise OntologyInvalid("is not a table", file=file, key=where, remedy=f"write [{where}.some_id]")
    found = {}
    for name, sense in senses.items():
        if not _ID.fullmatch(name) or not isinstance(sense, dict):
            raise OntologyInvalid("is no sense", file=file, key=f"{where}.{name}", remedy=f"write [{where}.some_id]")
        found[name] = _with_lists(file, f"{where}.{name}", sense)
    return found


def _with_lists(file: Path, where: str, table: Table) -> Table:
    return {name: _lists(file, f"{where}.{name}", value) if name in _LISTS else value for name, value in table.items()}


def _lists(file: Path, where: str, value: object) -> Table:
    """`{zh = [...], en = [...]}` with blocks of lines made into lists."""
    if not isinstance(value, dict):
        raise OntologyInvalid("is not a table of languages", file=file, key=where, remedy=f"write {where}.zh = [...]")
    return {language: _texts(file, f"{where}.{language}", texts) for language, texts in value.items()}


def _texts(file: Path, where: str, texts: object) -> list[str]:
    if isinstance(texts, str):
        return [line.strip() for line in texts.splitlines() if line.strip()]
    if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
        return texts
    raise OntologyInvalid(
        "is no list of texts", file=file, key=where, remedy="write an array of texts, or a block with one a line"
    )


def _merged(earlier: Table, later: Table) -> Table:
    merged = dict(earlier)
    for name, value in later.items():
        old = merged.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[name] = _merged(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            merged[name] = [*old, *(item for item in value if item not in old)]
        else:
            merged[name] = value
    return merged


def _holds(table: object, path: tuple[str, ...]) -> bool:
    for part in path:
        if not isinstance(table, dict) or part not in table:
            return False
        table = table[part]
    return True
