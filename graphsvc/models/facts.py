"""What was understood of one text: mentions, amounts, times, labels, senses.

Every span counts characters of the original text, so `text[start:end]` is what was read.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graphsvc.models.base import Record


class Language(StrEnum):
    """`zh` when Han characters carry the text, `mixed` when both scripts carry weight."""

    ZH = "zh"
    EN = "en"
    MIXED = "mixed"
    OTHER = "other"


class Granularity(StrEnum):
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    HALF_DAY = "half_day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    RANGE = "range"


class Anchor(StrEnum):
    """What an expression of time hangs on: the calendar, the moment of speaking, or an event."""

    ABSOLUTE = "absolute"
    SPEAKER = "speaker"
    EVENT = "event"
    RECURRING = "recurring"


class Mention(Record):
    """A named thing in the text; `type` is an entity type of the ontology, `key` its folded form."""

    start: int
    end: int
    text: str
    type: str
    key: str


class Amount(Record):
    """A number with its unit, `high` set when it is a range; percentages are values with unit `%`."""

    start: int
    end: int
    text: str
    value: float
    high: float | None = None
    unit: str | None = None


class TimeExpression(Record):
    """A half-open interval [`begin`, `until`); both absent when it hangs on an unnamed event."""

    start: int
    end: int
    text: str
    begin: datetime | None
    until: datetime | None
    granularity: Granularity
    anchor: Anchor


class Label(Record):
    """Domain–entity–intent, ids of the ontology, with the rule or model that gave it."""

    domain: str
    entity: str | None = None
    intent: str | None = None
    probability: float
    source: str


class Sense(Record):
    """Which sense an ambiguous word has here; `sense` is absent while it is unresolved."""

    start: int
    end: int
    surface: str
    sense: str | None
    probability: float
    source: str


class Facts(Record):
    """Everything understood of one text; labels are ordered, the primary one first."""

    labels: tuple[Label, ...] = ()
    senses: tuple[Sense, ...] = ()
    mentions: tuple[Mention, ...] = ()
    amounts: tuple[Amount, ...] = ()
    times: tuple[TimeExpression, ...] = ()
