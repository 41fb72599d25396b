"""The last turn of a talk that gives what is asked for, where no edge says that it stands for an earlier one.

In a talk "they found no booking, next free is the 26th" names nothing it is about: the talk does. Asked for a kind of
value, what was said last of it is what holds; a turn that gives none only comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphsvc.change import words
from graphsvc.language.change import CHANGE, SETTLED
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId
from graphsvc.retrieve.change.chain import SURELY

# How far behind the best of its talk a later turn may stand: half of what the legs give at most, so that only what
# they found near the question is looked at.
_WITHIN = 0.4
# How much less surely a bare figure is of the kind than one with its unit.
_UNIT = 0.35
# More words than these name a thing of their own.
_FEW_WORDS = 10


def last_of(
    turns: Sequence[Candidate],
    apart: frozenset[MemoryId],
    settled: frozenset[MemoryId],
    moment: datetime,
    *,
    outcome: bool,
) -> Candidate | None:
    """The turn that stands for the best of its talk; None where the best does or nothing typed is asked for."""
    best = max(turns, key=lambda one: (one.score, one.memory.id), default=None)
    if best is None or best.memory.id in apart or not gives(best) or not best.scores.fit.get("covered"):
        return None
    later = [
        one
        for one in turns
        if one.memory.event_time > best.memory.event_time
        and one.memory.id not in apart | settled
        and gives(one)
        and one.memory.begins <= moment
        and best.score - one.score <= _WITHIN
        and _missing(one) <= _missing(best) + _UNIT
        and _leans(one.memory.text, outcome=outcome)
    ]
    return max(later, key=lambda one: (one.memory.event_time, one.memory.id), default=None)


def _leans(text: str, *, outcome: bool) -> bool:
    """Whether a turn is too short to name what it is about; where no outcome is asked for it tells of a change."""
    told = CHANGE.search(text) or SETTLED.search(text)
    return len(words.content_words(text)) <= _FEW_WORDS and (outcome or told is not None)


def gives(candidate: Candidate) -> bool:
    """Whether it holds a value of the asked kind; no where no kind is asked for."""
    missing = candidate.scores.fit.get("kind_missing")
    return missing is not None and missing < SURELY and not candidate.scores.signals.get("asks")


def _missing(candidate: Candidate) -> float:
    return candidate.scores.fit.get("kind_missing") or 0.0
