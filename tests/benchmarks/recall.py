"""Recall on public sets, beside BM25, vectors and their mix of the same texts in the same run.

LoCoMo: every conversation is a namespace, every turn a memory. MemDaily: the messages of a hundred
people in one namespace, asked with and without the person's own scope given as a filter. R@k is the
share of the evidence among the first k, hit@k whether any of it is there.

    python -m tests.benchmarks.recall --data FOLDER [--conversations 2] [--people 20] [--queries 50]
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from rich.console import Console
from rich.table import Table

from calibration.metrics import hit_at, mean, recall_at
from graphsvc.evaluate.baselines import METHODS, Baselines
from graphsvc.language.passage import passage_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.memory import ItemStatus, MemoryInput
from graphsvc.settings import Settings
from graphsvc.store.base import Where
from graphsvc.store.filters import eq

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DEPTHS = (1, 5, 10)
HEADS = (*(f"R@{k}" for k in DEPTHS), *(f"hit@{k}" for k in DEPTHS))
CACHE = Path("~/.cache/graphsvc").expanduser()
CHINA = timezone(timedelta(hours=8))


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: where it belongs, what it must find, and whose memories it may see."""

    group: str
    text: str
    relevant: tuple[str, ...]
    asked_at: datetime
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    name: str
    memories: tuple[MemoryInput, ...]
    questions: tuple[Asked, ...]

    def sampled(self, questions: int | None) -> Corpus:
        """With so many of the questions, evenly spread; with all of them where None."""
        if questions is None or questions >= len(self.questions):
            return self
        step = len(self.questions) / questions
        return replace(self, questions=tuple(self.questions[int(place * step)] for place in range(questions)))


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of the sets is asked, for quick runs."""

    conversations: int = 10
    people: int = 100
    queries: int | None = None
    """Questions of each conversation, and of all people together; None for all."""


EVERYTHING = Sample()


def locomo(path: Path, conversations: int, categories: Mapping[int, str] = CATEGORIES) -> Iterator[Corpus]:
    """The conversations of LoCoMo with the questions of these categories whose evidence exists."""
    for sample in json.loads(path.read_text("utf-8"))[:conversations]:
        talk = sample["conversation"]
        memories = tuple(_turns(talk))
        known = {memory.id for memory in memories}
        end = max(memory.event_time for memory in memories if memory.event_time) + timedelta(days=1)
        questions = []
        for qa in sample["qa"]:
            evidence = tuple(dict.fromkeys(i for i in qa.get("evidence", ()) if i in known))
            if qa["category"] in categories and evidence:
                questions.append(Asked(f"{qa['category']} {categories[qa['category']]}", qa["question"], evidence, end))
        yield Corpus(sample["sample_id"], memories, tuple(questions))


def _turns(talk: dict[str, object]) -> Iterator[MemoryInput]:
    sessions = sorted(int(m[1]) for name in talk if (m := re.fullmatch(r"session_(\d+)", name)))
    for number in sessions:
        began = datetime.strptime(str(talk[f"session_{number}_date_time"]), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        turns = talk[f"session_{number}"]
        assert isinstance(turns, list)
        for place, turn in enumerate(turns):
            caption = turn.get("blip_caption")
            yield MemoryInput(
                id=turn["dia_id"],
                text=turn["text"] + (f" [image: {caption}]" if caption else "") or "[image]",
                event_time=began + timedelta(seconds=place),
                sender=turn["speaker"],
                conversation_id=f"session-{number}",
                document_type="chat",
            )


def memdaily(folder: Path, people: int) -> Corpus:
    """The first trajectories of every file in turn, until there are `people` of them."""
    files = [(path.stem.split("_")[1], json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("0*.json"))]
    longest = max(len(file) for _, file in files)
    trajectories = [(kind, file[place]) for place in range(longest) for kind, file in files if place < len(file)]
    memories, questions = [], []
    for number, (kind, one) in enumerate(trajectories[:people]):
        person = f"person-{number}"
        messages = one["message_list"]
        memories += [_message(message, person) for message in messages]
        end = _moment(messages[-1]["time"]) + timedelta(days=1)
        for asked in one["question_list"]:
            relevant = tuple(f"{person}/{step}" for step in asked["target_step_id"])
            if relevant:
                questions.append(Asked(kind, asked["question"], relevant, end, person))
    return Corpus("memdaily", tuple(memories), tuple(questions))


def _message(message: dict[str, str], person: str) -> MemoryInput:
    return MemoryInput(
        id=f"{person}/{message['mid']}",
        text=message["message"],
        event_time=_moment(message["time"]),
        document_type="chat",
        metadata={"person": person},
    )


def _moment(text: str) -> datetime:
    """'2024年04月01日 周一 08:39'; a message without a readable time counts as said on the first day."""
    found = re.match(r"(\d{4})年(\d+)月(\d+)日\D*(\d+):(\d+)", text)
    year, month, day, hour, minute = map(int, found.groups()) if found else (2024, 1, 1, 0, 0)
    return datetime(year, month, day, hour, minute, tzinfo=CHINA)


Ranking = Callable[[Asked], Sequence[str]]
Found = dict[str, dict[str, list[tuple[float, ...]]]]
"""A row of figures for each question, by method and group of questions."""


def measure(graph: MemoryGraph, corpus: Corpus, *, scoped: bool) -> Found:
    """The figures of `HEADS` for the product and the plain rankings of the same passages."""
    results = graph.add(corpus.memories, namespace=corpus.name)
    assert all(r.status is not ItemStatus.FAILED for r in results), [r.error for r in results if r.error][:3]
    plain = Baselines([passage_of(m) for m in corpus.memories], graph.encoder, [str(m.id) for m in corpus.memories])
    owners = {str(m.id): m.metadata.get("person") for m in corpus.memories}

    def product(asked: Asked) -> Sequence[str]:
        where: Where | None = eq("metadata.person", asked.scope) if scoped and asked.scope else None
        found = graph.search(asked.text, namespace=corpus.name, asked_at=asked.asked_at, where=where)
        return [candidate.memory.id for candidate in found.candidates]

    def baseline(method: str) -> Ranking:
        def ranked(asked: Asked) -> Sequence[str]:
            own = {i for i, person in owners.items() if person == asked.scope}
            return plain.rank(asked.text, method, own if scoped and asked.scope else None)

        return ranked

    rankings: dict[str, Ranking] = {"graphsvc": product} | {method: baseline(method) for method in METHODS}
    found: Found = defaultdict(lambda: defaultdict(list))
    for asked in corpus.questions:
        for method, ranking in rankings.items():
            ids = ranking(asked)
            recall = (recall_at(ids, asked.relevant, k) for k in DEPTHS)
            hits = (float(hit_at(ids, asked.relevant, k)) for k in DEPTHS)
            found[method][asked.group].append((*recall, *hits))
    return found


def show(console: Console, title: str, found: Found) -> None:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for head in ("method", "questions", "n", *HEADS):
        table.add_column(head, justify="left" if head in {"method", "questions"} else "right", no_wrap=True)
    for method, groups in found.items():
        everything = [row for rows in groups.values() for row in rows]
        for group, rows in (*sorted(groups.items()), ("all", everything)):
            figures = [mean(column) or 0.0 for column in zip(*rows, strict=True)]
            table.add_row(method, group, str(len(rows)), *(f"{figure:.3f}" for figure in figures))
    console.print(table)


def run(data: Path, sample: Sample, *, cache: Path, console: Console) -> None:
    """Print the tables of both sets; a set that is absent is named and passed over."""
    settings = Settings(cache_dir=cache)
    with (
        tempfile.TemporaryDirectory(prefix="graphsvc-recall-") as folder,
        MemoryGraph.open(f"sqlite:///{folder}", settings=settings) as graph,
    ):
        _locomo(graph, data / "locomo" / "locomo10.json", sample, console)
        _memdaily(graph, data / "memdaily_zh", sample, console)


def _locomo(graph: MemoryGraph, path: Path, sample: Sample, console: Console) -> None:
    if not path.is_file():
        console.print(f"LoCoMo is not at {path}: passed over.")
        return
    pooled: Found = defaultdict(lambda: defaultdict(list))
    started = time.perf_counter()
    for corpus in locomo(path, sample.conversations):
        for method, groups in measure(graph, corpus.sampled(sample.queries), scoped=False).items():
            for group, rows in groups.items():
                pooled[method][group] += rows
        console.print(f"{corpus.name}: {time.perf_counter() - started:.0f} s", style="dim")
    show(console, f"LoCoMo, {sample.conversations} conversations, own conversation, turns found", pooled)


def _memdaily(graph: MemoryGraph, folder: Path, sample: Sample, console: Console) -> None:
    if not folder.is_dir():
        console.print(f"MemDaily is not at {folder}: passed over.")
        return
    corpus = memdaily(folder, sample.people).sampled(sample.queries)
    for scoped, words in ((True, "own scope given"), (False, "no scope given")):
        show(console, f"MemDaily, {sample.people} people pooled, {words}", measure(graph, corpus, scoped=scoped))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="folder of public sets; without it, recall is left out")
    parser.add_argument("--conversations", type=int, default=EVERYTHING.conversations, help="of LoCoMo's ten")
    parser.add_argument("--people", type=int, default=EVERYTHING.people, help="of MemDaily")
    parser.add_argument("--queries", type=int, help="ask so many of each conversation and of all people together")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")


def run_given(given: argparse.Namespace, console: Console) -> None:
    """As the arguments say; no folder, or none that is there, is said and is no failure."""
    if given.data is None:
        console.print("Recall on public sets is left out: name their folder with --data (make bench DATA=folder).")
    elif not given.data.is_dir():
        console.print(f"Recall on public sets is left out: there is no folder {given.data}.")
    else:
        sample = Sample(given.conversations, given.people, given.queries)
        run(given.data, sample, cache=given.cache, console=console)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    run_given(parser.parse_args(), Console())


if __name__ == "__main__":
    main()
