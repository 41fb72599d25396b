"""A local server that answers each POST by the next line of a script, and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.contract.serving import serving


@dataclass(frozen=True)
class Reply:
    """`wait_s` before the first byte; `drip_s` between the bytes of the head, which never ends."""

    body: bytes = b""
    status: int = 200
    wait_s: float = 0.0
    drip_s: float = 0.0
    encoding: str = "identity"


@dataclass
class Script:
    """The last reply is given for ever."""

    replies: list[Reply] = field(default_factory=lambda: [Reply()])
    url: str = ""
    seen: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def says(self, *replies: Reply | bytes) -> None:
        self.replies = [one if isinstance(one, Reply) else Reply(one) for one in replies]


@contextmanager
def scripted() -> Iterator[Script]:
    script, over = Script(), threading.Event()

    def post(handler: BaseHTTPRequestHandler) -> None:
        script.seen.append(json.loads(handler.rfile.read(int(handler.headers["Content-Length"]))))
        script.headers.append(dict(handler.headers))
        script.paths.append(handler.path)
        reply = script.replies[0] if len(script.replies) == 1 else script.replies.pop(0)
        try:
            _send(handler, reply, over)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True

    with serving(post) as script.url:
        yield script
        over.set()


def _send(handler: BaseHTTPRequestHandler, reply: Reply, over: threading.Event) -> None:
    over.wait(reply.wait_s)
    if reply.drip_s:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not over.wait(reply.drip_s):
            handler.wfile.write(b"x")
            handler.wfile.flush()
        handler.close_connection = True
        return
    handler.send_response(reply.status)
    handler.send_header("Content-Encoding", reply.encoding)
    handler.send_header("Content-Length", str(len(reply.body)))
    handler.end_headers()
    handler.wfile.write(reply.body)
