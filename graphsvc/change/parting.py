"""What parts two statements: other names, other holders, other periods, another modifier before a shared word.

Each is told from the two statements alone. Where one side leaves a thing unsaid, nothing is parted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from graphsvc.change import words
from graphsvc.change.stated import Statement
from graphsvc.change.values import is_stretch, meet, one_name
from graphsvc.language.claims import agreement
from graphsvc.models.facts import Claim, HolderAgreement, HolderKind, Language, TimeExpression
from graphsvc.models.memory import Memory

_TYPES = ("person", "organisation", "place", "product")
_MODIFIER = re.compile(r"\b(?:for|of|in|at)(?: (?:the|my|our|a|an|his|her|their))? (?P<of>(?!\d)[\w-]+)", re.IGNORECASE)


def across_languages(one: Statement, other: Statement) -> bool:
    return {one.memory.language, other.memory.language} == {Language.ZH, Language.EN}


class Said(Protocol):
    """Anything that is said in a memory."""

    @property
    def memory(self) -> Memory: ...


def same_talk(one: Said, other: Said) -> bool:
    """Whether both are of one conversation or thread."""
    left, right = one.memory, other.memory
    return (left.conversation_id is not None and left.conversation_id == right.conversation_id) or (
        left.thread_root_id is not None and left.thread_root_id == right.thread_root_id
    )


def other_names(one: Statement, other: Statement) -> bool:
    for kind in _TYPES:
        mine = {key for type_, key in one.names if type_ == kind}
        theirs = {key for type_, key in other.names if type_ == kind}
        if mine and theirs and not any(one_name(a, b) for a in mine for b in theirs):
            # A name the other text holds too, whatever it was taken for, parts nothing.
            if any(a in other.memory.text.casefold() for a in mine) or any(
                b in one.memory.text.casefold() for b in theirs
            ):
                continue
            return True
    return False


def other_holders(one: Statement, other: Statement) -> bool:
    """Whether every pair of holders the two clauses name is of different people."""
    pairs = [(a, b) for a in one.holders for b in other.holders]
    if any(_spoken_of(a, other) or _spoken_of(b, one) for a, b in pairs):
        return False
    return bool(pairs) and all(_different(a, b) for a, b in pairs)


def _spoken_of(claim: Claim, side: Statement) -> bool:
    """Whether the other text names a claim's holder as well."""
    key = claim.holder.key
    return claim.holder.kind is HolderKind.OTHER and key is not None and key in side.memory.text.casefold()


def _different(one: Claim, other: Claim) -> bool:
    kinds = {one.holder.kind, other.holder.kind}
    if one.holder.kind is other.holder.kind is HolderKind.SPEAKER:
        return None not in (one.holder.key, other.holder.key) and one.holder.key != other.holder.key
    if HolderKind.SPEAKER in kinds and not (one.holder.relation or other.holder.relation):
        # A person spoken of by name may be the one who speaks.
        return None not in (one.holder.key, other.holder.key) and not one_name(
            one.holder.key or "", other.holder.key or ""
        )
    return agreement(one, other) is HolderAgreement.DIFFERENT


def other_period(mine: Sequence[TimeExpression], theirs: Sequence[TimeExpression]) -> bool:
    """Whether both name stretches of the calendar, and none of them meet."""
    dated, others = ([time for time in side if is_stretch(time)] for side in (mine, theirs))
    return bool(dated and others) and not any(
        meet(a, b) or a.text.casefold() == b.text.casefold() for a in dated for b in others
    )


def modified_apart(earlier: Statement, word: str, later: Statement, same: str) -> bool:
    left, right = _before(earlier.around, word), _before(later.around, same)
    if left is None or right is None or words.among(left, later.around) or words.among(right, earlier.around):
        return False
    return _beside(left, word, earlier) and _beside(right, same, later)


def _before(frame: Sequence[str], word: str) -> str | None:
    place = frame.index(word)
    return frame[place - 1] if place else None


def _beside(left: str, word: str, side: Statement) -> bool:
    """Whether one word stands right before another, as a modifier does."""
    return re.search(rf"{re.escape(left)}(?:的|'s|\s)?\s*{re.escape(word)}", side.memory.text.casefold()) is not None


def modifiers_apart(
    earlier: Statement, later: Statement, common: Sequence[tuple[str, str]], values: Sequence[str] = ()
) -> bool:
    """Whether a shared word is told apart by what follows it: "the key for the shed"; `values` do not count."""
    one, other = earlier.memory.text, later.memory.text
    for a, b in common:
        mine, theirs = (
            re.search(rf"\b{re.escape(word)}\w* {_MODIFIER.pattern}", text, re.IGNORECASE)
            for word, text in ((a, one), (b, other))
        )
        if mine and theirs and any(side["of"].casefold() in value for side in (mine, theirs) for value in values):
            continue
        if mine and theirs and not words.same_word(mine["of"].casefold(), theirs["of"].casefold()):
            return True
    return False


def same_source(first: Statement, second: Statement) -> bool:
    """Whether one mouth said both: the sender, or the one quoted; in a talk of nobody named, nobody's two lines."""
    if first.source is not None and second.source is not None:
        return first.source == second.source
    if first.source is None and second.source is None:
        return first.memory.document_type == second.memory.document_type
    # One line quotes somebody, the other does not say who speaks: two mouths only where a source is quoted.
    return first.reporter is None and second.reporter is None
