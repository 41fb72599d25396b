"""Time training on 100,000 rows and deciding on 50 candidates: `python -m tests.benchmarks.calibration`."""

from __future__ import annotations

import time

import numpy as np

from calibration.train import train
from tests.calibrating import grouped_rows


def main() -> None:
    rows = grouped_rows(20_000, each=5, unknown=0.02)
    start = time.perf_counter()
    trained = train(rows, target_error=0.05)
    print(f"training on {len(rows)} rows: {time.perf_counter() - start:.1f} s, {trained.calibration['rounds']} rounds")
    calibrator = trained.calibrator()
    candidates = [row.values for row in rows.where(np.arange(len(rows)) < 50).rows()]
    taken = []
    for _ in range(500):
        start = time.perf_counter()
        calibrator.decide("who", candidates)
        taken.append((time.perf_counter() - start) * 1000)
    print(f"50 candidates: p50 {np.percentile(taken, 50):.2f} ms, p95 {np.percentile(taken, 95):.2f} ms")
    print({name: trained.metrics["test"][name] for name in ("rows", "coverage", "error", "auroc", "brier", "ece")})


if __name__ == "__main__":
    main()
