"""One question with everything its caller said about it, and the stages of answering it, each with its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from graphsvc.models.answer import Leg, Stage
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.retrieve.rank.pool import ALL_LEGS
from graphsvc.store.base import Where

MAX_QUESTION_CHARS = 2000


@dataclass(frozen=True, slots=True)
class Ask:
    """`where` is the caller's own filter; `diversity` in [0, 1] trades closeness for variety among the candidates.

    `session_id` names the session whose last questions a follow-up leans on.
    """

    asked: Asked
    namespace: str
    where: Where | None = None
    limit: int = 10
    min_similarity: float | None = None
    legs: frozenset[Leg] = ALL_LEGS
    diversity: float = 0.0
    session_id: str | None = None


@dataclass(slots=True)
class Clockwork:
    """The stages of one run, each with its time."""

    stages: list[Stage] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)
    _last: float = field(default_factory=perf_counter)

    def mark(self, name: str, remaining: int, applied: str = "") -> None:
        now = perf_counter()
        self.stages.append(
            Stage(name=name, remaining=remaining, ms=round((now - self._last) * 1000, 3), applied=applied)
        )
        self._last = now

    def extend(self, stages: Sequence[Stage]) -> None:
        self.stages += stages
        self._last = perf_counter()

    @property
    def total_ms(self) -> float:
        return round((perf_counter() - self.started) * 1000, 3)
