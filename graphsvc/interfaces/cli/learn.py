"""`graphsvc learn`: question files in, ranking weights out, and how well these carry over to other questions."""

from __future__ import annotations

from pathlib import Path

import click
from rich.box import SIMPLE
from rich.table import Table

from calibration.features import NAMES
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.learn import Learnt, learn_ranking
from graphsvc.evaluate.learn_rule import LearntRule, learn_rule
from graphsvc.interfaces.cli.context import progress_bar, stdout_console, with_settings
from graphsvc.interfaces.cli.rows import gathered
from graphsvc.settings import Settings


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--out", type=click.Path(path_type=Path), help="Write the weights there, for GRAPHSVC_RANKING.")
@click.option("--rule", type=click.Path(path_type=Path), help="Learn the rule of acceptance instead; write it there.")
@with_settings
def learn(settings: Settings, *, files: tuple[Path, ...], out: Path | None, rule: Path | None) -> None:
    """Learn ranking weights from question files, or the rule of acceptance from these or from labelled rows.

    What was learnt from must not be measured on: keep other questions for `graphsvc evaluate`.
    """
    if rule is not None:
        decided = learn_rule(gathered(sorted(files), settings))
        _print_rule(decided)
        _write(rule, decided.to_toml())
        return
    with progress_bar("asking", None) as advance:
        learnt = learn_ranking(sorted(files), settings, advance)
    _print(learnt)
    if out is not None:
        _write(out, learnt.to_toml())


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be written", where=str(path)) from None


def _print_rule(learnt: LearntRule) -> None:
    weights = Table("feature", "weight", box=SIMPLE)
    for name, weight in zip(NAMES, learnt.rule.weights, strict=True):
        weights.add_row(name, f"{weight:+.3f}")
    held_out = "" if learnt.held_out_auroc is None else f", auroc {learnt.held_out_auroc:.3f}"
    told = f"threshold {learnt.threshold:.3f}; not learnt from: {learnt.wrong_accepted:.3f} wrongly accepted{held_out}"
    stdout_console().print(weights, f"{learnt.rows} rows; {told}")


def _print(learnt: Learnt) -> None:
    files = Table("file", "questions", "before", "learnt without it", "learnt", title="hit@1", box=SIMPLE)
    for one in learnt.files:
        hits = (f"{share:.3f}" for share in (one.before, one.held_out, one.learnt))
        files.add_row(one.name, str(one.questions), *hits)
    weights = Table("weight", "before", "learnt", box=SIMPLE)
    for name, (before, after) in learnt.weights.items():
        weights.add_row(name, f"{before:+.3f}", f"{after:+.3f}")
    stdout_console().print(files, weights)
