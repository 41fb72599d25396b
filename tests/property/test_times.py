"""Laws of reading times: spans in order and in the text, whole intervals, one answer in every process zone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphsvc.language.times import find_times

CHINA = timezone(timedelta(hours=8))
ZH = (
    "2024年", "去年", "3月", "本月", "5号", "初五", "第二周", "前两天", "下周", "周三", "到", "至", "和", "之间",
    "前", "以后", "起", "上午", "3点", "半", "一刻", "20分", "每", "三", "几", "天", "个月", "内", "最近", "过",
    "世纪", "年代", "农历", "闰", "秋天", "第一天", "最后一", "的", "、", "，", "9:30", "-", "~", "验收后", "q1",
    "民国", "国庆", "一月一次", "开会", "等", "吃完饭", "五点见", "刚才", "冬天", "去了", "要",
)  # fmt: skip
EN = (
    "last ", "next ", "the ", "Friday ", "May ", "march ", "5", "5th ", " of ", "2024", "10/11", "/", "-", ":",
    "30", " pm", "at ", "to ", "between ", "and ", "since ", "before ", "by ", "week ", "quarter ", "in ", "three ",
    "days ", "ago ", "every ", "end of ", "half past ", "noon ", "Q3 ", "twenty ", "first ", "Easter ", "later ",
    "month ", ", ", "after the meeting ", "upon delivery ", "when she gets back ", "see you at 5 ", "Christmas ",
    "I'll ", "just now ", "twice a month ",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(ZH), st.sampled_from(EN), st.text(max_size=2)), max_size=14).map("".join)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda moment: moment.replace(tzinfo=CHINA))
# No figures, no Han characters, and no Latin words but these, which name no time.
PLAIN = st.lists(
    st.sampled_from(
        ("tea", "house", "blue", "we", "like", "Anna", "its", "résumé", "猫", "喜欢", "咖啡", "的", "，", ". ", "!")
    ),
    max_size=30,
).map(" ".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, MOMENTS)
def test_times_are_in_the_text_in_order_and_begin_before_they_end(text: str, at: datetime) -> None:
    found = find_times(text, at)
    assert all(0 <= one.start < one.end <= len(text) and text[one.start : one.end] == one.text for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(one.begin < one.until for one in found if one.begin and one.until)
    assert all(moment.tzinfo is at.tzinfo for one in found for moment in (one.begin, one.until) if moment)


@given(PLAIN)
def test_a_text_without_figures_or_words_of_time_has_no_times(text: str) -> None:
    assert find_times(text, datetime(2026, 3, 6, 10, tzinfo=UTC)) == []


@contextmanager
def process_zone(name: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        yield
    time.tzset()


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_the_zone_of_the_process_changes_nothing(text: str) -> None:
    """Report A02: the reader's zone is the zone of the moment of speaking."""
    at = datetime(2026, 3, 6, 0, 20, tzinfo=CHINA)
    answers = []
    for name in ("UTC", "America/Los_Angeles", "Asia/Shanghai"):
        with process_zone(name):
            answers.append(find_times(text, at))
    assert answers[0] == answers[1] == answers[2]


@given(TEXTS)
def test_what_surrounds_a_text_moves_its_times_and_no_more(text: str) -> None:
    at = datetime(2026, 3, 6, 10, tzinfo=CHINA)
    before, more = "。\n", "茶。\n"
    near = [(one.start + len(more), one.begin, one.until) for one in find_times(before + text, at)]
    assert [(one.start, one.begin, one.until) for one in find_times(more + before + text, at)] == near
