"""Write the rows that `python -m calibration.change` learns from: `python -m graphsvc.evaluate.evidence FOLDER > ROWS`.

FOLDER is the one with `pairs` and `stories`. Of the unlike pairs every third is left out, so that there is something
nothing was learnt from. Pairs of the stories are those of one talk at most eight turns apart and those of two talks
with enough in common; `change.jsonl` is all change and serves for the second only.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphsvc.change.evidence import evidence
from graphsvc.change.reading import read
from graphsvc.ingest.nearby import enough_in_common, talk_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import Memory

SPAN = 8
MOST_FAR = 150


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kept(graph: MemoryGraph, namespace: str, items: list[dict[str, Any]]) -> list[Memory]:
    """The memories as they are stored, in the order in which they were said."""
    given = [{name: value for name, value in one.items() if value is not None and name != "kind"} for one in items]
    graph.add(given, namespace=namespace)
    memories = [graph.get(one["id"], namespace=namespace) for one in given]
    return sorted(memories, key=lambda one: (one.event_time, one.id))


def row(one: Memory, other: Memory, between: int, *, change: bool, sure: bool) -> Iterator[dict[str, Any]]:
    told = evidence(read(one), read(other), between)
    if told is not None:
        yield {"numbers": {**told.quick, **told.slow()}, "change": change, "sure": sure}


def of_pairs(graph: MemoryGraph, folder: Path) -> Iterator[dict[str, Any]]:
    """The pairs somebody judged; a repeat is neither change nor none."""
    pairs = lines(folder / "change.jsonl")
    pairs += [pair for pair in lines(folder / "unlike.jsonl") if int(pair["id"][2:]) % 3]
    for pair in pairs:
        if pair["expected"] == "repeats":
            continue
        items = [{**pair["earlier"], "id": "earlier"}, {**pair["later"], "id": "later"}]
        earlier, later = sorted(kept(graph, pair["id"], items), key=lambda one: one.id)
        yield from row(earlier, later, 0, change=pair["expected"] is not None, sure=True)


def of_story(graph: MemoryGraph, path: Path) -> Iterator[dict[str, Any]]:
    memories = kept(graph, path.stem, [one for one in lines(path) if one["kind"] == "memory"])
    talks: dict[tuple[str, str], list[Memory]] = {}
    for memory in memories:
        talks.setdefault(talk_of(memory), []).append(memory)
    for turns in talks.values() if path.stem != "change" else ():
        for at, later in enumerate(turns):
            for back, earlier in enumerate(turns[max(0, at - SPAN) : at][::-1]):
                yield from row(earlier, later, back, change=False, sure=False)
    far = [
        (one, other)
        for place, one in enumerate(memories)
        for other in memories[place + 1 :]
        if talk_of(one) != talk_of(other) and enough_in_common(one.text, other.text)
    ]
    random.Random(0).shuffle(far)  # noqa: S311  a sample, no secret
    for one, other in far[:MOST_FAR]:
        yield from row(one, other, 0, change=False, sure=False)


def main(arguments: list[str]) -> None:
    """Write a row a line."""
    learnt_from = Path(arguments[0])
    with tempfile.TemporaryDirectory() as folder, MemoryGraph.open(f"sqlite:///{folder}/store") as graph:
        for found in of_pairs(graph, learnt_from / "pairs"):
            sys.stdout.write(json.dumps(found) + "\n")
        for path in sorted((learnt_from / "stories").glob("*.jsonl")):
            for found in of_story(graph, path):
                sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
