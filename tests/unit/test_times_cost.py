"""What reading times costs: in proportion to the text, whatever is repeated in it."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone

import pytest

from graphsvc.language.times import find_times

AT = datetime(2026, 3, 6, 10, 0, tzinfo=timezone(timedelta(hours=8)))
PIECES = (
    "3月", "1", "周", "下", "at ", "1/", "1-", "1:", "三点", "last ", "每", "2024年", "q1 ", "前", "to ", "5 ",
    "年后", "in 3 days ", "一", "from ", "5月5日到", "May ", "and ", "the ", "验收后3天", "every ", "半", "(周",
    "零", "twenty ", "after the meeting ", "before ", "when she ", "开会前", "吃完", "等", "一月一次", "meet at 5 ",
    "will be ", "Christmas ",
)  # fmt: skip


def seconds(text: str) -> float:
    """The quickest of three readings."""
    spent = []
    for _ in range(3):
        begun = time.perf_counter()
        find_times(text, AT)
        spent.append(time.perf_counter() - begun)
    return min(spent)


@pytest.mark.parametrize("piece", PIECES)
def test_four_times_the_text_takes_no_more_than_eight_times_as_long(piece: str) -> None:
    """A quadratic reading would take sixteen times as long; a tenth of a second is noise."""
    short, long = (piece * (length // len(piece)) for length in (15_000, 60_000))
    assert seconds(long) < 8 * seconds(short) + 0.1


def test_a_wall_of_dates_is_read_up_to_its_budget() -> None:
    """Dates beyond what prose of that length may hold are left unread, the first ones are not."""
    found = find_times("3月5日，" * 20_000, AT)
    assert 2000 <= len(found) < 20_000


def test_a_sentence_takes_a_few_milliseconds_at_most() -> None:
    text = (
        "We moved the review with Anna and the finance team from last Tuesday to next Friday at 3pm, 审计报告30日内交"
    )
    assert seconds(text) < 0.01
