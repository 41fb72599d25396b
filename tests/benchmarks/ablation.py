"""What each part of the ask path is worth: question files asked with the whole product, then without one part.

Each row is a ranking file of its own, given as a user would give one; nothing is learnt anew for what is left. A
figure that rises without a part says that the part did harm on that file.

    python -m tests.benchmarks.ablation FILE... [--only "without senses"]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graphsvc.evaluate import run
from graphsvc.evaluate.learn import to_toml
from graphsvc.memory_graph import MemoryGraph
from graphsvc.retrieve.config import RankingConfig, SignalWeights, load_config
from graphsvc.settings import Settings
from tests.benchmarks.recall import CACHE

FIGURES = ("hit@1", "accuracy", "forbidden_above")
WHOLE = "whole product"
# Signals read from a memory's place in its talk, and from words of change.
TALK = ("talk", "talk_above", "talk_newest", "talk_oldest", "talk_last")
CHANGE = ("changes", "changed_since", "newest_asked", "oldest_asked")

Without = Callable[[RankingConfig], RankingConfig]
Figures = Mapping[str, Mapping[str, float | None]]
"""The figures of each file, and of all together, by name."""


def _signals(config: RankingConfig, *names: str) -> RankingConfig:
    """Without what these signals add."""
    weights = SignalWeights.model_validate({**config.by_signal, **dict.fromkeys(names, 0.0)})
    return config.model_copy(update={"signals": weights})


def _mix(config: RankingConfig, **weights: float) -> RankingConfig:
    return config.model_copy(update={"mix": config.mix.model_copy(update=weights)})


def _funnel(config: RankingConfig, **switches: bool) -> RankingConfig:
    return config.model_copy(update={"funnel": config.funnel.model_copy(update=switches)})


def _without_expansion(config: RankingConfig) -> RankingConfig:
    seedless = _mix(config, turn_seeds=0, talk_seeds=0)
    return seedless.model_copy(update={"walk": {}, "day_seeds": 0})


ROWS: Mapping[str, Without] = {
    WHOLE: lambda config: config,
    "without funnel": lambda config: _funnel(config, soft=False),
    "without labels": lambda config: _signals(_funnel(config, labels=False), "domain"),
    "without senses": lambda config: _signals(config, "sense", "other_sense"),
    "without expansion": _without_expansion,
    "without words": lambda config: _mix(config, lexical=0.0),
    "without late interaction": lambda config: _mix(config, late=0.0),
    "vectors alone in the mix": lambda config: _mix(config, lexical=0.0, late=0.0),
    "without change and talk": lambda config: _signals(config, *CHANGE, *TALK),
    "without cover": lambda config: config.model_copy(update={"cover": 0.0, "day_seeds": 0}),
    "without signals": lambda config: _signals(config, *config.by_signal),
}


def measured(files: Sequence[Path], config: RankingConfig, cache: Path) -> Figures:
    """The figures of a configuration, read from a file as a user's own would be."""
    with tempfile.TemporaryDirectory(prefix="graphsvc-ablation-") as folder:
        ranking = Path(folder) / "ranking.toml"
        ranking.write_text(to_toml(config), encoding="utf-8")
        settings = Settings(cache_dir=cache, ranking=ranking)
        with MemoryGraph.open(f"sqlite:///{folder}/store", settings=settings) as graph:
            report = run(files, graph)
    found: dict[str, Mapping[str, float | None]] = {**report.by_file, "all": report.summary}
    return found


def show(console: Console, found: Mapping[str, Figures]) -> None:
    """One table a figure, one row a configuration, one column a file."""
    for figure in FIGURES:
        table = Table(title=figure, title_justify="left", box=None, pad_edge=False)
        table.add_column("configuration", no_wrap=True)
        names = list(next(iter(found.values())))
        for name in names:
            table.add_column(Path(name).stem, justify="right", no_wrap=True)
        for row, by_file in found.items():
            table.add_row(row, *(_cell(by_file[name].get(figure)) for name in names))
        console.print(table)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="question files")
    parser.add_argument("--only", choices=list(ROWS), action="append", help="this row, beside the whole product")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where encoded passages are kept")
    given = parser.parse_args()
    rows = ROWS if given.only is None else {name: ROWS[name] for name in dict.fromkeys((WHOLE, *given.only))}
    shipped = load_config()
    measures = {name: measured(given.files, without(shipped), given.cache) for name, without in rows.items()}
    show(Console(width=140), measures)


if __name__ == "__main__":
    main()
