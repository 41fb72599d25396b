"""Routes of the audit: the journal of a namespace, whether the chains hold, replays, and answers that have fallen."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, FromQuery, QueryParameter

from graphsvc.interfaces.http.context import ChosenNamespace, Graph, MomentParameter, read_query_moment
from graphsvc.interfaces.http.problems import spec
from graphsvc.interfaces.verified import Verified
from graphsvc.models.audit import Action, JournalEntry, OverturnedAnswer, Replayed
from graphsvc.models.base import Record

Limit = Annotated[int, QueryParameter(ge=1, le=1000)]


class JournalEntries(Record):
    """Oldest first; `after` asks for the next page, absent at the end."""

    entries: tuple[JournalEntry, ...]
    after: str | None


class OverturnedAnswers(Record):
    """In the order they were found; `after` of one page, also of the last, asks for what is newer."""

    answers: tuple[OverturnedAnswer, ...]
    after: str


@get(
    "/v1/audit",
    sync_to_thread=True,
    operation_id="read_journal",
    summary="Read the journal",
    opt={"query": ("subject", "action", "operation", "since", "until", "limit", "after")},
    responses=spec(),
)
def read_journal(
    *,
    graph: Graph,
    namespace: ChosenNamespace,
    subject: Annotated[str | None, QueryParameter(description="of this memory or trace")] = None,
    action: Annotated[Action | None, QueryParameter(description="only this")] = None,
    operation: Annotated[str | None, QueryParameter(description="of this one call")] = None,
    since: MomentParameter = None,
    until: MomentParameter = None,
    limit: Limit = 100,
    after: FromQuery[str | None] = None,
) -> JournalEntries:
    """Who did what in the namespace, when, to what, before and after, and why; `until` is exclusive."""
    page = graph.audit.read(
        namespace,
        subject=subject,
        actions=() if action is None else (action,),
        operation=operation,
        since=read_query_moment(since, where="since"),
        until=read_query_moment(until, where="until"),
        limit=limit,
        after=after,
    )
    return JournalEntries(entries=page.entries, after=page.after)


@get(
    "/v1/audit/verify",
    sync_to_thread=True,
    operation_id="verify_journal",
    summary="Verify the journal",
    responses=spec(),
)
def verify_journal(graph: Graph) -> Verified:
    """Read every chain of the store from its beginning; counts, heads and breaks, of no namespace in particular."""
    return Verified.of(graph.audit.verify())


@post(
    "/v1/traces/{trace_id:str}/replay",
    sync_to_thread=True,
    status_code=200,
    operation_id="replay_trace",
    summary="Replay a search or an answer",
    responses=spec(404, 415),
)
def replay_trace(trace_id: FromPath[str], graph: Graph, namespace: ChosenNamespace) -> Replayed:
    """The question as it was answered, run again on what was known then, and run on what is known now."""
    return graph.audit.replay(namespace, trace_id)


@get(
    "/v1/overturned",
    sync_to_thread=True,
    operation_id="list_overturned",
    summary="List answers that have fallen",
    opt={"query": ("after", "limit")},
    responses=spec(),
)
def list_overturned(
    graph: Graph, namespace: ChosenNamespace, after: FromQuery[str | None] = None, limit: Limit = 100
) -> OverturnedAnswers:
    """Earlier answers that rested on what has fallen since; ask again with `after` to see only what is new."""
    page = graph.audit.overturned(namespace, after=after, limit=limit)
    return OverturnedAnswers(answers=page.answers, after=page.after)


ROUTES = (read_journal, verify_journal, replay_trace, list_overturned)
