"""`GET /metrics`: how answers go and how far questions have drifted, in the text format of Prometheus.

Counted over all namespaces together, so that nothing is told of any one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from litestar import Response, get

from graphsvc.interfaces.http.context import Graph
from graphsvc.interfaces.http.problems import spec

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Samples = Iterable[tuple[dict[str, str], float]]


@get("/metrics", sync_to_thread=True, operation_id="metrics", summary="Show metrics", responses=spec())
def metrics(graph: Graph) -> Response[str]:
    """The share of recent answers that were accepted, drift by feature, and answers by status since the start."""
    health = graph.calibration_health()
    rate: Samples = [] if health.acceptance_rate is None else [({}, health.acceptance_rate)]
    families = (
        *_family("graphsvc_acceptance_rate", "gauge", "Share of recent decisions that were accepted.", rate),
        *_family(
            "graphsvc_calibration_drift",
            "gauge",
            "Population stability index of a feature against what the calibrator was trained on.",
            [({"feature": one.name}, one.psi) for one in health.drift],
        ),
        *_family(
            "graphsvc_calibration_warnings",
            "gauge",
            "How many things about the calibrator want looking at.",
            [({}, float(len(health.warnings)))],
        ),
        *_family(
            "graphsvc_answers_total",
            "counter",
            "Answers since the process started.",
            [({"status": status.value}, count) for status, count in graph.calibration.watch.answers.items()],
        ),
    )
    return Response("\n".join(families) + "\n", media_type=MEDIA_TYPE)


def _family(name: str, kind: str, told: str, samples: Samples) -> Iterator[str]:
    """Names and values of labels are our own words: none needs escaping."""
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        inside = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield f"{name}{{{inside}}} {value:g}" if inside else f"{name} {value:g}"


ROUTES = (metrics,)
