"""`graphsvc ontology`: the library texts are labelled with, and what a user adds to it.

A user's entries live in the overlay that GRAPHSVC_ONTOLOGY points to; the shipped library is never
changed. Whatever is written is loaded first, and refused with file, key and reason if it would break.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import click

from graphsvc.errors import FieldInvalid, NotFound, SettingsInvalid
from graphsvc.interfaces.cli.context import (
    json_option,
    open_graph,
    print_json,
    progress_bar,
    stdout_console,
    with_settings,
)
from graphsvc.interfaces.cli.library import FAMILIES, entry_view, family_table, proposals_view
from graphsvc.interfaces.library import outline
from graphsvc.settings import Settings
from graphsvc.topics.accept import SETTING, Wishes, additions_for, overlay_of
from graphsvc.topics.propose import LEAST, MOST, UNSURE
from ontology.draft import read_layer
from ontology.errors import OntologyInvalid
from ontology.loader import load_ontology
from ontology.model import Entry, Ontology
from ontology.overlay import add_entries

EXIT_INVALID = 1


@click.group()
def ontology() -> None:
    """Check, show and extend the library texts are labelled with.

    Your own entries live in a folder of TOML files, laid over the shipped library: GRAPHSVC_ONTOLOGY=folder.
    """


@ontology.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@json_option
@with_settings
def check(settings: Settings, *, path: Path | None, as_json: bool) -> None:
    """Validate an overlay, a folder or a file (else that of GRAPHSVC_ONTOLOGY).

    Exit code 1 when it is broken; every broken file is named with key, reason and remedy.
    """
    place = path or settings.ontology
    if place is None:
        raise SettingsInvalid("nothing to check", where=SETTING, remedy="name a PATH, or set GRAPHSVC_ONTOLOGY")
    place = place.expanduser()
    errors = _errors_of(place)
    if errors:
        _tell_errors(errors, as_json=as_json)
        raise SystemExit(EXIT_INVALID)
    whole = load_ontology([place])
    layer = read_layer(place)
    added = {kind: len(entries) for kind, entries in layer.entries.items() if entries}
    told = {"valid": True, "version": whole.version, "content_hash": whole.content_hash, "entries": added}
    if as_json:
        print_json(told)
    else:
        counts = ", ".join(f"{count} {kind}" for kind, count in added.items()) or "no entries"
        stdout_console().print(f"valid: {counts}; version {whole.version} ({whole.content_hash[:12]})")


@ontology.command()
@click.argument("what", required=False, metavar=f"[{'|'.join(FAMILIES)}|ID]")
@json_option
@with_settings
def show(settings: Settings, *, what: str | None, as_json: bool) -> None:
    """List domains, intents, senses or edges, or show one entry whole by its id."""
    library = _library(settings)
    if what is not None and what not in FAMILIES:
        entries = _entries(library, what)
        if as_json:
            print_json([{"kind": type(one).__name__, **one.model_dump(mode="json")} for one in entries])
            return
        for entry in entries:
            stdout_console().print(entry_view(entry))
        return
    listed = outline(library)
    if as_json:
        print_json(listed.model_dump(mode="json", include=None if what is None else {FAMILIES[what]}))
        return
    for family in FAMILIES if what is None else (what,):
        stdout_console().print(family_table(family, listed))


@ontology.command()
@click.option("--least", type=click.IntRange(2), default=LEAST, show_default=True, help="Memories a topic needs.")
@click.option("--newest", type=click.IntRange(2, 20_000), default=MOST, show_default=True, help="Look at so many.")
@click.option(
    "--below", type=click.FloatRange(0, 1), default=UNSURE, show_default=True, help="Look at less likely labels too."
)
@json_option
@with_settings
def propose(settings: Settings, *, least: int, newest: int, below: float, as_json: bool) -> None:
    """Propose domains and senses out of what is stored and could not be labelled, or not surely.

    Nothing changes; `accept ID` writes one of them into your overlay.
    """
    with open_graph(settings) as graph:
        found = graph.propose(namespace=settings.namespace, least=least, most=newest, below=below)
    if as_json:
        print_json(found)
    else:
        stdout_console().print(proposals_view(found))


@ontology.command()
@click.argument("proposal_id", metavar="ID")
@click.option("--domain-id", metavar="ID", help="A domain to add to, or the id of the new one; for senses, theirs.")
@click.option("--name", help="What it is called, in both languages.")
@click.option("--name-zh", help="What it is called in Chinese.")
@click.option("--name-en", help="What it is called in English.")
@click.option("--keywords-only", is_flag=True, help="Copy no memory into the overlay; labels will be less sure.")
@click.option("--relabel", "again", is_flag=True, help="Label what is stored again with the new library.")
@json_option
@with_settings
def accept(
    settings: Settings,
    *,
    proposal_id: str,
    domain_id: str | None,
    name: str | None,
    name_zh: str | None,
    name_en: str | None,
    keywords_only: bool,
    again: bool,
    as_json: bool,
) -> None:
    """Write a proposal into your overlay.

    Its keywords and example memories go into `proposed.toml` of the folder GRAPHSVC_ONTOLOGY points to.
    """
    overlay = overlay_of(settings.ontology)
    wishes = Wishes(name, name_zh, name_en, domain_id, keywords_only)
    with open_graph(settings) as graph:
        additions = additions_for(graph.proposal(proposal_id, namespace=settings.namespace), graph.ontology, wishes)
    file, library = add_entries(overlay, additions)
    told = {"file": str(file), "keys": [one.key for one in additions], "version": library.version}
    counts = _relabel(settings) if again else None
    if as_json:
        print_json(told | ({} if counts is None else counts))
        return
    console = stdout_console()
    console.print(f"{', '.join(one.key for one in additions)} written to {file}", soft_wrap=True)
    console.print("graphsvc ontology relabel labels what is stored again" if counts is None else _counted(counts))


@ontology.command()
@json_option
@with_settings
def relabel(settings: Settings, *, as_json: bool) -> None:
    """Label a namespace's memories again with the present library, without encoding them."""
    counts = _relabel(settings)
    if as_json:
        print_json(counts)
    else:
        stdout_console().print(_counted(counts))


