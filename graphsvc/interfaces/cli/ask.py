"""`graphsvc search`, `answer` and `trace`: a question in, candidates or a decision out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from graphsvc.interfaces.cli.context import (
    Moment,
    json_option,
    open_graph,
    print_json,
    stdout_console,
    with_settings,
)
from graphsvc.interfaces.cli.show import answer_panel, candidate_list, trace_view
from graphsvc.interfaces.where import parse_where
from graphsvc.models.answer import Leg
from graphsvc.settings import Settings
from graphsvc.store.base import Where


def question_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a question may be asked with, and how its answer is shown."""
    for option in (
        json_option,
        click.option("--explain", is_flag=True, help="Unfold stages, scores, edges, features and the threshold."),
        click.option("--where", metavar="JSON", help='A filter: {"field": "sender", "op": "eq", "value": "Mei"}.'),
        click.option("--conversation", metavar="ID", help="The conversation the question belongs to."),
        click.option("--asked-by", metavar="NAME", help='Who says "I" in the question.'),
        click.option("--asked-at", type=Moment(), help="The question's now, ISO 8601 with offset (else: now)."),
        click.argument("question"),
    ):
        command = option(command)
    return command


@click.command()
@question_options
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="At most so many.")
@click.option("--min-similarity", type=click.FloatRange(-1, 1), help="Leave out what has a lower cosine.")
@click.option("--leg", "legs", type=click.Choice([leg.value for leg in Leg]), multiple=True, help="Only these legs.")
@with_settings
def search(
    settings: Settings,
    *,
    question: str,
    asked_at: datetime | None,
    asked_by: str | None,
    conversation: str | None,
    where: str | None,
    limit: int,
    min_similarity: float | None,
    legs: tuple[str, ...],
    explain: bool,
    as_json: bool,
) -> None:
    """Rank the memories that may answer a question."""
    filter_ = _read(where)
    with open_graph(settings) as graph:
        found = graph.search(
            question,
            namespace=settings.namespace,
            asked_at=asked_at,
            asked_by=asked_by,
            conversation_id=conversation,
            where=filter_,
            limit=limit,
            min_similarity=min_similarity,
            legs=frozenset(Leg(leg) for leg in legs or tuple(Leg)),
        )
        trace = graph.trace(found.trace_id, namespace=settings.namespace) if explain else None
    if as_json:
        print_json(found.model_dump(mode="json") | ({"trace": trace.model_dump(mode="json")} if trace else {}))
        return
    console = stdout_console()
    console.print(candidate_list(found))
    if trace is not None:
        console.print(trace_view(trace))


@click.command()
@question_options
@with_settings
def answer(
    settings: Settings,
    *,
    question: str,
    asked_at: datetime | None,
    asked_by: str | None,
    conversation: str | None,
    where: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Answer a question with evidence, or say that nothing reliable is stored."""
    namespace, filter_ = settings.namespace, _read(where)
    with open_graph(settings) as graph:
        given = graph.answer(
            question,
            namespace=namespace,
            asked_at=asked_at,
            asked_by=asked_by,
            conversation_id=conversation,
            where=filter_,
        )
        trace = graph.trace(given.trace_id, namespace=namespace) if explain else None
        memories = {one.memory_id: graph.get(one.memory_id, namespace=namespace) for one in given.evidence}
    if as_json:
        print_json(given.model_dump(mode="json") | ({"trace": trace.model_dump(mode="json")} if trace else {}))
        return
    console = stdout_console()
    console.print(answer_panel(question, given, memories))
    if trace is not None:
        console.print(trace_view(trace))


@click.command()
@click.argument("trace_id", metavar="ID")
@json_option
@with_settings
def trace(settings: Settings, **options: Any) -> None:
    """Unfold everything behind one search or answer."""
    with open_graph(settings) as graph:
        found = graph.trace(options["trace_id"], namespace=settings.namespace)
    if options["as_json"]:
        print_json(found.model_dump(mode="json"))
    else:
        stdout_console().print(trace_view(found))


def _read(where: str | None) -> Where | None:
    return None if where is None else parse_where(where, where="--where")
