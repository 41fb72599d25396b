"""Token states and nets of chance, for tests of whether a passage answers."""

from __future__ import annotations

import numpy as np

from calibration.answers import FIGURES, GATES, Answers, Floats


def states(rng: np.random.Generator, tokens: int, dimension: int = 8) -> Floats:
    """Unit rows float32 `(tokens, dimension)`."""
    drawn = rng.standard_normal((tokens, dimension)).astype(np.float32)
    unit: Floats = drawn / np.linalg.norm(drawn, axis=1, keepdims=True).astype(np.float32)
    return unit


def nets_of_chance(count: int, *, dimension: int = 8, hidden: int = 4, seed: int = 0) -> Answers:
    """Nets of the right shapes that learnt nothing."""
    rng = np.random.default_rng(seed)
    sizes = {
        "question": (dimension, hidden),
        "passage": (dimension, hidden),
        "seek": (dimension, hidden),
        "offer": (dimension, hidden),
        "asked": (6 * hidden + 3, hidden),
        "told": (4 * hidden + 2, hidden),
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
