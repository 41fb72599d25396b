"""From ranked ids to candidates: load each memory, add what agrees with the question, judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphsvc.models.answer import Candidate, Hop, Scores
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve import accept, extract
from graphsvc.retrieve.boost import Boosts, ages, boosts
from graphsvc.retrieve.overlap import overlap
from graphsvc.retrieve.rank import Ranked
from ontology.model import ValueKind


@dataclass(frozen=True, slots=True)
class Weighing:
    """One question's measure for all its candidates."""

    question: Question
    kind: ValueKind
    tokens: tuple[str, ...]
    weights: Boosts

    def candidates(
        self,
        ranked: Sequence[Ranked],
        memories: Mapping[MemoryId, Memory],
        paths: Mapping[MemoryId, tuple[Hop, ...]],
    ) -> tuple[Candidate, ...]:
        """Candidates best first, ties by id; one deleted since it was ranked is left out."""
        there = [one for one in ranked if one.id in memories]
        age = ages([(memories[one.id], one.score) for one in there], margin=self.weights.rivals_within)
        found = [self._candidate(one, memories[one.id], age.get(one.id), paths) for one in there]
        ordered = sorted(found, key=lambda candidate: (-candidate.score, candidate.memory.id))
        return accept.judged(ordered, self.question, self.kind)

    def _candidate(
        self, one: Ranked, memory: Memory, age: float | None, paths: Mapping[MemoryId, tuple[Hop, ...]]
    ) -> Candidate:
        has_value = extract.has_value(memory, self.kind)
        added = boosts(memory, self.question, age, self.weights, has_value=has_value)
        scores = Scores(
            dense=one.dense,
            lexical=one.lexical,
            late=one.late,
            uncovered=one.uncovered,
            overlap=overlap(memory.text, self.tokens),
            boosts=added,
        )
        return Candidate(
            memory=memory,
            score=one.score + sum(added.values()),
            probability=0.0,  # judged once its rivals are known
            scores=scores,
            path=paths.get(one.id, ()),
        )
