"""A question on its way and what became of one search for it, as the ask path hands them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphsvc.models.answer import Candidate, CheckName, Decision
from graphsvc.models.base import MemoryId
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.check import Checked
from graphsvc.retrieve.find import Found, Read
from graphsvc.retrieve.ladder.route import Path
from graphsvc.retrieve.ladder.session import Preference
from graphsvc.understand.tagger import Setting


@dataclass(frozen=True, slots=True)
class Posed:
    """A question as it was read, in which setting, the path it takes, and what its session leans to."""

    read: Read
    setting: Setting
    path: Path
    prefer: Preference = field(default_factory=Preference)

    @property
    def question(self) -> Question:
        return self.read.question


@dataclass(frozen=True, slots=True)
class Decided:
    """One search and its verdict: the accepted candidates after the three checks."""

    found: Found
    decision: Decision
    checked: Checked

    @property
    def credible(self) -> bool:
        """Whether somebody reliable says so; what is incomplete or disputed may still be shown as such."""
        return all(one.passed for one in self.checked.checks if one.name is CheckName.CREDIBILITY)

    @property
    def accepted(self) -> tuple[Candidate, ...]:
        return self.checked.evidence if self.credible else ()


def together(decided: Decided, parts: Sequence[Decided]) -> tuple[Candidate, ...]:
    """What answers the whole question, then what answers its parts, each memory once."""
    first: dict[MemoryId, Candidate] = {}
    for each in (decided, *parts):
        for one in each.accepted:
            first.setdefault(one.memory.id, one)
    return tuple(first.values())
