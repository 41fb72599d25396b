"""Files of notes: what a note and its questions become, and that a bad line is named."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from calibration.metrics import auroc
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.notes import read_notes
from graphsvc.language.segment import query_tokens


class Told(NamedTuple):
    """A figure of the pairs that answer, and of those that do not."""

    right: list[float]
    wrong: list[float]


_NOTES = """
@ 2025-03-04 chat
M: The spare key hangs behind the meter, Rosa has the other one.
+ location where is the spare key
- person who made the copies

@ 2025-03-05 note
M: 垃圾周三早上收。
+ time_point 哪天收垃圾
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
        "where is the spare key", True, ("home-0-0",), (),
    )  # fmt: skip
    assert (second.answerable, second.relevant, second.forbidden) == (False, (), ("home-0-0",))
    assert (third.query_type, third.relevant) == ("time_point", ("home-1-0",))
    assert read.memories[0].event_time is not None
    assert first.asked_at is not None
    assert first.asked_at > read.memories[0].event_time


def test_notes_told_together_each_have_a_sign(tmp_path: Path) -> None:
    path = tmp_path / "keys.txt"
    path.write_text(
        "@ 2025-03-04 chat\nM: The key hangs by the meter.\nM: 备用钥匙配了九块钱。\n"
        "+- location where is the key\n-+ amount 配钥匙多少钱\n-- person who made it\n++ general what about the key\n",
        "utf-8",
    )
    read = read_notes(path)
    key, copy = (str(one.id) for one in read.memories)
    assert len({one.conversation_id for one in read.memories}) == 1
    assert [(one.answerable, one.relevant, one.forbidden) for one in read.queries] == [
        (True, (key,), (copy,)),
        (True, (copy,), (key,)),
        (False, (), (key, copy)),
        (True, (key, copy), ()),
    ]


def test_a_question_with_too_few_signs_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("@ 2025-03-04 chat\nM: one\nM: two\n+ location where\n", "utf-8")
    with pytest.raises(FieldInvalid, match="line 4"):
        read_notes(path)


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes("@ 2025-03-04 chat\nM: café\n".encode("latin-1"))
    with pytest.raises(FieldInvalid, match="UTF-8"):
        read_notes(path)


@pytest.mark.parametrize(
    "line", ["+ location before any note", "@ someday chat", "a stray line", "+ where", "@ 2025-13-41 chat"]
)
def test_a_line_that_is_neither_note_nor_question_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(FieldInvalid, match="line 2"):
        read_notes(path)


_BUNDLED = sorted((Path(__file__).parents[2] / "calibration" / "notes").glob("*.txt"))


def test_half_of_what_is_asked_of_a_single_bundled_note_is_answered() -> None:
    read = [read_notes(path) for path in _BUNDLED if not path.stem.startswith("twins")]
    asked = [query for one in read for query in one.queries]
    assert len(asked) > 10_000
    assert 0.45 < sum(query.answerable for query in asked) / len(asked) < 0.55
    assert len({memory.id for one in read for memory in one.memories}) == sum(len(one.memories) for one in read)


def test_between_bundled_twins_neither_a_question_s_length_nor_its_words_tell_which_answers() -> None:
    length, words = Told([], []), Told([], [])
    for path in _BUNDLED:
        read = read_notes(path) if path.stem.startswith("twins") else None
        texts = {} if read is None else {str(one.id): set(query_tokens(one.text)) for one in read.memories}
        for query in () if read is None else read.queries:
            tokens = set(query_tokens(query.text))
            for ids, told in ((query.relevant, 0), (query.forbidden, 1)):
                length[told].extend([len(query.text)] * len(ids))
                words[told].extend(len(tokens & texts[one]) / max(1, len(tokens)) for one in ids)
    assert len(length.right) > 20_000
    assert 0.45 <= (auroc(length.right, length.wrong) or 0) <= 0.60
    assert 0.45 <= (auroc(words.right, words.wrong) or 0) <= 0.60
