"""What one memory states, how it bears on another's statement, and where that leaves a memory.

A statement fills a slot: one attribute of one holder, in one place and period. Only what is said of the same
slot can supersede, retract, correct, contradict or repeat; likeness of wording never does.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from graphsvc.models.base import MemoryId, Moment, Record
from graphsvc.models.facts import Polarity
from graphsvc.models.memory import MemoryStatus


class ValueType(StrEnum):
    """What kind of value fills a slot; `open` is any words that stand where a value would."""

    AMOUNT = "amount"
    TIME = "time"
    IDENTIFIER = "identifier"
    PERSON = "person"
    PLACE = "place"
    YES_NO = "yes_no"
    OPEN = "open"


class SlotStatement(Record):
    """One statement of a memory: the clause [`start`, `end`) of its text, whose attribute it fills, and with what.

    `holder` is a folded name, a relation ("何琳的弟弟") or `speaker`, absent where the clause names nobody.
    `attribute` are the folded content words of the clause without values, times and names, in order.
    `begin` and `until` bound the period it is said of, where it names one.
    """

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    holder: str | None = None
    attribute: tuple[str, ...] = ()
    type: ValueType = ValueType.OPEN
    value: str | None = None
    value_start: int | None = Field(default=None, ge=0)
    value_end: int | None = Field(default=None, ge=0)
    polarity: Polarity = Polarity.AFFIRMED
    begin: Moment | None = None
    until: Moment | None = None


class ChangeKind(StrEnum):
    """How a later statement bears on an earlier one of the same slot; each is an edge type of that name."""

    SUPERSEDES = "supersedes"
    RETRACTS = "retracts"
    CORRECTS = "corrects"
    CONTRADICTS = "contradicts"
    REPEATS = "repeats"


# How the origin of an edge ends that takes back what was said, not the thing spoken of.
TAKEN_BACK = ":taken_back"
OVERTURNING = frozenset({ChangeKind.SUPERSEDES, ChangeKind.RETRACTS, ChangeKind.CORRECTS})


class Change(Record):
    """`later` bears on `earlier`; both are ids of one namespace, ordered by validity, not by arrival.

    `clause` is the span of the earlier text that falls; `whole` says that nothing else it says still stands.
    `since` is the moment the earlier one ceases to hold. `rule` names what found it, `certainty` in (0, 1].
    """

    kind: ChangeKind
    later: MemoryId
    earlier: MemoryId
    clause: tuple[int, int]
    whole: bool
    slot: str
    since: Moment
    rule: str
    certainty: float = Field(default=1.0, gt=0.0, le=1.0)


class Standing(Record):
    """Where a memory stands now: `ended_at` when what it says ceased to hold, and the memories that ended it.

    `stale_sources` are overturned memories whose value it quotes, though nothing overturned the memory itself.
    """

    id: MemoryId
    status: MemoryStatus = MemoryStatus.ACTIVE
    ended_at: Moment | None = None
    ended_by: tuple[MemoryId, ...] = ()
    stale_sources: tuple[MemoryId, ...] = ()
