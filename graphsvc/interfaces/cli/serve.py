"""`graphsvc serve`: the HTTP service over one store."""

from __future__ import annotations

from typing import Any

import click

from graphsvc.interfaces.cli.context import open_graph, with_settings
from graphsvc.interfaces.http import server
from graphsvc.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@click.command()
@click.option("--host", help="The address to listen on.  [GRAPHSVC_HOST]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 takes a free one.  [GRAPHSVC_PORT]")
@with_settings
def serve(settings: Settings, **options: Any) -> None:
    """Run the HTTP service."""
    host = options["host"] or settings.host
    port = settings.port if options["port"] is None else options["port"]
    with server.bind(host, port) as listener, open_graph(settings) as graph:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}"
        if host not in LOOPBACK:
            click.echo(f"warning: whoever reaches {address} can read and write every memory; it asks no key", err=True)

        def announce() -> None:
            click.echo(f"listening on {address} (API description: {address}/schema; Ctrl-C stops)", err=True)

        graph.warm_up()
        server.serve(graph, settings, listener=listener, on_ready=announce)
