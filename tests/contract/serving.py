"""A local HTTP server for one test: how it answers a POST is the test's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(post: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """The server's address, for as long as it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            post(self)

        def log_message(self, *_args: object) -> None:
            """Keep the test output clean."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}"
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
