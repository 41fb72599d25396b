"""Answers under a calibrator, under a broken one and under none: the service answers, and says who decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.registry import Registry
from calibration.thresholds import Basis, Bound, Thresholds
from calibration.train import Trained, train
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus
from graphsvc.settings import Settings
from tests.asking import REFUSED, emptied, tell
from tests.builders import fixed_clock
from tests.calibrating import grouped_rows

LOGISTICS = (
    "三号仓库晚上九点关门，之后不再收货。",
    "周五的集装箱改到盐田港装船。",
    "叉车的年检排在下个月。",
    "退货统一放在东侧的笼车里。",
    "新来的理货员叫阿曼。",
)
NONSENSE = ("zzqx-9917", "量子色动力学的渐近自由")
QUESTION = "仓库几点关门"
EXPLORING = 0.2


@pytest.fixture(scope="module")
def encoder() -> Iterator[BundledEncoder]:
    yield BundledEncoder()


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(grouped_rows(200), target_error=0.1)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, encoder: BundledEncoder) -> Iterator[MemoryGraph]:
    folder = tmp_path_factory.mktemp("graph")
    settings = Settings(cache_dir=folder / "cache", explore=EXPLORING)
    url = f"sqlite:///{folder / 'store'}"
    with MemoryGraph.open(url, settings=settings, encoder=encoder, clock=fixed_clock) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    tell(real, *LOGISTICS)
    yield real
    emptied(real)
    (real.calibration.folder / "current.json").unlink(missing_ok=True)
    real.calibration.judge._present = None
    real.calibration.judge.renew()


def promoted(graph: MemoryGraph, trained: Trained) -> str:
    """As another process would promote it."""
    elsewhere = Registry(graph.calibration.folder, now=fixed_clock)
    version = elsewhere.save(trained)
    elsewhere.promote(version)
    graph.calibration.judge.renew()
    return version


def accepting(trained: Trained, threshold: float) -> Trained:
    bound = Bound(threshold, Basis.GLOBAL, "set by hand", 1, 1)
    return replace(trained, thresholds=Thresholds(0.1, 0.9, 0.0, bound))


def the_three(graph: MemoryGraph) -> list[Answer]:
    return [graph.answer(question) for question in (*NONSENSE, QUESTION)]


def check_abstains_and_answers(graph: MemoryGraph, why: str) -> None:
    first, second, third = the_three(graph)
    assert {first.status, second.status} == {AnswerStatus.NOTHING_RELIABLE}
    assert third.status is AnswerStatus.ANSWERED
    assert third.evidence[0].quote.startswith("三号仓库")
    for one in (first, second, third):
        assert why in str(one.calibration)
        assert one.target_error is None
        decision = graph.trace(one.trace_id).decision
        assert decision is not None
        assert decision.method == f"fallback-rule: {one.calibration}"


def test_the_calibrator_that_came_with_the_package_decides_until_another_is_promoted(
    graph: MemoryGraph, trained: Trained
) -> None:
    shipped = graph.calibration.judge.now()
    assert shipped.shipped
    answer = graph.answer(QUESTION)
    assert (answer.status, answer.target_error) == (AnswerStatus.ANSWERED, 0.23)
    assert graph.answer(NONSENSE[0]).status is AnswerStatus.NOTHING_RELIABLE
    assert promoted(graph, trained) != shipped.version
    assert not graph.calibration.judge.now().shipped


def test_without_a_model_nonsense_is_refused_and_the_answer_flagged(
    graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A34: fused ranks always gave a top-N, even for nonsense."""
    monkeypatch.setattr(graph.calibration.judge, "_shipped", None)
    graph.calibration.judge.renew()
    graph.calibration.judge._present = None
    check_abstains_and_answers(graph, "no calibrator is promoted")
    assert any("no calibrator is promoted" in note for note in graph.stats().notes)
    empty = graph.answer(QUESTION, namespace="empty")
    assert empty.status is AnswerStatus.NOTHING_STORED


