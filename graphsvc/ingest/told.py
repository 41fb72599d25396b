"""A relation that is asked once: what it told of two memories is kept while they and those between stay as they are.

Relating all memories anew meets most pairs twice, once from either end, and those of one talk in two batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from graphsvc.models.change import Change
from graphsvc.models.memory import Memory

# Some 30 MB; far more pairs than two batches that meet have in common.
_MOST_KEPT = 100_000


class Relate(Protocol):
    """How a later memory bears on an earlier one, given the turns of their talk that lie between."""

    def __call__(self, earlier: Memory, later: Memory, *, between: Sequence[Memory] = ()) -> Change | None: ...


@dataclass(slots=True)
class ToldOnce:
    """A relation over another one, which must be a pure function; the pairs asked first are forgotten first."""

    relation: Relate
    _kept: dict[tuple[tuple[str, int], ...], Change | None] = field(default_factory=dict)

    def __call__(self, earlier: Memory, later: Memory, *, between: Sequence[Memory] = ()) -> Change | None:
        key = tuple((one.id, one.revision) for one in (earlier, later, *between))
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                for old in list(islice(self._kept, _MOST_KEPT // 2)):
                    del self._kept[old]
            self._kept[key] = self.relation(earlier, later, between=between)
        return self._kept[key]
