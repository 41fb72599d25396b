"""`graphsvc learn`: question files in, ranking weights out, and how well these carry over to other questions."""

from __future__ import annotations

from pathlib import Path

import click
from rich.box import SIMPLE
from rich.table import Table

from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.learn import Learnt, learn_ranking
from graphsvc.interfaces.cli.context import progress_bar, stdout_console, with_settings
from graphsvc.settings import Settings


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the weights there; GRAPHSVC_RANKING names them then."
)
@with_settings
def learn(settings: Settings, *, files: tuple[Path, ...], out: Path | None) -> None:
    """Learn ranking weights from question files.

    What was learnt from must not be measured on: keep other questions for `graphsvc evaluate`.
    """
    with progress_bar("asking", None) as advance:
        learnt = learn_ranking(sorted(files), settings, advance)
    _print(learnt)
    if out is not None:
        try:
            out.write_text(learnt.to_toml(), encoding="utf-8")
        except OSError as error:
            raise FieldInvalid(error.strerror or "cannot be written", where=str(out)) from None


def _print(learnt: Learnt) -> None:
    files = Table("file", "questions", "before", "learnt without it", "learnt", title="hit@1", box=SIMPLE)
    for one in learnt.files:
        hits = (f"{share:.3f}" for share in (one.before, one.held_out, one.learnt))
        files.add_row(one.name, str(one.questions), *hits)
    weights = Table("weight", "before", "learnt", box=SIMPLE)
    for name, (before, after) in learnt.weights.items():
        weights.add_row(name, f"{before:+.3f}", f"{after:+.3f}")
    stdout_console().print(files, weights)
