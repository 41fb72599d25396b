"""Turn every failure into problem+json: a stable type, what is wrong, where, and what to do.

The statuses of our own errors stand in one table. An unexpected error answers with nothing of
its inside and is logged by type and place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from pydantic import ValidationError

from graphsvc import errors
from graphsvc.errors import FieldInvalid, GraphsvcError
from graphsvc.interfaces.logs import describe_error
from graphsvc.models.base import Record
from graphsvc.models.memory import Problem
from ontology.errors import OntologyInvalid

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1

STATUSES: Mapping[type[GraphsvcError], HTTPStatus] = {
    errors.GraphsvcError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.InputError: HTTPStatus.BAD_REQUEST,
    errors.TextRefused: HTTPStatus.BAD_REQUEST,
    errors.FieldInvalid: HTTPStatus.BAD_REQUEST,
    errors.DuplicateId: HTTPStatus.CONFLICT,
    errors.FilterInvalid: HTTPStatus.BAD_REQUEST,
    errors.ScopeMissing: HTTPStatus.BAD_REQUEST,
    errors.MergeRefused: HTTPStatus.CONFLICT,
    errors.NameAmbiguous: HTTPStatus.CONFLICT,
    errors.RevisionOutdated: HTTPStatus.PRECONDITION_FAILED,
    errors.ChangeRefused: HTTPStatus.CONFLICT,
    errors.CalibratorRefused: HTTPStatus.CONFLICT,
    errors.TrainingRefused: HTTPStatus.CONFLICT,
    errors.JobRunning: HTTPStatus.CONFLICT,
    errors.ExtraMissing: HTTPStatus.NOT_IMPLEMENTED,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.EncodingError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.EncoderMismatch: HTTPStatus.CONFLICT,
    errors.EncoderUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.VectorInvalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.StoreError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.StoreBusy: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.StoreDamaged: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.StoreVersion: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.SettingsInvalid: HTTPStatus.INTERNAL_SERVER_ERROR,
}
# What the frameworks say, in words a caller need not know them for.
_PLAINER = {
    "Extra inputs are not permitted": "unknown field",
    "Field required": "missing",
    "Expected `bool`, got `str`": "neither true nor false",
}
_CODES = {error.code: status for error, status in STATUSES.items()}


class FieldProblem(Record):
    where: str
    detail: str


class ProblemBody(Record):
    """RFC 9457: `type` is stable, `detail` says what, `where` the field or item, `remedy` what to do."""

    type: str
    title: str
    status: int
    detail: str
    where: str = ""
    remedy: str = ""
    errors: tuple[FieldProblem, ...] = ()


def spec(*statuses: int) -> dict[int, ResponseSpec]:
    """The problems a route documents; 400, 413, 415 and 503 may befall any of them."""
    return {
        status: ResponseSpec(ProblemBody, False, HTTPStatus(status).phrase, MEDIA_TYPE)
        for status in sorted({400, 503, *statuses})
    }


def respond(problem: Problem, status: HTTPStatus, *, fields: tuple[FieldProblem, ...] = ()) -> Response[ProblemBody]:
    body = ProblemBody(
        type=f"urn:graphsvc:problem:{problem.code}",
        title=problem.code.replace("-", " ").capitalize(),
        status=status,
        detail=problem.what,
        where=problem.where,
        remedy=problem.remedy,
        errors=fields,
    )
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
    return Response(body, status_code=status, media_type=MEDIA_TYPE, headers=headers)


def refuse(status: HTTPStatus, code: str, what: str, *, where: str = "", remedy: str = "") -> HTTPException:
    """An exception that becomes this very problem."""
    problem = Problem(code=code, what=what, where=where, remedy=remedy)
    return HTTPException(detail=what, status_code=status, extra={"problem": problem})


def refuse_item(problem: Problem) -> HTTPException:
    """The failure of a request's only item, as the failure of the request."""
    where = problem.where.removeprefix("item 1").lstrip(", ")
    return refuse(_CODES[problem.code], problem.code, problem.what, where=where, remedy=problem.remedy)


