"""What a model's answer may say, given the words it quotes: amounts, times, names and codes."""

from __future__ import annotations

import pytest

from graphsvc.models.answer import Evidence
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.models.question import Question
from graphsvc.retrieve.answerer.refusal import Reason
from graphsvc.retrieve.answerer.reply import Quote, Reply
from graphsvc.retrieve.answerer.verify import comparable, verify
from tests.builders import NOW


def judged(text: str, answer: str, *, quote: str | None = None, question: str = "?") -> Reason | None:
    """What is wrong with an answer that quotes all of one memory, or the given words of it."""
    evidence = [Evidence(memory_id=MemoryId("m1"), start=0, end=len(text), quote=text, probability=0.9)]
    reply = Reply(answer=answer, quotes=[Quote(memory_id="m1", quote=quote or text)], confidence=0.9)
    asked = Question(text=question, language=Language.MIXED, asked_at=NOW, query_type="general")
    return verify(reply, asked, evidence)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("维修费共80万元。", "一共800,000元。"),
        ("维修费共８０万元。", "八十万元"),
        ("报价每台1,250元，含税13%。", "每台1250元，含税13%。"),
        ("温度降到-5度。", "-5度"),
        ("It shipped in three boxes.", "According to the note, it shipped in 3 boxes."),
        ("甲方应在交付后三十日内付款。", "交付后30日内付款。"),
        ("他住在第三层。", "第3层"),
        ("We upgraded to v2.3.1.", "v2.3.1"),
        ("The visit was moved to March 5, 2026.", "It was moved to 2026-03-05."),
        ("会议定在3月5日下午3点。", "3月5日"),
        ("会议定在3月5日下午3点。", "会议在三月五日下午三点。"),
        ("The meeting with Anna is on Friday at 3 pm.", "On Friday."),
        ("孟小雨昨天把钥匙交给了李雷。", "孟小雨"),
        ("Kim will move to Lisbon.", "To Lisbon."),
        ("The buyer pays the freight.", "Payment of the freight is the buyer's duty."),
        ("單號是HT2023-0876。", "单号是ht2023-0876"),
    ],
)
def test_what_the_quotes_hold_may_be_said_in_another_form(text: str, answer: str) -> None:
    assert judged(text, answer) is None


@pytest.mark.parametrize(
    ("text", "answer", "reason"),
    [
        ("维修费共80万元。", "90万元", Reason.INVENTED_NUMBER),
        ("维修费共80万。", "80万美元", Reason.INVENTED_NUMBER),
        ("维修费共180万元。", "80万元", Reason.INVENTED_NUMBER),
        ("It was -5 degrees.", "5", Reason.INVENTED_NUMBER),
        ("They paid in cash.", "They paid three times.", Reason.INVENTED_NUMBER),
        ("他住在第三层。", "第四层", Reason.INVENTED_NUMBER),
        ("单号是HT2023-0876。", "HT2023-0877", Reason.INVENTED_NAME),
        ("We upgraded to v2.3.1.", "v2.3", Reason.INVENTED_NAME),
        ("The visit is on Friday at 3 pm.", "On Thursday.", Reason.INVENTED_TIME),
        ("The visit is on Friday at 3:30 pm.", "On Friday at 3 pm.", Reason.INVENTED_TIME),
        ("会议下午3点半开始。", "下午3点", Reason.INVENTED_TIME),
        ("The key was left by Anna.", "Petrov left it.", Reason.INVENTED_NAME),
        ("The key was left by Anna.", "It was left by Petrov.", Reason.INVENTED_NAME),
        ("孟小雨昨天把钥匙交给了李雷。", "王芳给的", Reason.INVENTED_NAME),
        ("Write to bob@x.example.", "bob@y.example", Reason.INVENTED_NAME),
    ],
)
def test_what_the_quotes_do_not_hold_is_refused(text: str, answer: str, reason: Reason) -> None:
    assert judged(text, answer) is reason


def test_yesterday_is_no_date_since_only_its_memory_knows_its_day() -> None:
    assert judged("We met yesterday.", "Yesterday.") is None
    assert judged("We met yesterday.", "On 2026-03-05.") is Reason.INVENTED_TIME


def test_what_the_question_says_may_be_said_again() -> None:
    assert judged("It was agreed.", "Yes, Petrov agreed.") is Reason.INVENTED_NAME
    assert judged("It was agreed.", "Yes, Petrov agreed.", question="Did Petrov agree?") is None


def test_what_stands_in_evidence_that_is_not_quoted_does_not_count() -> None:
    assert judged("预算80万元。另付运费3万元。", "3万元", quote="预算80万元。") is Reason.INVENTED_NUMBER


@pytest.mark.parametrize("quote", ["预算定为8", "预算定为80", "0万元", "算"])
def test_a_quote_may_not_cut_a_number_or_be_a_single_sign(quote: str) -> None:
    assert judged("预算定为80万元。", "好", quote=quote) is Reason.INVENTED_QUOTE


def test_a_quote_may_not_cut_a_word() -> None:
    assert judged("It is unapproved.", "Yes.", quote="approved") is Reason.INVENTED_QUOTE


def test_a_quote_differs_from_its_memory_in_width_and_spaces_only() -> None:
    assert judged("预算 定为\n８０万 元，already  agreed", "好", quote="预算定为80万元,already agreed") is None
    assert judged("already agreed", "Yes.", quote="Already agreed") is Reason.INVENTED_QUOTE


def test_circled_digits_are_not_read_into_a_number() -> None:
    assert comparable("①５万") == "①5万"
