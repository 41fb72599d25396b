"""What memories said when somebody saw them: as they are, or, of one revised since, as the journal has it.

Of a deleted memory nothing comes back, whatever the journal still holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from graphsvc.models.audit import Action
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.store.journal import Journal

_PAGE = 100

# A memory and when what was seen of it was recorded.
Sight = tuple[MemoryId, datetime]


def seen(
    get: Callable[[str, Sequence[MemoryId]], list[Memory]], journal: Journal, namespace: str, sights: Sequence[Sight]
) -> dict[Sight, Memory]:
    """Those of the sights that can be had again."""
    now = {one.id: one for one in get(namespace, [one for one, _ in sights])}
    found: dict[Sight, Memory] = {}
    for one, recorded_at in sights:
        memory = now.get(one)
        if memory is not None and memory.recorded_at != recorded_at:
            memory = next((past for past in _past(journal, namespace, one) if past.recorded_at == recorded_at), None)
        if memory is not None:
            found[one, recorded_at] = memory
    return found


def _past(journal: Journal, namespace: str, memory_id: MemoryId) -> Iterator[Memory]:
    """What a memory was before each of its revisions, oldest first."""
    after: str | None = None
    while True:
        page = journal.read(namespace, subject=memory_id, actions=[Action.UPDATE], limit=_PAGE, after=after)
        yield from (Memory.model_validate_json(entry.before) for entry in page.entries if entry.before is not None)
        after = page.after
        if after is None:
            return
