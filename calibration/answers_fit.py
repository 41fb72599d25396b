"""Fit the nets of `calibration.answers` by PyTorch (the extra `bge` brings it): seeded, the same on every run.

A lesson is one question beside a few passages, so that a net learns both whether each answers and which of them does.
The layers are those of `Answers.score`, over padded tokens; dropout and weight decay do what so few stories need.
Padding is most of the cost, so lessons of like length stand in one batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from calibration.answers import DEPTHS, SHARPNESS, Floats, shapes

Net = dict[str, Floats]
_NOTHING = -1e4  # in the place of a cosine with padding
_STRETCH = 16  # batches drawn together and sorted by length: longer ones pad less, and mix less


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings, chosen on held-out stories; `choice` is what telling a question's passages apart counts."""

    hidden: int = 64
    epochs: int = 4
    batch: int = 32
    rate: float = 2e-3
    decay: float = 0.02
    drop: float = 0.25
    choice: float = 0.3
    warm_up: int = 60


@dataclass(frozen=True, slots=True)
class Lesson:
    """States of a question `(n, D)`, weighted `(n,)`, and of passages `(m, D)`; what each is, 0 or 1, and counts.

    `D` is `DEPTHS * d`, each part of unit length.
    """

    question: Floats
    weights: Floats
    passages: tuple[Floats, ...]
    truth: tuple[float, ...]
    counts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Questions `(q, n, D)` and their passages `(b, m, D)`, padded; `owner` `(b,)` says whose each passage is."""

    question: Tensor
    asked: Tensor
    weights: Tensor
    passage: Tensor
    told: Tensor
    truth: Tensor
    counts: Tensor
    owner: Tensor


def fit(lessons: Sequence[Lesson], plan: Plan, *, seed: int) -> Net:
    """Fit one net; raises `ValueError` for no lesson."""
    if not lessons:
        raise ValueError("there is nothing to learn from")
    torch.set_num_threads(1)  # of products this small a second thread only makes waiting
    torch.manual_seed(seed)
    net = _fresh(lessons[0].question.shape[1], plan.hidden)
    optimiser = torch.optim.AdamW(net.values(), lr=plan.rate, weight_decay=plan.decay, betas=(0.9, 0.98))
    size = min(plan.batch, len(lessons))
    steps = plan.epochs * (len(lessons) // size)
    lengths = [max(len(passage) for passage in one.passages) for one in lessons]
    drawn = (places for _ in range(plan.epochs) for places in _of_like_length(lengths, size))
    for step, places in enumerate(drawn):
        batch = _beside([lessons[place] for place in places])
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, (step + 1) / plan.warm_up) * max(0.02, 1 - step / steps)
        optimiser.zero_grad()
        _loss(odds(net, batch, drop=plan.drop), batch, plan.choice).backward()
        torch.nn.utils.clip_grad_norm_(net.values(), 1.0)
        optimiser.step()
    return {name: value.detach().numpy().astype(np.float32) for name, value in net.items()}


def _of_like_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Places of one epoch's lessons in batches of like length, in random order; what fills no batch is left out."""
    order = torch.randperm(len(lengths)).tolist()[: len(lengths) // size * size]
    stretches = [order[start : start + _STRETCH * size] for start in range(0, len(order), _STRETCH * size)]
    rows = [place for stretch in stretches for place in sorted(stretch, key=lengths.__getitem__)]
    for batch in torch.randperm(len(rows) // size).tolist():
        yield rows[batch * size : (batch + 1) * size]


def predict(net: Mapping[str, Floats], lessons: Sequence[Lesson]) -> list[Floats]:
    """Log odds of each lesson's passages, all side by side; the same as `Answers.score` gives one by one."""
    tensors = {name: torch.from_numpy(value) for name, value in net.items()}
    with torch.no_grad():
        told: Floats = odds(tensors, _beside(lessons), drop=0.0).numpy()
    return np.split(told, np.cumsum([len(one.passages) for one in lessons])[:-1])


def odds(net: Mapping[str, Tensor], batch: _Batch, *, drop: float) -> Tensor:
    """Log odds of each pair, `(b,)`; with `drop` 0 nothing is left out."""

    def linear(name: str, values: Tensor) -> Tensor:
        return values @ net[name] + net[f"{name}_bias"]

    def dropped(values: Tensor) -> Tensor:
        return functional.dropout(values, drop, training=drop > 0)

    def gated(side: str, hidden: Tensor, there: Tensor) -> list[Tensor]:
        raw = linear(f"{side}_gates", hidden).masked_fill(~there[:, :, None], _NOTHING)
        return list((raw.softmax(dim=1).transpose(1, 2) @ hidden).unbind(dim=1))

    def of_pairs(values: Tensor) -> Tensor:
        return values.index_select(0, batch.owner)

    nothing_asked, nothing_told = ~of_pairs(batch.asked)[:, :, None], ~batch.told[:, None]
    weights = of_pairs(batch.weights)
    cosines = of_pairs(_depths(batch.question)) @ _depths(batch.passage).transpose(2, 3)
    by_question = cosines.masked_fill(nothing_told[:, None], _NOTHING)
    by_passage = cosines.masked_fill(nothing_asked[:, None], _NOTHING)
    best, back = by_question.amax(dim=3), by_passage.amax(dim=2)
    there, here = (SHARPNESS * by_question).softmax(dim=3), (SHARPNESS * by_passage).softmax(dim=2)
    asked, told = of_pairs(linear("question", batch.question)), linear("passage", batch.passage)
    sought = of_pairs(linear("seek", batch.question)) @ linear("offer", batch.passage).transpose(1, 2)
    found = (sought / math.sqrt(asked.shape[-1])).masked_fill(nothing_told, _NOTHING).softmax(dim=2) @ told
    aligned, answered = there @ told[:, None], here.transpose(2, 3) @ asked[:, None]
    pull = torch.cat((2 * best, 10 * weights[:, None], 10 * weights[:, None] * (1 - best)), dim=1).transpose(1, 2)
    # Padding of the question is no part of what a passage's tokens are drawn to.
    drawn = there.masked_fill(nothing_asked[:, None], 0.0).sum(dim=2)
    draw = torch.cat((2 * back, drawn), dim=1).transpose(1, 2)
    left = torch.cat((asked, found, asked * found, *_compared(asked, aligned), pull), dim=2)
    right = torch.cat((told, *_compared(told, answered), draw), dim=2)
    heard = dropped(linear("asked", dropped(left)).relu())
    seen = dropped(linear("told", dropped(right)).relu())
    pooled = (
        *gated("asked", heard, of_pairs(batch.asked)),
        *gated("told", seen, batch.told),
        heard.masked_fill(nothing_asked, _NOTHING).amax(dim=1),
        seen.masked_fill(~batch.told[:, :, None], _NOTHING).amax(dim=1),
        _figures(best.mean(dim=1), weights, of_pairs(batch.asked)),
    )
    mind = dropped(linear("mind", torch.cat(pooled, dim=1)).relu())
    return linear("say", mind)[:, 0]


def _depths(states: Tensor) -> Tensor:
    """`(b, n, DEPTHS * d)` as `(b, DEPTHS, n, d)`."""
    return states.unflatten(2, (DEPTHS, -1)).transpose(1, 2)


def _compared(one: Tensor, others: Tensor) -> list[Tensor]:
    return [part for other in others.unbind(dim=1) for part in (other, one * other, (one - other).abs())]


def _figures(best: Tensor, weights: Tensor, asked: Tensor) -> Tensor:
    gaps = ((1 - best) * weights).sort(dim=1, descending=True).values
    late, length = (best * weights).sum(dim=1), asked.sum(dim=1).float().log()
    return torch.stack((5 * late, 5 * gaps[:, 0], 5 * gaps[:, :2].sum(dim=1), length), dim=1)


def _loss(told: Tensor, batch: _Batch, choice: float) -> Tensor:
    """Cross-entropy of each pair by its count, and of the choice among the passages of what can be answered."""
    each = functional.binary_cross_entropy_with_logits(told, batch.truth, reduction="none")
    loss = (each * batch.counts).sum() / batch.counts.sum()
    lists = [batch.owner == one for one in batch.owner.unique()]
    chosen = [
        (told[own].logsumexp(dim=0) - (told[own] * batch.truth[own]).sum() / batch.truth[own].sum())
        for own in lists
        if batch.truth[own].any()
    ]
    return loss + choice * torch.stack(chosen).mean() if chosen else loss


def _beside(lessons: Sequence[Lesson]) -> _Batch:
    question, asked = _padded([one.question for one in lessons])
    passage, told = _padded([passage for one in lessons for passage in one.passages])
    weights, _ = _padded([one.weights[:, None] for one in lessons])
    return _Batch(
        question, asked, weights[:, :, 0], passage, told,
        torch.tensor([truth for one in lessons for truth in one.truth]),
        torch.tensor([count for one in lessons for count in one.counts]),
        torch.tensor([place for place, one in enumerate(lessons) for _ in one.passages]),
    )  # fmt: skip


def _padded(rows: Sequence[Floats]) -> tuple[Tensor, Tensor]:
    """Arrays `(n_i, d)` as one `(b, n, d)`, and where they are `(b, n)`."""
    lengths = torch.tensor([len(one) for one in rows])
    filled = torch.zeros(len(rows), int(lengths.max()), rows[0].shape[1])
    for place, one in enumerate(rows):
        filled[place, : len(one)] = torch.from_numpy(np.asarray(one, np.float32))
    return filled, torch.arange(filled.shape[1])[None] < lengths[:, None]


def _fresh(dimension: int, hidden: int) -> dict[str, Tensor]:
    """Layers `(in, out)` and biases `(out,)`, drawn as `torch.nn.Linear` draws them."""
    net = {}
    for name, (rows, columns) in shapes(dimension, hidden).items():
        bound = 1 / math.sqrt(rows)
        net[name] = torch.empty(rows, columns).uniform_(-bound, bound)
        net[f"{name}_bias"] = torch.empty(columns).uniform_(-bound, bound)
    net["passage"], net["passage_bias"] = net["question"].clone(), net["question_bias"].clone()
    return {name: value.requires_grad_() for name, value in net.items()}
