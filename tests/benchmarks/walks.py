"""What walking the graph costs at size, on the synthetic memories of the store's benchmark: prints one table.

Run from the repository root: python -m tests.benchmarks.walks --memories 100000
Hits are drawn at random, ends of paths among people; topics follow Zipf's law, so the first are hubs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Fingerprint
from graphsvc.models.base import MemoryId
from graphsvc.models.graph import Node, NodeKind
from graphsvc.retrieve.expand.paths import paths
from graphsvc.retrieve.expand.reach import expand
from graphsvc.retrieve.expand.related import related
from graphsvc.retrieve.expand.walk import CONTEXT_WALK, GRAPH_WALK
from graphsvc.store.base import Store
from graphsvc.store.open import open_store
from tests.benchmarks.store import NAMESPACE, PEOPLE, STATE_DIMENSION, Source, build, measure

_SETS = 50
"""How many sets of hits or starts there are to draw from; all were asked once before anything is timed."""


def rows(store: Store, count: int) -> Iterator[str]:
    draw = np.random.default_rng(11)
    hits = [[(MemoryId(f"m{n:08}"), float(draw.random())) for n in draw.integers(count, size=20)] for _ in range(_SETS)]
    people = [Node(NodeKind.ENTITY, f"person:{n}") for n in draw.integers(PEOPLE, size=_SETS)]
    memories = [Node(NodeKind.MEMORY, some[0][0]) for some in hits]
    hub = Node(NodeKind.ENTITY, "topic:1")

    def turn(number: list[int] = [0]) -> int:  # noqa: B006 (a counter)
        number[0] = (number[0] + 1) % _SETS
        return number[0]

    cases = (
        ("context walk from 20 hits", lambda: expand(store, NAMESPACE, hits[turn()], CONTEXT_WALK)),
        ("graph walk of 3 hops from 20 hits, 200 nodes", lambda: expand(store, NAMESPACE, hits[turn()], GRAPH_WALK)),
        ("related to a person, 2 hops, 2,000 nodes", lambda: related(store, NAMESPACE, [people[turn()]])),
        ("related to a memory, 2 hops, 2,000 nodes", lambda: related(store, NAMESPACE, [memories[turn()]])),
        ("related to the greatest hub", lambda: related(store, NAMESPACE, [hub])),
        (
            "related to 20 hits, 2 hops, 2,000 nodes",
            lambda: related(store, NAMESPACE, [Node(NodeKind.MEMORY, one) for one, _ in hits[turn()]]),
        ),
        ("paths between two people", lambda: paths(store, NAMESPACE, [people[turn()]], [people[turn()]])),
    )
    for name, once in cases:
        yield measure(f"{name}, for the first time", once, times=_SETS, warm=0)
        yield measure(f"{name}, warm", once, times=4 * _SETS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="keep the store here, and use it again when it is there")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or Path(temporary)
        dimension = 8  # no vector is compared here
        store = open_store(f"sqlite:///{folder.as_posix()}")
        store.set_encoding(Fingerprint("bench", "random", "1", dimension, STATE_DIMENSION))
        if store.describe().memories < chosen.memories:
            build(store, Source(dimension), chosen.memories)
        print("| what | p50 ms | p95 ms |\n|---|---|---|")
        for row in rows(store, chosen.memories):
            print(row, flush=True)
        store.close()


if __name__ == "__main__":
    main()
