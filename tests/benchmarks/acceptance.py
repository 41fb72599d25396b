"""What is answered, and what of it is wrong: the service as it runs, a fixed cosine, the top-1 always accepted.

The service ranks for all three; they differ in what they accept. What is accepted is an error where its top memory is
not among the relevant ones, or where nothing answers the question; of the service that is the first evidence it shows.
The cosine is chosen on the bundled stories, never on the measured files: the smallest from which on the error among the
answered is within the target there, or none. The AUROC is that of questions whose first candidate is right against the
rest, by the probability and by raw scores of that candidate. A calibrator keeps the target it was made for, which is
printed; the rule promises none. All stories take about six minutes on two cores.

    python -m tests.benchmarks.acceptance FILE... [--data FOLDER] [--target-error 0.05] [--questions 100]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.metrics import auroc, mean, risk_coverage
from calibration.prior import Answerable, counts_of
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.evaluate.notes import are_notes
from graphsvc.evaluate.report import ABSTAINED
from graphsvc.evaluate.run import asking, loaded
from graphsvc.evaluate.training import bundled_stories
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Candidate
from graphsvc.settings import Settings
from tests.benchmarks.recall import CACHE

ABSENT = -100.0  # below every score: nothing was found, or the leg did not run
SCORES = ("probability", "cosine", "late", "uncovered")
FIGURES = ("answered", "error", "wrong_accept", "false_abstain")
ALL = "all"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the first candidate's `SCORES`, whether it is right, and whether what the service shows first is.

    None where there is no candidate, and where the service shows nothing.
    """

    answerable: Answerable
    first: bool | None
    shown: bool | None
    scores: tuple[float, ...]

    @property
    def cosine(self) -> float:
        return self.scores[SCORES.index("cosine")]


Way = Callable[[Asked], bool | None]
"""Whether what is accepted is right; None where nothing is."""