@pytest.mark.parametrize("kept", [0.5, 0.33, 0.0])
def test_a_damaged_model_takes_nothing_down(graph: MemoryGraph, trained: Trained, kept: float) -> None:
    """Reports A34 and A40: the service starts, answers, and flags what it answers."""
    version = promoted(graph, trained)
    path = graph.calibration.folder / version / "model.txt"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    graph.calibration.judge._present = None  # as after a restart
    check_abstains_and_answers(graph, "model.txt has another length")
    health = graph.calibration_health()
    assert health.warnings
    assert "cannot be used" in health.warnings[0]
    path.write_bytes(whole)


def test_a_model_of_other_columns_is_refused(
    graph: MemoryGraph, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A41: swapped or missing columns predicted quietly."""
    swapped = {**trained.calibration, "names": list(reversed(trained.calibration["names"]))}
    elsewhere = Registry(graph.calibration.folder, now=fixed_clock)
    with monkeypatch.context() as patched:
        patched.setattr("calibration.registry.Registry.load", lambda *_: None)
        version = elsewhere.save(replace(trained, calibration=swapped))
        elsewhere.promote(version)
    graph.calibration.judge.renew()
    check_abstains_and_answers(graph, "train again")


def test_a_calibrator_decides_and_says_which_target_it_was_made_for(graph: MemoryGraph, trained: Trained) -> None:
    version = promoted(graph, accepting(trained, 0.02))
    for one in the_three(graph):
        decision = graph.trace(one.trace_id).decision
        assert decision is not None
        assert (one.calibration, one.target_error, decision.target_error) == (None, 0.1, 0.1)
        assert decision.method == f"calibrator {version}"
        assert 0.0 < decision.probability < 1.0
    assert not graph.stats().notes


def test_what_is_ruled_out_stays_so_whatever_the_calibrator_accepts(graph: MemoryGraph, trained: Trained) -> None:
    """Report A34: the lowest threshold there is accepts nothing that a veto rules out."""
    promoted(graph, accepting(trained, 0.02))
    assert graph.answer(NONSENSE[0]).status in REFUSED
    assert graph.answer("合同HT2023-0876几点到").status in REFUSED


def test_a_promotion_changes_the_next_answer_and_a_replay_says_so(graph: MemoryGraph, trained: Trained) -> None:
    before = graph.answer(QUESTION)
    version = promoted(graph, accepting(trained, 2.0))
    assert graph.answer(QUESTION).status is AnswerStatus.NOTHING_RELIABLE
    replayed = graph.audit.replay("default", before.trace_id)
    assert "run with the acceptance of now, which is another than then" in replayed.notes
    assert any(version in told for told in replayed.differences)


def test_just_below_the_threshold_some_are_shown_for_feedback_and_are_no_evidence(
    graph: MemoryGraph, trained: Trained
) -> None:
    first = graph.answer(QUESTION)
    promoted(graph, accepting(trained, 0.02))
    decision = graph.trace(graph.answer(QUESTION).trace_id).decision
    assert first.evidence
    assert decision is not None
    promoted(graph, accepting(trained, decision.probability + 0.01))
    asked = [graph.answer(QUESTION) for _ in range(40)]
    shown = [one for one in asked if one.explored is not None]
    assert 0 < len(shown) < len(asked)
    for one in shown:
        assert (one.status, one.evidence) == (AnswerStatus.NOTHING_RELIABLE, ())
        assert one.explored is not None
        assert graph.trace(one.trace_id).explored == one.explored.memory_id
    assert not any(graph.trace(one.trace_id).explored for one in asked if one.explored is None)
    assert all(graph.answer(NONSENSE[0]).explored is None for _ in range(10))


def test_by_default_nothing_is_explored() -> None:
    assert Settings().explore == 0.0


def test_calibrators_are_kept_beside_the_store_unless_told_otherwise(graph: MemoryGraph, tmp_path: Path) -> None:
    assert graph.calibration.folder.name == "calibration"
    assert graph.calibration.folder.parent.joinpath("memories.sqlite3").is_file()
    elsewhere = Settings(cache_dir=tmp_path, calibration=tmp_path / "own")
    with MemoryGraph.open(
        f"sqlite:///{tmp_path / 's'}", settings=elsewhere, encoder=graph.encoder, clock=fixed_clock
    ) as other:
        assert other.calibration.folder == tmp_path / "own"
