"""Put the routes together over one graph: namespaces, guards, problems, and the OpenAPI document."""

from __future__ import annotations

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from graphsvc.interfaces.http import entities, health, memories, questions, understanding
from graphsvc.interfaces.http.context import read_namespace
from graphsvc.interfaces.http.guards import AccessLog, BodyGuard, check_query
from graphsvc.interfaces.http.problems import HANDLERS
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from graphsvc.version import installed_version


def create_app(graph: MemoryGraph, settings: Settings) -> Litestar:
    """The ASGI application; it closes the graph when it shuts down. Its log is the caller's to configure."""
    # One router for all: handlers of one path that are registered one by one get their thread wrapped twice.
    groups = (memories, questions, understanding, entities, health)
    router = Router("/", route_handlers=[route for group in groups for route in group.ROUTES])
    return Litestar(
        [router],
        dependencies={
            "graph": Provide(lambda: graph, sync_to_thread=False),
            "namespace": Provide(read_namespace, sync_to_thread=False),
        },
        middleware=[AccessLog(), BodyGuard(settings.max_body_bytes)],
        before_request=check_query,
        exception_handlers=HANDLERS,
        on_shutdown=[graph.close],
        # The guard has read the body by then, and answers 413 with a problem.
        request_max_body_size=None,
        # Litestar's own log of an exception would carry its message, which may quote a memory.
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="graphsvc",
            version=installed_version(),
            description="A graph memory for AI assistants. Errors are application/problem+json with a stable type.",
            path="/schema",
            render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"])],
            use_handler_docstrings=True,
        ),
    )