def sampled(file: EvaluationFile, questions: int | None) -> EvaluationFile:
    """With so many of the questions, evenly spread; with all of them where None."""
    count = len(file.queries)
    if questions is None or questions >= count:
        return file
    return replace(file, queries=tuple(file.queries[place * count // questions] for place in range(questions)))


def ask(file: EvaluationFile, graph: MemoryGraph) -> list[Asked]:
    """Every question of a file before its memories alone."""
    found = []
    with loaded(file, graph) as namespace:
        for query in file.queries:
            answer = graph.answer(query.text, namespace=namespace, **asking(query))
            candidates = graph.trace(answer.trace_id, namespace=namespace).candidates
            ranked = [one.memory.id for one in candidates]
            shown = [] if answer.status in ABSTAINED else [one.memory_id for one in answer.evidence] or ranked
            first, used = _right(query, ranked), _right(query, shown)
            found.append(Asked(Answerable.of(query.answerable), first, used, _scores(candidates)))
    return found


def _right(query: QueryLine, ids: Sequence[str]) -> bool | None:
    return query.answerable and ids[0] in query.relevant if ids else None


def _scores(candidates: Sequence[Candidate]) -> tuple[float, ...]:
    """Of the first candidate, higher is better."""
    if not candidates:
        return (0.0, *(ABSENT for _ in SCORES[1:]))
    scores = candidates[0].scores
    uncovered = None if scores.uncovered is None else -scores.uncovered
    raw = (ABSENT if one is None else one for one in (scores.dense, scores.late, uncovered))
    return (candidates[0].probability, *raw)


def cosine_from(stories: Sequence[Asked], target: float, unanswerable: float | None = None) -> float | None:
    """The smallest threshold whose error among the answered of the stories is within the target; None without one.

    `unanswerable` is the share of such questions that the stories are to count for, None for their own.
    """
    counts = counts_of(np.array([one.answerable for one in stories], dtype=np.int8), unanswerable)
    cosines = np.array([one.cosine for one in stories])
    thresholds, _, error = risk_coverage(cosines, np.array([bool(one.first) for one in stories]), counts)
    within = np.flatnonzero((error <= target) & (thresholds > ABSENT))
    return float(thresholds[within[-1]]) if len(within) else None


def figures(rows: Sequence[Asked], way: Way) -> tuple[float | None, ...]:
    """`FIGURES` of one way of deciding; None where there is nothing to measure it on."""
    told = [(one.answerable, way(one)) for one in rows]
    return (
        mean([float(right is not None) for _, right in told]),
        mean([float(not right) for _, right in told if right is not None]),
        mean([float(right is not None) for answerable, right in told if answerable is Answerable.NO]),
        mean([float(right is None) for answerable, right in told if answerable is Answerable.YES]),
    )


def show(console: Console, target: float, files: Mapping[str, Sequence[Asked]], ways: Mapping[str, Way]) -> None:
    """How each way decides, then how well each score tells right from wrong; a row a file, and one for all."""
    table = Table(title=f"target error {target}", title_justify="left", box=None, pad_edge=False)
    for head in ("file", "decided by", "questions", *FIGURES):
        table.add_column(head, justify="left" if head in {"file", "decided by"} else "right", no_wrap=True)
    for file, rows in files.items():
        for place, (name, way) in enumerate(ways.items()):
            heads = ("", "") if place else (file, str(len(rows)))
            table.add_row(heads[0], name, heads[1], *map(_cell, figures(rows, way)))
    console.print(table)
    table = Table(title="AUROC, first candidate right or not", title_justify="left", box=None, pad_edge=False)
    for head in ("file", "right", "wrong", *SCORES):
        table.add_column(head, justify="left" if head == "file" else "right", no_wrap=True)
    for file, rows in files.items():
        right, wrong = ([one.scores for one in rows if one.first is kind] for kind in (True, False))
        told = [auroc([one[k] for one in right], [one[k] for one in wrong]) for k in range(len(SCORES))]
        table.add_row(file, str(len(right)), str(len(wrong)), *map(_cell, told))
    console.print(table)


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def ways(threshold: float | None) -> Mapping[str, Way]:
    """The three, by name."""
    named = "cosine: none keeps it" if threshold is None else f"cosine from {threshold:.3f}"
    return {
        "service": lambda one: one.shown,
        named: lambda one: one.first if threshold is not None and one.cosine >= threshold else None,
        "top-1 always": lambda one: one.first,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="question files")
    parser.add_argument("--data", type=Path, default=Path(), help="folder in which the files are")
    parser.add_argument("--target-error", type=float, default=0.05)
    parser.add_argument("--unanswerable", type=float, help="choose the cosine for this share of such questions")
    parser.add_argument("--calibration", type=Path, help="folder of calibrators; that of the settings unless given")
    parser.add_argument("--questions", type=int, help="ask so many of each file and of each story file")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")
    given = parser.parse_args()
    settings = Settings(cache_dir=given.cache)
    if given.calibration is not None:
        settings = settings.model_copy(update={"calibration": given.calibration})
    console, files = Console(width=140), [given.data / path for path in given.files]
    with (
        tempfile.TemporaryDirectory(prefix="graphsvc-acceptance-") as folder,
        MemoryGraph.open(f"sqlite:///{folder}", settings=settings) as graph,
    ):
        decider = graph.calibration.judge.now()
        found = {path.stem: ask(sampled(read_evaluation(path), given.questions), graph) for path in files}
        stories = []
        for path in (one for one in bundled_stories() if not are_notes(one)):
            stories += ask(sampled(read_evaluation(path), given.questions), graph)
            console.print(f"{path.name}: {len(stories)} questions asked", style="dim")
    threshold = cosine_from(stories, given.target_error, given.unanswerable)
    promised = "promises nothing" if decider.target_error is None else f"made for {decider.target_error}"
    console.print(f"the service: {decider.method} ({promised})")
    if threshold is None:
        console.print(
            f"no cosine keeps {given.target_error} on {len(stories)} questions of the stories: it accepts none"
        )
    everything = {**found, ALL: [one for rows in found.values() for one in rows]}
    show(console, given.target_error, everything, ways(threshold))


if __name__ == "__main__":
    main()
