"""Learn the rule that decides while no calibrator is promoted, from the same stories as the ranking.

Every question is asked, the best candidate's features are a row, and the row is right when that candidate answers the
question. The threshold is where so many of the right ones would be refused; it is set on rows the weights were not
learnt from. What nets were fitted to the same stories is asked of those that have not seen the question's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.fallback import RULED_OUT, to_toml
from calibration.features import DIRECTIONS, NAMES, row, ruled_out
from calibration.logistic import Floats, Rule, fit_rule
from calibration.metrics import auroc
from graphsvc.assembly import encoder as open_encoder
from graphsvc.encoding.base import Encoder
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.evaluate.held_out import HeldOut
from graphsvc.evaluate.run import Progress, asking
from graphsvc.evaluate.stories import FOLDS, folds, graph_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from graphsvc.store.base import Where
from graphsvc.store.filters import eq

ALONE_EVERY = 3
REFUSED = 0.1  # of the right ones; what more would save in wrong acceptances costs as many answers


@dataclass(frozen=True, slots=True)
class LearntRule:
    """The rule, its threshold, and how well it tells right from wrong on rows it was not learnt from."""

    rule: Rule
    threshold: float
    rows: int
    held_out_auroc: float | None
    wrong_accepted: float

    def to_toml(self) -> str:
        """The text of `calibration/fallback.toml`."""
        weights = {name: round(float(weight), 4) for name, weight in zip(NAMES, self.rule.weights, strict=True)}
        return to_toml(round(self.threshold, 4), round(self.rule.bias, 4), weights)


def learn_rule(stories: Sequence[Path], settings: Settings, on_progress: Progress | None = None) -> LearntRule:
    """Learn from question files, ranked as the settings say; raises `FieldInvalid` for a bad file."""
    encoder = open_encoder(settings)
    rows = [one for path in stories for one in _rows(read_evaluation(path), encoder, settings, on_progress)]
    features = np.array([one for one, _ in rows], dtype=np.float64)
    right = np.array([one for _, one in rows], dtype=np.bool_)
    if right.all() or not right.any():
        raise FieldInvalid("hold no right, or no wrong, answers to learn from", where=", ".join(map(str, stories)))
    told = _held_out(features, right)
    threshold = float(np.quantile(told[right], REFUSED))
    return LearntRule(
        rule=fit_rule(features, right, DIRECTIONS),
        threshold=threshold,
        rows=len(rows),
        held_out_auroc=auroc(list(told[right]), list(told[~right])),
        wrong_accepted=float((told[~right] >= threshold).mean()),
    )


def _rows(
    file: EvaluationFile, encoder: Encoder, settings: Settings, on_progress: Progress | None
) -> list[tuple[Floats, bool]]:
    """One row a question that has any candidate: the features of the best, and whether it is right.

    Of every third question two more, asked of a store of one memory: where nothing can be compared, the rule has to
    tell an answer from anything else by itself.
    """
    found, held_out = [], HeldOut.of(file, encoder)
    with graph_of(file, settings, on_progress) as (graph, namespace):
        for place, query in enumerate(file.queries):
            found += _row(graph, held_out, query, namespace)
            if place % ALONE_EVERY == 0:
                right = query.relevant[:1] if query.answerable else ()
                others = [one for one in query.forbidden[:1] or (file.memories[place % len(file.memories)].id,) if one]
                for lone in (*right, *others):
                    found += _row(graph, held_out, query, namespace, eq("id", lone))
    return found


def _row(
    graph: MemoryGraph, held_out: HeldOut, query: QueryLine, namespace: str, where: Where | None = None
) -> list[tuple[Floats, bool]]:
    answer = graph.answer(query.text, namespace=namespace, **asking(query), where=where)
    trace = graph.trace(answer.trace_id, namespace=namespace)
    if trace.decision is None or not trace.candidates:
        return []
    best = trace.candidates[0].memory
    right = query.answerable and best.id in query.relevant
    return [(row(held_out.told(query, best, trace.decision.features)), right)]


def _held_out(features: Floats, right: NDArray[np.bool_]) -> Floats:
    """Each row's probability under a rule learnt without its stretch of questions; vetoes hold as when deciding."""
    fold = np.array(folds(len(right)))
    told = np.zeros(len(right), dtype=np.float64)
    for number in range(FOLDS):
        own = fold == number
        told[own] = fit_rule(features[~own], right[~own], DIRECTIONS).probabilities(features[own])
    return np.where(ruled_out(features), RULED_OUT, 1.0) * told
