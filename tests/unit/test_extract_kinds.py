"""The right kind of value: no figure out of a code, the unit of the head noun, no yes about another thing."""

from __future__ import annotations

import pytest

from graphsvc.retrieve.extract.choose import all_values, answers
from graphsvc.retrieve.extract.dimensions import Dimension
from graphsvc.retrieve.extract.figures import figure
from graphsvc.retrieve.extract.fit import fit
from graphsvc.retrieve.extract.wanted import wanted
from tests.extracting import asked, told


def _value(question: str, text: str) -> str | None:
    found = answers(told(text), asked(question))
    return None if found is None or found.value is None else found.value.text


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("老周会弹钢琴吗？", "老周会弹吉他，每周三晚上教课。", None),
        ("老周会弹吉他吗？", "老周会弹吉他，每周三晚上教课。", "yes"),
        ("奶奶能吃花生吗？", "奶奶不能吃虾，吃了起疹子。", None),
        ("奶奶能吃虾吗？", "奶奶不能吃虾，吃了起疹子。", "no"),
        ("Is Nora allergic to peanuts?", "Nora is allergic to shellfish.", None),
        ("Is Nora allergic to shellfish?", "Nora is allergic to shellfish.", "yes"),
        ("Did Otto sell the van?", "Otto sold the boat in May.", None),
        ("Did Otto sell the boat?", "Otto sold the boat in May.", "yes"),
        ("Did we order 40 chairs?", "We ordered 60 chairs.", None),
        ("Is the pool open?", "The pool is closed this week.", "no"),
        ("游泳馆开门吗？", "游泳馆这周关门。", "no"),
    ],
)
def test_yes_needs_the_thing_asked_about(question: str, text: str, answer: str | None) -> None:
    found = answers(told(text), asked(question))
    assert found is not None
    assert (found.value.normalised if found.value else None) == answer


@pytest.mark.parametrize(
    ("question", "near", "right"),
    [
        ("老周会弹钢琴吗？", "老周会弹吉他。", "老周会弹钢琴。"),
        ("Is Nora allergic to peanuts?", "Nora is allergic to shellfish.", "Nora is allergic to peanuts."),
    ],
)
def test_a_missing_object_of_a_yes_no_question_is_told_by_fit(question: str, near: str, right: str) -> None:
    missed, found = fit(told(near), asked(question)), fit(told(right), asked(question))
    assert missed.uncovered_focus is not None and missed.uncovered_focus >= 0.8
    assert missed.slot_bound is not None and found.slot_bound is not None
    assert missed.slot_bound < 0.6 < found.slot_bound


def test_a_yes_no_paraphrase_without_a_common_word_stays_unknown() -> None:
    found = fit(told("昨天把宽带的钱付了。"), asked("网费交了吗？"))
    assert (found.slot_bound, found.uncovered_focus) == (None, None)


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("K40有多重？", "K40今天装好了，运转正常。", None),
        ("哥哥还了我多少？", "哥哥说先还我一半。", "一半"),
        ("小雨几岁了？", "小雨领了800压岁钱。", None),
        ("信用贷的利率是多少？", "信用贷批下来了，30万，三年还清，利率4.2%。", "4.2%"),
        ("What is the interest rate?", "The loan is 90,000 over ten years at 4.2%.", "4.2%"),
        ("工期是多少？", "阳台改造报价2.6万，工期18天，6月开工。", "18天"),
        ("What is the temperature of the kiln?", "The kiln runs 9 hours at 1240 °C.", "1240 °C"),
    ],
)
def test_a_number_is_of_the_kind_its_head_noun_asks(question: str, text: str, value: str | None) -> None:
    assert _value(question, text) == value


def test_a_head_noun_says_what_is_measured() -> None:
    assert wanted(asked("贷款利率")).dimensions == {Dimension.PERCENTAGE}
    assert wanted(asked("汇率是多少？")).dimensions != {Dimension.PERCENTAGE}
    assert Dimension.MONEY in wanted(asked("尾款是多少？")).dimensions


@pytest.mark.parametrize(
    ("question", "near", "right"),
    [
        ("K50多少钱？", "K40报价8200元。", "K50报价8200元。"),
        ("How much is the K50?", "The K40 is 820 euros.", "The K50 is 820 euros."),
        ("3月电费多少？", "4月电费312元。", "3月电费312元。"),
        ("三月电费多少？", "4月电费312元。", "3月电费312元。"),
        ("How much was the May turnover?", "June turnover was 40,000.", "May turnover was 40,000."),
        ("第二轮报价多少？", "第一轮报价9800元。", "第二轮报价9800元。"),
        (
            "How many visitors came on the second day?",
            "第一天来了260人，visitors很多。",
            "第二天来了260人，visitors很多。",
        ),
        ("2023年利润多少？", "2024年利润80万。", "2023年利润80万。"),
        ("周二的课多少钱？", "周四的课120元。", "周二的课120元。"),
        ("L码多少钱？", "M码199元。", "L码199元。"),
    ],
)
def test_another_number_of_the_same_sort_contrasts(question: str, near: str, right: str) -> None:
    missed, found = fit(told(near), asked(question)), fit(told(right), asked(question))
    assert missed.contrast >= 0.6
    assert found.contrast == 0.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("QZ-5518是什么？", "QZ-5518到货了，放在前台。"),
        ("Mia叫什么中文名？", "Mia在幼儿园跳舞。"),
        ("what is Mia called in Chinese?", "Mia dances well."),
    ],
)
def test_a_name_or_code_of_the_question_is_no_answer_to_it(question: str, text: str) -> None:
    assert _value(question, text) is None


def test_before_and_after_gives_both_values() -> None:
    found = all_values(told("停车费从每月450改到520了。"), asked("停车费调价前后各多少？"))
    assert [value.text for value in found] == ["450", "520"]
    found = all_values(told("The fee was raised from 65 to 80."), asked("How much is the fee before and after?"))
    assert [value.text for value in found] == ["65", "80"]


@pytest.mark.parametrize(
    ("number", "text"), [(2_250_000.0, "2250000"), (44.5, "44.5"), (0.1 + 0.2, "0.3"), (-0.0, "0")]
)
def test_amounts_are_written_in_plain_figures(number: float, text: str) -> None:
    assert figure(number) == text
