"""The alias table as a file: TOML or CSV in, the same out.

TOML holds one `[[alias]]` a name, with whose it is; CSV the same two columns. What is exported
reads back as it was.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum

from graphsvc.errors import FieldInvalid
from graphsvc.models.identity import Alias

COLUMNS = ("alias", "of")


class TableFormat(StrEnum):
    TOML = "toml"
    CSV = "csv"


def read_table(text: str, format_: TableFormat) -> list[tuple[str, str]]:
    """Pairs of an alias and whose it is; raises `FieldInvalid` naming the line or row and the reason."""
    return _read_toml(text) if TableFormat(format_) is TableFormat.TOML else _read_csv(text)


def write_table(aliases: Iterable[Alias], format_: TableFormat) -> str:
    """The rows as a file's text."""
    if TableFormat(format_) is TableFormat.CSV:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((one.alias, one.entity) for one in aliases)
        return buffer.getvalue()
    # A JSON string is a basic string of TOML, but for a delete character it leaves as it is.
    return "\n".join(f"[[alias]]\nalias = {_quoted(one.alias)}\nof = {_quoted(one.entity)}\n" for one in aliases)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read_toml(text: str) -> list[tuple[str, str]]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FieldInvalid(f"not TOML: {error}", where="table") from None
    rows = data.get("alias", [])
    unknown = sorted(set(data) - {"alias"})
    if unknown or not isinstance(rows, list):
        raise FieldInvalid("the file holds something else", where=", ".join(unknown) or "alias", remedy=_form())
    return [_pair(row, number) for number, row in enumerate(rows, 1)]


def _read_csv(text: str) -> list[tuple[str, str]]:
    try:
        reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True, restkey="more columns")
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise FieldInvalid("the first line must be alias,of", where="line 1")
        return [_pair(row, number) for number, row in enumerate(reader, 2)]
    except csv.Error as error:
        raise FieldInvalid(f"not CSV: {error}", where="table") from None


def _pair(row: object, number: int) -> tuple[str, str]:
    if not isinstance(row, Mapping) or set(row) != set(COLUMNS) or not all(isinstance(x, str) for x in row.values()):
        raise FieldInvalid("needs alias and of, both text, and nothing else", where=f"row {number}", remedy=_form())
    return str(row["alias"]), str(row["of"])


def _form() -> str:
    return 'write [[alias]] with alias = "…" and of = "…"'
