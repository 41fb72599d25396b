"""The re-ranker's part of a score: scaled, mixed in, and left out when it fails or is late."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from graphsvc.encoding.base import FloatArray
from graphsvc.errors import EncoderUnavailable
from graphsvc.models.answer import Candidate, Scores
from graphsvc.retrieve.rank.rerank import MOST_RERANKED, RERANKER, TimedReranker, lifted, scaled
from tests.builders import memory


@dataclass
class Scripted:
    """A re-ranker that scores by a function of the passages."""

    scores: Callable[[Sequence[str]], FloatArray]
    name: str = "scripted"

    def score(self, question: str, passages: Sequence[str]) -> FloatArray:
        return self.scores(passages)


def floats(*values: float) -> FloatArray:
    return np.array(values, np.float32)


def candidates(*scores: float) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(memory=memory(f"m{i}"), score=score, probability=0.0, scores=Scores())
        for i, score in enumerate(scores)
    )


def test_parts_run_from_0_to_1_in_the_order_of_relevance() -> None:
    parts = scaled(floats(0.001, 0.99, 0.4))
    assert parts.tolist()[:2] == pytest.approx([0.0, 1.0])
    assert 0.4 < parts[2] < 0.6
    assert parts.dtype == np.float32


def test_near_equals_are_not_drawn_apart() -> None:
    assert scaled(floats(0.5, 0.52)).min() > 0.9
    assert scaled(floats(0.0, 0.0, 0.0)).tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_certainty_is_bounded() -> None:
    assert np.isfinite(scaled(floats(0.0, 1.0))).all()


def test_only_the_first_candidates_are_read() -> None:
    seen: list[str] = []

    def scores(passages: Sequence[str]) -> FloatArray:
        seen.extend(passages)
        return np.linspace(0.1, 0.9, len(passages), dtype=np.float32)

    passages = [str(i) for i in range(MOST_RERANKED + 5)]
    reranked = TimedReranker(Scripted(scores), 1.0).rerank("?", passages)
    assert seen == passages[:MOST_RERANKED]
    assert len(reranked.parts) == MOST_RERANKED
    assert reranked.degraded == ()


def test_a_single_candidate_needs_no_reading() -> None:
    reranked = TimedReranker(Scripted(lambda _: pytest.fail("was asked")), 1.0).rerank("?", ["alone"])
    assert (len(reranked.parts), reranked.degraded) == (0, ())


def _unavailable(_: Sequence[str]) -> FloatArray:
    raise EncoderUnavailable("away")


@pytest.mark.parametrize("scores", [_unavailable, lambda _: floats(0.5), lambda _: floats(np.nan, 0.5)])
def test_a_re_ranker_that_fails_gives_no_parts_and_says_so(scores: Callable[[Sequence[str]], FloatArray]) -> None:
    reranked = TimedReranker(Scripted(scores), 1.0).rerank("?", ["a", "b"])
    assert (len(reranked.parts), reranked.degraded) == (0, (RERANKER,))


def test_a_re_ranker_that_is_late_is_not_waited_for() -> None:
    over = threading.Event()

    def scores(passages: Sequence[str]) -> FloatArray:
        over.wait(5.0)
        return np.ones(len(passages), np.float32)

    timed = TimedReranker(Scripted(scores), 0.05)
    start = time.monotonic()
    assert [timed.rerank("?", ["a", "b"]).degraded for _ in range(4)] == [(RERANKER,)] * 4
    assert time.monotonic() - start < 2.0
    over.set()
    timed.close()


def test_a_fault_of_ours_is_not_taken_for_a_server_that_is_away() -> None:
    def scores(_: Sequence[str]) -> FloatArray:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        TimedReranker(Scripted(scores), 1.0).rerank("?", ["a", "b"])


def test_the_part_is_added_by_its_weight_and_shown_among_the_boosts() -> None:
    first, second, third = lifted(candidates(1.0, 0.9, 0.8), floats(0.0, 0.5, 1.0), 0.5)
    assert [one.memory.id for one in (first, second, third)] == ["m2", "m1", "m0"]
    assert [one.score for one in (first, second, third)] == pytest.approx([1.3, 1.15, 1.0])
    assert first.scores.boosts == {RERANKER: 0.5}


def test_those_that_were_not_read_stay_behind() -> None:
    ordered = lifted(candidates(1.0, 0.9, 0.89), floats(0.0, 0.1), 0.5)
    assert [one.memory.id for one in ordered] == ["m0", "m1", "m2"]


def test_without_parts_the_order_stays() -> None:
    before = candidates(1.0, 0.9)
    assert lifted(before, floats(), 0.5) == before
    assert lifted(before, floats(0.0, 1.0), 0.0) == before
