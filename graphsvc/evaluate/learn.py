"""Learn the ranking's weights from stories: question files that are learnt from and so never reported.

Every question of every file is asked, its candidates' legs and signals become one list, and the weights that put
relevant ones first are a new ranking configuration. The same stories give the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from calibration.listwise import Fit, Floats, RankedList, first_is_relevant, learn
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.evaluate.run import Progress, asking
from graphsvc.evaluate.stories import FOLDS, folds, graph_of
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Candidate, Leg
from graphsvc.models.graph import EdgeType
from graphsvc.retrieve.config import RankingConfig, SignalWeights, load_config
from graphsvc.retrieve.expand.walk import CONTEXT_WALK
from graphsvc.settings import Settings

# What speaks against a candidate may never come to speak for it, nor the other way round.
AGAINST = frozenset(
    {
        "wrong_direction", "role_broken", "other_sense", "other_holder", "other_attitude", "askers_words", "asks",
        "changed_since", "contrast", "ageing", "low_confidence",
    }
)  # fmt: skip
# Where learning starts, whatever is configured, so that the same stories always give the same weights. What the stories
# hardly tell anything of stays here; a signal that is not named starts at 0.
START: Mapping[str, float] = MappingProxyType(
    {
        "dense": 0.2, "lexical": 0.267, "late": 0.533, "lent": 1.0,
        "person": 0.05, "wrong_direction": -0.1, "role_broken": -0.1,
        "conversation": 0.35, "talk": 0.2, "window": 0.06, "document": 0.05,
        "domain": 0.03, "value": 0.12, "sense": 0.1, "other_sense": -0.2, "holder": 0.05, "other_holder": -0.15,
        "other_attitude": -0.15, "newest_asked": 0.1, "oldest_asked": 0.2, "low_confidence": -0.05, "in_session": 0.1,
    }
)  # fmt: skip
WALK: Mapping[EdgeType, float] = CONTEXT_WALK.decay  # what an edge keeps at the start
LEGS = (Leg.DENSE, Leg.LEXICAL, Leg.LATE)
SIGNALS = tuple(SignalWeights.model_fields)
NAMES = (*(leg.value for leg in LEGS), "lent", *SIGNALS)
DEPTH = 60
_HEADER = """\
# How candidates are ranked: see graphsvc/retrieve/config.py for what each number means.
# The three legs of [mix], [signals] and [walk] were learnt from {questions} questions by `graphsvc learn`; the rest is
# measured settings.
"""


@dataclass(frozen=True, slots=True)
class Carried:
    """How well weights carry over: hit@1 of one file before, with weights learnt without it, and with all."""

    name: str
    questions: int
    before: float
    held_out: float
    learnt: float


@dataclass(frozen=True, slots=True)
class Learnt:
    """The new configuration, how often it puts a relevant memory first, and each weight before and after."""

    config: RankingConfig
    files: tuple[Carried, ...]
    weights: Mapping[str, tuple[float, float]]
    questions: int

    def to_toml(self) -> str:
        """The text `load_config` reads."""
        return _HEADER.format(questions=self.questions) + to_toml(self.config)


def learn_ranking(stories: Sequence[Path], settings: Settings, on_progress: Progress | None = None) -> Learnt:
    """Learn from question files; raises `FieldInvalid` for a bad one. What is not learnt stays as configured."""
    config = load_config(settings.ranking)
    prior = _start()
    by_file = {path.name: lists_of(read_evaluation(path), settings, on_progress) for path in stories}
    lists = [one for found in by_file.values() for one in found]
    if not any(one.tells for one in lists):
        raise FieldInvalid("hold no question to learn from", where=", ".join(map(str, stories)) or "stories")
    weights = learn(lists, prior, _signs(), Fit())
    held_out = _held_out(lists, prior)
    carried, place = [], 0
    for name, found in [*by_file.items(), ("all", lists)]:
        place = 0 if name == "all" else place
        hits = held_out[place : place + len(found)]
        place += len(found)
        if found:
            before, after = first_is_relevant(found, prior), first_is_relevant(found, weights)
            carried.append(Carried(name, len(found), before, sum(hits) / len(hits), after))
    moved = {name: (float(old), float(new)) for name, old, new in zip(NAMES, prior, weights, strict=True)}
    return Learnt(_with(config, weights), tuple(carried), moved, sum(one.tells for one in lists))


def lists_of(file: EvaluationFile, settings: Settings, on_progress: Progress | None = None) -> list[RankedList]:
    """Each answerable question's candidates, over a graph that holds the file alone."""
    with graph_of(file, settings, on_progress) as (graph, namespace):
        return [_list(query, _candidates(graph, query, namespace)) for query in file.queries if query.answerable]


