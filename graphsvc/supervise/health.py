"""Whether recent questions still look like those the live calibrator was made from; looked at once a minute at most.

Only features and verdicts of recent decisions are read, of all namespaces together: a calibrator serves them all.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from calibration.dataset import matrix_of
from calibration.drift import Drift, Level, Sample, Shift, drift
from calibration.features import NAMES
from graphsvc.models.answer import AnswerStatus, Decision
from graphsvc.models.calibration import CalibrationHealth, Drifted
from graphsvc.retrieve.accept.judge import Decider, Judge
from graphsvc.store.traces import Traces

RECENT = 500
EVERY_S = 60.0
_KNOWN = frozenset(NAMES)


@dataclass(slots=True)
class Watch:
    """Thread-safe; `clock` dates what was seen, `monotonic` paces it."""

    traces: Traces
    judge: Judge
    clock: Callable[[], datetime]
    monotonic: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _seen: CalibrationHealth | None = None
    _by: Decider | None = None
    _due: float = 0.0
    _answers: Counter[AnswerStatus] = field(default_factory=Counter)

    def count(self, status: AnswerStatus) -> None:
        """One more answer of this process."""
        with self._lock:
            self._answers[status] += 1

    @property
    def answers(self) -> Mapping[AnswerStatus, int]:
        """How many answers of each status this process has given."""
        with self._lock:
            return {status: self._answers[status] for status in AnswerStatus}

    def health(self) -> CalibrationHealth:
        """As of at most a minute ago, and of the calibrator that decides now."""
        by = self.judge.now()
        with self._lock:
            if self._seen is None or by is not self._by or self.monotonic() >= self._due:
                self._seen = health_of(self.traces.decisions(RECENT), by, at=self.clock())
                self._by, self._due = by, self.monotonic() + EVERY_S
            return self._seen


def health_of(decisions: Sequence[Decision], by: Decider, *, at: datetime) -> CalibrationHealth:
    """Of decisions, newest first; those on which nothing was found rest on no features and are left out."""
    told = [one for one in decisions if one.features and one.features.keys() <= _KNOWN]
    taken = [one.probability >= one.threshold for one in told]
    found = None if by.calibrator is None else _drift(told, by)
    warnings = [f"the promoted calibrator cannot be used: {by.note}"] if by.broken else []
    shifts = () if found is None else found.shifts
    warnings += [_warning(one.name, one.psi) for one in shifts if one.level is Level.DRIFT]
    return CalibrationHealth(
        decides=by.method,
        at=at,
        recent=len(told),
        acceptance_rate=sum(taken) / len(taken) if taken else None,
        level=None if found is None else found.level.value,
        drift=tuple(_drifted(one) for one in shifts if one.level is not Level.TOO_FEW),
        warnings=tuple(warnings),
    )


def _drift(told: Sequence[Decision], by: Decider) -> Drift:
    """Features of all; how many are accepted only of what the same calibrator decided."""
    assert by.calibrator is not None
    sample = Sample.from_json(by.calibrator.calibration["sample"])
    own = [one.probability >= one.threshold for one in told if one.method == by.method]
    return drift(sample, matrix_of([one.features for one in told]), accepted=sum(own), decisions=len(own))


def _drifted(shift: Shift) -> Drifted:
    return Drifted(name=shift.name, level=shift.level.value, psi=shift.psi, distance=shift.distance)


def _warning(name: str, psi: float) -> str:
    return f"{name} has moved away from what the calibrator was trained on (PSI {psi:.2f}): train it again"
