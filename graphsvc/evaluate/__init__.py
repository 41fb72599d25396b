"""Measure a memory graph on question files with known answers, beside plain baselines."""

from graphsvc.evaluate.report import Report
from graphsvc.evaluate.run import baselines, run

__all__ = ["Report", "baselines", "run"]
