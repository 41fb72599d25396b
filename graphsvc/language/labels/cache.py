"""Remember the labels of short texts, the most recent ones only.

A key holds everything a label depends on, so that another ontology, encoder or topic never gets
an answer that was not its own.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from graphsvc.language.labels.base import Asked
from graphsvc.models.facts import Label

LONGEST = 400  # characters; a longer text hardly comes twice
_SIZE = 4096

Key = bytes


class LabelCache:
    """Least recently used goes first. Thread-safe; `size` is in texts, `made_by` names ontology and encoder."""

    def __init__(self, made_by: str, size: int = _SIZE) -> None:
        self._made_by = made_by
        self._size = size
        self._held: OrderedDict[Key, tuple[Label, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._held)

    def key(self, asked: Asked) -> Key | None:
        """The key of a short text; nothing for a long one, which is not kept."""
        if len(asked.text) > LONGEST:
            return None
        digest = hashlib.blake2b(self._made_by.encode(), digest_size=20)
        digest.update(b"\0" + asked.text.encode("utf-8", "surrogatepass"))
        if asked.vector is not None:
            digest.update(b"\0v" + asked.vector.tobytes())
        for label in asked.context:
            digest.update(f"\0c{label.domain}\0{label.probability}".encode())
        for mention in asked.mentions:
            digest.update(f"\0m{mention.type}".encode())
        for sense in asked.senses:
            digest.update(f"\0s{sense.surface}\0{sense.sense}\0{sense.probability}\0{sense.source}".encode())
        return digest.digest()

    def get(self, key: Key | None) -> tuple[Label, ...] | None:
        if key is None:
            return None
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: Key | None, labels: tuple[Label, ...]) -> None:
        if key is None:
            return
        with self._lock:
            self._held[key] = labels
            self._held.move_to_end(key)
            while len(self._held) > self._size:
                self._held.popitem(last=False)
