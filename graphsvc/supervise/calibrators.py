"""The calibrators of one installation: which there are, which decides, and how one takes the place of another.

A version is promoted only after it was laid beside what decides now, on rows that neither learnt from, and was not
worse beyond noise; or against that with a reason. Both are journalled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from calibration.compare import Comparison, FallbackRule, Verdict, compare, worse_beyond_noise
from calibration.errors import CalibrationError
from calibration.features import schema_hash
from calibration.registry import Registry, VersionInfo
from calibration.report import report_of
from graphsvc.errors import CalibratorRefused, FieldInvalid
from graphsvc.models.audit import LOCAL, Act, Action
from graphsvc.models.calibration import CalibrationOverview, Calibrator, Measure, Promotion, SideBySide
from graphsvc.retrieve.accept.judge import Judge
from graphsvc.store.base import Store
from graphsvc.store.journal import Noted
from graphsvc.store.namespaces import checks_namespace
from graphsvc.supervise.health import Watch
from graphsvc.supervise.refusals import told
from graphsvc.supervise.rows import held_out

_ANYWAY = "promote it anyway, with a reason"


@checks_namespace
@dataclass(frozen=True, slots=True)
class Calibrators:
    """Over one registry; what is done in a namespace is noted in it, and holds for all."""

    registry: Registry
    judge: Judge
    store: Store
    watch: Watch

    @property
    def folder(self) -> Path:
        """Where versions, their rows and the jobs that make them are kept."""
        return self.registry.folder

    def overview(self) -> CalibrationOverview:
        """Never raises for what is on the disk."""
        now = self.judge.now()
        versions = tuple(self._info(one, now.version) for one in self.registry.versions())
        return CalibrationOverview(
            live=now.version,
            shipped=now.shipped,
            note=now.note,
            target_error=now.target_error,
            versions=versions,
            history=self._history(),
            feedback=self.store.feedback.count(),
            health=self.watch.health(),
        )

    def text(self, version: str, file: str) -> str:
        """A file of a version, such as `card.md`; raises `NotFound` and `CalibratorRefused`."""
        now, shipped = self.judge.now(), self.judge.shipped
        where = shipped if now.shipped and version == now.version and shipped is not None else self.registry
        with told():
            return where.text(version, file)

    def side_by_side(self, version: str) -> SideBySide | None:
        """A version against what decides now, on its held-out rows; None where none are kept with it."""
        with told():
            new = self.registry.load(version)
            rows = held_out(self.folder, version, int(new.calibration["seed"]))
        if rows is None or not len(rows):
            return None
        now = self.judge.now()
        compared = compare(now.calibrator or FallbackRule(), new, rows, unanswerable=new.thresholds.unanswerable)
        verdict = worse_beyond_noise(compared, target_error=new.thresholds.target_error)
        return _side_by_side(version, now.method, compared, verdict)

    def promote(self, version: str, *, anyway: bool = False, namespace: str = "default", by: Act = LOCAL) -> Promotion:
        """Have a version decide from now on; raises `NotFound`, and `CalibratorRefused` saying what is worse.

        With `anyway` only a version that cannot be loaded is refused, and `by` must say why.
        """
        if anyway and not by.reason:
            raise FieldInvalid("to overrule the comparison needs a reason", where="reason")
        compared = self.side_by_side(version)
        against = self._nothing(version) or _against(compared)
        if against and not anyway:
            raise CalibratorRefused(against, where=version, remedy=_ANYWAY)
        before = self.judge.now().version
        with told():
            self.registry.promote(version)
        live = self.judge.renew().version
        overruled = against if anyway else None
        after: dict[str, Any] = {"version": version, "overruled": overruled}
        if compared is not None:
            after["measures"] = {name: one.model_dump() for name, one in compared.measures.items()}
        self.store.journal.append(namespace, [_noted(Action.PROMOTE, before, after)], by=by)
        return Promotion(live=live, before=before, compared=compared, overruled=overruled)

    def _nothing(self, version: str) -> str | None:
        """A version that accepts nothing errs in nothing, and is of no use."""
        with told():
            thresholds = self.registry.load(version).thresholds
        every = (thresholds.overall, *thresholds.types.values())
        return "it accepts nothing" if all(one.accepts_nothing for one in every) else None

    def rollback(self, *, namespace: str = "default", by: Act = LOCAL) -> Promotion:
        """Back to what decided before; raises `CalibratorRefused` when nothing was promoted before."""
        before = self.judge.now().version
        with told():
            target = self.registry.rollback()
        live = self.judge.renew().version
        self.store.journal.append(namespace, [_noted(Action.ROLLBACK, before, {"version": target})], by=by)
        return Promotion(live=live, before=before)

    def _history(self) -> tuple[dict[str, Any], ...]:
        try:
            return tuple(dict(one) for one in self.registry.pointer().history)
        except (CalibrationError, OSError):
            return ()

    def _info(self, info: VersionInfo, live: str | None) -> Calibrator:
        shown = {"version": info.version, "created_at": info.created_at, "parent": info.parent}
        try:
            thresholds = json.loads(self.registry.text(info.version, "thresholds.json"))
            test = json.loads(self.registry.text(info.version, "metrics.json"))["test"]
        except (CalibrationError, OSError) as error:
            return Calibrator.model_validate({**shown, "usable": False, "damaged": info.damaged or str(error)})
        return Calibrator(
            **shown,
            live=info.version == live,
            usable=info.schema == schema_hash(),
            target_error=thresholds["target_error"],
            coverage=test["coverage"],
            error=test["error"],
        )


class Texts(Protocol):
    """Whatever gives the files of a version as text, such as `Calibrators`."""

    def text(self, version: str, file: str, /) -> str: ...


def drawn(texts: Texts, version: str) -> Mapping[str, bytes]:
    """The pictures of a version, and `report.html`, which holds them; raises as `text` does, and `ExtraMissing`."""
    with told():
        files = {name: texts.text(version, name) for name in ("thresholds.json", "metrics.json")}
        return report_of(files, title=f"Calibrator {version}")


def _noted(action: Action, before: str | None, after: dict[str, Any]) -> Noted:
    return Noted(action, after["version"], before=json.dumps({"version": before}), after=json.dumps(after))


def _against(compared: SideBySide | None) -> str | None:
    """Why a version should not take over; None when nothing speaks against it."""
    if compared is None:
        return "no rows are kept with it that it could be compared on"
    return "; ".join(compared.reasons) if compared.worse else None


def _side_by_side(version: str, against: str, compared: Comparison, verdict: Verdict) -> SideBySide:
    return SideBySide(
        version=version,
        against=against,
        rows=compared.rows,
        groups=compared.groups,
        measures={name: Measure(**asdict(one)) for name, one in compared.measures.items()},
        worse=verdict.refused,
        reasons=verdict.reasons,
    )
