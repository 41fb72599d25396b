"""`graphsvc aliases`: who goes by which names, who was made one with whom, and who might be.

A change names its author with --by; nothing is ever joined by likeness alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table

from graphsvc.errors import FieldInvalid
from graphsvc.ingest.resolve.table import TableFormat
from graphsvc.interfaces.cli.context import acting, json_option, open_graph, print_json, stdout_console, with_settings
from graphsvc.interfaces.cli.prose import plain
from graphsvc.models.base import Record
from graphsvc.models.identity import Merge, MergeRule
from graphsvc.settings import Settings

_FORMATS = tuple(one.value for one in TableFormat)
by_option = click.option("--by", metavar="NAME", help="Who says so, for the record; --actor when absent.")
format_option = click.option(
    "--format", "format_", type=click.Choice(_FORMATS), help="toml or csv; by the file's suffix when absent."
)


@click.group()
def aliases() -> None:
    """Edit who goes by which names; see, make and undo merges."""


@aliases.command("list")
@click.option("--of", metavar="WHO", help="Only of this one: an entity id, an address or a name.")
@json_option
@with_settings
def list_(settings: Settings, *, of: str | None, as_json: bool) -> None:
    """List the table of aliases."""
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).aliases(of)
    rows = [(one.alias, one.entity, one.merge or "", one.added_by) for one in found]
    _print(found, ("alias", "of", "merge", "by"), rows, as_json=as_json)


@aliases.command("add")
@click.argument("alias")
@click.option("--of", required=True, metavar="WHO", help="Whose it is: an entity id, an address or a name.")
@by_option
@json_option
@with_settings
def add_(settings: Settings, *, alias: str, of: str, by: str | None, as_json: bool) -> None:
    """Add an alias: a name, a title, or another address, which joins the two."""
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).add(
            alias, of=of, by=acting().actor if by is None else by
        )
    _tell(found, f"{found.alias} is {found.entity}", as_json=as_json)


@aliases.command("remove")
@click.argument("alias")
@click.option("--of", required=True, metavar="WHO", help="Whose it is.")
@by_option
@json_option
@with_settings
def remove(settings: Settings, *, alias: str, of: str, by: str | None, as_json: bool) -> None:
    """Remove an alias, and undo the merge it made."""
    with open_graph(settings) as graph:
        count = graph.identities(namespace=settings.namespace).remove(
            alias, of=of, by=acting().actor if by is None else by
        )
    if as_json:
        print_json({"alias": alias, "count": count})
    else:
        stdout_console().print(plain(f"{alias} is no alias of {of} any more"))


@aliases.command("import")
@click.argument("file", metavar="FILE")
@format_option
@by_option
@json_option
@with_settings
def import_(settings: Settings, *, file: str, format_: str | None, by: str | None, as_json: bool) -> None:
    """Add every row of a TOML or CSV file ("-" for standard input), or none when one is refused."""
    text = _read(file)
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).load(
            text, _format(file, format_), by=acting().actor if by is None else by
        )
    rows = [(one.alias, one.entity) for one in found]
    _print(found, ("alias", "of"), rows, as_json=as_json)


@aliases.command("export")
@format_option
@with_settings
def export(settings: Settings, *, format_: str | None) -> None:
    """Print the table as a file that `import` reads back."""
    with open_graph(settings) as graph:
        text = graph.identities(namespace=settings.namespace).dump(TableFormat(format_ or TableFormat.TOML))
    click.echo(text, nl=False)


@aliases.command("candidates")
@click.option("--of", metavar="WHO", help="Only those of this one.")
@click.option("--at-least", type=click.FloatRange(0, 1), default=0.0, help="Only from this score on.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True)
@json_option
@with_settings
def candidates(settings: Settings, *, of: str | None, at_least: float, limit: int, as_json: bool) -> None:
    """List who might be one with whom, and why; `merge` accepts a pair."""
    with open_graph(settings) as graph:
        book = graph.identities(namespace=settings.namespace)
        found = book.candidates(of=of, at_least=at_least, limit=limit)
    rows = [(f"{one.score:.2f}", one.left.entity, one.right.entity, one.reason) for one in found]
    _print(found, ("score", "one", "other", "why"), rows, as_json=as_json)


@aliases.command("merge")
@click.argument("kept")
@click.argument("joined")
@click.option("--reason", default="", help="Why they are one.")
@click.option("--candidate", is_flag=True, help="For the record: this accepts a candidate.")
@by_option
@json_option
@with_settings
def merge(
    settings: Settings, *, kept: str, joined: str, reason: str, candidate: bool, by: str | None, as_json: bool
) -> None:
    """Make JOINED one with KEPT; each is an entity id, an address or a name."""
    rule = MergeRule.CANDIDATE if candidate else MergeRule.USER
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).merge(
            kept, joined, by=acting().actor if by is None else by, reason=reason, rule=rule
        )
    _tell(found, f"{found.id}: {found.joined} is one with {found.kept}", as_json=as_json)


@aliases.command("merges")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True)
@click.option("--before", metavar="ID", help="Only those older than this one.")
@json_option
@with_settings
def merges(settings: Settings, *, limit: int, before: str | None, as_json: bool) -> None:
    """List merges, newest first, undone ones too."""
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).merges(limit=limit, before=before)
    rows = [(one.id, one.kept, one.joined, one.rule, one.reason, one.made_by, _state(one)) for one in found]
    _print(found, ("id", "kept", "joined", "rule", "reason", "by", "state"), rows, as_json=as_json)


@aliases.command("undo")
@click.argument("merge_id", metavar="ID")
@by_option
@json_option
@with_settings
def undo(settings: Settings, *, merge_id: str, by: str | None, as_json: bool) -> None:
    """Take one merge back: both are again what they were."""
    with open_graph(settings) as graph:
        found = graph.identities(namespace=settings.namespace).undo(merge_id, by=acting().actor if by is None else by)
    _tell(found, f"{found.id} undone: {found.joined} and {found.kept} are apart", as_json=as_json)


def _state(one: Merge) -> str:
    return "in force" if one.undone_at is None else f"undone by {one.undone_by}"


def _print(found: Sequence[Record], head: Sequence[str], rows: Sequence[Sequence[str]], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    table = Table(*head)
    for row in rows:
        table.add_row(*map(plain, row))
    stdout_console().print(table if rows else plain("none"))


def _tell(found: Record, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        stdout_console().print(plain(text))


def _format(file: str, given: str | None) -> TableFormat:
    suffix = Path(file).suffix.lower().removeprefix(".")
    if given is None and suffix not in _FORMATS:
        raise FieldInvalid("neither .toml nor .csv", where=file, remedy="say which with --format")
    return TableFormat(given or suffix)


def _read(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FieldInvalid(f"not UTF-8 at byte {error.start}", where=file, remedy="save the file as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FieldInvalid(reason, where=file, remedy="name a readable file, or '-' for standard input") from None
