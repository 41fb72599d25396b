"""Build the transformer as an ONNX graph, its products either exact (4-bit weights) or int8.

Input `x` is float32 `(batch, length, hidden)`: word, position and type embeddings summed,
texts of one length, so nothing is padded or masked and a text never feels its neighbours.
Output `states` has the same shape. The graph is written in the form it shall run in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from graphsvc.encoding.base import FloatArray
from graphsvc.encoding.bundled.onnx_bytes import MICROSOFT, GraphBuilder
from graphsvc.encoding.bundled.weights import BLOCK, Q4, WeightFile

# u8 x s8 products are added in pairs into 16 bits where the processor has no VNNI:
# 2 x 255 x 63 still fits, so weights keep 7 bits.
WEIGHT_LIMIT = 63
ACTIVATION_LIMIT = 127
ZERO_POINT = 128
TINY = np.float32(1e-12)


class Variant(StrEnum):
    """How the matrix products are done."""

    INT8 = "int8"
    EXACT = "exact"


def input_of(layer: int) -> str:
    """The output that holds what a layer reads: the states after the layers before it."""
    return f"l{layer}.qkv"


def range_names(layers: int) -> tuple[str, ...]:
    """The product inputs whose channels differ most: what attention and the inner layer read."""
    return tuple(f"l{layer}.{part}" for layer in range(layers) for part in ("qkv", "fi"))


def build(
    weights: WeightFile, variant: Variant, ranges: Mapping[str, FloatArray], *, beside: Sequence[str] = ()
) -> bytes:
    """The model's ONNX bytes.

    `ranges` says how large each channel of a named product input gets (see `range_names`); int8 products need it.
    The product inputs named in `beside` become outputs beside `states`.
    """
    graph = GraphBuilder()
    products = _Int8Products(graph, ranges) if variant is Variant.INT8 else _ExactProducts(graph)
    _Network(graph, weights, products).run()
    shape = ("batch", "length", weights.shape.hidden)
    return graph.finish({"x": shape}, dict.fromkeys(("states", *beside), shape))


class _ExactProducts:
    """MatMulNBits: the file's own 4-bit weights, only their order within a block changed."""

    def __init__(self, graph: GraphBuilder) -> None:
        self._graph = graph

    def multiply(self, x: str, _name: str, matrices: Sequence[Q4]) -> list[str]:
        return [self._multiply(x, matrix) for matrix in matrices]

    def _multiply(self, x: str, matrix: Q4) -> str:
        rows, blocks, _ = matrix.codes.shape
        low, high = matrix.codes & 15, matrix.codes >> 4
        # The file pairs value j with j + 16 in a byte; the operator wants neighbours.
        paired = np.concatenate((low[..., 0::2] | low[..., 1::2] << 4, high[..., 0::2] | high[..., 1::2] << 4), axis=-1)
        return self._graph.node(
            "MatMulNBits",
            x,
            self._graph.constant(paired),
            self._graph.constant(matrix.scales.reshape(-1)),
            domain=MICROSOFT,
            K=blocks * BLOCK,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,
        )


class _Int8Products:
    """Activations scaled token by token to 8 bits, weights column by column to 7.

    A few channels are many times larger than the rest and would eat the 8 bits. Where their ranges are known, part of
    their size moves into the weights first (SmoothQuant, Xiao et al. 2023, with strength one half).
    """

    def __init__(self, graph: GraphBuilder, ranges: Mapping[str, FloatArray]) -> None:
        self._graph = graph
        self._ranges = ranges
        self._last_axis = graph.constant(np.array([-1], np.int64))
        self._step = graph.constant(np.array(1 / ACTIVATION_LIMIT, np.float32))
        self._least = graph.constant(np.array(TINY))
        self._one = graph.constant(np.array(1, np.float32))
        self._zero_point = graph.constant(np.array(ZERO_POINT, np.uint8))

    def multiply(self, x: str, name: str, matrices: Sequence[Q4]) -> list[str]:
        values = [matrix.values().T for matrix in matrices]
        if name in self._ranges:
            smoothing = _smoothing(self._ranges[name], values)
            x = self._graph.node("Mul", x, self._graph.constant(1 / smoothing))
            values = [matrix * smoothing[:, None] for matrix in values]
        codes, scale = self._quantise(x)
        return [self._graph.node("Mul", self._multiply(codes, matrix), scale) for matrix in values]

    def _quantise(self, x: str) -> tuple[str, str]:
        largest = self._graph.node("ReduceMax", self._graph.node("Abs", x), self._last_axis, keepdims=1)
        scale = self._graph.node("Mul", self._graph.node("Max", largest, self._least), self._step)
        scaled = self._graph.node("Div", x, scale)
        return self._graph.node("QuantizeLinear", scaled, self._one, self._zero_point), scale

    def _multiply(self, codes: str, values: FloatArray) -> str:
        columns = np.maximum(np.abs(values).max(axis=0) / np.float32(WEIGHT_LIMIT), TINY)
        narrow = np.clip(np.rint(values / columns), -WEIGHT_LIMIT, WEIGHT_LIMIT).astype(np.int8)
        return self._graph.node(
            "MatMulIntegerToFloat",
            codes,
            self._graph.constant(narrow),
            self._one,
            self._graph.constant(columns),
            self._zero_point,
            domain=MICROSOFT,
        )


