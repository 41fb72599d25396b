"""Trained calibrators as folders of plain text files, one of them current.

    <folder>/<version>/{model.txt, calibration.json, thresholds.json, metrics.json, card.md, manifest.json}
    <folder>/current.json

A version is named by the hash of its files, and each file is checked by length and hash before LightGBM sees a byte:
a damaged model aborts the process. Folders and pointer appear whole or not at all, whoever is killed when.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.card import card
from calibration.errors import CalibrationError, DamagedVersion, NothingToRollBack, SchemaMismatch, UnknownVersion
from calibration.features import schema_hash
from calibration.filelock import locked
from calibration.model import Calibrator
from calibration.thresholds import Thresholds

if TYPE_CHECKING:
    from calibration.train import Trained  # what only decides needs none of what trains

FILES = ("model.txt", "calibration.json", "thresholds.json", "metrics.json", "card.md")
MANIFEST, POINTER = "manifest.json", "current.json"
_NAME = re.compile(r"[0-9a-f]{16}")
_MOST_KEPT = 100  # entries of the pointer's history
# What reading somebody else's JSON may raise; what nests too deeply among it.
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """What the manifest says; `damaged` says why its manifest cannot be read, and the other fields are then empty."""

    version: str
    created_at: str = ""
    parent: str | None = None
    schema: str = ""
    damaged: str | None = None


@dataclass(frozen=True, slots=True)
class Live:
    """The current calibrator; None with the reason when there is none, or none that can be used."""

    calibrator: Calibrator | None
    version: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Pointer:
    """`past` is what a rollback returns to, newest last, None for the fallback rule."""

    current: str | None = None
    past: tuple[str | None, ...] = ()
    history: tuple[Mapping[str, Any], ...] = ()


class Registry:
    """`now` is the clock that manifests and history are dated by."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime]) -> None:
        self.folder = folder
        self._now = now

    def save(self, trained: Trained, *, parent: str | None = None) -> str:
        """The version's name; saving the same training again changes nothing."""
        files = trained.files()
        files["card.md"] = card(trained.calibration, trained.thresholds, trained.metrics).encode()
        told = {name: {"length": len(text), "sha256": hashlib.sha256(text).hexdigest()} for name, text in files.items()}
        version = version_of(told)
        manifest = {
            "format": 1,
            "version": version,
            "schema": trained.calibration["schema"],
            "files": told,
            "created_at": self._now().isoformat(),
            "parent": parent,
        }
        with self._held():
            try:
                self._checked(version)
            except CalibrationError:
                self._put(version, files | {MANIFEST: _json(manifest)})
        return version

    def load(self, version: str) -> Calibrator:
        """Raises `UnknownVersion`, `DamagedVersion` naming the file, or `SchemaMismatch`."""
        files = self._checked(version)
        try:
            calibration = json.loads(files["calibration.json"])
            if calibration["schema"] != schema_hash():
                raise SchemaMismatch(str(calibration["schema"]), schema_hash())
            thresholds = Thresholds.from_json(json.loads(files["thresholds.json"]))
            return Calibrator(files["model.txt"].decode(), calibration, thresholds, version)
        except _UNREADABLE as error:
            raise DamagedVersion(version, "calibration.json or thresholds.json", f"is not ours: {error}") from error

    def text(self, version: str, file: str) -> str:
        """One file of `FILES`, checked; raises as `load` does, and `UnknownVersion` for another file."""
        if file not in FILES:
            raise UnknownVersion(f"{version}/{file}")
        return self._checked(version)[file].decode()

    def versions(self) -> tuple[VersionInfo, ...]:
        """All that are kept, oldest first; only manifests are read."""
        names = [path.name for path in self.folder.glob("*") if _NAME.fullmatch(path.name)]
        return tuple(sorted(map(self._info, names), key=lambda info: (info.created_at, info.version)))

    def current(self) -> Live:
        """The promoted calibrator, loaded; never raises for what is on the disk."""
        try:
            pointer = self.pointer()
            if pointer.current is None:
                return Live(None, None, "no calibrator is promoted")
            return Live(self.load(pointer.current), pointer.current, None)
        except (CalibrationError, OSError) as error:
            return Live(None, None, str(error))

    def stamp(self) -> Stamp | None:
        """Changes whenever the pointer does; one look at the file system. None when there is no pointer."""
        try:
            told = (self.folder / POINTER).stat()
        except OSError:
            return None
        return told.st_mtime_ns, told.st_size, told.st_ino

    def promote(self, version: str) -> None:
        """Make a version current, after loading it; raises as `load` does and then changes nothing."""
        self.load(version)
        with self._held():
            before = self._pointer_or_empty()
            past = before.past if before.current == version else (*before.past, before.current)
            self._point(Pointer(version, past, (*before.history, self._entry("promote", version))))

    def rollback(self) -> str | None:
        """Back to what was current before, None for the fallback rule; versions that no longer load are passed over.

        Raises `NothingToRollBack`.
        """
        with self._held():
            before = self._pointer_or_empty()
            if not before.past:
                raise NothingToRollBack
            past = list(before.past)
            target = past.pop()
            while target is not None and not self._usable(target):
                target = past.pop() if past else None
            self._point(Pointer(target, tuple(past), (*before.history, self._entry("rollback", target))))
        return target

    def pointer(self) -> Pointer:
        """What `current.json` says; raises `DamagedVersion` when it cannot be read."""
        try:
            told = json.loads((self.folder / POINTER).read_bytes())
            pointer = Pointer(told["current"], tuple(told["past"]), tuple(told["history"]))
            names = [name for name in (pointer.current, *pointer.past) if name is not None]
            if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
                raise DamagedVersion("current", POINTER, "names no version")
            if not all(isinstance(entry, dict) for entry in pointer.history):
                raise DamagedVersion("current", POINTER, "tells no history")
        except FileNotFoundError:
            return Pointer()
        except _UNREADABLE as error:
            raise DamagedVersion("current", POINTER, "cannot be read") from error
        return pointer

    def _pointer_or_empty(self) -> Pointer:
        try:
            return self.pointer()
        except DamagedVersion:
            return Pointer()

    def _entry(self, act: str, version: str | None) -> dict[str, Any]:
        return {"act": act, "version": version, "at": self._now().isoformat()}

    def _usable(self, version: str) -> bool:
        try:
            self.load(version)
        except CalibrationError:
            return False
        return True

    def _info(self, version: str) -> VersionInfo:
        try:
            told = self._manifest(version)
        except CalibrationError as error:
            return VersionInfo(version, damaged=str(error))
        return VersionInfo(version, str(told["created_at"]), told["parent"], str(told["schema"]))

    def _manifest(self, version: str) -> dict[str, Any]:
        if not _NAME.fullmatch(version) or not (self.folder / version).is_dir():
            raise UnknownVersion(version)
        try:
            told: dict[str, Any] = json.loads((self.folder / version / MANIFEST).read_bytes())
            ours = version_of(told["files"]) == version and {"created_at", "parent", "schema"} <= told.keys()
            ours = ours and isinstance(told["parent"], str | None)
        except (OSError, *_UNREADABLE) as error:
            raise DamagedVersion(version, MANIFEST, "cannot be read") from error
        if not ours:
            raise DamagedVersion(version, MANIFEST, "does not belong to this version")
        return told

    def _checked(self, version: str) -> dict[str, bytes]:
        """The files, each as it was saved."""
        told = self._manifest(version)
        files: dict[str, bytes] = {}
        for name in FILES:
            try:
                files[name] = (self.folder / version / name).read_bytes()
            except OSError as error:
                raise DamagedVersion(version, name, "is missing") from error
            if len(files[name]) != told["files"][name]["length"]:
                raise DamagedVersion(version, name, "has another length than was saved")
            if hashlib.sha256(files[name]).hexdigest() != told["files"][name]["sha256"]:
                raise DamagedVersion(version, name, "has another content than was saved")
        return files

    @contextmanager
    def _held(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / ".lock"):
            yield

    def _put(self, version: str, files: Mapping[str, bytes]) -> None:
        """Write beside, then rename; what a killed writer left is cleared, for the lock says that none is at work."""
        for left in self.folder.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        for name, text in files.items():
            _write(beside / name, text)
        beside.chmod(0o755)
        target = self.folder / version
        if target.exists():  # damaged, else it would not be written again
            shutil.rmtree(target)
        beside.rename(target)
        _sync(self.folder)

    def _point(self, pointer: Pointer) -> None:
        told = {
            "current": pointer.current,
            "past": pointer.past[-_MOST_KEPT:],
            "history": pointer.history[-_MOST_KEPT:],
        }
        beside = self.folder / f".{POINTER}.new"
        _write(beside, _json(told))
        beside.replace(self.folder / POINTER)
        _sync(self.folder)


def version_of(files: Mapping[str, Mapping[str, Any]]) -> str:
    """Sixteen hex digits that change with any file's length or content; raises `KeyError` when one is not told of."""
    told = [(name, files[name]["length"], files[name]["sha256"]) for name in FILES]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _json(told: Mapping[str, Any]) -> bytes:
    return (json.dumps(told, indent=1, sort_keys=True) + "\n").encode()


def _write(path: Path, text: bytes) -> None:
    with path.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be opened."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
