"""How a later memory bears on an earlier one: it supersedes, retracts, corrects, contradicts or repeats it.

Both must speak of one slot: words, names, holders, codes and periods that differ part them. A clause of change
without a subject of its own bears on the nearest statement of its talk that it can fill. What no rule finds, the sum of
the evidence may. A correction's `since` is
when it was made, not when the first was said: until then people acted on the first; the kind tells the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.change import words
from graphsvc.change.aligned import aligned
from graphsvc.change.alignment import of_two_kinds
from graphsvc.change.changed import changed
from graphsvc.change.elliptic import referred
from graphsvc.change.falls import whole_falls
from graphsvc.change.found import Found
from graphsvc.change.reading import Reading, read
from graphsvc.change.tied import joking
from graphsvc.change.weighed import RULE, unlikely, weighed
from graphsvc.change.withdrawn import withdrawn
from graphsvc.models.change import OVERTURNING, Change, ChangeKind
from graphsvc.models.memory import Memory

_MOST_BETWEEN = 6
_CHAINED = 0.9
# The rules that go by words in common; in those the sum may find a parting that they do not.
_BY_WORDS = frozenset({"aligned", "reworded", "replaced"})


def relate(earlier: Memory, later: Memory, *, between: Sequence[Memory] = ()) -> Change | None:
    """The relation of two memories, None where they are of different things.

    `earlier` is before `later` by validity, then id; `between` are the memories of the later one's talk between them.
    """
    if earlier.id == later.id or earlier.namespace != later.namespace:
        return None
    one, other = read(earlier), read(later)
    if joking(other):
        return None
    nearest = [
        read(memory) for memory in list(between)[::-1][:_MOST_BETWEEN] if memory.id not in (earlier.id, later.id)
    ]
    found = _direct(one, other)
    if found is not None and found.rule in _BY_WORDS and unlikely(one, other, len(between)):
        found = None
    if found is None and other.changing:
        found = referred(one, other, nearest) or _chained(one, other, nearest)
    found = found or _summed(one, other, nearest, len(between))
    if found is None:
        return None
    return Change(
        kind=found.kind,
        later=later.id,
        earlier=earlier.id,
        clause=found.part.span,
        whole=found.kind in OVERTURNING and _sure(found) and whole_falls(one, other, found),
        slot=found.slot,
        since=later.begins,
        rule=found.rule,
        certainty=found.certainty,
    )


def _sure(found: Found) -> bool:
    """What only adds up may be wrong once in twenty: it steers, and hides nothing."""
    return found.rule != RULE


def _summed(one: Reading, other: Reading, nearest: Sequence[Reading], between: int) -> Found | None:
    """What the evidence makes sure; of a turn that shares no word with any, only the nearest it may be of is meant."""
    found = weighed(one, other, between)
    if found is None or words.shared(found.by.words, one.words):
        return found
    return None if any(weighed(middle, other, at) is not None for at, middle in enumerate(nearest)) else found


def _direct(one: Reading, other: Reading) -> Found | None:
    found = changed(one, other)
    if found is not None and of_two_kinds(found, one, other):
        found = None
    return found or aligned(one, other) or withdrawn(one, other)


def _chained(one: Reading, other: Reading, nearest: Sequence[Reading]) -> Found | None:
    """What overturns what overturned it bears on it too, where both are of one slot."""
    for place, middle in enumerate(nearest):
        last = _direct(middle, other) or referred(middle, other, nearest[:place])
        if last is None or last.kind not in OVERTURNING:
            continue
        first = _direct(one, middle) or referred(one, middle, nearest[place + 1 :])
        if first is not None and first.kind in OVERTURNING and first.type is last.type:
            kind = ChangeKind.RETRACTS if last.kind is ChangeKind.RETRACTS else ChangeKind.SUPERSEDES
            return first.chained(kind, last, certainty=first.certainty * last.certainty * _CHAINED)
    return None
