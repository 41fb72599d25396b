"""What one memory states, slot by slot: the clause, whose it is, the attribute, the value, the period."""

from __future__ import annotations

from graphsvc.change import statements_of
from graphsvc.models.change import SlotStatement, ValueType
from graphsvc.models.facts import Polarity
from tests.statements import said


def stated(text: str) -> tuple[SlotStatement, ...]:
    return statements_of(said("one", {"text": text}))


def test_an_amount_is_stated_of_the_words_beside_it() -> None:
    (one,) = stated("合同金额80万元。")
    assert (one.type, one.value, one.attribute) == (ValueType.AMOUNT, "800000 CNY", ("合同", "金额"))


def test_the_span_of_a_value_lies_in_the_text_as_written() -> None:
    text = "The rent is 900 euros a month."
    one = next(one for one in stated(text) if one.type is ValueType.AMOUNT)
    assert text[one.value_start : one.value_end] == "900 euros"
    assert one.start <= (one.value_start or 0) < one.end


def test_each_clause_states_for_itself() -> None:
    text = "会议改到周五,带上合同。"
    assert [text[one.start : one.end] for one in stated(text)] == ["会议改到周五", "带上合同"]


def test_a_time_that_is_the_value_is_no_period() -> None:
    (one,) = stated("The dentist is on 4 June.")
    assert one.type is ValueType.TIME
    assert (one.begin, one.until) == (None, None)


def test_a_budget_of_a_year_is_of_that_year() -> None:
    one = next(one for one in stated("2023年预算80万。") if one.type is ValueType.AMOUNT)
    assert one.begin is not None
    assert one.until is not None
    assert (one.begin.year, one.until.year) == (2023, 2024)


def test_what_ended_keeps_its_polarity() -> None:
    """Report A04: a liking that ended is no liking."""
    (one,) = stated("我不再喝美式了")
    assert (one.polarity, one.type, one.holder) == (Polarity.CEASED, ValueType.YES_NO, "speaker")


def test_a_relative_is_named_with_whose_relative_it_is() -> None:
    """Report A05: a fact of a third party is not the speaker's."""
    assert stated("我弟弟不吃香菜")[0].holder == "speaker:弟弟"


def test_a_question_states_nothing() -> None:
    assert stated("要不要把例会改到周四?") == ()


def test_what_is_supposed_is_not_stated() -> None:
    assert stated("If the flight is cancelled we take the train.") == ()


def test_a_code_that_says_which_one_is_meant_is_no_value() -> None:
    assert all(one.type is not ValueType.IDENTIFIER for one in stated("工单LIS-2290已经结单"))


def test_a_code_after_what_it_is_the_code_of_is_the_value() -> None:
    (one,) = stated("服务器IP是10.2.3.4。")
    assert (one.type, one.value) == (ValueType.IDENTIFIER, "10.2.3.4")