def on_known_error(_: Request[Any, Any, Any], error: GraphsvcError) -> Response[ProblemBody]:
    status = next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    inside = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    if inside:
        structlog.get_logger().warning("request_failed", code=error.code, where=error.where)
    # A path or an address of the server's own is of no use to a caller.
    where = "" if inside else error.where
    return respond(Problem(code=error.code, what=error.what, where=where, remedy=error.remedy), status)


def on_ontology_invalid(_: Request[Any, Any, Any], error: OntologyInvalid) -> Response[ProblemBody]:
    """The library on the server's disk is broken: key and reason are told, the file is the log's."""
    structlog.get_logger().warning("ontology_refused", file=error.file, key=error.key, reason=error.reason)
    problem = Problem(code=error.code, what=error.reason, where=error.key, remedy=error.remedy)
    return respond(problem, HTTPStatus.INTERNAL_SERVER_ERROR)


def on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[ProblemBody]:
    status = HTTPStatus(error.status_code)
    if isinstance(error.extra, dict) and isinstance(error.extra.get("problem"), Problem):
        return respond(error.extra["problem"], status)
    if isinstance(error, ValidationException):
        return _respond_to_fields(error)
    if status is HTTPStatus.BAD_REQUEST:
        return respond(Problem(code="body-malformed", what=f"the body is not JSON: {error.detail}"), status)
    if status is HTTPStatus.NOT_FOUND:
        return respond(Problem(code="route-not-found", what="no such path", remedy="see /schema"), status)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        hidden = _of_the_body(error)
        return on_unexpected_error(request, error) if hidden is None else _refuse_fields(hidden)
    response = respond(Problem(code=status.phrase.lower().replace(" ", "-"), what=status.description), status)
    response.headers.update(error.headers or {})  # a 405 names the methods allowed
    return response


def on_recursion_error(_: Request[Any, Any, Any], error: RecursionError) -> Response[ProblemBody]:
    structlog.get_logger().warning("request_nested_too_deeply", **describe_error(error))
    return respond(Problem(code="body-malformed", what="the body is nested too deeply"), HTTPStatus.BAD_REQUEST)


def on_unexpected_error(_: Request[Any, Any, Any], error: Exception) -> Response[ProblemBody]:
    structlog.get_logger().error("request_failed_unexpectedly", **describe_error(error))
    problem = Problem(code="internal", what="an unexpected error", remedy="the server's log has its type and place")
    return respond(problem, HTTPStatus.INTERNAL_SERVER_ERROR)


HANDLERS: dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]] = {
    GraphsvcError: on_known_error,
    OntologyInvalid: on_ontology_invalid,
    HTTPException: on_http_exception,
    RecursionError: on_recursion_error,
    Exception: on_unexpected_error,
}


def _respond_to_fields(error: ValidationException) -> Response[ProblemBody]:
    """Litestar's list of complaints; one whose key is `data` speaks of the body as a whole."""
    complaints = [each for each in error.extra or () if isinstance(each, dict)]
    return _refuse_fields(
        [_field_problem(str(each.get("key", "")), str(each.get("message", ""))) for each in complaints], error.detail
    )


def _of_the_body(error: HTTPException) -> list[FieldProblem] | None:
    """The complaints about a body whose field bears the name of something routes are given.

    Litestar takes them for complaints about what it gave the route itself.
    """
    cause = error.__cause__.__cause__ if error.__cause__ is not None else None
    if not isinstance(cause, ValidationError):
        return None
    return [_field_problem(".".join(map(str, each["loc"])), each["msg"]) for each in cause.errors()]


def _refuse_fields(fields: Sequence[FieldProblem], otherwise: str = "") -> Response[ProblemBody]:
    first = fields[0] if fields else FieldProblem(where="", detail=otherwise)
    problem = Problem(code=FieldInvalid.code, what=first.detail, where=first.where, remedy="see /schema")
    return respond(problem, HTTPStatus.BAD_REQUEST, fields=tuple(fields))


def _field_problem(key: str, message: str) -> FieldProblem:
    if message == "'data'":
        return FieldProblem(where="body", detail="missing")
    detail = _PLAINER.get(message, message)
    return FieldProblem(where="body" if key in ("", "data") else key, detail=detail.removeprefix("Value error, "))
