"""Thresholds that keep a stated error: P(wrong | accepted) <= target, with a stated confidence over the draw of rows.

Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei 2021, arXiv:2110.01052): each threshold of a fixed ladder
is the hypothesis that its error is above the target; an exact binomial tail on the accepted rows rejects it, and
rejected thresholds may be used. Fixed-sequence testing walks the ladder from strict to lax and stops at the first rung
that is not rejected. Ladder and first rung come from the fitting groups alone, whatever the target, so that a stricter
target never accepts more. Groups count as `clusters` says, rows as `prior` does: the binomial tail then takes sums of
counts, which vary less than the rows that drawing such a mixture would leave.

The error among the *accepted* is no monotone function of the threshold, which conformal risk control (Angelopoulos,
Bates, Fisch, Lei and Schuster 2022, arXiv:2208.02814) needs; hence the test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrik, betainc

from calibration.clusters import correlation, design_effect

Floats = NDArray[np.float64]
NOTHING = 2.0  # a threshold that no probability reaches
LOWEST = 0.02  # no threshold is lower: what is ruled out or unknown lies below
TYPE_ROWS, TYPE_GROUPS = 300, 60  # tune rows and groups from which a query type gets a threshold of its own
_SHARES = tuple(step / 40 for step in range(2, 41))
_REFERENCES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)  # targets, strict to lax, for which a first rung is looked for


class Basis(StrEnum):
    """Which rows a threshold rests on."""

    OWN = "own"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Rows `(n,)` with the probability each was given, whether it was right, its group's number and its query type.

    `counts` in (0, 1] is what each counts, as `prior` says; all count 1 without.
    """

    probabilities: Floats
    right: NDArray[np.bool_]
    groups: NDArray[np.int64]
    query_types: NDArray[np.str_]
    counts: Floats | None = None

    @property
    def each(self) -> Floats:
        """What each row counts `(n,)`."""
        return np.ones(len(self.right)) if self.counts is None else self.counts

    def where(self, mask: NDArray[np.bool_]) -> Judged:
        """The rows that a mask `(n,)` keeps."""
        counts = None if self.counts is None else self.counts[mask]
        return Judged(self.probabilities[mask], self.right[mask], self.groups[mask], self.query_types[mask], counts)

    def of_type(self, query_type: str) -> Judged:
        """The rows of one query type, or all of them where they are too few to draw a ladder from."""
        mine = self.where(self.query_types == query_type)
        return mine if len(mine.right) >= TYPE_ROWS else self


@dataclass(frozen=True, slots=True)
class Bound:
    """A threshold, what it rests on, and what was counted there: `accepted` and `wrong` are tune rows at it."""

    threshold: float
    basis: Basis
    reason: str
    rows: int
    groups: int
    accepted: int = 0
    wrong: int = 0

    @property
    def accepts_nothing(self) -> bool:
        return self.threshold > 1.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`types` holds every query type seen in the tune part; any other uses `overall`.

    `unanswerable` is the share of such questions that the promise is made for, None for that of the tune part.
    """

    target_error: float
    confidence: float
    correlation: float
    overall: Bound
    types: Mapping[str, Bound] = field(default_factory=dict)
    unanswerable: float | None = None

    def of(self, query_type: str) -> Bound:
        return self.types.get(query_type, self.overall)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Thresholds:
        """Raises `KeyError`, `TypeError` or `ValueError` for anything that `to_json` does not write."""
        share = told["unanswerable"]
        return cls(
            float(told["target_error"]),
            float(told["confidence"]),
            float(told["correlation"]),
            _bound(told["overall"]),
            {str(name): _bound(bound) for name, bound in told["types"].items()},
            None if share is None else float(share),
        )


def _bound(told: Mapping[str, Any]) -> Bound:
    bound = Bound(**{**told, "basis": Basis(told["basis"])})
    if not LOWEST <= float(bound.threshold) <= NOTHING:
        raise ValueError(f"no threshold: {bound.threshold}")
    return bound


@dataclass(frozen=True, slots=True)
class _Terms:
    """What every test of one calibration shares."""

    target_error: float
    allowance: float
    rho: float


def choose(
    fit: Judged, tune: Judged, *, target_error: float, confidence: float, unanswerable: float | None = None
) -> Thresholds:
    """Thresholds by query type; `fit` holds out-of-fold probabilities, and shares no group with `tune`.

    A type with `TYPE_ROWS` tune rows in `TYPE_GROUPS` groups is tested alone; the others are tested together, and with
    all rows where they are too few for that. The confidence holds for each threshold by itself. `unanswerable` is only
    told on: it is the rows' counts that make the mixture.
    """
    if not 0.0 < target_error < 1.0 or not 0.0 < confidence < 1.0:
        raise ValueError("target_error and confidence lie strictly between 0 and 1")
    upper = fit.probabilities >= np.median(fit.probabilities) if len(fit.right) else fit.right
    terms = _Terms(target_error, 1.0 - confidence, correlation(~fit.right[upper], fit.groups[upper]))
    by_type = {str(name): tune.where(tune.query_types == name) for name in np.unique(tune.query_types)}
    own = [name for name, rows in by_type.items() if _enough(rows)]
    rest = tune.where(~np.isin(tune.query_types, own))
    overall = _test(fit, rest if _enough(rest) else tune, Basis.GLOBAL, terms)
    types = {
        name: _test(fit.of_type(name), rows, Basis.OWN, terms) if name in own else _shared(overall, rows)
        for name, rows in by_type.items()
    }
    return Thresholds(target_error, confidence, terms.rho, overall, types, unanswerable)


def _enough(rows: Judged) -> bool:
    return len(rows.right) >= TYPE_ROWS and len(np.unique(rows.groups)) >= TYPE_GROUPS


def _shared(overall: Bound, rows: Judged) -> Bound:
    """The global threshold for a type, with the type's own counts at it."""
    count, groups = len(rows.right), len(np.unique(rows.groups))
    why = f"{count} rows in {groups} groups, fewer than {TYPE_ROWS} in {TYPE_GROUPS}: the global threshold"
    taken = rows.probabilities >= overall.threshold
    return Bound(
        overall.threshold, Basis.GLOBAL, why, count, groups, int(taken.sum()), int((taken & ~rows.right).sum())
    )


