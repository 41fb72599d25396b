"""Fit the nets of `calibration.answers`: Adam by hand on written pairs, seeded, the same on every run.

Inputs of a pair are fixed once it is aligned, so a step is a few products over the tokens of a batch. Dropout and
weight decay do what so few stories need; a net may start from one fitted on other pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.answers import FIGURES, Floats, Reading, pair_inputs, token_inputs

Net = dict[str, Floats]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings, chosen by cross-validation over stories."""

    axes: int = 24
    hidden: int = 24
    epochs: int = 6
    batch: int = 128
    rate: float = 4e-3
    decay: float = 0.02
    drop: float = 0.3


@dataclass(frozen=True, slots=True)
class Pairs:
    """Readings side by side: tokens of all pairs in one array, `starts` where each pair's begin."""

    tokens: Floats
    aligned: Floats
    best: Floats
    weights: Floats
    starts: Ints
    question: Floats
    passage: Floats
    figures: Floats

    def take(self, which: Ints) -> Pairs:
        """The pairs at these places, in this order."""
        ends = np.append(self.starts[1:], len(self.best))
        places = np.concatenate([np.arange(self.starts[i], ends[i]) for i in which])
        lengths = (ends - self.starts)[which]
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        return Pairs(
            self.tokens[places], self.aligned[places], self.best[places], self.weights[places], starts,
            self.question[which], self.passage[which], self.figures[which],
        )  # fmt: skip


def gather(readings: Sequence[Reading]) -> Pairs:
    """Put readings side by side."""
    lengths = [len(one.best) for one in readings]
    return Pairs(
        np.concatenate([one.tokens for one in readings]),
        np.concatenate([one.aligned for one in readings]),
        np.concatenate([one.best for one in readings]),
        np.concatenate([one.weights for one in readings]),
        np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64),
        np.stack([one.question for one in readings]),
        np.stack([one.passage for one in readings]),
        np.stack([one.figures for one in readings]),
    )


