"""Read evaluation files: memories first, then queries with what is relevant to them and what is forbidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from graphsvc.errors import FieldInvalid
from graphsvc.ingest.readers.jsonl import read_jsonl
from graphsvc.ingest.validate import explain
from graphsvc.models.base import Moment
from graphsvc.models.memory import MemoryFields, MemoryInput


class QueryLine(BaseModel):
    """One question; `query_type` is for grouping only, and unknown fields are notes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["query"]
    id: str
    text: str
    asked_at: Moment | None = None
    asked_by: str | None = None
    conversation_id: str | None = None
    relevant: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    answerable: bool = True
    query_type: str = "general"
    conflict: bool = False


_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class EvaluationFile:
    """One file: its memories in `event_time` order, then its queries in theirs."""

    path: Path
    memories: tuple[MemoryInput, ...]
    queries: tuple[QueryLine, ...]


def read_evaluation(path: Path) -> EvaluationFile:
    """Raises `FieldInvalid` naming file, line and field: a measurement never runs on half a file."""
    memories: list[MemoryInput] = []
    queries: list[QueryLine] = []
    for line in read_jsonl(path):
        where = f"{path}, line {line.number}"
        if line.error is not None or line.data is None:
            raise FieldInvalid(line.error.what if line.error else "is empty", where=where)
        try:
            if line.data.get("kind") == "query":
                queries.append(QueryLine.model_validate(line.data))
            else:
                memories.append(_memory(line.data, where))
        except ValidationError as error:
            told = explain(error)
            raise FieldInvalid(told.what, where=f"{where}, {told.where}") from None
    _check_references(path, memories, queries)
    in_time = sorted(memories, key=lambda m: m.event_time or _BEGINNING)
    return EvaluationFile(path, tuple(in_time), tuple(queries))


def _memory(data: dict[str, object], where: str) -> MemoryInput:
    if data.get("kind") != "memory":
        raise FieldInvalid(f"kind {data.get('kind')!r} is neither memory nor query", where=where)
    if data.get("id") is None:
        raise FieldInvalid("Field required", where=f"{where}, id")  # queries name memories by it
    known = {"id", "event_time", *MemoryFields.model_fields}
    return MemoryInput.model_validate({name: value for name, value in data.items() if name in known})


def _check_references(path: Path, memories: Sequence[MemoryInput], queries: Sequence[QueryLine]) -> None:
    ids = {memory.id for memory in memories}
    for query in queries:
        missing = [i for i in (*query.relevant, *query.forbidden) if i not in ids]
        if missing:
            raise FieldInvalid(f"query {query.id} names memories that are not there: {missing}", where=str(path))
