"""Fit the nets of `calibration.answers` to stories: `python -m graphsvc.evaluate.answers OUT STORY...`.

A pair is a question and a memory: one that answers it, the tempting one of a question nothing answers, or one the
encoder puts near. Each net is fitted without one fold of stories and measured on it; the same stories and encoder
give the same weights on one machine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.answers import FOLDS, Answers, Reading, fold_of, read, write
from calibration.answers_fit import Plan, fit, gather, predict
from calibration.metrics import auroc
from graphsvc.assembly import encoder as open_encoder
from graphsvc.encoding.base import Encoder
from graphsvc.encoding.late import token_weights, unpack
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.language.passage import passage_of
from graphsvc.settings import Settings

RIGHT, NEAR, OTHER, FAR = 1.0, 1.5, 0.7, 0.15  # what a pair of a kind counts: near misses most, what is far hardly
_FAR = 3  # memories the encoder puts nearest, beside those the file names
SEED = 0
MEMBERS = 2  # nets of each fold, of seeds of their own


@dataclass(frozen=True, slots=True)
class Pair:
    """`folds` are the stories of the question and of the memory; `near` says it is right or written as a near miss."""

    reading: Reading
    answers: bool
    counts: float
    folds: tuple[int, int]
    near: bool
    length: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """The nets, and the AUROC of right against near misses: each by the net that never saw its story; 0.5 is chance."""

    answers: Answers
    pairs: int
    held_out: float
    late: float
    length: float


def learn_answers(stories: Sequence[Path], encoder: Encoder, plan: Plan | None = None) -> Fitted:
    """Fit a net without each fold; raises `FieldInvalid` for a bad file, `ValueError` where a fold has no story."""
    pairs = [pair for path in stories for pair in pairs_of(read_evaluation(path), encoder)]
    side_by_side = gather([pair.reading for pair in pairs])
    truth = np.array([pair.answers for pair in pairs], np.float32)
    counts = np.array([pair.counts for pair in pairs], np.float32)
    folds = np.array([pair.folds for pair in pairs])
    odds, nets = np.zeros(len(pairs)), []
    for place in range(MEMBERS * FOLDS):
        fold = place % FOLDS
        known, unseen = np.flatnonzero((folds != fold).all(axis=1)), np.flatnonzero(folds[:, 0] == fold)
        if not known.size or not unseen.size:
            raise ValueError(f"too few stories: fold {fold} has none")
        net = fit(side_by_side.take(known), truth[known], counts[known], plan or Plan(), seed=SEED + place)
        odds[unseen] += predict(net, side_by_side.take(unseen)) / MEMBERS
        nets.append(net)
    near = np.array([pair.near for pair in pairs])
    late = np.array([pair.reading.best @ pair.reading.weights for pair in pairs], np.float64)
    length = np.array([pair.length for pair in pairs], np.float64)
    told = [_auroc(values[near], truth[near] == 1) for values in (odds, late, length)]
    return Fitted(Answers.of(nets), len(pairs), *told)


def pairs_of(file: EvaluationFile, encoder: Encoder) -> list[Pair]:
    """The pairs of one file, in its order."""
    passages = encoder.encode_passages([passage_of(memory) for memory in file.memories])
    if passages.states is None:
        raise ValueError("the encoder has no token states")
    places = {str(memory.id): place for place, memory in enumerate(file.memories)}
    folds = [fold_of(file.path.name, one.conversation_id or str(one.id)) for one in file.memories]
    states, found = [unpack(one) for one in passages.states], []
    for query in file.queries:
        asked = encoder.encode_query(query.text)
        if asked.states is None:
            continue
        weights = token_weights(asked)
        kinds = _kinds(query, places, passages.vectors @ asked.vector, changes="change" in file.path.name)
        home = folds[next(iter(kinds))]
        for place, counts in kinds.items():
            reading = read(asked.states, weights, states[place])
            if reading is not None:
                right = counts == RIGHT
                near = right or counts == NEAR
                found.append(Pair(reading, right, counts, (home, folds[place]), near, len(query.text)))
    return found


def _kinds(
    query: QueryLine, places: dict[str, int], cosines: NDArray[np.float32], *, changes: bool
) -> dict[int, float]:
    """What each memory counts for a question; the first is of the question's own story.

    A superseded value does answer in its words, so what a story of changes forbids is not learnt from.
    """
    kinds = {places[one]: RIGHT for one in query.relevant if one in places}
    tempting = [places[one] for one in query.forbidden if one in places]
    named = {*kinds, *tempting}
    if not kinds:
        kinds = dict.fromkeys(tempting[:1], NEAR)
    elif not changes:
        kinds |= dict.fromkeys(tempting, OTHER)
    far = [place for place in np.argsort(-cosines, kind="stable").tolist() if place not in named]
    return kinds | dict.fromkeys(far[:_FAR], FAR)


def _auroc(values: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    told = auroc(list(values[right]), list(values[~right]))
    if told is None:
        raise ValueError("the stories hold no right memory, or no near miss")
    return told


def main(arguments: Sequence[str]) -> int:
    """Fit, write and say what was measured."""
    if len(arguments) < 2:
        sys.stderr.write("usage: python -m graphsvc.evaluate.answers OUT STORY...\n")
        return 2
    fitted = learn_answers([Path(one) for one in arguments[1:]], open_encoder(Settings()))
    write(fitted.answers, Path(arguments[0]))
    sys.stdout.write(
        f"{fitted.pairs} pairs; AUROC of right against near miss: nets, held out {fitted.held_out:.3f}, "
        f"late interaction {fitted.late:.3f}, length of the question {fitted.length:.3f}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
