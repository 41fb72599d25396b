"""`graphsvc search`, `answer` and `trace`: a question in, candidates or a decision out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import click

from graphsvc.interfaces.cli.context import (
    Moment,
    Name,
    acting,
    json_option,
    open_graph,
    print_drawn,
    print_json,
    with_settings,
)
from graphsvc.interfaces.cli.show import Memories, answer_panel, candidate_list
from graphsvc.interfaces.cli.unfold import trace_view
from graphsvc.interfaces.explained import ExplainedAnswer, ExplainedSearch
from graphsvc.interfaces.where import parse_where
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, Leg, Trace
from graphsvc.settings import Settings
from graphsvc.store.base import Where
from graphsvc.store.filters import one_of


def question_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a question may be asked with, and how its answer is shown."""
    for option in (
        json_option,
        click.option("--explain", is_flag=True, help="Unfold stages, scores, edges, features and the threshold."),
        click.option("--where", metavar="JSON", help='A filter: {"field": "sender", "op": "eq", "value": "Mei"}.'),
        # An empty session would be shared by all whose variable was not set.
        click.option("--session", type=Name(), help="Remember its last five questions, for follow-ups."),
        click.option("--conversation", metavar="ID", help="The conversation the question belongs to."),
        click.option("--asked-by", metavar="NAME", help='Who says "I" in the question.'),
        click.option("--asked-at", type=Moment(), help="The question's now, ISO 8601 with offset (else: now)."),
        click.option("--known-at", type=Moment(), help="Ask what the store knew at that moment."),
        click.option("--as-of", type=Moment(), help="Ask what held at that moment."),
        click.argument("question"),
    ):
        command = option(command)
    return command


@click.command()
@question_options
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="At most so many.")
@click.option("--min-similarity", type=click.FloatRange(-1, 1), help="Leave out what has a lower cosine.")
@click.option("--leg", "legs", type=click.Choice([leg.value for leg in Leg]), multiple=True, help="Only these legs.")
@click.option(
    "--diversity",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Prefer what differs: 0 ranks by score alone, 1 by unlikeness.",
)
@with_settings
def search(
    settings: Settings,
    *,
    question: str,
    asked_at: datetime | None,
    asked_by: str | None,
    conversation: str | None,
    session: str | None,
    as_of: datetime | None,
    known_at: datetime | None,
    where: str | None,
    limit: int,
    min_similarity: float | None,
    legs: tuple[str, ...],
    diversity: float,
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
            diversity=diversity,
            session_id=session,
            as_of=as_of,
            known_at=known_at,
            by=acting(),
        )
        behind = graph.trace(found.trace_id, namespace=settings.namespace)
    if as_json:
        print_json(ExplainedSearch.of(found, behind) if explain else found)
        return
    print_drawn(candidate_list(found, read_as=_read_as(question, behind)))
    _explain(behind, wanted=explain)


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
    session: str | None,
    as_of: datetime | None,
    known_at: datetime | None,
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
            session_id=session,
            as_of=as_of,
            known_at=known_at,
            by=acting(),
        )
        behind = graph.trace(given.trace_id, namespace=namespace)
        memories = memories_of(graph, given, namespace)
    if as_json:
        print_json(ExplainedAnswer.of(given, behind) if explain else given)
        return
    print_drawn(answer_panel(question, given, memories, read_as=_read_as(question, behind)))
    _explain(behind, wanted=explain)


@click.command()
@click.argument("trace_id", metavar="ID")
@json_option
@with_settings
def trace(settings: Settings, *, trace_id: str, as_json: bool) -> None:
    """Unfold everything behind one search or answer."""
    with open_graph(settings) as graph:
        found = graph.trace(trace_id, namespace=settings.namespace)
    if as_json:
        print_json(found)
    else:
        _explain(found, wanted=True)


def memories_of(graph: MemoryGraph, given: Answer, namespace: str) -> Memories:
    """The memories an answer speaks of; one deleted since is left out."""
    named = [one.memory_id for one in (*given.evidence, *(e for part in given.parts for e in part.evidence))]
    named += [side for one in given.conflicts for side in (one.left, one.right)]
    ids = list(dict.fromkeys(named))
    if not ids:
        return {}
    page = graph.get_all(namespace=namespace, where=one_of("id", ids), limit=len(ids))
    return {memory.id: memory for memory in page.memories}


def _read_as(question: str, behind: Trace) -> str | None:
    """The question as it was searched for, where its session completed it."""
    return behind.question.text if behind.question.text != question else None


def _explain(behind: Trace, *, wanted: bool) -> None:
    if wanted:
        print_drawn(trace_view(behind))


def _read(where: str | None) -> Where | None:
    return None if where is None else parse_where(where, where="--where")
