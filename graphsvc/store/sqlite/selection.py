"""What a chain of filters left: positions in one view of a namespace, good for later views too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphsvc.errors import FieldInvalid
from graphsvc.store.base import Selection
from graphsvc.store.sqlite.columns import Positions
from graphsvc.store.sqlite.partition import View


@dataclass(frozen=True, slots=True)
class SqliteSelection:
    """Positions in one view of a namespace; None means all that live in it."""

    store: object
    namespace: str
    view: View
    positions: Positions | None

    @property
    def count(self) -> int:
        return self.view.living if self.positions is None else len(self.positions)


def ours(selection: Selection, store: object) -> SqliteSelection:
    """The selection as this store made it; raises `FieldInvalid` for another store's."""
    if not isinstance(selection, SqliteSelection) or selection.store is not store:
        raise FieldInvalid("a selection of another store", where="selection")
    return selection


def moved(selection: SqliteSelection, view: View) -> Positions | None:
    """The selection's positions in another view; what was deleted since is gone from it."""
    earlier = selection.view
    positions = selection.positions
    if view is earlier:
        return positions
    if positions is None:
        positions = np.arange(earlier.count, dtype=np.int64)
    if view.ids is earlier.ids:  # the same arrays, only longer
        return positions[view.alive[positions]]
    return view.positions(earlier.rows[positions])
