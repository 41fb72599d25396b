"""Routes that change what is stored: revise a memory, overrule it, take it back, and read what happened to it."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import FromPath, JSONBody
from pydantic import BeforeValidator, Field, field_validator

from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.interfaces.http.revisions import ETAG, IfMatch, read_if_match, tagged
from graphsvc.models.audit import HistoryRow, Overruled, OverturnedAnswer
from graphsvc.models.base import Moment, Record, ShortText
from graphsvc.models.change import OVERTURNING, ChangeKind
from graphsvc.models.memory import Memory, MemoryFields


class RevisionBody(MemoryFields):
    """The fields to change, as they are to be; one left out stays, `null` empties one that may be empty."""

    text: str = Field(default="", description="stays as it is when left out; it cannot be emptied")
    event_time: Moment | None = Field(default=None, description="stays as it is when left out")

    @field_validator("event_time", mode="before")
    @classmethod
    def _some_time(cls, moment: object) -> object:
        if moment is None:
            raise ValueError("cannot be emptied")
        return moment

    def told(self) -> dict[str, object]:
        """What was sent, by field."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}


def _overturns(value: object) -> object:
    if not isinstance(value, str) or value not in OVERTURNING:
        raise ValueError(f"overturns nothing; one of {', '.join(sorted(OVERTURNING))}")
    return value


class SupersedeBody(Record):
    """The memory of the path overturns `earlier`: with a newer value, by taking it back, or by setting it right."""

    earlier: ShortText
    kind: Annotated[ChangeKind, BeforeValidator(_overturns)] = ChangeKind.SUPERSEDES


class FalsifyBody(Record):
    """Why the memory is no longer to be believed."""

    reason: ShortText


class History(Record):
    """Oldest first."""

    rows: tuple[HistoryRow, ...]


class Fallen(Record):
    """Earlier answers that fell by this."""

    overturned: tuple[OverturnedAnswer, ...]


@patch(
    "/v1/memories/{memory_id:str}",
    sync_to_thread=True,
    operation_id="update_memory",
    summary="Revise a memory",
    response_headers=[ETAG],
    responses=spec(404, 412, 413, 415, 422),
)
def update_memory(
    *,
    memory_id: FromPath[str],
    data: JSONBody[RevisionBody],
    graph: Graph,
    namespace: ChosenNamespace,
    act: Acting,
    if_match: IfMatch = None,
) -> Response[Memory]:
    """Change fields of a memory; what is derived from them, and what it overturns, is found anew.

    With `If-Match` only at that revision: of two who read the same one, the second gets 412. What says the same
    already changes nothing, not even the revision.
    """
    revision = read_if_match(if_match)
    return tagged(graph.update(memory_id, data.told(), namespace=namespace, revision=revision, by=act))


@get(
    "/v1/memories/{memory_id:str}/history",
    sync_to_thread=True,
    operation_id="show_history",
    summary="Show a memory's history",
    responses=spec(404),
)
def show_history(memory_id: FromPath[str], graph: Graph, namespace: ChosenNamespace) -> History:
    """All that happened to a memory, a deleted one too: who, when, why, its text before and after."""
    return History(rows=tuple(graph.audit.history(namespace, memory_id)))


@post(
    "/v1/memories/{memory_id:str}/supersede",
    sync_to_thread=True,
    status_code=200,
    operation_id="supersede_memory",
    summary="Overrule another memory",
    responses=spec(404, 409, 413, 415),
)
def supersede_memory(
    memory_id: FromPath[str], data: JSONBody[SupersedeBody], graph: Graph, namespace: ChosenNamespace, act: Acting
) -> Overruled:
    """Write down that this memory overturns an earlier one, on the caller's word, and which answers fell with it.

    409 names the ids where the two would replace each other, or where another memory replaces the earlier already.
    """
    return graph.supersede(memory_id, data.earlier, kind=data.kind, namespace=namespace, by=act)


@post(
    "/v1/memories/{memory_id:str}/falsify",
    sync_to_thread=True,
    status_code=200,
    operation_id="falsify_memory",
    summary="Take a memory back",
    responses=spec(404, 413, 415),
)
def falsify_memory(
    memory_id: FromPath[str], data: JSONBody[FalsifyBody], graph: Graph, namespace: ChosenNamespace, act: Acting
) -> Fallen:
    """Retract a memory by hand; which earlier answers fell with it. It stays, marked as retracted."""
    return Fallen(overturned=tuple(graph.audit.falsify(namespace, memory_id, data.reason, by=act)))


ROUTES = (update_memory, show_history, supersede_memory, falsify_memory)
