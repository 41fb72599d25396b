"""The calibration's own errors in the words that every face of the service tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from calibration import errors
from graphsvc.errors import CalibratorRefused, ExtraMissing, FieldInvalid, GraphsvcError, NotFound, TrainingRefused


@contextmanager
def told() -> Iterator[None]:
    """Whatever the calibration refuses inside becomes a `GraphsvcError`."""
    try:
        yield
    except errors.CalibrationError as error:
        raise as_ours(error) from error


def as_ours(error: errors.CalibrationError) -> GraphsvcError:
    """The same failure as one of ours."""
    text = str(error)
    if isinstance(error, errors.UnknownVersion):
        return NotFound("no such calibrator", where=error.version, remedy="list them with graphsvc calibrate list")
    if isinstance(error, errors.BadRows):
        return FieldInvalid(error.why, where=f"{error.source}, line {error.line}" if error.line else error.source)
    if isinstance(error, errors.TooFewRows):
        return TrainingRefused(error.why, where=_counted(error), remedy="give more feedback or more question files")
    if isinstance(error, errors.DeadlinePassed):
        return TrainingRefused(text, remedy="train on fewer rows, or allow more time")
    if isinstance(error, errors.DamagedVersion):
        return CalibratorRefused(f"{error.file} {error.why}", where=error.version, remedy="train again, or roll back")
    if isinstance(error, errors.SchemaMismatch):
        return CalibratorRefused("was made for other features", where=error.found, remedy="train again")
    if isinstance(error, errors.PlotsMissing):
        return ExtraMissing("pictures need matplotlib", where="calibration.report", remedy=error.remedy)
    return CalibratorRefused(text)


def _counted(error: errors.TooFewRows) -> str:
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(error.by_type.items()))
    return f"{error.rows} rows to fit on ({error.right} right) in {error.groups} groups: {kinds or 'none'}"
