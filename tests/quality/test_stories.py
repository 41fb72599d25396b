"""On stories nobody tuned on, the product finds more than words, vectors, or their plain mix."""

from __future__ import annotations

from pathlib import Path

from graphsvc.evaluate import baselines, run
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

STORIES = Path(__file__).with_name("stories.jsonl")


def test_the_product_ranks_unseen_stories_better_than_plain_search(tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path / "cache")
    with MemoryGraph.open(f"sqlite:///{tmp_path}/store", settings=settings) as graph:
        product = run([STORIES], graph).summary["hit@1"] or 0.0
        plain = {name: one.summary["hit@1"] or 0.0 for name, one in baselines([STORIES], graph.encoder).items()}
    assert product >= max(plain.values()) + 0.05, plain
