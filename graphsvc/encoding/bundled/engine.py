"""Texts to hidden states: cut, window, group by length, and run on one shared session.

A run holds windows of exactly one length, so nothing is padded and a text's result never
depends on what it was encoded with. Nothing here may be used across a fork: spawn instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

from graphsvc.encoding.base import FloatArray
from graphsvc.encoding.bundled.network import Variant, build, input_of, range_names
from graphsvc.encoding.bundled.tokenizer import Tokenizer
from graphsvc.encoding.bundled.weights import WeightFile
from graphsvc.errors import EncoderUnavailable

RUN_TOKENS = 256  # larger runs leave the cache and cost more a token
SPECIALS = 2  # begin and end stand around every window
# Read before the last layers bend a text to its topic, its states tell better what it says: see decision 12.
DEPTHS = (6, 8, 10)
_AT_DEPTHS = tuple(input_of(layer) for layer in DEPTHS)
_LAST = ("states",)
_RUNTIME_ERRORS = (
    runtime.Fail,
    runtime.InvalidArgument,
    runtime.InvalidGraph,
    runtime.NotImplemented,
    runtime.RuntimeException,
)


class Role(StrEnum):
    """What a text is to the model: the prefix it was trained to see."""

    QUERY = "query:"
    PASSAGE = "passage:"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the model read it.

    `pooled` float32 `(hidden,)` is the mean over all positions, not normalised; `hidden` float32 `(tokens, hidden)`
    and `ids` are the text's own pieces, without prefix and specials. `depths`, where asked for, are the states at
    `DEPTHS` of the first window's, float32 `(depths, tokens, hidden)`; else there are no depths.
    """

    pooled: FloatArray
    hidden: FloatArray
    ids: list[int]
    depths: FloatArray


