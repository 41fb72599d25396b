"""Read JSON lines: one object a line, blank lines skipped, a broken line reported and passed over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphsvc.errors import FieldInvalid
from graphsvc.models.memory import Problem


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, numbered from 1; exactly one of `data` and `error` is set."""

    number: int
    data: dict[str, object] | None = None
    error: Problem | None = None


def read_jsonl(path: Path) -> Iterator[Line]:
    """The lines of a UTF-8 file (a byte order mark is skipped); raises `FieldInvalid` when it cannot be opened."""
    try:
        with path.open("rb") as file:
            yield from parse_lines(file)
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be read", where=str(path)) from None


def parse_lines(lines: Iterable[bytes]) -> Iterator[Line]:
    """Parse each line on its own, so that one broken line costs only itself."""
    for number, raw in enumerate(lines, 1):
        body = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if body.strip():
            yield _parse(number, body)


def _parse(number: int, body: bytes) -> Line:
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        return Line(number, error=_problem(number, f"not UTF-8 at byte {error.start}", "save the file as UTF-8"))
    except json.JSONDecodeError as error:
        return Line(number, error=_problem(number, f"not JSON: {error.msg} at column {error.colno}"))
    except (ValueError, RecursionError) as error:
        return Line(number, error=_problem(number, f"not JSON: {error}"))
    if not isinstance(data, dict):
        return Line(number, error=_problem(number, f"an object was expected, not {type(data).__name__}"))
    return Line(number, data=data)


def _problem(number: int, what: str, remedy: str = "mend the line and add the file again") -> Problem:
    return Problem(code=FieldInvalid.code, what=what, where=f"line {number}", remedy=remedy)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")
