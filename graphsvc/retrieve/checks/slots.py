"""Whether two statements fill one slot: the same attribute of the same one, of the same period.

Names, codes, holders and periods that differ part them; so do words that stand on both sides and are not the
other's: "the deposit" beside "the total". Likeness of wording joins nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphsvc.language.aliases import could_be, name_variants
from graphsvc.language.change import CHANGE
from graphsvc.language.claims import agreement
from graphsvc.language.hanwords import is_word, word_class
from graphsvc.models.facts import Anchor, Claim, HolderAgreement, HolderKind, Language, Mention, TimeExpression
from graphsvc.models.question import Question
from graphsvc.retrieve.checks import words
from graphsvc.retrieve.checks.statements import Statement, asked_words
from graphsvc.retrieve.checks.values import is_dated, meet

_TYPES = ("person", "organisation", "place", "product")
_ANCHORED = frozenset({Anchor.ABSOLUTE, Anchor.SPEAKER})


def same_slot(one: Statement, other: Statement, question: Question, *, by_time: bool = True) -> bool:
    """`by_time` is off where a time itself is the value."""
    if other_thing(one, other, question, by_time=by_time):
        return False
    if across_languages(one, other):
        return _same_talk(one, other) and len(one.values) == len(other.values) == 1
    if words.PARTITIVE.search(one.text) or words.PARTITIVE.search(other.text):
        return False
    return _same_frame(one, other, question)


def other_thing(one: Statement, other: Statement, question: Question, *, by_time: bool = True) -> bool:
    """Whether names, codes, holders or periods say that the two speak of different ones."""
    return (
        _other_names(one, other)
        or _other_codes(one, other, question)
        or _other_holders(one, other)
        or (by_time and _other_period(one.periods, other.periods))
    )


def across_languages(one: Statement, other: Statement) -> bool:
    return {one.memory.language, other.memory.language} == {Language.ZH, Language.EN}


def _same_talk(one: Statement, other: Statement) -> bool:
    left, right = one.memory, other.memory
    return (left.conversation_id is not None and left.conversation_id == right.conversation_id) or (
        left.thread_root_id is not None and left.thread_root_id == right.thread_root_id
    )


def _same_frame(one: Statement, other: Statement, question: Question) -> bool:
    """Shared words carry both frames, and not each has a word of its own that stands against the other's."""
    own = words.apart(one.frame, other.around)
    others = words.apart(other.frame, one.around)
    if own and others:
        return False
    asked = asked_words(question.text)
    here, there = (words.shared(asked, side.whole) for side in (one, other))
    if here and there:
        joined = not (one.frame and other.frame) or words.shared(one.frame, other.around)
        return bool(joined) and bool(words.shared(here, there))
    # An unnamed subject goes on with what the talk is about: "in the register it is 3.9".
    return _same_talk(one, other) and bool(one.values and other.values)


def _other_names(one: Statement, other: Statement) -> bool:
    for kind in _TYPES:
        mine = {key for type_, key in one.names if type_ == kind}
        theirs = {key for type_, key in other.names if type_ == kind}
        if mine and theirs and not any(_one_name(a, b) for a in mine for b in theirs):
            # A name the other text holds too, whatever it was taken for, parts nothing.
            if any(a in other.memory.text.casefold() for a in mine) or any(
                b in one.memory.text.casefold() for b in theirs
            ):
                continue
            return True
    return False


def _one_name(one: str, other: str) -> bool:
    return one in other or other in one or bool(name_variants(one) & name_variants(other)) or could_be(one, other) > 0


def _other_codes(one: Statement, other: Statement, question: Question) -> bool:
    """Codes differ in one figure or they are the same; one that was asked for must not be another's."""
    if one.codes and other.codes:
        return not one.codes & other.codes
    asked = set(question.identifiers) | _codes(question.mentions)
    codes = one.codes | other.codes
    return bool(asked and codes and not codes & asked)


def _codes(mentions: Iterable[Mention]) -> set[str]:
    return {mention.key for mention in mentions if mention.type in {"identifier", "ip"}}