def fit(pairs: Pairs, truth: Floats, counts: Floats, plan: Plan, *, seed: int, start: Net | None = None) -> Net:
    """Fit one net to pairs, `truth` 0 or 1 and `counts` the weight of each, both `(n,)`."""
    rng = np.random.default_rng(seed)
    net = dict(start) if start is not None else _fresh(plan, pairs.tokens.shape[1], rng)
    first = {name: np.zeros_like(value) for name, value in net.items()}
    second = {name: np.zeros_like(value) for name, value in net.items()}
    steps, size = max(1, len(truth) // plan.batch), min(plan.batch, len(truth))
    for step in range(plan.epochs * steps):
        if step % steps == 0:
            order = rng.permutation(len(truth))
        which = order[step % steps * size : (step % steps + 1) * size]
        slopes = slopes_of(net, pairs.take(which), truth[which], counts[which], drop=plan.drop, rng=rng)
        rate = plan.rate * min(1.0, (step + 1) / 50) * (0.5 + 0.5 * np.cos(np.pi * step / (plan.epochs * steps)))
        for name, slope in slopes.items():
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.99 * second[name] + 0.01 * slope * slope
            move = first[name] / (1 - 0.9 ** (step + 1)) / (np.sqrt(second[name] / (1 - 0.99 ** (step + 1))) + 1e-8)
            shrink = plan.decay * net[name] if net[name].ndim == 2 else 0.0
            net[name] = (net[name] - rate * (move + shrink)).astype(np.float32)
    return net


def predict(net: Mapping[str, Floats], pairs: Pairs) -> Floats:
    """Log odds of each pair, `(n,)`; the same as `Answers.score` gives one by one."""
    return _forward(net, pairs, None, None)[0]


def _fresh(plan: Plan, dimension: int, rng: np.random.Generator) -> Net:
    def drawn(rows: int, columns: int, size: float) -> Floats:
        values: Floats = (rng.standard_normal((rows, columns)) * size / np.sqrt(rows)).astype(np.float32)
        return values

    axes, hidden = plan.axes, plan.hidden
    return {
        "axes": drawn(dimension, axes, 0.4 * np.sqrt(dimension)),
        "token": drawn(4 * axes + 3, hidden, 1.0),
        "token_bias": np.zeros(hidden, np.float32),
        "say": drawn(hidden, 1, 0.3)[:, 0],
        "gate": drawn(hidden, 1, 0.3)[:, 0],
        "gate_weight": np.ones(1, np.float32),
        "pair": drawn(4 * axes, hidden, 1.0),
        "pair_bias": np.zeros(hidden, np.float32),
        "pair_say": drawn(hidden, 1, 0.3)[:, 0],
        "figures": np.zeros(FIGURES, np.float32),
        "bias": np.zeros(1, np.float32),
    }


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the way back needs of the way there."""

    left: Floats
    right: Floats
    means: tuple[Floats, Floats]
    seen: Floats
    hidden: Floats
    masks: tuple[Floats, Floats, Floats, Floats]
    gates: Floats
    said: Floats
    told: Floats
    pooled_seen: Floats
    pooled: Floats


def _forward(
    net: Mapping[str, Floats], some: Pairs, drop: float | None, rng: np.random.Generator | None
) -> tuple[Floats, _Kept]:
    def mask(shape: tuple[int, ...]) -> Floats:
        if drop is None or rng is None:
            return np.ones(1, np.float32)
        return ((rng.random(shape, np.float32) >= drop) / (1 - drop)).astype(np.float32)

    axes, lengths = net["axes"], np.diff(np.append(some.starts, len(some.best)))
    left, right = some.tokens @ axes, some.aligned @ axes
    seen = token_inputs(left, right, some.best, some.weights)
    first = mask(seen.shape)
    seen = seen * first
    hidden = np.maximum(seen @ net["token"] + net["token_bias"], 0)
    second = mask(hidden.shape)
    hidden = hidden * second
    raw = hidden @ net["gate"] + net["gate_weight"] * np.log(some.weights + 1e-6)
    gates = np.exp(raw - np.repeat(np.maximum.reduceat(raw, some.starts), lengths))
    gates = gates / np.repeat(np.add.reduceat(gates, some.starts), lengths)
    said = hidden @ net["say"]
    told = np.add.reduceat(gates * said, some.starts)
    means = some.question @ axes, some.passage @ axes
    pooled_seen = pair_inputs(*means)
    third = mask(pooled_seen.shape)
    pooled_seen = pooled_seen * third
    pooled = np.maximum(pooled_seen @ net["pair"] + net["pair_bias"], 0)
    fourth = mask(pooled.shape)
    pooled = pooled * fourth
    out = told + pooled @ net["pair_say"] + some.figures @ net["figures"] + net["bias"]
    masks = (first, second, third, fourth)
    return out, _Kept(left, right, means, seen, hidden, masks, gates, said, told, pooled_seen, pooled)


def slopes_of(
    net: Mapping[str, Floats],
    some: Pairs,
    truth: Floats,
    counts: Floats,
    *,
    drop: float | None = None,
    rng: np.random.Generator | None = None,
) -> Net:
    """Slopes of the mean cross-entropy, each pair weighted by its `counts`; without `rng` nothing is dropped."""
    out, kept = _forward(net, some, drop, rng)
    lengths = np.diff(np.append(some.starts, len(some.best)))
    error = (counts * (1 / (1 + np.exp(-out)) - truth) / counts.sum()).astype(np.float32)
    each = np.repeat(error, lengths)
    d_said, d_gate = each * kept.gates, each * kept.gates * (kept.said - np.repeat(kept.told, lengths))
    d_hidden = np.outer(d_said, net["say"]) + np.outer(d_gate, net["gate"])
    d_hidden = d_hidden * kept.masks[1] * (kept.hidden > 0)
    left, right = _back(d_hidden @ net["token"].T * kept.masks[0], kept.left, kept.right)
    d_pooled = np.outer(error, net["pair_say"]) * kept.masks[3] * (kept.pooled > 0)
    question, passage = _back(d_pooled @ net["pair"].T * kept.masks[2], *kept.means)
    axes = some.tokens.T @ left + some.aligned.T @ right + some.question.T @ question + some.passage.T @ passage
    return {
        "axes": axes,
        "token": kept.seen.T @ d_hidden,
        "token_bias": d_hidden.sum(axis=0),
        "say": kept.hidden.T @ d_said,
        "gate": kept.hidden.T @ d_gate,
        "gate_weight": np.array([d_gate @ np.log(some.weights + 1e-6)], np.float32),
        "pair": kept.pooled_seen.T @ d_pooled,
        "pair_bias": d_pooled.sum(axis=0),
        "pair_say": kept.pooled.T @ error,
        "figures": some.figures.T @ error,
        "bias": np.array([error.sum()], np.float32),
    }


def _back(slope: Floats, left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Through `[a, b, a b, |a - b|]` to both sides."""
    size = left.shape[1]
    one, two, product, apart = (slope[:, i * size : (i + 1) * size] for i in range(4))
    sign = np.sign(left - right)
    return one + product * right + apart * sign, two + product * left - apart * sign
