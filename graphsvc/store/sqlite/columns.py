"""Arrays that grow, and texts written as small numbers: what the memory side is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]
IntArray = NDArray[np.int64]
Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]

T = TypeVar("T", bound=np.generic)

MISSING_TIME = np.iinfo(np.int64).min
MISSING_CODE = -1


class Growing(Generic[T]):
    """Rows appended at amortised constant cost; views handed out earlier stay valid."""

    def __init__(self, dtype: type[T], *, width: int | None = None) -> None:
        self._data: NDArray[T] = np.empty((0,) if width is None else (0, width), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def view(self) -> NDArray[T]:
        return self._data[: self._count]

    def reserve(self, count: int) -> None:
        if count > len(self._data):
            grown = np.empty((count, *self._data.shape[1:]), dtype=self._data.dtype)
            grown[: self._count] = self.view
            self._data = grown

    def extend(self, rows: NDArray[T]) -> None:
        needed = self._count + len(rows)
        if needed > len(self._data):
            self.reserve(max(needed, len(self._data) * 3 // 2, 16))
        self._data[self._count : needed] = rows
        self._count = needed

    def replace(self, places: Positions, rows: NDArray[T]) -> None:
        """Other values at places there are. They go into a copy: readers of earlier views, who hold no lock,
        keep theirs whole. A column of 100,000 is less than a megabyte, copied in well under a millisecond."""
        if len(places):
            self._data = self._data.copy()
            self._data[places] = rows


class Codebook(dict[str, int]):
    """Numbers texts in the order they first appear; asking for an unknown text adds it."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code

    def encode(self, texts: Iterable[str | None]) -> Codes:
        return np.array([MISSING_CODE if text is None else self[text] for text in texts], dtype=np.int32)


def times(values: Sequence[int | None]) -> IntArray:
    """Microseconds since 1970, absent ones as `MISSING_TIME`."""
    return np.array([MISSING_TIME if value is None else value for value in values], dtype=np.int64)


def intersect(left: Positions, right: Positions) -> Positions:
    """Of two ascending arrays without repeats, what both hold; costs what the shorter one holds."""
    if len(left) > len(right):
        left, right = right, left
    return left[member(left, right)]


def member(some: Positions, of: NDArray[Any]) -> Mask:
    """Which of `some` the ascending array `of` holds."""
    if not len(of):
        return np.zeros(len(some), dtype=np.bool_)
    places = np.searchsorted(of, some)
    places[places == len(of)] = 0
    found: Mask = of[places] == some
    return found
