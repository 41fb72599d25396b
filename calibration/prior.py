"""What a row counts for, when questions are asked in another mixture than the rows were written in.

Rows are written to teach: half of their questions may have no answer on purpose, and nobody asks like that. Under a
stated share of unanswerable questions each kind counts by its odds there over its odds here (Saerens, Latinne and
Decaestecker 2002, "Adjusting the outputs of a classifier to new a priori probabilities"). No row counts more than 1:
the counts are what drawing such a mixture from the rows would leave on average, and no test is given more than that.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
UNANSWERABLE = 0.1  # the share that is taken for granted where nobody states another


class Answerable(IntEnum):
    """Whether a row's question has an answer in its store; real traffic seldom says, and has its own mixture."""

    UNKNOWN = -1
    NO = 0
    YES = 1

    @classmethod
    def of(cls, told: bool | None) -> Answerable:
        return cls.UNKNOWN if told is None else cls(int(told))

    @property
    def told(self) -> bool | None:
        return None if self is Answerable.UNKNOWN else bool(self)


def counts_of(answerable: NDArray[np.int8], unanswerable: float | None) -> Floats:
    """What each row `(n,)` counts, in (0, 1]: all 1 without a stated share, or without both kinds of question.

    Rows of which it is not known count 1. Raises `ValueError` for a share outside (0, 1).
    """
    counts = np.ones(len(answerable))
    if unanswerable is None:
        return counts
    if not 0.0 < unanswerable < 1.0:
        raise ValueError("the share of unanswerable questions lies strictly between 0 and 1")
    has, has_not = answerable == Answerable.YES, answerable == Answerable.NO
    if has.any() and has_not.any():
        factor = unanswerable / (1.0 - unanswerable) * float(has.sum()) / float(has_not.sum())
        counts[has_not] = min(1.0, factor)
        counts[has] = min(1.0, 1.0 / factor)
    return counts
