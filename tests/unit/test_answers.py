"""Whether a passage answers: the nets, how they are fitted and kept, and what a search makes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.answers import FOLDS, Answers, Floats, WeightsDamaged, fold_of, load, read, write
from calibration.answers_fit import Plan, fit, gather, predict, slopes_of
from graphsvc.encoding.base import EncodedQuery
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.late import pack, token_weights
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.evaluate.held_out import HeldOut
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import MemoryInput
from graphsvc.retrieve.rank import answering
from tests.builders import memory

_SMALL = Plan(axes=4, hidden=4, epochs=20, batch=16, rate=2e-2, drop=0.0)


def _states(rng: np.random.Generator, tokens: int, dimension: int = 8) -> Floats:
    drawn = rng.standard_normal((tokens, dimension)).astype(np.float32)
    states: Floats = drawn / np.linalg.norm(drawn, axis=1, keepdims=True).astype(np.float32)
    return states


def _examples(seed: int, count: int) -> tuple[list[Floats], list[Floats], Floats]:
    """Questions and passages; a passage answers when it holds the question's first token once more."""
    rng = np.random.default_rng(seed)
    truth = (np.arange(count) % 2).astype(np.float32)
    questions = [_states(rng, 3) for _ in range(count)]
    passages = [_states(rng, 5) for _ in range(count)]
    for question, passage, right in zip(questions, passages, truth, strict=True):
        passage[1:2] = question[1:2]
        if right:
            passage[2] = question[0]
    return questions, passages, truth


_EVEN = np.full(3, 1 / 3, np.float32)


@cache
def _net(seed: int = 0) -> dict[str, Floats]:
    questions, passages, truth = _examples(1, 200)
    readings = [read(q, _EVEN, p) for q, p in zip(questions, passages, strict=True)]
    pairs = gather([one for one in readings if one is not None])
    return fit(pairs, truth, np.ones(len(truth), np.float32), _SMALL, seed=seed)


def test_a_fitted_net_tells_unseen_passages_that_answer_from_those_that_only_share_a_token() -> None:
    questions, passages, truth = _examples(2, 100)
    nets = Answers.of([_net()])
    odds = np.array([nets.score(q, _EVEN, [p])[0] for q, p in zip(questions, passages, strict=True)])
    assert ((odds > 0) == (truth == 1)).mean() > 0.9


def test_one_by_one_and_side_by_side_give_the_same_odds() -> None:
    questions, passages, _ = _examples(3, 10)
    net = _net()
    readings = [read(q, _EVEN, p) for q, p in zip(questions, passages, strict=True)]
    together = predict(net, gather([one for one in readings if one is not None]))
    alone = [Answers.of([net]).score(q, _EVEN, [p])[0] for q, p in zip(questions, passages, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-3, atol=1e-4)


def test_the_slopes_are_those_of_the_loss() -> None:
    questions, passages, truth = _examples(4, 8)
    readings = [read(q, _EVEN, p) for q, p in zip(questions, passages, strict=True)]
    pairs, counts, net = gather([one for one in readings if one is not None]), np.ones(8, np.float32), _net()
    slopes = slopes_of(net, pairs, truth, counts)

    def loss(moved: dict[str, Floats]) -> float:
        odds = predict(moved, pairs).astype(np.float64)
        return float((np.logaddexp(0, odds) - truth * odds).mean())

    for name, value in net.items():
        step = np.zeros_like(value)
        step.flat[0] = 2e-3
        told = (loss({**net, name: value + step}) - loss({**net, name: value - step})) / 4e-3
        assert slopes[name].flat[0] == pytest.approx(told, rel=0.05, abs=2e-3), name


def test_the_same_seed_fits_the_same_net_and_another_seed_another() -> None:
    first, second, other = _net(), _net.__wrapped__(), _net(seed=1)
    assert all((first[name] == second[name]).all() for name in first)
    assert (first["axes"] != other["axes"]).any()


def test_nothing_is_told_of_a_passage_without_tokens() -> None:
    questions, _, _ = _examples(5, 1)
    assert np.isnan(Answers.of([_net()]).score(questions[0], _EVEN, [np.zeros((0, 8), np.float32)])).all()


def test_written_nets_come_back_to_half_precision(tmp_path: Path) -> None:
    net = _net()
    write(Answers.of([net, net]), tmp_path / "nets.bin")
    back = load(tmp_path / "nets.bin")
    assert len(back) == 2
    for name, value in net.items():
        np.testing.assert_allclose(back.nets[name][1], value, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-2], lambda raw: b"", lambda raw: raw[:60] + b"\0" + raw[61:],
                                   lambda raw: raw[:-9] + b"\xff" + raw[-8:]])  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "nets.bin"
    write(Answers.of([_net()]), path)
    assert callable(spoil)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(WeightsDamaged):
        load(path)


def test_the_bundled_nets_are_one_or_more_a_fold_and_small() -> None:
    nets = load()
    assert len(nets) % FOLDS == 0
    assert len(nets.held_out(1)) == len(nets) // FOLDS
    assert nets.dimension == 192


def test_a_story_stays_in_its_fold() -> None:
    assert fold_of("home.jsonl", "talk-1") == fold_of("home.jsonl", "talk-1")
    assert {fold_of("home.jsonl", f"talk-{i}") for i in range(60)} == set(range(FOLDS))


def test_states_of_another_length_than_the_nets_know_tell_nothing() -> None:
    rng = np.random.default_rng(6)
    states = _states(rng, 4, 8)
    query = EncodedQuery(vector=states[0], states=states)
    assert answering.answering((), {MemoryId("a"): (states[0], pack(states))}, query) == ()


def test_who_learns_from_the_same_stories_again_asks_the_nets_that_have_not_seen_the_question_s() -> None:
    encoder, nets = BundledEncoder(), load()
    held = MemoryInput(id=MemoryId("m1"), text="Rosa pays 40 a month for the garage.", conversation_id="talk-1")
    query = QueryLine(kind="query", id="q1", text="What does the garage cost?", relevant=("m1",))
    out = HeldOut.of(EvaluationFile(Path("home.jsonl"), (held,), (query,)), encoder)
    told = out.told(query, memory("m1", text=held.text), {"answers": 3.5, "late": 0.7})
    asked, states = encoder.encode_query(query.text), encoder.encode_passages([held.text]).states
    assert asked.states is not None
    assert states is not None
    weights = token_weights(asked)
    unseen = nets.held_out(fold_of("home.jsonl", "talk-1"))
    assert told == {"answers": answering.odds_of(unseen, asked.states, weights, states[0]), "late": 0.7}
    assert told["answers"] != answering.odds_of(nets, asked.states, weights, states[0])
    assert out.told(query, memory("m1", text=held.text), {"answers": None}) == {"answers": None}
