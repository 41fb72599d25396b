"""Everyday times whose sentence settles them: holidays by its tense, hours people meet at, what recurs, just now."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.facts import Anchor, Granularity

AT = datetime(2026, 3, 5, 9, 0, tzinfo=timezone(timedelta(hours=8)))


def begins(text: str, at: datetime = AT) -> str:
    """Where the last time of a text begins, in local time."""
    begin = find_times(text, at)[-1].begin
    assert begin is not None
    return begin.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'll see you at Christmas", "2026-12-25"), ("I saw him at Christmas", "2025-12-25"),
        ("I said I'll see you at Christmas", "2026-12-25"), ("We're going to Rome at Easter", "2026-04-05"),
        ("We went to Rome at Easter", "2025-04-20"), ("Christmas", "2025-12-25"),
        ("国庆我们要去西藏", "2026-10-01"), ("国庆我们去了西藏", "2025-10-01"), ("我打算国庆去西藏", "2026-10-01"),
        ("春节怎么过", "2027-02-06"), ("春节见", "2027-02-06"), ("中秋过得怎么样", "2025-10-06"),
        ("冬天去了哈尔滨", "2025-11-07"), ("暑假去了海边", "2025-07-01"), ("暑假要去海边", "2026-07-01"),
        ("去年国庆要去", "2025-10-01"),
    ],
)  # fmt: skip
def test_a_holiday_or_season_is_past_or_coming_as_its_sentence_is(text: str, day: str) -> None:
    assert begins(text) == f"{day}T00:00"


def test_a_range_of_holidays_ends_after_its_beginning() -> None:
    (found,) = find_times("I'll be away from Christmas to New Year", AT)
    assert found.begin is not None
    assert found.until is not None
    assert (found.begin.date().isoformat(), found.until.date().isoformat()) == ("2026-12-25", "2027-01-02")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'll call the man we met on Monday", "2026-03-02"),
        ("The shop will be closed on Monday", "2026-03-09"),
    ],
)
def test_of_two_verbs_the_one_nearer_to_the_time_tells(text: str, day: str) -> None:
    assert begins(text) == f"{day}T00:00"


@pytest.mark.parametrize(
    ("text", "words", "grain"),
    [
        ("房租一季度一交", "一季度一交", Granularity.QUARTER), ("一月一次", "一月一次", Granularity.MONTH),
        ("一年一度的盛会", "一年一度", Granularity.YEAR), ("一天三顿饭", "一天三顿", Granularity.DAY),
        ("两周一次", "两周一次", Granularity.WEEK), ("一个月两次", "一个月两次", Granularity.MONTH),
        ("按季度结算", "按季度", Granularity.QUARTER), ("隔天一次", "隔天一次", Granularity.DAY),
        ("once a week", "once a week", Granularity.WEEK), ("twice a month", "twice a month", Granularity.MONTH),
        ("several times a week", "several times a week", Granularity.WEEK),
    ],
)  # fmt: skip
def test_so_often_in_so_long_recurs(text: str, words: str, grain: Granularity) -> None:
    (found,) = find_times(text, AT)
    assert (found.text, found.granularity) == (words, grain)
    assert (found.anchor, found.begin, found.until) == (Anchor.RECURRING, None, None)


@pytest.mark.parametrize("text", ["一季度一般较淡", "一月一日", "第一季度一次付清"])
def test_a_first_month_or_quarter_does_not_recur(text: str) -> None:
    assert [one.anchor for one in find_times(text, AT)] == [Anchor.SPEAKER]


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("see you at 5", "2026-03-05T17:00"), ("See you at 8!", "2026-03-05T20:00"),
        ("meet at 5 on Friday", "2026-03-06T17:00"), ("On Friday, let's meet at 5", "2026-03-06T17:00"),
        ("the class starts at ten", "2026-03-05T10:00"), ("tomorrow evening we meet at 7", "2026-03-06T19:00"),
        ("meet me at 7 tonight", "2026-03-05T19:00"),
        ("五点见", "2026-03-05T17:00"), ("周五我们五点见", "2026-03-06T17:00"), ("八点见", "2026-03-05T20:00"),
        ("五点起床", "2026-03-05T05:00"),
    ],
)  # fmt: skip
def test_people_meet_at_the_next_hour_of_the_daytime(text: str, begin: str) -> None:
    assert begins(text) == begin


def test_an_hour_that_is_over_today_in_both_halves_is_tomorrows() -> None:
    assert begins("see you at 5", AT.replace(hour=20)) == "2026-03-06T17:00"


@pytest.mark.parametrize(
    "text", ["meet at 5 locations", "see you at 5 Main Street", "prices start at 5.", "leave at 5%", "look at 5"]
)
def test_a_number_at_which_nobody_meets_is_no_hour(text: str) -> None:
    assert find_times(text, AT) == []


@pytest.mark.parametrize("text", ["刚才谁来了", "刚刚他走了", "I saw him just now", "a moment ago"])
def test_just_now_is_the_last_hour(text: str) -> None:
    (found,) = find_times(text, AT)
    assert (found.begin, found.until) == (AT - timedelta(hours=1), AT)


@pytest.mark.parametrize("text", ["最近很忙", "I have been busy lately", "recently", "刚刚好"])
def test_recently_is_left_open(text: str) -> None:
    assert find_times(text, AT) == []


def days(text: str, said: str) -> list[tuple[str, str]]:
    """First and last day of each time of a text said on a day."""
    at = datetime.fromisoformat(f"{said}T15:00:00+08:00")
    return [
        (f"{one.begin:%F}", f"{one.until - timedelta(seconds=1):%F}")
        for one in find_times(text, at)
        if one.begin and one.until
    ]


@pytest.mark.parametrize(
    ("said", "text", "day"),
    [
        ("2025-07-30", "The regatta is on 12 October, the club sent the list.", "2025-10-12"),
        ("2025-12-10", "Opening night is on 3 February, they hired a band.", "2026-02-03"),
        ("2026-01-15", "The audit starts on 20 March, I asked them twice.", "2026-03-20"),
        ("2026-03-10", "9 May has been scrapped", "2026-05-09"),
        ("2026-03-10", "The show on 9 August was cancelled", "2026-08-09"),
        ("2026-03-10", "We confirmed 30 June", "2026-06-30"),
        ("2026-03-10", "They moved out on 20 June", "2026-06-20"),
        ("2026-03-10", "I broke my arm on 20 June", "2025-06-20"),
        ("2026-03-10", "On 20 June, the team lost the final", "2025-06-20"),
        ("2026-03-10", "She wrote that the fair will be on 20 June", "2026-06-20"),
        ("2026-03-10", "6月20日的课取消了", "2026-06-20"),
        ("2026-03-10", "6月20日那场已经改期了", "2026-06-20"),
        ("2026-03-10", "6月20日我摔了一跤", "2025-06-20"),
    ],
)  # fmt: skip
def test_only_the_verb_that_governs_a_date_makes_it_past(said: str, text: str, day: str) -> None:
    assert days(text, said) == [(day, day)]


@pytest.mark.parametrize("text", ["They left on 20 April", "4月20日他们走了"])
def test_a_day_close_ahead_is_not_that_of_a_year_ago(text: str) -> None:
    assert days(text, "2026-03-10") == [("2026-04-20", "2026-04-20")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rehearsal shifted from 22 to 29 January", ["22", "29"]),
        ("we had to postpone it from 22 January to 29 January", ["22", "29"]),
        ("Moved from January 22 to 29.", ["22", "29"]),
        ("彩排从1月22日挪到1月29日", ["22", "29"]),
    ],
)
def test_a_change_from_one_day_to_another_has_two_days(text: str, found: list[str]) -> None:
    assert days(text, "2026-01-15") == [(f"2026-01-{day}", f"2026-01-{day}") for day in found]


@pytest.mark.parametrize(
    "text", ["The course runs from 22 to 29 January", "away from January 22 to 29", "1月22日到29日"]
)
def test_from_one_day_to_another_is_a_stretch_where_nothing_changes(text: str) -> None:
    assert days(text, "2026-01-15") == [("2026-01-22", "2026-01-29")]


@pytest.mark.parametrize(
    "text",
    ["住在秋天路", "中秋广场集合", "春节街的店", "冬天小区", "元旦大厦", "国庆路8号", "五一新村",
     "He lives in Summer Lane", "Sunday Harbour",
     "12 April Road", "the March Hotel", "Christmas Island is far"],
)  # fmt: skip
def test_a_time_word_in_the_name_of_a_place_is_no_time(text: str) -> None:
    assert find_times(text, AT) == []


@pytest.mark.parametrize("text", ["元旦后还", "周五路上堵车", "春节店里很忙", "in March roads are icy", "8号开会"])
def test_a_time_beside_a_place_is_still_one(text: str) -> None:
    assert len(find_times(text, AT)) == 1


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("早饭8点", 8),
        ("晚餐7点", 19),
        ("七点吃饭", 19),
        ("末班车22点", 22),
        ("退房12点", 12),
        ("八点上课", 8),
        ("七点半吃早饭", 7),
    ],
)
def test_an_hour_beside_what_happens_at_it_is_a_time(text: str, hour: int) -> None:
    (found,) = find_times(text, AT)
    assert found.begin is not None
    assert found.begin.hour == hour


@pytest.mark.parametrize(
    "text",
    [
        "有三点建议",
        "我说两点",
        "950 a month",
        "it is 830 a week",
        "11 a piece",
        "1130 a kg",
        "930 p month",
        "7点5元",
        "6点8公斤",
    ],
)
def test_a_price_or_a_point_is_no_clock_time(text: str) -> None:
    assert find_times(text, AT) == []


def test_a_single_letter_still_gives_the_half_of_the_day() -> None:
    assert begins("call at 9 a") == "2026-03-05T09:00"
    assert begins("call at 9 p tomorrow") == "2026-03-06T21:00"
