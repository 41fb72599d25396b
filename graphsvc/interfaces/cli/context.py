"""What commands share: their settings, the graph they open, and where they print.

Options given to a command win over those given before it, and both over the environment.
With `--json` a command prints one JSON document on standard output and nothing else there.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import click
from pydantic import BaseModel, TypeAdapter, ValidationError
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphsvc.errors import SettingsInvalid
from graphsvc.interfaces.logs import configure_logs
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.base import ShortText, read_moment
from graphsvc.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])

OPTIONS = ("store", "namespace", "encoder")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, and nothing else, on standard output.")


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the shared options, and the settings they make as its first argument."""

    @click.option("--store", metavar="URL", help="Where memories are kept.")
    @click.option("--namespace", help="Whose memories.")
    @click.option("--encoder", help="What turns text into vectors.")
    @click.pass_context
    @functools.wraps(command)
    def run(ctx: click.Context, /, **options: Any) -> None:
        outer = ctx.obj or {}
        given = {name: value for name in OPTIONS if (value := options.pop(name) or outer.get(name)) is not None}
        settings = read_settings(given)
        configure_logs("debug" if settings.log_level == "debug" else "warning", machine=False)
        command(settings, **options)

    return run


def read_settings(given: dict[str, object]) -> Settings:
    """The environment's settings with options over them; raises `SettingsInvalid` naming the option."""
    settings = Settings.from_environment()
    try:
        return Settings.model_validate({name: getattr(settings, name) for name in Settings.model_fields} | given)
    except ValidationError as error:
        first = error.errors()[0]
        where = f"--{str(first['loc'][0]).replace('_', '-')}"
        raise SettingsInvalid(first["msg"].removeprefix("Value error, "), where=where) from None


def acting(*, reason: str | None = None) -> Act:
    """Who acts and why, by `--actor` and `--reason` before the command; a command's own reason goes first."""
    outer = click.get_current_context().obj or {}
    given = {"actor": outer.get("actor") or LOCAL.actor, "reason": reason or outer.get("reason")}
    try:
        return Act.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise click.UsageError(f"--{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}") from None


def open_graph(settings: Settings, *, rebind: bool = False) -> MemoryGraph:
    """The graph of the settings; with `rebind` also one that another encoder wrote, to be re-indexed."""
    return MemoryGraph.open(settings.store, settings=settings, rebind=rebind)


def stdout_console() -> Console:
    """Standard output as it is now; colours only on a terminal."""
    return Console(file=sys.stdout, highlight=False)


def print_drawn(drawn: RenderableType) -> None:
    """Print what was drawn; a pipe gets neither colours nor the blanks that fill a line up."""
    console = stdout_console()
    if console.is_terminal:
        console.print(drawn)
        return
    with console.capture() as captured:
        console.print(drawn)
    click.echo("\n".join(line.rstrip() for line in captured.get().split("\n")), nl=False)


def print_json(data: object) -> None:
    """One JSON document, records in it too; NaN and infinity are refused rather than printed."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False, default=_dumped))


def print_found(found: object, drawn: RenderableType, *, as_json: bool) -> None:
    """What a command found: as JSON where that was asked for, else as it is drawn."""
    if as_json:
        print_json(found)
    else:
        print_drawn(drawn)


def _dumped(data: object) -> object:
    if isinstance(data, BaseModel):
        return data.model_dump(mode="json")
    raise TypeError(f"no JSON of {type(data).__name__}")


@contextmanager
def progress_bar(description: str, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error while it is a terminal; yields what advances it, else None."""
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(description, total=total)
        yield lambda done: progress.advance(task, done)


class Name(click.ParamType[str]):
    """A name or an id: some text, and not much of it."""

    name = "id"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return TypeAdapter[str](ShortText).validate_python(value)
        except ValidationError as error:
            self.fail(error.errors()[0]["msg"].removeprefix("Value error, "), param, ctx)


class Moment(click.ParamType[datetime]):
    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            return read_moment(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
