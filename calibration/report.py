"""A calibrator in pictures: reliability, risk against coverage, what it looks at, and its thresholds by query type.

From the numbers an artefact keeps, never from rows; the same artefact gives the same bytes. matplotlib is an extra and
is asked for only here.
"""

from __future__ import annotations

import base64
import html
import io
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from calibration.card import promise
from calibration.errors import PlotsMissing
from calibration.thresholds import Bound, Thresholds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _GREY, _BLUE, _RED = "#1f2933", "#9aa5b1", "#2b6cb0", "#c53030"
_MOST_FEATURES = 16
_CAPTIONS = {
    "reliability.png": "Reliability: of results that were given a probability, how many were right. The closer to the "
    "diagonal, the truer the probability; each dot stands for as many results.",
    "risk_coverage.png": "Risk and coverage: the more questions are answered, the more of the answers are wrong. The "
    "dashed line is the target; the ring is where the thresholds put it.",
    "importance.png": "What it looks at: how much of the loss the splits on each feature took away.",
    "thresholds.png": "Thresholds by query type, with how many of the rows they were chosen on reached them.",
}


def report(thresholds: Thresholds, metrics: Mapping[str, Any], *, title: str) -> dict[str, bytes]:
    """Four pictures and `report.html`, which holds them and needs nothing else; raises `PlotsMissing`."""
    pictures = {
        "reliability.png": _reliability(metrics),
        "risk_coverage.png": _risk_coverage(metrics, thresholds),
        "importance.png": _importance(metrics),
        "thresholds.png": _thresholds(thresholds),
    }
    return {**pictures, "report.html": _html(pictures, thresholds, metrics, title).encode()}


def report_of(files: Mapping[str, str], *, title: str) -> dict[str, bytes]:
    """The same from a version's own texts, `thresholds.json` and `metrics.json`."""
    thresholds = Thresholds.from_json(json.loads(files["thresholds.json"]))
    return report(thresholds, json.loads(files["metrics.json"]), title=title)


def _figure(height: float) -> tuple[Figure, Axes]:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  an extra
    except ImportError as error:
        raise PlotsMissing from error
    figure = Figure(figsize=(7.2, height), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_GREY)
    axes.tick_params(colors=_INK, length=3)
    axes.set_axisbelow(True)
    return figure, axes


def _png(figure: Figure) -> bytes:
    told = io.BytesIO()
    figure.savefig(told, format="png", metadata={"Software": None})
    return told.getvalue()


def _nothing(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", color=_GREY, transform=axes.transAxes)


def _reliability(metrics: Mapping[str, Any]) -> bytes:
    figure, axes = _figure(5.2)
    bins = metrics["reliability"]
    axes.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1, zorder=1)
    if bins:
        at, right, rows = ([float(one[name]) for one in bins] for name in ("probability", "right", "rows"))
        bounds = [_wilson(share, count) for share, count in zip(right, rows, strict=True)]
        axes.vlines(at, [low for low, _ in bounds], [high for _, high in bounds], color=_BLUE, alpha=0.35, linewidth=5)
        axes.plot(at, right, color=_BLUE, linewidth=1.5, marker="o", markersize=6, zorder=3, clip_on=False)
        told = f"{sum(rows):.0f} rows, {rows[0]:.0f} a dot\nbars: 90% intervals"
        axes.text(0.02, 0.97, told, va="top", color=_INK, transform=axes.transAxes)
    else:
        _nothing(axes, "no rows to measure on")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="probability given", ylabel="share that was right")
    axes.grid(color=_GREY, alpha=0.25)
    return _png(figure)


def _wilson(share: float, rows: float, z: float = 1.645) -> tuple[float, float]:
    """The interval of a share (Wilson 1927), 90% by default."""
    middle = share + z * z / (2 * rows)
    half = z * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    whole = 1 + z * z / rows
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _risk_coverage(metrics: Mapping[str, Any], thresholds: Thresholds) -> bytes:
    figure, axes = _figure(4.6)
    curve, test, target = metrics["risk_coverage"], metrics["test"], thresholds.target_error
    if curve:
        coverage = [float(one["coverage"]) for one in curve]
        error = [float(one["error"]) for one in curve]
        axes.plot(coverage, error, color=_BLUE, linewidth=1.8, drawstyle="steps-post", zorder=3)
    else:
        _nothing(axes, "no rows to measure on")
    axes.axhline(target, color=_RED, linestyle="--", linewidth=1.2, zorder=2)
    axes.text(0.005, target, f"target {target:.1%}", color=_RED, va="bottom", ha="left")
    if test["error"] is not None:
        here = (float(test["coverage"]), float(test["error"]))
        axes.plot(*here, "o", markersize=11, markerfacecolor="none", markeredgecolor=_RED, markeredgewidth=2, zorder=4)
        told = f"ring: {here[0]:.1%} answered, {here[1]:.1%} of them wrong"
        axes.text(0.02, 0.97, told, va="top", color=_INK, transform=axes.transAxes)
    top = max([2.2 * target, *(float(one["error"]) for one in curve)], default=1.0)
    axes.set(xlim=(0, 1), ylim=(0, min(1.0, 1.15 * top)), xlabel="share of questions answered")
    axes.set_ylabel("share of answers that are wrong")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(color=_GREY, alpha=0.25)
    return _png(figure)


