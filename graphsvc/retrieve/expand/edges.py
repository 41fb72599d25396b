"""What edges bring to a search: neighbours lend their score, and those the funnel holds come along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphsvc.models.answer import Hop
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Node, NodeKind
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.expand.arms import kin_of
from graphsvc.retrieve.expand.reach import Reach, expand
from graphsvc.retrieve.expand.related import related
from graphsvc.retrieve.expand.walk import Reached, Walk
from graphsvc.retrieve.ladder.route import Reach as Wanted
from graphsvc.retrieve.rank.mix import Ranked, score
from graphsvc.retrieve.rank.pool import Pool, RankRequest
from graphsvc.store.base import Selection, Store
from graphsvc.store.directory import Directory
from graphsvc.store.filters import one_of


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of one namespace, as far as what the funnel left may be seen over them."""

    store: Store
    namespace: str
    selection: Selection
    config: RankingConfig

    def walked(self, question: Question, ranked: Sequence[Ranked], pool: Pool, wanted: Wanted) -> Reach:
        """Where the edges lead from what was found; a question about ties starts from those it names as well."""
        return self._inside(self._reached(question, ranked, wanted), pool)

    def _reached(self, question: Question, ranked: Sequence[Ranked], wanted: Wanted) -> Reach:
        seeds = [(one.id, one.score) for one in ranked]
        reached = expand(self.store, self.namespace, seeds, Walk(self.config.lending))
        starts = [Node(NodeKind.ENTITY, entity) for person in question.people for entity in person.entities]
        if wanted is not Wanted.TIES or not starts:
            return reached
        ties = related(self.store, self.namespace, starts, kin=kin_of(Directory(self.store, self.namespace)))
        most = max((one.score for one in ties.memories), default=1.0)
        lent = [replace(one, score=self.config.ties_lend * one.score / most) for one in ties.memories]
        return Reach(
            _strongest((*reached.reached, *lent)), (*reached.hops, *ties.hops), reached.truncated or ties.truncated
        )

    def _inside(self, walked: Reach, pool: Pool) -> Reach:
        """What the walk met inside the funnel's selection: no way leads over a memory that must not be seen."""
        ends = {end for hop in walked.hops for end in (hop.source, hop.target)}
        ends |= {end for one in walked.reached for hop in one.path for end in (hop.source, hop.target)}
        ends -= pool.memories.keys()
        strange = [one.id for one in self.store.get(self.namespace, sorted(MemoryId(end) for end in ends))]
        if not strange or self._count(strange) == len(strange):
            return walked
        outside = {one for one in strange if not self._count([one])}

        def clear(hops: Sequence[Hop]) -> bool:
            return not any(hop.source in outside or hop.target in outside for hop in hops)

        return Reach(
            tuple(one for one in walked.reached if one.id not in outside and clear(one.path)),
            tuple(hop for hop in walked.hops if clear([hop])),
            walked.truncated,
        )

    def _count(self, ids: Sequence[MemoryId]) -> int:
        return self.store.select(self.namespace, one_of("id", ids), within=self.selection).count

    def lifted(
        self, ranked: Sequence[Ranked], walked: Reach, request: RankRequest
    ) -> tuple[list[Ranked], dict[MemoryId, tuple[Hop, ...]], Mapping[MemoryId, Memory]]:
        """Neighbours lend their score; those not yet ranked come along where the funnel holds them.

        What comes back has no order yet: weighing gives it one.
        """
        known = {one.id for one in ranked}
        new = [one for one in walked.reached if one.id not in known]
        joined, memories = self._join(new, request)
        lent = {one.id: one.score for one in walked.reached}
        raised = [
            replace(one, score=one.score + lent.get(one.id, 0.0), lent=lent.get(one.id, 0.0))
            for one in (*ranked, *joined)
        ]
        return raised, {one.id: one.path for one in new if one.id in memories}, memories

    def _join(self, new: Sequence[Reached], request: RankRequest) -> tuple[list[Ranked], Mapping[MemoryId, Memory]]:
        if not new or request.min_similarity is not None:
            return [], {}
        inside = self.store.select(self.namespace, one_of("id", [one.id for one in new]), within=self.selection)
        hits = self.store.nearest(inside, request.query.vector, inside.count) if inside.count else []
        memories = {one.id: one for one in self.store.get(self.namespace, [hit.id for hit in hits])}
        # Their parts are kept raw; min-max among themselves would flatter them.
        scored = score(self.store, self.namespace, Pool(memories), request, self.config.mix)
        return [replace(one, score=0.0, scaled={}) for one in scored], memories


def _strongest(arrivals: Sequence[Reached]) -> tuple[Reached, ...]:
    """The best arrival at each memory, strongest first, ties by id."""
    best: dict[MemoryId, Reached] = {}
    for one in arrivals:
        if one.id not in best or one.score > best[one.id].score:
            best[one.id] = one
    return tuple(sorted(best.values(), key=lambda one: (-one.score, one.id)))
