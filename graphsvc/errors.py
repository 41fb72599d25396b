"""Every failure a caller can meet, one class each, with fields a program can read.

GraphsvcError
├── InputError              the caller's data; the rest of a batch goes on
│   ├── TextRefused             empty, too long, NUL, lone surrogate
│   ├── FieldInvalid            wrong type, unknown field, a date that is no date
│   ├── DuplicateId             an id that already stands for other content
│   ├── FilterInvalid           unknown field or operator, value of the wrong kind
│   ├── ScopeMissing            a wipe that names nothing
│   ├── MergeRefused            two that are one already, or no two of a kind; a merge undone twice
│   ├── NameAmbiguous           a name that several bear, where one is needed
│   ├── RevisionOutdated        the memory was changed since the revision the caller read
│   ├── ChangeRefused           two that would replace each other, or one itself; `where` names the ids
│   ├── CalibratorRefused       worse than what decides now, damaged, or made for other features
│   ├── TrainingRefused         too few rows to learn from honestly
│   └── JobRunning              one at a time; `where` is the id of the one that runs
├── NotFound                no such memory or trace in this namespace; no such calibrator or job
├── EncodingError
│   ├── EncoderMismatch         the store was written by another encoder
│   ├── EncoderUnavailable      weights or server out of reach
│   └── VectorInvalid           zero, NaN, infinite or of the wrong dimension
├── StoreError
│   ├── StoreBusy               the wait for the writer ran out; nothing half written
│   ├── StoreDamaged            the file is not a store, or fails its integrity check
│   └── StoreVersion            written by a newer version
├── ExtraMissing            an optional part is not installed; the remedy is the command that does it
└── SettingsInvalid         a GRAPHSVC_* variable that is unknown or malformed
"""

from __future__ import annotations

from typing import ClassVar


class GraphsvcError(Exception):
    """What went wrong, where, and what to do; `code` is stable across releases."""

    code: ClassVar[str] = "error"

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.remedy})" if self.remedy else text


class InputError(GraphsvcError):
    code = "input-invalid"


class TextRefused(InputError):
    code = "text-refused"


class FieldInvalid(InputError):
    code = "field-invalid"


class DuplicateId(InputError):
    code = "duplicate-id"


class FilterInvalid(InputError):
    code = "filter-invalid"


class ScopeMissing(InputError):
    code = "scope-missing"


class MergeRefused(InputError):
    code = "merge-refused"


class NameAmbiguous(InputError):
    code = "name-ambiguous"


class RevisionOutdated(InputError):
    code = "revision-outdated"


class ChangeRefused(InputError):
    code = "change-refused"


class CalibratorRefused(InputError):
    code = "calibrator-refused"


class TrainingRefused(InputError):
    code = "training-refused"


class JobRunning(InputError):
    code = "job-running"


class ExtraMissing(GraphsvcError):
    code = "extra-missing"


class NotFound(GraphsvcError):
    code = "not-found"


class EncodingError(GraphsvcError):
    code = "encoding-failed"


class EncoderMismatch(EncodingError):
    code = "encoder-mismatch"


class EncoderUnavailable(EncodingError):
    code = "encoder-unavailable"


class VectorInvalid(EncodingError):
    code = "vector-invalid"


class StoreError(GraphsvcError):
    code = "store-failed"


class StoreBusy(StoreError):
    code = "store-busy"


class StoreDamaged(StoreError):
    code = "store-damaged"


class StoreVersion(StoreError):
    code = "store-version"


class SettingsInvalid(GraphsvcError):
    code = "settings-invalid"
