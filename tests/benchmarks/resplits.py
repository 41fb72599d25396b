"""Whether thresholds keep their promise: labelled rows parted at random again and again, thresholds set and tried.

The boosters are fitted once, over folds of groups, and every row has its probability from trees and a curve that were
made without its group. Then, for each resplit, the groups fall 3 : 1 : 1: the ladder comes of the first part, the
product's own Learn then Test walks it on the tune part, and errors are counted on the test part.

The promise is about the risk: in at most a share of 1 - confidence of all draws of tune rows is P(wrong | accepted)
above the target. What is counted here is the error on a finite test part, which scatters around the risk: at a risk of
exactly the target about half of all test parts exceed it. So two shares are printed. "exceeded" counts every test part
above the target. "beyond noise" counts those with so many errors that, were the risk the target, a binomial would give
as many with a chance below 5%; rows count there as if they were independent, so that chance alone gives somewhat more.
A resplit that certifies nothing exceeds nothing, and the promise counts it too. Resplits share their rows: their shares
are less sure than as many independent draws would be.

ROWS is what `graphsvc calibrate train --stories` keeps as rows/VERSION.jsonl beside its versions.

    python -m tests.benchmarks.resplits ROWS [--target-error 0.05] [--splits 200] [--confidence 0.9]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.boosting import FOLDS, Watch, cross_fit, fold_of
from calibration.curve import fit_curve
from calibration.dataset import Bools, Dataset, Floats, split_groups
from calibration.model import probabilities_of, undecidable
from calibration.prior import UNANSWERABLE, counts_of
from calibration.rows_file import read_rows
from calibration.thresholds import Basis, Judged, Thresholds, choose, tail
from calibration.train import judged
from graphsvc.supervise.rows import FIT_ONLY

ALL, REST = "all", "global threshold"
SEED = 7
NOISE = 0.05


@dataclass(frozen=True, slots=True)
class Scored:
    """Rows that may be tuned and tested on, and the probability `(n,)` each has from what never saw its group.

    0 where nothing may be decided, whatever a model would say.
    """

    rows: Dataset
    probabilities: Floats


@dataclass(slots=True)
class Tally:
    """Over the resplits that have rows of a kind.

    `own` counts those in which its threshold rested on its own rows, `nothing` those in which none was certified.
    """

    splits: int = 0
    own: int = 0
    nothing: int = 0
    exceeded: int = 0
    beyond: int = 0
    coverage: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def count(self, test: Judged, limits: Floats, target: float) -> None:
        """One test part, with the threshold `(n,)` of each row."""
        taken = test.probabilities >= limits
        accepted, wrong = float(test.each[taken].sum()), float(test.each[taken & ~test.right].sum())
        self.splits += 1
        self.nothing += bool((limits > 1.0).all())
        self.coverage.append(accepted / float(test.each.sum()))
        if not accepted:
            return
        self.errors.append(wrong / accepted)
        self.exceeded += wrong / accepted > target
        # As many errors or more: the tail of as many right ones or fewer, were each right with the chance left over.
        self.beyond += tail(accepted, accepted - wrong, 1.0 - target) < NOISE


def scored(rows: Dataset, unanswerable: float | None) -> Scored:
    """Out-of-fold probabilities; each fold's curve is that of the others' predictions."""
    free = rows.where(~undecidable(rows.features))
    made_up = np.isin(free.sources, FIT_ONLY)
    crossed = cross_fit(free.features, free.right, free.groups, seed=SEED, watch=Watch(), on_fold=lambda _: None)
    folds = fold_of(free.groups, SEED)
    told = np.zeros(len(free))
    for number in range(FOLDS):
        mine, others = folds == number, (folds != number) & ~made_up
        counts = counts_of(free.answerable[others], unanswerable)
        curve = fit_curve(crossed.margins[others], free.right[others], counts)
        told[mine] = probabilities_of(free.features[mine], crossed.margins[mine], curve)
    known = dict(zip(free.ids.tolist(), told.tolist(), strict=True))
    own = rows.where(~np.isin(rows.sources, FIT_ONLY))
    return Scored(own, np.array([known.get(name, 0.0) for name in own.ids.tolist()]))


def resplit(
    given: Scored, *, target: float, confidence: float, unanswerable: float | None, splits: int
) -> Mapping[str, Tally]:
    """The tallies of all rows, of those under the global threshold, and of each query type."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for seed in range(splits):
        part = split_groups(given.rows.groups.tolist(), seed)
        where = np.array([part[str(group)] for group in given.rows.groups])
        fit, tune, test = (
            judged(given.rows.where(mask), given.probabilities[mask], unanswerable)
            for mask in ((where == 0) & (given.probabilities > 0.0), where == 1, where == 2)
        )
        found = choose(fit, tune, target_error=target, confidence=confidence, unanswerable=unanswerable)
        limits = np.array([found.of(str(kind)).threshold for kind in test.query_types])
        for name, mask in _kinds(found, test.query_types):
            tallies[name].own += found.of(name).basis is Basis.OWN
            tallies[name].count(test.where(mask), limits[mask], target)
    return tallies


def _kinds(found: Thresholds, types: np.ndarray[tuple[int], np.dtype[np.str_]]) -> Iterator[tuple[str, Bools]]:
    """The rows `(n,)` of each tally; no tally where a part has none."""
    yield ALL, np.ones(len(types), dtype=np.bool_)
    names = sorted(map(str, np.unique(types)))
    shared = np.isin(types, [name for name in names if found.of(name).basis is Basis.GLOBAL])
    if shared.any():
        yield REST, shared
    for name in names:
        yield name, types == name


def show(console: Console, title: str, tallies: Mapping[str, Tally], confidence: float) -> None:
    """One row a kind; a promise stands only where a threshold is tested on the rows that it is used for."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    heads = ("own", "promised", "exceeded", "beyond noise", "mean error", "mean coverage", "certified nothing")
    for head in ("questions", *heads):
        table.add_column(head, justify="left" if head == "questions" else "right", no_wrap=True)
    for name in (ALL, REST, *sorted(tallies.keys() - {ALL, REST})):
        if name in tallies:
            one = tallies[name]
            promised = name in {ALL, REST} or one.own == one.splits
            table.add_row(
                name,
                "" if name in {ALL, REST} else f"{one.own}",
                f"≤ {1 - confidence:.1%}" if promised else "–",
                f"{one.exceeded / one.splits:.1%}",
                f"{one.beyond / one.splits:.1%}",
                f"{np.mean(one.errors):.3f}" if one.errors else "–",
                f"{np.mean(one.coverage):.3f}",
                f"{one.nothing} of {one.splits}",
            )
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, metavar="ROWS", help="a file of labelled rows")
    parser.add_argument("--target-error", type=float, nargs="+", default=[0.05], help="one or more")
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--confidence", type=float, default=0.9)
    parser.add_argument("--unanswerable", type=float, default=UNANSWERABLE, help="the share the promise is made for")
    given = parser.parse_args()
    found = scored(read_rows(given.rows), given.unanswerable)
    groups = len(np.unique(found.rows.groups))
    for target in given.target_error:
        tallies = resplit(
            found,
            target=target,
            confidence=given.confidence,
            unanswerable=given.unanswerable,
            splits=given.splits,
        )
        title = f"target error {target}, {given.splits} resplits of {len(found.rows)} rows in {groups} groups"
        show(Console(width=140), title, tallies, given.confidence)


if __name__ == "__main__":
    main()
