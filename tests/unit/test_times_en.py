"""English expressions of time, read on Friday 6 March 2026, ten in the morning, in Shanghai."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from graphsvc.language.times import find_times
from graphsvc.models.facts import Anchor

AT = datetime(2026, 3, 6, 10, 0, tzinfo=timezone(timedelta(hours=8)))


def one(text: str) -> tuple[str, str]:
    """The ends of the one time in a text, in local time."""
    (found,) = find_times(text, AT)
    assert found.begin is not None
    assert found.until is not None
    return found.begin.strftime("%Y-%m-%dT%H:%M"), found.until.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("yesterday", "2026-03-05", "2026-03-06"), ("the day after tomorrow", "2026-03-08", "2026-03-09"),
        ("last Friday", "2026-02-27", "2026-02-28"), ("this Friday", "2026-03-06", "2026-03-07"),
        ("next Tuesday", "2026-03-10", "2026-03-11"), ("last weekend", "2026-02-28", "2026-03-02"),
        ("two weeks ago", "2026-02-16", "2026-02-23"), ("in 3 days", "2026-03-09", "2026-03-10"),
        ("last month", "2026-02-01", "2026-03-01"), ("next quarter", "2026-04-01", "2026-07-01"),
        ("last year", "2025-01-01", "2026-01-01"), ("Q3 2024", "2024-07-01", "2024-10-01"),
        ("the third quarter of 2023", "2023-07-01", "2023-10-01"), ("March 2024", "2024-03-01", "2024-04-01"),
        ("5 May", "2026-05-05", "2026-05-06"), ("May 5th, 2024", "2024-05-05", "2024-05-06"),
        ("2024-05-20", "2024-05-20", "2024-05-21"),
        ("5/6/2024", "2024-05-06", "2024-05-07"), ("20/5/2024", "2024-05-20", "2024-05-21"),
        ("the end of June", "2026-06-25", "2026-07-01"), ("mid-2024", "2024-06-01", "2024-08-01"),
        ("Christmas 2023", "2023-12-25", "2023-12-26"), ("in 2024", "2024-01-01", "2025-01-01"),
        ("May 5-7", "2026-05-05", "2026-05-08"), ("from May 5 to June 2", "2026-05-05", "2026-06-03"),
        ("between March 3 and March 9", "2026-03-03", "2026-03-10"),
        ("2 weeks before May 5", "2026-04-21", "2026-04-22"), ("november 19-20", "2025-11-19", "2025-11-21"),
        ("May twenty nine", "2026-05-29", "2026-05-30"), ("15 April of 87", "1987-04-15", "1987-04-16"),
        ("friday the 13th", "2026-03-13", "2026-03-14"), ("june of 1992", "1992-06-01", "1992-07-01"),
        ("the last week of july", "2026-07-27", "2026-08-03"), ("week 31", "2026-07-27", "2026-08-03"),
        ("the second Tuesday of next month", "2026-04-14", "2026-04-15"), ("the 1990s", "1990-01-01", "2000-01-01"),
        ("the week of May 6", "2026-05-04", "2026-05-11"), ("tuesday of next week", "2026-03-10", "2026-03-11"),
        ("next year's first quarter", "2027-01-01", "2027-04-01"), ("2025 H2", "2025-07-01", "2026-01-01"),
        ("Easter 2026", "2026-04-05", "2026-04-06"), ("Thanksgiving 2025", "2025-11-27", "2025-11-28"),
        ("the next two days", "2026-03-07", "2026-03-09"), ("from January to April 2015", "2015-01-01", "2015-05-01"),
        ("Nov 18-Dec 19, 2015", "2015-11-18", "2015-12-20"), ("Nov-Feb 2017", "2016-11-01", "2017-03-01"),
        ("10/1/2018-10/7/2018", "2018-10-01", "2018-10-08"), ("the week before last", "2026-02-16", "2026-02-23"),
        ("the following week", "2026-03-09", "2026-03-16"), ("last week of 2016", "2016-12-26", "2017-01-02"),
        ("the 15th of next month", "2026-04-15", "2026-04-16"), ("the 19th century", "1800-01-01", "1900-01-01"),
        ("the early 1990s", "1990-01-01", "1994-01-01"), ("the '80s", "1980-01-01", "1990-01-01"),
        ("in twenty nineteen", "2019-01-01", "2020-01-01"), ("last summer", "2025-06-01", "2025-09-01"),
        ("a week from today", "2026-03-13", "2026-03-14"), ("a year ago today", "2025-03-06", "2025-03-07"),
        ("two weeks ago on Monday", "2026-02-16", "2026-02-17"), ("Mon-Fri", "2026-03-09", "2026-03-14"),
        ("Christmas last year", "2025-12-25", "2025-12-26"), ("next Easter", "2026-04-05", "2026-04-06"),
        ("the end of next week", "2026-03-12", "2026-03-16"),
    ],
)  # fmt: skip
def test_calendar_expressions(text: str, first: str, after: str) -> None:
    assert one(text) == (f"{first}T00:00", f"{after}T00:00")


@pytest.mark.parametrize(
    ("text", "begin", "until"),
    [
        ("3:30 pm", "2026-03-06T15:30", "2026-03-06T15:31"),
        ("tomorrow at 3pm", "2026-03-07T15:00", "2026-03-07T16:00"),
        ("14:30 on 5 May", "2026-05-05T14:30", "2026-05-05T14:31"),
        ("last night", "2026-03-05T18:00", "2026-03-06T00:00"),
        ("in three days at 5pm", "2026-03-09T17:00", "2026-03-09T18:00"),
        ("half past six", "2026-03-06T06:30", "2026-03-06T06:31"),
        ("twenty to nine in the evening", "2026-03-06T20:40", "2026-03-06T20:41"),
        ("at 8.30pm", "2026-03-06T20:30", "2026-03-06T20:31"),
        ("from 5 to 6pm of April 22", "2026-04-22T17:00", "2026-04-22T18:00"),
        ("the end of tomorrow", "2026-03-07T23:59", "2026-03-08T00:00"),
        ("by next Friday", "2026-03-06T10:00", "2026-03-14T00:00"),
        ("before next Friday", "2026-03-06T10:00", "2026-03-13T00:00"),
        ("earlier this month", "2026-03-01T00:00", "2026-03-06T10:00"),
        ("3-5pm", "2026-03-06T15:00", "2026-03-06T17:00"),
        ("明天 at 3pm", "2026-03-07T15:00", "2026-03-07T16:00"),
        ("since last Monday", "2026-03-02T00:00", "2026-03-06T10:00"),
        ("until next Friday", "2026-03-06T10:00", "2026-03-14T00:00"),
        ("on leave until May", "2026-03-06T10:00", "2026-05-01T00:00"),
        ("the last 3 months", "2025-12-06T00:00", "2026-03-06T10:00"),
        ("at 7 tonight", "2026-03-06T19:00", "2026-03-06T20:00"),
        ("9am-5pm", "2026-03-06T09:00", "2026-03-06T17:00"),
        ("EOD tomorrow", "2026-03-07T23:59", "2026-03-08T00:00"),
        ("3 days ago at 5", "2026-03-03T05:00", "2026-03-03T06:00"),
        ("3pm EST", "2026-03-07T04:00", "2026-03-07T05:00"),
        ("10:00 UTC", "2026-03-06T18:00", "2026-03-06T18:01"),
        ("from now until Friday", "2026-03-06T10:00", "2026-03-07T00:00"),
        ("so far this month", "2026-03-01T00:00", "2026-03-06T10:00"),
        ("on or before May 5", "2026-03-06T10:00", "2026-05-06T00:00"),
        ("within 10 days", "2026-03-06T10:00", "2026-03-17T00:00"),
    ],
)
def test_clock_times_and_stretches(text: str, begin: str, until: str) -> None:
    assert one(text) == (begin, until)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask?", "We may go.", "March on!", "They march.", "Will sat down in the sun", "second",
        "an august person",
        "you may 5 times", "this may take longer", "day after day", "sales by year", "twenty-one coins",
        "room 302 at 10.0.3.7", "version 1.2.3", "HT2023-0876", "30 years old", "3 days of work",
        "1 may be enough", "a Christmas tree", "31 June 2024", "in 2024 people",
        "rates at 6.45 percent", "in her late 20s", "3ampersand", "the stairs in fall",
    ],
)  # fmt: skip
def test_no_date_is_made_up(text: str) -> None:
    assert find_times(text, AT) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [("The meeting was on Monday.", "2026-03-02"), ("Let's meet on Monday.", "2026-03-09")],
)
def test_a_bare_weekday_is_past_or_coming_as_its_sentence_is(text: str, day: str) -> None:
    assert one(text)[0].startswith(day)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We moved the review to Tuesday.", "2026-03-10"),
        ("The review was postponed until Tuesday at noon.", "2026-03-06"),
        ("We met on Tuesday.", "2026-03-03"),
    ],
)
def test_what_was_moved_to_a_weekday_is_still_to_come(text: str, day: str) -> None:
    assert one(text)[0].startswith(day)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("Tue, 5 May 2026 13:45:00 GMT", "2026-05-05T21:45"),
        ("5 May 2026 14:30 CET", "2026-05-05T21:30"),
        ("23/Sep/2020:10:00:00 +0000", "2020-09-23T18:00"),
        ("2020.Sep.23", "2020-09-23T00:00"),
        ("23-2020-September", "2020-09-23T00:00"),
        ("5 May 2026 at 14:30 CST", "2026-05-05T14:30"),
    ],
)
def test_odd_orders_and_stated_zones_are_read(text: str, begin: str) -> None:
    """A zone that may mean several offsets, as CST does, leaves the reader's own."""
    assert one(text)[0] == begin


