"""From a hit to what else is of its day: "what did the council decide on the day of the opening?"

The question dates nothing, and what it asks for says nothing of the opening: only the day ties the two together. A
memory is of a day when it names the day, in whatever wording, or was said on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphsvc.encoding.base import FloatArray
from graphsvc.language.segment import query_tokens
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.store.base import Selection, Store
from graphsvc.store.filters import Op, both, compare

# How many memories with most of a date's words are read for whether they name it, and how many said on it.
MOST_NAMING = 24
MOST_SAID = 8
_A_DAY = timedelta(days=1)
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Day:
    """A day as a half-open window [`begin`, `until`), and how it was written where it was."""

    begin: datetime
    until: datetime
    written: str = ""

    def holds(self, begin: datetime, until: datetime) -> bool:
        """Whether a stretch of time of a day or less falls on it."""
        return until - begin <= _A_DAY and begin < self.until and self.begin < until

    @property
    def wordings(self) -> tuple[str, ...]:
        """How a memory may write it: as it was written, and in full in each language."""
        at = self.begin
        full = (f"{at.year}年{at.month}月{at.day}日", f"{at.day} {_MONTHS[at.month - 1]} {at.year}")
        return tuple(dict.fromkeys(wording for wording in (self.written, *full) if wording))


def day_of(memory: Memory) -> Day:
    """The first day a memory speaks of, else the day it was said on."""
    for time in sorted(memory.facts.times, key=lambda time: time.start):
        if time.begin is not None and time.until is not None and time.until - time.begin <= _A_DAY:
            begin = _midnight(time.begin)
            return Day(begin, begin + _A_DAY, memory.text[time.start : time.end])
    begin = _midnight(memory.event_time)
    return Day(begin, begin + _A_DAY)


def of_day(memory: Memory, day: Day) -> bool:
    """Whether a memory names a day, or was said on it."""
    named = ((time.begin, time.until) for time in memory.facts.times)
    return day.begin <= memory.event_time < day.until or any(
        begin is not None and until is not None and day.holds(begin, until) for begin, until in named
    )


def same_day(
    store: Store,
    namespace: str,
    selection: Selection,
    seeds: Sequence[Memory],
    vector: FloatArray,
    *,
    known: Collection[MemoryId],
) -> tuple[Memory, ...]:
    """For each day of the seeds one memory of it that is not yet `known`, in the order of the seeds.

    First comes what is most about the day by its words, then what was said on it and is nearest to `vector`.
    """
    found: dict[MemoryId, Memory] = {}
    for day in dict.fromkeys(day_of(seed) for seed in seeds):
        for memory in _candidates(store, namespace, selection, day, vector):
            if memory.id not in known and memory.id not in found:
                found[memory.id] = memory
                break
    return tuple(found.values())


def _candidates(store: Store, namespace: str, selection: Selection, day: Day, vector: FloatArray) -> Iterator[Memory]:
    for wording in day.wordings:
        naming = [hit.id for hit in store.match(selection, query_tokens(wording), MOST_NAMING)]
        yield from (one for one in _loaded(store, namespace, naming) if of_day(one, day))
    on_it = both(compare("event_time", Op.GTE, day.begin), compare("event_time", Op.LT, day.until))
    said = store.select(namespace, on_it, within=selection)
    if said.count:
        yield from _loaded(store, namespace, [hit.id for hit in store.nearest(said, vector, MOST_SAID)])


def _loaded(store: Store, namespace: str, ids: Sequence[MemoryId]) -> list[Memory]:
    """The memories in the order of their ids; one deleted meanwhile is left out."""
    there = {memory.id: memory for memory in store.get(namespace, ids)}
    return [there[one] for one in ids if one in there]


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