class Engine:
    """Thread-safe. Raises `EncoderUnavailable` when the runtime cannot take the graph."""

    def __init__(
        self,
        weights: WeightFile,
        tokenizer: Tokenizer,
        *,
        variant: Variant,
        ranges: Mapping[str, FloatArray] | None = None,
        workers: int = 1,
    ) -> None:
        self._weights = weights
        self._tokenizer = tokenizer
        self._workers = workers
        shape = weights.shape
        self._window = shape.positions - SPECIALS
        kind = weights.floats("emb.type")[: shape.hidden]
        self._positions: FloatArray = weights.floats("emb.pos").reshape(-1, shape.hidden)[: shape.positions] + kind
        self._prefixes = {role: len(tokenizer.encode(role.value)) for role in Role}
        self._session = _open_session(build(weights, variant, ranges or {}, beside=_AT_DEPTHS))
        self._to_depths = onnxruntime.RunOptions()
        self._to_depths.only_execute_path_to_fetches = True  # the layers above them need not run

    def read(self, texts: Sequence[str], role: Role, *, deep: bool = False) -> list[Reading]:
        """One reading a text, in order; a `deep` one has depths, at no further cost."""
        names = (*_LAST, *_AT_DEPTHS) if deep else _LAST
        pieces = [self._tokenizer.encode(f"{role.value} {text}") for text in texts]
        windows = [(i, chunk) for i, ids in enumerate(pieces) for chunk in self._windows(ids)]
        read = self.run([chunk for _, chunk in windows], names)
        parts: dict[int, list[tuple[FloatArray, ...]]] = defaultdict(list)
        for (i, _), states in zip(windows, read, strict=True):
            parts[i].append(states)
        return [self._join(ids, parts[i], self._prefixes[role]) for i, ids in enumerate(pieces)]

    def depths(self, texts: Sequence[str], role: Role, most: int) -> list[FloatArray]:
        """States of each text's first `most` pieces at `DEPTHS`, float32 `(depths, pieces, hidden)`, in order."""
        prefix = self._prefixes[role]
        room = min(self._window, prefix + most)
        windows = [self._tokenizer.encode(f"{role.value} {text}")[:room] for text in texts]
        read = self.run(windows, _AT_DEPTHS, self._to_depths)
        return [np.stack(parts)[:, 1 + prefix : -1] for parts in read]

    def _windows(self, ids: list[int]) -> Iterator[list[int]]:
        for start in range(0, len(ids), self._window):
            yield ids[start : start + self._window]

    def _join(self, ids: list[int], windows: list[tuple[FloatArray, ...]], prefix: int) -> Reading:
        # A window counts by its content, as a mean over the whole text would count it.
        parts, (_, *deeper) = [window[0] for window in windows], windows[0]
        lengths = np.array([len(part) - SPECIALS for part in parts], np.float32)
        means = np.stack([part.mean(axis=0) for part in parts])
        pooled = (lengths / lengths.sum()) @ means
        inner = np.concatenate([part[1:-1] for part in parts])
        depths = np.stack(deeper)[:, 1 + prefix : -1] if deeper else inner[None][:0]
        return Reading(pooled, inner[prefix:], ids[prefix:], depths)

    def run(
        self,
        windows: list[list[int]],
        names: Sequence[str] = _LAST,
        options: onnxruntime.RunOptions | None = None,
    ) -> list[tuple[FloatArray, ...]]:
        """The outputs of these names for windows of at most 510 pieces, the last hidden states unless told otherwise.

        Each is float32 `(pieces + 2, hidden)`: begin and end included.
        """
        by_length: dict[int, list[int]] = defaultdict(list)
        for i, window in enumerate(windows):
            by_length[len(window)].append(i)
        runs = [
            members[start : start + size]
            for length, members in sorted(by_length.items(), reverse=True)
            for size in (max(1, RUN_TOKENS // (length + SPECIALS)),)
            for start in range(0, len(members), size)
        ]
        done: dict[int, tuple[FloatArray, ...]] = {}
        outputs: Iterator[list[FloatArray]]
        if len(runs) > 1 and self._workers > 1:
            with ThreadPoolExecutor(min(self._workers, len(runs)), "graphsvc-encode") as pool:
                outputs = pool.map(lambda members: self._run([windows[i] for i in members], names, options), runs)
        else:
            outputs = (self._run([windows[i] for i in members], names, options) for members in runs)
        for members, states in zip(runs, outputs, strict=True):
            done.update(zip(members, zip(*states, strict=True), strict=True))
        return [done[i] for i in range(len(windows))]

    def _run(
        self, windows: list[list[int]], names: Sequence[str], options: onnxruntime.RunOptions | None
    ) -> list[FloatArray]:
        """Of windows of one length, each output `(windows, length, hidden)`."""
        outputs: list[FloatArray] = self._session.run(names, {"x": self._embed(windows)}, options)
        return outputs

    def _embed(self, windows: list[list[int]]) -> FloatArray:
        begin, end = self._tokenizer.begin, self._tokenizer.end
        ids: NDArray[np.int64] = np.array([[begin, *window, end] for window in windows], np.int64)
        return self._weights.embed(ids.reshape(-1)).reshape(*ids.shape, -1) + self._positions[: ids.shape[1]]

    def measure_ranges(self, texts: Sequence[str]) -> dict[str, FloatArray]:
        """How large each channel of each product input gets over these passages, float32 `(hidden,)` by name."""
        names = range_names(self._weights.shape.layers)
        session = _open_session(build(self._weights, Variant.EXACT, {}, beside=names))
        largest = {name: np.zeros(self._weights.shape.hidden, np.float32) for name in names}
        for text in texts:
            for window in self._windows(self._tokenizer.encode(f"{Role.PASSAGE.value} {text}")):
                for name, seen in zip(names, session.run(names, {"x": self._embed([window])}), strict=True):
                    np.maximum(largest[name], np.abs(seen[0]).max(axis=0), out=largest[name])
        return largest


def _open_session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # callers' threads share the session; more inside one run only wait
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The graph is written as it shall run: fusing it further (skip-layer-norm above all) makes it slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _RUNTIME_ERRORS as error:
        raise EncoderUnavailable(
            f"onnxruntime {onnxruntime.__version__} refused the encoder's graph: {error}",
            where="bundled encoder",
            remedy="install an onnxruntime between 1.20 and 1.32",
        ) from error
