"""`graphsvc update`, `history`, `supersede` and `falsify`: change a memory, or what holds, and see what that did."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import click

from graphsvc.errors import FieldInvalid
from graphsvc.interfaces.cli.context import (
    acting,
    json_option,
    open_graph,
    print_drawn,
    print_found,
    print_json,
    with_settings,
)
from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.interfaces.cli.records import fallen_view, history_view, moment
from graphsvc.models.audit import OverturnedAnswer
from graphsvc.models.change import OVERTURNING, ChangeKind
from graphsvc.settings import Settings

# Fields whose values are no text; they are given as JSON.
JSON_FIELDS = frozenset({"source", "recipients", "cc", "level", "derived_from", "metadata"})


@click.command()
@click.argument("memory_id", metavar="ID")
@click.option("--set", "given", multiple=True, required=True, metavar="FIELD=VALUE", help="May be repeated.")
@click.option("--revision", type=click.IntRange(min=1), help="Only if that is the revision stored.")
@json_option
@with_settings
def update(settings: Settings, *, memory_id: str, given: tuple[str, ...], revision: int | None, as_json: bool) -> None:
    """Change fields of a memory, as a new revision of it.

    FIELD is text, event_time, sender, valid_to and so on; nothing after "=" empties one that may be empty. Lists,
    numbers and objects are JSON: --set 'recipients=["mei@acme.example"]'. What follows from the fields is found anew.
    """
    fields = _read_fields(given)
    with open_graph(settings) as graph:
        memory = graph.update(memory_id, fields, namespace=settings.namespace, revision=revision, by=acting())
    print_found(memory, Prose(plain(f"{memory.id} is at revision {memory.revision}")), as_json=as_json)


@click.command()
@click.argument("memory_id", metavar="ID")
@json_option
@with_settings
def history(settings: Settings, *, memory_id: str, as_json: bool) -> None:
    """Show all that happened to a memory.

    One that was deleted too: what it said stays in the journal until a purge.
    """
    with open_graph(settings) as graph:
        rows = graph.audit.history(settings.namespace, memory_id)
    print_found(rows, history_view(rows), as_json=as_json)


@click.command()
@click.argument("later")
@click.argument("earlier")
@click.option(
    "--kind",
    type=click.Choice(sorted(kind.value for kind in OVERTURNING)),
    default=ChangeKind.SUPERSEDES.value,
    show_default=True,
    help="With a newer value, by taking it back, or by setting it right.",
)
@json_option
@with_settings
def supersede(settings: Settings, *, later: str, earlier: str, kind: str, as_json: bool) -> None:
    """Say that one memory overturns another.

    LATER and EARLIER are ids. Refused where the two would replace each other, or where another memory replaces the
    earlier one already.
    """
    with open_graph(settings) as graph:
        found = graph.supersede(later, earlier, kind=ChangeKind(kind), namespace=settings.namespace, by=acting())
    if as_json:
        print_json(found)
        return
    change = found.change
    print_drawn(Prose(plain(f"{change.later} {change.kind.value} {change.earlier} since {moment(change.since)}")))
    _tell_fallen(found.overturned)


@click.command()
@click.argument("memory_id", metavar="ID")
@click.option("--reason", help="Why it is no longer to be believed.")
@json_option
@with_settings
def falsify(settings: Settings, *, memory_id: str, reason: str | None, as_json: bool) -> None:
    """Take a memory back, and see which answers fell with it.

    It stays, marked as retracted; what was derived from it, and the answers that rested on either, fall.
    """
    by = acting(reason=reason)
    if by.reason is None:
        raise click.UsageError("say why with --reason")
    with open_graph(settings) as graph:
        found = graph.audit.falsify(settings.namespace, memory_id, by.reason, by=by)
    if as_json:
        print_json({"overturned": found})
        return
    print_drawn(Prose(plain(f"{memory_id} is taken back")))
    _tell_fallen(found)


def _tell_fallen(answers: Sequence[OverturnedAnswer]) -> None:
    if answers:
        print_drawn(Prose(plain("answers that fell with it:")))
        print_drawn(fallen_view(answers))


def _read_fields(given: Iterable[str]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or not name:
            raise click.UsageError(f"--set takes FIELD=VALUE, not {one!r}")
        if name in fields:
            raise click.UsageError(f"--set gives {name} twice")
        fields[name] = _read_value(name, value)
    return fields


def _read_value(name: str, value: str) -> object:
    if name in JSON_FIELDS and value:
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise FieldInvalid(f"not JSON: {error}", where=f"--set {name}") from None
    if value or name in {"text", "event_time"}:
        return value
    return {} if name == "metadata" else [] if name in {"recipients", "cc", "derived_from"} else None
