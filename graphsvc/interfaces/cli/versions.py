"""Draw the calibrators: which there are, how they measure, and what a promotion changed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table

from graphsvc.errors import NotFound
from graphsvc.evaluate.measured import Figures
from graphsvc.interfaces.cli.prose import Prose, labelled, plain
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.calibration import CalibrationHealth, CalibrationOverview, Calibrator, Promotion, SideBySide

_MOST_DRIFTED = 5


def wanted(graph: MemoryGraph, version: str | None) -> str:
    """A version, the one that decides unless named; raises `NotFound` when none does."""
    chosen = version or graph.calibration.judge.now().version
    if chosen is None:
        raise NotFound("no calibrator decides now", where="--version", remedy="name one")
    return chosen


def overview_view(found: CalibrationOverview) -> RenderableType:
    """What decides, then each version, then how questions have drifted."""
    who = found.health.decides if found.note is None else f"the fallback rule: {found.note}"
    shown: list[RenderableType] = [Prose(plain(f"decides: {who}{' (shipped)' if found.shipped else ''}", "bold"))]
    if found.target_error is not None:
        shown.append(Prose(plain(f"made to keep an error of {found.target_error:.1%} among what it accepts", "dim")))
    if found.versions:
        table = _table("", "version", "made", "target", "answered", "wrong")
        for one in found.versions:
            table.add_row("→" if one.live else "", *map(plain, _row(one)))
        shown.append(table)
        shown += [
            Prose(plain(f"{one.version}: {_unusable(one)}", "yellow")) for one in found.versions if not one.usable
        ]
    shown.append(labelled("feedback", plain(f"{found.feedback} words")))
    return Group(*shown, *_health(found.health))


def _row(one: Calibrator) -> tuple[str, ...]:
    made = one.created_at[:16].replace("T", " ")
    return (one.version, made, _share(one.target_error), _share(one.coverage), _share(one.error))


def _unusable(one: Calibrator) -> str:
    return one.damaged or "was made for other features: train again"


def _table(*heads: str) -> Table:
    """Whose first words stay on one line."""
    table = Table(box=SIMPLE)
    for head in heads:
        table.add_column(head, no_wrap=True)
    return table


def _health(health: CalibrationHealth) -> list[RenderableType]:
    rate = "" if health.acceptance_rate is None else f", {health.acceptance_rate:.1%} accepted"
    shown: list[RenderableType] = [labelled("recent", plain(f"{health.recent} decisions{rate}"))]
    if health.level is not None:
        moved = [f"{one.name} {one.psi:.2f}" for one in health.drift[:_MOST_DRIFTED] if one.psi > 0]
        shown.append(labelled("drift", plain(" · ".join([health.level.replace("_", " "), *moved]))))
    return shown + [labelled("warning", plain(told), style="yellow") for told in health.warnings]


def promotion_view(done: Promotion) -> RenderableType:
    """Who decides from now on, and the comparison it was decided by."""
    who = "the fallback rule decides" if done.live is None else f"{done.live} decides"
    shown: list[RenderableType] = [Prose(plain(f"{who} from now on, before it {done.before or 'the rule'}", "bold"))]
    if done.compared is not None:
        shown.append(_compared(done.compared))
    if done.overruled is not None:
        shown.append(labelled("overruled", plain(done.overruled), style="yellow"))
    return Group(*shown)


def _compared(compared: SideBySide) -> RenderableType:
    title = f"on {compared.rows} rows of {compared.groups} groups, against {compared.against}"
    table = Table("", "before", "after", "difference", "90% interval", title=title, title_justify="left", box=SIMPLE)
    for name, one in compared.measures.items():
        interval = f"{one.low:+.3f} to {one.high:+.3f}"
        table.add_row(name, _number(one.old), _number(one.new), f"{one.difference:+.3f}", interval)
    return table


def measured_view(found: Sequence[Figures]) -> RenderableType:
    """One way of deciding a row, the measured one first."""
    table = _table("", "rows", "answered", "wrong", "AUROC", "Brier", "ECE")
    for one in found:
        numbers = (_number(value) for value in (one.auroc, one.brier, one.ece))
        table.add_row(plain(one.name), str(one.rows), _share(one.coverage), _share(one.error), *numbers)
    return table


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
