"""What the upkeep of a namespace found, or did: repeats to merge, memories that expired."""

from __future__ import annotations

from graphsvc.models.base import MemoryId, Moment, Namespace, Record

# The origin of the edge by which a kept memory ends one that was merged into it; nothing changed by it.
CONSOLIDATED = "consolidated"


class RepeatGroup(Record):
    """Memories that say the same: `kept` stays, `merged` give way to it at `since`, earliest first."""

    kept: MemoryId
    merged: tuple[MemoryId, ...]
    since: Moment


class ConsolidationPlan(Record):
    """The groups of a namespace, by the id of what each keeps."""

    namespace: Namespace
    groups: tuple[RepeatGroup, ...] = ()


class Consolidated(Record):
    """What was merged, and the groups of the plan that no longer hold because something changed since."""

    namespace: Namespace
    done: tuple[RepeatGroup, ...] = ()
    passed_over: tuple[RepeatGroup, ...] = ()
