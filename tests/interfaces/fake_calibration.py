"""The calibrators of a `FakeGraph`: two versions, of which the second is worse than whatever decides."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from graphsvc.errors import CalibratorRefused, NotFound
from graphsvc.models.answer import AnswerStatus
from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.base import TraceId
from graphsvc.models.calibration import (
    CalibrationHealth,
    CalibrationOverview,
    Calibrator,
    Drifted,
    Feedback,
    Lesson,
    Measure,
    Promotion,
    SideBySide,
)
from graphsvc.retrieve.accept.judge import Judge

if TYPE_CHECKING:
    from tests.interfaces.fakes import FakeGraph

NOW = datetime(2026, 3, 6, 2, 0, tzinfo=UTC)
GOOD, WORSE = "a" * 16, "b" * 16
HEALTH = CalibrationHealth(
    decides=f"calibrator {GOOD}",
    at=NOW,
    recent=250,
    acceptance_rate=0.5,
    level="drift",
    drift=(Drifted(name="late", level="drift", psi=0.4, distance=0.3),),
    warnings=("late has moved",),
)


def said(trace_id: str = "t1", **fields: object) -> Feedback:
    lesson = Lesson(group="g", query_type="general", language="zh", features={"late": 0.6}, right=True)
    told = {"trace_id": TraceId(trace_id), "namespace": "default", "verdict": "accepted", "actor": "Mei", "at": NOW}
    return Feedback.model_validate({**told, "lesson": lesson, **fields})


class FakeCalibrators:
    def __init__(self, graph: FakeGraph) -> None:
        self.graph = graph
        self.folder = Path("nowhere")
        self.judge = Judge()
        self.words: list[Feedback] = []
        self.watch = SimpleNamespace(answers=dict.fromkeys(AnswerStatus, 0) | {AnswerStatus.ANSWERED: 3})

    def lessons(self, namespace: str | None = None) -> list[Feedback]:
        return [one for one in self.words if namespace in {None, one.namespace}]

    def overview(self) -> CalibrationOverview:
        self.graph.meet_failure()
        versions = (
            Calibrator(
                version=GOOD,
                created_at=NOW.isoformat(),
                live=True,
                target_error=0.05,
                coverage=0.6,
                error=0.04,
            ),
            Calibrator(version=WORSE, usable=False, damaged="model.txt is missing"),
        )
        return CalibrationOverview(live=GOOD, target_error=0.05, versions=versions, feedback=2, health=HEALTH)

    def text(self, version: str, file: str) -> str:
        if version not in {GOOD, WORSE}:
            raise NotFound("no such calibrator", where=version)
        return f"# {file} of {version}\n"

    def promote(self, version: str, *, anyway: bool, namespace: str, by: Act) -> Promotion:
        self.graph.asked = {"version": version, "anyway": anyway, "namespace": namespace, "by": by}
        if version == WORSE and not anyway:
            raise CalibratorRefused("AUROC falls by 0.100", where=version, remedy="promote it anyway, with a reason")
        error = Measure(old=0.2, new=0.04, difference=-0.16, low=-0.2, high=-0.1)
        compared = SideBySide(
            version=version, against="fallback-rule", rows=90, groups=30, measures={"error": error}, worse=False
        )
        return Promotion(live=version, compared=compared, overruled="AUROC falls" if anyway else None)

    def rollback(self, *, namespace: str, by: Act = LOCAL) -> Promotion:
        self.graph.asked = {"namespace": namespace, "by": by}
        return Promotion(live=None, before=GOOD)
