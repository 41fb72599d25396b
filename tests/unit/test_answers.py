"""Whether a passage answers: the nets, how they are fitted and kept, and what a search makes of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration import answers
from calibration.answers import DEPTHS, FOLDS, Answers, WeightsDamaged, fold_of, load, write
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.evaluate.held_out import HeldOut
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import MemoryInput
from graphsvc.retrieve import find
from graphsvc.retrieve.rank import answering
from tests.answering import nets_of_chance, states
from tests.builders import memory
from tests.statements import candidate

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
    question, nothing = states(np.random.default_rng(5), 3), np.zeros((0, DEPTHS * 8), np.float32)
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
                                   lambda raw: raw[:-9] + b"\xff" + raw[-8:],
                                   lambda raw: b"ANS2" + raw[4:]])  # fmt: skip
def test_a_damaged_file_or_one_of_an_older_format_is_refused(tmp_path: Path, spoil: object) -> None:
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
    assert nets.dimension == BundledEncoder().depth_dimension


def test_a_story_stays_in_its_fold() -> None:
    assert fold_of("home.jsonl", "talk-1") == fold_of("home.jsonl", "talk-1")
    assert {fold_of("home.jsonl", f"talk-{i}") for i in range(60)} == set(range(FOLDS))


_QUESTION = "What does the garage cost?"
_TOLD = "Rosa pays 40 a month for the garage."


def _candidates(*texts: str) -> tuple[Candidate, ...]:
    return tuple(candidate(memory(f"m{place}", text=text), 1.0 - place / 10) for place, text in enumerate(texts))


def test_the_first_candidates_are_read_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = BundledEncoder()
    query = encoder.encode_query(_QUESTION)
    read = answering.answering(_candidates(_TOLD, *["The garage is by the river."] * 6), encoder, _QUESTION, query)
    odds = [one.scores.fit.get(answering.FEATURE) for one in read]
    assert [value is None for value in odds] == [False] * answering.MOST_READ + [True] * 2
    (whole,) = answering.odds_of(answering.nets(), encoder, _QUESTION, query, [_TOLD])
    assert odds[0] == whole
    monkeypatch.setattr(encoder, "passage_depths", lambda texts: [1 / 0 for _ in texts])
    assert answering.answering(read[: answering.MOST_READ], encoder, _QUESTION, query) == read[: answering.MOST_READ]


def test_an_encoder_without_depths_or_with_others_than_the_nets_know_tells_nothing() -> None:
    found, encoder = _candidates(_TOLD), BundledEncoder()
    plain = HashingEncoder()
    assert answering.answering(found, plain, _QUESTION, plain.encode_query(_QUESTION)) == found
    query = encoder.encode_query(_QUESTION)
    assert answering.odds_of(nets_of_chance(1), encoder, _QUESTION, query, [_TOLD]) == [None]
    assert answering.odds_of(None, encoder, _QUESTION, query, [_TOLD]) == [None]


def test_what_answers_is_put_before_what_is_only_near_it() -> None:
    near, right, other = (
        one.model_copy(update={"scores": one.scores.model_copy(update={"fit": {answering.FEATURE: odds}})})
        for one, odds in zip(_candidates("near", "right", "other"), (-2.0, 2.0, -3.0), strict=True)
    )
    order = answering.preferred((near, right, other), 0.5)
    assert [one.memory.id for one in order] == ["m1", "m0", "m2"]
    assert order[0].score == pytest.approx(0.9 + 0.5 / (1 + np.exp(-2.0)), abs=1e-4)
    unread = _candidates("near", "right")
    assert answering.preferred(unread, 0.5) == unread
    assert answering.preferred((near, right), 0.0) == (near, right)


def test_without_its_nets_a_search_answers_and_says_what_it_had_to_do_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "nets", lambda: None)
    monkeypatch.setattr(find, "nets", lambda: None)
    with MemoryGraph.open(f"sqlite:///{tmp_path}/store") as graph:
        graph.add([MemoryInput(text=_TOLD)])
        told = graph.answer(_QUESTION)
    assert answering.FEATURE in told.degraded


def test_nets_that_cannot_be_read_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Answers:
        return load(tmp_path / "gone.bin")

    monkeypatch.setattr(answers, "load", gone)
    answering.nets.cache_clear()
    assert answering.nets() is None
    answering.nets.cache_clear()


def test_who_learns_from_the_same_stories_again_asks_the_nets_that_have_not_seen_the_question_s() -> None:
    encoder, nets = BundledEncoder(), load()
    held = MemoryInput(id=MemoryId("m1"), text=_TOLD, conversation_id="talk-1")
    query = QueryLine(kind="query", id="q1", text=_QUESTION, relevant=("m1",))
    out = HeldOut.of(EvaluationFile(Path("home.jsonl"), (held,), (query,)), encoder)
    told = out.told(query, memory("m1", text=held.text), {"answers": 3.5, "late": 0.7})
    asked, unseen = encoder.encode_query(query.text), nets.held_out(fold_of("home.jsonl", "talk-1"))
    assert told == {"answers": answering.odds_of(unseen, encoder, query.text, asked, [held.text])[0], "late": 0.7}
    assert told["answers"] != answering.odds_of(nets, encoder, query.text, asked, [held.text])[0]
    assert out.told(query, memory("m1", text=held.text), {"answers": None}) == {"answers": None}
