"""Routes of accepting: feedback, the calibrators there are, training one as a job, and who decides from now on."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar import MediaType, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, SkipValidation
from pydantic import Field, FiniteFloat

from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.training import begin
from graphsvc.interfaces.http.bodies import OnlyNumbers, Truth
from graphsvc.interfaces.http.context import Acting, ChosenNamespace, Graph
from graphsvc.interfaces.http.problems import spec
from graphsvc.jobs import Jobs
from graphsvc.models.audit import Act
from graphsvc.models.base import Record, ShortText
from graphsvc.models.calibration import CalibrationOverview, Feedback, Job, Promotion, Verdict
from graphsvc.settings import Settings
from graphsvc.supervise.calibrators import drawn

RunningJobs: TypeAlias = NamedDependency[SkipValidation[Jobs]]
OwnSettings: TypeAlias = NamedDependency[SkipValidation[Settings]]


class FeedbackBody(Record):
    """On the whole answer, or on one memory it saw; `corrected_by` names the memory that answers instead."""

    trace_id: ShortText
    verdict: Verdict
    memory_id: ShortText | None = None
    corrected_by: ShortText | None = None


class TrainBody(Record):
    """What to learn from: feedback of the namespace or of all, and the stories that came with the service."""

    target_error: Annotated[FiniteFloat, OnlyNumbers] = Field(
        default=0.05, gt=0, lt=1, description="the share of wrong ones among the accepted that is to be kept"
    )
    from_feedback: Truth = True
    all_namespaces: Truth = False
    stories: Truth = True


class PromoteBody(Record):
    """With `anyway` also a version that is worse than what decides now; then a reason is needed."""

    version: ShortText
    anyway: Truth = False
    reason: ShortText | None = None


@post(
    "/v1/feedback",
    sync_to_thread=True,
    status_code=200,
    operation_id="give_feedback",
    summary="Say whether an answer was right",
    responses=spec(404, 413, 415),
)
def give_feedback(data: JSONBody[FeedbackBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Feedback:
    """Keep a word on an answer; a later one on the same answer and memory replaces it."""
    return graph.feedback(
        data.trace_id,
        data.verdict,
        memory_id=data.memory_id,
        corrected_by=data.corrected_by,
        namespace=namespace,
        by=act,
    )


@get(
    "/v1/calibration",
    sync_to_thread=True,
    operation_id="show_calibration",
    summary="Show the calibrators",
    responses=spec(),
)
def show_calibration(graph: Graph) -> CalibrationOverview:
    """Which versions there are, which of them decides or why none does, and how far questions have drifted."""
    return graph.calibration.overview()


@get(
    "/v1/calibration/{version:str}/card",
    sync_to_thread=True,
    operation_id="show_card",
    summary="Show a model card",
    media_type=MediaType.TEXT,
    responses=spec(404, 409),
)
def show_card(version: FromPath[str], graph: Graph) -> str:
    """What a version was made from, what it promises, and what it is not for, as Markdown."""
    return graph.calibration.text(version, "card.md")


@get(
    "/v1/calibration/{version:str}/report",
    sync_to_thread=True,
    operation_id="show_report",
    summary="Show a calibrator in pictures",
    media_type=MediaType.HTML,
    responses=spec(404, 409, 501),
)
def show_report(version: FromPath[str], graph: Graph) -> bytes:
    """Reliability, risk and coverage, what it looks at, and its thresholds, as one page that needs nothing else."""
    return drawn(graph.calibration, version)["report.html"]


@post(
    "/v1/calibration/train",
    sync_to_thread=True,
    status_code=202,
    operation_id="train_calibrator",
    summary="Train a calibrator",
    responses=spec(409, 413, 415),
)
def train_calibrator(
    data: JSONBody[TrainBody],
    graph: Graph,
    jobs: RunningJobs,
    own_settings: OwnSettings,
    namespace: ChosenNamespace,
) -> Job:
    """Begin training in a process of its own; ask for the job to see how far it is. Nothing is promoted by it."""
    if not (data.from_feedback or data.stories):
        raise FieldInvalid("leaves nothing to learn from", where="from_feedback", remedy="or give stories")
    return begin(
        jobs,
        graph,
        own_settings,
        target_error=data.target_error,
        from_feedback=data.from_feedback,
        namespace=None if data.all_namespaces else namespace,
        stories=data.stories,
    )


@get("/v1/jobs/{job_id:str}", sync_to_thread=True, operation_id="get_job", summary="Show a job", responses=spec(404))
def get_job(job_id: FromPath[str], jobs: RunningJobs) -> Job:
    """How far a job is, and what became of it."""
    return jobs.get(job_id)


@post(
    "/v1/calibration/promote",
    sync_to_thread=True,
    status_code=200,
    operation_id="promote_calibrator",
    summary="Have a calibrator decide",
    responses=spec(404, 409, 413, 415),
)
def promote_calibrator(data: JSONBody[PromoteBody], graph: Graph, namespace: ChosenNamespace, act: Acting) -> Promotion:
    """Lay a version beside what decides now, on rows neither learnt from, and let it take over unless it is worse."""
    by = act if data.reason is None else Act(actor=act.actor, reason=data.reason)
    return graph.calibration.promote(data.version, anyway=data.anyway, namespace=namespace, by=by)


@post(
    "/v1/calibration/rollback",
    sync_to_thread=True,
    status_code=200,
    operation_id="rollback_calibrator",
    summary="Go back to what decided before",
    responses=spec(409, 415),
)
def rollback_calibrator(graph: Graph, namespace: ChosenNamespace, act: Acting) -> Promotion:
    """Undo the last promotion; before the first one the shipped calibrator or the rule decided."""
    return graph.calibration.rollback(namespace=namespace, by=act)


ROUTES = (
    give_feedback,
    show_calibration,
    show_card,
    show_report,
    train_calibrator,
    get_job,
    promote_calibrator,
    rollback_calibrator,
)
