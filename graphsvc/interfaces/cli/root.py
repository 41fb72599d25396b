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
        "learn",
        "Learn ranking weights from question files, or the rule of acceptance from these or from labelled rows.",
    ),
    "feedback": Entry("feedback", "Say whether an answer was right, for the next calibrator to learn from."),
    "calibrate": Entry("calibrate", "Train what decides whether a result is used, measure it, and promote it."),
    "update": Entry("change", "Change fields of a memory, as a new revision of it."),
    "history": Entry("change", "Show all that happened to a memory."),
    "supersede": Entry("change", "Say that one memory overturns another."),
    "falsify": Entry("change", "Take a memory back, and see which answers fell with it."),
    "overturned": Entry("audit", "List earlier answers that have fallen since."),
    "replay": Entry("audit", "Run an earlier search or answer again, on what was known then and on what is known now."),
    "audit": Entry("audit", "Read the journal, or verify that nobody tampered with it."),
    "webhooks": Entry("webhooks", "Say who is told of answers that fall, and see what became of the notices."),
    "delete": Entry("keep", "Delete memories by id, by filter, or all of a document, a conversation or a person."),
    "purge": Entry("upkeep", "Remove for good what deleted memories left behind."),
    "consolidate": Entry("upkeep", "Merge memories that say the same; a dry run unless told otherwise."),
    "expire": Entry("upkeep", "Delete the memories whose time has run out."),
    "relink": Entry("upkeep", "Find again, among all memories, what changes what."),
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
@click.option("--actor", help="Who acts, for the journal.  [default: local]")
@click.option("--reason", help="Why, for the journal.")
@click.version_option(installed_version(), prog_name="graphsvc")
@click.pass_context
def cli(ctx: click.Context, /, **options: str | None) -> None:
    """A graph memory that knows who, when and in which sense, and can say that it knows nothing reliable."""
    ctx.obj = options


def main() -> None:
    """The entry point. Output is UTF-8 whatever the locale, since memories are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    cli(prog_name="graphsvc")
