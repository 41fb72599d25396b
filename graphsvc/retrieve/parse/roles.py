"""Who wrote to whom: the role a question gives each named party and its own asker.

Rules are tried in order over the question in signs (`parties.py`); the first that speaks of a party
decides, and a role once given is not given again by a weaker rule. A verb of telling names its
addressee less surely than a verb of sending, so the asker gets no role as one who was told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphsvc.models.graph import EdgeType
from graphsvc.retrieve.parse import roles_en, roles_zh
from graphsvc.retrieve.parse.parties import ME, PARTY, WE, Signed, Span, signed

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-z]{2}", re.IGNORECASE)
_ONE = re.compile(PARTY)
_GROUPS = {"by": EdgeType.SENT_BY, "to": EdgeType.SENT_TO, "cc": EdgeType.CC_TO}


@dataclass(frozen=True, slots=True)
class Directions:
    """Roles by the place of a name, and those of the asker and of the asker's side."""

    names: Mapping[Span, EdgeType]
    me: EdgeType | None = None
    we: EdgeType | None = None


def directions(text: str, names: Sequence[Span] = (), times: Sequence[Span] = ()) -> Directions:
    """The roles that the words of a question give; `names` and `times` are spans of the text."""
    read = signed(text, names, times)
    if _ONE.search(read.text) is None:
        return Directions({})
    given = _given(read)
    return Directions(
        {place: given[sign] for sign, place in read.places.items() if sign in given}, given.get(ME), given.get(WE)
    )


def _given(read: Signed) -> dict[str, EdgeType]:
    given: dict[str, EdgeType] = {}
    rules = [
        *(roles_zh.RULES if _HAN.search(read.text) else ()),
        *(roles_en.RULES if _LATIN.search(read.text) else ()),
    ]
    for rule in rules:
        for found in rule.pattern.finditer(read.text):
            fresh = _of(found, told=rule.told)
            # Two senders in one question are two mails, and which one is asked for nobody said.
            if fresh and not set(fresh.values()) & set(given.values()) and not fresh.keys() & given.keys():
                given |= fresh
    return given


def _of(found: re.Match[str], *, told: bool) -> dict[str, EdgeType]:
    fresh: dict[str, EdgeType] = {}
    for group, parties in found.groupdict().items():
        if parties is None:
            continue
        for sign in _ONE.findall(parties):
            if not (told and group == "to" and sign in {ME, WE}):
                fresh[sign] = _GROUPS[group]
    return fresh
