"""`graphsvc webhooks`: who is told of answers that fall, and what became of the notices."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.table import Table

from graphsvc.interfaces.cli.context import json_option, open_graph, print_drawn, print_found, print_json, with_settings
from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.interfaces.cli.records import moment
from graphsvc.models.audit import DeliveryState
from graphsvc.settings import Settings


@click.group()
def webhooks() -> None:
    """Say who is told of answers that fall, and see what became of the notices.

    `graphsvc serve` delivers them; what falls while it does not run is told when it starts.
    """


@webhooks.command("add")
@click.argument("url")
@json_option
@with_settings
def add_(settings: Settings, *, url: str, as_json: bool) -> None:
    """Have answers that fall told to URL; the secret that signs the notices is shown this once."""
    with open_graph(settings) as graph:
        made = graph.audit.subscribe(settings.namespace, url)
    if as_json:
        print_json(made)
        return
    print_drawn(Prose(plain(f"{made.id} tells {made.url}")))
    # Alone on its line, to be copied whole.
    click.echo(made.secret)
    click.echo("This secret signs the notices, and is shown this once.", err=True)


@webhooks.command("list")
@json_option
@with_settings
def list_(settings: Settings, *, as_json: bool) -> None:
    """List who is told."""
    with open_graph(settings) as graph:
        found = graph.audit.subscriptions(settings.namespace)
    if as_json:
        print_json(found)
        return
    rows = [(one.id, one.url, moment(one.created_at)) for one in found]
    _print(("id", "address", "since"), rows)


@webhooks.command("remove")
@click.argument("webhook_id", metavar="ID")
@json_option
@with_settings
def remove(settings: Settings, *, webhook_id: str, as_json: bool) -> None:
    """Tell that address nothing more, not even what waits for it."""
    with open_graph(settings) as graph:
        graph.audit.unsubscribe(settings.namespace, webhook_id)
    print_found({"removed": webhook_id}, Prose(plain(f"{webhook_id} is told nothing more")), as_json=as_json)


@webhooks.command("deliveries")
@click.option("--state", type=click.Choice([one.value for one in DeliveryState]), help="Only those.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="At most so many.")
@json_option
@with_settings
def deliveries(settings: Settings, *, state: str | None, limit: int, as_json: bool) -> None:
    """List notices, newest first; dead ones were given up."""
    wanted = None if state is None else DeliveryState(state)
    with open_graph(settings) as graph:
        found = graph.audit.deliveries(settings.namespace, state=wanted, limit=limit)
    if as_json:
        print_json(found)
        return
    rows = [
        (one.subscription, one.trace_id, one.state.value, str(one.attempts), _status(one.status), moment(one.due_at))
        for one in found
    ]
    _print(("webhook", "trace", "state", "tries", "status", "due"), rows)


def _status(status: int | None) -> str:
    return "–" if status is None else "no answer" if status == 0 else str(status)


def _print(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = Table()
    for name in head:
        # Ids and addresses have no blanks to break at.
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(plain, row))
    print_drawn(table if rows else plain("none"))
