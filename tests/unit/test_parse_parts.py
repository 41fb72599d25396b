"""Compound and comparing questions come apart into whole questions, and single ones stay whole."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.question import QuestionPart
from graphsvc.retrieve.parse.split import parts_of

AT = datetime(2024, 8, 20, 9, tzinfo=UTC)
NAMES = ("罗姗", "杜恒", "Petra", "Owen")


def parts(text: str) -> tuple[QuestionPart, ...]:
    spans = sorted(found.span() for name in NAMES for found in re.finditer(name, text))
    return parts_of(text, spans, [(time.start, time.end) for time in find_times(text, AT)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("罗姗几点到,杜恒几点走", ["罗姗几点到", "杜恒几点走"]),
        ("押金我们交多少,对方交多少", ["押金我们交多少", "押金对方交多少"]),
        ("罗姗和杜恒的报价哪个高", ["罗姗的报价是多少", "杜恒的报价是多少"]),
        ("火车和飞机哪个便宜", ["火车多少钱", "飞机多少钱"]),
        ("今年的电费比去年多多少", ["今年的电费是多少", "去年的电费是多少"]),
        ("2021年和2023年的营业额", ["2021年的营业额", "2023年的营业额"]),
        ("什么时候、在哪里办婚礼", ["什么时候办婚礼", "在哪里办婚礼"]),
        ("罗姗和杜恒分别带了几本书", ["罗姗带了几本书", "杜恒带了几本书"]),
        ("药一天吃几次?饭前还是饭后?", ["药一天吃几次?", "饭前还是饭后?"]),
        ("罗姗和杜恒什么时候结婚", []),
        ("和谐路在哪", []),
        ("下雨的话,活动改到哪天", []),
        ("物业通知停水,谁去接水", []),
        ("关于搬家,谁负责打包", []),
        ("锅里有什么,要煮几分钟", ["锅里有什么", "锅里要煮几分钟"]),
        ("谁去接孩子", []),
        ("面包和牛奶放哪", []),
        ("罗姗的房间多大", []),
        ("牙疼是怎么回事,看哪个医生", ["牙疼是怎么回事", "牙疼看哪个医生"]),
        (
            "How much did Petra quote, and when does Owen deliver?",
            ["How much did Petra quote", "when does Owen deliver"],
        ),
        ("when and where is the wedding", ["when is the wedding", "where is the wedding"]),
        ("2019 and 2021 turnover", ["2019 turnover", "2021 turnover"]),
        ("is the flat cheaper than the house", ["how expensive is the flat", "how expensive is the house"]),
        ("what did Petra and Owen each bring", ["what did Petra bring", "what did Owen bring"]),
        ("did Owen call, and why", ["did Owen call", "why did Owen call"]),
        ("where does Petra live and when did she move", ["where does Petra live", "when did Petra move"]),
        ("what is the difference between the basic and the family ticket", ["the basic ticket", "the family ticket"]),
        ("who has the key? where is the car?", ["who has the key?", "where is the car?"]),
        ("what did Petra and Owen decide", []),
        ("do you know when and where we meet", []),
        ("who bought bread and milk", []),
        ("how did the rent change between 2019 and 2021", []),
        ("when is the rock and roll night", []),
        ("which of the two hotels is nearer", []),
        ("what happened when the lights went out", []),
        ("if it rains, where do we meet", []),
        ("搬家前后各花多少", ["搬家前多少", "搬家后多少"]),
        ("房租续约前后分别是多少", ["房租续约前多少", "房租续约后多少"]),
        ("中秋前后多少人请假", []),
        (
            "what was the fee before and after the merger",
            ["what was the fee before the merger", "what was the fee after the merger"],
        ),
        ("March vs August rainfall", ["rainfall in March", "rainfall in August"]),
        ("compare sales in May and July", ["sales in May", "sales in July"]),
        ("when is the regatta and where do we park", ["when is the regatta", "where do we park for the regatta"]),
        (
            "what time is our rehearsal, and where should everyone meet",
            ["what time is our rehearsal", "where should everyone meet for our rehearsal"],
        ),
        ("how much was the sofa and who delivered it", ["how much was the sofa", "who delivered the sofa"]),
    ],
)
def test_a_question_comes_apart_where_it_asks_two_things(text: str, expected: list[str]) -> None:
    assert [part.text for part in parts(text)] == expected


@pytest.mark.parametrize("text", ["罗姗几点到,杜恒几点走", "2019 and 2021 turnover", "when and where is it"])
def test_every_part_stands_inside_the_question(text: str) -> None:
    found = parts(text)
    assert len(found) == 2
    assert all(0 <= part.start < part.end <= len(text) for part in found)
    assert found[0].end <= found[1].start
