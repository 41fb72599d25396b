"""`graphsvc delete`, `stats` and `reindex`: looking after a store."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.table import Table

from graphsvc.errors import ScopeMissing
from graphsvc.interfaces.cli.context import (
    acting,
    json_option,
    open_graph,
    print_json,
    progress_bar,
    stdout_console,
    with_settings,
)
from graphsvc.interfaces.scope import Scope
from graphsvc.interfaces.where import parse_where
from graphsvc.settings import Settings


@click.command()
@click.argument("memory_ids", nargs=-1, metavar="[ID]...")
@click.option("--where", metavar="JSON", help='What matches this filter; {"all": []} empties the namespace.')
@click.option("--file", metavar="NAME", help="All fragments of this document.")
@click.option("--conversation", metavar="ID", help="All of this conversation.")
@click.option(
    "--person", metavar="WHO", help="All this person took part in or is named in: name, address or entity id."
)
@click.option("--yes", is_flag=True, help="Do not ask before deleting more than what is named by id.")
@json_option
@with_settings
def delete(
    settings: Settings,
    *,
    memory_ids: tuple[str, ...],
    where: str | None,
    file: str | None,
    conversation: str | None,
    person: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete memories by id, by filter, or all of a document, a conversation or a person.

    What hangs on them, vectors, words and edges, goes with them; what they had overturned stands again. The journal
    keeps what they said until `graphsvc purge`.
    """
    scope = Scope(None if where is None else parse_where(where, where="--where"), file, conversation, person)
    by, namespace = acting(), settings.namespace
    if bool(memory_ids) == (scope != Scope()):
        raise ScopeMissing(
            "ids and another scope together" if memory_ids else "nothing says what to delete",
            where="delete",
            remedy="name one or more IDs, or give one of --where, --file, --conversation, --person",
        )
    if not memory_ids and not yes and not as_json and sys.stdin.isatty():
        click.confirm(f"Delete all of that in namespace {namespace!r}?", abort=True, err=True)
    with open_graph(settings) as graph:
        for memory_id in memory_ids:
            graph.delete(memory_id, namespace=namespace, by=by)
        ids = list(memory_ids) if memory_ids else scope.delete(graph, namespace, by)
    if as_json:
        print_json({"ids": ids, "count": len(ids)})
    else:
        stdout_console().print(f"{len(ids)} deleted")


@click.command()
@json_option
@with_settings
def stats(settings: Settings, *, as_json: bool) -> None:
    """Show what the store holds."""
    with open_graph(settings) as graph:
        found = graph.stats().model_dump(mode="json")
    if as_json:
        print_json(found)
        return
    table = Table(show_header=False)
    for name, value in _flatten(found):
        table.add_row(name, value)
    stdout_console().print(table)


@click.command()
@json_option
@with_settings
def reindex(settings: Settings, *, as_json: bool) -> None:
    """Encode every memory again with the present encoder."""
    with open_graph(settings, rebind=True) as graph, progress_bar("encoding", None) as advance:
        count = graph.reindex(on_progress=advance)
    if as_json:
        print_json({"reindexed": count})
    else:
        stdout_console().print(f"{count} encoded again")


def _flatten(data: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, value in data.items():
        if isinstance(value, dict):
            rows += _flatten(value, f"{prefix}{name}.")
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            rows.append((prefix + name, "–" if shown in (None, "") else str(shown)))
    return rows
