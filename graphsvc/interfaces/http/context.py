"""What every route is given: the graph, the namespace the request chose by header, and who acts and why."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from litestar.di import NamedDependency
from litestar.params import HeaderParameter, QueryParameter, SkipValidation
from pydantic import TypeAdapter, ValidationError

from graphsvc.errors import FieldInvalid
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import Act
from graphsvc.models.base import Namespace, ShortText, read_moment

HEADER = "X-Namespace"
ACTOR = "X-Actor"
REASON = "X-Reason"
DEFAULT_ACTOR = "http"
# Litestar would check the value against the annotation; it is ours, and tests pass another of the same shape.
Graph: TypeAlias = NamedDependency[SkipValidation[MemoryGraph]]
ChosenNamespace: TypeAlias = NamedDependency[str]
Acting: TypeAlias = NamedDependency[Act]
MomentParameter = Annotated[str | None, QueryParameter(description="ISO 8601 with a UTC offset, its + written %2B")]
_NAMESPACE: TypeAdapter[str] = TypeAdapter(Namespace)
_SHORT_TEXT: TypeAdapter[str] = TypeAdapter(ShortText)


def read_namespace(
    header: Annotated[
        str | None, HeaderParameter(name=HEADER, description="which memories: a tenant, user or agent")
    ] = None,
) -> str:
    """The namespace of a request, `default` without a header; header bytes are read as UTF-8."""
    return "default" if header is None else _read(header, _NAMESPACE, HEADER)


def read_act(
    actor: Annotated[
        str | None, HeaderParameter(name=ACTOR, description="who acts, for the journal; `http` if absent")
    ] = None,
    reason: Annotated[str | None, HeaderParameter(name=REASON, description="why, for the journal")] = None,
) -> Act:
    """Who acts and why, as the journal will have it; header bytes are read as UTF-8."""
    return Act(
        actor=DEFAULT_ACTOR if actor is None else _read(actor, _SHORT_TEXT, ACTOR),
        reason=None if reason is None else _read(reason, _SHORT_TEXT, REASON),
    )


def read_query_moment(text: str | None, *, where: str) -> datetime | None:
    """A query parameter's moment; raises `FieldInvalid` naming it."""
    try:
        return None if text is None else read_moment(text)
    except ValueError as error:
        raise FieldInvalid(str(error), where=where, remedy="in an address, write + as %2B") from None


def _read(header: str, kind: TypeAdapter[str], name: str) -> str:
    try:
        # Header values arrive decoded as Latin-1, whatever their bytes were.
        return kind.validate_python(header.encode("latin-1").decode("utf-8"))
    except UnicodeError:
        raise FieldInvalid("not UTF-8", where=name) from None
    except ValidationError as error:
        raise FieldInvalid(error.errors()[0]["msg"].removeprefix("Value error, "), where=name) from None
