"""Routes that ask: ranked candidates, a decision, and the trace behind either."""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath, JSONBody

from graphsvc.interfaces.http.bodies import QuestionBody, SearchBody
from graphsvc.interfaces.http.context import ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.models.answer import Answer, SearchResult, Trace


@post(
    "/v1/search",
    sync_to_thread=True,
    status_code=200,
    operation_id="search",
    summary="Search",
    responses=spec(413, 415),
)
def search(data: JSONBody[SearchBody], graph: Graph, namespace: ChosenNamespace) -> SearchResult:
    """Ranked candidates, best first, with their scores by part and the stages of the funnel."""
    return graph.search(
        data.question,
        namespace=namespace,
        asked_at=data.asked_at,
        asked_by=data.asked_by,
        conversation_id=data.conversation_id,
        where=data.where,
        limit=data.limit,
        min_similarity=data.min_similarity,
        legs=frozenset(data.legs),
    )


@post(
    "/v1/answer",
    sync_to_thread=True,
    status_code=200,
    operation_id="answer",
    summary="Answer",
    responses=spec(413, 415),
)
def answer(data: JSONBody[QuestionBody], graph: Graph, namespace: ChosenNamespace) -> Answer:
    """A decision with its evidence, or the plain word that nothing reliable, or nothing at all, is stored."""
    return graph.answer(
        data.question,
        namespace=namespace,
        asked_at=data.asked_at,
        asked_by=data.asked_by,
        conversation_id=data.conversation_id,
        where=data.where,
    )


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
