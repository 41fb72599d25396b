"""What it costs to look for change while memories are written: the write path with and without it, side by side.

    python -m tests.benchmarks.change_cost FILE... [--rounds 5] [--batch 64]

The memories of question files are written by both, slice by slice in turn, in one process, into namespaces of one
store; vectors come from the cache after a first round that is not counted. Prints the median time a memory, wall
clock and CPU, and how much more it is with change than without. Without files, the demo story is written.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from graphsvc.evaluate.files import read_evaluation
from graphsvc.interfaces import demo
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import MemoryInput
from graphsvc.settings import Settings
from tests.benchmarks.recall import CACHE

STORY = Path(demo.__file__).with_name("story.jsonl")
MEMORIES = 400


@dataclass(slots=True)
class Spent:
    """Seconds a memory, one entry a round."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def memories(files: Sequence[Path], *, most: int) -> list[MemoryInput]:
    """The files' memories in order of event time, an even share of each file; ids of two files never meet."""
    share = -(-most // len(files))
    found = []
    for file in files:
        some = [one for one in read_evaluation(file).memories if one.event_time is not None][:share]
        found += [one.model_copy(update={"id": f"{file.stem}-{one.id}"}) for one in some]
    return sorted(found, key=lambda one: (str(one.event_time), str(one.id)))[:most]


def measure(graph: MemoryGraph, items: Sequence[MemoryInput], *, rounds: int, batch: int) -> dict[str, Spent]:
    """Both ways in turn, each round into fresh namespaces, the first round uncounted."""
    ingest = graph._parts.ingest  # the flag is of no use to callers
    ways = {"without change": replace(ingest, relation=None), "with change": ingest}
    spent = {name: Spent() for name in ways}
    for number in range(rounds + 1):
        totals = {name: [0.0, 0.0] for name in ways}
        for start in range(0, len(items), batch):
            order = list(ways) if (start // batch + number) % 2 else list(reversed(ways))
            for name in order:
                wall, cpu = perf_counter(), process_time()
                ways[name].add(items[start : start + batch], namespace=f"{name} {number}")
                totals[name][0] += perf_counter() - wall
                totals[name][1] += process_time() - cpu
        for name, (wall, cpu) in totals.items() if number else ():
            spent[name].wall.append(wall / len(items))
            spent[name].cpu.append(cpu / len(items))
    return spent


def show(console: Console, spent: dict[str, Spent], *, count: int, batch: int) -> None:
    table = Table(title=f"{count} memories in batches of {batch}", title_justify="left", box=None, pad_edge=False)
    for column in ("", "wall ms", "cpu ms", "wall ratio", "cpu ratio"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    base = spent["without change"]
    for name, one in spent.items():
        wall, cpu = median(one.wall), median(one.cpu)
        ratios = (wall / median(base.wall), cpu / median(base.cpu))
        table.add_row(name, f"{wall * 1e3:.2f}", f"{cpu * 1e3:.2f}", *(f"{ratio:.2f}" for ratio in ratios))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=[STORY], help="question files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch", type=int, action="append", help="memories a call; 64 and 1 unless given")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")
    given = parser.parse_args()
    items = memories(given.files, most=MEMORIES)
    with tempfile.TemporaryDirectory(prefix="graphsvc-change-") as folder:
        settings = Settings(cache_dir=given.cache)
        for batch in given.batch or (64, 1):
            with MemoryGraph.open(f"sqlite:///{folder}/store-{batch}", settings=settings) as graph:
                graph.warm_up()
                spent = measure(graph, items, rounds=given.rounds, batch=batch)
            show(Console(width=100), spent, count=len(items), batch=batch)


if __name__ == "__main__":
    main()
