"""Fit tells near misses from answers by graded measures, and says nothing where no word meets."""

from __future__ import annotations

import pytest

from graphsvc.retrieve.extract.fit import Fit, fit
from tests.extracting import asked, told


def _fit(question: str, text: str) -> Fit:
    return fit(told(text), asked(question))


def test_a_head_that_only_modifies_another_noun_is_not_there() -> None:
    gown = _fit("When is Lola's wedding?", "Lola's wedding dress fitting is on 4 June.")
    day = _fit("When is Lola's wedding?", "Lola's wedding is on 4 June.")
    assert day.uncovered_focus == 0.0
    assert gown.uncovered_focus is not None and gown.uncovered_focus > 0.5
    assert gown.other_value and not day.other_value


@pytest.mark.parametrize(
    ("question", "near", "right"),
    [
        (
            "What was Ben's full marathon time?",
            "Ben ran the half marathon in 1:52.",
            "Ben ran the full marathon in 3:52.",
        ),
        ("How much was the left door?", "The right door was 240.", "The left door was 240."),
        ("右耳那只修了多少钱？", "左耳那只修了460元。", "右耳那只修了460元。"),
        ("去年的奖金是多少？", "今年的奖金发了一万二。", "去年的奖金发了一万二。"),
        ("爷爷的房间号是多少？", "奶奶住的房间号是1206。", "爷爷住的房间号是1206。"),
        ("When does the winter term start?", "The summer term starts on 3 May.", "The winter term starts on 3 May."),
    ],
)
def test_another_member_of_a_class_of_opposites_contrasts(question: str, near: str, right: str) -> None:
    missed, found = _fit(question, near), _fit(question, right)
    assert missed.contrast > 0.5 > found.contrast
    assert missed.agreement is not None and found.agreement is not None
    assert missed.agreement < found.agreement


def test_a_value_of_another_sort_is_no_value() -> None:
    missed = _fit("What is Nina's passport number?", "Nina's passport expires on 4 August 2027.")
    assert missed.kind_present == 0.0
    assert missed.other_value


def test_a_value_bound_to_another_subject_is_bound_less() -> None:
    text = "The pool is closed until 18 March, the sauna stays open."
    sauna, pool = _fit("When will the sauna close?", text), _fit("Until when is the pool closed?", text)
    assert sauna.slot_bound is not None and pool.slot_bound is not None
    assert sauna.slot_bound < pool.slot_bound
    assert sauna.substituted > 0


def test_a_paraphrase_without_a_common_word_is_unknown_and_not_absent() -> None:
    other_words = _fit("上网设备的后台口令写在哪儿", "路由器管理页密码贴在盒子底下。")
    assert other_words.slot_bound is None
    assert other_words.uncovered_focus is None
    assert other_words.agreement is None


def test_words_for_the_same_kin_meet() -> None:
    assert _fit("爸爸几岁？", "老爸今年61岁。").covered == 1.0


def test_a_weight_per_word_changes_what_is_covered() -> None:
    memory, question = told("The blue tent weighs 4 kg."), asked("How heavy is the old blue tent from Oslo?")
    plain = fit(memory, question)
    rare = fit(memory, question, {"oslo": 5.0})
    assert rare.covered < plain.covered
