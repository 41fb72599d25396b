"""Values that are no name, amount, time or code: any words that stand together where the value would.

On each side all that is left over stands in one piece, with no word of the slot between; a change word beside the
later one says that it takes the other's place. A designator (gate B14, 2号楼) is such a value too.
"""

from __future__ import annotations

import re

from graphsvc.change.alignment import Aligned
from graphsvc.change.fills import Filled
from graphsvc.change.reading import Cue
from graphsvc.change.tied import DESIGNATED
from graphsvc.change.units import Unit, explained
from graphsvc.models.answer import Value

OPEN = "open"
_AFTER_LINK = re.compile(r"(?:[在到去为是至往]|\b(?:in|at|from|to|on|is|are)(?: the)?)\s*$", re.IGNORECASE)
_MERELY_NEW = re.compile(r"新|\bnew\b", re.IGNORECASE)
_FEWEST_ELSEWHERE = 2


def open_pair(fit: Aligned, cues: frozenset[Cue]) -> Filled | None:
    """The words left over on both sides as a pair of values, or the designators that differ; else None."""
    u, v = fit.one, fit.other
    designated = _designated(u, v)
    if designated is not None:
        return designated
    if cues == {Cue.NOW} and _MERELY_NEW.search(v.text):
        return None
    if len(fit.shared) < _FEWEST_ELSEWHERE and not fit.same_talk:
        return None
    loosely = fit.same_talk and Cue.PUT_RIGHT in cues
    left = _block(u, fit.left, fit.names[0], fit.shared, loosely=loosely)
    right = _block(v, fit.right, fit.names[1], fit.shared, loosely=loosely)
    if left is None or right is None:
        return None
    return Filled(left, right, same=False)


def _designated(u: Unit, v: Unit) -> Filled | None:
    found = [
        [made for part in unit.parts for made in DESIGNATED.finditer(unit.reading.memory.text, *part.span)]
        for unit in (u, v)
    ]
    if len(found[0]) != 1 or len(found[1]) != 1:
        return None
    (one,), (other,) = found
    text, later = u.reading.memory.text, v.reading.memory.text
    if one.group().casefold() == other.group().casefold() or _head(one, text) != _head(other, later):
        return None
    if not _AFTER_LINK.search(text[max(0, one.start() - 10) : one.start()]):
        return None
    return Filled(_value(text, *one.span()), _value(later, *other.span()), same=False)


def _head(found: re.Match[str], text: str) -> str:
    return found.group().split()[0].casefold() if found["en"] else text[found.end() : found.end() + 1]


def _block(
    unit: Unit, left: tuple[str, ...], names: tuple[Value, ...], shared: tuple[str, ...], *, loosely: bool
) -> Value | None:
    if not (left or names) or len(names) > 1:
        return None
    text = unit.reading.memory.text
    rest = [one for one in unit.placed if one[0] in left]
    placed = [(one[1], one[2]) for one in rest if unit.part.span[0] <= one[1] < unit.part.span[1]]
    if len(placed) != len(rest):
        return None
    placed += [(name.start, name.end) for name in names]
    start, end = min(one[0] for one in placed), max(one[1] for one in placed)
    if any(start <= at < end and word in shared for word, at, _ in unit.placed):
        return None
    if any(value.start >= start or not _touches(text, value, start) for value in unit.values):
        return None
    before = [word for word, at, _ in unit.placed if at < start and not explained(word)]
    before += [word for word in shared if text.startswith(word, start)]  # 坐地铁 as one word
    if not (before or loosely or unit.part.changes):
        return None
    return _value(text, start, end)


def _touches(text: str, value: Value, start: int) -> bool:
    return not text[value.end : start].strip()


def _value(text: str, start: int, end: int) -> Value:
    return Value(type=OPEN, text=text[start:end], start=start, end=end, normalised=text[start:end].casefold())
