"""Does a passage answer a question, or is it only about the same thing: a small net over token states.

Each question token is compared with what it is softly aligned to in the passage; learnt gates say which tokens
count; means of both sides and a few figures of the alignment are read beside. It takes arrays, knows no store and
no text, and needs numpy alone.
After Parikh et al., "A Decomposable Attention Model for Natural Language Inference" (2016).
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("answers.bin")
SHARPNESS = 12.0  # of the soft alignment: cosines times this
FIGURES = 8
FOLDS = 5
_MAGIC = b"ANS1"
_CENTRE = np.array([3.0, 0.7, 1.0, 0.6, 0.7, 0.8, 2.5, 3.0], np.float32)


class WeightsDamaged(ValueError):
    """The file of weights is cut, altered or of another format."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One question beside one passage.

    `tokens` and `aligned` float32 `(n, d)`: the question's states and what each is aligned to; `best` and `weights`
    `(n,)`; `question` and `passage` `(d,)`: their means; `figures` `(FIGURES,)`.
    """

    tokens: Floats
    aligned: Floats
    best: Floats
    weights: Floats
    question: Floats
    passage: Floats
    figures: Floats


def read(question: Floats, weights: Floats, passage: Floats) -> Reading | None:
    """Align a question's states `(n, d)`, weighted `(n,)`, to a passage's `(m, d)`; None where either has none."""
    if not len(question) or not len(passage):
        return None
    cosines = question @ passage.T
    best = cosines.max(axis=1)
    shares = np.exp(SHARPNESS * (cosines - best[:, None]))
    shares /= shares.sum(axis=1, keepdims=True)
    return Reading(
        question, shares @ passage, best, weights, weights @ question, passage.mean(axis=0),
        _figures(best, weights, len(passage)),
    )  # fmt: skip


def _figures(best: Floats, weights: Floats, length: int) -> Floats:
    """Late score, worst gaps, worst matches and lengths, about zero and of like size."""
    gaps = np.sort((1 - best) * weights)[::-1]
    worst = np.sort(np.append(best, (1.0, 1.0)).astype(np.float32))
    told = np.array(
        [5 * (best @ weights), 5 * gaps[0], 5 * gaps[:2].sum(), *(2 * worst[:3]), np.log(len(best)), np.log(length)],
        np.float32,
    )
    return told - _CENTRE


def token_inputs(tokens: Floats, aligned: Floats, best: Floats, weights: Floats) -> Floats:
    """What a net sees of each token, `(..., n, 4 h + 3)`, of both sides projected to `h` axes, `(..., n, h)`."""
    extra = np.stack((2 * best, 10 * weights, 10 * weights * (1 - best)), axis=1)
    told = np.broadcast_to(extra, (*tokens.shape[:-1], 3))
    return np.concatenate((tokens, aligned, tokens * aligned, np.abs(tokens - aligned), told), axis=-1)


def pair_inputs(question: Floats, passage: Floats) -> Floats:
    """What it sees of the means, `(..., 4 h)`."""
    return np.concatenate((question, passage, question * passage, np.abs(question - passage)), axis=-1)


@dataclass(frozen=True, slots=True)
class Answers:
    """Nets side by side, float32 arrays by name, one row a net; each was fitted without its own fold (`fold_of`).

    Together they read what none of them has seen; of a story they were fitted to, only its own fold's may be asked.
    """

    nets: Mapping[str, Floats]

    @classmethod
    def of(cls, nets: Sequence[Mapping[str, Floats]]) -> Answers:
        """Nets side by side: each array gets a first axis, one row a net."""
        return cls({name: np.stack([net[name] for net in nets]) for name in nets[0]})

    def __len__(self) -> int:
        return len(self.nets["axes"])

    @property
    def dimension(self) -> int:
        """Length of the token states the nets read."""
        return int(self.nets["axes"].shape[1])

    def held_out(self, fold: int) -> Answers:
        """The nets that have not seen a fold's stories: what to ask when learning from those stories again."""
        return Answers({name: values[fold::FOLDS] for name, values in self.nets.items()})

    def score(self, question: Floats, weights: Floats, passages: Sequence[Floats]) -> NDArray[np.float64]:
        """Log odds that each passage answers, float64 `(n,)`; NaN where there are no states."""
        readings = [read(question, weights, passage) for passage in passages]
        return np.array([np.nan if one is None else _odds(self.nets, one) for one in readings], np.float64)


def _odds(nets: Mapping[str, Floats], one: Reading) -> float:
    axes = nets["axes"]
    seen = token_inputs(one.tokens @ axes, one.aligned @ axes, one.best, one.weights)
    hidden = np.maximum(seen @ nets["token"] + nets["token_bias"][:, None], 0)
    gates = (hidden @ nets["gate"][:, :, None])[:, :, 0] + nets["gate_weight"] * np.log(one.weights + 1e-6)
    gates = np.exp(gates - gates.max(axis=1, keepdims=True))
    said = (hidden @ nets["say"][:, :, None])[:, :, 0]
    told = (gates * said).sum(axis=1) / gates.sum(axis=1)
    means = pair_inputs(one.question @ axes, one.passage @ axes)
    pooled = np.maximum((means[:, None] @ nets["pair"])[:, 0] + nets["pair_bias"], 0)
    told = told + (pooled * nets["pair_say"]).sum(axis=1) + nets["figures"] @ one.figures + nets["bias"][:, 0]
    return float(told.mean())


def fold_of(file: str, conversation: str) -> int:
    """Which fold a story belongs to: by its file's name and its conversation, whatever else the file holds."""
    return zlib.crc32(f"{file}{conversation}".encode()) % FOLDS


def write(answers: Answers, path: Path) -> None:
    """Magic, length of a JSON header, the header (names, shapes, SHA-256 of the rest), raw little-endian float16."""
    names = sorted(answers.nets)
    data = b"".join(answers.nets[name].astype("<f2").tobytes() for name in names)
    arrays = [[name, list(answers.nets[name].shape)] for name in names]
    header = json.dumps({"arrays": arrays, "sha256": hashlib.sha256(data).hexdigest()}).encode()
    path.write_bytes(_MAGIC + len(header).to_bytes(4, "little") + header + data)


def load(path: Path = WEIGHTS) -> Answers:
    """Read what `write` wrote; raises `WeightsDamaged`, or `OSError` when there is no such file."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[4:8], "little")
    if raw[:4] != _MAGIC or start > len(raw):
        raise WeightsDamaged(f"{path.name} is not a file of weights")
    try:
        header = json.loads(raw[8:start])
        shapes = {str(name): tuple(int(size) for size in shape) for name, shape in header["arrays"]}
        digest = header["sha256"]
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsDamaged(f"{path.name} has no readable header") from error
    sizes = [math.prod(shape) for shape in shapes.values()]
    if hashlib.sha256(raw[start:]).hexdigest() != digest or 2 * sum(sizes) != len(raw) - start:
        raise WeightsDamaged(f"{path.name} does not match its hash")
    values = np.frombuffer(raw[start:], "<f2").astype(np.float32)
    parts = np.split(values, np.cumsum(sizes)[:-1])
    return Answers({name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)})
