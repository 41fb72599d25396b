"""Does a passage answer a question, or is it only about the same thing: a small net over token states.

A token's state is a row of several depths of an encoder side by side, each part of unit length. Each token of either
side is compared with what each depth softly aligns it to on the other; a question's tokens also with what a learnt
attention finds for them. Learnt gates say which tokens count, and a few figures of the alignment are
read beside. It takes arrays, knows no store and no text, and needs numpy alone.
After Parikh et al., "A Decomposable Attention Model for Natural Language Inference" (2016), and Chen et al.,
"Enhanced LSTM for Natural Language Inference" (2017), whose comparison runs both ways.
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

from calibration.products import product

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("answers.bin")
DEPTHS = 3  # parts of a token's state
SHARPNESS = 12.0  # of the soft alignment: cosines times this
FIGURES = 4
GATES = 2
FOLDS = 3
_MAGIC = b"ANS3"


class WeightsDamaged(ValueError):
    """The file of weights is cut, altered or of another format."""


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
        return len(self.nets["question"])

    @property
    def dimension(self) -> int:
        """Length of the token states the nets read, all depths together."""
        return int(self.nets["question"].shape[1])

    def held_out(self, fold: int) -> Answers:
        """The nets that have not seen a fold's stories: what to ask when learning from those stories again."""
        return Answers({name: values[fold::FOLDS] for name, values in self.nets.items()})

    def score(self, question: Floats, weights: Floats, passages: Sequence[Floats]) -> NDArray[np.float64]:
        """Log odds that each passage `(m, DEPTHS * d)` answers a question `(n, DEPTHS * d)`, weighted `(n,)`.

        float64 `(passages,)`, the nets' mean; NaN where either side has no states.
        """
        if not len(question):
            return np.full(len(passages), np.nan)
        asked, seeking = self._linear("question", question), self._linear("seek", question)
        return np.array([self._odds(question, weights, asked, seeking, one) for one in passages], np.float64)

    def _odds(self, question: Floats, weights: Floats, asked: Floats, seeking: Floats, passage: Floats) -> float:
        """Of one passage; `asked` and `seeking` are what the nets make of the question, the same for every passage."""
        if not len(passage):
            return np.nan
        cosines = _depths(question) @ _depths(passage).swapaxes(1, 2)
        best, back = cosines.max(axis=2), cosines.max(axis=1)
        there, here = _softmax(SHARPNESS * cosines, axis=2), _softmax(SHARPNESS * cosines, axis=1)
        told = self._linear("passage", passage)
        sought = seeking @ self._linear("offer", passage).swapaxes(1, 2)
        found = _softmax(sought / np.float32(math.sqrt(asked.shape[-1])), axis=2) @ told
        aligned, answered = there[:, None] @ told, here.swapaxes(1, 2)[:, None] @ asked
        pull = np.concatenate((2 * best, 10 * weights[None], 10 * weights * (1 - best))).T
        pull = np.broadcast_to(pull, (len(self), *pull.shape))
        left = np.concatenate((asked, found, asked * found, *_compared(asked, aligned), pull), axis=2)
        draw = np.concatenate((2 * back, there.sum(axis=1))).T
        draw = np.broadcast_to(draw, (len(self), *draw.shape))
        right = np.concatenate((told, *_compared(told, answered), draw), axis=2)
        heard, seen = _relu(self._linear("asked", left)), _relu(self._linear("told", right))
        figures = np.broadcast_to(_figures(best.mean(axis=0), weights), (len(self), FIGURES))
        pooled = (*self._gated("asked", heard), *self._gated("told", seen), heard.max(axis=1), seen.max(axis=1))
        mind = _relu(self._linear("mind", np.concatenate((*pooled, figures), axis=1)[:, None]))
        return float(self._linear("say", mind).mean())

    def _linear(self, name: str, values: Floats) -> Floats:
        """`values` `(..., n, in)` through one layer of every net: `(nets, n, out)`."""
        layers, biases = self.nets[name], self.nets[f"{name}_bias"]
        each = values if values.ndim == 3 else [values] * len(self)
        return np.stack([product(one, layer) + bias for one, layer, bias in zip(each, layers, biases, strict=True)])

    def _gated(self, side: str, hidden: Floats) -> list[Floats]:
        """Means of a side's tokens `(nets, n, h)`, one for each gate: `GATES` times `(nets, h)`."""
        gates = _softmax(self._linear(f"{side}_gates", hidden), axis=1)
        return list((gates.swapaxes(1, 2) @ hidden).swapaxes(0, 1))


def shapes(dimension: int, hidden: int) -> dict[str, tuple[int, int]]:
    """`(in, out)` of each layer of a net over rows of `dimension`, all depths together; a bias is as long as `out`."""
    return {
        **dict.fromkeys(("question", "passage", "seek", "offer"), (dimension, hidden)),
        "asked": ((3 + 3 * DEPTHS) * hidden + 2 * DEPTHS + 1, hidden),
        "told": ((1 + 3 * DEPTHS) * hidden + 2 * DEPTHS, hidden),
        **dict.fromkeys(("asked_gates", "told_gates"), (hidden, GATES)),
        "mind": ((2 * GATES + 2) * hidden + FIGURES, hidden),
        "say": (hidden, 1),
    }


def _depths(states: Floats) -> Floats:
    """`(n, DEPTHS * d)` as `(DEPTHS, n, d)`."""
    return states.reshape(len(states), DEPTHS, -1).swapaxes(0, 1)


def _compared(one: Floats, others: Floats) -> list[Floats]:
    """Each depth's alignment `(DEPTHS, nets, n, h)` beside the tokens it is for: three times `(nets, n, h)` a depth."""
    return [part for other in others for part in (other, one * other, np.abs(one - other))]


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0)


def _softmax(values: Floats, *, axis: int) -> Floats:
    raised = np.exp(values - values.max(axis=axis, keepdims=True))
    shares: Floats = raised / raised.sum(axis=axis, keepdims=True)
    return shares


def _figures(best: Floats, weights: Floats) -> Floats:
    """Late score, the worst gap, the two worst, and the length of a question, of like size: `(FIGURES,)`."""
    gaps = np.sort((1 - best) * weights)[::-1]
    return np.array([5 * (best @ weights), 5 * gaps[0], 5 * gaps[:2].sum(), math.log(len(best))], np.float32)


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
