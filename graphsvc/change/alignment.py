"""Two units of words laid side by side: which words both hold, and what is left over on each side.

Words of one stem are one word, and a verb and its object one that stand apart (参军, 参的军); a name is told by any of
its forms. Words that only say who vouches are left over on neither side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.change import words
from graphsvc.change.found import Found
from graphsvc.change.parting import same_talk
from graphsvc.change.reading import Reading
from graphsvc.change.units import Unit, units
from graphsvc.change.values import one_name
from graphsvc.models.answer import Value

_SHORTEST = 2
_COUNTER = "[张个只台部条间套份辆家位把本]"


@dataclass(frozen=True, slots=True)
class Aligned:
    """`shared` are the slot's words; `left` and `right` what is left over of the earlier and the later, verbs apart."""

    one: Unit
    other: Unit
    shared: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    verbs: tuple[tuple[str, ...], tuple[str, ...]]
    names: tuple[tuple[Value, ...], tuple[Value, ...]]

    @property
    def same_talk(self) -> bool:
        return same_talk(self.one.reading, self.other.reading)


def align(u: Unit, v: Unit, shared: tuple[str, ...]) -> Aligned:
    """The words of two units told apart into those both hold and those of one side only."""
    left, verbs = _left_over(u, v)
    right, others = _left_over(v, u)
    return Aligned(u, v, shared, left, right, (verbs, others), (_unshared(u, v), _unshared(v, u)))


def shared_words(u: Unit, v: Unit) -> tuple[str, ...]:
    mine, theirs = u.telling, v.telling
    shared = [a for a, b in words.pairs(mine, theirs) if a == b or min(len(a), len(b)) >= _SHORTEST]
    shared += [word for word in mine if len(word) >= _SHORTEST and _inside(word, v)]
    shared += [word for word in theirs if _split(word, u)]
    shared += [value.text.casefold() for value in u.names if value.text.casefold() in v.folded]
    return tuple(word for word in dict.fromkeys(shared) if _said_in_both(word, u, v))


def _said_in_both(word: str, u: Unit, v: Unit) -> bool:
    """Whether a shared word is no one-sided part of who vouches."""
    return (word in u.source) == (word in v.source) or not (u.source and v.source) or word not in u.source


def _inside(word: str, there: Unit) -> bool:
    return not word.isascii() and word in there.folded


def _split(word: str, there: Unit) -> bool:
    """Whether a verb and its object stand apart in the other: 参军 for 参的军."""
    if len(word) != _SHORTEST or word.isascii():
        return False
    if word[0] not in there.folded or word in there.folded:
        return False
    return re.search(rf"{word[0]}.?[的了过].{{0,2}}{word[1]}", there.folded) is not None


def _named_in(value: Value, there: Unit) -> bool:
    key = value.normalised or value.text
    return value.text.casefold() in there.folded or any(
        one_name(key, other.normalised or other.text) for other in there.names
    )


def _left_over(here: Unit, there: Unit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of one unit that the other lacks and nothing explains; verbs apart."""
    listed = [*there.words, *(name.text.casefold() for name in there.names)]
    vouching = here.source if here.source and there.source else ()
    over = [
        word
        for word in here.telling
        if word not in vouching and not (words.among(word, listed) or _inside(word, there))
    ]
    return tuple(word for word in over if word not in here.verbs), tuple(word for word in over if word in here.verbs)


def _unshared(here: Unit, there: Unit) -> tuple[Value, ...]:
    return tuple(
        value for value in here.names if not _named_in(value, there) and value.text.casefold() not in here.source
    )


def beyond(words_left: Sequence[str], value: Value) -> tuple[str, ...]:
    """The words left over outside of the value."""
    return tuple(word for word in words_left if word not in value.text.casefold())


def two_sources(u: Unit, v: Unit) -> bool:
    """Whether each names a source that the other does not."""
    return bool(set(u.source) - set(v.source) and set(v.source) - set(u.source))


def of_two_kinds(found: Found, one: Reading, other: Reading) -> bool:
    """Whether the later clause tells, by what stands before it, another one of the kind: 工资卡 and 还贷那张卡."""
    text = next((unit.text for unit in units(other) if unit.part is found.by), found.by.text)
    for word in found.part.words:
        if word.isascii() or len(word) < _SHORTEST:
            continue
        told = re.search(rf"(?P<which>[^，,。；;]{{2,8}})(?:的|[那这]{_COUNTER}){word[-1]}", text)
        if told is not None and not any(two in one.folded for two in _twos(told["which"])):
            return True
    return False


def _twos(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)]
