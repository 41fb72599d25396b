"""Questions about several occasions are known by their grammar, and cut apart only where that is plain."""

from __future__ import annotations

import pytest

from graphsvc.retrieve.parse.occasions import occasions, of_several, same_day


def parts(text: str) -> list[str]:
    return [part.text for part in occasions(text, [])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("老城区停水检修和夜市重新开张，哪个先发生", ["老城区停水检修是什么时候", "夜市重新开张是什么时候"]),
        ("灯塔修缮完工与渡轮恢复通航是在同一个月吗", ["灯塔修缮完工是什么时候", "渡轮恢复通航是什么时候"]),
        (
            "图书馆搬迁、地铁试运行以及码头扩建，这三件事中哪件最早",
            ["图书馆搬迁是什么时候", "地铁试运行是什么时候", "码头扩建是什么时候"],
        ),
        ("《风和日丽》首映和校庆晚会是否在同一天", ["《风和日丽》首映是什么时候", "校庆晚会是什么时候"]),
        (
            "did the orchard sale and the bridge closure happen on the same day",
            ["when was the orchard sale", "when was the bridge closure"],
        ),
        ("北岸和南岸的通车仪式和烟花表演哪个更早", []),
        ("谁来得早", []),
        ("what happened on the same day as the fair", []),
    ],
)
def test_occasions_come_apart_where_it_is_plain_what_joins_them(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_a_part_stands_where_it_says() -> None:
    text = "灯塔修缮完工与渡轮恢复通航是在同一个月吗"
    assert [text[part.start : part.end] for part in occasions(text, [])] == ["灯塔修缮完工", "渡轮恢复通航"]


def test_a_joint_inside_a_name_joins_nothing() -> None:
    text = "和平商会年会与跟单系统上线哪个更早"
    assert [part.text for part in occasions(text, [(0, 4), (7, 11)])] == [
        "和平商会年会是什么时候",
        "跟单系统上线是什么时候",
    ]
    assert parts(text) == []


@pytest.mark.parametrize(
    "text", ["开馆当天，市里还公布了什么", "他出院那天谁来过", "what else was decided the day when the mill reopened"]
)
def test_another_thing_of_the_same_day_is_asked_for(text: str) -> None:
    assert same_day(text)


@pytest.mark.parametrize("text", ["周五几点开会", "what day is the audit", "后天谁值班", "日常维护谁负责"])
def test_a_question_of_one_day_asks_for_no_other(text: str) -> None:
    assert not same_day(text)


@pytest.mark.parametrize("text", ["早饭吃什么", "先生贵姓", "最后是谁签的字", "who was at the fair"])
def test_words_that_only_look_like_an_order_are_none(text: str) -> None:
    assert not of_several(text)
