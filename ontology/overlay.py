"""Write new entries into a user's own layer of the library, and leave the rest of it as it stands.

Tables are added at the end of a file: that of the word they belong to, else `proposed.toml` of the
overlay folder, or the overlay itself where that is one file. The layer as it would be is loaded
first, so that nothing is written that the loader would refuse.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ontology.draft import read_layer
from ontology.errors import OntologyInvalid
from ontology.loader import load_ontology
from ontology.model import Ontology

if sys.platform != "win32":
    import fcntl

PROPOSED = "proposed.toml"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HALF = re.compile("[\ud800-\udfff]")
_NEXT_TABLE = re.compile(r"^\[", re.MULTILINE)
_VERSION = re.compile(r'^version = "proposed-(\d+)"$', re.MULTILINE)
_OPENING = """# Entries accepted from proposals. They may be edited; further ones are added at the end.

[ontology]
version = "proposed-0"
"""
_WIDEST = 100  # characters of an array on one line
_WRITING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Addition:
    """One table: its path, such as `("domain", "beekeeping")`, and its values.

    Values are texts, lists of texts, or one of these by language.
    """

    path: tuple[str, ...]
    table: Mapping[str, object]

    @property
    def key(self) -> str:
        return ".".join(self.path)


def add_entries(overlay: Path, additions: Sequence[Addition]) -> tuple[Path, Ontology]:
    """The file that was written, and the library as it is then.

    Lists of an entry that `proposed.toml` holds already are lengthened. Raises `OntologyInvalid` when the
    layer is broken as it stands, would be broken, or holds such an entry in a file of the user's own.
    Two processes that add at once take turns.
    """
    with _turn(overlay if overlay.is_dir() else overlay.parent):
        return _add_entries(overlay, additions)


def _add_entries(overlay: Path, additions: Sequence[Addition]) -> tuple[Path, Ontology]:
    load_ontology([overlay])
    file = _file_for(overlay, additions)
    text = file.read_text(encoding="utf-8") if file.exists() else _OPENING
    written = text
    for addition in additions:
        written = _with_entry(written, file, addition)
    written = _next_version(written)
    if (half := _HALF.search(written)) is not None:
        what = f"holds half of a surrogate pair ({half[0]!a})"
        raise OntologyInvalid(what, file=file, key=additions[0].key, remedy="decode the text with its right encoding")
    ontology = _loaded_as(overlay, file, written)
    _replace(file, written)
    return file, ontology


def render(addition: Addition) -> str:
    """The table as TOML."""
    lines = [f"[{'.'.join(map(_name, addition.path))}]"]
    for name, value in addition.table.items():
        if isinstance(value, Mapping) and any(isinstance(one, str) for one in value.values()):
            inline = ", ".join(f"{_name(key)} = {_text(str(one))}" for key, one in value.items())
            lines.append(f"{_name(name)} = {{ {inline} }}")
        elif isinstance(value, Mapping):
            lists = [f"{_name(name)}.{_name(key)} = {_value(one)}" for key, one in value.items() if one]
            lines += lists or [f"{_name(name)} = {{}}"]
        else:
            lines.append(f"{_name(name)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _file_for(overlay: Path, additions: Sequence[Addition]) -> Path:
    """One file for all of them: where their word or entry is already written in this layer, else ours."""
    if not overlay.is_dir():
        return overlay
    entries = read_layer(overlay).entries
    for addition in additions:
        known = entries[addition.path[0]].get(addition.path[1])
        if known is not None:
            return known.sources[0][0]
    return overlay / PROPOSED


def _with_entry(text: str, file: Path, addition: Addition) -> str:
    """The file's text with the entry at its end, or in the place of a shorter one of ours."""
    earlier = _table_at(tomllib.loads(text), addition.path)
    if earlier is None:
        return f"{text.rstrip()}\n\n{render(addition)}"
    whole = Addition(addition.path, _lengthened(earlier, addition.table))
    header = re.search(rf"^\[{re.escape('.'.join(map(_name, addition.path)))}\][ \t]*$", text, re.MULTILINE)
    if file.name == PROPOSED and header is not None:
        following = _NEXT_TABLE.search(text, header.end())
        after = text[following.start() :] if following else ""
        changed = f"{text[: header.start()]}{render(whole)}" + (f"\n{after}" if after else "")
        if tomllib.loads(changed) == _with_table(tomllib.loads(text), whole):
            return changed
    raise OntologyInvalid(
        "is written there by hand already",
        file=file,
        key=addition.key,
        remedy=f"add to it yourself: {', '.join(addition.table)}; or move it to {PROPOSED}",
    )


def _table_at(document: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any] | None:
    table: Any = document
    for part in path:
        table = table.get(part) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else None


def _with_table(document: dict[str, Any], addition: Addition) -> dict[str, Any]:
    table = document
    for part in addition.path[:-1]:
        table = table[part]
    table[addition.path[-1]] = tomllib.loads(render(Addition(("entry",), addition.table)))["entry"]
    return document


def _lengthened(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """Later single values win, lists grow, as they do between layers."""
    merged = dict(earlier)
    for name, value in later.items():
        old = merged.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[name] = _lengthened(old, value)
        elif isinstance(old, list) and isinstance(value, list | tuple):
            merged[name] = [*old, *(one for one in value if one not in old)]
        else:
            merged[name] = value
    return merged


def _next_version(text: str) -> str:
    return _VERSION.sub(lambda found: f'version = "proposed-{int(found[1]) + 1}"', text, count=1)


def _loaded_as(overlay: Path, file: Path, text: str) -> Ontology:
    """The library with this text in the file's place; its errors name the file as it will be called."""
    with tempfile.TemporaryDirectory(prefix="ontology-") as folder:
        staged = Path(folder)
        for one in sorted(overlay.glob("*.toml")) if overlay.is_dir() else ():
            (staged / one.name).write_bytes(one.read_bytes())
        (staged / file.name).write_text(text, encoding="utf-8")
        try:
            return load_ontology([staged])
        except OntologyInvalid as error:
            place = file.parent / Path(error.file).name
            raise OntologyInvalid(
                error.reason, file=place, key=error.key, remedy=error.remedy, line=error.line
            ) from None


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Hold a folder against other writers; where the system locks no folders, only against other threads."""
    with _WRITING, ExitStack() as held:
        if sys.platform != "win32" and folder.is_dir():
            try:
                handle = os.open(folder, os.O_RDONLY)
            except OSError as error:
                reason = error.strerror or "cannot be read"
                raise OntologyInvalid(reason, file=folder, remedy="check the folder's rights") from None
            held.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _replace(file: Path, text: str) -> None:
    """Write all of it or nothing: a new file takes the old one's place once it is on disk."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = error.strerror or "cannot be written"
        raise OntologyInvalid(reason, file=file, remedy="check the folder's rights and space") from None


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        texts = [_text(str(one)) for one in value]
        line = f"[{', '.join(texts)}]"
        return line if len(line) <= _WIDEST else "[\n" + "".join(f"  {one},\n" for one in texts) + "]"
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
