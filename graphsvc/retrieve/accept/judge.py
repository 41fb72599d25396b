"""Who decides: the promoted calibrator, else the one that is shipped, else the fallback rule with the reason why.

The registry's pointer is looked at most once a second, so that a promotion in another process is seen without a
restart. What cannot be used never takes the service down: the rule decides, and every answer says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from calibration import fallback
from calibration.errors import CalibrationError
from calibration.features import Values
from calibration.model import Calibrator
from calibration.registry import Registry, Stamp

CHECK_S = 1.0
RETRY_S = 10.0  # what could not be loaded may have been repaired, though the pointer is the same
ENCODER = "encoder"  # the key under which a calibrator says what it was trained with
_SHIPPED = "artifacts/default"


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """One calibrator, or the rule where `note` says why none decides; the same from a question's start to its end."""

    calibrator: Calibrator | None = None
    note: str | None = None
    shipped: bool = False
    broken: bool = False
    """Whether something was promoted that cannot be used."""

    @property
    def version(self) -> str | None:
        return None if self.calibrator is None else self.calibrator.version

    @property
    def method(self) -> str:
        """As decisions name it."""
        if self.calibrator is None:
            return fallback.METHOD if self.note is None else f"{fallback.METHOD}: {self.note}"
        return f"calibrator {self.calibrator.version}"

    @property
    def target_error(self) -> float | None:
        return None if self.calibrator is None else self.calibrator.thresholds.target_error

    def probabilities(self, rows: Sequence[Values]) -> list[float]:
        """Of each candidate by its features, in (0, 1)."""
        if self.calibrator is None:
            return [fallback.probability(values) for values in rows]
        return self.calibrator.probabilities(rows).tolist() if rows else []

    def threshold(self, query_type: str) -> float:
        """From this probability on a result may be used; above 1 where none may."""
        return fallback.THRESHOLD if self.calibrator is None else self.calibrator.threshold(query_type)


RULE = Decider()


class Judge:
    """Thread-safe. Without a registry the rule decides, unless there is a shipped calibrator.

    `encoder` is what turns text into vectors here: a calibrator that says it was trained with another is not used.
    """

    def __init__(
        self,
        registry: Registry | None = None,
        shipped: Registry | None = None,
        *,
        encoder: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._registry = registry
        self._shipped = shipped
        self._encoder = encoder
        self._clock = clock
        self._lock = threading.Lock()
        self._present: Decider | None = None
        self._stamp: Stamp | None = None
        self._due = float("-inf")
        self._retry = float("inf")

    @property
    def shipped(self) -> Registry | None:
        """Where the calibrator that came with the package is, if one came."""
        return self._shipped

    def now(self) -> Decider:
        """Who decides now; while one thread loads a new calibrator the others go on with the present one."""
        present = self._present
        if present is not None and self._clock() < self._due:
            return present
        if not self._lock.acquire(blocking=present is None):
            assert present is not None  # else it would have waited
            return present
        try:
            return self._looked()
        finally:
            self._lock.release()

    def renew(self) -> Decider:
        """Look at once, as after a promotion made here."""
        with self._lock:
            self._due = float("-inf")
            return self._looked()

    def _looked(self) -> Decider:
        now = self._clock()
        if self._present is not None and now < self._due:
            return self._present
        stamp = None if self._registry is None else self._registry.stamp()
        if self._present is None or stamp != self._stamp or now >= self._retry:
            self._present = self._chosen()
            self._stamp = stamp
            self._retry = now + RETRY_S if self._present.broken else float("inf")
        self._due = now + CHECK_S
        return self._present

    def _chosen(self) -> Decider:
        note = "no calibrator is promoted"
        if self._registry is not None:
            live = self._registry.current()
            if live.calibrator is not None:
                other = self._other_encoder(live.calibrator)
                return Decider(live.calibrator) if other is None else Decider(note=other, broken=True)
            if not _nothing_promoted(self._registry):
                return Decider(note=live.reason or note, broken=True)
        if self._shipped is None:
            return Decider(note=note)
        shipped = self._shipped.current()
        why = shipped.reason if shipped.calibrator is None else self._other_encoder(shipped.calibrator)
        if why is None:
            return Decider(shipped.calibrator, shipped=True)
        return Decider(note=f"{note}, and the shipped one cannot be used: {why}")

    def _other_encoder(self, calibrator: Calibrator) -> str | None:
        """Why a calibrator does not fit the vectors here; None when it does, or does not say."""
        made_with = calibrator.calibration.get(ENCODER)
        if made_with is None or self._encoder is None or made_with == self._encoder:
            return None
        return f"it was trained with another encoder ({made_with})"


def _nothing_promoted(registry: Registry) -> bool:
    """Whether the registry itself says that no version is current, and not that it cannot be read."""
    try:
        return registry.pointer().current is None
    except (CalibrationError, OSError):
        return False


def shipped_registry() -> Registry | None:
    """The calibrator that came with the package, as a registry of one; None where none came."""
    folder = Path(str(files("calibration").joinpath(_SHIPPED)))
    return Registry(folder, now=lambda: datetime.now(UTC)) if folder.is_dir() else None
