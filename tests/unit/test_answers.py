"""Whether a passage answers: the nets, how they are fitted and kept, and what a search makes of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.answers import FOLDS, Answers, WeightsDamaged, fold_of, load, write
from graphsvc.encoding.base import EncodedQuery
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.late import pack, token_weights
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.evaluate.held_out import HeldOut
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import MemoryInput
from graphsvc.retrieve.rank import answering
from tests.answering import nets_of_chance, states
from tests.builders import memory

_EVEN = np.full(3, 1 / 3, np.float32)


def test_nets_side_by_side_tell_their_mean() -> None:
    rng = np.random.default_rng(1)
    question, passages = states(rng, 3), [states(rng, 5), states(rng, 2)]
    both, one, other = nets_of_chance(2), *(_one(nets_of_chance(2), place) for place in (0, 1))
    each = [nets.score(question, _EVEN, passages) for nets in (one, other)]
    np.testing.assert_allclose(both.score(question, _EVEN, passages), np.mean(each, axis=0), rtol=1e-5)


def _one(nets: Answers, place: int) -> Answers:
    return Answers({name: values[place : place + 1] for name, values in nets.nets.items()})


def test_nothing_is_told_of_a_passage_without_tokens() -> None:
    question, nothing = states(np.random.default_rng(5), 3), np.zeros((0, 8), np.float32)
    assert np.isnan(nets_of_chance(1).score(question, _EVEN, [nothing])).all()
    assert np.isnan(nets_of_chance(1).score(nothing, _EVEN[:0], [question])).all()


def test_written_nets_come_back_to_half_precision(tmp_path: Path) -> None:
    nets = nets_of_chance(2)
    write(nets, tmp_path / "nets.bin")
    back = load(tmp_path / "nets.bin")
    assert len(back) == 2
    for name, value in nets.nets.items():
        np.testing.assert_allclose(back.nets[name], value, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-2], lambda raw: b"", lambda raw: raw[:60] + b"\0" + raw[61:],
                                   lambda raw: raw[:-9] + b"\xff" + raw[-8:]])  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "nets.bin"
    write(nets_of_chance(1), path)
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
    asked = states(rng, 4)
    query = EncodedQuery(vector=asked[0], states=asked)
    assert answering.answering((), {MemoryId("a"): (asked[0], pack(asked))}, query) == ()


def test_who_learns_from_the_same_stories_again_asks_the_nets_that_have_not_seen_the_question_s() -> None:
    encoder, nets = BundledEncoder(), load()
    held = MemoryInput(id=MemoryId("m1"), text="Rosa pays 40 a month for the garage.", conversation_id="talk-1")
    query = QueryLine(kind="query", id="q1", text="What does the garage cost?", relevant=("m1",))
    out = HeldOut.of(EvaluationFile(Path("home.jsonl"), (held,), (query,)), encoder)
    told = out.told(query, memory("m1", text=held.text), {"answers": 3.5, "late": 0.7})
    asked, told_of = encoder.encode_query(query.text), encoder.encode_passages([held.text]).states
    assert asked.states is not None
    assert told_of is not None
    weights = token_weights(asked)
    unseen = nets.held_out(fold_of("home.jsonl", "talk-1"))
    assert told == {"answers": answering.odds_of(unseen, asked.states, weights, told_of)[0], "late": 0.7}
    assert told["answers"] != answering.odds_of(nets, asked.states, weights, told_of)[0]
    assert out.told(query, memory("m1", text=held.text), {"answers": None}) == {"answers": None}
