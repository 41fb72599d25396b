"""Statements told anew in other words: what both hold is the slot, what is left over is the value or parts them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphsvc.change import relate
from graphsvc.ingest.nearby import enough_in_common
from graphsvc.models.change import ChangeKind
from tests.statements import said

START = datetime.fromisoformat("2024-03-04T09:00:00+08:00")
S, R, C, X, P = (
    ChangeKind.SUPERSEDES,
    ChangeKind.RETRACTS,
    ChangeKind.CORRECTS,
    ChangeKind.CONTRADICTS,
    ChangeKind.REPEATS,
)


def kind(earlier: str, later: str, *, talk: str | None = None) -> ChangeKind | None:
    given = {} if talk is None else {"conversation_id": talk}
    first = said("a", {"text": earlier, "event_time": START.isoformat(), **given})
    second = said("b", {"text": later, "event_time": (START + timedelta(days=40)).isoformat(), **given})
    change = relate(first, second)
    return None if change is None else change.kind


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("我在青岛上班。", "我在烟台上班,住公司宿舍。", S),
        ("咱家宽带每月99元。", "宽带这个月起按每月129元收。", S),
        ("针灸科在3号楼。", "针灸科搬去7号楼了。", S),
        ("儿子的数学是吴老师教。", "儿子数学这学期是钱老师教。", S),
        ("My gym locker is 40 a month.", "Gym locker costs me 45 as of June.", S),
        ("The winter retreat is in Lisbon.", "We're holding the winter retreat in Porto.", S),
        ("Leo's violin teacher is Mrs Quayle.", "Leo has had Mr Okafor for violin since Easter.", S),
        ("Nadine is head of catering.", "Bruno has taken over from Nadine as head of catering.", S),
        ("门卫说卡车是六点十分进的厂。", "监控里显示卡车是五点四十进的厂。", X),
        ("The ledger puts the harvest at 410 sacks.", "The steward's diary has the harvest at 380 sacks.", X),
        ("奶奶是1951年入的党。", "我记错了,奶奶入党是1953年。", C),
    ],
)
def test_the_same_slot_is_known_in_other_words(earlier: str, later: str, expected: ChangeKind) -> None:
    assert kind(earlier, later) is expected


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("会员票80元。", "非会员票涨到110元了。"),
        ("2021那一季草莓卖了3200斤。", "2022这一季草莓卖了2900斤。"),
        ("Water level at noon: 2.10 m.", "Water level at five: 2.40 m."),
        ("我住泉州,快两年了。", "上大学那会儿我住厦门。"),
        ("On weekdays the pool shuts at nine.", "This Friday only, the pool closes at five."),
        ("My phone has 8 GB of memory.", "Had the phone's card swapped for a 64 GB one."),
        ("Grandma likes plum jam.", "Grandma loves a bit of cheese."),
        ("Gerd works nights at the mill.", "Gerd tells me his sister has quit the mill."),
    ],
)
@pytest.mark.parametrize("talk", [None, "t"])
def test_what_is_left_over_on_both_sides_parts_two_statements(earlier: str, later: str, talk: str | None) -> None:
    assert kind(earlier, later, talk=talk) in {None, P}


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("午饭订牛肉面。", "还是饺子吧。", S),
        ("I'll have the trout.", "the lasagne after all", S),
        ("阿宽,周日我来帮你搬家。", "搬家我帮不成了,对不住。", R),
        ("I'll cook for the fair, three trays.", "Can't do the cooking, the stove's broken.", R),
        ("Choir practice on the 8th as usual.", "No choir practice on the 8th, the hall's let.", R),
        ("读书会周四晚上七点。", "读书会换到阅览室了,时间不变。", None),
        ("下周发补贴,主任亲口说的。", "主任逗大家说补贴改发南瓜。", None),
        ("送货单说这批板子厚12毫米。", "验收单上写的是11毫米。", X),
    ],
)
def test_in_one_talk_less_need_be_said(earlier: str, later: str, expected: ChangeKind | None) -> None:
    assert kind(earlier, later, talk="t") is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Our bins go out on Thursday.", "Our bin day is Monday from now on.", True),
        ("I work at Halden, on the audit side.", "Third week done, I work at Brook and they have coffee.", True),
        ("Petra lent us two tents and a stove", "Petra quit the choir, rehearsals clash with work", False),
    ],
)
def test_one_clause_in_common_is_near_enough_a_name_is_not(one: str, other: str, expected: bool) -> None:
    assert enough_in_common(one, other) is expected
