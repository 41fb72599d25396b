"""Times that hang on an event nobody dated, in both languages, and places and adverbs that look like them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.facts import Anchor

AT = datetime(2026, 3, 5, 9, 0, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Let's talk after the meeting", "after the meeting"), ("call me before lunch", "before lunch"),
        ("I'll tell you when she gets back", "when she gets back"), ("payment upon delivery", "upon delivery"),
        ("pay on receipt of the invoice", "on receipt"), ("wait until the movie ends", "until the movie ends"),
        ("we were poor during the war", "during the war"), ("I nap after eating", "after eating"),
        ("lock up before leaving the house", "before leaving the house"),
        ("after I graduated we moved", "after I graduated"), ("as soon as they land", "as soon as they land"),
        ("look after the baby during the concert", "during the concert"),
        ("开会之前", "开会之前"), ("等下课以后", "等下课以后"), ("吃完饭后散步", "吃完饭后"),
        ("下班后去健身", "下班后"),
        ("收到发票后付款", "收到发票后"), ("回到家以后给我打电话", "回到家以后"), ("看了电影之后", "看了电影之后"),
        ("会议期间别打电话", "会议期间"), ("他回来的时候", "回来的时候"), ("饭后散步", "饭后"),
        ("到货后三天内", "到货后三天内"), ("睡前喝牛奶", "睡前"), ("走了以后", "走了以后"),
    ],
)  # fmt: skip
def test_an_event_that_nobody_dated_is_kept_without_an_interval(text: str, words: str) -> None:
    (found,) = find_times(text, AT)
    assert (found.text, found.anchor, found.begin, found.until) == (words, Anchor.EVENT, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "the café after the bridge", "he stood before the court", "after the meeting room", "before the building",
        "look after the children", "named after the meeting", "after school club", "after you", "before you know it",
        "on the other side after the junction", "one after another", "once I went to Paris", "when I was young",
        "我以前住在北京", "小王以前住北京", "上海以前叫什么", "出口前", "门前有树", "面前", "以后再说", "比赛前三名",
        "结婚前女友", "除了小王以后", "电影院后面", "之前说过", "机会前", "社会后",
    ],
)  # fmt: skip
def test_places_and_adverbs_are_no_events(text: str) -> None:
    assert find_times(text, AT) == []


def test_an_event_stands_beside_the_day_that_is_dated() -> None:
    assert [one.anchor for one in find_times("before lunch on Friday", AT)] == [Anchor.EVENT, Anchor.SPEAKER]
    assert [one.anchor for one in find_times("昨天开会前", AT)] == [Anchor.SPEAKER, Anchor.EVENT]
