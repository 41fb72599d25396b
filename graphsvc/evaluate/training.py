"""From question files, rows and feedback to a kept version of the calibrator; also as a process of its own.

`python -m graphsvc.evaluate.training` reads one order from standard input and tells its progress as `graphsvc.jobs`
reads it. A version is kept with the rows it was trained from, and promoted by nobody here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from calibration.dataset import Dataset, Row
from calibration.registry import Registry
from calibration.rows_file import KIND, read_rows
from calibration.train import Progress as Trainer
from calibration.train import train
from graphsvc import assembly
from graphsvc.errors import FieldInvalid, GraphsvcError, TrainingRefused
from graphsvc.evaluate.rows import feedback_rows, question_rows
from graphsvc.jobs import Jobs
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import Record
from graphsvc.models.calibration import Job
from graphsvc.retrieve.accept.judge import ENCODER
from graphsvc.settings import Settings
from graphsvc.supervise.refusals import told
from graphsvc.supervise.rows import FEEDBACK, FIT_ONLY, keep_rows, path_of

CONFIDENCE, SEED = 0.9, 7
MODULE = "graphsvc.evaluate.training"
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A version as it was kept, and how many rows it was trained from."""

    version: str
    rows: int


class Order(Record):
    """What a process is to train from; `settings` hold their secrets in the open, so it goes by a pipe alone."""

    files: tuple[Path, ...] = ()
    folder: Path
    target_error: float
    encoder: str
    parent: str | None = None
    settings: dict[str, Any]

    @classmethod
    def of(cls, settings: Settings, graph: MemoryGraph, *, files: Sequence[Path], target_error: float) -> Order:
        """For the calibrators of a graph, to follow the one that decides now."""
        return cls(
            files=tuple(files),
            folder=graph.calibration.folder,
            target_error=target_error,
            encoder=str(graph.encoder.fingerprint),
            parent=graph.calibration.judge.now().version,
            settings={name: _plain(getattr(settings, name)) for name in Settings.model_fields},
        )


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return str(value) if isinstance(value, Path) else value


def bundled_stories() -> list[Path]:
    """The stories and notes that came with the package."""
    folder = Path(str(resources("calibration")))
    return [*sorted(folder.glob("stories/*.jsonl")), *sorted(folder.glob("notes/*.txt"))]


def gather(files: Iterable[Path], settings: Settings, tell: Tell) -> list[Row]:
    """The rows of files of questions and of rows; raises `FieldInvalid` for one that is neither."""
    rows: list[Row] = []
    for path in files:
        if is_rows(path):
            with told():
                rows += read_rows(path).rows()
            continue
        done = 0

        def advance(more: int, name: str = path.stem) -> None:
            nonlocal done
            done += more
            tell(f"asking {name}", done, 0)

        rows += question_rows([path], settings, advance)
    return rows


def is_rows(path: Path) -> bool:
    """Whether a file holds labelled rows and not questions; raises `FieldInvalid` when it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            first = json.loads(file.readline())
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be read", where=str(path)) from None
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("kind") == KIND


def make(
    rows: Iterable[Row],
    registry: Registry,
    *,
    target_error: float,
    encoder: str,
    parent: str | None = None,
    keep: bool = True,
    tell: Tell = lambda stage, done, total: None,  # noqa: ARG005  tells nobody
) -> Made:
    """Train and save a version, and with `keep` its rows beside it; `encoder` is what its rows were made with.

    Raises `FieldInvalid` for a target that is none, and `TrainingRefused`.
    """
    if not 0.0 < target_error < 1.0:
        raise FieldInvalid("must lie strictly between 0 and 1", where="target_error")
    with told():
        dataset = Dataset.of(rows)
        if not len(dataset):
            raise TrainingRefused("there is nothing to train on", remedy="give question files, rows or feedback")

        def step(one: Trainer) -> None:
            tell(f"training: {one.stage.value}", one.done, one.total)

        trained = train(
            dataset,
            target_error=target_error,
            confidence=CONFIDENCE,
            seed=SEED,
            fit_only=FIT_ONLY,
            on_progress=step,
        )
        made_with = {**trained.calibration, ENCODER: encoder}
        version = registry.save(replace(trained, calibration=made_with), parent=parent)
    if keep:
        keep_rows(registry.folder, version, dataset.rows())
    return Made(version, len(dataset))


def run(order: Order, now: Callable[[], datetime], tell: Tell) -> Made:
    """Do what an order says; raises as `gather` and `make` do."""
    settings = Settings.model_validate(order.settings)
    rows = gather(order.files, settings, tell)
    registry = Registry(order.folder, now=now)
    return make(rows, registry, target_error=order.target_error, encoder=order.encoder, parent=order.parent, tell=tell)


def begin(
    jobs: Jobs,
    graph: MemoryGraph,
    settings: Settings,
    *,
    target_error: float,
    from_feedback: bool,
    namespace: str | None,
    stories: bool,
) -> Job:
    """Train in a process of its own, on feedback of a namespace or of all, and on the bundled stories.

    Raises `JobRunning`, and `TrainingRefused` where nothing is there to train on.
    """
    folder = graph.calibration.folder
    files = bundled_stories() if stories else []
    lessons = feedback_rows(graph.store.feedback, namespace) if from_feedback else []
    if not files and not lessons:
        raise TrainingRefused("nobody has judged an answer yet", remedy="give feedback, or train on the stories")
    if lessons:
        keep_rows(folder, FEEDBACK, lessons)
        files = [*files, path_of(folder, FEEDBACK)]
    order = Order.of(settings, graph, files=files, target_error=target_error)
    return jobs.start("train", [sys.executable, "-m", MODULE], order.model_dump(mode="json"))


def main() -> int:
    """One order from standard input; lines of JSON to standard output."""
    order = Order.model_validate_json(sys.stdin.readline())
    now = assembly.clock(Settings.model_validate(order.settings))
    try:
        made = run(order, now, lambda stage, done, total: _say({"stage": stage, "done": done, "total": total}))
    except GraphsvcError as error:
        what = f"{error.what} ({error.where})" if error.where else error.what
        _say({"error": {"code": error.code, "what": what, "remedy": error.remedy}})
        return 1
    _say({"result": {"version": made.version, "rows": made.rows}})
    return 0


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
