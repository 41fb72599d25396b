"""How questions are worded: who wrote to whom, whether now or then is meant, and which sort of document."""

from __future__ import annotations

import pytest

from graphsvc.models.graph import EdgeType
from graphsvc.models.question import Validity
from graphsvc.retrieve.parse import wording
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.roles import directions
from graphsvc.retrieve.parse.validity import validity as validity_of
from ontology.loader import load_ontology
from ontology.model import ValueKind

ONTOLOGY = load_ontology()
SENT_BY, SENT_TO, CC_TO = EdgeType.SENT_BY, EdgeType.SENT_TO, EdgeType.CC_TO


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("苏敏发的那份报价在哪", "苏敏", SENT_BY),
        ("苏敏给周岚写了什么", "苏敏", SENT_BY),
        ("苏敏昨天寄来的样品是几号的", "苏敏", SENT_BY),
        ("苏敏寄出的样品是几号的", "苏敏", SENT_BY),
        ("来自苏敏的消息", "苏敏", SENT_BY),
        ("上次发给苏敏的图纸是哪版", "苏敏", SENT_TO),
        ("转发给苏敏的通知说了什么", "苏敏", SENT_TO),
        ("苏敏收到的是哪份清单", "苏敏", SENT_TO),
        ("哪份通知抄送给了苏敏", "苏敏", CC_TO),
        ("苏敏负责哪条产线", "苏敏", None),
        ("苏敏的电话是多少", "苏敏", None),
        ("What did Ingrid send about the roof?", "Ingrid", SENT_BY),
        ("Ingrid wrote that the roof leaks, when?", "Ingrid", SENT_BY),
        ("Which drawing was forwarded by Ingrid?", "Ingrid", SENT_BY),
        ("What is in the letter from Ingrid?", "Ingrid", SENT_BY),
        ("What does Ingrid's letter say?", "Ingrid", SENT_BY),
        ("Which drawing did we mail to Ingrid?", "Ingrid", SENT_TO),
        ("What was the note to Ingrid about?", "Ingrid", SENT_TO),
        ("Ingrid received which drawing?", "Ingrid", SENT_TO),
        ("Which memo was copied to Ingrid?", "Ingrid", CC_TO),
        ("Where does Ingrid live?", "Ingrid", None),
        ("Does Ingrid like sailing?", "Ingrid", None),
    ],
)
def test_the_words_beside_a_name_give_its_role(text: str, name: str, role: EdgeType | None) -> None:
    span = (text.index(name), text.index(name) + len(name))
    assert directions(text, [span]).names.get(span) is role


def test_both_ends_of_one_mail_have_their_own_role() -> None:
    for text, sender, receiver in (("周岚发给苏敏的图纸", "周岚", "苏敏"), ("Olga wrote to Ingrid", "Olga", "Ingrid")):
        first, second = ((text.index(n), text.index(n) + len(n)) for n in (sender, receiver))
        assert directions(text, [first, second]).names == {first: SENT_BY, second: SENT_TO}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("周岚发给我的图纸在哪", SENT_TO),
        ("周岚寄给了我哪张图纸", SENT_TO),
        ("谁把通知抄送给了我", CC_TO),
        ("我收到的样品是几号的", SENT_TO),
        ("我昨天寄出的样品呢", SENT_BY),
        ("我给周岚写过什么", SENT_BY),
        ("哪份通知抄送给我了", CC_TO),
        ("我的护照什么时候到期", None),
        ("What did Olga send me?", SENT_TO),
        ("Which drawing was mailed to me?", SENT_TO),
        ("Which drawing did I send?", SENT_BY),
        ("What have I forgotten? I wrote it to Olga.", SENT_BY),
        ("Who copied me on the memo?", CC_TO),
        ("Where do I park?", None),
    ],
)
def test_the_asker_has_a_role_where_the_question_gives_one(text: str, role: EdgeType | None) -> None:
    assert directions(text).me is role


@pytest.mark.parametrize(
    ("text", "validity"),
    [
        ("食堂现在几点开门", Validity.LATEST),
        ("目前谁管钥匙", Validity.LATEST),
        ("最后选了哪家酒店", Validity.LATEST),
        ("食堂以前几点开门", Validity.HISTORICAL),
        ("当初谁管钥匙", Validity.HISTORICAL),
        ("原定哪天搬家", Validity.HISTORICAL),
        ("食堂几点开门", Validity.PRESENT),
        ("Who keeps the keys now?", Validity.LATEST),
        ("Which hotel did they choose in the end?", Validity.LATEST),
        ("Does the canteen still open at seven?", Validity.LATEST),
        ("Who used to keep the keys?", Validity.HISTORICAL),
        ("When was the move originally planned?", Validity.HISTORICAL),
        ("What was the previous opening hour?", Validity.HISTORICAL),
        ("Who keeps the keys?", Validity.PRESENT),
        ("Who knows the acknowledgement code?", Validity.PRESENT),  # "now" inside a word
    ],
)
def test_now_then_and_neither_are_told_apart(text: str, validity: Validity) -> None:
    assert validity_of(text) is validity


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("那封关于屋顶的邮件", ("email",)),
        ("会议记录里谁请假了", ("meeting_minutes",)),
        ("屋顶漏水的工单是哪张", ("ticket",)),
        ("合同里写的保修期", ("contract",)),
        ("群里谁说要拼车", ("chat",)),
        ("合同和邮件哪个先到", ("email",)),
        ("屋顶漏不漏水", ()),
        ("Which email mentions the roof?", ("email",)),
        ("Who is in the minutes of Monday?", ("meeting_minutes",)),
        ("Which ticket is about the roof?", ("ticket",)),
        ("What is the ticket price?", ()),
        ("What does the travel policy allow?", ("policy",)),
        ("Is it in my notes or in the report?", ("note", "report")),
        ("Five minutes to the station?", ()),
    ],
)
def test_a_question_may_name_the_sort_of_document(text: str, kinds: tuple[str, ...]) -> None:
    assert wording.document_types(text) == kinds


def test_words_match_in_any_case() -> None:
    assert validity_of("WHO KEEPS THE KEYS NOW?") is Validity.LATEST
    assert wording.document_types("WHICH EMAIL?") == ("email",)


def test_a_question_that_asks_for_no_kind_of_value_is_general() -> None:
    assert KindReader().read("", None, ONTOLOGY) == (wording.GENERAL, 1.0)
    assert wording.asked_for("no such type", ONTOLOGY) is ValueKind.NONE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("食堂几点开门", ValueKind.TIME),
        ("When does the canteen open?", ValueKind.TIME),
        ("修屋顶要多少钱", ValueKind.AMOUNT),
        ("How much does the roof cost?", ValueKind.AMOUNT),
        ("谁管钥匙", ValueKind.PERSON),
        ("Who keeps the keys?", ValueKind.PERSON),
    ],
)
def test_the_question_word_tells_the_kind_of_value(text: str, kind: ValueKind) -> None:
    assert wording.asked_for(KindReader().read(text, None, ONTOLOGY)[0], ONTOLOGY) is kind
