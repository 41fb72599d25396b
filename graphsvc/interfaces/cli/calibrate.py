"""`graphsvc calibrate`: train a calibrator, measure it, have it decide, and go back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from calibration.registry import Registry
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.measured import Measured, measure
from graphsvc.evaluate.rows import feedback_rows
from graphsvc.evaluate.training import bundled_stories, make
from graphsvc.interfaces.cli import versions
from graphsvc.interfaces.cli.context import (
    Name,
    acting,
    json_option,
    open_graph,
    print_found,
    print_json,
    with_settings,
)
from graphsvc.interfaces.cli.rows import gathered
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from graphsvc.supervise.calibrators import drawn
from graphsvc.supervise.refusals import told

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
_FILES = click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
_VERSION = click.argument("version", metavar="VERSION")


@click.group()
def calibrate() -> None:
    """Train what decides whether a result is used, measure it, and promote it.

    Files hold questions with what answers them, or rows that were made of such; what was trained on must not be
    measured on.
    """


@calibrate.command("train")
@_FILES
@click.option("--from-feedback", is_flag=True, help="Learn from what people said of the store's answers, too.")
@click.option("--stories", is_flag=True, help="Learn from the stories that came with the package, too.")
@click.option("--target-error", type=float, default=0.05, show_default=True, help="So many of the accepted are wrong.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Make and promote it in this folder, undated, and not here."
)
@json_option
@with_settings
def train_(
    settings: Settings,
    *,
    files: tuple[Path, ...],
    from_feedback: bool,
    stories: bool,
    target_error: float,
    out: Path | None,
    as_json: bool,
) -> None:
    """Train a version and keep it; promote it to have it decide."""
    if not 0.0 < target_error < 1.0:
        raise FieldInvalid("must lie strictly between 0 and 1", where="--target-error")
    named = sorted({*files, *(bundled_stories() if stories else ())})
    if not named and not from_feedback:
        raise FieldInvalid(
            "nothing to train on", where="FILE", remedy="name files, or give --from-feedback or --stories"
        )
    rows = gathered(named, settings)
    with open_graph(settings) as graph:
        if from_feedback:
            rows += feedback_rows(graph.store.feedback)
        registry = graph.calibration.registry if out is None else Registry(out, now=lambda: _UNDATED)
        parent = graph.calibration.judge.now().version if out is None else None
        encoder = str(graph.encoder.fingerprint)
        made = make(rows, registry, target_error=target_error, encoder=encoder, parent=parent, keep=out is None)
    if out is not None:
        with told():
            registry.promote(made.version)
    card = registry.text(made.version, "card.md")
    if as_json:
        print_json({"version": made.version, "rows": made.rows, "folder": str(registry.folder)})
    else:
        click.echo(f"{made.version}, trained on {made.rows} rows\n\n{card}")


@calibrate.command("evaluate")
@_FILES
@click.option("--version", type=Name(), help="This one; the one that decides now unless given.")
@json_option
@with_settings
def evaluate_(settings: Settings, *, files: tuple[Path, ...], version: str | None, as_json: bool) -> None:
    """Measure a version on files, beside the fallback rule, a fixed similarity, and taking whatever comes first."""
    if not files:
        raise FieldInvalid("nothing to measure on", where="FILE", remedy="name question files or rows")
    rows = gathered(sorted(files), settings)
    with open_graph(settings) as graph:
        found = measure(rows, _decider(graph, version))
    print_found(found, versions.measured_view(found), as_json=as_json)


def _decider(graph: MemoryGraph, version: str | None) -> Measured:
    if version is None:
        now = graph.calibration.judge.now()
        return Measured(now.method, now.calibrator)
    with told():
        return Measured(f"calibrator {version}", graph.calibration.registry.load(version))


@calibrate.command("list")
@json_option
@with_settings
def list_(settings: Settings, *, as_json: bool) -> None:
    """List the versions, which of them decides, and how far questions have drifted since."""
    with open_graph(settings) as graph:
        found = graph.calibration.overview()
    print_found(found, versions.overview_view(found), as_json=as_json)


@calibrate.command("report")
@click.option("--version", type=Name(), help="Of this one; of the one that decides now unless given.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("calibration-report"), show_default=True)
@with_settings
def report_(settings: Settings, *, version: str | None, out: Path) -> None:
    """Draw reliability, risk and coverage, what it looks at, and its thresholds; one HTML page holds them all."""
    with open_graph(settings) as graph:
        pictures = drawn(graph.calibration, versions.wanted(graph, version))
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in pictures.items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise FieldInvalid(error.strerror or "cannot be written", where=str(out)) from None
    click.echo(str(out / "report.html"))


@calibrate.command("promote")
@_VERSION
@click.option("--anyway", is_flag=True, help="Even if it is worse than what decides now; then --reason says why.")
@click.option("--reason", type=Name(), help="Why, for the journal.")
@json_option
@with_settings
def promote(settings: Settings, *, version: str, anyway: bool, reason: str | None, as_json: bool) -> None:
    """Lay a version beside what decides now, and have it decide unless it is worse."""
    with open_graph(settings) as graph:
        done = graph.calibration.promote(version, anyway=anyway, namespace=settings.namespace, by=acting(reason=reason))
    print_found(done, versions.promotion_view(done), as_json=as_json)


@calibrate.command("rollback")
@json_option
@with_settings
def rollback(settings: Settings, *, as_json: bool) -> None:
    """Go back to what decided before the last promotion."""
    with open_graph(settings) as graph:
        done = graph.calibration.rollback(namespace=settings.namespace, by=acting())
    print_found(done, versions.promotion_view(done), as_json=as_json)


@calibrate.command("card")
@_VERSION
@with_settings
def card_(settings: Settings, *, version: str) -> None:
    """Print what a version was made from, what it promises, and what it is not for."""
    with open_graph(settings) as graph:
        text = graph.calibration.text(version, "card.md")
    click.echo(text, nl=False)
