"""Routes that ask: ranked candidates, a decision, and the trace behind either."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from graphsvc.interfaces.explained import ExplainedAnswer, ExplainedSearch
from graphsvc.interfaces.http.bodies import QuestionBody, SearchBody
from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.models.answer import Answer, SearchResult, Trace

FOUND = ResponseSpec(ExplainedSearch, False, "Candidates, with `trace` where `explain` is true")
GIVEN = ResponseSpec(ExplainedAnswer, False, "The answer, with `trace` where `explain` is true")
Explain = Annotated[bool, QueryParameter(description="whether to add the trace: everything behind the result")]


@post(
    "/v1/search",
    sync_to_thread=True,
    status_code=200,
    operation_id="search",
    summary="Search",
    opt={"query": ("explain",)},
    responses={200: FOUND, **spec(413, 415)},
)
def search(
    data: JSONBody[SearchBody], graph: Graph, namespace: ChosenNamespace, act: Acting, explain: Explain = False
) -> SearchResult:
    """Ranked candidates, best first, with their scores by part and the stages of the funnel."""
    found = graph.search(
        data.question,
        namespace=namespace,
        asked_at=data.asked_at,
        asked_by=data.asked_by,
        conversation_id=data.conversation_id,
        where=data.where,
        limit=data.limit,
        min_similarity=data.min_similarity,
        legs=frozenset(data.legs),
        diversity=data.diversity,
        session_id=data.session_id,
        as_of=data.as_of,
        known_at=data.known_at,
        by=act,
    )
    return ExplainedSearch.of(found, graph.trace(found.trace_id, namespace=namespace)) if explain else found


@post(
    "/v1/answer",
    sync_to_thread=True,
    status_code=200,
    operation_id="answer",
    summary="Answer",
    opt={"query": ("explain",)},
    responses={200: GIVEN, **spec(413, 415)},
)
def answer(
    data: JSONBody[QuestionBody], graph: Graph, namespace: ChosenNamespace, act: Acting, explain: Explain = False
) -> Answer:
    """A decision with its evidence, or the plain word that nothing reliable, or nothing at all, is stored."""
    given = graph.answer(
        data.question,
        namespace=namespace,
        asked_at=data.asked_at,
        asked_by=data.asked_by,
        conversation_id=data.conversation_id,
        where=data.where,
        session_id=data.session_id,
        as_of=data.as_of,
        known_at=data.known_at,
        by=act,
    )
    return ExplainedAnswer.of(given, graph.trace(given.trace_id, namespace=namespace)) if explain else given


@get(
    "/v1/traces/{trace_id:str}",
    sync_to_thread=True,
    operation_id="get_trace",
    summary="Show a trace",
    responses=spec(404),
)
def get_trace(trace_id: FromPath[str], graph: Graph, namespace: ChosenNamespace) -> Trace:
    """Everything behind one search or answer."""
    return graph.trace(trace_id, namespace=namespace)


ROUTES = (search, answer, get_trace)
