"""Remember what was proposed, by ids alone, so that what is accepted is what was shown.

Memories may come and go between the two; the groups stay as they were made, and those of a few times before can still
be accepted. No text is kept here.
"""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

from pydantic import ValidationError

from graphsvc.errors import SettingsInvalid
from graphsvc.models.base import MemoryId, Record


class KeptTopic(Record):
    id: str
    memory_ids: tuple[MemoryId, ...]


class KeptSense(Record):
    """`uses` are the memories of each meaning, in order."""

    id: str
    surface: str
    uses: tuple[tuple[MemoryId, ...], ...]


class KeptProposals(Record):
    topics: tuple[KeptTopic, ...] = ()
    senses: tuple[KeptSense, ...] = ()


class KeptRounds(Record):
    """What was proposed each time, the newest first."""

    rounds: tuple[KeptProposals, ...] = ()


_ROUNDS = 8  # whoever accepts one proposal after another looks again in between, and may still take one from before


class Ledger:
    """One file a store and namespace, in a folder that may be emptied at any time."""

    def __init__(self, folder: Path, store_url: str) -> None:
        self._folder = folder.expanduser() / "proposals"
        self._store_url = store_url

    def keep(self, namespace: str, proposals: KeptProposals) -> None:
        """Keep them before those of earlier times; raises `SettingsInvalid` where nothing can be written."""
        earlier = [one for one in self.rounds(namespace) if one != proposals]
        kept = KeptRounds(rounds=(proposals, *earlier[: _ROUNDS - 1]))
        file = self._file(namespace)
        part = file.with_name(f"{file.name}.{os.getpid()}-{threading.get_ident()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_text(kept.model_dump_json(), encoding="utf-8")
            part.replace(file)
        except OSError as error:
            what = f"{self._folder}: {error.strerror or 'cannot be written'}"
            remedy = "name a folder that can be written, or what is proposed cannot be accepted"
            raise SettingsInvalid(what, where="GRAPHSVC_CACHE_DIR", remedy=remedy) from None

    def read(self, namespace: str) -> KeptProposals:
        """What was proposed last; nothing when that is lost or not ours."""
        return next(iter(self.rounds(namespace)), KeptProposals())

    def rounds(self, namespace: str) -> tuple[KeptProposals, ...]:
        """What was proposed the last times, the newest first; nothing when that is lost or not ours."""
        try:
            return KeptRounds.model_validate_json(self._file(namespace).read_bytes()).rounds
        except (OSError, ValidationError):
            return ()

    def _file(self, namespace: str) -> Path:
        digest = hashlib.sha256(f"{self._store_url}\x00{namespace}".encode()).hexdigest()
        return self._folder / f"{digest[:24]}.json"
