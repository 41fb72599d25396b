"""Whom a given name of two Han characters means: those known by a full name that a surname makes of it.

Full names are asked for, not guessed at: every surname is set before the two characters and the names there are come
back. What is also a common word is left alone unless a reader took it for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from graphsvc.language.hanwords import cut, is_common_word
from graphsvc.language.normalise import HAN
from graphsvc.language.surnames import COMPOUND_SURNAMES, NAMELESS, SURNAMES
from graphsvc.models.facts import Mention
from graphsvc.models.graph import Entity
from graphsvc.retrieve.parse.namesakes import Lookup
from graphsvc.retrieve.parse.parties import Span

_TWO = re.compile(f"[{HAN}]{{2}}")
_RUN = re.compile(f"[{HAN}]{{2,}}")
_NAMED = frozenset({"person", "organisation"})
_PERSON = "person"
# A question names few people; each stretch costs as many keys as there are surnames.
_MOST = 4
# Characters that stand between names and are none.
_FUNCTION = frozenset(
    "我你您他她它咱的地得了着过是在有没不给和跟与及同把被对向从到由让叫请就也都还又再很太这那哪什么谁几吗呢吧啊多少要会能想去来"
)
_FULL = tuple(sorted({*SURNAMES, *COMPOUND_SURNAMES}))


def given_names(text: str, mentions: Sequence[Mention], taken: Iterable[Span]) -> list[Span]:
    """Where a question may call somebody by a given name: mentions first, then words no dictionary has."""
    closed = list(taken)
    spans = [(one.start, one.end) for one in mentions if one.type in _NAMED]
    for run in _RUN.finditer(text):
        spans += _unlisted(run.group(), run.start())
    fresh = [one for one in dict.fromkeys(spans) if _TWO.fullmatch(text[slice(*one)]) and not _covered(one, closed)]
    return [one for one in fresh if text[slice(*one)] not in NAMELESS][:_MOST]


def _unlisted(run: str, at: int) -> list[Span]:
    """Two characters that are no common word, cut as one word or as two of one character each."""
    found, single = list[Span](), False
    for word in cut(run):
        if len(word) == 2 and not is_common_word(word):
            found.append((at, at + 2))
        alone = len(word) == 1 and word not in _FUNCTION
        if alone and single:
            found.append((at - 1, at + 1))
        single, at = alone, at + len(word)
    return found


def bearers_by_given(given: Sequence[str], lookup: Lookup) -> Mapping[str, tuple[Entity, ...]]:
    """People whose full name is a surname and one of these given names; of several, all."""
    if not given:
        return {}
    keys = {surname + name: name for name in given for surname in _FULL}
    found: dict[str, dict[str, Entity]] = {}
    for entity in lookup(sorted(keys)):
        for alias in entity.aliases:
            if entity.type == _PERSON and alias in keys:
                found.setdefault(keys[alias], {})[entity.id] = entity
    return {name: tuple(entities.values()) for name, entities in found.items()}


def _covered(span: Span, closed: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in closed)
