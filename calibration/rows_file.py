"""Labelled rows as JSON lines under a first line that binds them to the list of features.

The last word about an id counts, and a line that a crash cut short is dropped. No text of a memory or of a question
is ever in them.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from calibration.dataset import Dataset, Row
from calibration.errors import BadRows, SchemaMismatch
from calibration.features import NAMES, schema_hash

KIND = "calibration-rows"
_TEXTS = ("id", "group", "query_type", "source", "language")


def header() -> str:
    """The first line."""
    return json.dumps({"kind": KIND, "format": 1, "schema": schema_hash()}) + "\n"


def line_of(row: Row) -> str:
    """One row as a line; raises `BadRows` for a number that is not finite or a name that is no feature's."""
    values = {name: value for name, value in row.values.items() if value is not None}
    wrong = [name for name, value in values.items() if name not in NAMES or not math.isfinite(value)]
    if wrong:
        raise BadRows(row.id, 0, f"unusable feature: {', '.join(wrong)}")
    told = {name: getattr(row, name) for name in _TEXTS} | {"right": row.right, "values": values}
    if row.answerable is not None:
        told["answerable"] = row.answerable
    return json.dumps(told, ensure_ascii=False, sort_keys=True) + "\n"


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """A new file, in place of any older one."""
    path.write_text(header() + "".join(map(line_of, rows)), encoding="utf-8")


def read_rows(path: Path) -> Dataset:
    """The rows of a file; raises `SchemaMismatch` for other features, `BadRows` naming the line for anything else."""
    first, *lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    _check_header(str(path), first)
    torn = lines.pop() if lines else ""
    found = [_row(str(path), number, line) for number, line in enumerate(lines, 2) if line]
    if torn:
        with contextlib.suppress(BadRows):  # a last line without its end: its writer was stopped in the middle of it
            found.append(_row(str(path), len(lines) + 2, torn))
    return Dataset.of(found)


def _check_header(source: str, line: str) -> None:
    try:
        told: Any = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("kind") != KIND:
        raise BadRows(source, 1, "no header of labelled rows")
    if told.get("schema") != schema_hash():
        raise SchemaMismatch(str(told.get("schema")), schema_hash())


def _row(source: str, number: int, line: str) -> Row:
    try:
        told: Any = json.loads(line)
        texts = {name: told[name] for name in _TEXTS}
        for text in texts.values():
            text.encode()  # a number has none, and half a surrogate pair is no text
        right, values, answerable = told["right"], told["values"], told.get("answerable")
        numbers = {name: float(value) for name, value in values.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise BadRows(source, number, f"no row: {error}") from error
    if not isinstance(right, bool) or not isinstance(answerable, bool | None):
        raise BadRows(source, number, "a field of another kind")
    wrong = [name for name, value in numbers.items() if name not in NAMES or not math.isfinite(value)]
    if wrong:
        raise BadRows(source, number, f"unusable feature: {', '.join(wrong)}")
    return Row(values=numbers, right=right, answerable=answerable, **texts)
