"""The filter tree, and what it means: `matches` is the law every store must agree with.

A comparison holds when any of the field's values satisfies it; a field without values
satisfies nothing but `exists: false` and the negation of a comparison. A range of amounts has
its two ends as values: it equals each of them, and it is above or below a number when some of
it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from graphsvc.errors import FilterInvalid
from graphsvc.models.base import Record, read_moment
from graphsvc.models.graph import ROLE_EDGES
from graphsvc.models.memory import Memory

FilterValue = str | float | datetime | bool


class Op(StrEnum):
    EQ = "eq"
    IN = "in"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    EXISTS = "exists"


ORDERED = frozenset({Op.GT, Op.GTE, Op.LT, Op.LTE})
TIME_FIELDS = frozenset({"event_time", "recorded_at", "valid_from", "valid_to", "ended_at", "expires_at"})
NUMBER_FIELDS = frozenset({"amount", "level"})
ROLE_FIELDS = frozenset(edge.value for edge in ROLE_EDGES)
TEXT_FIELDS = (
    frozenset(
        {
            "id",
            "language",
            "document_type",
            "confidence_level",
            "conversation_id",
            "thread_root_id",
            "file",
            "derived_from",
            "status",
            "sender",
            "recipient",
            "cc",
            "responsible_party",
            "affected_party",
            "role_in_context",
            "clause_id",
            "section",
            "domain",
            "intent",
            "label",
            "sense",
            "mention",
            "identifier",
            "party",
        }
    )
    | ROLE_FIELDS
)
METADATA_PREFIX = "metadata."
# The domain of a memory without labels, so that "about money, or unlabelled" is one look-up.
UNLABELLED = "unlabelled"


class Compare(Record):
    """`field` `op` `value`; times are aware datetimes or ISO 8601 text with an offset."""

    field: str
    op: Op = Op.EQ
    value: FilterValue | tuple[FilterValue, ...]

    @model_validator(mode="before")
    @classmethod
    def _read_times(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("field") in TIME_FIELDS and data.get("op") != Op.EXISTS:
            value = data.get("value")
            read = [read_moment(v) for v in value] if isinstance(value, list | tuple) else read_moment(value)
            return {**data, "value": read}
        return data

    @model_validator(mode="after")
    def _check(self) -> Compare:
        known = TIME_FIELDS | NUMBER_FIELDS | TEXT_FIELDS
        if self.field not in known and not self.field.startswith(METADATA_PREFIX):
            raise ValueError(f"unknown field {self.field!r}; known: {', '.join(sorted(known))}, metadata.<key>")
        if (self.op is Op.IN) != isinstance(self.value, tuple):
            raise ValueError(f"{self.field}: a list goes with 'in' and only with 'in'")
        if self.op is Op.EXISTS and not isinstance(self.value, bool):
            raise ValueError(f"{self.field}: 'exists' takes true or false")
        if self.op in ORDERED and self.field in TEXT_FIELDS:
            raise ValueError(f"{self.field}: text has no order; use eq or in")
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        wanted = "number" if self.field in NUMBER_FIELDS else "text" if self.field in TEXT_FIELDS else None
        if wanted and self.op is not Op.EXISTS and any(_kind(value) != wanted for value in values):
            raise ValueError(f"{self.field}: takes a {wanted}")
        return self


class And(Record):
    all: tuple[Filter, ...]


class Or(Record):
    any: tuple[Filter, ...]


class Not(Record):
    negate: Filter


Filter = Annotated[Compare | And | Or | Not, Field(union_mode="left_to_right")]
And.model_rebuild()
Or.model_rebuild()
Not.model_rebuild()

EVERYTHING = And(all=())
_ADAPTER: TypeAdapter[Compare | And | Or | Not] = TypeAdapter(Filter)


def eq(field: str, value: FilterValue) -> Compare:
    return Compare(field=field, op=Op.EQ, value=value)


def one_of(field: str, values: Iterable[FilterValue]) -> Compare:
    return Compare(field=field, op=Op.IN, value=tuple(values))


def compare(field: str, op: Op, value: FilterValue) -> Compare:
    return Compare(field=field, op=op, value=value)


def exists(field: str, present: bool = True) -> Compare:
    return Compare(field=field, op=Op.EXISTS, value=present)


def both(*parts: Compare | And | Or | Not) -> And:
    return And(all=parts)


def either(*parts: Compare | And | Or | Not) -> Or:
    return Or(any=parts)


def parse_filter(data: object) -> Compare | And | Or | Not:
    """Read a filter from JSON data; raises `FilterInvalid` naming the part and the reason."""
    try:
        return _ADAPTER.validate_python(data)
    except ValidationError as error:
        kind = "Compare"
        for name, key in (("And", "all"), ("Or", "any"), ("Not", "negate")):
            if isinstance(data, dict) and key in data:
                kind = name
        told = [e for e in error.errors() if e["loc"] and e["loc"][0] == kind] or error.errors()
        where = ".".join(str(part) for part in told[0]["loc"][1:])
        raise FilterInvalid(
            told[0]["msg"], where=where or "filter", remedy="see /schema for the filter's form"
        ) from None


def values(memory: Memory, field: str) -> tuple[str | float | datetime, ...]:
    """The values a memory has for a field, as filters compare them; empty where it has none."""
    if field.startswith(METADATA_PREFIX):
        value = memory.metadata.get(field.removeprefix(METADATA_PREFIX))
        return () if value is None else (value,)
    if field in ROLE_FIELDS:
        return tuple(party.entity for party in memory.parties if party.role == field)
    derived = _DERIVED.get(field)
    if derived is not None:
        return derived(memory)
    value = getattr(memory, field)
    return () if value is None else (value,)


def _labels(memory: Memory) -> tuple[str, ...]:
    return tuple("/".join((x.domain, x.entity or "*", x.intent or "*")) for x in memory.facts.labels)


def _amounts(memory: Memory) -> tuple[float, ...]:
    ends = ((x.value,) if x.high is None else (x.value, x.high) for x in memory.facts.amounts)
    return tuple(dict.fromkeys(end for pair in ends for end in pair))


_DERIVED: dict[str, Callable[[Memory], tuple[str | float | datetime, ...]]] = {
    "file": lambda m: () if m.source is None or m.source.file is None else (m.source.file,),
    "derived_from": lambda m: m.derived_from,
    "recipient": lambda m: m.recipients,
    "cc": lambda m: m.cc,
    "party": lambda m: tuple(dict.fromkeys(p.entity for p in m.parties)),
    "domain": lambda m: tuple(dict.fromkeys(x.domain for x in m.facts.labels)) or (UNLABELLED,),
    "intent": lambda m: tuple(dict.fromkeys(x.intent for x in m.facts.labels if x.intent)),
    "label": _labels,
    "sense": lambda m: tuple(dict.fromkeys(x.sense for x in m.facts.senses if x.sense)),
    "mention": lambda m: tuple(dict.fromkeys(x.key for x in m.facts.mentions)),
    "identifier": lambda m: tuple(dict.fromkeys(x.key for x in m.facts.mentions if x.type == "identifier")),
    "amount": _amounts,
}


def matches(memory: Memory, where: Compare | And | Or | Not) -> bool:
    """Whether a memory satisfies a filter: the meaning all stores must agree with."""
    match where:
        case And(all=parts):
            return all(matches(memory, part) for part in parts)
        case Or(any=parts):
            return any(matches(memory, part) for part in parts)
        case Not(negate=part):
            return not matches(memory, part)
        case Compare():
            return _holds(values(memory, where.field), where)


def _holds(found: tuple[str | float | datetime, ...], where: Compare) -> bool:
    if where.op is Op.EXISTS:
        return bool(found) is where.value
    wanted = where.value if isinstance(where.value, tuple) else (where.value,)
    return any(_compare(one, where.op, other) for one in found for other in wanted)


_ORDERINGS: dict[Op, Callable[[Any, Any], bool]] = {
    Op.EQ: operator.eq,
    Op.IN: operator.eq,
    Op.GT: operator.gt,
    Op.GTE: operator.ge,
    Op.LT: operator.lt,
    Op.LTE: operator.le,
}


def _compare(one: object, op: Op, other: object) -> bool:
    """Unlike kinds never compare: a number is not a text, and true is not 1."""
    return _kind(one) == _kind(other) and _ORDERINGS[op](one, other)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return "time" if isinstance(value, datetime) else "text"
