"""A persistent cache of passages: the same text under the same encoder is encoded once.

A cache is a convenience: a damaged file is moved aside and begun anew, and a file that is busy
or cannot be written costs the time of encoding, never a failure.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Encoder, Fingerprint, FloatArray, Passages, TokenStates

MAX_BYTES = 2_000_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS passage (
    key BLOB PRIMARY KEY, vector BLOB NOT NULL, codes BLOB, scales BLOB
) WITHOUT ROWID
"""
_AT_ONCE = 500


class CachedEncoder:
    """An encoder that remembers its passages in `path`; questions pass straight through."""

    def __init__(self, encoder: Encoder, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._encoder = encoder
        self._path = path
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self.note: str | None = getattr(encoder, "note", None)

    @property
    def fingerprint(self) -> Fingerprint:
        return self._encoder.fingerprint

    def encode_query(self, text: str) -> EncodedQuery:
        return self._encoder.encode_query(text)

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Passages from the cache where it has them, encoded and kept where it has not."""
        keys = [_key(self.fingerprint, text) for text in texts]
        known = self._read(keys)
        missing = [row for row, key in enumerate(keys) if key not in known]
        if missing:
            fresh = self._encoder.encode_passages([texts[row] for row in missing])
            states = fresh.states or (None,) * len(missing)
            found = {keys[row]: (fresh.vectors[i], states[i]) for i, row in enumerate(missing)}
            self._write(found)
            known |= found
        return _passages([known[key] for key in keys], self.fingerprint)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, tuple[FloatArray, TokenStates | None]]:
        found: dict[bytes, tuple[FloatArray, TokenStates | None]] = {}
        try:
            with self._lock, closing(self._connect()) as conn:
                for start in range(0, len(keys), _AT_ONCE):
                    some = keys[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, vector, codes, scales FROM passage WHERE key IN ({marks})"  # noqa: S608  # marks only
                    for key, vector, codes, scales in conn.execute(query, some):
                        found[key] = (np.frombuffer(vector, "<f4"), _states(codes, scales))
        except sqlite3.OperationalError:
            return found
        except sqlite3.DatabaseError:
            self._set_aside()
        return found

    def _write(self, found: dict[bytes, tuple[FloatArray, TokenStates | None]]) -> None:
        rows = [
            (
                key,
                vector.astype("<f4").tobytes(),
                None if states is None else states.codes.tobytes(),
                None if states is None else states.scales.astype("<f4").tobytes(),
            )
            for key, (vector, states) in found.items()
        ]
        try:
            with self._lock, closing(self._connect()) as conn, conn:
                conn.executemany("INSERT OR IGNORE INTO passage VALUES (?, ?, ?, ?)", rows)
                self._trim(conn)
        except sqlite3.OperationalError:
            return
        except sqlite3.DatabaseError:
            self._set_aside()

    def _connect(self) -> sqlite3.Connection:
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        conn = sqlite3.connect(self._path, timeout=2.0)
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute(_SCHEMA)
        return conn

    def _trim(self, conn: sqlite3.Connection) -> None:
        """Beyond its bound the cache forgets a tenth; keys are hashes, so it is a random tenth."""
        (pages,), (size,) = conn.execute("PRAGMA page_count").fetchone(), conn.execute("PRAGMA page_size").fetchone()
        (free,) = conn.execute("PRAGMA freelist_count").fetchone()
        if (pages - free) * size > self._max_bytes:
            conn.execute("DELETE FROM passage WHERE key < x'1a'")

    def _set_aside(self) -> None:
        with suppress(OSError):
            self._path.replace(self._path.with_suffix(".damaged"))


def _key(fingerprint: Fingerprint, text: str) -> bytes:
    return hashlib.sha256(f"{fingerprint}\x00{text}".encode("utf-8", "surrogatepass")).digest()


def _states(codes: bytes | None, scales: bytes | None) -> TokenStates | None:
    if codes is None or scales is None:
        return None
    lengths = np.frombuffer(scales, "<f4")
    return TokenStates(np.frombuffer(codes, np.uint8).reshape(len(lengths), -1), lengths)


def _passages(rows: Sequence[tuple[FloatArray, TokenStates | None]], fingerprint: Fingerprint) -> Passages:
    if not rows:
        return Passages(np.zeros((0, fingerprint.dimension), np.float32), ())
    states = tuple(state for _, state in rows if state is not None)
    return Passages(np.stack([vector for vector, _ in rows]), states if len(states) == len(rows) else None)
