"""The data that ships with the encoder: projections of token states, activation ranges, self-check vector.

Token states lose their background mean and keep 192 principal axes, which ranks better than
all 384. The files are raw little-endian floats whose hashes the card beside them states.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from calibration.products import product
from graphsvc.encoding.base import FloatArray
from graphsvc.errors import EncoderUnavailable

CARD = "card.json"
PROJECTION_FILE = "projection.f16"
DEPTHS_FILE = "depths.f16"
RANGES_FILE = "ranges.f16"
CHECK_FILE = "self_check.f32"
_REMEDY = "reinstall graphsvc"


class Card(BaseModel):
    """What the files are, what they were learnt from, and their hashes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str
    layout: str
    source: str
    licence: str
    command: str
    tokens: int
    variance_kept: float
    hidden: int
    dimension: int
    weights_sha256: str
    projection_sha256: str
    depths: tuple[int, ...]
    depths_sha256: str
    ranges: tuple[str, ...]
    ranges_sha256: str
    self_check_text: str
    self_check_sha256: str


@dataclass(frozen=True, slots=True)
class Projection:
    """`mean` float32 `(hidden,)`, `axes` float32 `(hidden, dimension)`, orthonormal columns."""

    mean: FloatArray
    axes: FloatArray

    def apply(self, hidden: FloatArray) -> FloatArray:
        """Token states float32 `(tokens, dimension)`, rows of unit length."""
        states = product(hidden - self.mean, self.axes)
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        unit: FloatArray = states / np.maximum(lengths, np.float32(1e-12))
        return unit


@dataclass(frozen=True, slots=True)
class Shipped:
    """What was read: `depths` project the states that layers in the middle read.

    `ranges` are float32 `(hidden,)` by product input, for int8 products.
    `check` float32 `(hidden,)` is the unit vector that `card.self_check_text` must come near to, as a passage.
    """

    card: Card
    projection: Projection
    depths: tuple[Projection, ...]
    ranges: dict[str, FloatArray]
    check: FloatArray


def load(folder: Traversable | None = None) -> Shipped:
    """Read and verify the shipped files. Raises `EncoderUnavailable` when one is missing or damaged."""
    folder = folder or resources.files("graphsvc.encoding.bundled") / "data"
    try:
        card = Card.model_validate_json((folder / CARD).read_bytes())
    except (OSError, ValidationError) as error:
        raise EncoderUnavailable(
            "the card of the token projection is unreadable", where=CARD, remedy=_REMEDY
        ) from error
    (projection,) = _projections(folder / PROJECTION_FILE, card.projection_sha256, card, 1)
    depths = _projections(folder / DEPTHS_FILE, card.depths_sha256, card, len(card.depths))
    ranges = _read(folder / RANGES_FILE, card.ranges_sha256, "<f2", card.hidden * len(card.ranges))
    check = _read(folder / CHECK_FILE, card.self_check_sha256, "<f4", card.hidden)
    by_name = dict(zip(card.ranges, ranges.reshape(len(card.ranges), card.hidden), strict=True))
    return Shipped(card, projection, depths, by_name, check)


def _projections(file: Traversable, sha256: str, card: Card, count: int) -> tuple[Projection, ...]:
    values = _read(file, sha256, "<f2", count * card.hidden * (1 + card.dimension)).reshape(count, -1)
    return tuple(
        Projection(one[: card.hidden], one[card.hidden :].reshape(card.hidden, card.dimension)) for one in values
    )


def _read(file: Traversable, sha256: str, kind: str, count: int) -> FloatArray:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise EncoderUnavailable("a data file of the encoder is missing", where=file.name, remedy=_REMEDY) from error
    if hashlib.sha256(raw).hexdigest() != sha256 or len(raw) != count * np.dtype(kind).itemsize:
        raise EncoderUnavailable("a data file of the encoder is damaged", where=file.name, remedy=_REMEDY)
    return np.frombuffer(raw, kind).astype(np.float32)
