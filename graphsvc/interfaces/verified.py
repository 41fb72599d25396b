"""What reading the journal from its beginning found, as both faces tell it."""

from __future__ import annotations

from typing import Self

from graphsvc.models.audit import Break, Verification
from graphsvc.models.base import Record


class Verified(Record):
    """Whether every chain holds, and where not; keep `heads` elsewhere, to know later that nothing was rewritten."""

    holds: bool
    entries: int
    heads: dict[str, str]
    breaks: tuple[Break, ...]

    @classmethod
    def of(cls, found: Verification) -> Self:
        return cls(holds=found.holds, entries=found.entries, heads=found.heads, breaks=found.breaks)
