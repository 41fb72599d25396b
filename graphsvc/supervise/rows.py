"""The labelled rows a version was trained from, beside the versions; and those of them nothing was learnt from.

The part of a group follows from its name and the seed alone, so what one version was not trained on no other of the
same seed was either: two can be laid side by side on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from calibration.dataset import Dataset, Row
from calibration.rows_file import read_rows, write_rows
from graphsvc.models.calibration import Feedback

FEEDBACK = "feedback"
ALONE = "alone"  # one memory and no rival
TWINS = "twins"  # every memory with another of its words beside it
# Made, not met: it helps to fit, and nothing is tuned or measured on it.
FIT_ONLY = (ALONE, TWINS)
_FOLDER = "rows"


def path_of(folder: Path, version: str) -> Path:
    """Where the rows of a version are kept."""
    return folder / _FOLDER / f"{version}.jsonl"


def keep_rows(folder: Path, version: str, rows: Iterable[Row]) -> None:
    """Written beside, then renamed: half a file is never read."""
    path = path_of(folder, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    write_rows(beside, rows)
    beside.replace(path)


def held_out(folder: Path, version: str, seed: int) -> Dataset | None:
    """The test part of a version's rows, None where none are kept; raises as `read_rows` does."""
    path = path_of(folder, version)
    if not path.is_file():
        return None
    test = read_rows(path).split(seed).test
    return test.where(~np.isin(test.sources, FIT_ONLY))


def row_of(feedback: Feedback) -> Row:
    """A lesson as a row; the last word on an answer counts, whichever of its memories it names."""
    lesson = feedback.lesson
    assert lesson is not None
    return Row(
        id=f"{FEEDBACK}:{feedback.trace_id}",
        group=lesson.group,
        query_type=lesson.query_type,
        values=lesson.features,
        right=lesson.right,
        source=FEEDBACK,
        language=lesson.language,
    )