@pytest.mark.parametrize(
    ("text", "words", "anchor"),
    [
        ("within 30 days of delivery", "within 30 days of delivery", Anchor.EVENT),
        ("pay 30 days after signing the contract", "30 days after signing", Anchor.EVENT),
        ("every Monday at 9am", "every Monday at 9am", Anchor.RECURRING),
        ("open on Tuesdays", "Tuesdays", Anchor.RECURRING),
    ],
)
def test_events_and_recurrences_keep_no_interval(text: str, words: str, anchor: Anchor) -> None:
    (found,) = find_times(text, AT)
    assert (found.text, found.anchor, found.begin, found.until) == (words, anchor, None, None)


@pytest.mark.parametrize("lead", ["", "early ", "end of ", "the 2nd of ", "later ", "earlier in ", "by ", "Friday of "])
@pytest.mark.parametrize(
    "step", ["last", "this", "next", "the", "the following", "coming", "previous", "past", "the current", "preceding"]
)
def test_no_step_before_any_unit_is_more_than_the_rules_can_read(lead: str, step: str) -> None:
    """One expression that a pattern finds and its rule cannot build would stop a whole batch."""
    for unit in ("day", "week", "month", "year", "quarter", "decade", "weekend", "spring", "Friday", "March", "Easter"):
        assert isinstance(list(find_times(f"{lead}{step} {unit}", AT)), list)


def test_a_day_of_the_following_month_is_read() -> None:
    (found,) = find_times("the 2nd of the following month", AT)
    assert (found.text, found.begin) == ("the 2nd of the following month", AT.replace(month=4, day=2, hour=0, minute=0))