def _importance(metrics: Mapping[str, Any]) -> bytes:
    shares = sorted(metrics["importance"].items(), key=lambda one: (-one[1], one[0]))
    shown = [(name, float(share)) for name, share in shares[:_MOST_FEATURES] if share > 0]
    figure, axes = _figure(0.9 + 0.3 * max(len(shown), 4))
    if not shown:
        _nothing(axes, "no feature was used")
    names = [name for name, _ in reversed(shown)]
    bars = axes.barh(names, [share for _, share in reversed(shown)], color=_BLUE, height=0.65)
    axes.bar_label(bars, fmt=lambda value: f"{value:.1%}", padding=4, color=_INK, fontsize=9)
    axes.set_xlim(0, 1.12 * max((share for _, share in shown), default=1.0))
    axes.set_xlabel("share of the loss its splits took away")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="x", color=_GREY, alpha=0.25)
    return _png(figure)


def _thresholds(thresholds: Thresholds) -> bytes:
    bounds = [*sorted(thresholds.types.items(), reverse=True), ("any other", thresholds.overall)]
    figure, axes = _figure(1.1 + 0.36 * max(len(bounds), 3))
    for place, (_, bound) in enumerate(bounds):
        at = min(bound.threshold, 1.0)
        colour = _GREY if bound.accepts_nothing else _BLUE
        axes.plot([at, 1.0], [place, place], color=colour, linewidth=7, solid_capstyle="butt", alpha=0.3)
        own = bound.basis.value == "own"
        axes.plot(at, place, "o", color=colour, markersize=7, markerfacecolor=colour if own else "white")
        axes.text(1.02, place, _counted(bound), va="center", color=_INK, fontsize=9)
    axes.set_yticks(range(len(bounds)), [name.replace("_", " ") for name, _ in bounds])
    axes.set(xlim=(0, 1.0), ylim=(-0.6, len(bounds) - 0.4), xlabel="accepted from this probability on")
    axes.set_title(
        "filled: from the type's own rows · hollow: the global threshold", fontsize=9, color=_INK, loc="left"
    )
    axes.grid(axis="x", color=_GREY, alpha=0.25)
    return _png(figure)


def _counted(bound: Bound) -> str:
    if bound.accepts_nothing:
        return f"accepts nothing ({bound.rows} rows)"
    return f"{bound.accepted} of {bound.rows}, {bound.wrong} wrong"


def _html(pictures: Mapping[str, bytes], thresholds: Thresholds, metrics: Mapping[str, Any], title: str) -> str:
    test = metrics["test"]
    shown = [
        ("rows", str(test["rows"])),
        ("answered", _share(test["coverage"])),
        ("wrong of these", _share(test["error"])),
    ]
    shown += [(name, _number(test[key])) for name, key in (("AUROC", "auroc"), ("Brier", "brier"), ("ECE", "ece"))]
    figures = "\n".join(_picture(name, told) for name, told in pictures.items())
    tables = "\n".join(
        _table(name, metrics[key]) for name, key in (("query type", "by_type"), ("language", "by_language"))
    )
    cells = "".join(f"<div><b>{html.escape(value)}</b>{html.escape(name)}</div>" for name, value in shown)
    return _PAGE.format(
        title=html.escape(title),
        promise=html.escape(promise(thresholds)),
        cells=cells,
        figures=figures,
        tables=tables,
    )


def _picture(name: str, told: bytes) -> str:
    data = base64.b64encode(told).decode()
    caption = html.escape(_CAPTIONS[name])
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'
    )


def _table(by: str, told: Mapping[str, Mapping[str, Any]]) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(name.replace('_', ' '))}</td><td>{one['rows']}</td><td>{_share(one['coverage'])}</td>"
        f"<td>{_share(one['error'])}</td><td>{_number(one['auroc'])}</td></tr>"
        for name, one in told.items()
    )
    head = "".join(f"<th>{name}</th>" for name in (by, "rows", "answered", "wrong of these", "AUROC"))
    return f"<table><tr>{head}</tr>{rows}</table>"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
h1 {{ font-size: 1.5rem }} h2 {{ font-size: 1.1rem; margin-top: 2rem }}
.cells {{ display: flex; flex-wrap: wrap; gap: 2rem }} .cells b {{ display: block; font-size: 1.4rem }}
figure {{ margin: 2rem 0 }} img {{ max-width: 100%; height: auto }} figcaption {{ color: #52606d; font-size: .9rem }}
table {{ border-collapse: collapse; margin: 1rem 0 }} td, th {{ padding: .25rem .8rem; text-align: right }}
td:first-child, th:first-child {{ text-align: left }} tr + tr td {{ border-top: 1px solid #e4e7eb }}
</style></head><body>
<h1>{title}</h1>
<p>{promise}</p>
<h2>Measured on groups that nothing was learnt or chosen on</h2>
<div class="cells">{cells}</div>
{figures}
{tables}
</body></html>
"""
