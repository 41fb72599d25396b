"""Extraction chooses by slot: the right unit, the right clause, the new value or the old one, and never guesses."""

from __future__ import annotations

import pytest

from graphsvc.models.question import Validity
from graphsvc.retrieve.extract.askwords import Asks, Code, Part, When
from graphsvc.retrieve.extract.choose import Extracted, all_values, answers
from graphsvc.retrieve.extract.compare import DIFFERENCE, compare
from graphsvc.retrieve.extract.dimensions import Dimension
from graphsvc.retrieve.extract.wanted import wanted
from tests.extracting import asked, told


def _text(question: str, text: str, **fields: object) -> str | None:
    found = answers(told(text), asked(question, **fields))
    return None if found is None or found.value is None else found.value.text


@pytest.mark.parametrize(
    ("question", "when"),
    [
        ("几点开会？", When.CLOCK),
        ("合同几号到期？", When.DATE),
        ("修一次要多久？", When.DURATION),
        ("从什么时候开始停水的？", When.SINCE),
        ("最晚什么时候交表？", When.DEADLINE),
        ("多久浇一次水？", When.RECURRING),
        ("What time is the talk?", When.CLOCK),
        ("How long did the repair take?", When.DURATION),
        ("Since when is the lift broken?", When.SINCE),
        ("How often does it rain there?", When.RECURRING),
        ("When is the exam?", When.POINT),
    ],
)
def test_a_question_for_time_says_which_sort(question: str, when: When) -> None:
    found = wanted(asked(question))
    assert (found.asks, found.when) == (Asks.TIME, when)


@pytest.mark.parametrize(
    ("question", "dimension"),
    [
        ("沙发有多宽？", Dimension.LENGTH),
        ("行李多重？", Dimension.WEIGHT),
        ("门票多少钱？", Dimension.MONEY),
        ("出勤率是多少？", Dimension.PERCENTAGE),
        ("她考了几次？", Dimension.OCCASIONS),
        ("How heavy is the crate?", Dimension.WEIGHT),
        ("How many litres fit in?", Dimension.VOLUME),
        ("How old is Rex?", Dimension.AGE),
        ("How many times did it ring?", Dimension.OCCASIONS),
    ],
)
def test_a_question_for_an_amount_says_what_is_measured(question: str, dimension: Dimension) -> None:
    assert dimension in wanted(asked(question)).dimensions


def test_people_and_numbers_are_asked_for_in_their_part_and_sort() -> None:
    assert wanted(asked("Who did Tara give the keys to?")).part is Part.RECIPIENT
    assert wanted(asked("这把伞是谁的？")).part is Part.OWNER
    assert wanted(asked("What's the plumber's phone number?")).code is Code.PHONE
    assert wanted(asked("Do you know where the keys are?")).asks is Asks.PLACE


def test_a_length_is_never_answered_with_a_date() -> None:
    text = "怀表6月3号送去的，师傅说大概要两个星期。"
    assert _text("修怀表要多久？", text) == "两个星期"
    assert _text("怀表什么时候送去的？", text) == "6月3号"
    assert _text("How long is the warranty?", "The warranty started on 3 June.") is None


def test_a_time_hung_on_an_event_answers_when() -> None:
    assert _text("质保金什么时候退？", "质保金在验收合格后30日内无息退还。") == "验收合格后30日内"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("停车费从每月450改到520了。", "450", "520"),
        ("The fee was raised from 65 to 80.", "65", "80"),
        ("停车费原来是450，现在是520。", "450", "520"),
    ],
)
def test_a_change_has_an_old_and_a_new_value(text: str, old: str, new: str) -> None:
    question = "停车费多少？" if "停车" in text else "How much is the fee?"
    assert _text(question, text) == new
    assert _text(question, text, validity=Validity.LATEST) == new
    assert _text(question, text, validity=Validity.HISTORICAL) == old


