"""`graphsvc purge`, `consolidate`, `expire` and `relink`: the jobs of upkeep."""

from __future__ import annotations

import sys

import click

from graphsvc.interfaces.cli.context import (
    acting,
    json_option,
    open_graph,
    print_drawn,
    print_found,
    print_json,
    progress_bar,
    with_settings,
)
from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.interfaces.cli.records import groups_view
from graphsvc.settings import Settings


@click.command()
@click.option("--all-namespaces", is_flag=True, help="Not of this namespace alone.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@with_settings
def purge(settings: Settings, *, all_namespaces: bool, yes: bool, as_json: bool) -> None:
    """Remove for good what deleted memories left behind.

    Journal and traces keep what a deleted memory said; after a purge no file of the store holds a byte of it. The
    journal's entries stay, without their contents, and its chain still holds.
    """
    what = "all namespaces" if all_namespaces else f"namespace {settings.namespace!r}"
    _ask(f"Remove for good what was deleted in {what}?", yes=yes)
    with open_graph(settings) as graph, progress_bar("purging", None):
        found = graph.purge(namespace=None if all_namespaces else settings.namespace, by=acting())
    told = f"{found.memories} memories, {found.journal_contents} contents of the journal and {found.traces} traces"
    print_found(found, Prose(plain(f"purged: {told}")), as_json=as_json)


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be merged, as without --yes.")
@click.option("--yes", is_flag=True, help="Merge.")
@json_option
@with_settings
def consolidate(settings: Settings, *, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Merge memories that say the same; a dry run unless told otherwise.

    One of each group stays for all, and all their sources are kept.
    """
    if dry_run and yes:
        raise click.UsageError("--dry-run and --yes together")
    with open_graph(settings) as graph:
        planned = graph.keeping.repeats(settings.namespace)
        done = graph.keeping.consolidate(planned, by=acting()) if yes else None
    groups = planned.groups if done is None else done.done
    passed_over = () if done is None else done.passed_over
    if as_json:
        print_json({"dry_run": done is None, "groups": groups, "passed_over": passed_over})
        return
    print_drawn(groups_view(groups))
    if passed_over:
        print_drawn(Prose(plain(f"{len(passed_over)} groups changed in the meantime and were passed over", "yellow")))
    if done is None and groups:
        click.echo("nothing was written; --yes merges", err=True)


@click.command()
@json_option
@with_settings
def expire(settings: Settings, *, as_json: bool) -> None:
    """Delete the memories whose time has run out.

    They were found no more before; their `expires_at` has passed.
    """
    with open_graph(settings) as graph:
        ids = graph.keeping.expire(settings.namespace, by=acting())
    print_found({"ids": ids, "count": len(ids)}, plain(f"{len(ids)} expired"), as_json=as_json)


@click.command()
@json_option
@with_settings
def relink(settings: Settings, *, as_json: bool) -> None:
    """Find again, among all memories, what changes what.

    As after an upgrade; what was told by hand with `supersede` stays.
    """
    with open_graph(settings) as graph:
        total = graph.stats().namespaces.get(settings.namespace, 0)
        with progress_bar("relating", total) as advance:
            changed = graph.relink(namespace=settings.namespace, by=acting(), on_progress=advance)
    print_found({"changed": changed}, plain(f"{changed} edges and standings changed"), as_json=as_json)


def _ask(question: str, *, yes: bool) -> None:
    """Go on only with a yes; where nobody can be asked, only with --yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("it cannot be undone; say --yes")
    click.confirm(question, abort=True, err=True)
