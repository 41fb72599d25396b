"""Routes for the jobs of upkeep of a namespace: purge, consolidate, expire, find again what changes what."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from graphsvc.interfaces.http.bodies import Deleted, Truth
from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.models.audit import Purged
from graphsvc.models.base import Record
from graphsvc.models.upkeep import RepeatGroup


class PurgeBody(Record):
    """Whether to purge what was deleted in every namespace, and not in the one the request names alone."""

    all_namespaces: Truth = False


class ConsolidateBody(Record):
    """With `dry_run` nothing is written: what would be merged is told."""

    dry_run: Truth = True


class Consolidation(Record):
    """Groups of memories that say the same, merged or to be merged; `passed_over` changed in the meantime."""

    dry_run: bool
    groups: tuple[RepeatGroup, ...]
    passed_over: tuple[RepeatGroup, ...] = ()


class Relinked(Record):
    """How many edges of change and standings are otherwise now."""

    changed: int


@post(
    "/v1/purge",
    sync_to_thread=True,
    status_code=200,
    operation_id="purge",
    summary="Purge what was deleted",
    responses=spec(413, 415),
)
def purge(data: JSONBody[PurgeBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Purged:
    """Remove for good what deleted memories left in journal and traces: no file of the store holds a byte of it.

    It cannot be undone. The journal's entries stay, without their contents, and its chain still holds.
    """
    return graph.purge(namespace=None if data.all_namespaces else namespace, by=act)


@post(
    "/v1/consolidate",
    sync_to_thread=True,
    status_code=200,
    operation_id="consolidate",
    summary="Merge repeats",
    responses=spec(413, 415),
)
def consolidate(
    data: JSONBody[ConsolidateBody], graph: Graph, namespace: ChosenNamespace, act: Acting
) -> Consolidation:
    """Let one of several memories that say the same stand for all; a dry run unless told otherwise."""
    planned = graph.keeping.repeats(namespace)
    if data.dry_run:
        return Consolidation(dry_run=True, groups=planned.groups)
    done = graph.keeping.consolidate(planned, by=act)
    return Consolidation(dry_run=False, groups=done.done, passed_over=done.passed_over)


@post(
    "/v1/expire",
    sync_to_thread=True,
    status_code=200,
    operation_id="expire",
    summary="Delete what has expired",
    responses=spec(415),
)
def expire(graph: Graph, namespace: ChosenNamespace, act: Acting) -> Deleted:
    """Delete the memories whose `expires_at` has passed; they were found no more before."""
    ids = graph.keeping.expire(namespace, by=act)
    return Deleted(ids=tuple(ids), count=len(ids))


@post(
    "/v1/relink",
    sync_to_thread=True,
    status_code=200,
    operation_id="relink",
    summary="Find again what changes what",
    responses=spec(415),
)
def relink(graph: Graph, namespace: ChosenNamespace, act: Acting) -> Relinked:
    """Relate all memories of the namespace anew, as after an upgrade; what was told by hand stays."""
    return Relinked(changed=graph.relink(namespace=namespace, by=act))


ROUTES = (purge, consolidate, expire, relink)
