"""Words of several senses that no inventory lists: the sense asked for comes first all the same."""

from __future__ import annotations

from pathlib import Path

from graphsvc.evaluate import run
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

QUESTIONS = Path(__file__).with_name("outside_inventory.jsonl")


def test_memories_of_the_asked_sense_rank_above_those_of_the_others(tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path / "cache")
    with MemoryGraph.open(f"sqlite:///{tmp_path}/store", settings=settings) as graph:
        found = run([QUESTIONS], graph).summary
    assert (found["hit@1"] or 0.0) >= 0.90, found
    assert (found["forbidden_above"] or 0.0) <= 0.04, found
