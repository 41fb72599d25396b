"""Routes for whoever runs the service: alive, ready, and what is kept."""

from __future__ import annotations

from litestar import get

from graphsvc.interfaces.http.bodies import Health, NamespaceStats
from graphsvc.interfaces.http.context import ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec


@get("/health/live", sync_to_thread=False, operation_id="live", summary="Alive")
def live() -> Health:
    """The process answers."""
    return Health(status="live")


@get("/health/ready", sync_to_thread=True, operation_id="ready", summary="Ready", responses=spec())
def ready(graph: Graph) -> Health:
    """The store can be read; else a problem says why not. Warnings are of the calibrator, which no answer waits for."""
    graph.get_all(limit=1)
    return Health(status="ready", warnings=graph.calibration_health().warnings)


@get("/v1/stats", sync_to_thread=True, operation_id="stats", summary="Show what is kept", responses=spec())
def stats(graph: Graph, namespace: ChosenNamespace) -> NamespaceStats:
    """How many memories the namespace holds, what runs it, and what it does without."""
    found = graph.stats()
    return NamespaceStats(
        namespace=namespace,
        memories=found.namespaces.get(namespace, 0),
        version=found.version,
        encoder=found.encoder,
        ontology=found.ontology,
        notes=found.notes,
    )


ROUTES = (live, ready, stats)
