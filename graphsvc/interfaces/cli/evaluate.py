"""`graphsvc evaluate`: question files in, a table of what was found, used and left alone out.

Without `--store` the memories go into a store of their own that is removed afterwards.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from rich.box import SIMPLE
from rich.table import Table

from graphsvc.errors import FieldInvalid
from graphsvc.evaluate import Report, baselines, run
from graphsvc.interfaces.cli.context import open_graph, print_json, progress_bar, stdout_console, with_settings
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings

Metrics = Mapping[str, float | None]
MOST_COLUMNS = 5
FOREMOST = ("queries", "hit@1", "recall@10", "accuracy", "false_abstain", "wrong_accept")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--json", "out", metavar="OUT", help='Write all figures and every query there; "-" is standard output.')
@click.option("--baselines", "beside", is_flag=True, help="Print plain BM25, plain vectors and their mix beside it.")
@with_settings
def evaluate(settings: Settings, *, files: tuple[Path, ...], out: str | None, beside: bool) -> None:
    """Measure hits, abstentions and times on question files."""
    with _graph(settings) as graph:
        with progress_bar("asking", None) as advance:
            report = run(files, graph, advance)
        plain = baselines(files, graph.encoder) if beside else {}
    if out == "-":
        print_json(report)
        return
    if out is not None:
        _write(Path(out), report)
    _print(report, plain)


@contextmanager
def _graph(settings: Settings) -> Iterator[MemoryGraph]:
    if settings.store != Settings().store:
        with open_graph(settings) as graph:
            yield graph
        return
    with (
        tempfile.TemporaryDirectory(prefix="graphsvc-evaluate-") as folder,
        open_graph(settings.model_copy(update={"store": f"sqlite:///{folder}"})) as graph,
    ):
        yield graph


def _write(path: Path, report: Report) -> None:
    text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2, allow_nan=False)
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise FieldInvalid(reason, where=str(path), remedy="name another file with --json") from None


def _print(report: Report, plain: Mapping[str, Report]) -> None:
    console = stdout_console()
    reports = {"graphsvc": report, **plain}
    console.print(_table("overall", {name: one.summary for name, one in reports.items()}))
    if plain:
        console.print(_table("hit@1 by file", {name: _hits(one) for name, one in reports.items()}))
    console.print(_table("by language", report.by_language))
    console.print(_table("by query type", report.by_query_type))
    if len(report.by_file) > 1:
        console.print(_table("by file", report.by_file))


def _hits(report: Report) -> Metrics:
    return {file: metrics.get("hit@1") for file, metrics in report.by_file.items()}


def _table(title: str, groups: Mapping[str, Metrics]) -> Table:
    """Metrics down, groups across; where groups are many, groups down and the metrics that matter most across."""
    metrics = list(dict.fromkeys(name for group in groups.values() for name in group))
    table = Table(title=title, title_justify="left", box=SIMPLE)
    many = len(groups) > MOST_COLUMNS
    heads = [name for name in FOREMOST if name in metrics] if many else list(groups)
    table.add_column("", no_wrap=True)
    for head in heads:
        table.add_column(head.replace("_", "\n") if many else head, justify="right")
    for row in groups if many else metrics:
        cells = [groups[row].get(head) if many else groups[head].get(row) for head in heads]
        table.add_row(row, *map(_figure, cells))
    return table


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    if value >= 10:  # milliseconds and counts; the rest are shares
        return f"{value:,.0f}"
    return f"{value:.3f}"
