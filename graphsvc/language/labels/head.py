"""The trained linear head over an encoder's vectors, as plain files: float32 rows and a JSON card.

It speaks for the classes it was taught as the library describes them, and only of vectors of the
encoder it was taught with. Damaged or foreign files are never fatal: without a head the centroids
of the example sentences speak alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.language.normalise import language_of
from graphsvc.models.facts import Language
from ontology.model import Domain, Intent

SHIPPED = Path(__file__).parents[1] / "data" / "label_head.json"
# The same weights on another runtime come within .998; another model does not come near.
_SAME_ENCODER = 0.99
_HAN_SHARE = {Language.ZH: 1.0, Language.EN: 0.0}
_MEANING_LENGTH = 12


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Classes(_Part):
    """One choice the head makes: class ids with the hash of what they meant in training, and its temperature.

    `temperature` divides the log-odds of head, centroids and dictionary together; fitted on sentences
    neither head nor centroids had seen.
    """

    meanings: dict[str, str]
    temperature: float = Field(gt=0.0, allow_inf_nan=False)


class HeadCard(_Part):
    """Whose vectors the head reads, what it tells apart, and the SHA-256 of the rows beside the card.

    `probe` is a sentence whose vector is the file's first row; two rows of language means (zh, en) follow, then
    for each part its directions and, as one more column, its biases.
    """

    encoder: str
    fingerprint: str
    dimension: int
    sha256: str
    probe: str
    domains: Classes
    intents: Classes


@dataclass(frozen=True, slots=True)
class Linear:
    """`directions` float32 `(classes, d)` and `biases` `(classes,)` over a centred vector, by class `ids`."""

    ids: tuple[str, ...]
    directions: FloatArray
    biases: FloatArray
    temperature: float

    def logits(self, centred: FloatArray) -> FloatArray:
        """float32 `(classes,)`: log-odds up to a constant."""
        scores: FloatArray = self.directions @ centred + self.biases
        return scores

    def kept(self, meanings: Mapping[str, str], trained: Mapping[str, str]) -> Linear:
        """Without the classes a library does not have, or means otherwise than in training."""
        rows = [at for at, key in enumerate(self.ids) if meanings.get(key) == trained[key]]
        ids = tuple(self.ids[at] for at in rows)
        return Linear(ids, self.directions[rows], self.biases[rows], self.temperature)


@dataclass(frozen=True, slots=True)
class Head:
    """Both choices and the middle of each language, which is taken off a vector first."""

    card: HeadCard
    probe: FloatArray
    means: FloatArray
    domains: Linear
    intents: Linear

    def centre(self, vector: FloatArray, text: str) -> FloatArray:
        """The vector as seen from the middle of its text's language; between the two for mixed text."""
        return vector - middle(self.means, han_share(text))

    def reads(self, encoder: Encoder) -> bool:
        """Whether the head was taught with this encoder: told by name, then by one sentence.

        Raises `EncoderUnavailable` when that sentence cannot be encoded.
        """
        mine = encoder.fingerprint
        if (mine.name, mine.dimension) != (self.card.encoder, self.card.dimension):
            return False
        if str(mine) == self.card.fingerprint:
            return True
        return float(encoder.encode_passages([self.card.probe]).vectors[0] @ self.probe) >= _SAME_ENCODER

    def of(self, domains: tuple[Domain, ...], intents: tuple[Intent, ...]) -> Head:
        """What of this head holds for a library."""
        return Head(
            self.card,
            self.probe,
            self.means,
            self.domains.kept({one.id: meaning(one) for one in domains}, self.card.domains.meanings),
            self.intents.kept({one.id: meaning(one) for one in intents}, self.card.intents.meanings),
        )


def meaning(entry: Domain | Intent) -> str:
    """A hash of how the library describes a class: a class described anew has to be learnt anew."""
    return hashlib.sha256(entry.description.encode()).hexdigest()[:_MEANING_LENGTH]


def han_share(text: str) -> float:
    """How much of a text's middle is the Chinese one."""
    return _HAN_SHARE.get(language_of(text), 0.5)


def middle(means: FloatArray, share: float) -> FloatArray:
    """Between the means of Chinese and English, float32 `(d,)`."""
    between: FloatArray = np.float32(share) * means[0] + np.float32(1.0 - share) * means[1]
    return between


def write_head(path: Path, card: HeadCard, probe: FloatArray, means: FloatArray, parts: tuple[Linear, Linear]) -> None:
    """Write the rows and then the card that vouches for them; the card's `sha256` is filled in here."""
    blocks = [probe[None, :], means, *(np.column_stack([one.directions, one.biases]) for one in parts)]
    raw = b"".join(np.ascontiguousarray(block, "<f4").tobytes() for block in blocks)
    path.with_suffix(".f32").write_bytes(raw)
    signed = card.model_copy(update={"sha256": hashlib.sha256(raw).hexdigest()})
    path.write_bytes((signed.model_dump_json(indent=1) + "\n").encode())


def read_head(path: Path) -> Head | None:
    """The head at `path`; nothing, and a line in the log, when it is absent, damaged or not what its card says."""
    try:
        card = HeadCard.model_validate_json(path.read_bytes())
        raw = path.with_suffix(".f32").read_bytes()
    except (OSError, ValidationError) as error:
        _log_unusable(path, type(error).__name__)
        return None
    if hashlib.sha256(raw).hexdigest() != card.sha256:
        _log_unusable(path, "the rows are not those of the card")
        return None
    wide, sizes = card.dimension, (len(card.domains.meanings), len(card.intents.meanings))
    if len(raw) != 4 * (3 * wide + sum(sizes) * (wide + 1)):
        _log_unusable(path, "the rows have another shape than the card says")
        return None
    values = np.frombuffer(raw, "<f4")
    top, rest = values[: 3 * wide].reshape(3, wide), values[3 * wide :].reshape(-1, wide + 1)
    domains = _linear(card.domains, rest[: sizes[0]])
    return Head(card, top[0], top[1:], domains, _linear(card.intents, rest[sizes[0] :]))


def _linear(classes: Classes, rows: FloatArray) -> Linear:
    directions = np.ascontiguousarray(rows[:, :-1], np.float32)
    return Linear(tuple(classes.meanings), directions, rows[:, -1].astype(np.float32), classes.temperature)


def _log_unusable(path: Path, reason: str) -> None:
    structlog.get_logger().warning("label_head_unusable", file=path.name, reason=reason)
