"""Walk all memories of a namespace, or those that match a filter, a page at a time, newest first."""

from __future__ import annotations

from collections.abc import Iterator

from graphsvc.models.memory import Memory
from graphsvc.store.base import Store, Where
from graphsvc.store.filters import EVERYTHING


def pages(store: Store, namespace: str, where: Where = EVERYTHING, *, size: int) -> Iterator[tuple[Memory, ...]]:
    """The memories in pages of at most `size`, none of them empty."""
    after: str | None = None
    while True:
        page = store.page(namespace, where, limit=size, after=after)
        if page.memories:
            yield page.memories
        after = page.after
        if after is None:
            return
