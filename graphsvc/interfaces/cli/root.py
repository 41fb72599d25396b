"""The command group: which commands there are, and how a failure is told.

Our own errors become `error: what / where / what to do` on standard error and exit code 2;
nothing a caller can meet ends in a traceback.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from graphsvc.errors import GraphsvcError
from graphsvc.version import installed_version
from ontology.errors import OntologyInvalid

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130


class Entry(NamedTuple):
    module: str
    summary: str


COMMANDS: Mapping[str, Entry] = {
    "add": Entry("add", "Add memories from files, standard input or the command line."),
    "search": Entry("ask", "Rank the memories that may answer a question."),
    "answer": Entry("ask", "Answer a question with evidence, or say that nothing reliable is stored."),
    "trace": Entry("ask", "Unfold everything behind one search or answer."),
    "evaluate": Entry("evaluate", "Measure hits, abstentions and times on question files."),
    "learn": Entry(
        "learn", "Learn ranking weights from question files, or the rule of acceptance under the present weights."
    ),
    "delete": Entry("keep", "Delete memories by id or by filter."),
    "aliases": Entry("aliases", "Edit who goes by which names; see, make and undo merges."),
    "stats": Entry("keep", "Show what the store holds."),
    "reindex": Entry("keep", "Encode every memory again with the present encoder."),
    "label": Entry("understanding", "Say what a text is about, and which senses its words have."),
    "correct": Entry("correct", "Set right which sense a word has in a memory."),
    "times": Entry("understanding", "Resolve the expressions of time in a text."),
    "entities": Entry("understanding", "Find names, amounts and claims in a text, with their spans."),
    "ontology": Entry("ontology", "Check, show and extend the library texts are labelled with."),
    "serve": Entry("serve", "Run the HTTP service."),
    "demo": Entry("demo", "Load a bundled story, ask it questions, and show how they are answered."),
}


class LazyGroup(click.Group):
    """Imports a command's module when the command is called; the help page needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click calls it with one
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click calls it with one
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(import_module(f"graphsvc.interfaces.cli.{entry.module}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click calls it so
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (GraphsvcError, OntologyInvalid) as error:
            click.echo(f"error: {describe(error)}", err=True)
            ctx.exit(EXIT_ERROR)
        except KeyboardInterrupt:
            click.echo("interrupted; what was acknowledged is kept", err=True)
            ctx.exit(EXIT_INTERRUPTED)


def describe(error: GraphsvcError | OntologyInvalid) -> str:
    """What, where, and what to do, as far as the error says."""
    if isinstance(error, OntologyInvalid):
        line = f", line {error.line}" if error.line else ""
        return " / ".join(part for part in (error.reason, f"{error.file}{line}", error.key, error.remedy) if part)
    return " / ".join(part for part in (error.what, error.where, error.remedy) if part)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", metavar="URL", help="Where memories are kept: a folder or a store URL.  [GRAPHSVC_STORE]")
@click.option("--namespace", help="Whose memories: a tenant, user or agent.  [GRAPHSVC_NAMESPACE]")
@click.option("--encoder", help="What turns text into vectors.  [GRAPHSVC_ENCODER]")
@click.version_option(installed_version(), prog_name="graphsvc")
@click.pass_context
def cli(ctx: click.Context, store: str | None, namespace: str | None, encoder: str | None) -> None:
    """A graph memory that knows who, when and in which sense, and can say that it knows nothing reliable."""
    ctx.obj = {"store": store, "namespace": namespace, "encoder": encoder}


def main() -> None:
    """The entry point. Output is UTF-8 whatever the locale, since memories are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    cli(prog_name="graphsvc")
