"""Build the transformer as an ONNX graph, its products either exact (4-bit weights) or int8.

Input `x` is float32 `(batch, length, hidden)`: word, position and type embeddings summed,
texts of one length, so nothing is padded or masked and a text never feels its neighbours.
Output `states` has the same shape. The graph is written in the form it shall run in.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from graphsvc.encoding.bundled.onnx_bytes import MICROSOFT, GraphBuilder
from graphsvc.encoding.bundled.weights import BLOCK, Q4, Shape, WeightFile

# u8 x s8 products are added in pairs into 16 bits where the processor has no VNNI:
# 2 x 255 x 63 still fits, so weights keep 7 bits.
WEIGHT_LIMIT = 63
ACTIVATION_LIMIT = 127
ZERO_POINT = 128


class Variant(StrEnum):
    """How the matrix products are done."""

    INT8 = "int8"
    EXACT = "exact"


def build(weights: WeightFile, variant: Variant) -> bytes:
    """The model's ONNX bytes."""
    graph = GraphBuilder()
    products = _Int8Products(graph) if variant is Variant.INT8 else _ExactProducts(graph)
    network = _Network(graph, weights, products)
    hidden = weights.shape.hidden
    network.run()
    shape = ("batch", "length", hidden)
    return graph.finish({"x": shape}, {"states": shape})


class _ExactProducts:
    """MatMulNBits: the file's own 4-bit weights, only their order within a block changed."""

    def __init__(self, graph: GraphBuilder) -> None:
        self._graph = graph

    def prepare(self, x: str) -> tuple[str, ...]:
        return (x,)

    def multiply(self, x: tuple[str, ...], matrix: Q4) -> str:
        rows, blocks, _ = matrix.codes.shape
        low, high = matrix.codes & 15, matrix.codes >> 4
        # The file pairs value j with j + 16 in a byte; the operator wants neighbours.
        paired = np.concatenate((low[..., 0::2] | low[..., 1::2] << 4, high[..., 0::2] | high[..., 1::2] << 4), axis=-1)
        return self._graph.node(
            "MatMulNBits",
            *x,
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
    """Activations scaled token by token to 8 bits, weights column by column to 7."""

    def __init__(self, graph: GraphBuilder) -> None:
        self._graph = graph
        self._last_axis = graph.constant(np.array([-1], np.int64))
        self._step = graph.constant(np.array(1 / ACTIVATION_LIMIT, np.float32))
        self._least = graph.constant(np.array(1e-12, np.float32))
        self._one = graph.constant(np.array(1, np.float32))
        self._zero_point = graph.constant(np.array(ZERO_POINT, np.uint8))

    def prepare(self, x: str) -> tuple[str, ...]:
        largest = self._graph.node("ReduceMax", self._graph.node("Abs", x), self._last_axis, keepdims=1)
        scale = self._graph.node("Mul", self._graph.node("Max", largest, self._least), self._step)
        scaled = self._graph.node("Div", x, scale)
        return self._graph.node("QuantizeLinear", scaled, self._one, self._zero_point), scale

    def multiply(self, x: tuple[str, ...], matrix: Q4) -> str:
        codes, scale = x
        values = matrix.values().T
        columns = np.abs(values).max(axis=0) / np.float32(WEIGHT_LIMIT)
        columns = np.maximum(columns, np.float32(1e-12))
        narrow = np.clip(np.rint(values / columns), -WEIGHT_LIMIT, WEIGHT_LIMIT).astype(np.int8)
        product = self._graph.node(
            "MatMulIntegerToFloat",
            codes,
            self._graph.constant(narrow),
            self._one,
            self._graph.constant(columns.astype(np.float32)),
            self._zero_point,
            domain=MICROSOFT,
        )
        return self._graph.node("Mul", product, scale)


class _Network:
    """Twelve post-norm layers over one set of constants."""

    def __init__(self, graph: GraphBuilder, weights: WeightFile, products: _ExactProducts | _Int8Products) -> None:
        self._graph = graph
        self._weights = weights
        self._products = products
        shape = weights.shape
        self._shape: Shape = shape
        width = shape.hidden // shape.heads
        self._split = graph.constant(np.array([0, 0, shape.heads, width], np.int64))
        self._join = graph.constant(np.array([0, 0, shape.hidden], np.int64))
        self._width = width

    def run(self) -> None:
        x = self._norm("x", "emb.ln")
        for layer in range(self._shape.layers):
            last = layer == self._shape.layers - 1
            x = self._layer(x, f"l{layer}.", output="states" if last else "")

    def _layer(self, x: str, prefix: str, *, output: str) -> str:
        graph = self._graph
        attended = self._linear(self._attention(x, prefix), prefix + "ao")
        x = self._norm(graph.node("Add", x, attended), prefix + "aln")
        inner = self._product(x, prefix + "fi", self._shape.inner)
        active = graph.node("BiasGelu", inner, graph.constant(self._weights.floats(prefix + "fi.b")), domain=MICROSOFT)
        return self._norm(graph.node("Add", x, self._linear(active, prefix + "fo")), prefix + "oln", output=output)

    def _attention(self, x: str, prefix: str) -> str:
        graph = self._graph
        ready = self._products.prepare(x)
        # Questions are scaled once here instead of every score later.
        shrink = np.float32(1 / np.sqrt(self._width))
        heads: dict[str, str] = {}
        for part, order in (("q", (0, 2, 1, 3)), ("k", (0, 2, 3, 1)), ("v", (0, 2, 1, 3))):
            matrix = self._weights.matrix(f"{prefix}{part}.w", self._shape.hidden)
            bias = self._weights.floats(f"{prefix}{part}.b")
            if part == "q":
                matrix, bias = Q4(matrix.scales * shrink, matrix.codes), bias * shrink
            projected = graph.node("Add", self._products.multiply(ready, matrix), graph.constant(bias))
            heads[part] = graph.node("Transpose", graph.node("Reshape", projected, self._split), perm=order)
        scores = graph.node("Softmax", graph.node("MatMul", heads["q"], heads["k"]), axis=-1)
        mixed = graph.node("Transpose", graph.node("MatMul", scores, heads["v"]), perm=(0, 2, 1, 3))
        return graph.node("Reshape", mixed, self._join)

    def _product(self, x: str, name: str, rows: int) -> str:
        return self._products.multiply(self._products.prepare(x), self._weights.matrix(name + ".w", rows))

    def _linear(self, x: str, name: str) -> str:
        product = self._product(x, name, self._shape.hidden)
        return self._graph.node("Add", product, self._graph.constant(self._weights.floats(name + ".b")))

    def _norm(self, x: str, name: str, *, output: str = "") -> str:
        gain, shift = (self._graph.constant(self._weights.floats(f"{name}.{part}")) for part in "wb")
        return self._graph.node(
            "LayerNormalization", x, gain, shift, axis=-1, epsilon=float(self._shape.epsilon), output=output
        )
