"""Weigh what speaks for one memory changing another: prints the table of `graphsvc/change/weights.py`.

`python -m calibration.change ROWS`, where each line of ROWS is an object with `numbers` by name, `change`, and `sure`,
whether that was judged of this very pair. Those judged weigh threefold; others that a first fit takes for a change are
left out of the second, as they were taken for none only because nobody asked about them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from calibration.logistic import Rule, fit_rule

PULL = 0.005
_JUDGED = 3
_DOUBTED = 0.75
AGAINST = frozenset(
    [
        "far",
        "two_mouths",
        "names_apart",
        "length",
        "earlier_parts",
        "unstated",
        "supposed_before",
        "foreign",
        "first_foreign",
        "many_apart",
        "cue_foreign",
        "subject_foreign",
        "unchanged",
        "other_kind",
        "subject_pair",
        "right",
        "both_left",
        "names_left",
        "parted",
        "designators_apart",
        "modifiers_apart",
        "codes_apart",
        "times_apart",
    ]
)
FOR = frozenset(
    [
        "talk",
        "near",
        "one_mouth",
        "shared",
        "of_earlier",
        "differ",
        "old_named",
        "vouched_differ",
        "replaced",
        "taken_back",
        "put_right",
        "now",
        "talk_cue",
    ]
)
Row = tuple[dict[str, float], bool, bool]


def read_rows(path: Path) -> list[Row]:
    """Numbers, whether it is a change, and whether that was judged."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return [(row["numbers"], bool(row["change"]), bool(row["sure"])) for row in rows]


def weigh(rows: list[Row]) -> tuple[list[str], Rule]:
    """The names and the rule over them, fitted twice; raises `ValueError` when all rows are of one kind."""
    names = sorted(rows[0][0])
    first = _fit(names, rows)
    taken = first.probabilities(_table(names, rows)) >= _DOUBTED
    kept = [row for row, doubted in zip(rows, taken, strict=True) if row[2] or row[1] or not doubted]
    return names, _fit(names, kept)


def _fit(names: list[str], rows: list[Row]) -> Rule:
    weighted = [row for row in rows for _ in range(_JUDGED if row[2] else 1)]
    signs = np.array([-1.0 if name in AGAINST else 1.0 if name in FOR else 0.0 for name in names])
    return fit_rule(_table(names, weighted), np.array([row[1] for row in weighted]), signs, pull=PULL)


def _table(names: list[str], rows: list[Row]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[row[0][name] for name in names] for row in rows], dtype=np.float64)


def main(arguments: list[str]) -> None:
    """Print the table as Python source."""
    names, rule = weigh(read_rows(Path(arguments[0])))
    weights = {name: round(float(weight), 3) for name, weight in zip(names, rule.weights, strict=True)}
    lines = [f'    "{name}": {weight},' for name, weight in weights.items() if weight]
    print("\n".join([f"BIAS = {rule.bias:.3f}", "WEIGHTS = {", *lines, "}"]))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
