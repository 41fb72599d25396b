"""Who `I`, `you`, `he` and an unspoken subject are at one place of a text.

A scene is carried from clause to clause: it remembers the last subject and the last people spoken of. A
third-person pronoun stands for the last subject it can agree with, else for the nearest person before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphsvc.language.claims import kin
from graphsvc.language.normalise import fold_key
from graphsvc.models.facts import Holder, HolderKind, Mention

_PERSONAL = frozenset({"person", "organisation"})
_GENDERS = {"he": "m", "his": "m", "she": "f", "her": "f", "她": "f"}
NOBODY = Holder(kind=HolderKind.GENERAL)
_POSSESSIVE = re.compile("['’]s?$")


def name_key(name: str) -> str:
    """The folded name, without the sign of possession a parser may leave on it."""
    return _POSSESSIVE.sub("", fold_key(name))


@dataclass(slots=True)
class Scene:
    """The people of one text, in the order they are spoken of."""

    text: str
    mentions: Sequence[Mention] = ()
    speaker: str | None = None
    subject: Holder | None = None
    people: list[Holder] = field(default_factory=list)
    reporter: Holder | None = None
    told: Holder | None = None
    _starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._starts = [mention.start for mention in self.mentions]

    def first(self) -> Holder:
        """`I`, or whose words are being quoted."""
        if self.reporter is not None:
            return self.reporter
        key = fold_key(self.speaker) if self.speaker else None
        return Holder(kind=HolderKind.SPEAKER, key=key)

    def second(self) -> Holder:
        """`you`: inside a quotation, whoever was spoken to."""
        if self.reporter is not None:
            return self.told or Holder(kind=HolderKind.OTHER)
        return Holder(kind=HolderKind.ADDRESSEE)

    def third(self, word: str, start: int, end: int, gender: str | None) -> Holder:
        """The person a pronoun at `start:end` stands for; the pronoun itself where no one fits."""
        candidates = [self.subject] if self.subject is not None else []
        for one in (*candidates, *reversed(self.people)):
            if one.kind is HolderKind.OTHER and one.start is not None and one.start < start and _agrees(one, gender):
                return one
        nearest = self._person_before(start)
        return nearest or Holder(kind=HolderKind.OTHER, text=word, start=start, end=end)

    def named(self, text: str, start: int, end: int) -> Holder:
        """A third party by name; the one who speaks when the name is theirs."""
        mention = self.mention_at(start, end)
        if mention is not None:
            text, start, end, key = mention.text, mention.start, mention.end, mention.key
        else:
            key = name_key(text)
        if self.speaker is not None and key == fold_key(self.speaker) and self.reporter is None:
            return self.first()
        return Holder(kind=HolderKind.OTHER, text=text, start=start, end=end, key=key)

    def related(self, text: str, start: int, end: int, *, relation: str, possessor: Holder | None) -> Holder:
        """Someone by their relation to another."""
        key = None if possessor is None else possessor.key or possessor.text
        return Holder(
            kind=HolderKind.OTHER,
            text=text,
            start=start,
            end=end,
            relation=relation,
            possessor=possessor.kind if possessor is not None else None,
            possessor_key=name_key(key) if key else None,
        )

    def mention_at(self, start: int, end: int) -> Mention | None:
        """The named person or organisation that overlaps a span."""
        for at in range(bisect_right(self._starts, start) - 1, len(self.mentions)):
            if at >= 0 and self.mentions[at].start >= end:
                break
            if at >= 0 and self.mentions[at].end > start and self.mentions[at].type in _PERSONAL:
                return self.mentions[at]
        return None

    def meet(self, holder: Holder) -> None:
        """Someone was spoken of."""
        if holder.kind is HolderKind.OTHER and holder.start is not None:
            self.people.append(holder)
            del self.people[:-8]

    def inside_quote(self, reporter: Holder, told: Holder | None) -> Scene:
        """The scene as whoever is quoted sees it."""
        return replace(self, reporter=reporter, told=told, subject=None)

    def without(self, one: Holder | None) -> Scene:
        """The scene with one person left out: whoever bids `him` bids somebody else."""
        if one is None or one.kind is not HolderKind.OTHER:
            return self
        people = [person for person in self.people if (person.start, person.key) != (one.start, one.key)]
        mentions = [mention for mention in self.mentions if mention.key != one.key and mention.start != one.start]
        return replace(self, people=people, mentions=mentions, subject=None)

    def _person_before(self, start: int) -> Holder | None:
        at = bisect_right(self._starts, start - 1) - 1
        for mention in reversed(self.mentions[max(0, at - 4) : at + 1]):
            if mention.type == "person":
                return self.named(mention.text, mention.start, mention.end)
        return None


def _agrees(holder: Holder, gender: str | None) -> bool:
    known = kin.gender(holder.relation) if holder.relation else _GENDERS.get((holder.text or "").lower())
    return gender is None or known is None or known == gender
