"""Chinese expressions of time, read on Friday 6 March 2026, ten in the morning, in Shanghai."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.facts import Anchor, Granularity

AT = datetime(2026, 3, 6, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def one(text: str, at: datetime = AT) -> tuple[str, str]:
    """The ends of the one time in a text, in local time."""
    (found,) = find_times(text, at)
    assert found.begin is not None
    assert found.until is not None
    return found.begin.strftime("%Y-%m-%dT%H:%M"), found.until.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("昨天", "2026-03-05", "2026-03-06"), ("前天", "2026-03-04", "2026-03-05"),
        ("大后天", "2026-03-09", "2026-03-10"),
        ("上周三", "2026-02-25", "2026-02-26"), ("上周五", "2026-02-27", "2026-02-28"),
        ("下周五", "2026-03-13", "2026-03-14"), ("下下周二", "2026-03-17", "2026-03-18"),
        ("上个礼拜天", "2026-03-01", "2026-03-02"), ("这周末", "2026-03-07", "2026-03-09"),
        ("上个月", "2026-02-01", "2026-03-01"), ("下个月15号", "2026-04-15", "2026-04-16"),
        ("下个月底", "2026-04-25", "2026-05-01"), ("月初", "2026-03-01", "2026-03-06"),
        ("本季度", "2026-01-01", "2026-04-01"), ("去年Q3", "2025-07-01", "2025-10-01"),
        ("第二季度", "2026-04-01", "2026-07-01"), ("上季度末", "2025-12-01", "2026-01-01"),
        ("上半年", "2026-01-01", "2026-07-01"), ("前年", "2024-01-01", "2025-01-01"),
        ("2024年3月", "2024-03-01", "2024-04-01"), ("二〇二四年五月一日", "2024-05-01", "2024-05-02"),
        ("24年3月", "2024-03-01", "2024-04-01"), ("2024-05-20", "2024-05-20", "2024-05-21"),
        ("3月中旬", "2026-03-11", "2026-03-21"), ("明年年初", "2027-01-01", "2027-03-01"),
        ("今年春节", "2026-02-17", "2026-02-18"), ("去年中秋节", "2025-10-06", "2025-10-07"),
        ("正月十五", "2026-03-03", "2026-03-04"), ("清明", "2026-04-05", "2026-04-06"),
        ("3天前", "2026-03-03", "2026-03-04"), ("两周前", "2026-02-16", "2026-02-23"),
        ("本月第二周", "2026-03-09", "2026-03-16"), ("今年第37周", "2026-09-07", "2026-09-14"),
        ("八月的第一个周二", "2026-08-04", "2026-08-05"), ("2025年最后一天", "2025-12-31", "2026-01-01"),
        ("2022年前十一个月", "2022-01-01", "2022-12-01"), ("前三季度", "2026-01-01", "2026-10-01"),
        ("20世纪60年代前期", "1960-01-01", "1963-01-01"), ("民国三年", "1914-01-01", "1915-01-01"),
        ("1991年农历8月23号", "1991-09-30", "1991-10-01"), ("闰六月", "2025-07-25", "2025-08-23"),
        ("去年八月十五", "2025-10-06", "2025-10-07"), ("明年母亲节", "2027-05-09", "2027-05-10"),
        ("芒种", "2026-06-05", "2026-06-06"), ("去年秋天", "2025-08-07", "2025-11-07"),
        ("暑假", "2026-07-01", "2026-09-01"), ("上半月", "2026-03-01", "2026-03-16"),
        ("前几天", "2026-02-27", "2026-03-06"), ("这几天", "2026-03-03", "2026-03-10"),
        ("两三天前", "2026-03-03", "2026-03-05"), ("几个月前", "2025-09-01", "2026-02-01"),
        ("三个月前", "2025-12-01", "2026-01-01"), ("半年后", "2026-09-01", "2026-10-01"),
    ],
)  # fmt: skip
def test_calendar_expressions(text: str, first: str, after: str) -> None:
    assert one(text) == (f"{first}T00:00", f"{after}T00:00")


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("3月5日下午三点", "2026-03-05T15:00"), ("昨天晚上9点", "2026-03-05T21:00"),
        ("明天凌晨2点", "2026-03-07T02:00"),
        ("下午3点半", "2026-03-06T15:30"), ("下午三点一刻", "2026-03-06T15:15"), ("昨天9点20", "2026-03-05T09:20"),
        ("15:30", "2026-03-06T15:30"), ("中午12点", "2026-03-06T12:00"), ("中午1点", "2026-03-06T13:00"),
        ("晚上12点", "2026-03-07T00:00"), ("今晚", "2026-03-06T18:00"), ("明早8点", "2026-03-07T08:00"),
        ("3天后下午3点", "2026-03-09T15:00"), ("2小时后", "2026-03-06T12:00"), ("周六早8点", "2026-03-07T08:00"),
        ("17点55分23秒", "2026-03-06T17:55"), ("明天下午七八点", "2026-03-07T19:00"),
        ("2024-05-20 14:30", "2024-05-20T14:30"), ("2024-05-20T06:30:00Z", "2024-05-20T14:30"),
    ],
)  # fmt: skip
def test_clock_times(text: str, begin: str) -> None:
    """Report A11: half-day words turn the clock."""
    assert one(text)[0] == begin


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("下周三到周五", "2026-03-11T00:00", "2026-03-14T00:00"),
        ("从3月5日至8日", "2026-03-05T00:00", "2026-03-09T00:00"),
        ("2024年3月到5月", "2024-03-01T00:00", "2024-06-01T00:00"),
        ("去年11月到今年1月", "2025-11-01T00:00", "2026-02-01T00:00"),
        ("下午3点到5点", "2026-03-06T15:00", "2026-03-06T17:00"),
        ("晚上9~11点", "2026-03-06T21:00", "2026-03-06T23:00"),
        ("去年5月至今", "2025-05-01T00:00", "2026-03-06T10:00"),
        ("2019年4月12-19日", "2019-04-12T00:00", "2019-04-20T00:00"),
        ("1月15号4点和2月3号9点之间", "2026-01-15T04:00", "2026-02-03T09:00"),
        ("去年12月20日到1月5日", "2025-12-20T00:00", "2026-01-06T00:00"),
        ("从去年9月起", "2025-09-01T00:00", "2026-03-06T10:00"),
        ("明年底前", "2026-03-06T10:00", "2028-01-01T00:00"),
        ("本月内", "2026-03-06T10:00", "2026-04-01T00:00"),
        ("最近三天", "2026-03-03T00:00", "2026-03-06T10:00"),
        ("三个月内", "2026-03-06T10:00", "2026-06-07T00:00"),
        ("3月5日后30天内", "2026-03-06T00:00", "2026-04-05T00:00"),
    ],
)
def test_stretches_of_time(text: str, begin: str, until: str) -> None:
    """Report A11: the end of a range keeps the week of its beginning."""
    assert one(text) == (begin, until)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/Los_Angeles"])
def test_yesterday_is_of_the_speakers_zone(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Report A02: twenty past midnight, whatever the server's zone."""
    monkeypatch.setenv("TZ", zone)
    at = datetime.fromisoformat("2026-03-06T00:20:00+08:00")
    (found,) = find_times("昨天下午把样品寄出了", at)
    assert found.begin is not None
    assert found.begin.isoformat() == "2026-03-05T12:00:00+08:00"


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("今晚八点以后", "2026-03-06T20:00:00+08:00", None),
        ("过两天", "2026-03-08T00:00:00+08:00", None),
        ("春节以后", "2026-02-18T00:00:00+08:00", None),
        ("2020年以前", None, "2020-01-01T00:00:00+08:00"),
    ],
)
def test_what_has_one_bound_is_open_at_the_other_end(text: str, begin: str | None, until: str | None) -> None:
    (found,) = find_times(text, AT)
    ends = [moment.isoformat() if moment else None for moment in (found.begin, found.until)]
    assert ends == [begin, until]


