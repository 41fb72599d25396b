"""What is said of accepting and of learning from it: feedback, the calibrators there are, drift, and jobs."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from graphsvc.models.base import MemoryId, Moment, Namespace, Record, ShortText, TraceId


class Verdict(StrEnum):
    """`corrected` says which memory answers instead."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CORRECTED = "corrected"


class Lesson(Record):
    """A decision as something to learn from: numbers and opaque names only, no text.

    `group` is the conversation, session or trace it came from, hashed; `right` whether the best candidate answers.
    """

    group: str
    query_type: str
    language: str
    features: dict[str, float | None]
    right: bool


class Feedback(Record):
    """Somebody's word on one answer; without `memory_id` on the whole of it.

    `about` is the best candidate of that answer, whose features the decision rested on; `lesson` is absent where
    nothing can be learnt of it: the answer was a search, or the word is on another memory.
    """

    trace_id: TraceId
    namespace: Namespace
    memory_id: MemoryId | None = None
    verdict: Verdict
    corrected_by: MemoryId | None = None
    actor: ShortText
    at: Moment
    about: MemoryId | None = None
    lesson: Lesson | None = None


class Calibrator(Record):
    """A kept version; `damaged` says why it cannot be read, `usable` whether this release can decide with it."""

    version: str
    created_at: str = ""
    parent: str | None = None
    live: bool = False
    usable: bool = True
    damaged: str | None = None
    target_error: float | None = None
    coverage: float | None = None
    error: float | None = None


class Drifted(Record):
    """How far one feature, or the acceptance rate, has moved: the population stability index and the KS distance."""

    name: str
    level: str
    psi: float
    distance: float


class CalibrationHealth(Record):
    """Recent decisions against those the live calibrator was made from; `warnings` are for whoever runs the service.

    `acceptance_rate` is the share of the `recent` decisions that were accepted, absent without any. Without a
    calibrator there is nothing to compare with: `level` is absent.
    """

    decides: str
    at: Moment
    recent: int
    acceptance_rate: float | None = None
    level: str | None = None
    drift: tuple[Drifted, ...] = ()
    warnings: tuple[str, ...] = ()


class CalibrationOverview(Record):
    """Which calibrators there are and which decides; `note` says why none does. `history` is newest last."""

    live: str | None
    shipped: bool = False
    note: str | None = None
    target_error: float | None = None
    versions: tuple[Calibrator, ...] = ()
    history: tuple[dict[str, Any], ...] = ()
    feedback: int = 0
    health: CalibrationHealth


class Measure(Record):
    """One measure of two deciders, and new - old with its 5% and 95% bounds by a bootstrap over groups."""

    old: float | None
    new: float | None
    difference: float
    low: float
    high: float


class SideBySide(Record):
    """A version against what decides now, on rows neither learnt from; `reasons` say why it is worse beyond noise."""

    version: str
    against: str
    rows: int
    groups: int
    measures: dict[str, Measure]
    worse: bool
    reasons: tuple[str, ...] = ()


class Promotion(Record):
    """What decides from now on; `compared` is absent where there was nothing to compare on."""

    live: str | None
    before: str | None = None
    compared: SideBySide | None = None
    overruled: str | None = None


class JobState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class JobError(Record):
    """Why a job failed, in the words of the error that stopped it."""

    code: str
    what: str
    remedy: str = ""


class Job(Record):
    """A long piece of work in a process of its own: `done` of `total` steps of its `stage`, 0 while unknown."""

    id: str
    kind: str
    state: JobState
    stage: str = ""
    done: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
    started_at: Moment
    ended_at: Moment | None = None
    result: dict[str, Any] | None = None
    error: JobError | None = None