def _smoothing(channels: FloatArray, values: Sequence[FloatArray]) -> FloatArray:
    """What each input channel is divided by, float32, geometric mean one."""
    weights = np.max([np.abs(matrix).max(axis=1) for matrix in values], axis=0)
    factors = np.sqrt(np.maximum(channels, 1e-3) / np.maximum(weights, 1e-4))
    even: FloatArray = (factors / np.exp(np.log(factors).mean())).astype(np.float32)
    return even


class _Network:
    """Post-norm transformer layers over one graph."""

    def __init__(self, graph: GraphBuilder, weights: WeightFile, products: _ExactProducts | _Int8Products) -> None:
        self._graph = graph
        self._weights = weights
        self._products = products
        self._shape = weights.shape
        self._width = self._shape.hidden // self._shape.heads
        self._split = graph.constant(np.array([0, 0, self._shape.heads, self._width], np.int64))
        self._join = graph.constant(np.array([0, 0, self._shape.hidden], np.int64))

    def run(self) -> None:
        last = self._shape.layers - 1
        x = self._norm("x", "emb.ln", output=input_of(0))
        for layer in range(last + 1):
            x = self._layer(x, f"l{layer}.", output="states" if layer == last else input_of(layer + 1))

    def _layer(self, x: str, prefix: str, *, output: str) -> str:
        graph, hidden = self._graph, self._shape.hidden
        attended = graph.node(
            "Add", self._product(self._attention(x, prefix), prefix + "ao", hidden), self._bias(prefix + "ao")
        )
        x = self._norm(graph.node("Add", x, attended), prefix + "aln", output=prefix + "fi")
        inner = self._product(x, prefix + "fi", self._shape.inner)
        active = graph.node("BiasGelu", inner, self._bias(prefix + "fi"), domain=MICROSOFT)
        outer = graph.node("Add", self._product(active, prefix + "fo", hidden), self._bias(prefix + "fo"))
        return self._norm(graph.node("Add", x, outer), prefix + "oln", output=output)

    def _attention(self, x: str, prefix: str) -> str:
        graph = self._graph
        matrices = [self._weights.matrix(f"{prefix}{part}.w", self._shape.hidden) for part in "qkv"]
        projected = self._products.multiply(x, prefix + "qkv", matrices)
        # Keys are transposed as they are split into heads.
        orders = ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
        question, key, value = (
            self._heads(product, prefix + part, order)
            for part, product, order in zip("qkv", projected, orders, strict=True)
        )
        shrink = graph.constant(np.array(1 / np.sqrt(self._width), np.float32))
        scores = graph.node("MatMul", graph.node("Mul", question, shrink), key)
        mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        return graph.node("Reshape", graph.node("Transpose", mixed, perm=(0, 2, 1, 3)), self._join)

    def _heads(self, product: str, name: str, order: tuple[int, ...]) -> str:
        biased = self._graph.node("Add", product, self._bias(name))
        return self._graph.node("Transpose", self._graph.node("Reshape", biased, self._split), perm=order)

    def _product(self, x: str, name: str, rows: int) -> str:
        (product,) = self._products.multiply(x, name, [self._weights.matrix(name + ".w", rows)])
        return product

    def _bias(self, name: str) -> str:
        return self._graph.constant(self._weights.floats(name + ".b"))

    def _norm(self, x: str, name: str, *, output: str) -> str:
        gain, shift = (self._graph.constant(self._weights.floats(f"{name}.{part}")) for part in "wb")
        return self._graph.node(
            "LayerNormalization", x, gain, shift, axis=-1, epsilon=float(self._shape.epsilon), output=output
        )
