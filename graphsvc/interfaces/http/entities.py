"""Routes over identities: who there is, by which names, who was made one, and who might be."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from pydantic import Field

from graphsvc.ingest.resolve.table import TableFormat
from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.models.base import Record, ShortText
from graphsvc.models.identity import Alias, Identity, Merge, MergeRule, Proposal

Limit = Annotated[int, QueryParameter(ge=1, le=1000)]
Author = Annotated[ShortText | None, Field(description="who says so; the `X-Actor` if absent")]


class Identities(Record):
    """By id; `after` asks for the next page, absent at the end."""

    entities: tuple[Identity, ...]
    after: str | None = None


class Aliases(Record):
    aliases: tuple[Alias, ...]


class Merges(Record):
    """Newest first; `before` asks for the next page, absent at the end."""

    merges: tuple[Merge, ...]
    before: str | None = None


class Proposals(Record):
    """Likeliest first; nothing is joined until a merge says so."""

    candidates: tuple[Proposal, ...]


class AliasBody(Record):
    """`alias` is one more name or address of whom `of` names: by entity id, address or name."""

    alias: str
    of: str
    by: Author = None


class MergeBody(Record):
    """`joined` becomes one with `kept`; `candidate` says that a proposal was accepted."""

    kept: str
    joined: str
    reason: str = ""
    candidate: bool = False
    by: Author = None


class TableBody(Record):
    """The table as a file's text."""

    format: TableFormat = TableFormat.TOML
    table: str
    by: Author = None


class Table(Record):
    format: TableFormat
    table: str


class Removed(Record):
    alias: str
    count: int = Field(ge=0)


@get(
    "/v1/entities",
    sync_to_thread=True,
    operation_id="list_entities",
    summary="List or find entities",
    opt={"query": ("name", "limit", "after")},
    responses=spec(),
)
def list_entities(
    graph: Graph,
    namespace: ChosenNamespace,
    name: FromQuery[str | None] = None,
    limit: Limit = 100,
    after: FromQuery[str | None] = None,
) -> Identities:
    """People, organisations and products as identities; with `name` those that bear it or a variant of it."""
    found, last = graph.identities(namespace=namespace).find(name or "", limit=limit, after=after)
    return Identities(entities=tuple(found), after=last)


@get(
    "/v1/entities/candidates",
    sync_to_thread=True,
    operation_id="list_candidates",
    summary="List who might be one",
    opt={"query": ("of", "at_least", "limit")},
    responses=spec(409),
)
def list_candidates(
    graph: Graph,
    namespace: ChosenNamespace,
    of: FromQuery[str | None] = None,
    at_least: Annotated[float, QueryParameter(ge=0, le=1)] = 0.0,
    limit: Limit = 100,
) -> Proposals:
    """Pairs of identities whose names are alike, with a score and the reason; accept one with a merge."""
    found = graph.identities(namespace=namespace).candidates(of=of, at_least=at_least, limit=limit)
    return Proposals(candidates=tuple(found))


@get(
    "/v1/aliases",
    sync_to_thread=True,
    operation_id="list_aliases",
    summary="List aliases",
    opt={"query": ("of",)},
    responses=spec(409),
)
def list_aliases(graph: Graph, namespace: ChosenNamespace, of: FromQuery[str | None] = None) -> Aliases:
    """The table of aliases, or the rows of one identity."""
    return Aliases(aliases=tuple(graph.identities(namespace=namespace).aliases(of)))


@post(
    "/v1/aliases",
    sync_to_thread=True,
    operation_id="add_alias",
    summary="Add an alias",
    responses=spec(409, 413, 415),
)
def add_alias(data: JSONBody[AliasBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Alias:
    """One more name or address of somebody; it holds for the memories stored already. The same again is no change."""
    return graph.identities(namespace=namespace).add(data.alias, of=data.of, by=data.by or act.actor)


@delete(
    "/v1/aliases",
    sync_to_thread=True,
    operation_id="remove_alias",
    summary="Remove an alias",
    status_code=200,
    opt={"query": ("alias", "of")},
    responses=spec(404, 409),
)
def remove_alias(
    graph: Graph, namespace: ChosenNamespace, act: Acting, alias: FromQuery[str], of: FromQuery[str]
) -> Removed:
    """Take an alias away again, and undo the merge it made."""
    return Removed(alias=alias, count=graph.identities(namespace=namespace).remove(alias, of=of, by=act.actor))


@get(
    "/v1/aliases/table",
    sync_to_thread=True,
    operation_id="export_aliases",
    summary="Export the aliases",
    opt={"query": ("format",)},
    responses=spec(),
)
def export_aliases(
    graph: Graph,
    namespace: ChosenNamespace,
    format: FromQuery[TableFormat] = TableFormat.TOML,  # noqa: A002  the parameter's name
) -> Table:
    """The whole table as the text of a TOML or CSV file."""
    return Table(format=format, table=graph.identities(namespace=namespace).dump(format))


@post(
    "/v1/aliases/table",
    sync_to_thread=True,
    operation_id="import_aliases",
    summary="Import aliases",
    responses=spec(409, 413, 415),
)
def import_aliases(data: JSONBody[TableBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Aliases:
    """Add every row of a table, or none when a row is refused."""
    found = graph.identities(namespace=namespace).load(data.table, data.format, by=data.by or act.actor)
    return Aliases(aliases=tuple(found))


@get(
    "/v1/merges",
    sync_to_thread=True,
    operation_id="list_merges",
    summary="List merges",
    opt={"query": ("limit", "before")},
    responses=spec(),
)
def list_merges(
    graph: Graph, namespace: ChosenNamespace, limit: Limit = 100, before: FromQuery[str | None] = None
) -> Merges:
    """Every merge there was, undone ones too: what was joined, by whom, on which rule, and what it was before."""
    found = graph.identities(namespace=namespace).merges(limit=limit, before=before)
    return Merges(merges=tuple(found), before=found[-1].id if len(found) == limit else None)


@post(
    "/v1/merges",
    sync_to_thread=True,
    operation_id="merge_entities",
    summary="Merge two entities",
    responses=spec(404, 409, 413, 415),
)
def merge_entities(data: JSONBody[MergeBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Merge:
    """Make two identities one. Neither is destroyed: `DELETE` on the merge gives both back as they were."""
    rule = MergeRule.CANDIDATE if data.candidate else MergeRule.USER
    book = graph.identities(namespace=namespace)
    return book.merge(data.kept, data.joined, by=data.by or act.actor, reason=data.reason, rule=rule)


@delete(
    "/v1/merges/{merge_id:str}",
    sync_to_thread=True,
    operation_id="undo_merge",
    summary="Undo a merge",
    status_code=200,
    responses=spec(404, 409),
)
def undo_merge(merge_id: FromPath[str], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Merge:
    """Take one merge back; its record stays, with who undid it and when."""
    return graph.identities(namespace=namespace).undo(merge_id, by=act.actor)


ROUTES = (
    list_entities,
    list_candidates,
    list_aliases,
    add_alias,
    remove_alias,
    export_aliases,
    import_aliases,
    list_merges,
    merge_entities,
    undo_merge,
)
