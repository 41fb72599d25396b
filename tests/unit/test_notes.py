"""Files of notes: what a note and its questions become, and that a bad line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.notes import read_notes

_NOTES = """
@ 2025-03-04 chat
M: The spare key hangs behind the meter,
M: Rosa has the other one.
+location where is the spare key
-person who made the copies

@ 2025-03-05 note
M: 垃圾周三早上收。
+time_point 哪天收垃圾
"""


def test_each_note_is_a_memory_with_questions_it_answers_or_not(tmp_path: Path) -> None:
    path = tmp_path / "home.txt"
    path.write_text(_NOTES, "utf-8")
    read = read_notes(path)
    assert [one.text for one in read.memories] == [
        "The spare key hangs behind the meter, Rosa has the other one.",
        "垃圾周三早上收。",
    ]
    first, second, third = read.queries
    assert (first.text, first.answerable, first.relevant, first.forbidden) == (
        "where is the spare key", True, ("home-0",), (),
    )  # fmt: skip
    assert (second.answerable, second.relevant, second.forbidden) == (False, (), ("home-0",))
    assert (third.query_type, third.relevant) == ("time_point", ("home-1",))
    assert read.memories[0].event_time is not None
    assert first.asked_at is not None
    assert first.asked_at > read.memories[0].event_time


@pytest.mark.parametrize("line", ["+location before any note", "@ someday chat", "a stray line", "+where"])
def test_a_line_that_is_neither_note_nor_question_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(FieldInvalid, match="line 2"):
        read_notes(path)


def test_the_bundled_notes_are_read_whole() -> None:
    files = sorted((Path(__file__).parents[2] / "calibration" / "notes").glob("*.txt"))
    read = [read_notes(path) for path in files]
    asked = [query for one in read for query in one.queries]
    assert len(asked) > 10_000
    assert 0.45 < sum(query.answerable for query in asked) / len(asked) < 0.55
    assert len({memory.id for one in read for memory in one.memories}) == sum(len(one.memories) for one in read)
