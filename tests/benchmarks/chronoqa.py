"""Recall on ChronoQA: Chinese questions about time over 6,351 news passages, by kind of question.

Each distinct gold passage is a memory without a time of its own, each question is asked on its
date. `aggregate` questions need several passages (which came first, what else happened that day);
307 of those 1,911 count a bare date ("2022年10月31日") as a passage to be found.

    python -m tests.benchmarks.chronoqa --data FOLDER [--kind aggregate] [--part settings] [--queries 100]
"""

from __future__ import annotations

import argparse
import ast
import csv
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import MemoryInput
from graphsvc.settings import Settings
from tests.benchmarks.recall import CACHE, CHINA, Asked, Corpus, measure, show

KINDS = ("absolute", "aggregate", "relative")
PARTS = ("settings", "rest", "all")
# Every fourth question is for choosing settings; what is reported is the rest.
SETTINGS_EVERY = 4


def chronoqa(path: Path, *, kind: str | None, part: str) -> Corpus:
    """All passages, and the questions of one kind (all where None) that belong to the part."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    passages = {text: f"passage-{place}" for place, text in enumerate(dict.fromkeys(_texts(rows)))}
    dates = [date for row in rows if (date := _date(row["question_date"])) is not None]
    # Nothing is known of when a passage was said but that it was before any question.
    said = min(dates) - timedelta(days=1)
    memories = tuple(MemoryInput(id=i, text=text, event_time=said) for text, i in passages.items())
    asked = tuple(
        Asked(
            row["temporal_type"],
            row["question"],
            tuple(dict.fromkeys(passages[text] for text in _gold(row))),
            _date(row["question_date"]) or max(dates),
        )
        for place, row in enumerate(rows)
        if (kind is None or row["temporal_type"] == kind) and _belongs(place, part)
    )
    return Corpus("chronoqa", memories, tuple(one for one in asked if one.relevant))


def _belongs(place: int, part: str) -> bool:
    return part == "all" or (part == "settings") == (place % SETTINGS_EVERY == 0)


def _texts(rows: Sequence[Mapping[str, str]]) -> list[str]:
    return [text for row in rows for text in _gold(row)]


def _gold(row: Mapping[str, str]) -> list[str]:
    return [text for text in ast.literal_eval(row["golden_chunks"]) if text.strip()]


def _date(text: str) -> datetime | None:
    """The end of the day the question was asked on; None where it is written in another way than ISO's."""
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (day.replace(tzinfo=CHINA) + timedelta(days=1) - timedelta(seconds=1)).astimezone(UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of public sets")
    parser.add_argument("--kind", choices=KINDS, help="one kind of question only")
    parser.add_argument("--part", choices=PARTS, default="all", help="every fourth question (settings), or the rest")
    parser.add_argument("--queries", type=int, help="ask so many, evenly spread")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")
    given = parser.parse_args()
    corpus = chronoqa(given.data / "chronoqa_zh" / "chronoqa.csv", kind=given.kind, part=given.part)
    console = Console()
    with (
        tempfile.TemporaryDirectory(prefix="graphsvc-chronoqa-") as folder,
        MemoryGraph.open(f"sqlite:///{folder}", settings=Settings(cache_dir=given.cache)) as graph,
    ):
        found = measure(graph, corpus.sampled(given.queries), scoped=False)
    show(console, f"ChronoQA, {len(corpus.memories)} passages, part: {given.part}", found)


if __name__ == "__main__":
    main()