def test_what_is_denied_is_no_answer() -> None:
    assert _text("How many chairs did we order?", "Not 65 chairs, 80, I misread.") == "80"
    assert _text("押金是多少？", "押金不是两千，是两千五。") == "两千五"


def test_a_value_the_question_names_is_not_its_answer() -> None:
    assert _text("Who gave Quentin the keys?", "Tara gave the keys to Quentin.") == "Tara"
    assert _text("Who runs the shop instead of Vera?", "Dmitri runs the shop instead of Vera.") == "Dmitri"


def test_a_first_person_answers_with_the_sender_and_no_span() -> None:
    memory = told("我拍板用橡木，不再改了。", sender="林娜")
    found = answers(memory, asked("谁拍板用橡木的？"))
    assert found is not None
    assert (found.party, found.value) == ("林娜", None)


def test_somebody_else_who_is_named_goes_before_the_sender() -> None:
    memory = told("Otto decided to skip the fair, I agreed.", sender="Mara")
    found = answers(memory, asked("Who decided to skip the fair?"))
    assert found is not None and found.value is not None
    assert (found.value.text, found.party) == ("Otto", None)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("滤芯到货了吗？", "滤芯今天进库了。", "yes"),
        ("她还喝咖啡吗？", "她已经不喝咖啡了。", "no"),
        ("Was the trip cancelled?", "The trip was cancelled.", "yes"),
        ("Did Yuki pay the deposit?", "Yuki hasn't paid the deposit yet.", "no"),
        ("Is the pool open?", "The pool might open next week.", None),
        ("贷款批了吗？", "贷款可能下周批。", None),
    ],
)
def test_yes_and_no_are_said_only_where_the_text_is_certain(question: str, text: str, answer: str | None) -> None:
    found = answers(told(text), asked(question))
    assert found is not None
    assert (found.value.normalised if found.value else None) == answer


def test_every_value_is_a_span_of_the_text() -> None:
    memory = told("酒店订了2晚，房间1208，早上7点吃早餐。")
    for question in ("房间号多少？", "早餐几点？", "订了几晚？"):
        found = answers(memory, asked(question))
        assert found is not None and found.value is not None
        assert memory.text[found.value.start : found.value.end] == found.value.text
        assert found.sentence[0] <= found.value.start < found.sentence[1]


def test_a_question_for_several_gets_all_members_of_the_list() -> None:
    memory = told("Pages are complete but sheets 14 and 27 are missing.")
    found = all_values(memory, asked("Which two numbers are missing?"))
    assert [value.text for value in found] == ["14", "27"]


def _extracted(question: str, text: str, name: str) -> Extracted:
    found = answers(told(text, memory_id=name), asked(question))
    assert found is not None
    return found


def test_a_comparison_gives_the_winners_own_words() -> None:
    left = _extracted("How heavy is the red one?", "The red one weighs 900 g.", "red")
    right = _extracted("How heavy is the blue one?", "The blue one weighs 1.2 kg.", "blue")
    heavier = compare(left, right, asked("Which is heavier?"))
    lighter = compare(left, right, asked("Which one is lighter?"))
    assert heavier is not None and lighter is not None
    assert (heavier.text, heavier.memory_id) == ("1.2 kg", "blue")
    assert (lighter.text, lighter.memory_id) == ("900 g", "red")


def test_a_difference_is_a_number_and_never_text() -> None:
    left = _extracted("甲家报价多少？", "甲家报价4.5万。", "a")
    right = _extracted("乙家报价多少？", "乙家报价38000元。", "b")
    apart = compare(left, right, asked("两家差多少？"))
    assert apart is not None
    assert (apart.type, apart.normalised, apart.text) == (DIFFERENCE, "-7000 CNY", "38000元")


def test_values_of_unlike_units_are_not_compared() -> None:
    left = _extracted("How heavy is the red one?", "The red one weighs 900 g.", "red")
    right = _extracted("How long is the blue one?", "The blue one is 3 metres long.", "blue")
    assert compare(left, right, asked("Which is longer?")) is None
