"""What is checked before a route sees a request: the body's type and size, and the query's names.

A body is read here, at most up to the limit, and handed on whole; so a limit holds for a
streamed body too, and a body too large is never kept.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import Any

import structlog
from litestar import Request
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send

from graphsvc.errors import FieldInvalid
from graphsvc.interfaces.http.problems import refuse

BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})


class BodyGuard(ASGIMiddleware):
    """Lets JSON through, up to `limit` bytes; a body without a declared type is taken for JSON."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, limit: int) -> None:
        self._limit = limit

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] not in BODY_METHODS:
            await next_app(scope, receive, send)
            return
        headers = Headers.from_scope(scope)
        _check_type(headers.get("content-type", ""))
        if headers.get("content-length", "0").isdecimal() and int(headers.get("content-length", "0")) > self._limit:
            raise self._too_large()
        body = await self._read(receive)
        if body is not None:
            await next_app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body, or None when the client has gone; raises 413 beyond the limit."""
        body = bytearray()
        while True:
            message: Any = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self._limit:
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(body)

    def _too_large(self) -> HTTPException:
        remedy = "send fewer memories in one request"
        what = f"the body is larger than {self._limit} bytes"
        return refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body-too-large", what, where="body", remedy=remedy)


def _check_type(declared: str) -> None:
    media_type = declared.partition(";")[0].strip().lower()
    if media_type and media_type != "application/json" and not media_type.endswith("+json"):
        what, remedy = f"{media_type} is not read here", "send Content-Type: application/json"
        raise refuse(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media-type-unsupported", what, where="Content-Type", remedy=remedy
        )


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that yields the body once, then what the connection says."""
    pending: list[HTTPReceiveMessage] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return pending.pop() if pending else await receive()

    return replay


class AccessLog(ASGIMiddleware):
    """One event a request: method, route, status and time; neither query nor body."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        started = time.perf_counter()
        status = 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        try:
            await next_app(scope, receive, watch)
        except HTTPException as error:
            status = error.status_code
            raise
        finally:
            elapsed = round((time.perf_counter() - started) * 1000, 1)
            method = scope["method"] if scope["type"] == ScopeType.HTTP else ""
            route = scope.get("path_template", "")
            structlog.get_logger().info("request_served", method=method, route=route, status=status, ms=elapsed)


async def check_query(request: Request[Any, Any, Any]) -> None:
    """Refuse query parameters the route does not know, and those given twice; `opt["query"]` lists the known."""
    known = request.route_handler.opt.get("query", ())
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise FieldInvalid("unknown query parameter", where=name, remedy=f"known: {', '.join(known) or 'none'}")
        if name in seen:
            raise FieldInvalid("given more than once", where=name, remedy="give it once")
        seen.add(name)
