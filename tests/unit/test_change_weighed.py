"""Changes told in words no rule lists, found by what speaks for one slot; and what parts two slots whatever the sum."""

from __future__ import annotations

import pytest

from graphsvc.change import relate
from graphsvc.change.evidence import evidence
from graphsvc.change.reading import read
from graphsvc.change.weighed import unlikely, weighed
from graphsvc.change.weights import WEIGHTS
from graphsvc.models.change import ChangeKind
from graphsvc.models.memory import Memory
from tests.statements import said


def turn(name: str, text: str, at: int, **fields: object) -> Memory:
    given = {"text": text, "conversation_id": "talk", "sender": "Wren", "event_time": f"2026-01-{at + 5:02}T10:00:00Z"}
    return said(name, {**given, **fields})


UNLISTED = (
    ("Guitar lessons with Benny cost $35 for the half hour.", "Benny's putting guitar up to $42 the half hour."),
    ("高三家长会在行政楼阶梯教室。", "高三家长会地点调整为体育馆二楼，阶梯教室在装空调。"),
)


@pytest.mark.parametrize(("first", "second"), UNLISTED)
def test_another_value_of_one_slot_is_found_in_other_words(first: str, second: str) -> None:
    change = relate(turn("one", first, 0), turn("two", second, 1))
    assert change is not None
    assert change.kind is ChangeKind.SUPERSEDES


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Halden invoice 20871, $1,918.00, due 12 June.", "Halden invoice 20904, $2,266.50, due 3 July."),
        ("My sister likes skiing.", "I don't like skiing any more."),
        ("Yoga is at half six in the parish hall.", "Yoga has a new teacher, same time and hall as ever."),
        ("Otis has the vet on Friday at four.", "Otis also gets his groom on Friday, five thirty."),
    ],
)
def test_what_only_looks_alike_is_not_added_up_to_a_change(first: str, second: str) -> None:
    assert weighed(read(turn("one", first, 0)), read(turn("two", second, 1)), 0) is None


def test_the_sum_has_the_last_word_where_almost_all_speaks_against_a_change() -> None:
    one = turn("one", "Halden invoice 20871, $1,918.00, due 12 June.", 0, conversation_id=None)
    two = turn("two", "Halden invoice 20904, $2,266.50, due 3 July.", 1, conversation_id=None)
    assert unlikely(read(one), read(two), 0)
    assert relate(one, two) is None


def test_every_weight_is_of_a_number_that_is_told() -> None:
    told = evidence(read(turn("one", UNLISTED[0][0], 0)), read(turn("two", UNLISTED[0][1], 1)))
    assert told is not None
    assert WEIGHTS.keys() <= told.quick.keys() | told.slow().keys()
    assert all(WEIGHTS.get(name, 0.0) <= 0.0 for name in told.slow())


def test_two_memories_with_nothing_in_common_give_no_evidence() -> None:
    assert evidence(read(turn("one", "The shed is green.", 0)), read(turn("two", "Otters sleep afloat.", 1))) is None
