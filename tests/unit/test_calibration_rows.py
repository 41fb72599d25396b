"""Rows from question files: one a question, its story as its group, and variants that only help to fit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from calibration.dataset import Dataset, Row
from calibration.features import NAMES
from calibration.rows_file import write_rows
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.files import read_evaluation
from graphsvc.evaluate.measured import Measured, measure
from graphsvc.evaluate.notes import read_lessons
from graphsvc.evaluate.rows import question_rows, stories_of
from graphsvc.evaluate.training import bundled_stories, gather, is_rows
from graphsvc.settings import Settings
from graphsvc.supervise.rows import ALONE, FIT_ONLY, held_out, keep_rows
from tests.calibrating import grouped_rows

AT = "2026-03-0{day}T09:00:00+08:00"


def told(one: str, text: str, day: int = 1, **fields: object) -> dict[str, object]:
    return {"kind": "memory", "id": one, "text": text, "event_time": AT.format(day=day), **fields}


def asked(one: str, text: str, *relevant: str, **fields: object) -> dict[str, object]:
    given = {"kind": "query", "id": one, "text": text, "asked_at": AT.format(day=9)}
    return {**given, "relevant": relevant, "answerable": bool(relevant), **fields}


LINES = [
    told("m1", "The tram to Oldham runs every twelve minutes.", conversation_id="trams"),
    told("m2", "The depot closes at ten in the evening.", conversation_id="trams"),
    told("m3", "奥尔加的琴房在二楼。"),
    told("m4", "琴房的钥匙在门房。", thread_root_id="m3"),
    told("m5", "Lemon trees do not stand frost."),
    asked("q1", "How often does the tram to Oldham run?", "m1", forbidden=["m2"]),
    asked("q2", "When does the depot close?", "m2"),
    asked("q3", "奥尔加的琴房在几楼", "m3"),
    asked("q4", "Which colour is the tram to Oldham?", forbidden=["m1"]),
    asked("q5", "Do lemon trees stand frost?", "m5"),
    asked("q6", "Who sells lemon trees?"),
]


def written(path: Path, lines: Sequence[dict[str, object]] = LINES) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(encoder="hashing", cache_dir=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> list[Row]:
    return question_rows([written(tmp_path_factory.mktemp("files") / "trams.jsonl")], settings)


def test_each_question_gives_one_row_of_its_own_and_some_to_fit_on(rows: list[Row]) -> None:
    own = [row for row in rows if row.source not in FIT_ONLY]
    assert [row.id for row in own] == [f"trams:q{number}:trams:" for number in range(1, 7)]
    counts = Counter(row.source for row in rows)
    assert counts[ALONE] >= 3
    assert len({row.id for row in rows}) == len(rows)
    assert all(set(row.values) <= set(NAMES) for row in rows)


def test_rows_are_right_where_the_best_candidate_is_relevant(rows: list[Row]) -> None:
    own = {row.id.split(":")[1]: row.right for row in rows if row.source not in FIT_ONLY}
    assert own["q1"]
    assert own["q5"]
    assert not own["q4"]
    assert not own["q6"]


def test_before_one_memory_alone_there_is_no_rival(rows: list[Row]) -> None:
    alone = [row for row in rows if row.source == ALONE]
    assert all(row.values["alone"] == 1.0 for row in alone)
    assert {row.right for row in alone} == {True, False}


def test_rows_are_tagged_with_the_language_of_the_question(rows: list[Row]) -> None:
    own = {row.id.split(":")[1]: row.language for row in rows}
    assert (own["q1"], own["q3"]) == ("en", "zh")


def test_questions_of_one_talk_or_memory_share_a_story_and_others_do_not(tmp_path: Path) -> None:
    found = stories_of(read_evaluation(written(tmp_path / "f.jsonl")))
    assert found["q1"] == found["q2"] == found["q4"]
    assert found["q5"] == found["q6"]
    assert len({found["q1"], found["q3"], found["q5"]}) == 3
    again = stories_of(read_evaluation(written(tmp_path / "g.jsonl")))
    assert not set(found.values()) & set(again.values())


def test_a_thread_and_a_question_naming_two_talks_tie_them_together(tmp_path: Path) -> None:
    lines = [*LINES, asked("q7", "and the key?", "m4"), asked("q8", "tram or frost?", "m1", forbidden=["m5"])]
    found = stories_of(read_evaluation(written(tmp_path / "f.jsonl", lines)))
    assert found["q1"] == found["q5"] == found["q8"]
    assert found["q7"] != found["q3"]  # a thread's root need not be among the memories that are asked of


def test_the_same_files_give_the_same_rows_whatever_is_promoted(
    rows: list[Row], tmp_path: Path, settings: Settings
) -> None:
    elsewhere = settings.model_copy(update={"calibration": tmp_path / "none", "explore": 0.2})
    assert question_rows([written(tmp_path / "trams.jsonl")], elsewhere) == rows


def test_files_of_rows_and_of_questions_are_told_apart(tmp_path: Path, settings: Settings) -> None:
    given = grouped_rows(4).rows()
    write_rows(tmp_path / "rows.jsonl", given)
    assert is_rows(tmp_path / "rows.jsonl")
    assert not is_rows(written(tmp_path / "questions.jsonl"))
    assert gather([tmp_path / "rows.jsonl"], settings, lambda *_: None) == given
    with pytest.raises(FieldInvalid):
        is_rows(tmp_path / "missing.jsonl")


def test_held_out_are_the_test_groups_without_what_was_made_to_fit_on(tmp_path: Path) -> None:
    given = [
        Row(**{**_fields(row), "source": ALONE if number % 3 == 0 else row.source})
        for number, row in enumerate(grouped_rows(60).rows())
    ]
    assert held_out(tmp_path, "0" * 16, 7) is None
    keep_rows(tmp_path, "0" * 16, given)
    found = held_out(tmp_path, "0" * 16, 7)
    assert found is not None
    assert 0 < len(found) < 60
    assert set(found.sources) == {"synthetic"}
    assert set(found.groups) <= set(Dataset.of(given).split(7).test.groups)


def _fields(row: Row) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("id", "group", "query_type", "values", "right", "source", "language")}


def test_a_decider_is_measured_beside_three_simpler_ones() -> None:
    given = grouped_rows(100).rows()
    rule, fixed, first = measure(given, Measured("rule", None))
    assert (rule.name, first.name) == ("fallback-rule", "whatever comes first")
    assert (first.coverage, first.accepted, first.rows) == (1.0, 300, 300)
    assert fixed.error is not None
    assert fixed.error <= 0.05
    with pytest.raises(FieldInvalid):
        measure([], Measured("rule", None))


def test_the_bundled_stories_and_notes_are_question_files() -> None:
    found = bundled_stories()
    assert len(found) >= 18
    assert not any(is_rows(path) for path in found)
    assert {len(read_lessons(path).queries) > 100 for path in found} == {True}
