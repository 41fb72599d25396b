"""The three checks, told what the edges of change already know: what one replaced is no rival, what disputes it is.

Two memories tied as contradicting, both still standing, are a conflict where the question asks about what they
disagree on; two of which one replaced the other never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphsvc.change import words
from graphsvc.models.answer import Candidate, Check, CheckName, Conflict
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.change.asked import OF_ALL, OF_THE_CHANGE
from graphsvc.retrieve.change.chain import of_slot
from graphsvc.retrieve.change.succession import Succeeded
from graphsvc.retrieve.change.ties import Tie
from graphsvc.retrieve.checks import wording
from graphsvc.retrieve.checks.check import Checked, check
from graphsvc.retrieve.checks.statements import asked_words
from ontology.model import ValueKind

# Two that contradict each other and are both among so many of the best are what is asked about.
_FIRST = 3


def whole_chain(change: Succeeded) -> tuple[Candidate, ...]:
    """All of the chain, the earliest first, where the question asks whether or how often it changed."""
    if change.sought not in OF_ALL or change.chain is None:
        return ()
    there = {one.memory.id: one for one in change.candidates}
    return tuple(there[one] for one in change.chain.ids if one in there)


def examine(question: Question, accepted: Sequence[Candidate], change: Succeeded, kind: ValueKind) -> Checked:
    """The checks of accepted candidates, best first, among all candidates of their search."""
    told = whole_chain(change)
    if told and accepted and {one.memory.id for one in accepted} <= {one.memory.id for one in told}:
        # Of those that replaced each other the last is what is checked; the others are shown as what it replaced.
        checked = check(question, told[-1:], (), kind=kind)
        return replace(checked, evidence=tuple(told))
    settled = _settled(change, [one.memory.id for one in accepted])
    rivals = [one for one in change.candidates if one.memory.id not in settled]
    checked = check(question, accepted, rivals, kind=kind)
    disputed = () if change.sought in OF_THE_CHANGE else _disputes(question, accepted, change)
    return _with_disputes(checked, disputed, question, change) if disputed else checked


def _settled(change: Succeeded, accepted: Sequence[MemoryId]) -> set[MemoryId]:
    """Those that replaced an accepted one, or were replaced by it."""
    return {
        end for tie in change.ties.overturning if tie.ends & set(accepted) for end in tie.ends if end not in accepted
    }


def _disputes(question: Question, accepted: Sequence[Candidate], change: Succeeded) -> tuple[Tie, ...]:
    """The contradictions at the accepted ones that nothing has settled, about what is asked."""
    there = {one.memory.id: one for one in change.candidates}
    ended = frozenset() if change.moment is None else change.ties.ended(change.moment)
    ids = {one.memory.id for one in accepted}
    first = {one.memory.id for one in change.candidates[:_FIRST]}
    return tuple(
        tie
        for tie in change.ties.contradicting
        if tie.ends & ids and tie.ends <= there.keys() and not tie.ends & ended
        if not any(tie.ends == other.ends for other in change.ties.overturning)
        if _asks(tie, there, question, both_first=tie.ends <= first)
    )


def _asks(tie: Tie, there: dict[MemoryId, Candidate], question: Question, *, both_first: bool) -> bool:
    """Whether the question asks about what two memories disagree on: both hold what is asked for, and its words."""
    sides = [there[end] for end in (tie.earlier, tie.later)]
    if {one.scores.fit.get("kind_missing") for one in sides} >= {0.0, 1.0}:
        return False
    asked = asked_words(question.text)
    if any(_names_others(one.memory, question) for one in sides):
        return False
    near = any(words.shared(asked, words.content_words(one.memory.text)) for one in sides)
    return near and (both_first or of_slot(tie, question))


def _names_others(memory: Memory, question: Question) -> bool:
    """Whether the question names an identifier that a memory does not: what differs in one digit is another thing."""
    there = {mention.key for mention in memory.facts.mentions}
    return any(one not in there for one in question.identifiers)


def _with_disputes(checked: Checked, disputed: Sequence[Tie], question: Question, change: Succeeded) -> Checked:
    there = {one.memory.id: one for one in change.candidates}
    known = {frozenset((one.left, one.right)) for one in checked.conflicts}
    added = tuple(_conflict(tie, there, question) for tie in disputed if tie.ends not in known)
    conflicts = (*checked.conflicts, *added)
    shown = dict.fromkeys(one.memory.id for one in checked.evidence)
    shown |= dict.fromkeys(side for one in added for side in (one.left, one.right))
    return replace(
        checked,
        evidence=tuple(there.get(one) or _of(checked, one) for one in shown),
        conflicts=conflicts,
        checks=tuple(_failed(one, added) if one.name is CheckName.AGREEMENT else one for one in checked.checks),
    )


def _of(checked: Checked, memory: MemoryId) -> Candidate:
    return next(one for one in checked.evidence if one.memory.id == memory)


def _conflict(tie: Tie, there: dict[MemoryId, Candidate], question: Question) -> Conflict:
    left, right = there[tie.earlier].memory, there[tie.later].memory
    sources = tuple(wording.source_name(one, None, question.language) for one in (left, right))
    return Conflict(
        left=left.id,
        right=right.id,
        reason=wording.conflict((sources[0], sources[1]), (left.text, right.text), question.language),
    )


def _failed(agreement: Check, added: Sequence[Conflict]) -> Check:
    if not added:
        return agreement
    reasons = [one.reason for one in added] if agreement.passed else [agreement.detail, *(one.reason for one in added)]
    looked_at = (*agreement.memories, *(side for one in added for side in (one.left, one.right)))
    return agreement.model_copy(
        update={"passed": False, "detail": " ".join(reasons), "memories": tuple(dict.fromkeys(looked_at))}
    )
