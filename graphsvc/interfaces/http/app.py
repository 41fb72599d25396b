"""Put the routes together over one graph: namespaces, guards, problems, and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from litestar import Litestar, Router
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from graphsvc.assembly import clock
from graphsvc.errors import StoreError
from graphsvc.interfaces.http import (
    audit,
    calibration,
    changes,
    entities,
    health,
    memories,
    metrics,
    questions,
    understanding,
    upkeep,
    webhooks,
)
from graphsvc.interfaces.http.context import read_act, read_namespace
from graphsvc.interfaces.http.guards import AccessLog, BodyGuard, check_query
from graphsvc.interfaces.http.problems import HANDLERS
from graphsvc.jobs import Jobs
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from graphsvc.version import installed_version


def create_app(graph: MemoryGraph, settings: Settings) -> Litestar:
    """The ASGI application; it closes the graph when it shuts down. Its log is the caller's to configure.

    While it runs, subscribers are told of answers that fall.
    """
    # One router for all: handlers of one path that are registered one by one get their thread wrapped twice.
    asking = (memories, changes, questions, understanding, entities, calibration)
    groups = (*asking, audit, webhooks, upkeep, health, metrics)
    router = Router("/", route_handlers=[route for group in groups for route in group.ROUTES])
    jobs = Jobs(graph.calibration.folder, clock=clock(settings))
    return Litestar(
        [router],
        dependencies={
            "graph": Provide(lambda: graph, sync_to_thread=False),
            "namespace": Provide(read_namespace, sync_to_thread=False),
            "act": Provide(read_act, sync_to_thread=False),
            "jobs": Provide(lambda: jobs, sync_to_thread=False),
            "own_settings": Provide(lambda: settings, sync_to_thread=False),
        },
        middleware=[AccessLog(), BodyGuard(settings.max_body_bytes)],
        before_request=check_query,
        exception_handlers=HANDLERS,
        on_startup=[_start_telling(graph)],
        on_shutdown=[jobs.close, graph.close],
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


def _start_telling(graph: MemoryGraph) -> Callable[[], None]:
    """Find what a crash left out of the overturned answers, then deliver what is due."""

    def start() -> None:
        try:
            graph.audit.catch_up()
        except StoreError as error:
            # The next start finds it; a busy store is no reason to serve nothing.
            structlog.get_logger().warning("catch_up_failed", code=error.code)
        if graph.audit.courier is not None:
            graph.audit.courier.start()

    return start
