"""Who wrote to whom in a question: nested phrases, passives, copies, telling and sending, in Chinese and English."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.graph import EdgeType
from graphsvc.retrieve.parse.roles import directions

AT = datetime(2024, 8, 20, 9, tzinfo=UTC)
NAMES = ("罗姗", "杜恒", "Petra", "Owen")
SENT_BY, SENT_TO, CC_TO = EdgeType.SENT_BY, EdgeType.SENT_TO, EdgeType.CC_TO


def roles(text: str) -> dict[str, EdgeType]:
    """Roles by name, the asker as "I" and the asker's side as "we"."""
    spans = [found.span() for name in NAMES for found in re.finditer(name, text)]
    given = directions(text, spans, [(time.start, time.end) for time in find_times(text, AT)])
    found = {text[slice(*span)]: role for span, role in given.names.items()}
    found |= {} if given.me is None else {"I": given.me}
    return found | ({} if given.we is None else {"we": given.we})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("罗姗寄给我的合同在哪", {"罗姗": SENT_BY, "I": SENT_TO}),
        ("我寄给罗姗的合同在哪", {"I": SENT_BY, "罗姗": SENT_TO}),
        ("罗姗上周转发给杜恒的通知", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("杜恒抄送给我的是哪份", {"杜恒": SENT_BY, "I": CC_TO}),
        ("只抄送了我的那封讲什么", {"I": CC_TO}),
        ("抄送给罗姗的邮件", {"罗姗": CC_TO}),
        ("我被抄送的那封提到哪家店", {"I": CC_TO}),
        ("罗姗给杜恒回信了吗", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("我给罗姗写过哪些建议", {"I": SENT_BY, "罗姗": SENT_TO}),
        ("罗姗给我发的菜单", {"罗姗": SENT_BY, "I": SENT_TO}),
        ("写给罗姗的那封感谢信", {"罗姗": SENT_TO}),
        ("致罗姗的信里附了什么", {"罗姗": SENT_TO}),
        ("罗姗的来信提到几个人", {"罗姗": SENT_BY}),
        ("罗姗那封邮件是讲装修的吗", {"罗姗": SENT_BY}),
        ("罗姗的邮箱是多少", {}),
        ("罗姗的邮件地址", {}),
        ("罗姗妈妈发给我的照片", {"I": SENT_TO}),
        ("发给罗姗的同事的图纸", {}),
        ("罗姗把账单转给杜恒了吗", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("罗姗让我带什么去露营", {"罗姗": SENT_BY}),
        ("罗姗要求我几号交稿", {"罗姗": SENT_BY}),
        ("罗姗答应我哪天还书", {"罗姗": SENT_BY}),
        ("罗姗答应谁先用会议室", {"罗姗": SENT_BY}),
        ("罗姗提醒杜恒别忘什么", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("我告诉罗姗的暗号是什么", {"I": SENT_BY, "罗姗": SENT_TO}),
        ("我跟罗姗说过疫苗的事吗", {"I": SENT_BY, "罗姗": SENT_TO}),
        ("罗姗跟我说的那个餐馆", {"罗姗": SENT_BY}),
        ("罗姗向杜恒汇报了什么", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("我们对杜恒承诺了什么", {"we": SENT_BY, "杜恒": SENT_TO}),
        ("罗姗对延期怎么解释", {"罗姗": SENT_BY}),
        ("罗姗对漏水的事怎么答复", {"罗姗": SENT_BY}),
        ("罗姗怎么回复杜恒的", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("我收到罗姗的哪份报价", {"I": SENT_TO, "罗姗": SENT_BY}),
        ("罗姗收到样品了吗", {"罗姗": SENT_TO}),
        ("来自罗姗的消息有几条", {"罗姗": SENT_BY}),
        ("由罗姗发出的公告", {"罗姗": SENT_BY}),
        ("罗姗对杜恒的答复", {"罗姗": SENT_BY, "杜恒": SENT_TO}),
        ("罗姗和杜恒发给我的清单", {"罗姗": SENT_BY, "杜恒": SENT_BY, "I": SENT_TO}),
        ("罗姗发火是因为什么", {}),
        ("罗姗发工资的日子", {}),
        ("罗姗和杜恒谁高", {}),
        ("罗姗住哪", {}),
        ("我的体检几号", {}),
        ("谁发给罗姗的", {"罗姗": SENT_TO}),
        ("罗姗负责哪个班", {}),
        ("我上报的是哪个故障", {"I": SENT_BY}),
        ("我汇报过几次漏水", {"I": SENT_BY}),
        ("我和罗姗说了什么", {}),
        ("我给罗姗开的价", {"I": SENT_BY, "罗姗": SENT_TO}),
        ("罗姗给我提的建议有几条", {"罗姗": SENT_BY, "I": SENT_TO}),
        ("我给Petra回信讲了什么", {"I": SENT_BY, "Petra": SENT_TO}),
        ("我给罗姗买的书", {}),
        ("给罗姗的回复是几号发的", {"罗姗": SENT_TO}),
        ("罗姗有没有把票寄给我", {"罗姗": SENT_BY, "I": SENT_TO}),
        ("what did Petra send me about the boiler", {"Petra": SENT_BY, "I": SENT_TO}),
        ("what did I send Petra about the boiler", {"I": SENT_BY, "Petra": SENT_TO}),
        ("the list I mailed to Petra", {"I": SENT_BY, "Petra": SENT_TO}),
        ("did Petra write to Owen", {"Petra": SENT_BY, "Owen": SENT_TO}),
        ("Which photos did Owen forward to me?", {"Owen": SENT_BY, "I": SENT_TO}),
        ("the note I was only copied on", {"I": CC_TO}),
        ("emails where I'm cc'd", {"I": CC_TO}),
        ("did Petra copy me on the offer", {"Petra": SENT_BY, "I": CC_TO}),
        ("which memo was Owen cc'd on", {"Owen": CC_TO}),
        ("what was sent to Petra by Owen", {"Petra": SENT_TO, "Owen": SENT_BY}),
        ("the plan forwarded by Owen", {"Owen": SENT_BY}),
        ("Petra's reply to Owen", {"Petra": SENT_BY, "Owen": SENT_TO}),
        ("Owen's answer to my letter", {"Owen": SENT_BY}),
        ("my last mail to Petra", {"Petra": SENT_TO}),
        ("anything from Petra about the choir?", {"Petra": SENT_BY}),
        ("a message from Petra to Owen", {"Petra": SENT_BY, "Owen": SENT_TO}),
        ("the letter to Petra", {"Petra": SENT_TO}),
        ("what did I promise Petra", {"I": SENT_BY, "Petra": SENT_TO}),
        ("what did Owen tell Petra about the trip", {"Owen": SENT_BY, "Petra": SENT_TO}),
        ("what did Owen tell me", {"Owen": SENT_BY}),
        ("who told Petra about it", {}),
        ("what did I report to Owen", {"I": SENT_BY, "Owen": SENT_TO}),
        ("have I replied to Petra", {"I": SENT_BY, "Petra": SENT_TO}),
        ("was Petra sent the invoice", {"Petra": SENT_TO}),
        ("Petra received which parcel", {"Petra": SENT_TO}),
        ("Did Owen get the email?", {"Owen": SENT_TO}),
        ("Owen's sister wrote to me when", {"I": SENT_TO}),
        ("the letter to Owen's boss", {}),
        ("what is Petra's email", {}),
        ("how far is it from Petra to Owen", {}),
        ("what did I borrow from Owen", {}),
        ("what does Owen like", {}),
        ("Petra and Owen sent us a card", {"Petra": SENT_BY, "Owen": SENT_BY, "we": SENT_TO}),
        ("what did we write to Owen", {"we": SENT_BY, "Owen": SENT_TO}),
        ("has Owen answered me", {"Owen": SENT_BY}),
        ("what does the letter from Owen say", {"Owen": SENT_BY}),
        ("did I mention the allergy", {"I": SENT_BY}),
        ("where does Petra work", {}),
        ("which file has Owen sent to Petra and me", {"Owen": SENT_BY, "Petra": SENT_TO, "I": SENT_TO}),
        ("what did Petra mail us", {"Petra": SENT_BY, "we": SENT_TO}),
        ("发给罗姗的14箱对方收到几箱", {}),  # goods, not words
        ("Was the plan forwarded to Owen by Petra?", {"Owen": SENT_TO, "Petra": SENT_BY}),
        ("what did they answer when I told them", {}),
    ],
)
def test_the_words_of_a_question_give_its_parties_their_roles(text: str, expected: dict[str, EdgeType]) -> None:
    assert roles(text) == expected


@pytest.mark.parametrize(
    ("to", "by"),
    [
        ("发给罗姗的图纸", "罗姗发的图纸"),
        ("写给罗姗的信", "罗姗写的信"),
        ("抄送给罗姗的邮件", "罗姗的邮件讲什么"),
        ("the mail to Petra", "the mail from Petra"),
        ("what was sent to Petra", "what was sent by Petra"),
        ("what did we write to Petra", "what did Petra write to us"),
    ],
)
def test_a_mail_to_somebody_is_never_taken_for_one_from_them(to: str, by: str) -> None:
    name = "罗姗" if "罗姗" in to else "Petra"
    assert roles(to)[name] is not SENT_BY
    assert roles(by)[name] is SENT_BY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the IP in the mail Petra sent yesterday", {"Petra": SENT_BY}),
        ("what was in the email Owen forwarded last week", {"Owen": SENT_BY}),
        ("that message Petra wrote about the roof", {"Petra": SENT_BY}),
        ("did you mail Petra the plans", {"Petra": SENT_TO}),
        ("the file I mailed Owen", {"I": SENT_BY, "Owen": SENT_TO}),
    ],
)
def test_a_mail_somebody_sent_is_from_them_and_not_to_them(text: str, expected: dict[str, EdgeType]) -> None:
    assert roles(text) == expected
