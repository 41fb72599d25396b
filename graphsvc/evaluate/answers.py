"""Fit the nets of `calibration.answers` to stories and notes: `python -m graphsvc.evaluate.answers OUT FILE...`.

A pair is a question and a memory: one that answers it, the tempting one of a question nothing answers, or one the
encoder puts near. Each net is fitted without one fold of stories and measured on it; the same files and encoder
give the same weights on one machine. Fitting needs PyTorch, which the extra `bge` brings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.answers import FOLDS, Answers, fold_of, write
from calibration.answers_fit import Lesson, Net, Plan, fit
from calibration.metrics import auroc
from graphsvc.assembly import encoder as open_encoder
from graphsvc.encoding.base import READ_TOKENS, DepthEncoder, Encoder
from graphsvc.encoding.late import token_weights
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.evaluate.notes import are_notes, read_lessons
from graphsvc.language.passage import passage_of
from graphsvc.models.memory import MemoryInput
from graphsvc.settings import Settings

RIGHT, NEAR, OTHER, FAR = 1.0, 1.5, 0.7, 0.3  # what a pair of a kind counts: near misses most, what is far least
_FAR = 1  # memories the encoder puts nearest, beside those the file names
SEED = 0


@dataclass(frozen=True, slots=True)
class Question:
    """`folds` are the stories of the question and of each memory; `near` says which are right or written as near."""

    lesson: Lesson
    folds: tuple[int, ...]
    near: tuple[bool, ...]
    length: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """The nets, and the AUROC of right against near misses: each by the net that never saw its story; 0.5 is chance."""

    answers: Answers
    pairs: int
    held_out: float
    late: float
    length: float


def learn_answers(files: Sequence[Path], plan: Plan | None = None) -> Fitted:
    """Fit a net without each fold, each in a process of its own, as many at a time as processors.

    Raises `FieldInvalid` for a bad file, `ValueError` where a fold has no story.
    """
    with ProcessPoolExecutor(min(FOLDS, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        told = list(pool.map(partial(_fold, list(files), plan or Plan()), range(FOLDS)))
    values = np.concatenate([one.unseen for one in told])
    truth = values[:, 0] == 1
    held_out, late, length = (_auroc(values[:, column], truth) for column in (1, 2, 3))
    return Fitted(Answers.of([one.net for one in told]), told[0].pairs, held_out, late, length)


@dataclass(frozen=True, slots=True)
class _Fold:
    """A net, and the figures of the near pairs of the fold it never saw; `pairs` are those of all folds."""

    net: Net
    unseen: NDArray[np.float64]
    pairs: int


def _fold(files: Sequence[Path], plan: Plan, fold: int) -> _Fold:
    encoder = open_encoder(Settings())
    questions = [one for path in files for one in questions_of(read_lessons(path), encoder)]
    known = [one.lesson for one in questions if fold not in one.folds]
    unseen = [one for one in questions if one.folds[0] == fold]
    if not known or not unseen:
        raise ValueError(f"too few stories: fold {fold} has none")
    net = fit(known, plan, seed=SEED + fold)
    told = [_figures(one, Answers.of([net])) for one in unseen]
    return _Fold(net, np.concatenate(told), sum(len(one.near) for one in questions))


def questions_of(file: EvaluationFile, encoder: Encoder) -> list[Question]:
    """The questions of one file, each beside a few of its memories, in its order."""
    if not isinstance(encoder, DepthEncoder) or not encoder.depth_dimension:
        raise ValueError("the encoder has no depths to read")
    texts = [passage_of(memory) for memory in file.memories]
    vectors, states = encoder.encode_passages(texts).vectors, encoder.passage_depths(texts)
    places = {str(memory.id): place for place, memory in enumerate(file.memories)}
    folds = [fold_of(file.path.name, one.conversation_id or str(one.id)) for one in file.memories]
    changes, found = "change" in file.path.name, []
    for query in file.queries:
        asked = encoder.encode_query(query.text)
        if asked.states is None or not len(asked.states):
            continue
        cosines = vectors @ asked.vector
        named = _near(query, places) if are_notes(file.path) else _named(query, places, changes=changes)
        kinds = _with_far(named, {places[one] for one in query.forbidden if one in places}, cosines)
        beside = {
            place: counts
            for place, counts in kinds.items()
            if len(states[place]) and not _told_later(file.memories[place], query)
        }
        if beside:
            lesson = Lesson(
                encoder.question_depths(query.text),
                token_weights(asked)[:READ_TOKENS],
                tuple(states[place] for place in beside),
                tuple(float(counts == RIGHT) for counts in beside.values()),
                tuple(beside.values()),
            )
            near = tuple(counts in (RIGHT, NEAR) for counts in beside.values())
            found.append(Question(lesson, tuple(folds[place] for place in beside), near, len(query.text)))
    return found


def _told_later(memory: MemoryInput, query: QueryLine) -> bool:
    """Whether a question was put too early: the words of what came later may answer it all the same."""
    return query.asked_at is not None and memory.event_time is not None and memory.event_time > query.asked_at


def _figures(question: Question, nets: Answers) -> NDArray[np.float64]:
    """Of each near pair: whether it is right, the odds, late interaction, the question's length; `(n, 4)`."""
    lesson, near = question.lesson, np.array(question.near)
    odds = nets.score(lesson.question, lesson.weights, lesson.passages)
    late = [float((lesson.question @ one.T).max(axis=1) @ lesson.weights) for one in lesson.passages]
    told = np.stack((lesson.truth, odds, late, np.full(len(late), question.length)), axis=1)
    picked: NDArray[np.float64] = told[near]
    return picked


def _near(query: QueryLine, places: dict[str, int]) -> dict[int, float]:
    """What each note of a question's block counts: those that do not answer were written as near misses."""
    return {places[one]: counts for ids, counts in ((query.relevant, RIGHT), (query.forbidden, NEAR)) for one in ids}


def _named(query: QueryLine, places: dict[str, int], *, changes: bool) -> dict[int, float]:
    """What each memory a story names counts for a question; the first is of the question's own story.

    A superseded value does answer in its words, so what a story of changes forbids is not learnt from.
    """
    kinds = {places[one]: RIGHT for one in query.relevant if one in places}
    tempting = [places[one] for one in query.forbidden if one in places]
    if not kinds:
        return dict.fromkeys(tempting[:1], NEAR)
    return kinds if changes else kinds | dict.fromkeys(tempting, OTHER)


def _with_far(kinds: dict[int, float], forbidden: set[int], cosines: NDArray[np.float32]) -> dict[int, float]:
    """The same, and a few more memories that the encoder puts near the question and no file names."""
    far = [place for place in np.argsort(-cosines, kind="stable").tolist() if place not in kinds.keys() | forbidden]
    return kinds | dict.fromkeys(far[:_FAR], FAR)


def _auroc(values: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    told = auroc(list(values[right]), list(values[~right]))
    if told is None:
        raise ValueError("the stories hold no right memory, or no near miss")
    return told


def main(arguments: Sequence[str]) -> int:
    """Fit, write and say what was measured."""
    if len(arguments) < 2:
        sys.stderr.write("usage: python -m graphsvc.evaluate.answers OUT FILE...\n")
        return 2
    fitted = learn_answers([Path(one) for one in arguments[1:]])
    write(fitted.answers, Path(arguments[0]))
    sys.stdout.write(
        f"{fitted.pairs} pairs; AUROC of right against near miss: nets, held out {fitted.held_out:.3f}, "
        f"late interaction {fitted.late:.3f}, length of the question {fitted.length:.3f}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
