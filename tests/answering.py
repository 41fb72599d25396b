"""Token states and nets of chance, for tests of whether a passage answers."""

from __future__ import annotations

import numpy as np

from calibration.answers import DEPTHS, Answers, Floats, shapes


def states(rng: np.random.Generator, tokens: int, dimension: int = 8) -> Floats:
    """Rows float32 `(tokens, DEPTHS * dimension)`, each depth's part of unit length."""
    drawn = rng.standard_normal((tokens, DEPTHS, dimension)).astype(np.float32)
    unit: Floats = drawn / np.linalg.norm(drawn, axis=2, keepdims=True).astype(np.float32)
    return unit.reshape(tokens, DEPTHS * dimension)


def nets_of_chance(count: int, *, dimension: int = 8, hidden: int = 4, seed: int = 0) -> Answers:
    """Nets of the right shapes that learnt nothing."""
    rng = np.random.default_rng(seed)
    nets = {}
    for name, (rows, columns) in shapes(DEPTHS * dimension, hidden).items():
        nets[name] = rng.standard_normal((count, rows, columns)).astype(np.float32) / np.float32(np.sqrt(rows))
        nets[f"{name}_bias"] = rng.standard_normal((count, columns)).astype(np.float32)
    return Answers(nets)
