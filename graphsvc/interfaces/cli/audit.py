"""`graphsvc audit`, `overturned` and `replay`: what was done, what has fallen, and how an answer came about."""

from __future__ import annotations

from datetime import datetime

import click

from graphsvc.interfaces.cli.context import (
    OPTIONS,
    Moment,
    json_option,
    open_graph,
    print_found,
    with_settings,
)
from graphsvc.interfaces.cli.records import fallen_view, journal_view, replay_view, verified_view
from graphsvc.interfaces.verified import Verified
from graphsvc.models.audit import Action
from graphsvc.settings import Settings

limit_option = click.option(
    "--limit", type=click.IntRange(1, 1000), default=100, show_default=True, help="At most so many."
)


@click.group(invoke_without_command=True)
@click.option("--subject", metavar="ID", help="Only of this memory or trace.")
@click.option(
    "--action", "actions", type=click.Choice([one.value for one in Action]), multiple=True, help="Only these."
)
@click.option("--operation", metavar="ID", help="Only of this one call.")
@click.option("--since", type=Moment(), help="From this moment on, ISO 8601 with offset.")
@click.option("--until", type=Moment(), help="Before this moment.")
@limit_option
@click.option("--after", metavar="CURSOR", help="The page after the one that named this.")
@json_option
@with_settings
def audit(
    settings: Settings,
    *,
    subject: str | None,
    actions: tuple[str, ...],
    operation: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    after: str | None,
    as_json: bool,
) -> None:
    """Read the journal, or verify that nobody tampered with it.

    The journal is a namespace's, oldest entry first: who did what, when, to what, before and after, and why.
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        # What stood before the subcommand holds for it.
        ctx.obj = (ctx.obj or {}) | {name: getattr(settings, name) for name in OPTIONS}
        return
    with open_graph(settings) as graph:
        page = graph.audit.read(
            settings.namespace,
            subject=subject,
            actions=tuple(map(Action, actions)),
            operation=operation,
            since=since,
            until=until,
            limit=limit,
            after=after,
        )
    print_found(
        {"entries": page.entries, "after": page.after}, journal_view(page.entries, after=page.after), as_json=as_json
    )


@audit.command()
@json_option
@with_settings
def verify(settings: Settings, *, as_json: bool) -> None:
    """Read every chain of the store from its beginning; exit code 1 when one does not hold.

    Keep the heads elsewhere: who can rewrite the whole store can rewrite its journal, and only a head kept tells.
    """
    with open_graph(settings) as graph:
        found = Verified.of(graph.audit.verify())
    print_found(found, verified_view(found), as_json=as_json)
    if not found.holds:
        raise SystemExit(1)


@click.command()
@click.option("--after", metavar="CURSOR", help="Only what is newer than the page that named this.")
@limit_option
@json_option
@with_settings
def overturned(settings: Settings, *, after: str | None, limit: int, as_json: bool) -> None:
    """List earlier answers that have fallen since.

    What they rested on was superseded, corrected or taken back. With --after only what came since is listed.
    """
    with open_graph(settings) as graph:
        page = graph.audit.overturned(settings.namespace, after=after, limit=limit)
    print_found(
        {"answers": page.answers, "after": page.after}, fallen_view(page.answers, after=page.after), as_json=as_json
    )


@click.command()
@click.argument("trace_id", metavar="TRACE_ID")
@json_option
@with_settings
def replay(settings: Settings, *, trace_id: str, as_json: bool) -> None:
    """Run an earlier search or answer again, on what was known then and on what is known now.

    What is otherwise now is told in words. Nothing is written, and no language model is asked.
    """
    with open_graph(settings) as graph:
        found = graph.audit.replay(settings.namespace, trace_id)
    print_found(found, replay_view(found), as_json=as_json)