def test_a_month_and_day_without_a_year_is_the_nearest_one() -> None:
    assert one("12月20日")[0].startswith("2025-12-20")
    assert one("5月1日")[0].startswith("2026-05-01")


@pytest.mark.parametrize(("text", "day"), [("周一开过会了", "2026-03-02"), ("周一开会", "2026-03-09")])
def test_a_bare_weekday_is_past_or_coming_as_its_clause_is(text: str, day: str) -> None:
    assert one(text)[0].startswith(day)


def test_days_in_a_list_share_their_month_and_week() -> None:
    days = [found.begin.date().isoformat() for found in find_times("4月10号、11号，下周三、周五", AT) if found.begin]
    assert days == ["2026-04-10", "2026-04-11", "2026-03-11", "2026-03-13"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("甲方应在验收合格后30日内付款", "验收合格后30日内"),
        ("收到发票后5个工作日内", "收到发票后5个工作日内"),
        ("签约之日起三个月内有效", "签约之日起三个月内"),
        ("提前3天通知", "提前3天"),
        ("次日上午9点", "上午9点"),
    ],
)
def test_what_hangs_on_an_event_keeps_no_interval(text: str, words: str) -> None:
    (found,) = find_times(text, AT)
    assert (found.text, found.anchor, found.begin, found.until) == (words, Anchor.EVENT, None, None)


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("每周三", Granularity.DAY),
        ("每周三下午3点", Granularity.HOUR),
        ("每年3月", Granularity.MONTH),
        ("每晚8点", Granularity.HOUR),
        ("每半年", Granularity.YEAR),
        ("每周六上午9点到11点", Granularity.HOUR),
    ],
)
def test_what_recurs_keeps_no_interval(text: str, grain: Granularity) -> None:
    (found,) = find_times(text, AT)
    assert (found.text, found.anchor, found.begin, found.granularity) == (text, Anchor.RECURRING, None, grain)


@pytest.mark.parametrize(
    "text",
    [
        "三点建议", "一点也不难", "有一点", "5号楼", "3号线", "第三章", "三国", "万一", "十分钟", "2小时", "三天",
        "HT2023-0876", "版本3.5", "2月30日", "13月", "99999999天前", "一起", "二手", "五花八门",
        "前面那个人", "以后再谈", "过年", "半天", "马上一年了", "初一学生", "价格2019.10元", "三五年",
    ],
)  # fmt: skip
def test_no_date_is_made_up(text: str) -> None:
    assert [found for found in find_times(text, AT) if found.begin] == []


def test_explicit_years_are_absolute_and_the_rest_hang_on_the_speaker() -> None:
    assert find_times("2024年3月5日", AT)[0].anchor is Anchor.ABSOLUTE
    assert find_times("3月5日", AT)[0].anchor is Anchor.SPEAKER
