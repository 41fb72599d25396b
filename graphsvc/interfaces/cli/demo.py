"""`graphsvc demo`: a bundled story goes in, its questions are asked, and each answer shows its funnel.

The store stays behind in `.graphsvc/demo`, so that the server can be started on it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from graphsvc.errors import EncoderMismatch, FieldInvalid, GraphsvcError, StoreDamaged, StoreVersion
from graphsvc.ingest.readers.jsonl import parse_lines
from graphsvc.interfaces.cli.ask import memories_of
from graphsvc.interfaces.cli.context import (
    json_option,
    open_graph,
    print_drawn,
    print_json,
    progress_bar,
    with_settings,
)
from graphsvc.interfaces.cli.show import answer_panel
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer
from graphsvc.models.base import Moment, Record, ShortText
from graphsvc.models.memory import ItemStatus, MemoryInput
from graphsvc.settings import Settings
from graphsvc.store.filters import EVERYTHING

FOLDER = ".graphsvc/demo"
# A year of mail and talk, and a value that changed, asked for as it is and as it was.
BUNDLED = ("story.jsonl", "change.jsonl")


class StoryQuestion(Record):
    text: str
    asked_at: Moment
    asked_by: ShortText | None = None
    conversation_id: ShortText | None = None
    as_of: Moment | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """Memories in the order they happened, and the questions marked to be shown."""

    memories: tuple[MemoryInput, ...]
    questions: tuple[StoryQuestion, ...]


@click.command()
@click.option("--story", type=click.Path(path_type=Path), help="Another story, in the form of an evaluation file.")
@json_option
@with_settings
def demo(settings: Settings, *, story: Path | None, as_json: bool) -> None:
    """Load a bundled story, ask it questions, and show how they are answered."""
    told = read_story(story)
    fresh = settings.store == Settings().store
    if fresh:
        settings = settings.model_copy(update={"store": f"sqlite:///{FOLDER}"})
    try:
        with open_graph(settings) as graph:
            if fresh:
                graph.delete_all(EVERYTHING, namespace=settings.namespace)
            _load(graph, told, settings.namespace)
            _ask(graph, told, settings.namespace, as_json=as_json)
    except (EncoderMismatch, StoreDamaged, StoreVersion) as error:
        remedy = f"remove the folder {FOLDER} and run the demo again" if fresh else error.remedy
        raise type(error)(error.what, where=error.where, remedy=remedy) from None
    if not as_json:
        _say_how_to_go_on(settings, told.questions[0])


def read_story(path: Path | None) -> Story:
    """The story in a file, the bundled one without; raises `FieldInvalid` naming the line."""
    folder = files("graphsvc.interfaces") / "demo"
    sources = [folder / name for name in BUNDLED] if path is None else [path]
    memories: list[MemoryInput] = []
    questions: list[StoryQuestion] = []
    for source in sources:
        _read(source, memories, questions)
    if not memories or not questions:
        raise FieldInvalid("a story needs memories, and questions marked demo", where=str(sources[0]))
    return Story(tuple(sorted(memories, key=_when)), tuple(questions))


def _read(source: Traversable, memories: list[MemoryInput], questions: list[StoryQuestion]) -> None:
    """Append what one file holds."""
    try:
        data = source.read_bytes()
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be read", where=str(source)) from None
    for line in parse_lines(data.splitlines()):
        if line.data is None:
            raise FieldInvalid(line.error.what if line.error else "unreadable", where=f"{source}, line {line.number}")
        try:
            if line.data.get("kind") == "memory":
                memories.append(MemoryInput.model_validate(_known(line.data, MemoryInput)))
            elif line.data.get("demo"):
                questions.append(StoryQuestion.model_validate(_known(line.data, StoryQuestion)))
        except ValueError as error:
            raise FieldInvalid(str(error), where=f"{source}, line {line.number}") from None


def _when(memory: MemoryInput) -> datetime:
    if memory.event_time is None:
        raise FieldInvalid("a story's memory needs its time", where=memory.id or memory.text[:20])
    return memory.event_time


def _known(data: Mapping[str, object], record: type[Record]) -> dict[str, object]:
    """The fields a record has: evaluation files carry notes beside them."""
    return {name: value for name, value in data.items() if name in record.model_fields}


def _load(graph: MemoryGraph, story: Story, namespace: str) -> None:
    with progress_bar("remembering", len(story.memories)) as advance:
        results = graph.add(story.memories, namespace=namespace, on_progress=advance)
    failed = next((result.error for result in results if result.status is ItemStatus.FAILED), None)
    if failed is not None:
        raise GraphsvcError(failed.what, where=failed.where, remedy=failed.remedy)
    click.echo(f"{len(story.memories)} memories stored", err=True)


def _ask(graph: MemoryGraph, story: Story, namespace: str, *, as_json: bool) -> None:
    told: list[dict[str, object]] = []
    for question in story.questions:
        given = _answer(graph, question, namespace)
        told.append({"question": question.model_dump(mode="json"), "answer": given.model_dump(mode="json")})
        if not as_json:
            as_of = "" if question.as_of is None else f" (as of {question.as_of.date()})"
            print_drawn(answer_panel(question.text + as_of, given, memories_of(graph, given, namespace)))
    if as_json:
        print_json(told)


def _answer(graph: MemoryGraph, question: StoryQuestion, namespace: str) -> Answer:
    return graph.answer(
        question.text,
        namespace=namespace,
        asked_at=question.asked_at,
        asked_by=question.asked_by,
        conversation_id=question.conversation_id,
        as_of=question.as_of,
    )


def _say_how_to_go_on(settings: Settings, question: StoryQuestion) -> None:
    context = question.model_dump(mode="json", exclude={"text"}, exclude_none=True)
    body = json.dumps({"question": question.text, **context}, ensure_ascii=False)
    header = "" if settings.namespace == "default" else " -H " + shlex.quote(f"X-Namespace: {settings.namespace}")
    shown = FOLDER if settings.store == f"sqlite:///{FOLDER}" else settings.store
    encoder = "" if settings.encoder == Settings().encoder else f" --encoder {settings.encoder}"
    address = f"http://{settings.host}:{settings.port}"
    click.echo("To ask this store over HTTP:")
    click.echo(f"  graphsvc serve --store {shown}{encoder}")
    click.echo(f"  curl -s {address}/v1/answer -H 'Content-Type: application/json'{header} -d {shlex.quote(body)}")
