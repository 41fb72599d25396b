"""Read a filter that came over an edge: JSON text or JSON data, bounded before it is understood.

The bounds keep a hostile filter from exhausting the stack or a store's statement; they are
far above what a person or a program writes by hand.
"""

from __future__ import annotations

import json
from datetime import datetime

from graphsvc.errors import FilterInvalid
from graphsvc.retrieve.funnel import held
from graphsvc.store.base import Where
from graphsvc.store.filters import Not, Op, both, compare, exists, parse_filter

MAX_DEPTH = 16
MAX_PARTS = 200
MAX_VALUES = 10_000


def parse_where(text: str, *, where: str) -> Where:
    """A filter from JSON text; raises `FilterInvalid`, its place starting with `where`."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise FilterInvalid("nested too deeply", where=where) from None
    except ValueError as error:
        remedy = 'write a filter such as {"field": "sender", "op": "eq", "value": "Mei"}'
        raise FilterInvalid(f"not JSON: {error}", where=where, remedy=remedy) from None
    return read_where(data, where=where)


def read_where(data: object, *, where: str = "where") -> Where:
    """A filter from JSON data; raises `FilterInvalid` for one that is too large or says nothing known."""
    try:
        _check_size(data)
        return parse_filter(data)
    except FilterInvalid as error:
        place = ".".join(part for part in (where, error.where) if part and part != "filter")
        raise FilterInvalid(error.what.removeprefix("Value error, "), where=place, remedy=error.remedy) from None


def _check_size(data: object) -> None:
    depth, parts, values = 0, 0, 0
    level: list[object] = [data]
    while level:
        depth += 1
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict):
                parts += 1
                inner += one.values()
            elif isinstance(one, list):
                values += len(one)
                inner += one
        # A filter adds two levels of JSON, an object and its list, for each level of its own.
        if depth > 2 * MAX_DEPTH:
            raise FilterInvalid("nested too deeply", remedy=f"at most {MAX_DEPTH} levels")
        if parts > MAX_PARTS or values > MAX_VALUES:
            raise FilterInvalid("too large", remedy=f"at most {MAX_PARTS} parts and {MAX_VALUES} listed values")
        level = inner


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def at_moments(where: Where | None, *, as_of: datetime | None, known_at: datetime | None) -> Where | None:
    """A filter narrowed to what held at `as_of` and had been recorded by `known_at`.

    Begins and ends are those known today, so that a memory ended since is left out from its end on.
    """
    parts: list[Where] = [] if where is None else [where]
    if as_of is not None:
        gone = [both(exists(name), compare(name, Op.LTE, as_of)) for name in ("ended_at", "expires_at")]
        parts += [held(as_of), *(Not(negate=one) for one in gone)]
    if known_at is not None:
        parts.append(compare("recorded_at", Op.LTE, known_at))
    return both(*parts) if parts else None
