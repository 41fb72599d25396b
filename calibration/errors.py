"""What can go wrong with a calibrator, each by its own name and with the facts that say what to do.

CalibrationError
├── BadRows            a file of labelled rows cannot be used
├── TooFewRows         nothing can be learnt honestly: stay on the fallback rule
├── DeadlinePassed     training took longer than it may
├── SchemaMismatch     made for, or asked with, other features
├── UnknownVersion     no such version in the registry
├── DamagedVersion     a version whose files are not what was saved
├── NothingToRollBack  no earlier state
└── PlotsMissing       the extra that draws is not installed
"""

from __future__ import annotations

from collections.abc import Mapping


class CalibrationError(Exception):
    """The root; every other error here is one."""


class BadRows(CalibrationError):
    """`line` counts from 1 and is 0 where the whole file is meant."""

    def __init__(self, source: str, line: int, why: str) -> None:
        super().__init__(f"{source}, line {line}: {why}" if line else f"{source}: {why}")
        self.source, self.line, self.why = source, line, why


class TooFewRows(CalibrationError):
    """`rows`, `right` and `groups` count what there is to fit on; `by_type` the same per query type."""

    def __init__(self, why: str, *, rows: int, right: int, groups: int, by_type: Mapping[str, int]) -> None:
        super().__init__(f"{why} ({rows} rows, {right} right, {groups} groups): the fallback rule stays")
        self.why, self.rows, self.right, self.groups, self.by_type = why, rows, right, groups, dict(by_type)


class DeadlinePassed(CalibrationError):
    """Training stopped where `stage` names, and left nothing behind."""

    def __init__(self, stage: str) -> None:
        super().__init__(f"the deadline passed while training ({stage})")
        self.stage = stage


class SchemaMismatch(CalibrationError):
    """`expected` and `found` are schema hashes, column names or counts, as text."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"made for features {expected}, asked with {found}: train again")
        self.expected, self.found = expected, found


class UnknownVersion(CalibrationError):
    """No version of that name is kept, or the text is no name of a version."""

    def __init__(self, version: str) -> None:
        super().__init__(f"no such version: {version[:40]!r}")
        self.version = version


class DamagedVersion(CalibrationError):
    """`file` is not what was saved; nothing of it was handed to LightGBM."""

    def __init__(self, version: str, file: str, why: str) -> None:
        super().__init__(f"version {version}: {file} {why}")
        self.version, self.file, self.why = version, file, why


class NothingToRollBack(CalibrationError):
    """Nothing was promoted before."""

    def __init__(self) -> None:
        super().__init__("nothing was promoted before")


class PlotsMissing(CalibrationError):
    """`remedy` is the command that installs what draws."""

    remedy = "pip install 'graphsvc[plots]'"

    def __init__(self) -> None:
        super().__init__(f"pictures need matplotlib: {self.remedy}")
