"""Remember vectors and token states of passages on disk, so that a text is encoded once.

Entries are keyed by a hash of encoder fingerprint and text; the text itself is not kept. The
file may be shared by threads and processes. It is a convenience: whatever is wrong with it,
encoding goes on without, and a damaged file is moved aside and begun again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np
import structlog

from graphsvc.encoding.base import (
    ContextEncoder,
    DepthEncoder,
    EncodedQuery,
    Encoder,
    Fingerprint,
    FloatArray,
    Passages,
    PlacingEncoder,
    Span,
    TokenStates,
)
from graphsvc.errors import EncoderUnavailable

MAX_BYTES = 512 * 1024 * 1024
KEPT_SHARE = 0.8  # after an eviction, so that the next one is far off
BUSY_MS = 2_000
LAYOUT = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS passages (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  vector BLOB NOT NULL, codes BLOB, scales BLOB, size INTEGER NOT NULL
);
"""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_TURN_S = 0.01
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_log = structlog.get_logger(__name__)

Cached = tuple[FloatArray, TokenStates | None]
Row = tuple[str, bytes, bytes | None, bytes | None]
T = TypeVar("T")


class CachedEncoder:
    """An encoder behind a cache; questions are passed through. Thread-safe.

    When the file grows past `max_bytes` of payload the oldest entries go.
    """

    def __init__(self, encoder: Encoder, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._encoder = encoder
        self._file = _CacheFile(path, max_bytes)
        self._salt = str(encoder.fingerprint).encode()

    @property
    def fingerprint(self) -> Fingerprint:
        return self._encoder.fingerprint

    @property
    def note(self) -> str | None:
        """What the encoder had to do without, if anything."""
        note = getattr(self._encoder, "note", None)
        return None if note is None else str(note)

    def encode_query(self, text: str) -> EncodedQuery:
        """Ask the encoder; the cache holds passages only."""
        return self._encoder.encode_query(text)

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Known texts from the cache, the others encoded once each and remembered."""
        keys = [self._key(text) for text in texts]
        known = self._decode(self._file.read(keys))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known |= self._encode(missing)
        vectors = np.zeros((len(texts), self.fingerprint.dimension), np.float32)
        for row, key in zip(vectors, keys, strict=True):
            row[:] = known[key][0]
        if not self.fingerprint.state_dimension:
            return Passages(vectors)
        return Passages(vectors, tuple(states for key in keys if (states := known[key][1]) is not None))

    @property
    def word_dimension(self) -> int:
        """That of the encoder behind; 0 when it knows no single words."""
        return self._encoder.word_dimension if isinstance(self._encoder, ContextEncoder) else 0

    def word_vectors(self, text: str, spans: Sequence[Span], states: TokenStates | FloatArray) -> FloatArray:
        """Ask the encoder; raises `EncoderUnavailable` when `word_dimension` is 0."""
        if not isinstance(self._encoder, ContextEncoder):
            raise EncoderUnavailable("this encoder knows no single words", where=self.fingerprint.name)
        return self._encoder.word_vectors(text, spans, states)

    def token_places(self, text: str) -> tuple[Span, ...]:
        """As the encoder tells them; empty where it cannot."""
        return self._encoder.token_places(text) if isinstance(self._encoder, PlacingEncoder) else ()

    @property
    def depth_dimension(self) -> int:
        """That of the encoder behind; 0 when it has no depths to read."""
        return self._encoder.depth_dimension if isinstance(self._encoder, DepthEncoder) else 0

    def question_depths(self, text: str) -> FloatArray:
        """Ask the encoder; raises `EncoderUnavailable` when `depth_dimension` is 0."""
        return self._deep().question_depths(text)

    def passage_depths(self, texts: Sequence[str]) -> list[FloatArray]:
        """Ask the encoder; raises `EncoderUnavailable` when `depth_dimension` is 0."""
        return self._deep().passage_depths(texts)

    def _deep(self) -> DepthEncoder:
        if not isinstance(self._encoder, DepthEncoder):
            raise EncoderUnavailable("this encoder has no depths to read", where=self.fingerprint.name)
        return self._encoder

    def forget(self, texts: Iterable[str]) -> None:
        """Drop what is remembered of these texts, overwriting it on disk."""
        self._file.delete([self._key(text) for text in texts])

    def close(self) -> None:
        self._file.close()

    def _key(self, text: str) -> str:
        return hashlib.sha256(self._salt + b"\0" + text.encode("utf-8", "surrogatepass")).hexdigest()

    def _encode(self, missing: dict[str, str]) -> dict[str, Cached]:
        passages = self._encoder.encode_passages(list(missing.values()))
        states: Sequence[TokenStates | None] = passages.states or [None] * len(missing)
        fresh = dict(zip(missing, zip(passages.vectors, states, strict=True), strict=True))
        self._file.write(_row(key, vector, packed) for key, (vector, packed) in fresh.items())
        return fresh

    def _decode(self, rows: Iterable[Row]) -> dict[str, Cached]:
        """Entries of the right size; anything else counts as missing."""
        fingerprint = self.fingerprint
        found: dict[str, Cached] = {}
        for key, vector, codes, scales in rows:
            if len(vector) != 4 * fingerprint.dimension:
                continue
            packed = _states(codes, scales, fingerprint.state_dimension // 2)
            if (packed is None) == (fingerprint.state_dimension == 0):
                found[key] = np.frombuffer(vector, "<f4").astype(np.float32), packed
        return found


class _CacheFile:
    """The SQLite file; every failure of it ends here."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._open()

    def read(self, keys: Sequence[str]) -> list[Row]:
        statement = "SELECT key, vector, codes, scales FROM passages WHERE key IN (SELECT value FROM json_each(?))"
        return self._attempt(lambda db: db.execute(statement, [json.dumps(keys)]).fetchall()) or []

    def write(self, rows: Iterable[Row]) -> None:
        sized = [(*row, sum(len(part) for part in row[1:] if part)) for row in rows]
        self._attempt(lambda db: self._insert(db, sized))

    def delete(self, keys: Sequence[str]) -> None:
        def drop(db: sqlite3.Connection) -> None:
            with db:
                db.execute("DELETE FROM passages WHERE key IN (SELECT value FROM json_each(?))", [json.dumps(keys)])
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        self._attempt(drop)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _insert(self, db: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
        with db:
            db.executemany(
                "INSERT OR REPLACE INTO passages (key, vector, codes, scales, size) VALUES (?,?,?,?,?)", rows
            )
            (total,) = db.execute("SELECT total(size) FROM passages").fetchone()
            if total > self._max_bytes:
                db.execute(
                    "DELETE FROM passages WHERE number IN (SELECT number FROM (SELECT number, sum(size) OVER "
                    "(ORDER BY number DESC) AS newer FROM passages) WHERE newer > ?)",
                    [int(self._max_bytes * KEPT_SHARE)],
                )

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run it, or do without: None when the file is busy, damaged or gone."""
        with self._lock:
            if self._connection is None:
                return None
            try:
                return work(self._connection)
            except sqlite3.Error as error:
                _log.warning("embedding_cache_failed", reason=type(error).__name__)
                if _is_damage(error):
                    self._rebuild()
                return None

    def _open(self) -> None:
        try:
            self._connection = _connect_in_turn(self._path)
        except sqlite3.Error as error:
            if _is_damage(error):
                self._rebuild()
            else:
                _log.warning("embedding_cache_not_opened", reason=type(error).__name__)
        except OSError as error:
            _log.warning("embedding_cache_not_opened", reason=type(error).__name__)

    def _rebuild(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        try:
            self._path.replace(self._path.with_name(self._path.name + ".damaged"))
            for tail in ("-wal", "-shm"):
                self._path.with_name(self._path.name + tail).unlink(missing_ok=True)
            self._connection = _connect(self._path)
        except (OSError, sqlite3.Error) as error:
            _log.warning("embedding_cache_not_opened", reason=type(error).__name__)
        else:
            _log.warning("embedding_cache_rebuilt")


def _connect_in_turn(path: Path) -> sqlite3.Connection:
    """Connect, waiting for other processes that open the file too: making it a WAL file does not wait by itself."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            return _connect(path)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) not in _BUSY or time.monotonic() >= until:
                raise
            time.sleep(_TURN_S)


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=BUSY_MS / 1000, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA secure_delete=ON").fetchall()
        (layout,) = db.execute("PRAGMA user_version").fetchone()
        if layout not in (0, LAYOUT):
            raise sqlite3.OperationalError("written by another version")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version={LAYOUT}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def _row(key: str, vector: FloatArray, states: TokenStates | None) -> Row:
    raw = vector.astype("<f4").tobytes()
    if states is None:
        return key, raw, None, None
    return key, raw, states.codes.tobytes(), states.scales.astype("<f4").tobytes()


def _states(codes: bytes | None, scales: bytes | None, width: int) -> TokenStates | None:
    if codes is None or scales is None or width == 0 or len(codes) * 4 != len(scales) * width:
        return None
    rows = np.frombuffer(codes, np.uint8).reshape(-1, width)
    return TokenStates(rows, np.frombuffer(scales, "<f4").astype(np.float32))