def to_toml(config: RankingConfig) -> str:
    """A configuration as the text `load_config` reads."""
    plain = config.model_dump(mode="json")
    tables = {name: value for name, value in plain.items() if isinstance(value, dict)}
    lines = [f"{name} = {_literal(value)}" for name, value in plain.items() if name not in tables]
    for name, table in tables.items():
        lines += _table(name, table)
    return "\n".join((*lines, ""))


def _table(name: str, table: dict[str, object]) -> list[str]:
    """A table and those inside it, which stand after its own keys."""
    inside = {key: value for key, value in table.items() if isinstance(value, dict)}
    own = [f"{key} = {_literal(value)}" for key, value in table.items() if key not in inside]
    return ["", f"[{name}]", *own, *(line for key, some in inside.items() for line in _table(f"{name}.{key}", some))]


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _candidates(graph: MemoryGraph, query: QueryLine, namespace: str) -> Sequence[Candidate]:
    return graph.search(query.text, namespace=namespace, **asking(query), limit=DEPTH).candidates


def _list(query: QueryLine, candidates: Sequence[Candidate]) -> RankedList:
    rows = [_features(one) for one in candidates]
    return RankedList(
        features=np.array(rows, dtype=np.float64).reshape(len(rows), len(LEGS) + 1 + len(SIGNALS)),
        relevant=np.array([one.memory.id in query.relevant for one in candidates], dtype=np.bool_),
        forbidden=np.array([one.memory.id in query.forbidden for one in candidates], dtype=np.bool_),
    )


def _features(candidate: Candidate) -> list[float]:
    scores = candidate.scores
    legs = [scores.scaled.get(leg, 0.0) for leg in LEGS]
    return [*legs, scores.lent, *(scores.signals.get(name, 0.0) for name in SIGNALS)]


def _start() -> Floats:
    return np.array([START.get(name, 0.0) for name in NAMES], dtype=np.float64)


def _signs() -> Floats:
    return np.array([1.0] * (len(LEGS) + 1) + [-1.0 if name in AGAINST else 1.0 for name in SIGNALS], dtype=np.float64)


def _with(config: RankingConfig, weights: Floats) -> RankingConfig:
    """The configuration with learnt weights, scaled so that the legs sum to 1 and edges lend what they lent."""
    legs, lent, signals = weights[: len(LEGS)], weights[len(LEGS)], weights[len(LEGS) + 1 :]
    scale = float(legs.sum())
    mix = config.mix.model_copy(update=dict(zip((leg.value for leg in LEGS), _rounded(legs / scale), strict=True)))
    walk = {kind: round(keeps * float(lent) / scale, 3) for kind, keeps in WALK.items()}
    told = SignalWeights.model_validate(dict(zip(SIGNALS, _rounded(signals / scale), strict=True)))
    return config.model_copy(update={"mix": mix, "signals": told, "walk": walk})


def _rounded(values: Floats) -> list[float]:
    return [round(float(value), 3) + 0.0 for value in values]


def _held_out(lists: Sequence[RankedList], prior: Floats) -> list[bool]:
    """For each list, whether weights learnt without its stretch of questions put a relevant candidate first."""
    fold = folds(len(lists))
    hits = [False] * len(lists)
    for number in range(FOLDS):
        weights = learn([one for one, f in zip(lists, fold, strict=True) if f != number], prior, _signs(), Fit())
        for place, own in enumerate(fold):
            if own == number:
                hits[place] = first_is_relevant([lists[place]], weights) == 1.0
    return hits
