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
    """A half-open interval [`begin`, `until`); one end is absent where it is open ("since", 以前, 20天以后),
    both where it recurs or hangs on an event that nobody dated.
    """

    start: int
    end: int
    text: str
    begin: datetime | None
    until: datetime | None
    granularity: Granularity
    anchor: Anchor


class Label(Record):
    """Domain–entity–intent, ids of the ontology, with the rule or model that gave it.

    `probability` is the domain's, `intent_probability` the intent's; the latter is absent without an intent, and in
    what an earlier release wrote.
    """

    domain: str
    entity: str | None = None
    intent: str | None = None
    probability: float
    intent_probability: float | None = None
    source: str


class SenseSource(StrEnum):
    """What settled a sense; a correction is a person's word and is never overruled by a tagger."""

    SENTENCE = "sentence"
    TOPIC = "topic"
    HABITS = "habits"
    CORRECTION = "correction"
    UNRESOLVED = "unresolved"


class Sense(Record):
    """Which sense an ambiguous word has here; `sense` is absent while it is unresolved."""

    start: int
    end: int
    surface: str
    sense: str | None
    probability: float
    source: SenseSource


class Polarity(StrEnum):
    """Whether a clause says that something is so, is not so, or was so and is no more."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"
    CEASED = "ceased"


class Certainty(StrEnum):
    """How a clause is put forward; `planned` is what is still to come: a plan, a wish to act, a request."""

    CERTAIN = "certain"
    HEDGED = "hedged"
    ASKED = "asked"
    HYPOTHETICAL = "hypothetical"
    PLANNED = "planned"


class Attitude(StrEnum):
    """What the holder feels, after negation: "do not like" is a dislike, "do not hate" is neither."""

    LIKE = "like"
    DISLIKE = "dislike"
    NONE = "none"


class HolderKind(StrEnum):
    """Whose fact it is, seen from whoever says `I` in that line; `general` is nobody's in particular."""

    SPEAKER = "speaker"
    ADDRESSEE = "addressee"
    OTHER = "other"
    GENERAL = "general"


class Holder(Record):
    """The one a fact is about; a relative ("何琳的弟弟") keeps the relation and whose relative it is.

    `start` and `end` are where the holder is named, a name that a later pronoun stands for included.
    `key` is the folded name; for the speaker, the name they go by here, where one is known.
    """

    kind: HolderKind
    text: str | None = None
    start: int | None = None
    end: int | None = None
    key: str | None = None
    relation: str | None = None
    possessor: HolderKind | None = None
    possessor_key: str | None = None


class HolderAgreement(StrEnum):
    """Whether two facts are about one person."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class Claim(Record):
    """One clause that states, asks or supposes something; `quoted` when it is said by someone else's mouth."""

    start: int
    end: int
    polarity: Polarity
    certainty: Certainty
    attitude: Attitude
    quoted: bool
    holder: Holder
    predicate: tuple[int, int] | None = None


class Facts(Record):
    """Everything understood of one text; labels are ordered, the primary one first."""

    labels: tuple[Label, ...] = ()
    senses: tuple[Sense, ...] = ()
    mentions: tuple[Mention, ...] = ()
    amounts: tuple[Amount, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    claims: tuple[Claim, ...] = ()
