"""Labelled decisions as matrices, split so that no group is on two sides.

A row is one decision: the features of the candidate that would be accepted or not, and whether accepting it is right.
Rows of one conversation or story share a group. Order never matters, and of two rows with one id the later counts.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.errors import SchemaMismatch
from calibration.features import NAMES, Values
from calibration.prior import Answerable

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
_KNOWN = frozenset(NAMES)
_FIT_SHARE, _TUNE_SHARE = 0.6, 0.2  # 3 : 1 : 1


@dataclass(frozen=True, slots=True)
class Row:
    """`values` by feature name, None or absent where unknown; `source` says where the label came from.

    `answerable` says whether the question has an answer in its store at all, None where nobody knows.
    """

    id: str
    group: str
    query_type: str
    values: Mapping[str, float | None]
    right: bool
    source: str
    language: str = "unknown"
    answerable: bool | None = None


def matrix_of(rows: Sequence[Values]) -> Floats:
    """float64 `(n, features)` in the list's order, NaN = unknown; raises `SchemaMismatch` for another name."""
    flat: list[float | None] = []
    for values in rows:
        if not values.keys() <= _KNOWN:
            raise SchemaMismatch("of this release", ", ".join(sorted(values.keys() - _KNOWN)))
        flat.extend(map(values.get, NAMES))
    return np.array(flat, dtype=np.float64).reshape(len(rows), len(NAMES))


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """`features` float64 `(n, features)` with NaN for unknown; the others `(n,)`, all sorted by id.

    `answerable` holds values of `Answerable`.
    """

    ids: NDArray[np.str_]
    groups: NDArray[np.str_]
    query_types: NDArray[np.str_]
    languages: NDArray[np.str_]
    sources: NDArray[np.str_]
    right: Bools
    features: Floats
    answerable: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Dataset:
        """One row per id, the last given."""
        last = {one.id: one for one in rows}
        kept = [last[name] for name in sorted(last)]
        return cls(
            np.array([one.id for one in kept], dtype=np.str_),
            np.array([one.group for one in kept], dtype=np.str_),
            np.array([one.query_type for one in kept], dtype=np.str_),
            np.array([one.language for one in kept], dtype=np.str_),
            np.array([one.source for one in kept], dtype=np.str_),
            np.array([one.right for one in kept], dtype=np.bool_),
            matrix_of([one.values for one in kept]),
            np.array([Answerable.of(one.answerable) for one in kept], dtype=np.int8),
        )

    def where(self, mask: Bools) -> Dataset:
        """The rows that a mask `(n,)` keeps."""
        return Dataset(
            self.ids[mask],
            self.groups[mask],
            self.query_types[mask],
            self.languages[mask],
            self.sources[mask],
            self.right[mask],
            self.features[mask],
            self.answerable[mask],
        )

    def rows(self) -> list[Row]:
        """The rows again, NaN as None."""
        told = [[None if math.isnan(value) else value for value in line] for line in self.features.tolist()]
        return [
            Row(
                str(name),
                str(group),
                str(kind),
                dict(zip(NAMES, line, strict=True)),
                bool(right),
                str(source),
                str(tongue),
                Answerable(int(answerable)).told,
            )
            for name, group, kind, line, right, source, tongue, answerable in zip(
                self.ids,
                self.groups,
                self.query_types,
                told,
                self.right,
                self.sources,
                self.languages,
                self.answerable,
                strict=True,
            )
        ]

    def split(self, seed: int) -> Split:
        """Fit, tune and test, 3 : 1 : 1 by group."""
        part = split_groups(self.groups.tolist(), seed)
        where = np.array([part[str(group)] for group in self.groups], dtype=np.int64)
        return Split(self.where(where == 0), self.where(where == 1), self.where(where == 2))


@dataclass(frozen=True, slots=True)
class Split:
    """What is learnt on, what thresholds are chosen on, and what is only ever measured on."""

    fit: Dataset
    tune: Dataset
    test: Dataset


def place(group: str, seed: int) -> float:
    """A number in [0, 1) that depends on nothing but the group's name and the seed."""
    digest = hashlib.sha256(f"{seed}\x1f{group}".encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


def split_groups(groups: Iterable[str], seed: int) -> dict[str, int]:
    """Group → 0 fit, 1 tune, 2 test, the same whatever other groups there are; from 3 groups on no part is empty."""
    places = {group: place(group, seed) for group in groups}
    part = {group: 0 if at < _FIT_SHARE else 1 if at < _FIT_SHARE + _TUNE_SHARE else 2 for group, at in places.items()}
    for wanted in range(3) if len(part) >= 3 else ():
        members = {number: [group for group in part if part[group] == number] for number in range(3)}
        if not members[wanted]:
            largest = max(members.values(), key=len)
            part[min(largest, key=lambda group: (places[group], group))] = wanted
    return part


def codes(groups: NDArray[np.str_]) -> Ints:
    """Groups `(n,)` as numbers from 0."""
    found: Ints = np.unique(groups, return_inverse=True)[1].astype(np.int64).reshape(-1)
    return found


def joined(parts: Iterable[Dataset]) -> Dataset:
    """Several as one; of two rows with one id the later part's counts."""
    return Dataset.of(chain.from_iterable(part.rows() for part in parts))
