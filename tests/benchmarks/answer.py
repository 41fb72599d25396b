"""The whole `answer` at 100,000 memories: real questions among synthetic memories, stage by stage.

The bundled story and a few mails are written among memories of random vectors, words, people and ties, under the
bundled encoder. Prints how many memories each stage leaves for the question "the IP in the mail 张伟 sent yesterday",
then p50 and p95 of the whole call, wall clock and CPU, for it and for the story's questions: met for the first time,
and asked again. A last table has the CPU time of each stage; it does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, process_time
from unittest.mock import patch

import numpy as np

from graphsvc.evaluate.files import read_evaluation
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer
from graphsvc.models.memory import MemoryInput
from graphsvc.settings import Settings
from tests.benchmarks.store import NAMESPACE, Source, build
from tests.builders import NOW

STORY = Path(__file__).parents[2] / "graphsvc" / "interfaces" / "demo" / "story.jsonl"
ASKER = "lin.yue@benchmark.example"
WEI, NA = "张伟 <wei.zhang@benchmark.example>", "李娜 <na.li@benchmark.example>"
# Who wrote to whom, how many days before the question, and what; every one differs from the first in one thing.
MAILS = (
    (WEI, ASKER, 1, "新的跳板机已经配好，IP 是 10.20.7.41，端口没变。"),
    (NA, WEI, 1, "旧的跳板机先别关，它的 IP 是 10.20.7.40。"),
    (WEI, ASKER, 8, "测试环境的 IP 临时换成 10.99.1.5。"),
    (NA, ASKER, 1, "打印服务器的 IP 是 10.30.2.9，请更新驱动。"),
)
FOUND = "10.20.7.41"
MAIL_QUESTIONS = {"zh": "张伟昨天发的邮件里的IP是多少", "en": "what is the IP in the mail 张伟 sent yesterday"}
_WARMING = 5


@dataclass(frozen=True, slots=True)
class Asking:
    """One question as it is put to `answer`."""

    text: str
    at: datetime
    by: str | None

    def put(self, graph: MemoryGraph) -> Answer:
        return graph.answer(self.text, namespace=NAMESPACE, asked_at=self.at, asked_by=self.by)


@dataclass(slots=True)
class Taken:
    """Milliseconds by name, of every repeat."""

    wall: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def time(self, name: str, asking: Asking, graph: MemoryGraph) -> Answer:
        wall, cpu = perf_counter(), process_time()
        answer = asking.put(graph)
        self.wall[name].append((perf_counter() - wall) * 1e3)
        self.cpu[name].append((process_time() - cpu) * 1e3)
        return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=40, help="of each mail question")
    parser.add_argument("--questions", type=int, default=300, help="of the story, once all were met")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphsvc-answer-") as folder:
        settings = Settings(cache_dir=Path(folder) / "cache")
        with MemoryGraph.open(f"sqlite:///{folder}/store", settings=settings) as graph:
            build(graph.store, Source(graph.encoder.fingerprint.dimension), given.memories)
            graph.add(read_evaluation(STORY).memories, namespace=NAMESPACE)
            graph.add(list(_mails()), namespace=NAMESPACE)
            graph.warm_up()
            measure(graph, given.memories, given.repeats, given.questions)


def measure(graph: MemoryGraph, memories: int, repeats: int, questions: int) -> None:
    """Print all tables for a graph that holds the story and the mails."""
    mail = {name: Asking(text, NOW, ASKER) for name, text in MAIL_QUESTIONS.items()}
    story = _story()
    taken = Taken()
    for asking in mail.values():
        _funnel(asking, asking.put(graph))
    for asking in story:
        taken.time("story, first time", asking, graph)
    for name, asking in mail.items():
        for number in range(repeats + _WARMING):
            taken.time(f"mail, {name}" if number >= _WARMING else "warming", asking, graph)
    for asking in islice(cycle(story), questions):
        taken.time("story, again", asking, graph)
    _totals(taken, memories)
    stages = {name: _stages(graph, [asking] * repeats) for name, asking in mail.items()}
    _by_stage(stages | {"story": _stages(graph, list(islice(cycle(story), questions)))})


def _mails() -> Iterable[MemoryInput]:
    for sender, recipient, days, text in MAILS:
        yield MemoryInput(
            text=text,
            sender=sender,
            recipients=(recipient,),
            event_time=NOW - timedelta(days=days, hours=1),
            document_type="email",
        )


def _story() -> list[Asking]:
    lines = (json.loads(line) for line in STORY.read_text("utf-8").splitlines())
    return [
        Asking(line["text"], datetime.fromisoformat(line["asked_at"]), line["asked_by"])
        for line in lines
        if line["kind"] == "query"
    ]


def _funnel(asking: Asking, answer: Answer) -> None:
    """How many memories each stage left, from all that are stored to what is quoted."""
    value = "nothing" if answer.value is None else answer.value.text
    print(f"{asking.text}\n  {answer.status.value}: {value}{'' if value == FOUND else f' (expected {FOUND})'}")
    for stage in answer.stages:
        if stage.name not in {"encode", "parse"}:
            told = f"  {stage.applied}{' (relaxed)' if stage.relaxed else ''}" if stage.applied else ""
            print(f"  {stage.remaining:>9,}  {stage.name}{told}")
    print()


def _stages(graph: MemoryGraph, askings: Sequence[Asking]) -> dict[str, float]:
    """Median CPU milliseconds of each stage, over the questions that have it."""
    found: dict[str, list[float]] = defaultdict(list)
    with _clock(process_time):
        for asking in askings:
            own: dict[str, float] = defaultdict(float)
            for stage in asking.put(graph).stages:
                own[stage.name] += stage.ms
            for name, ms in own.items():
                found[name].append(ms)
    return {name: float(np.median(values)) for name, values in found.items()}


@contextmanager
def _clock(timer: Callable[[], float]) -> Iterator[None]:
    """Have the stages counted in another time."""
    with patch("graphsvc.retrieve.ask.perf_counter", timer), patch("graphsvc.retrieve.funnel.perf_counter", timer):
        yield


def _totals(taken: Taken, memories: int) -> None:
    print(f"| answer among {memories:,} memories | n | wall p50 ms | wall p95 | CPU p50 ms | CPU p95 |")
    print("|---|---|---|---|---|---|")
    for name, walls in taken.wall.items():
        if name != "warming":
            figures = [f"{np.percentile(one, share):.1f}" for one in (walls, taken.cpu[name]) for share in (50, 95)]
            print(f"| {name} | {len(walls)} | {' | '.join(figures)} |")
    print()


def _by_stage(columns: dict[str, dict[str, float]]) -> None:
    print(f"| CPU ms of a stage, median | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for stage in dict.fromkeys(name for stages in columns.values() for name in stages):
        cells = [f"{stages[stage]:.2f}" if stage in stages else "" for stages in columns.values()]
        print(f"| {stage} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
