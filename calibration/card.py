"""The model card of a calibrator: what it was made from, what it promises, and what it must not be used for.

Written from the artefact alone, so that the same training gives the same card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration.thresholds import Bound, Thresholds

_NOT_FOR = """## Not for

- Judging people, or deciding about them: it says whether a memory answers a question, nothing else.
- Facts' truth. An accepted memory answers the question as it was told; it may have been told wrongly.
- Questions or memories unlike those it was trained on; watch the drift report, and train again.
- Other features than those of its schema: it refuses them.
"""


def card(calibration: Mapping[str, Any], thresholds: Thresholds, metrics: Mapping[str, Any]) -> str:
    """Markdown."""
    return "\n".join(
        [
            "# Calibrator",
            "",
            f"Boosted trees ({calibration['rounds']} rounds, LightGBM {calibration['lightgbm']}, "
            f"seed {calibration['seed']}) over {len(calibration['names'])} features, schema `{calibration['schema']}`; "
            f"probabilities by {calibration['curve']['kind']} calibration.",
            "",
            "## The promise",
            "",
            promise(thresholds),
            "",
            *_thresholds(thresholds),
            *_data(metrics["data"]),
            "## Measured on groups that nothing was learnt or chosen on",
            "",
            f"Shares are for questions as above{mixture(thresholds.unanswerable)}; rows and AUROC are as they are.",
            "",
            *_table("all", {"all": metrics["test"], "as written": metrics["as_written"]}),
            *_table("query type", metrics["by_type"]),
            *_table("language", metrics["by_language"]),
            *_table("source", metrics["by_source"]),
            _NOT_FOR,
        ]
    )


def promise(thresholds: Thresholds) -> str:
    """The guarantee in plain words."""
    if thresholds.overall.accepts_nothing and all(bound.accepts_nothing for bound in thresholds.types.values()):
        return (
            f"No threshold could be shown to keep an error of at most {thresholds.target_error:.1%} with "
            f"{thresholds.confidence:.0%} confidence on the rows there were, so nothing is accepted."
        )
    return (
        f"With {thresholds.confidence:.0%} confidence over the drawing of the rows that it was chosen on, each "
        f"threshold keeps the share of wrong ones among what it accepts within {thresholds.target_error:.1%}, "
        f"for questions like those rows{mixture(thresholds.unanswerable)}."
    )


def mixture(unanswerable: float | None) -> str:
    """Which mixture of questions is meant, as the end of a sentence."""
    return "" if unanswerable is None else f", of which {unanswerable:.0%} have no answer in the store"


def _thresholds(thresholds: Thresholds) -> list[str]:
    rows = [("any other", thresholds.overall), *sorted(thresholds.types.items())]
    head = [
        "| query type | from probability | rests on | rows | accepted | wrong | why |",
        "|---|---|---|---|---|---|---|",
    ]
    return [*head, *(_threshold(name, bound) for name, bound in rows), ""]


def _threshold(name: str, bound: Bound) -> str:
    at = "nothing" if bound.accepts_nothing else f"{bound.threshold:.3f}"
    return f"| {name} | {at} | {bound.basis} | {bound.rows} | {bound.accepted} | {bound.wrong} | {bound.reason} |"


def _data(data: Mapping[str, Any]) -> list[str]:
    lines = ["## Data", "", "Whole conversations or stories lie in one part. Rows hold numbers, no text.", ""]
    lines += ["| part | rows | right | groups | sources | languages |", "|---|---|---|---|---|---|"]
    for part, told in data.items():
        sources, languages = (_listed(told[name]) for name in ("sources", "languages"))
        lines.append(f"| {part} | {told['rows']} | {told['right']} | {told['groups']} | {sources} | {languages} |")
    return [*lines, ""]


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _table(by: str, told: Mapping[str, Mapping[str, Any]]) -> list[str]:
    head = f"| {by} | rows | right | coverage | error among accepted | AUROC | Brier | ECE |"
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for name, one in told.items():
        numbers = " | ".join(_number(one[key]) for key in ("coverage", "error", "auroc", "brier", "ece"))
        lines.append(f"| {name} | {one['rows']} | {one['right']} | {numbers} |")
    return [*lines, ""]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
