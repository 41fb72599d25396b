"""The whole `answer` at 100,000 memories: real questions among synthetic memories, stage by stage.

The bundled story is written among memories of random vectors, words, people and ties, under the
bundled encoder; its demo questions are asked again and again. Prints p50 and p95 of the whole
call, of the encoder alone, and of each stage.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from graphsvc.evaluate.files import read_evaluation
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from tests.benchmarks.store import NAMESPACE, Source, build

STORY = Path(__file__).parents[2] / "graphsvc" / "interfaces" / "demo" / "story.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=300)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphsvc-answer-") as folder:
        settings = Settings(cache_dir=Path(folder) / "cache")
        with MemoryGraph.open(f"sqlite:///{folder}/store", settings=settings) as graph:
            story = read_evaluation(STORY)
            build(graph.store, Source(graph.encoder.fingerprint.dimension), given.memories)
            graph.add(story.memories, namespace=NAMESPACE)
            _report(_ask(graph, given.questions), given.memories)


def _ask(graph: MemoryGraph, times: int) -> dict[str, list[float]]:
    """Milliseconds of each stage and of the whole, over `times` questions of the story."""
    lines = [json.loads(line) for line in STORY.read_text("utf-8").splitlines()]
    queries = [line for line in lines if line["kind"] == "query"]
    taken: dict[str, list[float]] = defaultdict(list)
    for number, query in enumerate(islice(cycle(queries), times + 20)):
        started = time.perf_counter()
        answer = graph.answer(
            query["text"],
            namespace=NAMESPACE,
            asked_at=datetime.fromisoformat(query["asked_at"]),
            asked_by=query["asked_by"],
        )
        whole = (time.perf_counter() - started) * 1e3
        if number < 20:
            continue
        taken["whole answer"].append(whole)
        encode = sum(stage.ms for stage in answer.stages if stage.name == "encode")
        taken["without the encoder"].append(whole - encode)
        stages: dict[str, float] = defaultdict(float)
        for stage in answer.stages:
            stages[stage.name] += stage.ms
        for name, ms in stages.items():
            taken[f"  {name}"].append(ms)
    return taken


def _report(taken: dict[str, list[float]], memories: int) -> None:
    print(f"| answer among {memories:,} memories | n | p50 ms | p95 ms |\n|---|---|---|---|")
    for name, values in taken.items():
        print(f"| {name} | {len(values)} | {np.percentile(values, 50):.2f} | {np.percentile(values, 95):.2f} |")


if __name__ == "__main__":
    main()
