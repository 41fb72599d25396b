"""The port of looking back: a store as it was at a moment, to be asked again, and gone afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from graphsvc.models.base import MemoryId
from graphsvc.store.base import Store


@dataclass(frozen=True, slots=True)
class Rewound:
    """A copy of a store without what was recorded later; `deleted` are memories deleted since, which it lacks.

    Where memories stood is the journal's to tell, and what those said that were revised since, which are there as now.
    """

    store: Store
    deleted: tuple[MemoryId, ...] = ()


Rewind = Callable[[str, str, datetime], AbstractContextManager[Rewound]]