@ontology.command()
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write (else: standard output)."
)
@click.option("--format", "format_", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@with_settings
def export(settings: Settings, *, out: Path | None, format_: str) -> None:  # noqa: ARG001  one format so far
    """Write pairs of memories to fine-tune an encoder with, one JSON object a line.

    A line has kind, query, context (the turns before it), positive, label, sense and negatives. A `neighbour` pair is
    a turn and the next one; a `label` pair two memories of one domain and intent; a `sense` pair two that use a
    word alike, with other uses of it as negatives.
    """
    counts: Counter[str] = Counter()
    with open_graph(settings) as graph, ExitStack() as opened:
        stream: TextIO = sys.stdout if out is None else opened.enter_context(_writable(out))
        for pair in graph.training_pairs(namespace=settings.namespace):
            stream.write(json.dumps(pair.model_dump(mode="json"), ensure_ascii=False) + "\n")
            counts[pair.kind] += 1
    click.echo(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "no pairs", err=True)


def _library(settings: Settings) -> Ontology:
    return load_ontology(() if settings.ontology is None else (settings.ontology.expanduser(),))


def _errors_of(place: Path) -> list[OntologyInvalid]:
    """One error a broken file, else the first of the layer as a whole."""
    errors = []
    for file in sorted(place.glob("*.toml")) if place.is_dir() else (place,):
        try:
            read_layer(file)
        except OntologyInvalid as error:
            errors.append(error)
    if not errors:
        try:
            load_ontology([place])
        except OntologyInvalid as error:
            errors.append(error)
    return errors


def _tell_errors(errors: list[OntologyInvalid], *, as_json: bool) -> None:
    if as_json:
        fields = ("file", "line", "key", "reason", "remedy")
        print_json({"valid": False, "errors": [{name: getattr(error, name) for name in fields} for error in errors]})
        return
    for error in errors:
        click.echo(f"error: {error}", err=True)


def _entries(library: Ontology, key: str) -> list[Entry]:
    """Everything of this id; raises `NotFound`."""
    looked_up = (
        library.domain, library.intent, library.entity_type, library.edge_type, library.query_type,
        library.sense_word, library.sense,
    )  # fmt: skip
    found = [entry for one in looked_up if (entry := one(key)) is not None]
    if not found:
        raise NotFound("nothing in the library has this id", where=key, remedy="see graphsvc ontology show")
    return list(found)


def _relabel(settings: Settings) -> dict[str, int]:
    with open_graph(settings) as graph, progress_bar("labelling", None) as advance:
        read, changed = graph.relabel(namespace=settings.namespace, on_progress=advance)
    return {"relabelled": read, "changed": changed}


def _counted(counts: dict[str, int]) -> str:
    return f"{counts['relabelled']} labelled again, {counts['changed']} changed"


def _writable(out: Path) -> TextIO:
    try:
        return out.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be written", where="--out", remedy="name another file") from None
