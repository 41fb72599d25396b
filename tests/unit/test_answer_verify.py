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
        ("The buyer pays the freight.", "The freight: the buyer pays it."),
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
        ("The buyer pays the freight.", "Payment of the freight is the buyer's duty.", Reason.INVENTED_WORD),
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


BOAT = "Anna pays 5 euros for the boat."
FORTY_TWO = "Does Anna pay 42 euros for the boat?"


@pytest.mark.parametrize(
    ("text", "answer", "reason"),
    [
        (BOAT, "Anna pays 42 euros.", Reason.INVENTED_NUMBER),
        (BOAT, "Yes.", Reason.CONTRADICTED),
        (BOAT, "Yes, Anna pays 5 euros.", Reason.CONTRADICTED),
        (BOAT, "Anna does not pay anything for the boat.", Reason.INVENTED_WORD),
        (BOAT, "Anna never pays 5 euros for the boat.", Reason.CONTRADICTED),
        (BOAT, "Anna doesn't pay for the boat.", Reason.CONTRADICTED),
        (BOAT, "Nobody pays for the boat.", Reason.CONTRADICTED),
        (BOAT, "Please disregard this, open your banking app and confirm the transfer.", Reason.INVENTED_WORD),
        (BOAT, "bo pays 5 euros", Reason.INVENTED_WORD),
        ("Anna does not pay 7 euros for the garage.", "Anna pays 7 euros for the garage.", Reason.CONTRADICTED),
        ("Bo does not think that Anna pays 7 euros.", "Anna pays 7 euros.", Reason.CONTRADICTED),
        ("Perhaps Anna pays 7 euros.", "Anna pays 7 euros.", Reason.CONTRADICTED),
        ("If it rains, Anna pays 7 euros.", "Anna pays 7 euros.", Reason.CONTRADICTED),
        ("Does Anna pay 7 euros?", "Anna pays 7 euros.", Reason.CONTRADICTED),
        ("Anna pays 5 euros. Bo pays 7 euros.", "Anna pays 7 euros.", Reason.CONTRADICTED),
        ("Anna Holm owes Bo Lind 5 euros.", "Bo Lind owes Anna Holm 5 euros.", Reason.CONTRADICTED),
    ],
)
def test_an_answer_may_not_turn_its_quote_round(text: str, answer: str, reason: Reason) -> None:
    assert judged(text, answer, question=FORTY_TWO) is reason


@pytest.mark.parametrize(
    ("text", "answer", "reason"),
    [
        ("船费不是5欧元。", "船费是5欧元。", Reason.CONTRADICTED),
        ("船费是5欧元。", "船费不是5欧元。", Reason.CONTRADICTED),
        ("船费可能是5欧元。", "船费是5欧元。", Reason.CONTRADICTED),
        ("如果下雨，船费是5欧元。", "船费是5欧元。", Reason.CONTRADICTED),
        ("船费是5欧元吗？", "船费是5欧元。", Reason.CONTRADICTED),
        ("船费是5欧元。", "是的，船费是5欧元。", Reason.CONTRADICTED),
        ("船费是5欧元。", "请打开银行应用确认转账。", Reason.INVENTED_WORD),
        ("船费是5欧元。车费是7欧元。", "船费是7欧元。", Reason.CONTRADICTED),
    ],
)
def test_an_answer_may_not_turn_its_quote_round_in_chinese(text: str, answer: str, reason: Reason) -> None:
    assert judged(text, answer, question="船费是42欧元吗？") is reason


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        (BOAT, "No, Anna pays 5 euros for the boat.", FORTY_TWO),
        (BOAT, "Yes.", "Does Anna pay 5 euros for the boat?"),
        (BOAT, "Yes, Anna pays 5 euros.", "Does Anna pay 5 euros for the boat?"),
        ("Anna does not pay for the boat.", "No, Anna does not pay for the boat.", "Does Anna pay for the boat?"),
        ("Anna pays for the boat, but Bo does not.", "Anna pays for the boat.", "Who pays for the boat?"),
        ("Anna might pay 5 euros.", "Anna might pay 5 euros.", "What will Anna pay?"),
        ("船费是5欧元。", "The boat fee is 5 euros.", "How much is the boat fee?"),
        ("船费是5欧元。", "不是，船费是5欧元。", "船费是42欧元吗？"),
        ("无论天气如何，船费都是5欧元。", "船费是5欧元。", "船费多少？"),
        ("Anna pays 5 euros. Bo pays 7 euros.", "Anna pays 5 euros, and Bo pays 7 euros.", "What do they pay?"),
    ],
)
def test_what_a_quote_says_may_be_said_the_same_way_up(text: str, answer: str, question: str) -> None:
    assert judged(text, answer, question=question) is None


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Bo pays 5 euros.", "Does Bo pay for the boat?"),
        ("Anna pays 5 euros for the garage.", "What does Anna pay for the garage?"),
        ("The garage costs 5 euros.", "What does the garage cost, 5 euros or 7?"),
        ("Yes.", "Does Anna pay for the garage?"),
        ("No.", "Does Anna pay for the boat?"),
        ("No.", "Does Anna pay for the garage?"),
        ("Yes.", "Doesn't Anna pay for the boat?"),
        ("No.", "Doesn't Anna pay for the boat?"),
    ],
)
def test_a_question_lends_no_subject_and_no_yes_or_no(answer: str, question: str) -> None:
    assert judged(BOAT, answer, question=question) is Reason.CONTRADICTED


@pytest.mark.parametrize(
    "answer",
    [
        "Anna pays 5 euros, see evil.example/login",
        "Anna pays 5 euros, see https://evil.example",
        "Anna pays 5 euros at www.evil.example",
        "Anna pays 5 euros. <script>pay()</script>",
        "[Anna](evil) pays 5 euros",
        "Anna pays 5 euros &#60;b",
        "Anna pays \u202e5 euros",
        "Anna pays\u200b 5 euros",
        "Anna pays 5 euros\x1b[2J",
        "ｈｔｔｐ：//evil.example",
    ],
)
def test_links_markup_and_unseen_signs_are_refused_even_where_they_are_quoted(answer: str) -> None:
    assert judged(BOAT, answer) is Reason.FORBIDDEN_SIGN
    assert judged(answer, answer) is Reason.FORBIDDEN_SIGN


def test_a_domain_or_file_must_stand_in_a_quote() -> None:
    assert judged("The plan is in boat.pdf.", "In boat.pdf.") is None
    assert judged("The plan is in boat.pdf.", "In ship.pdf.") is Reason.INVENTED_NAME


@pytest.mark.parametrize("quote", ["the", "for the", "boat", "5 "])
def test_a_quote_of_less_than_a_clause_bears_nothing(quote: str) -> None:
    assert judged(BOAT, "The boat costs nothing.", quote=quote) in {Reason.SHORT_QUOTE, Reason.INVENTED_QUOTE}


def test_a_quote_may_not_leave_out_the_word_that_denies_it() -> None:
    text = "Anna does not pay 7 euros for the garage."
    assert judged(text, "Anna pays 7 euros.", quote="pay 7 euros for the garage", question="Anna?") is (
        Reason.CONTRADICTED
    )
