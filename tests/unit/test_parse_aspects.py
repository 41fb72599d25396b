"""What a question wants beside its subject: now or then, what is not so, whose words, which sides, which path."""

from __future__ import annotations

import pytest

from graphsvc.models.question import Route, Validity
from graphsvc.retrieve.parse import aspects
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.route import route
from graphsvc.retrieve.parse.validity import validity
from ontology.loader import load_ontology

ONTOLOGY = load_ontology()
PRESENT, LATEST, HISTORICAL = Validity.PRESENT, Validity.LATEST, Validity.HISTORICAL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("健身房现在几点关门", LATEST),
        ("车位以前多少钱", HISTORICAL),
        ("宿舍改造之前住几个人", HISTORICAL),
        ("涨价前一杯多少", HISTORICAL),
        ("房租原来是多少", HISTORICAL),
        ("去年的学费是多少", HISTORICAL),
        ("婚礼原定哪天", HISTORICAL),
        ("一开始找的哪家装修公司", HISTORICAL),
        ("换供应商之前用谁家的", HISTORICAL),
        ("之前说的那家餐馆叫什么", PRESENT),
        ("你之前提到的药是哪种", PRESENT),
        ("出发之前要办什么手续", PRESENT),
        ("周五之前要交哪些材料", PRESENT),
        ("旧沙发可以送人了吗", LATEST),
        ("包裹到了吗", LATEST),
        ("签证办好了没", LATEST),
        ("会议改到哪天", LATEST),
        ("地点换成哪里了", LATEST),
        ("实际来了几个人", LATEST),
        ("最后选了哪只狗", LATEST),
        ("还去爬山吗", LATEST),
        ("搬去哪个城市", LATEST),
        ("孩子对什么过敏", PRESENT),
        ("当初谁推荐的学校", HISTORICAL),
        ("旧地址是哪里", HISTORICAL),
        ("过去三个月跑了多少公里", PRESENT),
        ("还是坐火车划算吗", PRESENT),
        ("面试推迟到几号", LATEST),
        ("到底多少平米", LATEST),
        ("奶奶本来想去哪", HISTORICAL),
        ("现任校长是谁", PRESENT),
        ("那件事定下来没有", LATEST),
        ("门锁密码换成多少", LATEST),
        ("食堂几点开饭", PRESENT),
        ("最早几点能到", PRESENT),
        ("who has the spare key now", LATEST),
        ("who had the key originally", HISTORICAL),
        ("what did the gym use to cost", HISTORICAL),
        ("what was the rent last year", HISTORICAL),
        ("what was the fee before the increase", HISTORICAL),
        ("how many desks did we have before we moved", HISTORICAL),
        ("what must I pack before I leave", PRESENT),
        ("is it due before Friday", PRESENT),
        ("has the sofa arrived", LATEST),
        ("are we still meeting at six", LATEST),
        ("is the dispute settled", LATEST),
        ("have they fixed the lift", LATEST),
        ("who actually came to the party", LATEST),
        ("what did the car cost in the end", LATEST),
        ("does the old number still work", LATEST),
        ("what was the old number", HISTORICAL),
        ("who is allergic to nuts", PRESENT),
        ("what was the initial offer", HISTORICAL),
        ("where did he live back then", HISTORICAL),
        ("is the pool open yet", LATEST),
        ("what did we end up ordering", LATEST),
        ("the meeting was moved to which day", LATEST),
        ("visa approved?", LATEST),
        ("what was my former boss called", HISTORICAL),
        ("when is mum's birthday", PRESENT),
        ("how did the exam go", PRESENT),
        ("are they coming on Sunday", LATEST),
        ("what time did it start at first", HISTORICAL),
        ("do we no longer need a permit", LATEST),
    ],
)
def test_tense_aspect_and_change_tell_now_from_then(text: str, expected: Validity) -> None:
    assert validity(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("谁没交作业", True),
        ("哪台空调没修", True),
        ("奶奶不能吃什么", True),
        ("还差哪几份材料", True),
        ("为什么没去爬山", True),
        ("漏了谁的名字", True),
        ("哪些发票还没开", True),
        ("谁没有来参加婚礼", True),
        ("票订了没", False),
        ("有没有空房", False),
        ("是不是周五", False),
        ("我不记得几点开会", False),
        ("差不多要多少钱", False),
        ("没关系吧要几天", False),
        ("不是周三吗", False),
        ("谁去接孩子", False),
        ("哪两版有什么不同", False),
        ("未签的合同有哪几份", True),
        ("哪个房间不带窗", True),
        ("多少钱还不知道是谁付", False),
        ("who has not paid", True),
        ("which invoices are still missing", True),
        ("which rooms don't have a window", True),
        ("what can't grandma eat", True),
        ("who never replied", True),
        ("which letters are unanswered", True),
        ("why didn't the alarm ring", True),
        ("what's still missing", True),
        ("who paid", False),
        ("didn't we book the hotel?", False),
        ("I don't remember when it starts", False),
        ("which ones are still open", True),
        ("who refused to sign", True),
        ("is it not closed", False),
        ("where is the union office", False),
        ("which keys are left", False),
    ],
)
def test_a_question_may_ask_for_what_is_not_so(text: str, expected: bool) -> None:
    assert aspects.negated(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我说过什么口令", True),
        ("我答应了谁周末帮忙", True),
        ("我在群里报告了哪个问题", True),
        ("我建议改成几点", True),
        ("对方怎么回复的", False),
        ("医生怎么说", False),
        ("房东答应修吗", False),
        ("老师说几点放学", False),
        ("几点放学", None),
        ("跟我说说露营", None),
        ("说明书放哪了", None),
        ("听说涨价了", None),
        ("那封信说什么", None),
        ("what did I say about the roof", True),
        ("what did I promise the kids", True),
        ("did I ever mention the code", True),
        ("what did they answer", False),
        ("what did the doctor say about salt", False),
        ("what was their reply", False),
        ("how did the landlord respond", False),
        ("where is the key", None),
        ("what did Anna's teacher suggest", False),
        ("when I told them, what was the reply", False),
        ("what does the sign mean", None),
    ],
)
def test_a_question_may_ask_for_the_askers_words_or_for_anothers(text: str, expected: bool | None) -> None:
    assert aspects.own_words(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲方逾期付款怎么罚", ("甲方",)),
        ("我方和对方各付多少", ("我方", "对方")),
        ("乙方要提前几天通知甲方", ("乙方", "甲方")),
        ("房东什么时候退押金", ("房东",)),
        ("供应商报了多少", ("供应商",)),
        ("运费由买方还是卖方出", ("买方", "卖方")),
        ("孩子的书包在哪", ()),
        ("what must the buyer pay", ("the buyer",)),
        ("does the landlord or the tenant repair the roof", ("the landlord", "the tenant")),
        ("what is our side's deadline", ("our side",)),
        ("when may party A terminate", ("party A",)),
        ("who brings the cake", ()),
        ("our supplier's address", ("our supplier",)),
    ],
)
def test_sides_of_a_contract_are_read_as_written(text: str, expected: tuple[str, ...]) -> None:
    assert aspects.sides(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("那个订单号是多少来着", Route.FOLLOW_UP),
        ("那他呢", Route.FOLLOW_UP),
        ("那什么时候", Route.FOLLOW_UP),
        ("她几点到", Route.FOLLOW_UP),
        ("你刚才说的那家店在哪", Route.FOLLOW_UP),
        ("药多少钱来着", Route.DIRECT),
        ("罗姗和杜恒什么关系", Route.GRAPH),
        ("谁跟这个项目有关", Route.GRAPH),
        ("他俩怎么认识的", Route.GRAPH),
        ("罗姗是怎么认识杜恒的", Route.GRAPH),
        ("发芽的土豆怎么处理", Route.HOWTO),
        ("红茶和绿茶哪个贵", Route.COMPARE),
        ("现在谁当班长", Route.LATEST),
        ("票订好了吗", Route.LATEST),
        ("奶奶的生日", Route.DIRECT),
        ("没关系吗", Route.DIRECT),
        ("and when?", Route.FOLLOW_UP),
        ("what about hers?", Route.FOLLOW_UP),
        ("how about Friday", Route.FOLLOW_UP),
        ("when does it end?", Route.FOLLOW_UP),
        ("what was that contract number again?", Route.FOLLOW_UP),
        ("and who paid?", Route.FOLLOW_UP),
        ("who is connected to the merger", Route.GRAPH),
        ("how are Petra and Owen related", Route.GRAPH),
        ("what hangs on the permit", Route.GRAPH),
        ("what is the relationship between Owen and Petra", Route.GRAPH),
        ("how do I reset the alarm", Route.HOWTO),
        ("which is cheaper, the bus or the train", Route.COMPARE),
        ("who has the key now", Route.LATEST),
        ("has the parcel arrived", Route.LATEST),
        ("where does grandma live", Route.DIRECT),
        ("is it true that the shop closed", Route.DIRECT),
    ],
)
def test_each_question_takes_its_path(text: str, expected: Route) -> None:
    kind, _ = KindReader().read(text, None, ONTOLOGY)
    assert route(text, kind, validity(text)) is expected