def _other_holders(one: Statement, other: Statement) -> bool:
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
        return None not in (one.holder.key, other.holder.key) and not _one_name(
            one.holder.key or "", other.holder.key or ""
        )
    return agreement(one, other) is HolderAgreement.DIFFERENT


def _other_period(mine: Sequence[TimeExpression], theirs: Sequence[TimeExpression]) -> bool:
    """Whether both name stretches of the calendar, and none of them meet."""
    dated, others = ([time for time in side if _is_stretch(time)] for side in (mine, theirs))
    return bool(dated and others) and not any(
        meet(a, b) or a.text.casefold() == b.text.casefold() for a in dated for b in others
    )


def _is_stretch(time: TimeExpression) -> bool:
    return time.anchor in _ANCHORED and is_dated(time) and (time.begin is not None or time.until is not None)


_MODIFIER = re.compile(r"\b(?:for|of|in|at)(?: (?:the|my|our|a|an|his|her|their))? (?P<of>[\w-]+)", re.IGNORECASE)


def swapped(earlier: Statement, later: Statement, question: Question) -> bool:
    """Whether a shared word has another modifier in each: 研发例会, 销售例会; the rent of the flat, of the garage.

    So does a subject that is new, where the one asked for is named in the earlier statement alone.
    """
    first, second = earlier.around, later.around
    common = words.pairs(first, second)
    if any(_modified_apart(earlier, a, later, b) for a, b in common):
        return True
    if _attributes_apart(earlier, later, common, question) or _modifiers_apart(earlier, later, common):
        return True
    return _new_subject(earlier, later, question)


def _modified_apart(earlier: Statement, word: str, later: Statement, same: str) -> bool:
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


def _modifiers_apart(earlier: Statement, later: Statement, common: Sequence[tuple[str, str]]) -> bool:
    one, other = earlier.memory.text, later.memory.text
    for a, b in common:
        mine, theirs = (
            re.search(rf"\b{re.escape(word)}\w* {_MODIFIER.pattern}", text, re.IGNORECASE)
            for word, text in ((a, one), (b, other))
        )
        if mine and theirs and not words.same_word(mine["of"].casefold(), theirs["of"].casefold()):
            return True
    return False


def _attributes_apart(
    earlier: Statement, later: Statement, common: Sequence[tuple[str, str]], question: Question
) -> bool:
    """Whether all that is shared is whose it is, and the later one's attribute is neither asked for nor the other's."""
    known = (*earlier.around, *asked_words(question.text))
    text = later.memory.text.casefold()
    owned = [re.search(rf"{re.escape(word)}(?:['’]s\s+|的)(?P<what>[^\W\d_]+)", text) for _, word in common]
    return bool(owned) and all(
        found is not None and not words.shared(words.content_words(found["what"])[:1], known) for found in owned
    )


_OPENING = re.compile(
    r"^\s*(?:(?:the|a|an|my|our|his|her|their|this|that|and|then|also)\s+|[那这该][个位]?)*", re.IGNORECASE
)


def _new_subject(earlier: Statement, later: Statement, question: Question) -> bool:
    asked = asked_words(question.text)
    missing = words.apart(words.shared(asked, earlier.around), later.around)
    return bool(later.frame and missing) and _heads(later, earlier, asked)


def _is_verb(word: str, side: Statement) -> bool:
    """By the dictionary in Chinese; in English where a claim has it as its predicate."""
    if not word.isascii():
        return is_word(word) and not word_class(word).startswith("n")
    text = side.memory.text.casefold()
    return any(
        claim.predicate is not None and text[slice(*claim.predicate)] == word for claim in side.memory.facts.claims
    )


def _heads(later: Statement, earlier: Statement, asked: Sequence[str]) -> bool:
    """Whether the later clause begins with a name or noun that neither the question nor the earlier text has."""
    head = later.frame[0]
    opening = _OPENING.sub("", later.text.casefold())
    if not opening.startswith(head) or CHANGE.search(head) or _is_verb(head, later):
        return False
    return not words.among(head, earlier.around) and not words.among(head, asked)
