"""The port of words: which search tokens a namespace's memories hold, and in how many of them.

It stands beside the `Store` port and shares its laws. Counts are of living memories of one namespace,
so nothing here tells of a neighbour, or of a word whose last memory was deleted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`words` are index tokens in the order they first came; `counts[i]` is how many memories hold `words[i]`.

    A count is 0 where none is left. Within one `edition` words are only ever added at the end, so what
    was worked out for the first n of them stays true; another edition has to be read from the start.
    """

    edition: Hashable
    words: Sequence[str]
    counts: NDArray[np.int64]


class Words(Protocol):
    """Thread-safe; no call changes anything."""

    def known(self, namespace: str, tokens: Iterable[str]) -> dict[str, int]:
        """Those of the index tokens that memories of the namespace hold, with how many hold each."""
        ...

    def vocabulary(self, namespace: str) -> Vocabulary:
        """All of the namespace's index tokens, at the price of a copy of the counts; empty where nothing is stored."""
        ...
