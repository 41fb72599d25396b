"""Telling what a LoCoMo conversation answers from what it does not: AUROC of categories 1 to 4 against category 5.

Category 5 asks about one speaker what the other one said or did, in the words of the turn that says it; it must be
abstained from. Each question is asked in its own conversation. The service's probability of its best candidate stands
beside single raw scores of the same search: of that same candidate, and the best that the score gives any candidate.
All ten conversations take about five minutes on two cores.

    python -m tests.benchmarks.locomo_abstain --data FOLDER [--conversations 2] [--queries 50]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from calibration.metrics import auroc
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Candidate
from graphsvc.models.memory import ItemStatus
from graphsvc.settings import Settings
from tests.benchmarks.recall import CACHE, CATEGORIES, EVERYTHING, Corpus, locomo

ADVERSARIAL = 5
ABSENT = -100.0  # below every score: nothing was found, or the leg did not run
PROBABILITY = "probability"
SCORES = ("cosine", "BM25", "words in common", "late", "uncovered (fewer is better)")
OWN, BEST = "of the service's best candidate", "the best of any candidate"
Told = dict[str, dict[str, list[float]]]
"""Scores of each question, by name and group of questions."""


def raw(candidate: Candidate) -> tuple[float, ...]:
    """The scores of `SCORES`, higher is better."""
    scores = candidate.scores
    uncovered = None if scores.uncovered is None else -scores.uncovered
    found = (scores.dense, scores.lexical, scores.overlap, scores.late, uncovered)
    return tuple(ABSENT if one is None else one for one in found)


def ask(graph: MemoryGraph, corpus: Corpus) -> Told:
    """Each question of one conversation, with every score under its name."""
    results = graph.add(corpus.memories, namespace=corpus.name)
    assert all(r.status is not ItemStatus.FAILED for r in results), [r.error for r in results if r.error][:3]
    told: Told = defaultdict(lambda: defaultdict(list))
    for asked in corpus.questions:
        found = graph.search(asked.text, namespace=corpus.name, asked_at=asked.asked_at).candidates
        for name, score in _scores(found):
            told[name][asked.group].append(score)
    return told


def _scores(found: Sequence[Candidate]) -> Iterator[tuple[str, float]]:
    yield PROBABILITY, found[0].probability if found else 0.0
    every = [raw(one) for one in found] or [(ABSENT,) * len(SCORES)]
    for place, name in enumerate(SCORES):
        yield f"{name}, {OWN}", every[0][place]
        yield f"{name}, {BEST}", max(one[place] for one in every)


def show(console: Console, title: str, told: Told) -> None:
    """The probability first, then raw scores from the best; each group of answerable questions against category 5."""
    groups = sorted(group for group in told[PROBABILITY] if not _adversarial(group))
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for head in ("AUROC against category 5", "1 to 4", *groups):
        table.add_column(head, justify="left" if head.startswith("AUROC") else "right", no_wrap=True)
    rows = {name: _row(by_group, groups) for name, by_group in told.items()}
    best_first = sorted(rows, key=lambda name: (name != PROBABILITY, -rows[name][0]))
    for name in best_first:
        table.add_row(name, *(f"{figure:.3f}" for figure in rows[name]))
    console.print(table)


def _row(by_group: Mapping[str, Sequence[float]], groups: Sequence[str]) -> list[float]:
    never = [score for group, scores in by_group.items() if _adversarial(group) for score in scores]
    together = [score for group in groups for score in by_group[group]]
    return [auroc(list(scores), never) or 0.0 for scores in (together, *(by_group[group] for group in groups))]


def _adversarial(group: str) -> bool:
    return group.startswith(f"{ADVERSARIAL} ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of public sets")
    parser.add_argument("--conversations", type=int, default=EVERYTHING.conversations, help="of LoCoMo's ten")
    parser.add_argument("--queries", type=int, help="ask so many of each conversation")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")
    given = parser.parse_args()
    console, started = Console(width=140), time.perf_counter()
    pooled: Told = defaultdict(lambda: defaultdict(list))
    path = given.data / "locomo" / "locomo10.json"
    with (
        tempfile.TemporaryDirectory(prefix="graphsvc-locomo-") as folder,
        MemoryGraph.open(f"sqlite:///{folder}", settings=Settings(cache_dir=given.cache)) as graph,
    ):
        decides = graph.calibration.judge.now().method
        for corpus in locomo(path, given.conversations, {**CATEGORIES, ADVERSARIAL: "adversarial"}):
            for name, groups in ask(graph, corpus.sampled(given.queries)).items():
                for group, scores in groups.items():
                    pooled[name][group] += scores
            console.print(f"{corpus.name}: {time.perf_counter() - started:.0f} s", style="dim")
    counts = ", ".join(f"{len(scores)} of {group}" for group, scores in sorted(pooled[PROBABILITY].items()))
    show(console, f"LoCoMo, {given.conversations} conversations, decided by {decides}\n{counts}", pooled)


if __name__ == "__main__":
    main()
