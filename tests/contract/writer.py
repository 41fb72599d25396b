"""A process that writes memories to a store and prints each id once it is acknowledged.

Usage: python -m tests.contract.writer FOLDER PREFIX COUNT [BATCH]
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from graphsvc.store.base import Entry
from graphsvc.store.open import open_store
from tests.builders import FINGERPRINT, edge, entity, entity_node, entry, memory_node, random_unit, token_states


def entry_of(name: str, seed: int) -> Entry:
    """A memory with everything a memory can have; two tell the same of it: its id and its number."""
    person = f"p{seed % 7}"
    return entry(
        name,
        f"word{seed % 10} {name}",
        vector=random_unit(seed),
        states=token_states(seed),
        entities=[entity(person)],
        edges=[edge(memory_node(name), entity_node(person))],
        conversation_id=f"c{seed % 3}",
    )


def main(folder: str, prefix: str, count: int, batch: int = 1) -> None:
    store = open_store(f"sqlite:///{Path(folder).as_posix()}")
    store.set_encoding(FINGERPRINT)
    numbers = iter(range(count))
    while chunk := list(islice(numbers, batch)):
        entries = [entry_of(f"{prefix}{n}", n) for n in chunk]
        failed = [result.error for result in store.put(entries) if result.error]
        if failed:
            raise failed[0]
        print("\n".join(one.memory.id for one in entries), flush=True)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *map(int, sys.argv[4:]))
