"""Vectors of the ontology's example sentences, encoded once and kept by sentence.

Those of the bundled encoder come with the package; what is missing there is looked for in a
cache folder and else encoded, so that an ontology with ten new sentences costs ten encodings.
Files are little-endian float16 rows beside a JSON card that names the encoder and their SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from graphsvc.encoding.base import Encoder, FloatArray

SHIPPED = Path(__file__).with_name("data") / "examples.json"
# The same weights on another runtime come within .998; another model does not come near.
_SAME_ENCODER = 0.99
_KEY_LENGTH = 16


class Card(BaseModel):
    """What the rows beside it are: whose vectors, how long, and of which sentences (hashes, in order)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoder: str
    fingerprint: str
    dimension: int
    sha256: str
    probe: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows by sentence key; the probe is a sentence whose row shows whether an encoder wrote the table."""

    card: Card
    rows: FloatArray

    def items(self) -> zip[tuple[str, FloatArray]]:
        return zip(self.card.keys, self.rows, strict=True)


class ExampleVectors:
    """Passage vectors of sentences by one encoder. Thread-safe."""

    def __init__(self, encoder: Encoder, *, cache_dir: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        self._encoder = encoder
        self._shipped = shipped
        self._cache = None if cache_dir is None else cache_dir.expanduser() / f"examples-{_slug(encoder)}.json"
        self._known: dict[str, FloatArray] | None = None
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> FloatArray:
        """float32 `(n, dimension)`, unit length; raises `EncoderUnavailable` for a new sentence it cannot encode."""
        with self._lock:
            if self._known is None:
                self._known = self._load()
            keys = [key_of(text) for text in texts]
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
            if missing:
                vectors = self._encoder.encode_passages(list(missing.values())).vectors
                self._known.update(zip(missing, vectors, strict=True))
                if self._cache is not None:
                    write(self._cache, self._encoder, self._known, probe=next(iter(missing.values())))
            if not keys:
                return np.zeros((0, self._encoder.fingerprint.dimension), np.float32)
            return np.stack([self._known[key] for key in keys]).astype(np.float32)

    def _load(self) -> dict[str, FloatArray]:
        known: dict[str, FloatArray] = {}
        for path in (self._shipped, self._cache):
            table = None if path is None else read(path)
            if table is not None and self._wrote(table):
                known.update(table.items())
        return known

    def _wrote(self, table: _Table) -> bool:
        """Whether this encoder's vectors are those of the table: told by name, then by one sentence."""
        mine = self._encoder.fingerprint
        if table.card.encoder != mine.name or table.card.dimension != mine.dimension:
            return False
        if table.card.fingerprint == str(mine):
            return True
        row = dict(table.items()).get(key_of(table.card.probe))
        if row is None:
            return False
        vector = self._encoder.encode_passages([table.card.probe]).vectors[0]
        return float(vector @ row) >= _SAME_ENCODER


def key_of(text: str) -> str:
    """The name a sentence's row goes by."""
    return hashlib.sha256(text.encode()).hexdigest()[:_KEY_LENGTH]


def write(path: Path, encoder: Encoder, rows: dict[str, FloatArray], *, probe: str) -> None:
    """Write rows and card; the card last and whole, so that a half-written pair is never read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = np.stack(list(rows.values())).astype("<f2").tobytes()
    mine = encoder.fingerprint
    card = Card(
        encoder=mine.name,
        fingerprint=str(mine),
        dimension=mine.dimension,
        sha256=hashlib.sha256(raw).hexdigest(),
        probe=probe,
        keys=tuple(rows),
    )
    _replace(path.with_suffix(".f16"), raw)
    _replace(path, (json.dumps(card.model_dump(), ensure_ascii=False, indent=0) + "\n").encode())


def read(path: Path) -> _Table | None:
    """The table at `path`; nothing if it is absent or not what its card says, for it can be made again."""
    try:
        card = Card.model_validate_json(path.read_bytes())
        raw = path.with_suffix(".f16").read_bytes()
    except (OSError, ValidationError):
        return None
    if hashlib.sha256(raw).hexdigest() != card.sha256 or len(raw) != 2 * card.dimension * len(card.keys):
        return None
    rows = np.frombuffer(raw, "<f2").reshape(-1, card.dimension).astype(np.float32)
    return _Table(card, rows)


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{threading.get_ident()}.part")
    part.write_bytes(content)
    part.replace(path)


def _slug(encoder: Encoder) -> str:
    return hashlib.sha256(str(encoder.fingerprint).encode()).hexdigest()[:_KEY_LENGTH]
