"""Whether two statements fill one slot: the same attribute of the same one, of the same period.

Names, codes, holders and periods that differ part them; so do words that stand on both sides and are not the
other's: "the deposit" beside "the total". Likeness of wording joins nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphsvc.change import words
from graphsvc.change.parting import (
    across_languages,
    modified_apart,
    modifiers_apart,
    other_holders,
    other_names,
    other_period,
    same_talk,
)
from graphsvc.change.stated import Statement
from graphsvc.language.change import CHANGE
from graphsvc.language.hanwords import is_word, word_class
from graphsvc.models.facts import Mention
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.statements import asked_words


def same_slot(one: Statement, other: Statement, question: Question, *, by_time: bool = True) -> bool:
    """`by_time` is off where a time itself is the value."""
    if other_thing(one, other, question, by_time=by_time):
        return False
    if across_languages(one, other):
        return same_talk(one, other) and len(one.values) == len(other.values) == 1
    if words.PARTITIVE.search(one.text) or words.PARTITIVE.search(other.text):
        return False
    return _same_frame(one, other, question)


def other_thing(one: Statement, other: Statement, question: Question, *, by_time: bool = True) -> bool:
    """Whether names, codes, holders or periods say that the two speak of different ones."""
    return (
        other_names(one, other)
        or _other_codes(one, other, question)
        or other_holders(one, other)
        or (by_time and other_period(one.periods, other.periods))
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
    return same_talk(one, other) and bool(one.values and other.values)


def _other_codes(one: Statement, other: Statement, question: Question) -> bool:
    """Codes differ in one figure or they are the same; one that was asked for must not be another's."""
    if one.codes and other.codes:
        return not one.codes & other.codes
    asked = set(question.identifiers) | _codes(question.mentions)
    codes = one.codes | other.codes
    return bool(asked and codes and not codes & asked)


def _codes(mentions: Iterable[Mention]) -> set[str]:
    return {mention.key for mention in mentions if mention.type in {"identifier", "ip"}}


def swapped(earlier: Statement, later: Statement, question: Question) -> bool:
    """Whether a shared word has another modifier in each: 研发例会, 销售例会; the rent of the flat, of the garage.

    So does a subject that is new, where the one asked for is named in the earlier statement alone.
    """
    first, second = earlier.around, later.around
    common = words.pairs(first, second)
    if any(modified_apart(earlier, a, later, b) for a, b in common):
        return True
    if _attributes_apart(earlier, later, common, question) or modifiers_apart(earlier, later, common):
        return True
    return _new_subject(earlier, later, question)


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
