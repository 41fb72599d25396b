"""The port of what has fallen: which answers rested on what, which were overturned, and who is to be told.

It stands over the same file as the traces. An overturned answer and the notices of it are one transaction, so that
nobody is told of what is not recorded, and nothing recorded is left untold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graphsvc.models.answer import Trace
from graphsvc.models.audit import Delivery, DeliveryState, NewSubscription, OverturnedAnswer, Subscription
from graphsvc.models.base import MemoryId


@dataclass(frozen=True, slots=True)
class Overturning:
    """An answer that fell, and `cause`, the name of what made it fall: one answer falls once by one cause."""

    cause: str
    answer: OverturnedAnswer


@dataclass(frozen=True, slots=True)
class OverturnedPage:
    """Overturned answers in the order recorded; `after` is the cursor behind the last of them, for the next call."""

    answers: tuple[OverturnedAnswer, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """A notice taken for delivery: its exact body, where it goes, and the `lease` under which it is held."""

    id: str
    lease: str
    subscription: str
    url: str
    secret: str
    body: str
    attempts: int


class Falsified(Protocol):
    """Thread-safe, and safe between processes."""

    def resting_on(self, namespace: str, ids: Sequence[MemoryId], *, limit: int) -> list[Trace]:
        """The answers that accepted evidence of one of these memories, oldest first."""
        ...

    def rested(self, namespace: str) -> list[MemoryId]:
        """Every memory that an answer still kept rests on, by id."""
        ...

    def record(self, namespace: str, fallen: Sequence[Overturning], *, at: datetime) -> list[OverturnedAnswer]:
        """Keep those not recorded yet and queue a notice of each for every subscriber; what was new, in order."""
        ...

    def overturned(self, namespace: str, *, after: str | None = None, limit: int = 100) -> OverturnedPage:
        """Raises `FieldInvalid` for a cursor that is none or a limit below 1."""
        ...

    def subscribe(self, subscription: NewSubscription) -> None: ...

    def unsubscribe(self, namespace: str, subscription_id: str) -> bool:
        """Whether there was such a subscription; its notices go with it."""
        ...

    def subscriptions(self, namespace: str) -> list[Subscription]:
        """Oldest first, without their secrets."""
        ...

    def take(self, now: datetime, *, until: datetime) -> Parcel | None:
        """The notice that is due the longest, held until then, so that nobody else takes it; None when none is due."""
        ...

    def done(self, parcel: Parcel, *, status: int) -> bool:
        """It arrived; False when the lease was lost meanwhile."""
        ...

    def failed(self, parcel: Parcel, *, status: int, retry_at: datetime | None) -> bool:
        """It did not arrive: tried again at `retry_at`, and others to the same subscriber not before; None is dead."""
        ...

    def next_due(self) -> datetime | None:
        """When the next notice can be taken, None when none waits."""
        ...

    def deliveries(self, namespace: str, *, state: DeliveryState | None = None, limit: int = 100) -> list[Delivery]:
        """Newest first."""
        ...

    def forget(self, namespace: str | None, ids: Sequence[MemoryId] | None) -> None:
        """Take out what is kept of answers that fell with one of these memories, and their notices; None is all."""
        ...
