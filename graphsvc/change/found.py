"""What was found between two readings, before it becomes a record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphsvc.change.fills import Filled
from graphsvc.change.reading import Part
from graphsvc.models.answer import Value
from graphsvc.models.change import ChangeKind, ValueType

_TYPES = {
    "amount": ValueType.AMOUNT,
    "time": ValueType.TIME,
    "person": ValueType.PERSON,
    "organisation": ValueType.PERSON,
    "place": ValueType.PLACE,
    "identifier": ValueType.IDENTIFIER,
    "ip": ValueType.IDENTIFIER,
    "phone": ValueType.IDENTIFIER,
    "email": ValueType.IDENTIFIER,
    "url": ValueType.IDENTIFIER,
}


def type_of(value: Value | None) -> ValueType:
    return ValueType.OPEN if value is None else _TYPES.get(value.type, ValueType.OPEN)


@dataclass(frozen=True, slots=True)
class Found:
    """`part` of the earlier memory is what `by` of the later bears on; `pair` the values, where typed ones differ."""

    kind: ChangeKind
    part: Part
    by: Part
    rule: str
    certainty: float
    slot: str
    pair: Filled | None = None

    @property
    def type(self) -> ValueType:
        return type_of(None if self.pair is None else self.pair.earlier)

    def chained(self, kind: ChangeKind, last: Found, *, certainty: float) -> Found:
        return replace(self, kind=kind, by=last.by, rule="chained", certainty=certainty)
