"""Bring along the memories that edges of change tie to the candidates, whatever words they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphsvc.models.answer import Candidate
from graphsvc.retrieve.ask import Ask
from graphsvc.retrieve.change.ties import Ties, may_join, read_ties
from graphsvc.retrieve.rank.mix import score
from graphsvc.retrieve.rank.pool import Pool, RankRequest
from graphsvc.retrieve.rank.weigh import Weighing
from graphsvc.store.base import Selection, Store
from graphsvc.store.filters import one_of


def tied(  # noqa: PLR0917  what a search holds at that point, each used once
    store: Store, ask: Ask, selection: Selection, candidates: Sequence[Candidate], request: RankRequest, by: Weighing
) -> tuple[Ties, tuple[Candidate, ...]]:
    """The edges of change at the candidates, best first, and those they lead to, weighed, without an order.

    Where the question gives people a role, nobody comes along whom that leaves out; with a floor on likeness, nobody.
    """
    question, there = by.question, [one.memory for one in candidates]
    ties = read_ties(store, ask.namespace, there, asked_at=question.asked_at, known_at=ask.known_at)
    if request.min_similarity is not None:
        return ties, ()
    known = {one.id for one in there}
    new = {
        key: one
        for key, one in ties.memories.items()
        if key not in known and may_join(one, ties, question, where=ask.where, as_of=ask.as_of)
    }
    if any(person.role is not None for person in question.people):
        new = {
            key: one
            for key, one in new.items()
            if store.select(ask.namespace, one_of("id", [key]), within=selection).count
        }
    # Their parts are kept raw, as those of what came along by any other edge.
    scored = score(store, ask.namespace, Pool(new), request, by.config.mix) if new else []
    return ties, by.candidates([replace(one, score=0.0, scaled={}) for one in scored], new, {})
