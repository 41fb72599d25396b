"""The chains of memories in which each replaced the one before, as far as a question asks about what was replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.change import words
from graphsvc.language.change import CHANGE
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.change.asked import Sought, before_what
from graphsvc.retrieve.change.ties import Tie, Ties
from graphsvc.retrieve.checks.statements import asked_words

# A value of the kind asked for misses less of it than this; without the unit asked for it misses some.
SURELY = 0.5
# How far a memory holds what is asked, by the names of `Scores.fit`.
Fit = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Chain:
    """Memories of one matter, the earliest first, and the ties between them."""

    memories: tuple[Memory, ...]
    ties: tuple[Tie, ...]

    @property
    def ids(self) -> tuple[MemoryId, ...]:
        return tuple(one.id for one in self.memories)

    def in_force(self, moment: datetime) -> tuple[MemoryId, ...]:
        """Those that held at a moment: begun by then, replaced by nothing that had begun; the latest first."""
        replaced = {tie.earlier for tie in self.ties if tie.since <= moment}
        begun = {tie.later for tie in self.ties if tie.since <= moment}
        begun |= {one.id for one in self.memories if one.begins <= moment}
        return tuple(one.id for one in reversed(self.memories) if one.id in begun - replaced)

    def sought(self, sought: Sought, moment: datetime, text: str, best: MemoryId) -> tuple[MemoryId, ...]:
        """Those that the question asks for, best first; none where the chain does not reach there."""
        if sought is Sought.REASON:
            return self._overturning(best)
        if sought is Sought.FIRST:
            return self.ids[:1]
        if sought is Sought.PREVIOUS:
            return self._before(self._change_named(text) or self.in_force(moment))
        return self.in_force(moment)

    def _overturning(self, best: MemoryId) -> tuple[MemoryId, ...]:
        """What first replaced the best, and so may say why; the best where it tells of a change itself."""
        if any(tie.later == best for tie in self.ties):
            return (best,)
        if any(one.id == best and CHANGE.search(one.text) for one in self.memories):
            return ()
        replaced_by = {tie.later for tie in self.ties if tie.earlier == best}
        return tuple(one for one in self.ids if one in replaced_by)[:1]

    def _before(self, after: Sequence[MemoryId]) -> tuple[MemoryId, ...]:
        """What the first of some replaced last."""
        replaced = {tie.earlier for tie in self.ties if after and tie.later == after[0]}
        return tuple(one for one in reversed(self.ids) if one in replaced)[:1]

    def _change_named(self, text: str) -> tuple[MemoryId, ...]:
        """The memory that tells of the change before which the question looks, by words that it alone has."""
        told = words.content_words(before_what(text))
        if not told:
            return ()
        later = [one for one in self.memories if any(tie.later == one.id for tie in self.ties)]
        counted = {one.id: len(words.shared(told, words.content_words(one.text))) for one in later}
        most = max(counted.values(), default=0)
        best = [one for one, count in counted.items() if count == most]
        return tuple(best) if most and len(best) == 1 else ()


def chains(
    ties: Ties, question: Question, candidates: Sequence[Candidate], *, of_the_change: bool = False
) -> list[Chain]:
    """The chains about what the question asks, each memory in one of them.

    A question about the change itself asks of any at its best candidate, where its words touch none.
    """
    fits = {one.memory.id: one.scores.fit for one in candidates if one.scores.fit}
    asked = [one for one in ties.overturning if _asked_of(one, ties.memories, question, fits)]
    if of_the_change and candidates:
        best = candidates[0].memory.id
        asked = (
            asked if any(best in tie.ends for tie in asked) else [tie for tie in ties.overturning if best in tie.ends]
        )
    groups: list[set[MemoryId]] = []
    for tie in asked:
        joined = [group for group in groups if group & tie.ends]
        groups = [group for group in groups if not group & tie.ends]
        groups.append(set(tie.ends).union(*joined))
    return [
        Chain(
            tuple(sorted((ties.memories[one] for one in group), key=lambda one: (one.begins, one.event_time, one.id))),
            tuple(tie for tie in ties.overturning if tie.ends <= group),
        )
        for group in groups
    ]


def _asked_of(tie: Tie, memories: Mapping[MemoryId, Memory], question: Question, fits: Mapping[MemoryId, Fit]) -> bool:
    """Whether the question asks of what fell: of anything of a memory that fell whole, else of the slot alone.

    What else a memory says that fell in part still stands: of that the later one says nothing, so it has to hold the
    kind of value asked for, or as many of the question's words, unless all of them that the earlier one holds are of
    what fell. In one talk a value of the kind asked for is enough: a turn seldom says its slot again.
    """
    if tie.whole:
        return True
    earlier, later = fits.get(tie.earlier, {}), fits.get(tie.later, {})
    if not of_slot(tie, question):
        return _same_talk(tie, memories) and _gives(later)
    if tie.kind is EdgeType.RETRACTS:
        return True
    missing = later.get("kind_missing")
    if missing is not None:
        return missing < 1.0
    if (later.get("covered") or 0.0) >= (earlier.get("covered") or 0.0):
        return True
    return _same_talk(tie, memories) and _nothing_else(tie, memories[tie.earlier], question)


def _same_talk(tie: Tie, memories: Mapping[MemoryId, Memory]) -> bool:
    talks = {memories[end].conversation_id for end in tie.ends}
    return len(talks) == 1 and None not in talks


def _gives(fit: Fit) -> bool:
    """Whether a memory holds a value of the kind asked for; no where no kind is."""
    missing = fit.get("kind_missing")
    return missing is not None and missing < SURELY


def _nothing_else(tie: Tie, earlier: Memory, question: Question) -> bool:
    """Whether the question touches nothing of the earlier memory but what fell."""
    held = words.shared(asked_words(question.text), words.content_words(earlier.text))
    return bool(held) and not words.apart(held, words.content_words(tie.slot or ""))


def of_slot(tie: Tie, question: Question) -> bool:
    """Whether the question's words touch what an edge of change is about."""
    return not tie.slot or bool(words.shared(asked_words(question.text), words.content_words(tie.slot)))
