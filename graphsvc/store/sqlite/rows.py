"""Memories, edges and vectors as rows of SQLite: raw values in, records out, nothing lost.

Times are microseconds since 1970, vectors raw little-endian float32, memories JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.errors import EncoderMismatch, FieldInvalid, GraphsvcError, VectorInvalid
from graphsvc.models.change import Standing
from graphsvc.models.graph import Edge
from graphsvc.models.memory import Memory, MemoryFields
from graphsvc.store.filters import METADATA_PREFIX, NUMBER_FIELDS, TEXT_FIELDS, values

SqlValue = str | int | float | bytes

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMN_FIELDS = frozenset({"id", "language", "document_type", "confidence_level", "status"})
FACET_FIELDS = tuple(sorted((TEXT_FIELDS | NUMBER_FIELDS) - _COLUMN_FIELDS))
CONTENT_FIELDS = (*MemoryFields.model_fields, "event_time")
EDGE_COLUMNS = "row, source, target, type, weight, event_time, valid_from, valid_to, recorded_at, slot, whole, origin"
# Fields of a memory that its standing fills; its body never holds them.
STANDING_FIELDS = frozenset(Standing.model_fields) - {"id"}
# A vector of unit length may have lost this much of it to rounding, not more.
UNIT_TOLERANCE = 1e-3


def writable(text: str) -> bool:
    """Whether UTF-8 can hold it; a lone surrogate it cannot, so nothing stored has one."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def micros(moment: datetime) -> int:
    return (moment - EPOCH) // _MICROSECOND


def moment(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(microseconds=value)


def optional_micros(value: datetime | None) -> int | None:
    return None if value is None else micros(value)


def memory_row(row: int, namespace: int, memory: Memory) -> tuple[object, ...]:
    """The values of table `memory`, in order."""
    return (
        row,
        namespace,
        str(memory.id),
        micros(memory.event_time),
        micros(memory.recorded_at),
        optional_micros(memory.valid_from),
        optional_micros(memory.valid_to),
        str(memory.language),
        memory.document_type,
        None if memory.confidence_level is None else str(memory.confidence_level),
        optional_micros(memory.expires_at),
    )


def edge_row(edge: Edge) -> tuple[object, ...]:
    """The values of `EDGE_COLUMNS` after the two ends."""
    return (
        str(edge.type),
        edge.weight,
        optional_micros(edge.event_time),
        optional_micros(edge.valid_from),
        optional_micros(edge.valid_to),
        optional_micros(edge.recorded_at),
        edge.slot,
        int(edge.whole),
        edge.origin,
    )


def body_json(memory: Memory) -> str:
    """What a memory says, and what was derived from it; not where it stands."""
    return memory.model_dump_json(exclude=set(STANDING_FIELDS))


def facets(memory: Memory) -> Iterator[tuple[str, SqlValue]]:
    """Field and value of everything a filter may ask that has no column of its own."""
    fields = (*FACET_FIELDS, *(METADATA_PREFIX + key for key in memory.metadata))
    for field in fields:
        for value in set(values(memory, field)):
            encoded = facet_value(value)
            if encoded is not None:
                yield field, encoded


def facet_value(value: object) -> SqlValue | None:
    """The value as SQLite compares it; None for kinds no facet has. Truth values are blobs: true is not 1."""
    match value:
        case bool():
            return b"\x01" if value else b"\x00"
        case int() | float():
            return value
        case str():
            return str(value)
        case _:
            return None


def same_content(left: Memory, right: Memory) -> bool:
    """Whether two memories say the same; what was derived from it, and when it was recorded, may differ."""
    return all(getattr(left, name) == getattr(right, name) for name in CONTENT_FIELDS)


def check_memory(memory: Memory) -> None:
    """Raises `FieldInvalid` for numbers no store can keep: integers beyond 64 bits, amounts that are not finite."""
    whole = {"level": memory.level, **{METADATA_PREFIX + key: value for key, value in memory.metadata.items()}}
    for name, value in whole.items():
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise FieldInvalid("an integer beyond 64 bits", where=name, remedy="write it as text")
    found = memory.facts
    numbers = [number for a in found.amounts for number in (a.value, a.high) if number is not None]
    numbers += [label.probability for label in found.labels] + [sense.probability for sense in found.senses]
    if not all(map(math.isfinite, numbers)):
        raise FieldInvalid("a number that is not finite", where="facts")


def check_vector(vector: FloatArray, fingerprint: Fingerprint | None) -> None:
    """Raises `VectorInvalid`, or `EncoderMismatch` while no encoder is bound."""
    if fingerprint is None:
        raise EncoderMismatch("no encoder is bound to this store", remedy="call set_encoding first")
    if vector.shape != (fingerprint.dimension,):
        what = f"a vector of shape {vector.shape}, expected ({fingerprint.dimension},)"
        raise VectorInvalid(what, where="vector")
    exact = vector.astype(np.float64)
    length = math.sqrt(float(exact @ exact))
    if not math.isfinite(length):
        raise VectorInvalid("a vector that is not finite", where="vector")
    if abs(length - 1.0) > UNIT_TOLERANCE:
        raise VectorInvalid(f"a vector of length {length:.4g}, expected unit length", where="vector")


def check_states(states: TokenStates, fingerprint: Fingerprint) -> None:
    """Raises `VectorInvalid` when the packed states are not this encoder's."""
    count = len(states.scales)
    expected = (count, fingerprint.state_dimension // 2)
    if states.scales.shape != (count,) or states.codes.shape != expected or not fingerprint.state_dimension:
        what = f"token states of shape {states.codes.shape}, expected {expected}"
        raise VectorInvalid(what, where="states")
    if not np.isfinite(states.scales).all():
        raise VectorInvalid("token states that are not finite", where="states")


def encoding_error(
    vector: FloatArray | None, states: TokenStates | None, fingerprint: Fingerprint | None
) -> GraphsvcError | None:
    """What is wrong with a memory's vector and states, if anything."""
    try:
        if vector is not None:
            check_vector(vector, fingerprint)
        if states is not None:
            if fingerprint is None or vector is None:
                return VectorInvalid("token states without a vector", where="states")
            check_states(states, fingerprint)
    except (VectorInvalid, EncoderMismatch) as error:
        return error
    return None


def vector_bytes(vector: FloatArray) -> bytes:
    return vector.astype("<f4").tobytes()


def read_vector(blob: bytes) -> FloatArray:
    return np.frombuffer(blob, dtype="<f4").astype(np.float32)


def states_bytes(states: TokenStates) -> tuple[bytes, bytes]:
    return np.ascontiguousarray(states.codes, dtype=np.uint8).tobytes(), states.scales.astype("<f4").tobytes()


def read_states(codes: bytes, scales: bytes) -> TokenStates:
    factors = np.frombuffer(scales, dtype="<f4").astype(np.float32)
    width = len(codes) // max(len(factors), 1)
    return TokenStates(np.frombuffer(codes, dtype=np.uint8).reshape(len(factors), width), factors)
