"""Two statements laid side by side: the words both hold are the slot, what is left over on each side is its value.

They speak of one slot when what is left over is only values of one type, or explained: grammar, verbs on one side, who
vouches for it, the kind of the value. Where more is left over on both sides, they speak of two attributes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.change.alignment import Aligned, align, beyond, shared_words, two_sources
from graphsvc.change.changed import holds
from graphsvc.change.fills import Filled, filled, tells
from graphsvc.change.found import Found
from graphsvc.change.open_value import open_pair
from graphsvc.change.parting import same_source, same_talk
from graphsvc.change.reading import Cue, Reading
from graphsvc.change.tied import other_talk, parted
from graphsvc.change.units import Unit, explained, units
from graphsvc.language.change import BESIDE, GONE_BY
from graphsvc.models.answer import Value
from graphsvc.models.change import ChangeKind
from graphsvc.models.facts import HolderKind, Polarity
from ontology.model import ValueKind

_HAPPENED = re.compile(
    r"了(?![解，,。；;！!])(?=.)|过(?!程|期|敏)|\b(?!(?:need|bed|red|seed|speed|weed|feed|shed|embed|hundred|based|used|called|named|located)\b)[a-z]{3,}ed\b"
    r"|\b(?:ran|ate|drank|paid|spent|bought|sold|went|got|had|came|did|saw|met|took|gave|won|lost|made|sent|slept)\b",
    re.IGNORECASE,
)
# Before a value that stands alone in its slot: where one is, works or lives, what one is called.
_SINGLE = re.compile(
    r"(?:[在是为叫归由找]|\b(?:is|are|am|in|at|from|for|called|with|has had))\s*(?:the |mr |mrs |ms |dr )?\.?\s*$",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    r"由|接任|接替|接手|接管|继任|\b(?:tak(?:e|es|en)|took) over\b|\breplac|\bsucceed|\bsteps? in\b", re.IGNORECASE
)
# From when something holds, and how often it comes round, are no value of another slot.
_STARTS = re.compile(r"起$|^每.$|^(?:since|as of|as from|from|starting)\b", re.IGNORECASE)
_FIGURE = re.compile(r"[\d一二三四五六七八九十百]")
_ONLY = re.compile(r"只(?!是|要)|\bonly\b|\bjust\b", re.IGNORECASE)
# The items of a list say too little each to be told apart by their words.
_FEW_PARTS = 3
_MOST_PARTS = 4
_SHORTEST = 2


def aligned(one: Reading, other: Reading) -> Found | None:
    """The surest relation between a statement of `other` and one of `one` that fill one slot."""
    found = [
        made
        for v in units(other)
        for u in units(one)
        if any(stem in v.folded for stem in u.stems) or (u.source and v.source)
        for made in (_of(u, v),)
        if made is not None
    ]
    return max(found, key=lambda made: made.certainty, default=None)


def _of(u: Unit, v: Unit) -> Found | None:
    shared = shared_words(u, v)
    if not (shared or (u.source and v.source)):
        return None
    fit = align(u, v, shared)
    if not _speaks_of_one(fit):
        return _two_mouths(fit)
    cues = _worded(v)
    pairs = _typed(u, v)
    apart = [pair for pair in pairs if not pair.same] + _named(fit, cues)
    if not apart:
        pair = _narrowed(u, v, pairs) or (open_pair(fit, cues) if cues else None)
        apart = [] if pair is None else [pair]
    if len(apart) > 1:
        return None
    if not apart:
        return _repeated(fit, pairs)
    pair = apart[0]
    if _parted(fit, pair):
        return None
    return _changed(fit, pair, cues) if cues else _told_anew(fit, pair)


def _speaks_of_one(fit: Aligned) -> bool:
    """Whether the shared words say which attribute it is, not only whose."""
    holders = {
        name.casefold()
        for unit in (fit.one, fit.other)
        for part in unit.parts
        for claim in part.claims
        for name in (claim.holder.key, claim.holder.relation)
        if name is not None and claim.holder.kind is HolderKind.OTHER
    }
    holders |= {name.text.casefold() for name in fit.one.names if name.type == "person"}
    telling = [word for word in fit.shared if word not in holders]
    if not telling or GONE_BY.search(fit.other.text) or GONE_BY.search(fit.one.text):
        return False
    return any(len(word) >= _SHORTEST for word in telling)


def _worded(v: Unit) -> frozenset[Cue]:
    """How the unit, or the short memory it is part of, is worded as a change."""
    parts = v.reading.parts if len(v.reading.parts) <= _MOST_PARTS else v.parts
    cues = frozenset(cue for part in parts for cue in part.cues)
    return cues - {Cue.TAKEN_BACK}


def _typed(u: Unit, v: Unit) -> tuple[Filled, ...]:
    one, other = u.reading.memory, v.reading.memory
    mine, theirs = (
        [
            one
            for part in unit.parts
            for one in part.values
            if one in unit.values and not _STARTS.search(one.text) and tells(one, text, part.span)
        ]
        for unit, text in ((u, one.text), (v, other.text))
    )
    return filled(one, mine, other, theirs, bare=True)


def _named(fit: Aligned, cues: frozenset[Cue]) -> list[Filled]:
    """The one name of each side that the other lacks, where neither is whose fact it is."""
    left, right = fit.names
    if Cue.PUT_RIGHT in cues and not left and not right and len(fit.one.names) == len(fit.other.names) == 1:
        left, right = fit.one.names, fit.other.names  # one name, written anew
        if left[0].text.casefold() == right[0].text.casefold():
            return []
    over = bool(_TAKES_OVER.search(fit.other.text))
    if over and not (left and right):
        left = _bearers(fit.one) or _told_from(fit)
        right = right or _bearers(fit.other)
        if [value.text for value in left] == [value.text for value in right]:
            return []
    if len(left) != 1 or len(right) != 1:
        return []
    if not over and (_is_subject(fit.one, left[0]) or _is_subject(fit.other, right[0])):
        return []
    return [Filled(left[0], right[0], same=False)]


def _bearers(unit: Unit) -> tuple[Value, ...]:
    """Who has the role a unit speaks of: the subject of its clause."""
    holders = [claim.holder for claim in unit.part.claims if claim.holder.kind is HolderKind.OTHER]
    return tuple(
        Value(type="person", text=one.key, start=one.start, end=one.start + len(one.key), normalised=one.key)
        for one in holders[:1]
        if one.key is not None and one.start is not None
    )


def _told_from(fit: Aligned) -> tuple[Value, ...]:
    """The name, in the earlier text, of the one the later says it is taken over from."""
    text, start = fit.one.reading.memory.text, fit.one.part.span[0]
    named = [name for name in fit.other.names if name.text.casefold() in fit.one.folded]
    places = [(name, text.casefold().find(name.text.casefold(), start)) for name in named]
    return tuple(
        Value(type=name.type, text=name.text, start=at, end=at + len(name.text), normalised=name.normalised)
        for name, at in places[:1]
        if at >= 0
    )


def _is_subject(unit: Unit, value: Value) -> bool:
    text = unit.reading.memory.text
    start = next((part.span[0] for part in unit.parts if part.span[0] <= value.start < part.span[1]), 0)
    leaned = text[start : value.start].strip().casefold()
    if leaned in ("", "是", "it's", "it is", "that's"):
        return not leaned and (unit.part.span[0] != value.start or len(unit.parts) == 1)
    return any(claim.holder.start == value.start for part in unit.parts for claim in part.claims)


def _narrowed(u: Unit, v: Unit, pairs: Sequence[Filled]) -> Filled | None:
    """Of several values only one is left: "只有周五"."""
    same = [pair for pair in pairs if pair.same]
    if not same or not _ONLY.search(v.text):
        return None
    kind = same[0].earlier.type
    rest = [value for value in u.values if value.type == kind and value != same[0].earlier]
    return Filled(rest[0], same[0].later, same=False) if len(rest) == 1 else None


def _parted(fit: Aligned, pair: Filled) -> bool:
    u, v = fit.one, fit.other
    sources = (u.vouched, v.vouched) if two_sources(u, v) else (None, None)
    q = next((part for part in u.parts if part.span[0] <= pair.earlier.start < part.span[1]), u.part)
    one, other = u.reading, v.reading
    mine = (q,) if q is u.part else (q, u.part)
    return _denied(fit) or any(parted(one, a, other, b, pair, vouched=sources) for a in mine for b in v.parts)


def _two_mouths(fit: Aligned) -> Found | None:
    """One source after the other in one talk, the second with hardly more than its value."""
    u, v = fit.one, fit.other
    if not (fit.same_talk and two_sources(u, v)) or max(len(u.reading.parts), len(v.reading.parts)) > _FEW_PARTS:
        return None
    own = [word for word, at, _ in v.placed if v.part.span[0] <= at and word not in v.source and not explained(word)]
    pairs = _typed(u, v)
    if own or not pairs or any(pair.same for pair in pairs) or len(pairs) > 1:
        return None
    if parted(u.reading, u.part, v.reading, v.part, pairs[0], vouched=(u.vouched, v.vouched)):
        return None
    return Found(ChangeKind.CONTRADICTS, u.part, v.part, "two sources", 0.7, _slot(fit), pairs[0])


def _denied(fit: Aligned) -> bool:
    """Whether one of the two is said to be so, and the other not to be so."""
    said = [
        {claim.polarity for claim in unit.part.claims if unit.part.span[0] <= claim.start}
        for unit in (fit.one, fit.other)
    ]
    return (said[0] == {Polarity.NEGATED}) != (said[1] == {Polarity.NEGATED}) and bool(said[0] and said[1])


def _slot(fit: Aligned) -> str:
    return " ".join(fit.shared)


def _repeated(fit: Aligned, pairs: Sequence[Filled]) -> Found | None:
    loose = fit.same_talk and not (fit.left and fit.right)
    if not pairs or fit.names[0] or fit.names[1] or not (loose or not (fit.left or fit.right)):
        return None
    if _parted(fit, pairs[0]) or not _told_enough(fit):
        return None
    return Found(ChangeKind.REPEATS, fit.one.part, fit.other.part, "aligned", 0.5, _slot(fit), pairs[0])


def _told_enough(fit: Aligned) -> bool:
    return not other_talk(fit.one.reading, fit.other.reading) or len(fit.shared) > 1


def _changed(fit: Aligned, pair: Filled, cues: frozenset[Cue]) -> Found | None:
    """Worded as a change: in one talk one side may say more of the slot, elsewhere a single word of it."""
    left, right = beyond(fit.left, pair.earlier), beyond(fit.right, pair.later)
    more = len(left) + len(right)
    if (left and right) or (more and not fit.same_talk and not (len(fit.shared) > 1 and more == 1)):
        return None
    if any(
        part.old is not None and _FIGURE.search(part.old) and not holds(fit.one.reading.folded, part.old)
        for part in fit.other.parts
    ):
        return None
    if not _told_enough(fit) or (BESIDE.search(fit.other.text) and Cue.PUT_RIGHT not in cues):
        return None
    kind = ChangeKind.CORRECTS if Cue.PUT_RIGHT in cues else ChangeKind.SUPERSEDES
    return Found(kind, fit.one.part, fit.other.part, "aligned", 0.75, _slot(fit), pair)


def _told_anew(fit: Aligned, pair: Filled) -> Found | None:
    """Without a word of change: only what holds one value at a time, and all else said must be the same."""
    u, v = fit.one, fit.other
    if fit.left or fit.right or (fit.verbs[0] and fit.verbs[1]):
        return None
    if not _told_enough(fit) or len(u.reading.parts) > _FEW_PARTS or len(v.reading.parts) > _FEW_PARTS:
        return None
    if BESIDE.search(v.text) or BESIDE.search(u.text):
        return None
    strong = len(fit.shared) > 1 or not (u.weak_source or v.weak_source)
    if strong and two_sources(u, v):
        return Found(ChangeKind.CONTRADICTS, u.part, v.part, "two sources", 0.8, _slot(fit), pair)
    if _HAPPENED.search(u.text) or _HAPPENED.search(v.text):
        return None
    if _dated_events(fit, pair):
        return None
    if pair in _named(fit, frozenset()) and not _stands_alone(u, pair.earlier):
        return None
    if not same_source(u.part.told, v.part.told):
        return Found(ChangeKind.CONTRADICTS, u.part, v.part, "two sources", 0.8, _slot(fit), pair)
    return Found(ChangeKind.SUPERSEDES, u.part, v.part, "aligned", 0.7, _slot(fit), pair)


def _dated_events(fit: Aligned, pair: Filled) -> bool:
    """Whether two notes of no talk each begin with a date: entries of a log, none of which moves another."""
    u, v = fit.one, fit.other
    if pair.earlier.type != ValueKind.TIME.value or same_talk(u.reading, v.reading):
        return False
    return pair.earlier.start == u.parts[0].span[0] and pair.later.start == v.parts[0].span[0]


def _stands_alone(u: Unit, value: Value) -> bool:
    return _SINGLE.search(u.reading.memory.text[max(0, value.start - 16) : value.start]) is not None
