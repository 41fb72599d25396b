"""From ranked ids to candidates: load each memory, add what agrees with the question, judge it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.language.change import speaks_of_change
from graphsvc.models.answer import Candidate, Hop, Scores
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import HolderAgreement, Sense
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.accept import decide as accept
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.extract import values as extract
from graphsvc.retrieve.rank.mix import Ranked
from graphsvc.retrieve.rank.overlap import overlap
from graphsvc.retrieve.rank.signals import Circumstances, Senses, ages, signals, told_senses
from graphsvc.retrieve.rank.talks import ALONE, standings
from graphsvc.retrieve.rank.whose import whose
from graphsvc.store.directory import Directory
from ontology.model import ValueKind

# Whose fact it is costs a third of a millisecond a candidate; further down it would change no answer.
MOST_JUDGED = 24


@dataclass(frozen=True, slots=True)
class Weighing:
    """One question's measure for all its candidates."""

    question: Question
    kind: ValueKind
    tokens: tuple[str, ...]
    config: RankingConfig
    directory: Directory

    def candidates(
        self,
        ranked: Sequence[Ranked],
        memories: Mapping[MemoryId, Memory],
        paths: Mapping[MemoryId, tuple[Hop, ...]],
    ) -> tuple[Candidate, ...]:
        """Candidates best first, ties by id; one deleted since it was ranked is left out."""
        there = [one for one in ranked if one.id in memories]
        age = ages([(memories[one.id], one.score) for one in there], margin=self.config.rivals_within)
        changing = frozenset(one.id for one in there if speaks_of_change(memories[one.id].text))
        placed = standings([(memories[one.id], one.score) for one in there], changing, within=self.config.turns_within)
        talks = _talks(memories[one.id] for one in there)
        near = {one.id for one in sorted(there, key=lambda one: (-one.score, one.id))[:MOST_JUDGED]}
        judge = whose(self.question, self.tokens, (memories[one] for one in sorted(near)), self.directory)
        found = []
        for one in there:
            memory = memories[one.id]
            around = Circumstances(
                age=age.get(one.id),
                has_value=extract.has_value(memory, self.kind),
                senses=_senses(memory, talks),
                holder=HolderAgreement.UNKNOWN if judge is None or one.id not in near else judge(memory),
                talk=one.talk,
                changes=one.id in changing,
                standing=placed.get(one.id, ALONE),
                other_attitude=accept.other_attitude(memory, self.question),
            )
            found.append(self._candidate(one, memory, around, paths))
        ordered = sorted(found, key=lambda candidate: (-candidate.score, candidate.memory.id))
        return accept.judged(ordered, self.question, self.kind)

    def _candidate(
        self, one: Ranked, memory: Memory, around: Circumstances, paths: Mapping[MemoryId, tuple[Hop, ...]]
    ) -> Candidate:
        found = signals(memory, self.question, around)
        added = {name: round(self.config.by_signal[name] * value, 4) for name, value in found.items()}
        scores = Scores(
            dense=one.dense,
            lexical=one.lexical,
            late=one.late,
            uncovered=one.uncovered,
            overlap=overlap(memory.text, self.tokens),
            scaled=dict(one.scaled),
            lent=one.lent,
            signals=found,
            boosts={name: value for name, value in added.items() if value},
            holder=around.holder,
        )
        return Candidate(
            memory=memory,
            score=one.score + sum(added.values()),
            probability=0.0,  # judged once its rivals are known
            scores=scores,
            path=paths.get(one.id, ()),
        )


def _talks(memories: Iterable[Memory]) -> dict[str, Senses]:
    """The senses that the candidates of each conversation give its words."""
    said: dict[str, list[Sense]] = {}
    for memory in memories:
        if memory.conversation_id is not None:
            said.setdefault(memory.conversation_id, []).extend(memory.facts.senses)
    return {talk: told_senses(senses) for talk, senses in said.items()}


def _senses(memory: Memory, talks: Mapping[str, Senses]) -> Senses:
    """A memory's own senses; for words it leaves out, those its conversation gives them."""
    around = talks.get(memory.conversation_id, {}) if memory.conversation_id is not None else {}
    return {**around, **told_senses(memory.facts.senses)}
