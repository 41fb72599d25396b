"""Who is meant: never the one greeted nor the signature, the sender where nobody is named, and who holds a post now."""

from __future__ import annotations

import pytest

from graphsvc.models.question import Validity
from graphsvc.retrieve.extract.choose import Extracted, answers
from tests.extracting import asked, told


def _found(question: str, text: str, *, sender: str | None = None, **fields: object) -> Extracted:
    found = answers(told(text, sender=sender), asked(question, **fields))
    assert found is not None
    return found


def _who(question: str, text: str, *, sender: str | None = None, **fields: object) -> str | None:
    found = _found(question, text, sender=sender, **fields)
    return found.party if found.value is None else found.value.text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who looks after the boat shed?", "Dana, the key of the boat shed hangs by the door."),
        ("Who repaired the organ?", "The organ has been repaired, all pipes sound again. Cheers, Olga Brandt"),
        ("谁修的水管？", "水管昨天修好了，不漏了。孙悦"),
        ("Who is translating the manual?", "The manual is being translated into Latin."),
        ("Who ordered the pump?", "Shipped today: the pump, by rail."),
        ("Who built the mixer?", "Two crates hold the Veltmann K40 mixer."),
    ],
)
def test_who_is_greeted_signs_or_only_looks_like_a_name_did_not_do_it(question: str, text: str) -> None:
    assert _found(question, text).value is None


def test_the_one_addressed_is_given_where_it_is_asked_for() -> None:
    text = "Dear Ms Novak, the samples left on Tuesday. Best, Emil Hart"
    assert _who("Who was the letter addressed to?", text) == "Novak"
    assert _who("Who sent the samples letter?", text) == "Emil Hart"


@pytest.mark.parametrize(
    ("question", "text", "party"),
    [
        ("谁同意租二楼的？", "同意租二楼。合同让小范去办。", "lead@team.example"),
        ("谁批准的预算？", "同意这个预算。", "lead@team.example"),
        ("Who approved the new logo?", "I approve the new logo. Ask Petra for the files.", "lead@team.example"),
        ("谁坚持做两百份？", "一百份不够，坚持做两百份。", "lead@team.example"),
    ],
)
def test_what_nobody_is_named_to_have_done_was_done_by_the_sender(question: str, text: str, party: str) -> None:
    assert _who(question, text, sender=party) == party


def test_a_signature_stands_for_a_sender_that_is_not_known() -> None:
    assert _who("谁建议改用松木的？", "我建议改用松木。\n孙悦") == "孙悦"


@pytest.mark.parametrize(
    ("question", "text", "old", "new"),
    [
        ("谁管仓库？", "仓库主管刘洋月底离职，陈晨暂代到开春。", "刘洋", "陈晨"),
        ("Who leads the choir?", "Martin leaves the choir in June, Sofia takes over.", "Martin", "Sofia"),
        ("谁带这个班？", "这个班的老师张敏休产假，赵磊接手。", "张敏", "赵磊"),
        ("Who runs the lab?", "Peter steps down on Friday, Laura fills in until May.", "Peter", "Laura"),
    ],
)
def test_who_leaves_is_the_old_one_and_who_steps_in_the_new(question: str, text: str, old: str, new: str) -> None:
    assert _who(question, text) == new
    assert _who(question, text, validity=Validity.HISTORICAL) == old


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        ("钱敏教练说什么？", "钱敏教练，\n周五的训练改到体育馆。", "周五的训练改到体育馆"),
        ("孙悦说了什么？", "水管昨天修好了，不漏了。孙悦", "水管昨天修好了"),
        ("What did Emil write?", "The samples left on Tuesday. Emil", "The samples left on Tuesday."),
        ("What did Dana write?", "Dana, thanks. Could you send 30 more?", "Could you send 30 more?"),
    ],
)
def test_a_quote_is_never_only_a_greeting_or_a_name(question: str, text: str, quote: str) -> None:
    start, end = _found(question, text).sentence
    assert quote in text[start:end]
