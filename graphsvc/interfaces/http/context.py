"""What every route is given: the graph, and the namespace the request chose by header."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar.di import NamedDependency
from litestar.params import HeaderParameter, SkipValidation
from pydantic import TypeAdapter, ValidationError

from graphsvc.errors import FieldInvalid
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import Namespace

HEADER = "X-Namespace"
# Litestar would check the value against the annotation; it is ours, and tests pass another of the same shape.
Graph: TypeAlias = NamedDependency[SkipValidation[MemoryGraph]]
ChosenNamespace: TypeAlias = NamedDependency[str]
_NAMESPACE: TypeAdapter[str] = TypeAdapter(Namespace)


def read_namespace(
    header: Annotated[
        str | None, HeaderParameter(name=HEADER, description="which memories: a tenant, user or agent")
    ] = None,
) -> str:
    """The namespace of a request, `default` without a header; header bytes are read as UTF-8."""
    if header is None:
        return "default"
    try:
        # Header values arrive decoded as Latin-1, whatever their bytes were.
        return _NAMESPACE.validate_python(header.encode("latin-1").decode("utf-8"))
    except UnicodeError:
        raise FieldInvalid("not UTF-8", where=HEADER) from None
    except ValidationError as error:
        raise FieldInvalid(error.errors()[0]["msg"].removeprefix("Value error, "), where=HEADER) from None
