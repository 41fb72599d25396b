"""What the ladder asks the rest of the ask path to do, and what it hears back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from graphsvc.models.answer import Candidate, Rewrite

OutcomeT = TypeVar("OutcomeT")


@dataclass(frozen=True, slots=True)
class Request:
    """One search: `text` and the extra search tokens `words` find; the evidence has to answer `judged_by`.

    `judged_by` is the question as it was asked with its slips put right, so no synonym and no date that
    was put in can make a memory look like an answer. `doubtful` are readings that only a person may confirm.
    """

    text: str
    judged_by: str
    words: tuple[str, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    doubtful: tuple[Rewrite, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempted(Generic[OutcomeT]):
    """What one search came to: `outcome` is the caller's own and is handed back untouched.

    `candidates` are best first and `probability` is the best one's, judged by the threshold of every attempt.
    `has_value` says of the best whether it holds the kind of value asked for, None where none is asked for;
    `conflict` that accepted memories disagree and nothing settles it; `credible` whether anybody reliable says it.
    """

    outcome: OutcomeT
    candidates: tuple[Candidate, ...]
    probability: float
    threshold: float
    has_value: bool | None = None
    conflict: bool = False
    credible: bool = True

    @property
    def accepted(self) -> bool:
        return bool(self.candidates) and self.probability >= self.threshold