def _ladder(fit: Judged) -> list[float]:
    """Thresholds, strict to lax, from rows that no test looks at: each accepts a 40th more of what they count."""
    if not len(fit.probabilities):
        return [LOWEST]
    order = np.argsort(fit.probabilities, kind="stable")
    each = fit.each[order]
    below = (np.cumsum(each) - each) / max(float(each.sum() - each[-1]), 1e-12)
    rungs = np.maximum(np.interp(1.0 - np.array(_SHARES), below, fit.probabilities[order]), LOWEST)
    return sorted(set(rungs.tolist()), reverse=True)


def _first(fit: Judged, ladder: list[float], rows: Judged, terms: _Terms) -> int:
    """The rung to begin at: where a test is likeliest to succeed for the strictest reference target with even odds.

    Looks at how many tune rows and groups there are and what they count, never at their scores or whether they are
    right. The last reference if none has.
    """
    taken = [fit.probabilities >= threshold for threshold in ladder]
    total = fit.each.sum()
    share = np.array([float(fit.each[one].sum() / total) for one in taken])
    error = np.array([(fit.each[one & ~fit.right].sum() + 0.5) / (fit.each[one].sum() + 1.0) for one in taken])
    effect = 1.0 + (design_effect(rows.groups, 1.0, rows.each) - 1.0) * share * terms.rho
    expected = np.maximum(1, (share * rows.each.sum() / effect).astype(np.int64))
    chances = np.zeros(len(ladder))
    for reference in _REFERENCES:
        guess = np.floor(np.nan_to_num(bdtrik(terms.allowance, expected, reference)))
        most = np.full(len(ladder), -1.0)  # how many errors are few enough to pass the test
        for errors in (guess - 1.0, guess, guess + 1.0):
            most = np.where((errors >= 0) & (bdtr(errors, expected, reference) <= terms.allowance), errors, most)
        chances = np.where(most >= 0, bdtr(most, expected, error), 0.0)
        if chances.max() >= 0.5:
            break
    return int(np.argmax(chances))


def _test(fit: Judged, rows: Judged, basis: Basis, terms: _Terms) -> Bound:
    """The laxest rung, in one unbroken walk, whose error is shown to be within the target."""
    count, groups = len(rows.right), len(np.unique(rows.groups))
    found = Bound(NOTHING, basis, "no threshold was shown to keep the target: nothing is accepted", count, groups)
    if not count or not len(fit.right):
        return found
    ladder = _ladder(fit)
    for threshold in ladder[_first(fit, ladder, rows, terms) :]:
        taken = rows.probabilities >= threshold
        lost = taken & ~rows.right
        accepted, wrong = float(rows.each[taken].sum()), float(rows.each[lost].sum())
        p = tail(accepted, wrong, terms.target_error, design_effect(rows.groups[taken], terms.rho, rows.each[taken]))
        if p > terms.allowance:
            break
        why = f"shown on the tune rows, error {wrong / accepted:.3f}, p = {p:.2g}"
        found = Bound(threshold, basis, why, count, groups, int(taken.sum()), int(lost.sum()))
    return found


def tail(accepted: float, wrong: float, target_error: float, effect: float = 1.0) -> float:
    """P(at most `wrong` errors among `accepted`) if each were wrong with the target's chance.

    A design effect above 1 divides both; the binomial tail is the incomplete beta function, which takes sums of counts.
    """
    if wrong >= accepted:
        return 1.0
    return float(betainc((accepted - wrong) / effect, wrong / effect + 1.0, 1.0 - target_error))
