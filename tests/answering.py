"""Token states and nets of chance, for tests of whether a passage answers."""

from __future__ import annotations

import numpy as np

from calibration.answers import DEPTHS, FIGURES, GATES, Answers, Floats


def states(rng: np.random.Generator, tokens: int, dimension: int = 8) -> Floats:
    """Rows float32 `(tokens, DEPTHS * dimension)`, each depth's part of unit length."""
    drawn = rng.standard_normal((tokens, DEPTHS, dimension)).astype(np.float32)
    unit: Floats = drawn / np.linalg.norm(drawn, axis=2, keepdims=True).astype(np.float32)
    return unit.reshape(tokens, DEPTHS * dimension)


def nets_of_chance(count: int, *, dimension: int = 8, hidden: int = 4, seed: int = 0) -> Answers:
    """Nets of the right shapes that learnt nothing."""
    rng = np.random.default_rng(seed)
    sizes = {
        **dict.fromkeys(("question", "passage", "seek", "offer"), (DEPTHS * dimension, hidden)),
        "asked": ((3 + 3 * DEPTHS) * hidden + 2 * DEPTHS + 1, hidden),
        "told": ((1 + 3 * DEPTHS) * hidden + 2 * DEPTHS, hidden),
        "asked_gates": (hidden, GATES),
        "told_gates": (hidden, GATES),
        "mind": ((2 * GATES + 2) * hidden + FIGURES, hidden),
        "say": (hidden, 1),
    }
    nets = {}
    for name, (rows, columns) in sizes.items():
        nets[name] = rng.standard_normal((count, rows, columns)).astype(np.float32) / np.float32(np.sqrt(rows))
        nets[f"{name}_bias"] = rng.standard_normal((count, columns)).astype(np.float32)
    return Answers(nets)
