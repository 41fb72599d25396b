"""Whether anything an earlier memory says still stands once one of its clauses has fallen.

A clause falls along when it only comments on the fallen one: it opens with a pronoun or has no word of its own, or
the later memory takes it up too, or what was taken back is the thing it hangs on.
"""

from __future__ import annotations

import re

from graphsvc.change import words
from graphsvc.change.found import Found
from graphsvc.change.reading import Cue, Part, Reading
from graphsvc.models.facts import HolderKind

_HANGS = re.compile(
    r"^\s*(?:它们?|他们?|她们?|这|那|其|所以|因为|因此|so |because |it |they |that |which |this |he |she )",
    re.IGNORECASE,
)
_NAMED = frozenset({"person", "organisation", "place", "product"})
_BESIDE = re.compile(
    r"\b(?:with|by|at|in|from)\s+(?:(?:mr|mrs|ms|dr|the|our)\.?\s+)?$|[跟和在找由请]\s*$", re.IGNORECASE
)
_ALSO = re.compile(r"也|还|另外|\balso\b|\btoo\b|\bas well\b", re.IGNORECASE)


def whole_falls(one: Reading, other: Reading, found: Found) -> bool:
    """Whether every other clause of the earlier memory falls with the one found."""
    taken = Cue.TAKEN_BACK in found.by.cues
    if _in_part(found) if found.pair is None else _says_more(one, other, found):
        return False
    return all(_falls(part, found, other, taken=taken) for part in one.parts if part is not found.part)


def _in_part(found: Found) -> bool:
    """Whether only a part of what the clause says is taken back: the pill of the evening, of those twice a day."""
    by = found.by
    values = [value for value in by.values if by.new is None or value.start < by.new[0]]
    mine, holders = found.part.values, {claim.holder.start for claim in by.claims}
    return any(
        value.start not in holders and not any(one.text.casefold() == value.text.casefold() for one in mine)
        for value in values
    )


def _says_more(one: Reading, other: Reading, found: Found) -> bool:
    """Whether the clause holds another value too, of which the later memory does not speak."""
    pair, part = found.pair, found.part
    holders = {claim.holder.start for claim in part.claims}
    text = one.memory.text
    for value in part.values:
        if pair is None or value.start == pair.earlier.start or value.start in holders:
            continue
        if value.text.casefold() in other.folded or pair.earlier.start <= value.start < pair.earlier.end:
            continue
        if value.type not in _NAMED or _BESIDE.search(text[max(0, value.start - 10) : value.start]):
            return True
    return False


def _falls(part: Part, found: Found, other: Reading, *, taken: bool) -> bool:
    if not part.words and not part.values:
        return True
    if part.place == 0 and found.part.place == 1 and not part.claims and not part.values:
        return True  # a heading before its colon
    if part.words and not words.apart(part.words, other.words) and not part.values:
        return True
    if _other_holder(part, found.part):
        return False
    if _HANGS.match(part.text) and not part.values:
        return True
    after = part.sentence == found.part.sentence and part.place > found.part.place
    return taken and after and not _ALSO.search(part.text)


def _other_holder(part: Part, fallen: Part) -> bool:
    """Whether a clause names somebody as its own whom the fallen one does not."""
    own = {claim.holder.key or claim.holder.relation for claim in part.claims if claim.holder.kind is HolderKind.OTHER}
    theirs = {claim.holder.key or claim.holder.relation for claim in fallen.claims}
    return bool(own - {None} - theirs)
