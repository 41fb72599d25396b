"""The rule that decides while no trained calibrator is promoted.

A logistic sum of the named features, its weights learnt from the stories and kept in `fallback.toml` beside it: an
explicit rule, not a calibrated probability, and every answer that rests on it says so. It never returns exactly 0 or 1.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from importlib.resources import files

from calibration.features import FEATURES, Values, row, schema_hash, vetoed

METHOD = "fallback-rule"
FILE = "fallback.toml"
_FURTHEST = 30.0
RULED_OUT = 0.1


def _load() -> tuple[float, float, tuple[float, ...]]:
    told = tomllib.loads(files("calibration").joinpath(FILE).read_text(encoding="utf-8"))
    if told["schema"] != schema_hash():
        raise ValueError(f"{FILE} was learnt on other features: learn it again")
    return float(told["threshold"]), float(told["bias"]), tuple(float(told["weights"][one.name]) for one in FEATURES)


THRESHOLD, BIAS, WEIGHTS = _load()


def probability(values: Values) -> float:
    """A number in (0, 1) that grows with every sign that the candidate answers; small where it is ruled out."""
    total = BIAS + float(row(values) @ WEIGHTS)
    told = 1.0 / (1.0 + math.exp(-max(-_FURTHEST, min(_FURTHEST, total))))
    return told * RULED_OUT if vetoed(values) else told


def to_toml(threshold: float, bias: float, weights: Mapping[str, float]) -> str:
    """The text of the rule's file."""
    lines = [f"schema = {schema_hash()!r}", f"threshold = {threshold!r}", f"bias = {bias!r}", "", "[weights]"]
    return "\n".join([*lines, *(f"{one.name} = {weights[one.name]!r}" for one in FEATURES), ""]).replace("'", '"')
