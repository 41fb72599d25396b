"""What the embedded store costs at size, on synthetic memories: prints one table.

Run from the repository root: python -m tests.benchmarks.store --memories 100000 --dimension 384
Vectors are random, words follow Zipf's law, every memory has packed token states and five edges.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import islice
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Fingerprint, FloatArray, TokenStates
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.facts import Facts, Label, Language, Mention
from graphsvc.models.graph import Edge, EdgeType, Entity, Node, NodeKind
from graphsvc.models.memory import Memory, Party
from graphsvc.store.base import Entry, Store
from graphsvc.store.filters import Op, both, compare, eq
from graphsvc.store.open import open_store
from tests.builders import NOW, trace

NAMESPACE = "bench"
STATE_DIMENSION = 192
TOKENS = 25
VOCABULARY = 50_000
PEOPLE = 2_000
TOPICS = 20_000
DOMAINS = [f"domain{n}" for n in range(10)]
TYPES = ["email", "chat", "contract", "minutes", "note", "report"]
BATCH = 1_000


class Source:
    """Memories by number, the same for the same seed."""

    def __init__(self, dimension: int, seed: int = 7) -> None:
        self.draw = np.random.default_rng(seed)
        self.dimension = dimension
        weights = 1.0 / np.arange(1, VOCABULARY + 1)
        self.word_weights = np.cumsum(weights / weights.sum())

    def words(self, count: int) -> list[str]:
        return [f"w{n}" for n in np.searchsorted(self.word_weights, self.draw.random(count))]

    def vector(self) -> FloatArray:
        vector = self.draw.standard_normal(self.dimension, dtype=np.float32)
        return vector / np.float32(np.linalg.norm(vector))

    def topic(self) -> int:
        return int(self.draw.zipf(1.3)) % TOPICS

    def entry(self, number: int) -> Entry:
        name, person = f"m{number:08}", f"person:{self.draw.integers(PEOPLE)}"
        topics = sorted({f"topic:{self.topic()}" for _ in range(3)})
        words = self.words(TOKENS)
        time_said = NOW - timedelta(minutes=5 * number)
        memory = Memory(
            id=MemoryId(name),
            namespace=NAMESPACE,
            text=" ".join(words),
            language=Language.EN,
            event_time=time_said,
            recorded_at=NOW,
            document_type=TYPES[number % len(TYPES)],
            conversation_id=f"c{number // 20}",
            sender=person,
            parties=(Party(role=EdgeType.SENT_BY, entity=EntityId(person), name=person),),
            facts=Facts(
                labels=(Label(domain=DOMAINS[int(self.draw.integers(10))], probability=0.9, source="bench"),),
                mentions=tuple(Mention(start=0, end=2, text=t, type="organisation", key=t) for t in topics),
            ),
        )
        node = Node(NodeKind.MEMORY, name)
        ties = [(node, Node(NodeKind.ENTITY, one), EdgeType.MENTIONS) for one in topics]
        ties.append((node, Node(NodeKind.ENTITY, person), EdgeType.SENT_BY))
        if number % 20:
            ties.append((node, Node(NodeKind.MEMORY, f"m{number - 1:08}"), EdgeType.NEXT_IN_CONVERSATION))
        return Entry(
            memory=memory,
            tokens=tuple(words),
            vector=self.vector(),
            states=TokenStates(
                self.draw.integers(0, 256, (TOKENS, STATE_DIMENSION // 2), dtype=np.uint8),
                self.draw.random(TOKENS, dtype=np.float32),
            ),
            entities=tuple(
                Entity(id=EntityId(one), type=one.partition(":")[0], name=one, aliases=(one,))
                for one in (*topics, person)
            ),
            edges=tuple(Edge(source=a, target=b, type=t, event_time=time_said, origin="bench") for a, b, t in ties),
        )


def measure(name: str, once: Callable[[], object], *, times: int = 200, warm: int = 10) -> str:
    """One row of the table: p50 and p95 in milliseconds."""
    for _ in range(warm):
        once()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        once()
        taken.append((time.perf_counter() - started) * 1e3)
    return f"| {name} | {np.percentile(taken, 50):.2f} | {np.percentile(taken, 95):.2f} |"


def build(store: Store, source: Source, count: int) -> float:
    started = time.perf_counter()
    numbers = iter(range(count))
    while chunk := list(islice(numbers, BATCH)):
        errors = [result.error for result in store.put([source.entry(n) for n in chunk]) if result.error]
        if errors:
            raise errors[0]
    return time.perf_counter() - started


def rows(store: Store, source: Source, count: int) -> Iterator[str]:
    draw = source.draw

    def narrow() -> object:
        """A person's memories in one domain during the last half: some five of 100,000."""
        person = eq("sent_by", f"person:{draw.integers(PEOPLE)}")
        selection = store.select(NAMESPACE, person)
        selection = store.select(NAMESPACE, compare("event_time", Op.LTE, NOW), within=selection)
        selection = store.select(NAMESPACE, eq("document_type", "email"), within=selection)
        return store.nearest(selection, source.vector(), 60), store.match(selection, source.words(3), 60)

    def window() -> object:
        """A time window of 200 memories."""
        begin = NOW - timedelta(minutes=5 * int(draw.integers(count)))
        where = both(
            compare("event_time", Op.GTE, begin), compare("event_time", Op.LT, begin + timedelta(minutes=1000))
        )
        selection = store.select(NAMESPACE, where)
        return store.nearest(selection, source.vector(), 60), store.match(selection, source.words(3), 60)

    def tenth() -> object:
        selection = store.select(NAMESPACE, eq("domain", DOMAINS[int(draw.integers(10))]))
        return store.nearest(selection, source.vector(), 60)

    def everything() -> object:
        return store.nearest(store.select(NAMESPACE), source.vector(), 60)

    def words() -> object:
        return store.match(store.select(NAMESPACE), source.words(3), 60)

    def common() -> object:
        return store.match(store.select(NAMESPACE), ["w0", "w1", "w2"], 60)

    def names(some: int) -> list[MemoryId]:
        return [MemoryId(f"m{n:08}") for n in draw.integers(count, size=some)]

    def hop() -> object:
        return store.edges(NAMESPACE, [Node(NodeKind.MEMORY, one) for one in names(20)])

    def context() -> object:
        """What an expansion asks: only the edges between memories."""
        nodes = [Node(NodeKind.MEMORY, one) for one in names(20)]
        return store.edges(NAMESPACE, nodes, types=[EdgeType.NEXT_IN_CONVERSATION, EdgeType.REPLIES_TO], per_node=12)

    def two_hops() -> object:
        first = store.edges(NAMESPACE, [Node(NodeKind.MEMORY, one) for one in names(20)])
        reached = {end for edges in first.values() for edge in edges for end in (edge.source, edge.target)}
        return store.edges(NAMESPACE, sorted(reached - first.keys()), per_node=10)

    yield measure("funnel by sender, time, type (about 8 left) + nearest + match", narrow)
    yield measure("funnel by time window (200 left) + nearest + match", window)
    yield measure("10% filter + nearest", tenth)
    yield measure("no filter, nearest", everything)
    yield measure("no filter, match, 3 words as texts have them", words)
    yield measure("no filter, match, the 3 commonest words", common)
    yield measure("expansion of 20 hits over context edges", context)
    yield measure("all edges of 20 hits", hop)
    yield measure("all edges of 20 hits, then 10 of each node reached (some 700)", two_hops)
    yield measure("vectors and token states of 60", lambda: store.vectors(NAMESPACE, names(60)))
    yield measure("60 memories read back", lambda: store.get(NAMESPACE, names(60)))
    fresh = iter(range(count, sys.maxsize))
    upcoming = [source.entry(next(fresh)) for _ in range(420)]
    yield measure("durable insert: vector, words, states, edges", lambda: store.put([upcoming.pop()]), times=400)
    seen = store.get(NAMESPACE, names(60))
    numbers = iter(range(sys.maxsize))
    yield measure(
        "save a trace of 60 candidates",
        lambda: store.traces.save(trace(f"t{next(numbers)}", *seen, namespace=NAMESPACE)),
    )
    pending = [source.entry(next(fresh)) for _ in range(220)]

    def put_and_ask() -> object:
        store.put([pending.pop()])
        return narrow()

    yield measure("insert, then the first question after it", put_and_ask)


