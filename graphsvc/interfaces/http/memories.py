"""Routes that keep, show and delete memories."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from graphsvc.interfaces.http.bodies import AddBody, AddResult, Deleted, MemoryPage, SenseBody
from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph, MomentParameter, read_query_moment
from graphsvc.interfaces.http.problems import refuse_item, spec
from graphsvc.interfaces.http.revisions import ETAG, IfMatch, read_if_match, tagged
from graphsvc.interfaces.scope import Scope
from graphsvc.interfaces.where import at_moments, parse_where
from graphsvc.models.audit import Act
from graphsvc.models.memory import ItemResult, ItemStatus, Memory

WhereParameter = Annotated[str | None, QueryParameter(description="a filter as JSON, as /v1/search takes it")]
SOME_UNCHANGED = ResponseSpec(AddResult, False, "Some were known already, or failed: see each result")


@post(
    "/v1/memories",
    sync_to_thread=True,
    operation_id="add_memories",
    summary="Add memories",
    responses={200: SOME_UNCHANGED, **spec(409, 413, 415, 422)},
)
def add_memories(data: JSONBody[AddBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Response[AddResult]:
    """Acknowledged means durable. 201 when all were created, else 200 with each result.

    A single memory that fails answers with its problem. The same memory again is `unchanged`. What a memory
    overturned is named in its result; the answers that fell with that are at `/v1/overturned`.
    """
    results = _add(data, graph, namespace, act)
    failed = results[0].error if data.memory is not None else None
    if failed is not None:
        raise refuse_item(failed)
    created = all(result.status is ItemStatus.CREATED for result in results)
    return Response(AddResult(results=tuple(results)), status_code=201 if created else 200)


def _add(body: AddBody, graph: Graph, namespace: ChosenNamespace, act: Act) -> list[ItemResult]:
    if body.conversation_id is not None:
        return graph.add_chat(body.messages, conversation_id=body.conversation_id, namespace=namespace, by=act)
    return graph.add(body.memories if body.memory is None else [body.memory], namespace=namespace, by=act)


@get(
    "/v1/memories",
    sync_to_thread=True,
    operation_id="list_memories",
    summary="List memories",
    opt={"query": ("where", "limit", "after", "as_of", "known_at")},
    responses=spec(),
)
def list_memories(
    *,
    graph: Graph,
    namespace: ChosenNamespace,
    where: WhereParameter = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
    after: FromQuery[str | None] = None,
    as_of: MomentParameter = None,
    known_at: MomentParameter = None,
) -> MemoryPage:
    """Newest first, a page at a time; `after` of one page asks for the next.

    `as_of` keeps what held at that moment, `known_at` what had been recorded by then; each memory is shown as it
    stands today.
    """
    filter_ = None if where is None else parse_where(where, where="where")
    filter_ = at_moments(
        filter_,
        as_of=read_query_moment(as_of, where="as_of"),
        known_at=read_query_moment(known_at, where="known_at"),
    )
    page = graph.get_all(namespace=namespace, where=filter_, limit=limit, after=after)
    return MemoryPage(memories=page.memories, after=page.after)


@get(
    "/v1/memories/{memory_id:str}",
    sync_to_thread=True,
    operation_id="get_memory",
    summary="Show a memory",
    response_headers=[ETAG],
    responses=spec(404),
)
def get_memory(memory_id: FromPath[str], graph: Graph, namespace: ChosenNamespace) -> Response[Memory]:
    """One memory, and its revision as `ETag`. An id with a slash in it is found with `where` on the field `id`."""
    return tagged(graph.get(memory_id, namespace=namespace))


@post(
    "/v1/memories/{memory_id:str}/senses",
    sync_to_thread=True,
    status_code=200,
    operation_id="correct_sense",
    summary="Set a sense right",
    responses=spec(404, 413, 415),
)
def correct_sense(
    memory_id: FromPath[str], data: JSONBody[SenseBody], graph: Graph, namespace: ChosenNamespace
) -> Memory:
    """A person's word on what a word means in a memory; no tagger overrules it, and it teaches its author's habits."""
    return graph.correct_sense(memory_id, data.surface, data.sense, namespace=namespace)


@delete(
    "/v1/memories/{memory_id:str}",
    sync_to_thread=True,
    operation_id="delete_memory",
    summary="Delete a memory",
    responses=spec(404, 412),
)
def delete_memory(
    memory_id: FromPath[str], graph: Graph, namespace: ChosenNamespace, act: Acting, if_match: IfMatch = None
) -> None:
    """Delete one memory and all that hangs on it; what it had overturned stands again."""
    graph.delete(memory_id, namespace=namespace, revision=read_if_match(if_match), by=act)


@delete(
    "/v1/memories",
    sync_to_thread=True,
    operation_id="delete_memories",
    summary="Delete memories",
    status_code=200,
    opt={"query": ("where", "file", "conversation_id", "person")},
    responses=spec(404, 409),
)
def delete_memories(
    *,
    graph: Graph,
    namespace: ChosenNamespace,
    act: Acting,
    where: WhereParameter = None,
    file: Annotated[str | None, QueryParameter(description="a document, by its file name")] = None,
    conversation_id: Annotated[str | None, QueryParameter(description="a conversation")] = None,
    person: Annotated[str | None, QueryParameter(description="a person, by name, address or entity id")] = None,
) -> Deleted:
    """Delete what one scope names; without any it is refused. `where={"all": []}` empties the namespace.

    Of a `person` every memory goes that they took part in or are named in, and what was known of who they are;
    409 where several bear the name.
    """
    filter_ = None if where is None else parse_where(where, where="where")
    ids = Scope(filter_, file, conversation_id, person).delete(graph, namespace, act)
    return Deleted(ids=tuple(ids), count=len(ids))


ROUTES = (add_memories, list_memories, get_memory, correct_sense, delete_memory, delete_memories)
