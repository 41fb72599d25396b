"""What speaks for and against two memories filling one slot with two values, told as numbers that add up.

No number decides alone. Each is of a closed class: the talk, who speaks, words and names in common or left over,
values that can fill one slot, words of change, what opens the later turn. None knows a topic. Those that take long to
tell speak against only, so that they are asked last and only where all else speaks for a change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.change import words
from graphsvc.change.alignment import Aligned, align, shared_words
from graphsvc.change.fills import Filled, filled, tells
from graphsvc.change.found import type_of
from graphsvc.change.parting import modified_apart, same_talk
from graphsvc.change.reading import Cue, Part, Reading
from graphsvc.change.tied import DESIGNATED, other_talk, parted, stated
from graphsvc.change.units import explained, units
from graphsvc.change.values import one_name
from graphsvc.language.change import DENIED, UNCHANGED, VOUCHED
from graphsvc.models.answer import Value
from graphsvc.models.change import ValueType
from ontology.model import ValueKind

NAMED = frozenset({"person", "organisation", "place", "product"})
_CODES = frozenset({"identifier", "ip", "phone", "email", "url"})
_TWO, _FEW, _BARE, _LONG = 2, 4, 6, 12
# Where a clause's first word may stand after an article or a title.
_AT_START = 5
_TIME_LESS = 0.6


@dataclass(frozen=True, slots=True)
class Evidence:
    """`quick` and, on asking, `slow` numbers by name; `part` and `by` are the clauses meant, `pair` what differs.

    `apart` are all values that differ, `same` whether any value is told in both.
    """

    one: Reading
    other: Reading
    quick: Mapping[str, float]
    part: Part
    by: Part
    pair: Filled | None
    apart: tuple[Filled, ...]
    shared: tuple[str, ...]
    same: bool

    def slow(self) -> dict[str, float]:
        """The numbers that only speak against: what is left over, what parts the two clauses."""
        pair, q, p = self.pair, self.part, self.by
        fit = _fit(self.one, self.other, q, p)
        left, right = (0, 0) if fit is None else (_beyond(fit.left, pair, 0), _beyond(fit.right, pair, 1))
        names = 0 if fit is None else sum(pair is None or v.start != pair.earlier.start for v in fit.names[0])
        return {
            "right": _part_of(right, _FEW),
            "both_left": _part_of(min(left, right), _TWO),
            "names_left": _part_of(names, _TWO),
            "parted": float(parted(self.one, q, self.other, p, pair)),
            "designators_apart": _told_apart(_designators(self.one, q), _designators(self.other, p)),
            "modifiers_apart": float(_modified(q, p)),
            "codes_apart": self._codes_apart(),
            "times_apart": _told_apart(_times(self.one, pair, 0), _times(self.other, pair, 1)),
        }

    def _codes_apart(self) -> float:
        """Whether the codes differ and are not all that does: two invoices, each with its sum."""
        codes = [
            {v.normalised or v.text for part in r.parts for v in part.values if v.type in _CODES}
            for r in (self.one, self.other)
        ]
        alone = len(self.apart) == 1 and type_of(self.apart[0].earlier) is ValueType.IDENTIFIER
        return 0.0 if alone else _told_apart(*codes)


@dataclass(frozen=True, slots=True)
class _Side:
    """What of a reading is put forward as so: its clauses, their words and values."""

    parts: tuple[Part, ...]
    words: tuple[str, ...]
    values: tuple[Value, ...]
    names: tuple[Value, ...]
    mentioned: frozenset[str]
    cues: frozenset[Cue]


@lru_cache(maxsize=4096)
def _side(reading: Reading) -> _Side:
    parts = tuple(part for part in reading.parts if stated(part))
    text = reading.memory.text
    return _Side(
        parts,
        tuple(dict.fromkeys(word for part in parts for word in part.words if not explained(word))),
        tuple(v for part in parts for v in part.values if v.type not in NAMED and tells(v, text, part.span)),
        tuple(v for part in parts for v in part.values if v.type in NAMED),
        frozenset(m.key for m in reading.memory.facts.mentions if m.type in NAMED),
        frozenset(cue for part in parts for cue in part.cues),
    )


def evidence(one: Reading, other: Reading, between: int = 0) -> Evidence | None:
    """What speaks for one slot, `between` turns lying between the two; None where nothing does at all."""
    mine, theirs = _side(one), _side(other)
    if not (mine.parts and theirs.parts):
        return None
    shared = _shared(mine, theirs, one)
    pairs = filled(one.memory, mine.values, other.memory, theirs.values, bare=True) + _names(one, mine, other, theirs)
    apart = tuple(pair for pair in pairs if not pair.same)
    if not (shared or apart or theirs.cues):
        return None
    pair, q, p = _meant(mine, theirs, apart)
    numbers = {
        **_of_talk(one, other, between),
        **_of_words(mine, theirs, one, other, shared),
        **_of_values((mine, theirs), (one, other), pair, apart),
        **_of_cues(mine, theirs, one, other),
    }
    talk, differ, cue = numbers["talk"], numbers["differ"], float(bool(theirs.cues - {Cue.NOW}))
    quick = {
        **numbers,
        "talk_differ": talk * differ,
        "talk_differ_bare": talk * differ * numbers["bare"],
        "talk_cue": talk * cue,
        "talk_denied": talk * numbers["denied"],
        "shared_differ": numbers["shared"] * differ,
        "far_shared": (1.0 - talk) * numbers["shared"],
        "cue_differ": cue * differ,
        "taken_shared": float(Cue.TAKEN_BACK in theirs.cues and bool(shared)),
        "right_bare": numbers["put_right"] * numbers["bare"] * talk,
        "subject_pair": float(
            pair is not None
            and max(pair.earlier.start - q.span[0], pair.later.start - p.span[0]) < _AT_START
            and bool(p.words)
        ),
        "other_kind": float(not pairs and bool(_values(mine)) and bool(_values(theirs))),
    }
    return Evidence(one, other, quick, q, p, pair, apart, shared, len(apart) < len(pairs))


def _of_talk(one: Reading, other: Reading, between: int) -> dict[str, float]:
    talk = same_talk(one, other)
    mouths = (one.memory.sender, other.memory.sender)
    return {
        "talk": float(talk),
        "far": float(other_talk(one, other)),
        "near": 1.0 / (1.0 + between) if talk else 0.0,
        "one_mouth": float(mouths[0] is not None and mouths[0] == mouths[1]),
        "two_mouths": float(None not in mouths and mouths[0] != mouths[1]),
    }


def _of_words(mine: _Side, theirs: _Side, one: Reading, other: Reading, shared: Sequence[str]) -> dict[str, float]:
    named = any(key in other.folded for key in mine.mentioned) or any(key in one.folded for key in theirs.mentioned)
    opening, opened = (next(iter(side.words), None) for side in (theirs, mine))
    return {
        "shared": _part_of(len(shared), _FEW),
        "of_earlier": len(words.shared(mine.words, theirs.words)) / max(1, len(mine.words)),
        "all_of_earlier": float(not words.apart(mine.words, theirs.words)),
        "names_apart": float(bool(mine.mentioned and theirs.mentioned) and not named),
        "bare": max(0.0, 1.0 - len(theirs.words) / _BARE),
        "length": _part_of(len(other.words), _LONG),
        "earlier_parts": _part_of(len(one.parts), _BARE),
        "unstated": 1.0 - len(theirs.parts) / len(other.parts),
        "supposed_before": 1.0 - len(mine.parts) / len(one.parts),
        "foreign": _part_of(len(words.apart(theirs.parts[0].words, mine.words)), _FEW),
        "first_foreign": float(opening is not None and not _holds(one, mine, opening)),
        "first_shared": float(opening is not None and opened is not None and words.same_word(opening, opened)),
    }


def _of_values(
    sides: tuple[_Side, _Side], ends: tuple[Reading, Reading], pair: Filled | None, apart: Sequence[Filled]
) -> dict[str, float]:
    (mine, theirs), (one, other) = sides, ends
    kind = None if pair is None else type_of(pair.earlier)
    old = any(len(v.text) > 1 and v.text.casefold() in other.folded for v in _values(mine) if v.type not in NAMED)
    sources = all(VOUCHED.search(reading.memory.text) for reading in ends)
    return {
        "differ": float(pair is not None),
        "one_of_each": float(pair is not None and _count(mine, pair.earlier) == 1 == _count(theirs, pair.later)),
        "time": float(kind is ValueType.TIME),
        "amount": float(kind is ValueType.AMOUNT),
        "code": float(kind is ValueType.IDENTIFIER),
        "named": float(kind in (ValueType.PERSON, ValueType.PLACE)),
        "old_named": float(old or any(part.old is not None and part.old in one.folded for part in theirs.parts)),
        "many_apart": float(len({x.earlier.type for x in apart}) > 1),
        "vouched_differ": float(sources and pair is not None),
    }


def _of_cues(mine: _Side, theirs: _Side, one: Reading, other: Reading) -> dict[str, float]:
    changing = [part for part in theirs.parts if part.changes]
    return {
        "replaced": float(Cue.REPLACED in theirs.cues),
        "taken_back": float(Cue.TAKEN_BACK in theirs.cues),
        "put_right": float(Cue.PUT_RIGHT in theirs.cues),
        "now": float(Cue.NOW in theirs.cues),
        "cue_foreign": float(
            any(part.topic and not any(_holds(one, mine, word) for word in part.topic) for part in changing)
        ),
        "subject_foreign": float(any(part.subject and not _holds(one, mine, part.subject[-1]) for part in changing)),
        "unchanged": float(UNCHANGED.search(other.memory.text) is not None),
        "denied": float(
            any(
                DENIED.search(part.text) and any(_holds(one, mine, word) for word in part.words if len(word) > 1)
                for part in theirs.parts
            )
        ),
    }


def _shared(mine: _Side, theirs: _Side, one: Reading) -> tuple[str, ...]:
    found = [word for word, _ in words.pairs(theirs.words, mine.words)]
    found += [word for word in theirs.words if len(word) > 1 and not word.isascii() and word in one.folded]
    return tuple(dict.fromkeys(found))


def _holds(one: Reading, mine: _Side, word: str) -> bool:
    return word in one.folded or words.among(word, mine.words)


def _names(one: Reading, mine: _Side, other: Reading, theirs: _Side) -> tuple[Filled, ...]:
    """The one name of each side that the other lacks."""
    left = [v for v in mine.names if v.text.casefold() not in other.folded]
    right = [v for v in theirs.names if v.text.casefold() not in one.folded]
    if not len(left) == 1 == len(right) or left[0].type != right[0].type:
        return ()
    same = one_name(left[0].text.casefold(), right[0].text.casefold())
    return () if same else (Filled(left[0], right[0], same=False),)


def _meant(mine: _Side, theirs: _Side, apart: Sequence[Filled]) -> tuple[Filled | None, Part, Part]:
    """The clauses most likely meant, of values that differ those in clauses that share most words; a date least."""
    if apart:
        placed = [(pair, _place(mine, pair.earlier), _place(theirs, pair.later)) for pair in apart]
        return max(placed, key=lambda x: _near(x[1], x[2]) - _TIME_LESS * (x[0].earlier.type == ValueKind.TIME.value))
    q, p = max(((q, p) for q in mine.parts for p in theirs.parts), key=lambda x: _near(*x))
    return None, q, p


def _near(q: Part, p: Part) -> float:
    return len(words.shared(p.words, q.words)) + 0.5 * bool(p.cues)


def _place(side: _Side, value: Value) -> Part:
    return next((p for p in side.parts if p.span[0] <= value.start < p.span[1]), side.parts[0])


def _values(side: _Side) -> tuple[Value, ...]:
    return tuple(value for part in side.parts for value in part.values)


def _count(side: _Side, value: Value) -> int:
    return sum(one.type == value.type for one in _values(side))


def _part_of(count: int, most: int) -> float:
    return min(count, most) / most


def _fit(one: Reading, other: Reading, q: Part, p: Part) -> Aligned | None:
    fits = (align(u, v, shared_words(u, v)) for u in units(one) if u.part is q for v in units(other) if v.part is p)
    return max(fits, key=lambda fit: len(fit.shared), default=None)


def _beyond(over: Sequence[str], pair: Filled | None, side: int) -> int:
    text = "" if pair is None else (pair.earlier, pair.later)[side].text.casefold()
    return sum(word not in text for word in over)


def _told_apart(some: set[str], others: set[str]) -> float:
    return float(bool(some and others) and not some & others)


def _designators(reading: Reading, part: Part) -> set[str]:
    times = reading.memory.facts.times
    found = DESIGNATED.finditer(reading.memory.text, *part.span)
    return {m.group().casefold() for m in found if not any(time.start <= m.start() < time.end for time in times)}


def _times(reading: Reading, pair: Filled | None, side: int) -> set[str]:
    """The times that are no value: of which period each speaks."""
    taken = None if pair is None else (pair.earlier, pair.later)[side].start
    kind = ValueKind.TIME.value
    return {v.text.casefold() for v in _values(_side(reading)) if v.type == kind and v.start != taken}


def _modified(q: Part, p: Part) -> bool:
    common = words.pairs(q.told.frame, p.told.frame)
    return any(
        modified_apart(q.told, one, p.told, other)
        for one, other in common
        if one in q.told.around and other in p.told.around
    )
