"""Narrow the candidates by metadata before any vector is compared.

Stages run in order (role, time, context, label), each one a filter inside what the last one
left. A soft stage that would leave nothing is skipped and recorded as relaxed; a hard stage
(what the caller filtered by, what had not been said yet) never is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Stage
from graphsvc.models.question import PersonReference, Question, Validity
from graphsvc.retrieve.config import FunnelConfig
from graphsvc.retrieve.parse.occasions import several
from graphsvc.store.base import Selection, Store, Where
from graphsvc.store.filters import UNLABELLED, And, Not, Op, both, compare, either, eq, exists, one_of


@dataclass(frozen=True, slots=True)
class Cut:
    """One filter of the funnel: why it is there, in words, and whether it may be relaxed."""

    stage: str
    where: Where
    applied: str
    hard: bool = False
    narrows_from: int = 0


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What remained, and how it came to that."""

    selection: Selection
    stages: tuple[Stage, ...]


def narrow(
    store: Store,
    namespace: str,
    question: Question,
    *,
    where: Where | None = None,
    config: FunnelConfig,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Narrowed:
    """Run the funnel for a question; `where` is the caller's own filter, always kept.

    `as_of` is the moment of which is asked what held, `known_at` the one of which is asked what had been recorded.
    """
    started = perf_counter()
    selection = store.select(namespace)
    stages = [_stage("stored", selection, started)]
    for cut in cuts(question, where, config, as_of=as_of, known_at=known_at):
        if selection.count == 0:
            break
        started = perf_counter()
        if selection.count < cut.narrows_from:
            continue
        narrowed = store.select(namespace, cut.where, within=selection)
        relaxed = narrowed.count == 0 and not cut.hard
        if not relaxed:
            selection = narrowed
        stages.append(_stage(cut.stage, selection, started, cut.applied, relaxed=relaxed))
    return Narrowed(selection, tuple(stages))


def cuts(
    question: Question,
    where: Where | None,
    config: FunnelConfig,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Iterator[Cut]:
    """The funnel's filters for a question, in the order they are tried."""
    if where is not None:
        yield Cut("filter", where, "the caller's filter", hard=True)
    if known_at is not None:
        yield Cut("time", compare("recorded_at", Op.LTE, known_at), f"recorded by {known_at.isoformat()}", hard=True)
    expired = both(exists("expires_at"), compare("expires_at", Op.LTE, question.asked_at))
    said = both(compare("event_time", Op.LTE, question.asked_at), Not(negate=expired))
    yield Cut("time", said, f"said by {question.asked_at.isoformat()}", hard=True)
    if as_of is not None:
        yield Cut("time", held(as_of), f"held at {as_of.isoformat()}", hard=True)
    if not config.soft:
        return
    for person in question.people:
        yield from _role_cut(person)
        yield from _namesake_cut(person)
    yield from _time_cuts(question, as_of)
    yield from _context_cuts(question, config)
    if config.labels:
        yield from _label_cuts(question, config)


def _role_cut(person: PersonReference) -> Iterator[Cut]:
    """A person with a direction narrows; one merely named is left to the ranking."""
    if person.role is not None:
        yield Cut("role", one_of(person.role.value, person.entities), f"{person.role.value} {person.name}")


def _namesake_cut(person: PersonReference) -> Iterator[Cut]:
    """What names only a namesake of the one person asked about speaks of somebody else."""
    if person.others:
        theirs = either(one_of("mention", person.own), one_of("party", person.entities))
        elsewhere = both(one_of("mention", person.others), Not(negate=theirs))
        yield Cut("role", Not(negate=elsewhere), f"not of a namesake of {person.name}")


def held(moment: datetime) -> Where:
    """What began by a moment, by its own validity, else by when it was said, and had not run out."""
    ended = both(exists("valid_to"), compare("valid_to", Op.LTE, moment))
    began = compare("valid_from", Op.LTE, moment)
    said = both(Not(negate=exists("valid_from")), compare("event_time", Op.LTE, moment))
    return both(Not(negate=ended), either(began, said))


def _time_cuts(question: Question, as_of: datetime | None) -> Iterator[Cut]:
    if as_of is None and question.validity is not Validity.HISTORICAL:
        ended = both(exists("valid_to"), compare("valid_to", Op.LTE, question.asked_at))
        coming = both(exists("valid_from"), compare("valid_from", Op.GT, question.asked_at))
        yield Cut("time", both(Not(negate=ended), Not(negate=coming)), "valid when asked", hard=True)
    window = question.window
    directed = any(person.role is not None for person in question.people)
    if window is not None and directed:
        parts: list[Where] = []
        if window.begin is not None:
            parts.append(compare("event_time", Op.GTE, window.begin))
        if window.until is not None:
            parts.append(compare("event_time", Op.LT, window.until))
        yield Cut("time", And(all=tuple(parts)), "inside the time the question names")


def _context_cuts(question: Question, config: FunnelConfig) -> Iterator[Cut]:
    for identifier in question.identifiers:
        # Of several memories that a question needs only one may bear it, unless each part names it.
        if several(question) and not _in_each_part(identifier, question):
            continue
        named = either(eq("identifier", identifier), eq("mention", identifier))
        yield Cut("context", named, "names the identifier")
    if question.document_types:
        kinds = one_of("document_type", question.document_types)
        yield Cut("context", kinds, f"is {' or '.join(question.document_types)}", narrows_from=config.worth_narrowing)


def _in_each_part(identifier: str, question: Question) -> bool:
    return bool(question.parts) and all(identifier in fold_key(part.text) for part in question.parts)


def _label_cuts(question: Question, config: FunnelConfig) -> Iterator[Cut]:
    sure = [label.domain for label in question.labels if label.probability >= config.sure_label]
    if sure:
        where = one_of("domain", [*sure, UNLABELLED])
        yield Cut("label", where, f"about {' or '.join(sure)}, or unlabelled", narrows_from=config.worth_narrowing)


def _stage(name: str, selection: Selection, started: float, applied: str = "", *, relaxed: bool = False) -> Stage:
    ms = (perf_counter() - started) * 1000
    return Stage(name=name, remaining=selection.count, ms=round(ms, 3), applied=applied, relaxed=relaxed)
