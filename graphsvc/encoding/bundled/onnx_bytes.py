"""Write an ONNX model as protobuf bytes, with the few messages a transformer needs.

The wire format is public and small (onnx.proto, IR version 8); writing it here saves the
`onnx` package at run time. Field numbers stand beside the names of their messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Attribute = int | float | Sequence[int]
MICROSOFT = "com.microsoft"
IR_VERSION = 8
OPSET = 18

# TensorProto.DataType
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7}


class GraphBuilder:
    """Collects nodes and constants; `finish` gives the bytes that an inference session reads."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._names = 0

    def constant(self, value: NDArray[Any]) -> str:
        """Add an initialiser and return its name."""
        name = self._fresh("c")
        tensor = b"".join(_varint_field(1, size) for size in value.shape)  # TensorProto.dims
        tensor += _varint_field(2, _TYPES[value.dtype.name]) + _bytes_field(8, name.encode())
        tensor += _bytes_field(9, np.ascontiguousarray(value).tobytes())  # raw_data, little endian
        self._constants.append(_bytes_field(5, tensor))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", output: str = "", **attributes: Attribute) -> str:
        """Add a node with one output and return the output's name."""
        name = output or self._fresh("t")
        body = b"".join(_bytes_field(1, item.encode()) for item in inputs)  # NodeProto
        body += _bytes_field(2, name.encode()) + _bytes_field(3, name.encode()) + _bytes_field(4, operator.encode())
        body += b"".join(_bytes_field(5, _attribute(key, value)) for key, value in attributes.items())
        body += _bytes_field(7, domain.encode())
        self._nodes.append(_bytes_field(1, body))
        return name

    def finish(self, inputs: Mapping[str, Sequence[str | int]], outputs: Mapping[str, Sequence[str | int]]) -> bytes:
        """ModelProto bytes; inputs and outputs are float tensors, a named dimension is free."""
        graph = b"".join(self._nodes) + _bytes_field(2, b"graph") + b"".join(self._constants)
        graph += b"".join(_bytes_field(11, _value_info(name, shape)) for name, shape in inputs.items())
        graph += b"".join(_bytes_field(12, _value_info(name, shape)) for name, shape in outputs.items())
        versions = _bytes_field(8, _bytes_field(1, b"") + _varint_field(2, OPSET))
        versions += _bytes_field(8, _bytes_field(1, MICROSOFT.encode()) + _varint_field(2, 1))
        return _varint_field(1, IR_VERSION) + _bytes_field(7, graph) + versions

    def _fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers travel as two's complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _varint_field(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _bytes_field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _float_field(number: int, value: float) -> bytes:
    return _varint(number << 3 | 5) + np.float32(value).tobytes()


def _attribute(name: str, value: Attribute) -> bytes:
    body = _bytes_field(1, name.encode())  # AttributeProto; field 20 is its type
    if isinstance(value, int):
        return body + _varint_field(3, value) + _varint_field(20, 2)
    if isinstance(value, float):
        return body + _float_field(2, value) + _varint_field(20, 1)
    return body + b"".join(_varint_field(8, item) for item in value) + _varint_field(20, 7)


def _value_info(name: str, shape: Sequence[str | int]) -> bytes:
    dimensions = b"".join(
        _bytes_field(1, _varint_field(1, size) if isinstance(size, int) else _bytes_field(2, size.encode()))
        for size in shape
    )
    tensor = _varint_field(1, _TYPES["float32"]) + _bytes_field(2, dimensions)
    return _bytes_field(1, name.encode()) + _bytes_field(2, _bytes_field(1, tensor))
