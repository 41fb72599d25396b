"""Laws of thresholds and metrics."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.metrics import ece, risk_coverage, selective
from calibration.thresholds import Judged, choose


def _judged(seed: int, count: int, each: int) -> Judged:
    rng = np.random.default_rng(seed)
    given_ = np.round(rng.random(count), 2)
    kinds = np.array(["who", "when"])[(rng.random(count) < 0.9).astype(np.int64)]
    return Judged(given_, rng.random(count) < given_ ** rng.uniform(0.1, 1.0), np.arange(count) // each, kinds)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 1500),
    each=st.integers(1, 6),
    targets=st.tuples(st.floats(0.001, 0.9), st.floats(0.001, 0.9)),
    confidences=st.tuples(st.floats(0.5, 0.99), st.floats(0.5, 0.99)),
)
def test_a_stricter_target_never_accepts_more(
    seed: int, count: int, each: int, targets: tuple[float, float], confidences: tuple[float, float]
) -> None:
    fit, tune = _judged(seed, 600, each), _judged(seed + 1, count, each)
    strict = choose(fit, tune, target_error=min(targets), confidence=confidences[0])
    lax = choose(fit, tune, target_error=max(targets), confidence=confidences[0])
    for kind in ("who", "when", "other"):
        assert strict.of(kind).threshold >= lax.of(kind).threshold


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 400), target=st.floats(0.01, 0.5))
def test_the_order_of_rows_changes_no_threshold(seed: int, count: int, target: float) -> None:
    fit, tune = _judged(seed, 300, 3), _judged(seed + 1, count, 3)
    order = np.random.default_rng(seed).permutation(count)
    shuffled = Judged(tune.probabilities[order], tune.right[order], tune.groups[order], tune.query_types[order])
    assert choose(fit, shuffled, target_error=target, confidence=0.9) == choose(
        fit, tune, target_error=target, confidence=0.9
    )


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 200))
def test_the_risk_coverage_curve_is_what_each_threshold_gives(seed: int, count: int) -> None:
    rows = _judged(seed, count, 1)
    thresholds, coverage, error = risk_coverage(rows.probabilities, rows.right)
    assert (np.diff(coverage) > 0.0).all()
    for at, covered, wrong in zip(thresholds.tolist(), coverage.tolist(), error.tolist(), strict=True):
        assert selective(rows.probabilities, rows.right, at) == (wrong, covered)
    assert coverage[-1] == 1.0
    told = ece(rows.probabilities, rows.right)
    assert told is not None
    assert 0.0 <= told <= 1.0
