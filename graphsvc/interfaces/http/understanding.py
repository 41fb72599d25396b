"""Routes that show how texts are read: the facts of one, and the library they are labelled with."""

from __future__ import annotations

from litestar import get, post
from litestar.params import JSONBody

from graphsvc.interfaces.http.bodies import UnderstandBody
from graphsvc.interfaces.http.context import Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.interfaces.library import Library, outline
from graphsvc.models.facts import Facts


@post(
    "/v1/understand",
    sync_to_thread=True,
    status_code=200,
    operation_id="understand",
    summary="Understand a text",
    responses=spec(413, 415),
)
def understand(data: JSONBody[UnderstandBody], graph: Graph) -> Facts:
    """Labels, senses, mentions, amounts, times and claims of a text; nothing is stored."""
    return graph.understand(data.text, at=data.at)


@get(
    "/v1/ontology",
    sync_to_thread=True,
    operation_id="show_ontology",
    summary="Show the library",
    responses=spec(),
)
def show_ontology(graph: Graph) -> Library:
    """Ids and names of domains, intents, entity types, edge types, query types and senses."""
    return outline(graph.ontology)


ROUTES = (understand, show_ontology)
