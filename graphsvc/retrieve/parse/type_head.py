"""The trained head that tells a question's type from its vector, as plain files: float32 rows and a JSON card.

It speaks only of vectors of the encoder it was taught with. Damaged or foreign files are never fatal:
without a head the rules of wording speak alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from scipy.special import softmax

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.labels.head import han_share, middle

SHIPPED = Path(__file__).parent / "data" / "type_head.json"
# The same weights on another runtime come within .998; another model does not come near.
_SAME_ENCODER = 0.99


class TypeCard(BaseModel):
    """Whose vectors the head reads, which types it tells apart, and the SHA-256 of the rows beside the card.

    `probe` is a question whose vector is the file's first row; two rows of language means (zh, en) follow, then one
    row a type, its bias last. `temperature` divides the log-odds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoder: str
    fingerprint: str
    dimension: int = Field(gt=0)
    sha256: str
    probe: str
    types: tuple[str, ...]
    temperature: float = Field(gt=0.0, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class TypeHead:
    """`directions` float32 `(types, d)` and `biases` `(types,)` over a vector less its language's mean."""

    card: TypeCard
    probe: FloatArray
    means: FloatArray
    directions: FloatArray
    biases: FloatArray

    def likeliest(self, vector: FloatArray, text: str) -> tuple[str, float]:
        """The type a question's vector points at, and its probability."""
        shares = self.shares(vector, text)
        best = int(shares.argmax())
        return self.card.types[best], float(shares[best])

    def shares(self, vector: FloatArray, text: str) -> FloatArray:
        """float32 `(types,)`: the probability of each type of the card."""
        centred = vector - middle(self.means, han_share(text))
        shares: FloatArray = softmax((self.directions @ centred + self.biases) / self.card.temperature)
        return shares

    def reads(self, encoder: Encoder) -> bool:
        """Whether the head was taught with this encoder; not while it is out of reach, unless known by fingerprint."""
        mine = encoder.fingerprint
        if (mine.name, mine.dimension) != (self.card.encoder, self.card.dimension):
            return False
        if str(mine) == self.card.fingerprint:
            return True
        try:
            return float(encoder.encode_query(self.card.probe).vector @ self.probe) >= _SAME_ENCODER
        except EncoderUnavailable:
            return False


def write_head(path: Path, head: TypeHead) -> None:
    """Write the rows and then the card that vouches for them; the card's `sha256` is filled in here."""
    blocks = [head.probe[None, :], head.means, np.column_stack([head.directions, head.biases])]
    raw = b"".join(np.ascontiguousarray(block, "<f4").tobytes() for block in blocks)
    path.with_suffix(".f32").write_bytes(raw)
    signed = head.card.model_copy(update={"sha256": hashlib.sha256(raw).hexdigest()})
    path.write_bytes((signed.model_dump_json(indent=1) + "\n").encode())


def read_head(path: Path) -> TypeHead | None:
    """The head at `path`; nothing, and a line in the log, when it is absent, damaged or not what its card says."""
    try:
        card = TypeCard.model_validate_json(path.read_bytes())
        raw = path.with_suffix(".f32").read_bytes()
    except (OSError, ValidationError) as error:
        _log_unusable(path, type(error).__name__)
        return None
    wide = card.dimension
    if hashlib.sha256(raw).hexdigest() != card.sha256:
        _log_unusable(path, "the rows are not those of the card")
        return None
    if len(raw) != 4 * (3 * wide + len(card.types) * (wide + 1)):
        _log_unusable(path, "the rows have another shape than the card says")
        return None
    values = np.frombuffer(raw, "<f4").astype(np.float32)
    top, rest = values[: 3 * wide].reshape(3, wide), values[3 * wide :].reshape(-1, wide + 1)
    return TypeHead(card, top[0], top[1:], np.ascontiguousarray(rest[:, :-1]), rest[:, -1].copy())


def _log_unusable(path: Path, reason: str) -> None:
    structlog.get_logger().warning("type_head_unusable", file=path.name, reason=reason)
