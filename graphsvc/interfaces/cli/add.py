"""`graphsvc add`: from files, standard input or the command line to one result an item.

An item that fails is named with its file and line; the others are kept, and the exit code is 1.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from graphsvc.errors import FieldInvalid, InputError, TextRefused
from graphsvc.ingest.validate import problem
from graphsvc.interfaces.cli.context import (
    Moment,
    acting,
    json_option,
    open_graph,
    print_json,
    progress_bar,
    stdout_console,
    with_settings,
)
from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.interfaces.cli.reading import FORMATS, Batch, read_source
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import Confidence, ItemResult, ItemStatus
from graphsvc.settings import Settings


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--text", "texts", multiple=True, help="A memory given here; may be repeated.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="auto", show_default=True)
@click.option("--conversation", metavar="ID", help="The conversation the messages belong to (chat: the file's name).")
@click.option("--id", "memory_id", metavar="ID", help="With one --text: its id.")
@click.option("--event-time", type=Moment(), help="With --text: when it was said or happened, ISO 8601 with offset.")
@click.option("--sender", help="With --text: who said it.")
@click.option("--recipient", "recipients", multiple=True, help="With --text: to whom; may be repeated.")
@click.option("--cc", multiple=True, help="With --text: who had a copy; may be repeated.")
@click.option("--document-type", help="With --text: email, contract, note…")
@click.option("--confidence", type=click.Choice([level.value for level in Confidence]), help="With --text.")
@json_option
@with_settings
def add(
    settings: Settings,
    *,
    files: tuple[str, ...],
    texts: tuple[str, ...],
    format_: str,
    conversation: str | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Add memories from files, standard input or the command line.

    FILE is JSON lines (one memory a line), a chat (messages of role, name, content and time, as a JSON list or as
    JSON lines) or plain text; "-" is standard input. The same memory again is left unchanged.
    """
    if not files and not texts:
        raise click.UsageError("nothing to add: name a FILE, '-' for standard input, or --text")
    if not texts and any(value not in (None, ()) for value in fields.values()):
        raise click.UsageError("--id, --event-time, --sender and their like go with --text")
    batches = [_given_texts(texts, conversation, **fields)] if texts else []
    told = _read_all(files, format_, conversation, batches)
    with open_graph(settings) as graph:
        for batch in batches:
            told += _add(batch, graph, settings.namespace)
    _report(told, as_json=as_json)
    if any(result["status"] == ItemStatus.FAILED for result in told):
        raise SystemExit(1)


def _read_all(
    files: tuple[str, ...], format_: str, conversation: str | None, batches: list[Batch]
) -> list[dict[str, Any]]:
    """Append what can be read to the batches; the rest come back as told failures, or raise when nothing is left."""
    errors: list[FieldInvalid] = []
    for name in files:
        try:
            batches.append(read_source(name, format_, conversation))
        except FieldInvalid as error:
            errors.append(error)
    if errors and not batches:
        raise errors[0]
    return [_failure(error.where, error) for error in errors]


def _failure(name: str, error: InputError) -> dict[str, Any]:
    """A source that failed as a whole."""
    told = {"file": name, "line": None, "status": ItemStatus.FAILED, "id": None}
    return {**told, "near_duplicate_of": None, "overturns": [], "error": problem(error).model_dump()}


def _given_texts(
    texts: tuple[str, ...],
    conversation: str | None,
    *,
    memory_id: str | None,
    event_time: datetime | None,
    confidence: str | None,
    **fields: object,
) -> Batch:
    if memory_id is not None and len(texts) > 1:
        raise click.UsageError("--id goes with one --text")
    shared = {"conversation_id": conversation, "event_time": event_time, "confidence_level": confidence, **fields}
    given = {name: value for name, value in shared.items() if value not in (None, ())}
    if memory_id is not None:
        given["id"] = memory_id
    return Batch("--text", "jsonl", tuple({"text": text, **given} for text in texts))


def _add(batch: Batch, graph: MemoryGraph, namespace: str) -> list[dict[str, Any]]:
    total = None if batch.format == "text" else len(batch.items)
    try:
        with progress_bar(f"adding {batch.name}", total) as advance:
            results = _send(batch, graph, namespace, advance)
    except TextRefused as error:
        return [_failure(batch.name, error)]
    return [_tell(result, batch) for result in results]


def _send(batch: Batch, graph: MemoryGraph, namespace: str, advance: Callable[[int], None] | None) -> list[ItemResult]:
    if batch.format == "text":
        file = None if batch.name == "-" else Path(batch.name).name
        return graph.add_text(str(batch.items[0]), file=file, namespace=namespace, on_progress=advance, by=acting())
    if batch.format == "chat":
        conversation = batch.conversation or ""
        return graph.add_chat(
            batch.items,  # type: ignore[arg-type]  # checked item by item
            conversation_id=conversation,
            namespace=namespace,
            on_progress=advance,
            by=acting(),
        )
    return graph.add(batch.items, namespace=namespace, on_progress=advance, by=acting())


def _tell(result: ItemResult, batch: Batch) -> dict[str, Any]:
    """A result with its file and line; a line that could not be read keeps the reader's own complaint."""
    error = batch.broken.get(result.index, result.error)
    line = batch.lines[result.index] if batch.lines else None
    told = {"file": batch.name, "line": line, "status": result.status, "id": result.id}
    found = {"near_duplicate_of": result.near_duplicate_of, "overturns": list(result.overturns)}
    return {**told, **found, "error": error.model_dump() if error else None}


def _report(told: list[dict[str, Any]], *, as_json: bool) -> None:
    counts = {status.value: sum(one["status"] == status for one in told) for status in ItemStatus}
    if as_json:
        print_json({**counts, "items": told})
        return
    for one in told:
        if one["error"]:
            click.echo(f"error: {_place(one)}: {_complaint(one['error'])}", err=True)
        if one["overturns"]:
            stdout_console().print(Prose(plain(f"{one['id']} overturns {', '.join(one['overturns'])}")))
        if one["near_duplicate_of"]:
            stdout_console().print(Prose(plain(f"{one['id']} says nearly the same as {one['near_duplicate_of']}")))
    stdout_console().print(", ".join(f"{count} {status}" for status, count in counts.items()))


def _place(one: dict[str, Any]) -> str:
    return f"{one['file']}, line {one['line']}" if one["line"] is not None else str(one["file"])


def _complaint(error: dict[str, str]) -> str:
    """What, where in the item, and what to do; the item itself is named already."""
    head, _, inside = error["where"].partition(", ")
    where = inside if head.startswith(("item ", "line ", "message ")) else error["where"]
    return " / ".join(part for part in (error["what"], where, error["remedy"]) if part)
