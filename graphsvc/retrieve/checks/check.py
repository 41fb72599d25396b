"""Run the three checks over what was accepted: it agrees, it is credible, it is complete.

Pure over the candidates it is given: no store, no model, no clock. What it finds missing it names, and says where
a second search should look; whoever calls it decides whether to search, and does so once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.models.answer import Candidate, Check, CheckName, Conflict
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks import wording
from graphsvc.retrieve.checks.agreement import Comparison, Relation, relations
from graphsvc.retrieve.checks.asked import asked_kind
from graphsvc.retrieve.checks.completeness import FollowUp, follow_ups, lacking
from graphsvc.retrieve.checks.credibility import Level, level, reliable
from graphsvc.retrieve.checks.premise import Premise, premise
from graphsvc.retrieve.checks.wording import MissingPart
from ontology.model import ValueKind

# Rivals further below the best than this, on the mixed scale, or beyond so many, are not about the same.
RIVALS_WITHIN = 0.5
MOST_RIVALS = 8


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks found; `evidence` are the accepted candidates, each conflicting rival behind them.

    `newer` are rivals that say of themselves that they replace an accepted one. `missing` is worded in the question's
    language.
    """

    evidence: tuple[Candidate, ...]
    conflicts: tuple[Conflict, ...] = ()
    checks: tuple[Check, ...] = ()
    missing: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    newer: tuple[MemoryId, ...] = ()

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)


def check(
    question: Question, accepted: Sequence[Candidate], rivals: Sequence[Candidate], *, kind: ValueKind | None = None
) -> Checked:
    """The three checks of accepted candidates, best first, against their near rivals.

    `kind` is the kind of value the query type asks for. Nothing accepted is nothing to check.
    """
    if not accepted:
        return Checked(evidence=())
    kind = asked_kind(question, kind)
    memories = [candidate.memory for candidate in accepted]
    near = _near(accepted, rivals)
    compared = relations(memories, [candidate.memory for candidate in near], question, kind)
    conflicts = _conflicts(compared, question)
    named = premise(question, memories[0], kind)
    agreeing = _agreeing(compared, memories[0])
    trusted = reliable(memories, lambda: [*memories, *agreeing], question)
    gaps = lacking(question, kind, memories)
    missing = [*gaps, *(() if trusted else (MissingPart.RELIABLE_SOURCE,))]
    return Checked(
        evidence=_with_rivals(accepted, near, conflicts),
        conflicts=conflicts,
        checks=(
            _agreement(question, memories, compared, conflicts, named),
            _credibility(question, memories, trusted=trusted),
            _completeness(question, memories, gaps),
        ),
        missing=tuple(wording.missing(part, question.language) for part in missing),
        follow_ups=follow_ups(question, gaps, accepted),
        newer=tuple(
            one.later.id for one in compared if one.relation is Relation.NEWER and one.earlier.id in _ids(memories)
        ),
    )


def _near(accepted: Sequence[Candidate], rivals: Sequence[Candidate]) -> list[Candidate]:
    """Rivals close to the best accepted one, best first, none of them accepted itself."""
    taken = {candidate.memory.id for candidate in accepted}
    floor = max(candidate.score for candidate in accepted) - RIVALS_WITHIN
    close = [one for one in rivals if one.memory.id not in taken and one.score >= floor]
    return sorted(close, key=lambda one: (-one.score, one.memory.id))[:MOST_RIVALS]


def _conflicts(compared: Sequence[Comparison], question: Question) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(
            left=one.earlier.id,
            right=one.later.id,
            reason=wording.conflict(_names(one, question), one.said, question.language),
        )
        for one in compared
        if one.relation is Relation.CONFLICT
    )


def _names(one: Comparison, question: Question) -> tuple[str, str]:
    first, second = (
        wording.source_name(memory, reporter, question.language)
        for memory, reporter in zip((one.earlier, one.later), one.reporters, strict=True)
    )
    return first, second


def _ids(memories: Sequence[Memory]) -> set[MemoryId]:
    return {memory.id for memory in memories}


def _agreeing(compared: Sequence[Comparison], best: Memory) -> list[Memory]:
    """The memories that say the same as the best accepted one."""
    pairs = [(one.earlier, one.later) for one in compared if one.relation is Relation.AGREES]
    return [b if a.id == best.id else a for a, b in pairs if best.id in {a.id, b.id}]


def _with_rivals(
    accepted: Sequence[Candidate], near: Sequence[Candidate], conflicts: Sequence[Conflict]
) -> tuple[Candidate, ...]:
    """Both sides of a conflict are shown."""
    disputed = {side for conflict in conflicts for side in (conflict.left, conflict.right)}
    return (*accepted, *(one for one in near if one.memory.id in disputed))


def _agreement(
    question: Question,
    memories: Sequence[Memory],
    compared: Sequence[Comparison],
    conflicts: Sequence[Conflict],
    named: Premise | None,
) -> Check:
    agreeing = _agreeing(compared, memories[0])
    details = [conflict.reason for conflict in conflicts]
    if named is not None and not named.holds:
        details.append(wording.premise(named.asked, named.said, question.language))
    looked_at = [*memories, *(one for pair in compared for one in (pair.earlier, pair.later))]
    return Check(
        name=CheckName.AGREEMENT,
        passed=not conflicts and (named is None or named.holds or named.asked_whether),
        detail=" ".join(details) or wording.agreed(len(agreeing), question.language),
        memories=tuple(dict.fromkeys(memory.id for memory in looked_at)),
    )


def _credibility(question: Question, memories: Sequence[Memory], *, trusted: bool) -> Check:
    best = max(memories, key=lambda memory: level(memory, question))
    name = wording.source_name(best, None, question.language)
    return Check(
        name=CheckName.CREDIBILITY,
        passed=trusted and level(best, question) is not Level.NOTHING,
        detail=wording.credible(name, passed=trusted, language=question.language),
        memories=tuple(memory.id for memory in memories),
    )


def _completeness(question: Question, memories: Sequence[Memory], gaps: Sequence[MissingPart]) -> Check:
    named = [wording.missing(part, question.language) for part in gaps]
    return Check(
        name=CheckName.COMPLETENESS,
        passed=not gaps,
        detail=wording.complete(named, question.language),
        memories=tuple(memory.id for memory in memories),
    )
