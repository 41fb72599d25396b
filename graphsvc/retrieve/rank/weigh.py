"""From ranked ids to candidates: add to each what agrees or disagrees with the question, and order them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.language.change import speaks_of_change
from graphsvc.models.answer import Candidate, Hop, Scores
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import HolderAgreement, Sense
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.config import RankingConfig
from graphsvc.retrieve.extract.fit import Fit, fit
from graphsvc.retrieve.extract.values import has_value
from graphsvc.retrieve.extract.wanted import Asks
from graphsvc.retrieve.rank.ageing import aged
from graphsvc.retrieve.rank.attend import Attention, Measures
from graphsvc.retrieve.rank.mix import Ranked
from graphsvc.retrieve.rank.overlap import overlap
from graphsvc.retrieve.rank.signals import Circumstances, Senses, ages, other_attitude, signals, told_senses
from graphsvc.retrieve.rank.talks import ALONE, standings
from graphsvc.retrieve.rank.whose import whose
from graphsvc.store.directory import Directory
from ontology.model import ValueKind

# Whose fact it is, and whether it holds what is asked, cost half a millisecond a candidate; further down they would
# change no answer.
MOST_JUDGED = 24
_TEXTS_KEPT = 8_192


@dataclass(frozen=True, slots=True)
class Weighing:
    """One question's measure for all its candidates."""

    question: Question
    kind: ValueKind
    tokens: tuple[str, ...]
    config: RankingConfig
    directory: Directory
    prefers: Callable[[Memory], bool]
    attention: Attention | None = None

    def candidates(
        self,
        ranked: Sequence[Ranked],
        memories: Mapping[MemoryId, Memory],
        paths: Mapping[MemoryId, tuple[Hop, ...]],
    ) -> tuple[Candidate, ...]:
        """Candidates best first, ties by id; one deleted since it was ranked is left out."""
        there = sorted((one for one in ranked if one.id in memories), key=lambda one: (-one.score, one.id))
        around = self._around(there, memories)
        fits = {key: one.fit for key, one in around.items() if one.fit is not None}
        met = self.attention.measures([memories[key] for key in fits], fits) if self.attention is not None else {}
        found = [self._candidate(one, memories[one.id], around[one.id], paths, met.get(one.id, {})) for one in there]
        return tuple(sorted(found, key=lambda candidate: (-candidate.score, candidate.memory.id)))

    def _around(self, there: Sequence[Ranked], memories: Mapping[MemoryId, Memory]) -> dict[MemoryId, Circumstances]:
        """What is known of each beside its text."""
        scored = [(memories[one.id], one.score) for one in there]
        age = ages(scored, margin=self.config.rivals_within)
        changing = frozenset(memory.id for memory, _ in scored if _speaks_of_change(memory.text))
        placed = standings(scored, changing, within=self.config.turns_within)
        talks = _talks(memory for memory, _ in scored)
        near = frozenset(one.id for one in there[:MOST_JUDGED])
        judge = whose(self.question, self.tokens, (memories[one] for one in sorted(near)), self.directory)
        return {
            one.id: Circumstances(
                age=age.get(one.id),
                aged=aged(memories[one.id], self.question, self.config.ageing),
                has_value=has_value(memories[one.id], self.kind),
                senses=_senses(memories[one.id], talks),
                holder=judge(memories[one.id]) if judge is not None and one.id in near else HolderAgreement.UNKNOWN,
                other_attitude=other_attitude(memories[one.id], self.question),
                talk=one.talk,
                changes=one.id in changing,
                standing=placed.get(one.id, ALONE),
                in_session=self.prefers(memories[one.id]),
                fit=fit(memories[one.id], self.question) if one.id in near else None,
            )
            for one in there
        }

    def _candidate(
        self,
        one: Ranked,
        memory: Memory,
        around: Circumstances,
        paths: Mapping[MemoryId, tuple[Hop, ...]],
        met: Measures,
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
            fit={} if around.fit is None else _measures(around.fit) | met,
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


@lru_cache(maxsize=_TEXTS_KEPT)
def _speaks_of_change(text: str) -> bool:
    return speaks_of_change(text)


def _measures(found: Fit) -> dict[str, float | None]:
    """What a decision looks at, by the names of its features."""
    return {
        "covered": found.covered,
        "bound": found.slot_bound,
        "kind_missing": None if found.kind_present is None else 1.0 - found.kind_present,
        "focus_missing": found.uncovered_focus,
        "substituted": found.substituted,
        "contrast": found.contrast,
        "worth": found.worth,
        "clause_share": found.clause_share,
        "others_covered": found.others_covered,
        "asks_reason": float(found.asks is Asks.REASON),
    }


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
