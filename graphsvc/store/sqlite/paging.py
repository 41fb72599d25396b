"""Pages of memories, newest first, and the cursors that lead from one to the next."""

from __future__ import annotations

import heapq
import sqlite3

import numpy as np

from graphsvc.errors import FieldInvalid
from graphsvc.store.sqlite.columns import Positions
from graphsvc.store.sqlite.partition import View

Key = tuple[int, str, int]  # event time, id, row


def write_cursor(key: Key) -> str:
    return f"{key[0]}:{key[1]}"


def newest_of_all(conn: sqlite3.Connection, namespace: int, after: tuple[int, str] | None, limit: int) -> list[Key]:
    """Keys of a namespace before `after`, straight from the index."""
    condition = "" if after is None else "AND (event_time, id) < (?, ?)"
    return conn.execute(
        f"SELECT event_time, id, row FROM memory WHERE namespace = ? {condition}"  # noqa: S608 (a constant of ours)
        " ORDER BY event_time DESC, id DESC LIMIT ?",
        (namespace, *(after or ()), limit),
    ).fetchall()


def newest(view: View, positions: Positions, after: tuple[int, str] | None, limit: int) -> list[Key]:
    """Keys of these memories before `after`; only the ones of a page and its ties are sorted."""
    times = view.times["event_time"]
    if after is not None:
        moment, last = after
        positions = positions[times[positions] <= moment]
        tied = times[positions] == moment
        keep = np.array([view.ids[p] < last for p in positions[tied]], dtype=np.bool_)
        positions = np.concatenate([positions[~tied], positions[tied][keep]])
    if len(positions) > limit:
        least = np.partition(times[positions], len(positions) - limit)[len(positions) - limit]
        positions = positions[times[positions] >= least]
    keys = ((int(times[p]), view.ids[p], int(view.rows[p])) for p in positions.tolist())
    return heapq.nlargest(limit, keys)


def read_cursor(cursor: str) -> tuple[int, str]:
    """Event time and id of the last memory seen; raises `FieldInvalid`."""
    time, _, last = cursor.partition(":")
    try:
        return int(time), last
    except ValueError:
        raise FieldInvalid(
            "is no cursor of a page", where="after", remedy="pass on what the page before gave"
        ) from None
