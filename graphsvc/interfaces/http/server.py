"""Run the application with uvicorn on a socket of our own, until a signal asks it to stop.

The socket is bound first: a taken port is a plain error, and port 0 has a number to print.
SIGTERM and SIGINT end requests in flight, close the graph and leave with exit code 0.
"""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from graphsvc.errors import SettingsInvalid
from graphsvc.interfaces.http.app import create_app
from graphsvc.interfaces.logs import ForwardToStructlog, configure_logs
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

GRACE_S = 20


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; raises `SettingsInvalid` when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "choose another with --host and --port"
        raise SettingsInvalid(reason, where=f"{host}:{port}", remedy=remedy) from None


def serve(graph: MemoryGraph, settings: Settings, *, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until a signal; `on_ready` is called once requests are accepted."""
    configure_logs(settings.log_level, machine=True)
    _forward_uvicorn_log()
    config = uvicorn.Config(
        create_app(graph, settings),
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    # uvicorn raises a signal again once it has shut down: that is where this handler leaves cleanly.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    _Server(config, on_ready).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _forward_uvicorn_log() -> None:
    log = logging.getLogger("uvicorn")
    log.handlers = [ForwardToStructlog()]
    log.propagate = False
    log.setLevel(logging.WARNING)
