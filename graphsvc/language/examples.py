"""Vectors of the ontology's example sentences and of words in them, encoded once and kept by sentence.

Those of the bundled encoder come with the package; what is missing there is looked for in a
cache folder and else encoded, so that an ontology with ten new sentences costs ten encodings.
Files are little-endian float16 rows beside a JSON card that names the encoder and their SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from graphsvc.encoding.base import ContextEncoder, Encoder, FloatArray, Span, encode_words

SHIPPED = Path(__file__).with_name("data") / "examples.json"
# The same weights on another runtime come within .998; another model does not come near.
_SAME_ENCODER = 0.99
_KEY_LENGTH = 16
_log = structlog.get_logger(__name__)
Item = tuple[str, Span]  # a text, and the stretch of it whose vector is meant


class Card(BaseModel):
    """What the rows beside it are: whose vectors, how long, and of which sentences (hashes, in order)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoder: str
    fingerprint: str
    dimension: int
    sha256: str
    probe: str
    probe_span: Span | None = None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows by sentence key; the probe is a sentence whose row shows whether an encoder wrote the table."""

    card: Card
    rows: FloatArray

    def items(self) -> zip[tuple[str, FloatArray]]:
        return zip(self.card.keys, self.rows, strict=True)


class ExampleVectors:
    """Passage vectors of sentences, and of words in them, by one encoder. Thread-safe."""

    def __init__(self, encoder: Encoder, *, cache_dir: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        folder = None if cache_dir is None else cache_dir.expanduser()
        slug = _slug(encoder)
        self.word_dimension = encoder.word_dimension if isinstance(encoder, ContextEncoder) else 0
        self._sentences = _Shelf(
            encoder,
            encoder.fingerprint.dimension,
            lambda items: encoder.encode_passages([text for text, _ in items]).vectors,
            (shipped, None if folder is None else folder / f"examples-{slug}.json"),
        )
        self._words = _Shelf(
            encoder,
            self.word_dimension,
            lambda items: np.concatenate(
                encode_words(encoder, [text for text, _ in items], [[span] for _, span in items])
            ),
            (
                None if shipped is None else words_beside(shipped),
                None if folder is None else folder / f"words-{slug}.json",
            ),
        )

    def of(self, texts: Sequence[str]) -> FloatArray:
        """float32 `(n, dimension)`, unit length; raises `EncoderUnavailable` for a new sentence it cannot encode."""
        return self._sentences.rows({key_of(text): (text, (0, len(text))) for text in texts}, map(key_of, texts))

    def words(self, texts: Sequence[str], spans: Sequence[Span]) -> FloatArray:
        """float32 `(n, word_dimension)`: the word at each text's span as it is meant there; raises as `of` does."""
        items = {key_of(text, span): (text, span) for text, span in zip(texts, spans, strict=True)}
        return self._words.rows(items, map(key_of, texts, spans))


class _Shelf:
    """Rows of one kind: shipped with the package, kept in a cache, or made now."""

    def __init__(
        self,
        encoder: Encoder,
        dimension: int,
        encode: Callable[[Sequence[Item]], FloatArray],
        paths: tuple[Path | None, Path | None],
    ) -> None:
        self._encoder = encoder
        self._dimension = dimension
        self._encode = encode
        self._shipped, self._cache = paths
        self._known: dict[str, FloatArray] | None = None
        self._lock = threading.Lock()

    def rows(self, items: Mapping[str, Item], order: Iterable[str]) -> FloatArray:
        with self._lock:
            if self._known is None:
                self._known = self._load()
            missing = {key: item for key, item in items.items() if key not in self._known}
            if missing:
                self._known.update(zip(missing, self._encode(list(missing.values())), strict=True))
                self._keep(next(iter(missing.values())))
            found = [self._known[key] for key in order]
        return np.stack(found).astype(np.float32) if found else np.zeros((0, self._dimension), np.float32)

    def _keep(self, probe: Item) -> None:
        """Write all rows to the cache; where it cannot be written they are made anew next time."""
        if self._cache is None or self._known is None:
            return
        try:
            write(self._cache, self._encoder, self._known, probe=probe)
        except OSError as error:
            _log.warning("examples_not_kept", reason=type(error).__name__)

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
        if table.card.encoder != mine.name or table.card.dimension != self._dimension:
            return False
        if table.card.fingerprint == str(mine):
            return True
        probe = table.card.probe, table.card.probe_span or (0, len(table.card.probe))
        row = dict(table.items()).get(key_of(*probe))
        return row is not None and float(self._encode([probe])[0] @ row) >= _SAME_ENCODER


def key_of(text: str, span: Span | None = None) -> str:
    """The name a row goes by: that of a sentence, or of a word in it."""
    at = "" if span is None or span == (0, len(text)) else f"\0{span[0]}-{span[1]}"
    return hashlib.sha256((text + at).encode()).hexdigest()[:_KEY_LENGTH]


def words_beside(path: Path) -> Path:
    """Where the rows of words lie when those of sentences lie at `path`."""
    return path.with_name(f"{path.stem}_words.json")


def write(path: Path, encoder: Encoder, rows: Mapping[str, FloatArray], *, probe: Item) -> None:
    """Write rows and card; the card last and whole, so that a half-written pair is never read.

    `probe` is one of the items: a later encoder is known by its row. Raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    stacked = np.stack(list(rows.values()))
    raw = stacked.astype("<f2").tobytes()
    mine = encoder.fingerprint
    card = Card(
        encoder=mine.name,
        fingerprint=str(mine),
        dimension=stacked.shape[1],
        sha256=hashlib.sha256(raw).hexdigest(),
        probe=probe[0],
        probe_span=None if probe[1] == (0, len(probe[0])) else probe[1],
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
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    part.write_bytes(content)
    part.replace(path)


def _slug(encoder: Encoder) -> str:
    return hashlib.sha256(str(encoder.fingerprint).encode()).hexdigest()[:_KEY_LENGTH]