def cold(folder: Path, dimension: int) -> None:
    """In a process of its own: open, ask once, tell the time and the memory it took."""
    before = _resident_mb()
    started = time.perf_counter()
    store = open_store(f"sqlite:///{folder.as_posix()}")
    opened = time.perf_counter() - started
    source = Source(dimension, seed=1)
    selection = store.select(NAMESPACE)
    store.nearest(selection, source.vector(), 10)
    store.match(selection, ["w5"], 10)
    asked = time.perf_counter() - started
    print(f"| cold open / with the first question answered, s | {opened:.2f} | {asked:.2f} |")
    print(f"| resident memory before / after, MB | {before:.0f} | {_resident_mb():.0f} |")
    store.close()


def _resident_mb() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 1e6


def fts5(folder: Path, source: Source) -> Iterator[str]:
    """The same words in an FTS5 table, for comparison."""
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE words USING fts5(tokens, content='', tokenize='ascii')")
    stored = sqlite3.connect(folder / "memories.sqlite3")
    tokens = stored.execute("SELECT row, replace(tokens, char(31), ' ') FROM words")
    conn.executemany("INSERT INTO words (rowid, tokens) VALUES (?, ?)", tokens)
    stored.close()
    sql = "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 60"
    inside = (
        "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? AND rowid IN"
        f" ({','.join(map(str, source.draw.integers(1, 50_000, 200).tolist()))}) ORDER BY bm25(words) LIMIT 60"
    )

    def query() -> str:
        return " OR ".join(f'"{word}"' for word in source.words(3))

    yield measure("FTS5: 3 words as texts have them", lambda: conn.execute(sql, (query(),)).fetchall(), times=50)
    yield measure("FTS5: the 3 commonest", lambda: conn.execute(sql, ("w0 OR w1 OR w2",)).fetchall(), times=20)
    yield measure("FTS5: 3 words inside 200", lambda: conn.execute(inside, (query(),)).fetchall(), times=50)
    conn.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path, help="keep the store here, and use it again when it is there")
    parser.add_argument("--fts5", action="store_true", help="measure the same words in FTS5 beside it")
    parser.add_argument("--cold", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.cold:
        cold(chosen.folder, chosen.dimension)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or Path(temporary)
        source = Source(chosen.dimension)
        store = open_store(f"sqlite:///{folder.as_posix()}")
        store.set_encoding(Fingerprint("bench", "random", "1", chosen.dimension, STATE_DIMENSION))
        missing = chosen.memories - store.describe().memories
        if missing > 0:
            taken = build(store, source, chosen.memories)
            print(f"built {chosen.memories} memories in {taken:.0f} s, {taken / chosen.memories * 1e3:.2f} ms each\n")
        print("| what | p50 ms | p95 ms |\n|---|---|---|")
        for row in rows(store, source, chosen.memories):
            print(row, flush=True)
        print(f"| bytes on disk, MB | {(store.describe().bytes_on_disk or 0) / 1e6:.0f} | |", flush=True)
        store.close()
        command = [sys.executable, "-m", "tests.benchmarks.store", "--cold", "--folder", str(folder)]
        subprocess.run([*command, "--dimension", str(chosen.dimension)], check=True)
        if chosen.fts5:
            print("\n".join(fts5(folder, source)))


if __name__ == "__main__":
    main()
