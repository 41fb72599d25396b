"""Texts of a small language of changes, and the relation they have: what is told of slots, without any understanding.

"a=1; b=2" states slots, "cancel a" takes one away, "no, 2" sets the last statement of the talk right, "ignore my
last message" takes back the turn before it. Other texts state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.models.change import Change, ChangeKind, SlotStatement
from graphsvc.models.memory import Memory

_STATED = re.compile(r"(\w+)=(\w+)")
_RIGHT = re.compile(r"no, (\w+)")
_CANCELLED = re.compile(r"cancel (\w+)")
_IGNORED = "ignore my last message"


def statements(memory: Memory) -> tuple[SlotStatement, ...]:
    """One statement for each "slot=value"."""
    return tuple(
        SlotStatement(start=found.start(), end=found.end(), attribute=(found[1],), value=found[2])
        for found in _STATED.finditer(memory.text)
    )


def relation(earlier: Memory, later: Memory, *, between: Sequence[Memory] = ()) -> Change | None:
    """How one such text bears on another; the talk matters only for those that name no slot."""
    talk = earlier.conversation_id is not None and earlier.conversation_id == later.conversation_id
    if later.text == _IGNORED:
        whole = (0, len(earlier.text))
        return _change(ChangeKind.RETRACTS, earlier, later, whole, "last", whole=True) if talk and not between else None
    told = {one.attribute[0]: one for one in statements(earlier)}
    right = _RIGHT.fullmatch(later.text)
    if right is not None:
        if not told or not talk or any(statements(one) for one in between):
            return None
        last = list(told.values())[-1]
        return _change(
            ChangeKind.CORRECTS, earlier, later, (last.start, last.end), last.attribute[0], whole=len(told) == 1
        )
    cancelled = _CANCELLED.fullmatch(later.text)
    new = {one.attribute[0]: one.value for one in statements(later)}
    common = [one for slot, one in told.items() if slot in new or (cancelled and slot == cancelled[1])]
    if not common:
        return None
    changed = [one for one in common if cancelled or new[one.attribute[0]] != one.value]
    kind = ChangeKind.RETRACTS if cancelled else ChangeKind.SUPERSEDES if changed else ChangeKind.REPEATS
    spans = changed or common
    clause = (spans[0].start, spans[-1].end)
    return _change(kind, earlier, later, clause, spans[0].attribute[0], whole=len(changed) == len(told))


def _change(
    kind: ChangeKind, earlier: Memory, later: Memory, clause: tuple[int, int], slot: str, *, whole: bool
) -> Change:
    return Change(
        kind=kind,
        later=later.id,
        earlier=earlier.id,
        clause=clause,
        whole=whole,
        slot=slot,
        since=later.valid_from or later.event_time,
        rule="told",
    )
