"""Labelled rows from the files a command names, with a bar while their questions are asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from calibration.dataset import Row
from graphsvc.evaluate.training import gather
from graphsvc.interfaces.cli.context import progress_bar
from graphsvc.settings import Settings


def gathered(files: Iterable[Path], settings: Settings) -> list[Row]:
    """As `gather` does; raises as it does."""
    with progress_bar("asking", None) as advance:
        return gather(files, settings, lambda *_: None if advance is None else advance(1))
