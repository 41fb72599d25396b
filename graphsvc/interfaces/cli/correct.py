"""`graphsvc correct`: set right which sense a word has in a memory."""

from __future__ import annotations

import click

from graphsvc.interfaces.cli.context import json_option, open_graph, print_json, stdout_console, with_settings
from graphsvc.settings import Settings


@click.command()
@click.argument("memory_id", metavar="ID")
@click.argument("surface", metavar="WORD")
@click.argument("sense")
@json_option
@with_settings
def correct(settings: Settings, *, memory_id: str, surface: str, sense: str, as_json: bool) -> None:
    """Set right which sense a word has in a memory.

    SENSE is one of the library's, such as bank.river, WORD as the memory ID writes it. The correction stays when
    memories are labelled again, and teaches what its author usually means.
    """
    with open_graph(settings) as graph:
        memory = graph.correct_sense(memory_id, surface, sense, namespace=settings.namespace)
    if as_json:
        print_json(memory)
    else:
        stdout_console().print(f"{surface} is {sense} in {memory_id}")
